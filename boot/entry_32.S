/*
 * The 32-bit kernel is where it wants to be: flat segments, no paging. C takes its first arguments
 * in EAX and EDX (-mregparm=3). efi_start() is kernel/firmware/efi_32.c's.
 */
	.section .text.entry, "ax"
	.globl	enter
enter:
	mov	%ebp, %eax
	mov	%ebx, %edx
	call	efi_start
	mov	%ebp, %eax
	mov	%ebx, %edx
	call	kmain
1:	hlt
	jmp	1b

	.section .note.GNU-stack, "", @progbits
