/*
 * tests/sim/guests/smp.S - a second processor: INIT-SIPI-SIPI through a real-mode trampoline,
 * locked increments that lose nothing, code that the other processor has changed, an IPI that
 * wakes HLT.
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
4:	hlt
	jmp	4b

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
	.bss
	.skip	4096
second_stack:
