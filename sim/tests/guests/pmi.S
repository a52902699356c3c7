/*
 * sim/tests/guests/pmi.S - an overflow interrupt comes exactly behind the instruction that caused
 * it.
 *
 * For N = 1 to 63: counter 0 holds -N and counts instructions; it is started by a WRMSR to
 * GLOBAL_CTRL that a sled of NOPs follows. WRMSR itself is not counted, so the interrupt is taken
 * with the address sled + N. The same with NMI delivery and interrupts off. Then far transfers and
 * branches are counted around an interrupt that a timer makes.
 */
#include "guest.inc"

#define APIC 0xfee00000

	.macro	SETMSR msr, high, low
	mov	$\msr, %ecx
	mov	$\high, %edx
	mov	$\low, %eax
	wrmsr
	.endm

/* %edi: N */
arm:	SETMSR	0x38f, 0, 0
	SETMSR	0x186, 0, 0x005200c0	/* instructions, OS, INT, EN */
	mov	$0xc1, %ecx
	mov	%edi, %eax
	neg	%eax
	mov	$-1, %edx
	wrmsr
	SETMSR	0x390, 0, 1
	mov	$0x38f, %ecx
	mov	$1, %eax
	xor	%edx, %edx
	ret

test:	movl	$0x1ff, APIC + 0xf0
	IRQ	0x50, fixed
	IRQ	2, nmi
	mov	$1, %edi
1:	movl	$0x50, APIC + 0x340
	movl	$0, where
	call	arm
	sti
	wrmsr
sled:	.rept	80
	nop
	.endr
	cli
	mov	where, %eax
	sub	$sled, %eax
	CHECK	"fixed: address behind the overflow", %eax, %edi
	CHECK	"LVT masked by its interrupt", masked, $0x10050
	inc	%edi
	cmp	$64, %edi
	jne	1b

	mov	$1, %edi
2:	movl	$0x400, APIC + 0x340
	movl	$0, where
	call	arm
	wrmsr
sled2:	.rept	80
	nop
	.endr
	mov	where, %eax
	sub	$sled2, %eax
	CHECK	"NMI: address behind the overflow", %eax, %edi
	inc	%edi
	cmp	$64, %edi
	jne	2b

	/* held while IF = 0, then taken one instruction behind STI */
	movl	$0x50, APIC + 0x340
	movl	$0, where
	mov	$3, %edi
	call	arm
	wrmsr
	.rept	20
	nop
	.endr
	CHECK	"held under CLI", where, $0
	sti
	nop
3:	nop
	cli
	CHECK	"taken behind STI and one instruction", where, $3b
	SETMSR	0x38f, 0, 0

	/* local APIC timer: one shot of 100 * divide-by-16 bus clocks wakes HLT */
	IRQ	0x51, timer
	movl	$3, APIC + 0x3e0
	movl	$0x51, APIC + 0x320
	movl	$100, APIC + 0x380
	sti
	hlt
	cli
	CHECK	"timer interrupts", timers, $1
	CHECK	"timer has stopped", APIC + 0x390, $0
	/* itself, through ICR */
	movl	$0x40051, APIC + 0x300
	sti
	nop
	cli
	CHECK	"self IPI", timers, $2
	/* a priority that keeps it out */
	movl	$0x50, APIC + 0x80
	movl	$0x40051, APIC + 0x300
	sti
	nop
	nop
	cli
	CHECK	"kept out by the task priority", timers, $2
	mov	APIC + 0x220, %eax
	CHECK	"requested", %eax, $0x20000
	movl	$0, APIC + 0x80
	sti
	nop
	cli
	CHECK	"let in", timers, $3
	ret

stop:	mov	%eax, %ebx
	SETMSR	0x38f, 0, 0
	SETMSR	0x390, 0, 1
	mov	APIC + 0x340, %eax
	mov	%eax, masked
	ret

fixed:	mov	40(%ebp), %eax
	mov	%eax, where
	call	stop
	movl	$0, APIC + 0xb0
	ret

nmi:	mov	40(%ebp), %eax
	mov	%eax, where
	jmp	stop

timer:	incl	timers
	movl	$0, APIC + 0xb0
	ret

	.data
where:	.long	0
masked:	.long	0
timers:	.long	0
