/*
 * sim/tests/guests/fuzz.S - executes a boot module. "code": as instructions, in ring 0, where a
 * fault goes on one byte further. "msr": as writes of registers, four words each: number, low,
 * high, unused; every one is also read and RDPMC is tried with the number. Ends well whatever
 * happens, or with the simulator's own message; only a crash of the simulator is a failure.
 */
#include "guest.inc"

#define CODE 0x300000

test:	mov	boot_info, %ebx
	mov	24(%ebx), %esi		/* first module */
	mov	4(%esi), %ecx
	mov	8(%esi), %edx
	mov	(%esi), %esi
	sub	%esi, %ecx
	cld
	inc	%esi
	mov	%edx, %edi
	xor	%eax, %eax
3:	mov	%al, %ah
	mov	(%edi), %al
	inc	%edi
	test	%al, %al
	jnz	3b
	dec	%esi
	mov	$256, %ebx
	mov	$handlers, %edi
	push	%ecx
	push	%eax
	mov	%ebx, %ecx
	mov	$skip, %eax
	rep stosl
	pop	%eax
	pop	%ecx
	cmp	$'r', %ah
	je	registers
	mov	$CODE, %edi
	rep movsb
	mov	$0xe9, %al		/* jmp back */
	stosb
	mov	$back - 4, %eax
	sub	%edi, %eax
	stosl
	mov	$user_stack_top, %esp
	mov	$CODE, %eax
	jmp	*%eax
back:	mov	$stack_top - 64, %esp
	mov	$0x10, %ax
	mov	%ax, %ds
	mov	%ax, %es
	jmp	finish

skip:	incl	faults
	cmpl	$20000, faults
	ja	back
	mov	32(%ebp), %eax
	cmp	$3, %eax		/* traps save what follows */
	je	1f
	cmp	$4, %eax
	je	1f
	cmp	$32, %eax
	jae	1f
	incl	40(%ebp)
1:	ret

registers:
	shr	$4, %ecx
	movl	$skip2, handlers + 4 * 13
	movl	$skip2, handlers + 4 * 6
4:	push	%ecx
	mov	(%esi), %ecx
	mov	4(%esi), %eax
	mov	8(%esi), %edx
	wrmsr
	rdmsr
	rdpmc
	.rept	4
	mov	faults, %eax
	inc	%eax
	mov	%eax, faults
	.endr
	add	$16, %esi
	pop	%ecx
	dec	%ecx
	jnz	4b
	/* whatever was armed: nothing of it may be left on */
	jmp	finish

skip2:	addl	$2, 40(%ebp)		/* WRMSR, RDMSR, RDPMC have two bytes */
	ret

	.data
faults:	.long	0
