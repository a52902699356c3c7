/*
 * void real_call(void): from the 32-bit kernel to the code of boot/real.S and back. The caller has
 * interrupts off and no paging.
 */
#include "boot/real.h"
#include "boot/segments.h"


	.text
	.globl	real_call
real_call:
	push	%ebx
	push	%esi
	push	%edi
	push	%ebp
	sgdt	kernel_gdtr
	sidt	kernel_idtr
	mov	%cr4, %eax
	push	%eax
	mov	%cr0, %eax
	push	%eax
	mov	%esp, kernel_sp
	xor	%eax, %eax
	mov	%eax, %cr4
	lgdt	real_gdtr
	mov	$1f, %ebx
	ljmp	$REAL_CS32, $REAL_CODE
1:	mov	kernel_sp, %esp
	lgdt	kernel_gdtr
	lidt	kernel_idtr
	ljmp	$KERNEL_CS, $2f
2:	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
	pop	%eax
	mov	%eax, %cr0
	pop	%eax
	mov	%eax, %cr4
	pop	%ebp
	pop	%edi
	pop	%esi
	pop	%ebx
	ret

	.bss
	.balign	4
kernel_sp:
	.skip	4
kernel_gdtr:
	.skip	8
kernel_idtr:
	.skip	8

	.section .note.GNU-stack, "", @progbits
