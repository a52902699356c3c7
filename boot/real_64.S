/*
 * void real_call(void): from the 64-bit kernel to the code of boot/real.S and back (SDM volume 3,
 * "Switching Out of IA-32e Mode Operation"). The caller has interrupts off. EFER.LME stays set, so
 * paging alone leads back into long mode.
 */
#include "boot/real.h"
#include "boot/segments.h"

#define CR0_PG		0x80000000

	.text
	.globl	real_call
real_call:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sgdt	kernel_gdtr
	sidt	kernel_idtr
	mov	%cr0, %rax
	mov	%rax, kernel_cr0
	mov	%cr3, %rax
	mov	%rax, kernel_cr3
	mov	%cr4, %rax
	mov	%rax, kernel_cr4
	mov	%rsp, kernel_sp
	lgdt	real_gdtr
	push	$REAL_CS32
	push	$1f
	lretq

	.code32
1:	mov	$REAL_DS32, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%cr0, %eax
	and	$~CR0_PG, %eax
	mov	%eax, %cr0
	xor	%eax, %eax
	mov	%eax, %cr4
	mov	$2f, %ebx
	ljmp	$REAL_CS32, $REAL_CODE
2:	mov	kernel_cr4, %eax
	mov	%eax, %cr4
	mov	kernel_cr3, %eax
	mov	%eax, %cr3
	mov	kernel_cr0, %eax
	mov	%eax, %cr0
	lgdt	kernel_gdtr
	ljmp	$KERNEL_CS, $3f

	.code64
3:	mov	kernel_sp, %rsp
	lidt	kernel_idtr
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	xor	%eax, %eax
	mov	%eax, %fs
	mov	%eax, %gs
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	.bss
	.balign	8
kernel_sp:
	.skip	8
kernel_cr0:
	.skip	8
kernel_cr3:
	.skip	8
kernel_cr4:
	.skip	8
kernel_gdtr:
	.skip	16
kernel_idtr:
	.skip	16

	.section .note.GNU-stack, "", @progbits
