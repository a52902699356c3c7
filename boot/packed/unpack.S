/*
 * The file that loaders load: the kernel, compressed, and the code that puts it in its place.
 *
 * The kernel is one LZ4 block (legacy frame of the lz4 program: magic, block size, block). Its final
 * place, 1 MiB to packed_end, is a segment without bytes, so that loaders keep everything else away
 * from it; this code and the block lie behind. Entered as Multiboot says (EAX magic, EBX info), in
 * 32-bit mode for both kernels, and leaves both as they were. Runs on a 386 and needs no stack.
 *
 * Block format: doc/lz4_Block_format.md of the lz4 project.
 */
#define LZ4_LEGACY_HEADER	8	/* magic, size of the block */
#define LZ4_MIN_MATCH		4

	.code32
	.section .text.entry, "ax"
	.globl	unpack
unpack:
	cli
	cld
	mov	%eax, saved_eax
	mov	%ebx, saved_ebx
	mov	$block + LZ4_LEGACY_HEADER, %esi
	mov	block + LZ4_LEGACY_HEADER - 4, %ebp
	add	%esi, %ebp		/* end of the block */
	mov	$packed_start, %edi

sequence:
	xor	%eax, %eax
	lodsb				/* token: literals << 4 | match length - 4 */
	mov	%eax, %ebx
	shr	$4, %eax
	mov	%eax, %ecx
	cmp	$15, %eax
	jne	2f
1:	lodsb				/* long counts go on in bytes until one is not 255 */
	add	%eax, %ecx
	cmp	$255, %eax
	je	1b
2:	rep movsb			/* literals */
	cmp	%ebp, %esi
	jae	done			/* the last sequence has no match */
	xor	%eax, %eax
	lodsw
	mov	%eax, %edx		/* distance back */
	mov	%ebx, %ecx
	and	$15, %ecx
	cmp	$15, %ecx
	jne	4f
	xor	%eax, %eax
3:	lodsb
	add	%eax, %ecx
	cmp	$255, %eax
	je	3b
4:	add	$LZ4_MIN_MATCH, %ecx
	mov	%esi, %ebx
	mov	%edi, %esi
	sub	%edx, %esi
	rep movsb			/* may overlap: byte by byte, forwards */
	mov	%ebx, %esi
	jmp	sequence

done:
	mov	saved_eax, %eax
	mov	saved_ebx, %ebx
	mov	$packed_entry, %ecx
	jmp	*%ecx

	.section .data, "aw"
	.balign	4
saved_eax:
	.long	0
saved_ebx:
	.long	0
block:
	.incbin	PAYLOAD

	.section .note.GNU-stack, "", @progbits
