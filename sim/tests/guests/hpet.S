/*
 * sim/tests/guests/hpet.S - the high precision event timer: its rate beside the PM timer, one shot
 * and periodic interrupts through the I/O APIC, a level, and the place of the 8254.
 */
#include "guest.inc"

#define HPET 0xfed00000
#define IOAPIC 0xfec00000
#define APIC 0xfee00000

	/* 1 ms of the PM timer, 3580 ticks, with interrupts enabled; %eax = ticks of the HPET */
ms:	mov	HPET + 0xf0, %edi
	mov	$0x608, %dx
	in	%dx, %eax
	mov	%eax, %esi
	sti
1:	in	%dx, %eax
	sub	%esi, %eax
	and	$0xffffff, %eax
	cmp	$3580, %eax
	jb	1b
	cli
	mov	HPET + 0xf0, %eax
	sub	%edi, %eax
	ret

	/* %eax is \value or up to \more above */
	.macro	ABOUT name, value, more
	sub	$\value, %eax
	xor	%ebx, %ebx
	cmp	$\more, %eax
	adc	$0, %ebx
	CHECK	"\name", %ebx, $1
	.endm

	/* comparator of timer \n: \ticks from now */
	.macro	AFTER n, ticks
	mov	HPET + 0xf0, %eax
	add	$\ticks, %eax
	mov	%eax, HPET + 0x108 + 0x20 * \n
	movl	$0, HPET + 0x10c + 0x20 * \n
	movl	$0, count
	.endm

	/* pin 20 sends vector 50h, \value says how */
	.macro	PIN value
	movl	$0x39, IOAPIC
	movl	$0, IOAPIC + 0x10
	movl	$0x38, IOAPIC
	movl	$(\value + 0x50), IOAPIC + 0x10
	.endm

test:	mov	HPET, %eax
	and	$0xffffe0ff, %eax
	CHECK	"identification", %eax, $0x8086a001
	CHECK	"period", HPET + 4, $10000000
	movl	$0x1ff, APIC + 0xf0
	movl	$0x10000, APIC + 0x350
	IRQ	0x50, tick
	/* it stands still, takes a count, and runs at 100 MHz */
	call	ms
	CHECK	"not enabled", %eax, $0
	movl	$0xfffff000, HPET + 0xf0
	movl	$5, HPET + 0xf4
	movl	$1, HPET + 0x10
	call	ms
	ABOUT	"ticks in a millisecond", 99900, 1000
	CHECK	"carry", HPET + 0xf4, $6
	/* one shot: after half a millisecond, once */
	movl	$0, HPET + 0x10
	movl	$0, HPET + 0xf4
	movl	$1, HPET + 0x10
	PIN	0
	movl	$(20 << 9 | 4), HPET + 0x120
	AFTER	1, 50000
	call	ms
	call	ms
	CHECK	"one shot", count, $1
	/* half a millisecond ahead, but its interrupt is not enabled */
	movl	$(20 << 9), HPET + 0x120
	AFTER	1, 50000
	call	ms
	CHECK	"interrupt not enabled", count, $0
	/* periodic: each 100 us, ten in a millisecond */
	movl	$(20 << 9 | 0x4c), HPET + 0x100
	mov	HPET + 0xf0, %eax
	add	$5000, %eax
	mov	%eax, HPET + 0x108
	movl	$10000, HPET + 0x108
	movl	$0, count
	call	ms
	mov	count, %eax
	ABOUT	"periodic", 9, 3
	movl	$0, HPET + 0x100
	/* a level stays until its status is cleared, which the handler does the third time */
	movl	$lasting, handlers + 4 * 0x50
	PIN	0x8000
	movl	$(20 << 9 | 6), HPET + 0x120
	AFTER	1, 20000
	call	ms
	CHECK	"level", count, $3
	CHECK	"status", HPET + 0x20, $0
	/* instead of the 8254, through pin 2 */
	movl	$0x15, IOAPIC
	movl	$0, IOAPIC + 0x10
	movl	$0x14, IOAPIC
	movl	$0x50, IOAPIC + 0x10
	movl	$tick, handlers + 4 * 0x50
	movl	$3, HPET + 0x10
	mov	$0x34, %al		/* 20 kHz, which nobody hears */
	out	%al, $0x43
	mov	$60, %al
	out	%al, $0x40
	xor	%eax, %eax
	out	%al, $0x40
	movl	$4, HPET + 0x100
	AFTER	0, 30000
	sti
	hlt
	cli
	call	ms
	CHECK	"legacy", count, $1
	ret

tick:	incl	count
	movl	$0, APIC + 0xb0
	ret

lasting: incl	count
	cmpl	$3, count
	jb	1f
	movl	$2, HPET + 0x20
1:	movl	$0, APIC + 0xb0
	ret

	.data
count:	.long	0
