/*
 * sim/tests/guests/linux.S - a bzImage (Linux, Documentation/arch/x86/boot.rst): one sector of
 * setup with the header, then the code, which is loaded at 1 MB. It prints what it got: registers,
 * the command line, the lines of the memory map, the bytes of the initial RAM disk.
 */
	.text
	.globl	_start
_start:	.org	0x1f1
	.byte	1			/* sectors of setup */
	.org	0x1fe
	.short	0xaa55
	.byte	0xeb, end - 1f
1:	.ascii	"HdrS"
	.short	0x206			/* protocol */
	.org	0x211
	.byte	1			/* loaded high */
	.org	0x214
	.long	0x100000
	.org	0x228
	.long	0			/* command line */
end:

	.org	0x400
	or	%ebx, %ebp
	or	%edi, %ebp
	mov	%cs, %ax
	shl	$16, %eax
	mov	%ds, %ax
	mov	$0x6000, %esp
	push	%eax
	mov	$0x18, %ax		/* both are in the GDT */
	mov	%ax, %ds
	mov	%ax, %ss
	ljmp	$0x10, $0x100000 + 1f - _start - 0x400
1:	pop	%eax
	call	hex			/* 00100018 */
	mov	%ebp, %eax
	call	hex			/* 00000000 */
	movzbl	0x210(%esi), %eax
	call	hex			/* 000000ff */
	mov	0x202(%esi), %eax
	call	hex			/* 53726448 */
	movzbl	0x1e8(%esi), %eax
	call	hex			/* lines of the map */
	mov	0x2d0 + 3 * 20 + 8(%esi), %eax
	call	hex			/* bytes above 1 MB */
	mov	0x21c(%esi), %eax
	call	hex			/* of the RAM disk */
	mov	0x218(%esi), %eax
	test	%eax, %eax
	jz	1f
	mov	(%eax), %eax
	call	hex			/* its first four */
1:	mov	0x228(%esi), %esi
1:	lodsb
	test	%al, %al
	jz	1f
	call	putc
	jmp	1b
1:	mov	$10, %al
	call	putc
	mov	$0xf4, %dx
	xor	%eax, %eax
	out	%al, %dx

hex:	mov	%eax, %ebx
	mov	$8, %ecx
1:	rol	$4, %ebx
	mov	%bl, %al
	and	$15, %al
	cmp	$10, %al
	jb	2f
	add	$39, %al
2:	add	$48, %al
	call	putc
	loop	1b
	mov	$32, %al
putc:	push	%eax
	mov	$0x3fd, %dx
1:	in	%dx, %al
	test	$0x20, %al
	jz	1b
	pop	%eax
	mov	$0x3f8, %dx
	out	%al, %dx
	ret
