/*
 * sim/tests/guests/v86.S - virtual-8086 mode: into it by IRET, out of it by #GP and INT, with the
 * frame and the emptied segments.
 */
#include "guest.inc"

	.macro	V86 flags
	mov	%esp, back
	movl	$9f, resume
	push	$0x5000			/* GS FS DS ES */
	push	$0x4000
	push	$0x3000
	push	$0x2000
	push	$0x1000			/* SS ESP */
	push	$0x800
	push	$\flags
	push	$0x1800			/* CS IP */
	push	$0x10
	iret
9:
	.endm

test:	mov	$leave13, %eax
	mov	%ax, idt + 8 * 13
	mov	$leave40, %eax
	mov	%ax, idt + 8 * 0x40
	movl	$0x9040cd43, 0x18010	/* inc %bx, int $0x40 */
	mov	$0x1230000, %ebx
	V86	0x20002
	CHECK	"INT with IOPL 0", vector_seen, $13
	CHECK	"is restarted", frame, $0x11
	CHECK	"executed before", %ebx, $0x1230001
	V86	0x23002
	CHECK	"INT with IOPL 3", vector_seen, $0x40
	CHECK	"goes on behind", frame, $0x13
	CHECK	"CS", frame + 4, $0x1800
	CHECK	"flags", frame + 8, $0x23002
	CHECK	"SP", frame + 12, $0x800
	CHECK	"SS", frame + 16, $0x1000
	CHECK	"ES", frame + 20, $0x2000
	CHECK	"DS", frame + 24, $0x3000
	CHECK	"FS", frame + 28, $0x4000
	CHECK	"GS", frame + 32, $0x5000
	CHECK	"DS is empty", empty, $0
	ret

leave13:
	add	$4, %esp
	mov	$13, %ecx
	jmp	1f
leave40:
	mov	$0x40, %ecx
1:	mov	%ds, %edx
	mov	$0x10, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%edx, empty
	mov	%ecx, vector_seen
	mov	%esp, %esi
	mov	$frame, %edi
	mov	$9, %ecx
	cld
	rep movsl
	mov	back, %esp
	jmp	*resume

	.bss
back:	.long	0
resume:	.long	0
vector_seen:
	.long	0
empty:	.long	0
frame:	.skip	36
