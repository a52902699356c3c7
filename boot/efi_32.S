/*
 * Between the 32-bit kernel and UEFI (UEFI 2.10 section 2.3.2), whose boot services GRUB has kept
 * because the kernel's Multiboot 2 header asks for it. kernel/firmware/efi_32.c fills in what the
 * firmware gets. Paging is off on both sides.
 */
#include "boot/segments.h"

#define WORDS	8			/* of arguments: kernel/firmware/efi_internal.h */

/*
 * EAX = function, EDX = its arguments: calls the firmware with its tables and on its stack, with
 * interrupts on. Interrupts are off here. Returns what it returned.
 */
	.text
	.globl	efi_call
efi_call:
	push	%ebx
	push	%ebp
	push	%esi
	push	%edi
	push	%fs
	push	%gs
	sgdt	kernel_gdtr
	sidt	kernel_idtr
	mov	%cr0, %ebx
	mov	%cr4, %esi
	mov	%esp, %ebp
	lgdt	efi_gdtr
	lidt	efi_idtr
	mov	efi_ds, %ecx
	mov	%ecx, %ss
	mov	%ecx, %ds
	mov	%ecx, %es
	mov	%ecx, %fs
	mov	%ecx, %gs
	mov	efi_stack, %ecx
	test	%ecx, %ecx
	jz	1f
	mov	%ecx, %esp
1:	pushl	efi_cs
	push	$2f
	lret
2:	mov	boot_cr4, %ecx
	mov	%ecx, %cr4
	and	$-16, %esp
	.set	word, WORDS
	.rept	WORDS
	.set	word, word - 1
	pushl	4 * word(%edx)
	.endr
	sti
	call	*%eax
	cli
	cld
	mov	%eax, %edi
	mov	%esi, %cr4
	mov	%ebx, %cr0
	lgdt	kernel_gdtr
	lidt	kernel_idtr
	mov	$KERNEL_DS, %ecx
	mov	%ecx, %ss
	mov	%ebp, %esp
	mov	%ecx, %ds
	mov	%ecx, %es
	ljmp	$KERNEL_CS, $3f
3:	mov	%edi, %eax
	pop	%gs
	pop	%fs
	pop	%edi
	pop	%esi
	pop	%ebp
	pop	%ebx
	ret

	.bss
	.balign	8
	.globl	efi_gdtr, efi_idtr, efi_cs, efi_ds, efi_stack
efi_cs:
	.skip	4
efi_ds:
	.skip	4
efi_stack:				/* its end; 0: the kernel's own */
	.skip	4
efi_gdtr:
	.skip	8
efi_idtr:
	.skip	8
kernel_gdtr:
	.skip	8
kernel_idtr:
	.skip	8

	.section .note.GNU-stack, "", @progbits
