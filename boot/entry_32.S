/*
 * The 32-bit kernel is where it wants to be: flat segments, no paging.
 */
	.section .text.entry, "ax"
	.globl	enter
enter:
	push	%ebx
	push	%ebp
	call	kmain
1:	hlt
	jmp	1b

	.section .note.GNU-stack, "", @progbits
