/*
 * sim/tests/guests/ioapic.S - the I/O APIC: edges of the 8254, levels of the UART, NMI, the 8259
 * through pin 0, logical destinations, masks.
 */
#include "guest.inc"

#define IOAPIC 0xfec00000
#define APIC 0xfee00000
#define LEVEL 0x8000
#define LOGICAL 0x800
#define MASKED 0x10000
#define NMI 0x400
#define EXTINT 0x700

	/* register \reg is %eax, and the other way round */
	.macro	SET reg, value
	movl	$\reg, IOAPIC
	movl	$\value, IOAPIC + 0x10
	.endm

	.macro	GET reg
	movl	$\reg, IOAPIC
	mov	IOAPIC + 0x10, %eax
	.endm

	/* what pin \pin sends; destination \to */
	.macro	ENTRY pin, value, to=0
	SET	(0x11 + 2 * \pin), (\to << 24)
	SET	(0x10 + 2 * \pin), (\value)
	.endm

	/* sleeps until \count interrupts have been counted */
	.macro	AWAIT count
8001:	sti
	hlt
	cli
	cmpl	$\count, count
	jb	8001b
	movl	$0, count
	.endm

	/* 5 ms with interrupts enabled: how many come, 0 or some? */
	.macro	MEANWHILE name, some
	movl	$0, count
	call	wait
	xor	%eax, %eax
	cmpl	$0, count
	setne	%al
	CHECK	"\name", %eax, $\some
	.endm

test:	GET	1
	and	$0xffff00, %eax
	CHECK	"pins", %eax, $0x170000
	GET	0x14
	CHECK	"masked at reset", %eax, $0x10000
	movl	$0x1ff, APIC + 0xf0
	movl	$MASKED, APIC + 0x350
	IRQ	0x50, edge
	IRQ	0x51, level
	IRQ	2, nmi
	IRQ	0x40, ticked
	/* IRQ 0 at 1000 Hz */
	mov	$0x34, %al
	out	%al, $0x43
	mov	$0xa9, %al
	out	%al, $0x40
	mov	$0x04, %al
	out	%al, $0x40
	ENTRY	2, 0x50
	AWAIT	3
	MEANWHILE "goes on", 1
	ENTRY	2, (MASKED + 0x50)
	MEANWHILE "masked", 0
	ENTRY	2, 0x50, 7
	MEANWHILE "nobody has this id", 0
	movl	$0x02000000, APIC + 0xd0
	ENTRY	2, (LOGICAL + 0x50), 6
	MEANWHILE "logical", 1
	ENTRY	2, (LOGICAL + 0x50), 4
	MEANWHILE "not this logical id", 0
	ENTRY	2, (LOGICAL + 0x150), 2
	MEANWHILE "lowest priority", 1
	ENTRY	2, NMI
	MEANWHILE "NMI", 1
	ENTRY	2, MASKED

	/* pin 0 asks for the vector of the 8259s */
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
	ENTRY	0, EXTINT
	AWAIT	3
	mov	$0xff, %al
	out	%al, $0x21
	ENTRY	0, MASKED

	/* the UART wants bytes: its level asks again until it is told to be quiet */
	ENTRY	4, (LEVEL + 0x51)
1:	mov	$0x3fd, %dx
	in	%dx, %al
	test	$0x40, %al
	jz	1b
	mov	$0x3fc, %dx
	mov	$0x0b, %al
	out	%al, %dx
	mov	$0x3f9, %dx
	mov	$2, %al
	out	%al, %dx
	call	wait
	CHECK	"levels", count, $3
	CHECK	"remote IRR while it is in service", remote, $0xc051
	GET	0x18
	CHECK	"and afterwards", %eax, $0x8051
	cmpl	$0, failures
	jne	9f
	/* the 8254 goes on, but nobody takes its interrupts: that is the end */
	ENTRY	2, 0x50
	PRINT	"done status=ok\n"
	cli
	hlt
9:	ret

wait:	rdtsc
	mov	%eax, %esi
	sti
1:	mov	$0x61, %dx		/* about a microsecond */
	in	%dx, %al
	rdtsc
	sub	%esi, %eax
	cmp	$5000000, %eax
	jb	1b
	cli
	ret

ticked:	mov	$0x20, %al
	out	%al, $0x20
nmi:	incl	count
	ret

edge:	incl	count
	movl	$0, APIC + 0xb0
	ret

level:	incl	count
	GET	0x18
	mov	%eax, remote
	cmpl	$3, count
	jb	1f
	mov	$0x3f9, %dx
	xor	%eax, %eax
	out	%al, %dx
1:	movl	$0, APIC + 0xb0
	ret

	.data
count:	.long	0
remote:	.long	0
