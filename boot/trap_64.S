/*
 * Where all vectors of the 64-bit kernel begin: they complete a struct trap_frame
 * (kernel/trap/trap.h) and call trap_handler(). The CPU has already switched to a stack of the IST.
 */
#include "boot/segments.h"

/* Vectors for which the CPU pushes an error code; the others get a 0. */
#define ERROR_CODES	0x60227d00

	.text
	.balign	STUB_SIZE
	.globl	trap_stubs
trap_stubs:
	.set	vector, 0
	.rept	256
	.balign	STUB_SIZE
	.if	vector >= 32 || ((ERROR_CODES >> (vector & 31)) & 1) == 0
	push	$0
	.endif
	push	$vector
	jmp	trap_common
	.set	vector, vector + 1
	.endr
	.balign	STUB_SIZE

	.altmacro
	.macro	each insn, regs:vararg
	.irp	reg, \regs
	\insn	%\reg
	.endr
	.endm
	.noaltmacro

trap_common:
	cld
	each	push, rax, rcx, rdx, rbx, rbp, rsi, rdi
	each	push, r8, r9, r10, r11, r12, r13, r14, r15
	subq	$TRAP_STACK, trap_tss + TSS64_IST1
	mov	%rsp, %rdi
	call	trap_handler
	addq	$TRAP_STACK, trap_tss + TSS64_IST1
	each	pop, r15, r14, r13, r12, r11, r10, r9, r8
	each	pop, rdi, rsi, rbp, rbx, rdx, rcx, rax
	add	$16, %rsp
	iretq

/* int trap_call(void (*fn)(void *), void *arg); see kernel/trap/internal.h */
	.globl	trap_call
trap_call:
	mov	%rbx, saved_bx
	mov	%rbp, saved_bp
	mov	%r12, saved_12
	mov	%r13, saved_13
	mov	%r14, saved_14
	mov	%r15, saved_15
	mov	%rsp, trap_saved_sp
	mov	$snippet_stack_top, %rsp
	mov	%rdi, %rax
	mov	%rsi, %rdi
	call	*%rax
	mov	$-1, %eax
	.globl	trap_resume
trap_resume:
	mov	trap_saved_sp, %rsp
	push	$2
	popf
	mov	$KERNEL_DS, %edx
	mov	%edx, %ss
	mov	%edx, %ds
	mov	%edx, %es
	xor	%edx, %edx
	mov	%edx, %fs
	mov	%edx, %gs
	mov	saved_bx, %rbx
	mov	saved_bp, %rbp
	mov	saved_12, %r12
	mov	saved_13, %r13
	mov	saved_14, %r14
	mov	saved_15, %r15
	ret

	.bss
	.balign	8
	.globl	trap_saved_sp
trap_saved_sp:
	.skip	8
saved_bx:
	.skip	8
saved_bp:
	.skip	8
saved_12:
	.skip	8
saved_13:
	.skip	8
saved_14:
	.skip	8
saved_15:
	.skip	8

	.section .bss.stacks, "aw", @nobits
	.balign	64
	.skip	SNIPPET_STACK
snippet_stack_top:

	.section .note.GNU-stack, "", @progbits
