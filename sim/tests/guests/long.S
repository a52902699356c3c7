/*
 * sim/tests/guests/long.S - 64-bit mode: SYSCALL, CR8, NX, addresses that are not canonical, and
 * what cannot be switched off there.
 *
 * The 64-bit part writes down what it met; the 32-bit part compares.
 */
#include "guest.inc"

#define EFER 0xc0000080

	/* each step leaves vector * 10000h + error in its slot, or -1 for no fault */
	.macro	TRY64 slot, resume
	lea	\resume(%rip), %rax
	mov	%rax, resume64(%rip)
	movl	$-1, last64(%rip)
	.endm

	.macro	KEEP slot
	mov	last64(%rip), %eax
	mov	%eax, results + 4 * \slot(%rip)
	.endm

test:	/* 4 MB of 2 MB pages at 0, and the APIC's page; the second 2 MB are not for execution */
	movl	$pdpt + 3, pml4
	movl	$pd + 3, pdpt
	movl	$pd3 + 3, pdpt + 24
	movl	$0x83, pd
	movl	$0x200083, pd + 8
	movl	$0x80000000, pd + 12
	movl	$0xfee00083, pd3 + 8 * 0x1f7
	mov	$gate64, %eax
	mov	$256, %ecx
	mov	$idt64, %edi
	mov	$stubs64, %eax
1:	mov	%eax, %edx
	mov	%dx, (%edi)
	movw	$0x38, 2(%edi)
	movw	$0x8e00, 4(%edi)
	shr	$16, %edx
	mov	%edx, 6(%edi)
	add	$16, %eax
	add	$16, %edi
	loop	1b
	lgdt	gdt64_pointer
	mov	%cr4, %eax
	or	$0x20, %eax
	mov	%eax, %cr4
	mov	$pml4, %eax
	mov	%eax, %cr3
	mov	$EFER, %ecx
	xor	%edx, %edx
	mov	$0x901, %eax		/* SCE, LME, NXE */
	wrmsr
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	ljmp	$0x38, $inside

	.code64
inside:	lidt	idt64_pointer(%rip)
	/* 0: SYSCALL to LSTAR; -2 says that it came there */
	mov	$0xc0000081, %ecx
	mov	$0x00280038, %edx
	xor	%eax, %eax
	wrmsr
	mov	$0xc0000082, %ecx
	mov	$landing, %eax
	xor	%edx, %edx
	wrmsr
	mov	$0xc0000084, %ecx
	xor	%eax, %eax
	wrmsr
	TRY64	0, landed
	syscall
landed:	KEEP	0
	/* 1, 2: CR8 and the task priority are one register */
	mov	$0xfee00000, %esi
	movl	$0x1ff, 0xf0(%rsi)
	movl	$0x50, 0x80(%rsi)
	.byte	0x44, 0x0f, 0x20, 0xc0	/* mov %cr8, %rax */
	mov	%eax, results + 4(%rip)
	mov	$9, %eax
	.byte	0x44, 0x0f, 0x22, 0xc0	/* mov %rax, %cr8 */
	mov	0x80(%rsi), %eax
	mov	%eax, results + 8(%rip)
	xor	%eax, %eax
	.byte	0x44, 0x0f, 0x22, 0xc0	/* mov %rax, %cr8 */
	/* 3: execution of a page with NX */
	movb	$0xc3, 0x200000
	TRY64	3, 1f
	mov	%rsp, saved(%rip)
	mov	$0x200000, %eax
	call	*%rax
1:	mov	saved(%rip), %rsp
	KEEP	3
	/* 4: WRMSR of an address that is not canonical */
	TRY64	4, 2f
	mov	$0xc0000100, %ecx
	mov	$0x800000, %edx
	xor	%eax, %eax
	wrmsr
2:	KEEP	4
	/* 5, 6: paging and PAE stay on */
	TRY64	5, 3f
	mov	%cr0, %rax
	and	$0x7fffffff, %eax
	mov	%rax, %cr0
3:	KEEP	5
	TRY64	6, 4f
	mov	%cr4, %rax
	and	$~0x20, %eax
	mov	%rax, %cr4
4:	KEEP	6
	/* 7, 8: debug registers */
	mov	%dr6, %rax
	mov	%eax, results + 28(%rip)
	mov	%dr7, %rax
	mov	%eax, results + 32(%rip)
	/* 9: CPUID shows SYSCALL */
	mov	$0x80000001, %eax
	cpuid
	mov	%edx, results + 36(%rip)
	/* 10: LIDT of a base that is not canonical; 11: from no APIC to x2APIC in one step */
	TRY64	10, 5f
	lidt	wrong_pointer(%rip)
5:	KEEP	10
	mov	$0x1b, %ecx
	xor	%edx, %edx
	mov	$0x100900, %eax	/* over RAM: the simulator says that it cannot */
	wrmsr
	TRY64	11, 6f
	mov	$0x1b, %ecx
	xor	%edx, %edx
	mov	$0xfee00100, %eax
	wrmsr
	mov	$0xfee00d00, %eax
	wrmsr
6:	KEEP	11
	/* 12, 13: process-context identifiers, where CPUID has them; bit 63 is not kept */
	TRY64	12, 7f
	mov	%cr4, %rax
	bts	$17, %rax
	mov	%rax, %cr4
	mov	$pml4 + 5, %eax
	bts	$63, %rax
	mov	%rax, %cr3
	mov	%cr3, %rax
	mov	%eax, results + 52(%rip)
	shr	$32, %rax
	or	%eax, results + 52(%rip)
	mov	$pml4, %eax
	mov	%rax, %cr3
	mov	%cr4, %rax
	btr	$17, %rax
	mov	%rax, %cr4
7:	KEEP	12
	/* 14: SELF IPI takes a vector only; without x2APIC there is no such register */
	TRY64	14, 8f
	mov	$0x1b, %ecx
	xor	%edx, %edx
	mov	$0xfee00900, %eax
	wrmsr
	mov	$0xfee00d00, %eax
	wrmsr
	mov	$0x83f, %ecx
	mov	$0x1f0, %eax
	wrmsr
8:	KEEP	14
	/* 15 to 20: a near branch that is not canonical is a fault of the branch, RSP as before */
	mov	$0x800000000000, %rdx
	TRY64	15, 9f
1:	jmp	*%rdx
9:	KEEP	15
	lea	1b(%rip), %rax
	sub	%rax, rip64(%rip)
	mov	rip64(%rip), %eax
	mov	%eax, results + 64(%rip)
	TRY64	17, 9f
	mov	%rsp, saved(%rip)
	call	*%rdx
9:	KEEP	17
	mov	rsp64(%rip), %rax
	sub	saved(%rip), %rax
	mov	%eax, results + 72(%rip)
	mov	saved(%rip), %rsp
	TRY64	19, 9f
	push	%rdx
	mov	%rsp, saved(%rip)
	ret	$16
9:	KEEP	19
	mov	rsp64(%rip), %rax
	sub	saved(%rip), %rax
	mov	%eax, results + 80(%rip)
	mov	saved(%rip), %rsp
	pop	%rdx
	/* 21 to 23: through SS, and not */
	mov	$0x800000000000, %rbp
	TRY64	21, 9f
	mov	(%rbp), %eax
9:	KEEP	21
	TRY64	22, 9f
	mov	8(%rsp,%rbp), %eax
9:	KEEP	22
	TRY64	23, 9f
	mov	(%rdx), %eax
9:	KEEP	23
	/* 24, 25: LLDT and LTR of a base that is not canonical */
	TRY64	24, 9f
	mov	$0x18, %eax
	lldt	%ax
9:	KEEP	24
	TRY64	25, 9f
	ltr	selector(%rip)
9:	KEEP	25
	/* 26 to 28: INVPCID, of a type that is none; of identifier 1 without CR4.PCIDE; of all */
	TRY64	26, 9f
	mov	$4, %eax
	invpcid	one(%rip), %rax
9:	KEEP	26
	TRY64	27, 9f
	xor	%eax, %eax
	invpcid	one(%rip), %rax
9:	KEEP	27
	TRY64	28, 9f
	mov	$2, %eax
	invpcid	one(%rip), %rax
9:	KEEP	28
	ljmp	*back(%rip)

landing:
	movl	$-2, last64(%rip)
	jmp	landed

	.balign	16
stubs64:
	.set	vector, 0
	.rept	256
	.balign	16
	.if	vector == 8 || (vector >= 10 && vector <= 14) || vector == 17
	nop
	nop
	.else
	pushq	$0
	.endif
	pushq	$vector
	jmp	gate64
	.set	vector, vector + 1
	.endr

gate64:	pop	%rbx			/* vector */
	shl	$16, %ebx
	pop	%rcx			/* error */
	or	%ecx, %ebx
	mov	%ebx, last64(%rip)
	mov	(%rsp), %rax
	mov	%rax, rip64(%rip)
	mov	24(%rsp), %rax
	mov	%rax, rsp64(%rip)
	mov	resume64(%rip), %rax
	mov	%rax, (%rsp)
	iretq

	.code32
outside:
	mov	%cr0, %eax
	and	$0x7fffffff, %eax
	mov	%eax, %cr0
	mov	$EFER, %ecx
	xor	%eax, %eax
	xor	%edx, %edx
	wrmsr
	lgdt	gdt_pointer
	lidt	idt_pointer
	CHECK	"SYSCALL", results, $-2
	CHECK	"CR8 is the task priority", results + 4, $5
	CHECK	"the task priority is CR8", results + 8, $0x90
	CHECK	"NX", results + 12, $0x000e0011
	CHECK	"WRMSR, not canonical", results + 16, $0x000d0000
	CHECK	"CR0.PG in 64-bit mode", results + 20, $0x000d0000
	CHECK	"CR4.PAE in long mode", results + 24, $0x000d0000
	CHECK	"DR6", results + 28, $0xffff0ff0
	CHECK	"DR7", results + 32, $0x400
	CHECK	"LIDT, not canonical", results + 40, $0x000d0000
	CHECK	"x2APIC from disabled", results + 44, $0x000d0000
	CHECK	"SELF IPI, reserved bits", results + 56, $0x000d0000
	CHECK	"JMP, not canonical", results + 60, $0x000d0000
	CHECK	"its address", results + 64, $0
	CHECK	"CALL, not canonical", results + 68, $0x000d0000
	CHECK	"its RSP", results + 72, $0
	CHECK	"RET, not canonical", results + 76, $0x000d0000
	CHECK	"its RSP", results + 80, $0
	CHECK	"load by RBP, not canonical", results + 84, $0x000c0000
	CHECK	"load by RSP, not canonical", results + 88, $0x000c0000
	CHECK	"load by RDX, not canonical", results + 92, $0x000d0000
	CHECK	"LLDT, base not canonical", results + 96, $0x000d0018
	CHECK	"LTR, base not canonical", results + 100, $0x000d0028
	mov	$1, %eax
	cpuid
	mov	$0x000d0000, %eax	/* without */
	xor	%edx, %edx
	bt	$17, %ecx
	jnc	1f
	mov	$-1, %eax
	mov	$pml4 + 5, %edx
1:	mov	%eax, expected
	mov	%edx, expected + 4
	CHECK	"CR4.PCIDE", results + 48, expected
	CHECK	"CR3 with a PCID", results + 52, expected + 4
	xor	%eax, %eax
	cpuid
	cmp	$7, %eax
	mov	$0, %ebx
	jb	1f
	mov	$7, %eax
	xor	%ecx, %ecx
	cpuid
1:	mov	$0x00060000, %eax	/* without */
	mov	%eax, %edx
	bt	$10, %ebx
	jnc	1f
	mov	$0x000d0000, %eax
	mov	$-1, %edx
1:	mov	%eax, expected
	mov	%edx, expected + 4
	CHECK	"INVPCID, type 4", results + 104, expected
	CHECK	"INVPCID without CR4.PCIDE", results + 108, expected
	CHECK	"INVPCID of all", results + 112, expected + 4
	andl	$0x800, results + 36
	CHECK	"CPUID shows SYSCALL", results + 36, $0x800
	ret

	.data
	.balign	8
back:	.long	outside
	.short	0x08
	.balign	8
gdt64:	.quad	0
	.quad	0x00cf9b000000ffff	/* 08 */
	.quad	0x00cf93000000ffff	/* 10 */
	.quad	0x0000820000000fff, 0x8000	/* 18: LDT, base not canonical */
	.quad	0x0000890000000fff, 0x8000	/* 28: TSS, the same */
	.quad	0x00af9b000000ffff	/* 38: 64-bit code */
	.quad	0x00cf93000000ffff	/* 40 */
gdt64_pointer:
	.short	. - gdt64 - 1
	.long	gdt64
idt64_pointer:
	.short	4095
	.long	idt64, 0

	.balign	16
one:	.quad	1, 0			/* INVPCID's descriptor */
selector: .short	0x28
wrong_pointer:
	.short	4095
	.quad	0x800000000000

	.bss
	.balign	4096
pml4:	.skip	4096
pdpt:	.skip	4096
pd:	.skip	4096
pd3:	.skip	4096
idt64:	.skip	4096
results: .skip	128
expected: .skip	8
last64:	.long	0
	.balign	8
resume64: .quad	0
saved:	.quad	0
rip64:	.quad	0
rsp64:	.quad	0
	.text
