/*
 * The file that loaders load: the kernel, compressed, and the code that puts it in its place.
 *
 * The kernel is one gzip member. Its final place, 1 MiB to packed_end, is a segment without bytes, so
 * that loaders keep everything else away from it; this code and the member lie behind. Entered as
 * Multiboot says (EAX magic, EBX info), in 32-bit mode for both kernels, and leaves both as they were.
 */
#define STACK	4096

	.code32
	.section .text.entry, "ax"
	.globl	unpack
unpack:
	cli
	cld
	mov	$stack_top, %esp
	push	%eax
	push	%ebx
	push	$packed_start
	push	$member
	call	inflate
	add	$8, %esp
	pop	%ebx
	pop	%eax
	mov	$packed_entry, %ecx
	jmp	*%ecx

	.section .rodata, "a"
member:
	.incbin	PAYLOAD

	.section .bss, "aw", @nobits
	.balign	16
	.skip	STACK
stack_top:

	.section .note.GNU-stack, "", @progbits
