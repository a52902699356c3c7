/*
 * sim/tests/guests/smp.S - a second processor: INIT-SIPI-SIPI through a real-mode trampoline,
 * locked increments that lose nothing, code that the other processor has changed, an IPI that
 * wakes HLT. Where CPUID announces MONITOR: what ends MWAIT and what does not, and how the firmware
 * switches both off.
 */
#include "guest.inc"

#define APIC 0xfee00000
#define ROUNDS 100000

test:	mov	$trampoline, %esi
	mov	$0x8000, %edi
	mov	$trampoline_end - trampoline, %ecx
	rep movsb
	movl	$0x1ff, APIC + 0xf0
	/* INIT, then two start-up IPIs to all but this one */
	movl	$0xc4500, APIC + 0x300
	movl	$0xc4608, APIC + 0x300
	movl	$0xc4608, APIC + 0x300
1:	pause
	cmpl	$1, arrived
	jne	1b
	CHECK	"id of the second processor", other_id, $0x01000000
	movl	$1, go
	mov	$ROUNDS, %ecx
2:	lock incl counter
	loop	2b
3:	pause
	cmpl	$2, arrived
	jne	3b
	CHECK	"locked increments of both", counter, $(2 * ROUNDS)

	/* the other one has executed `work` (which returns 1); change it, let it run again */
	CHECK	"result of the old code", result, $1
	movb	$7, work + 1
	movl	$2, go
4:	pause
	cmpl	$3, arrived
	jne	4b
	CHECK	"result of the new code", result, $7

	/* it halts with interrupts enabled; a fixed IPI wakes it */
	mov	$100, %ecx
5:	loop	5b
	movl	$0x01000000, APIC + 0x310
	movl	$0x40, APIC + 0x300
6:	pause
	cmpl	$4, arrived
	jne	6b
	CHECK	"interrupts there", woken, $1
	/* and an NMI after that */
	movl	$0x400, APIC + 0x300
7:	pause
	cmpl	$5, arrived
	jne	7b
	CHECK	"nmis there", nmis, $1
	mov	$1, %eax
	cpuid
	test	$8, %cl
	jnz	waits
	ret

	/* Lets the second processor come to MWAIT, and longer than any slice of the test. */
	.macro	WAIT_FOR n
1:	pause
	cmpl	$\n, arrived
	jb	1b
	mov	$200000, %ecx
1:	loop	1b
	.endm

waits:	movl	$3, go
	WAIT_FOR 6
	CHECK	"MWAIT lasts", waited, $0
	movl	$1, line + 64
	movl	$1, line - 4
	mov	$200000, %ecx
1:	loop	1b
	CHECK	"a store beside the line does not end MWAIT", waited, $0
	movb	$1, line + 63
	WAIT_FOR 7
	CHECK	"a store into the line does", waited, $1
	movb	$2, line			/* between MONITOR and MWAIT */
	movl	$4, go
	WAIT_FOR 8
	CHECK	"one before MWAIT, too", waited, $2
	movl	$0x01000000, APIC + 0x310
	movl	$0x40, APIC + 0x300
	mov	$200000, %ecx
1:	loop	1b
	CHECK	"a masked interrupt does not", waited, $2
	movb	$3, line
	WAIT_FOR 9
	CHECK	"with ECX[0] it does", waited, $4
	CHECK	"and is not taken", woken, $1
	movl	$5, go
	WAIT_FOR 10
	CHECK	"it is taken when interrupts are on", woken, $2
	movl	$0x40, APIC + 0x300
	WAIT_FOR 11
	CHECK	"one that is taken ends MWAIT", waited, $5
	CHECK	"interrupts there", woken, $3

	xor	%ecx, %ecx
	xor	%edx, %edx
	mwait				/* without MONITOR it does not wait */
	mov	$line, %eax
	mov	$2, %ecx
	TRY	1f
	monitor	%eax, %ecx, %edx
1:	CHECK	"MONITOR has no extensions", last_vector, $13
	TRY	1f
	mwait	%eax, %ecx
1:	CHECK	"MWAIT has one", last_vector, $13
	xor	%ecx, %ecx
	mov	$1, %eax
	cpuid
	and	$0xf00, %eax
	cmp	$0x600, %eax
	je	1f
	ret				/* AMD's bit is elsewhere */
1:	mov	$0x1a0, %ecx
	rdmsr
	and	$~0x40000, %eax
	wrmsr
	mov	$1, %eax
	cpuid
	and	$8, %ecx
	CHECK	"MISC_ENABLE[18] hides MONITOR", %ecx, $0
	TRY	1f
	monitor	%eax, %ecx, %edx
1:	CHECK	"and switches it off", last_vector, $6
	TRY	1f
	mwait	%eax, %ecx
1:	CHECK	"MWAIT, too", last_vector, $6
	ret

	.code16
trampoline:
	cli
	xor	%ax, %ax
	mov	%ax, %ds
	lgdtl	0x8000 + pointer - trampoline
	mov	%cr0, %eax
	and	$0x9fffffff, %eax	/* caches on */
	or	$1, %eax
	mov	%eax, %cr0
	ljmpl	$0x08, $second
pointer:
	.short	0x37
	.long	gdt
trampoline_end:

	.code32
second:	mov	$0x10, %ax
	mov	%ax, %ds
	mov	%ax, %es
	mov	%ax, %ss
	mov	$second_stack, %esp
	lidt	idt_pointer
	IRQ	0x40, woke
	IRQ	2, nmi_came
	movl	$0x1ff, APIC + 0xf0
	mov	APIC + 0x20, %eax
	mov	%eax, other_id
	call	work
	mov	%eax, result
	lock incl arrived
1:	pause
	cmpl	$1, go
	jne	1b
	mov	$ROUNDS, %ecx
2:	lock incl counter
	loop	2b
	lock incl arrived
3:	pause
	cmpl	$2, go
	jne	3b
	call	work
	mov	%eax, result
	lock incl arrived
	sti
	hlt
	cli
	lock incl arrived
	hlt
	lock incl arrived
3:	pause
	cmpl	$3, go
	jne	3b
	call	arm
	lock incl arrived
	call	wait_here
	call	arm
	lock incl arrived
3:	pause
	cmpl	$4, go
	jne	3b
	call	wait_here
	call	arm
	lock incl arrived
	call	wait_here
	call	arm
	inc	%ecx			/* a masked interrupt has come */
	call	wait_here
	lock incl arrived
3:	pause
	cmpl	$5, go
	jne	3b
	sti
	nop
	cli
	call	arm
	lock incl arrived
	sti
	mwait	%eax, %ecx
	cli
	lock incl waited
	lock incl arrived
4:	hlt
	jmp	4b

arm:	mov	$line + 32, %eax
	xor	%ecx, %ecx
	xor	%edx, %edx
	monitor	%eax, %ecx, %edx
	ret

wait_here:
	mwait	%eax, %ecx
	lock incl waited
	ret

work:	mov	$1, %eax
	ret

woke:	incl	woken
	movl	$0, APIC + 0xb0
	ret

nmi_came:
	incl	nmis
	ret

	.data
	.balign	4
arrived:	.long 0
go:	.long	0
counter:	.long 0
result:	.long	0
woken:	.long	0
nmis:	.long	0
other_id:	.long 0
waited:	.long	0
	.balign	64
	.skip	64
line:	.skip	128
	.bss
	.skip	4096
second_stack:
