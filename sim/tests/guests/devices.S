/*
 * sim/tests/guests/devices.S - clocks that agree with each other, IRQ 0 through the 8259, HLT,
 * UART.
 *
 * Runs with --flat on a model with a TSC of 1 GHz (none), so that the figures are simple; the
 * bounds allow for the port accesses in between.
 */
#include "guest.inc"

	/* %eax = low count of PIT channel 2 */
read_pit:
	mov	$0x80, %al
	out	%al, $0x43
	xor	%eax, %eax
	in	$0x42, %al
	mov	%al, %ah
	in	$0x42, %al
	xchg	%al, %ah
	ret

test:	/* 10 ms on channel 2: 11932 ticks; TSC 10,000,000, PM timer 35795 */
	in	$0x61, %al
	and	$0xfc, %al
	or	$1, %al
	out	%al, $0x61
	mov	$0xb0, %al		/* mode 0 */
	out	%al, $0x43
	mov	$0x9c, %al		/* 11932 = 2e9ch */
	out	%al, $0x42
	mov	$0x2e, %al
	out	%al, $0x42
	rdtsc
	mov	%eax, %esi
	mov	$0x608, %dx
	in	%dx, %eax
	mov	%eax, %edi
1:	in	$0x61, %al
	test	$0x20, %al
	jz	1b
	rdtsc
	sub	%esi, %eax
	sub	$9999000, %eax
	xor	%ebx, %ebx
	cmp	$3000, %eax
	adc	$0, %ebx
	CHECK	"TSC in 10 ms", %ebx, $1
	mov	$0x608, %dx
	in	%dx, %eax
	sub	%edi, %eax
	and	$0xffffff, %eax
	sub	$35785, %eax
	xor	%ebx, %ebx
	cmp	$20, %eax
	adc	$0, %ebx
	CHECK	"PM timer in 10 ms", %ebx, $1

	/* IRQ 0 at 1000 Hz, ten times, sleeping in between: 10 ms */
	mov	$0x11, %al
	out	%al, $0x20
	mov	$0x40, %al
	out	%al, $0x21
	mov	$4, %al
	out	%al, $0x21
	mov	$1, %al
	out	%al, $0x21
	mov	$0xfe, %al
	out	%al, $0x21
	IRQ	0x40, tick
	mov	$0x34, %al		/* channel 0, mode 2 */
	out	%al, $0x43
	mov	$0xa9, %al		/* 1193 = 4a9h */
	out	%al, $0x40
	mov	$0x04, %al
	out	%al, $0x40
	rdtsc
	mov	%eax, %esi
2:	sti
	hlt
	cli
	cmpl	$10, ticks
	jb	2b
	rdtsc
	sub	%esi, %eax
	sub	$9990000, %eax
	xor	%ebx, %ebx
	cmp	$20000, %eax
	adc	$0, %ebx
	CHECK	"ten ticks of 1 ms", %ebx, $1
	mov	$0xff, %al
	out	%al, $0x21

	/* CMOS: 1 January 2000 */
	mov	$9, %al
	out	%al, $0x70
	in	$0x71, %al
	movzx	%al, %eax
	CHECK	"year", %eax, $0
	mov	$7, %al
	out	%al, $0x70
	in	$0x71, %al
	movzx	%al, %eax
	CHECK	"day", %eax, $1

	/* UART: scratch, loopback, overrun of a transmitter that nobody asked */
	mov	$0x3ff, %dx
	mov	$0x5a, %al
	out	%al, %dx
	in	%dx, %al
	movzx	%al, %eax
	CHECK	"scratch register", %eax, $0x5a
3:	mov	$0x3fd, %dx
	in	%dx, %al
	test	$0x40, %al
	jz	3b
	mov	$0x3fc, %dx
	mov	$0x1e, %al		/* loop, OUT1, OUT2, RTS */
	out	%al, %dx
	mov	$0x3fe, %dx
	in	%dx, %al
	movzx	%al, %eax
	CHECK	"modem lines looped", %eax, $0xd0
	mov	$0x3f8, %dx
	mov	$0xae, %al
	out	%al, %dx
	mov	$0x3fd, %dx
	in	%dx, %al
	and	$1, %eax
	CHECK	"byte looped", %eax, $1
	mov	$0x3f8, %dx
	in	%dx, %al
	movzx	%al, %eax
	CHECK	"which", %eax, $0xae
	mov	$0x3fc, %dx
	mov	$0x0b, %al
	out	%al, %dx

	/* nobody at home */
	mov	$0x2f8, %dx
	in	%dx, %al
	movzx	%al, %eax
	CHECK	"open bus, port", %eax, $0xff
	mov	0xd0000000, %eax
	CHECK	"open bus, memory", %eax, $0xffffffff
	ret

tick:	incl	ticks
	mov	$0x20, %al
	out	%al, $0x20
	ret

	.data
ticks:	.long	0
