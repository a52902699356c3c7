/*
 * sim/tests/guests/fwcfg.S - QEMU's firmware configuration: the signature, the interface, how many
 * CPUs, and the first file of the directory, whose name and first line are printed.
 */
#include "guest.inc"

	.macro	SELECT key
	mov	$0x510, %dx
	mov	$\key, %ax
	out	%ax, %dx
	inc	%dx
	.endm

	/* %eax = the next four bytes, big-endian */
big:	mov	$4, %ecx
1:	shl	$8, %eax
	in	%dx, %al
	loop	1b
	ret

test:	SELECT	0
	call	big
	CHECK	"signature", %eax, $0x51454d55
	call	big
	CHECK	"behind it", %eax, $0
	SELECT	1
	in	%dx, %al
	and	$1, %eax
	CHECK	"interface", %eax, $1
	SELECT	5
	in	%dx, %al
	movzx	%al, %eax
	CHECK	"processors", %eax, $1
	/* the file opt/test */
	SELECT	0x19
	call	big
	mov	%eax, %ebp
1:	call	big
	mov	%eax, length
	call	big
	shr	$16, %eax
	mov	%eax, key
	mov	$name, %edi
	mov	$56, %ecx
2:	in	%dx, %al
	stosb
	loop	2b
	cmpl	$0x2f74706f, name	/* opt/ */
	je	3f
	dec	%ebp
	jnz	1b
	PRINT	"no file\n"
	ret
3:	push	$name
	call	print
	add	$4, %esp
	PRINT	" "
	mov	length, %eax
	call	print_hex
	PRINT	" "
	mov	$0x510, %dx
	mov	key, %ax
	out	%ax, %dx
	mov	length, %ebp
4:	mov	$0x511, %dx
	in	%dx, %al
	call	putc
	cmp	$10, %al
	je	5f
	dec	%ebp
	jnz	4b
5:	SELECT	0x7777
	call	big
	CHECK	"no such key", %eax, $0
	ret

	.data
length:	.long	0
key:	.long	0
name:	.skip	57
