/*
 * Where all vectors of the 32-bit kernel begin: they complete a struct trap_frame
 * (kernel/trap/trap.h) and call trap_handler() with its address in EAX (-mregparm=3). DS and ES may
 * hold anything at this point, SS is flat: in ring 0 nothing else can be loaded into it.
 *
 * PUSH of a segment register, and the CPU's own pushes of CS and SS, leave the upper half of the
 * word as it was on many CPUs; it is cleared here.
 */
#include "boot/segments.h"

/* struct trap_frame */
#define FRAME_VECTOR	44
#define FRAME_IP	52
#define FRAME_CS	56
#define FRAME_FLAGS	60
#define FRAME_SP	64
#define FRAME_SS	68
#define FRAME_AX	40

/* Vectors for which the CPU pushes an error code; the others get a 0. */
#define ERROR_CODES	0x60227d00

	.text
	.balign	STUB_SIZE
	.globl	trap_stubs
trap_stubs:
	.set	vector, 0
	.rept	256
	.balign	STUB_SIZE
	.if	vector >= 32 || ((ERROR_CODES >> (vector & 31)) & 1) == 0
	push	$0
	.endif
	push	$vector
	movb	$vector, %ss:last_vector
	jmp	trap_common
	.set	vector, vector + 1
	.endr
	.balign	STUB_SIZE

/*
 * Stack: vector, error, EIP, CS, EFLAGS, and from ring 3 also ESP and SS. If it is not one of the
 * kernel's stacks, what was pushed may have gone nowhere; the vector is then known from
 * last_vector, and CS = 0 in the frame says that AX, error code, IP, CS and flags are unknown.
 */
trap_common:
	cld
	push	%eax
	mov	%esp, %eax
	sub	$stacks_start, %eax
	cmp	$stacks_size, %eax
	jb	1f
	mov	%esp, %eax
	mov	$emergency_stack_top, %esp
	call	build_frame
	movzbl	%ss:last_vector, %eax
	cmp	%eax, 4(%esp)
	jne	4f
	cmpw	$KERNEL_CS, 16(%esp)
	je	2f
4:	mov	%eax, 4(%esp)		/* lost: tell nothing rather than what the hole read as */
	xor	%eax, %eax
	mov	%eax, (%esp)
	mov	%eax, 8(%esp)
	mov	%eax, 12(%esp)
	mov	%eax, 16(%esp)
	mov	%eax, 20(%esp)
	jmp	2f
1:	testb	$3, 16(%esp)
	jnz	2f
	mov	%esp, %eax
	call	build_frame
2:	push	%ecx
	push	%edx
	push	%ebx
	push	%ebp
	push	%esi
	push	%edi
	push	$0
	movw	%ds, (%esp)
	push	$0
	movw	%es, (%esp)
	push	$0
	movw	%fs, (%esp)
	push	$0
	movw	%gs, (%esp)
	andl	$0xffff, FRAME_CS(%esp)
	andl	$0xffff, FRAME_SS(%esp)
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%esp, %eax
	call	trap_handler
	testb	$3, FRAME_CS(%esp)
	jz	3f
	pop	%gs
	pop	%fs
	pop	%es
	pop	%ds
	pop	%edi
	pop	%esi
	pop	%ebp
	pop	%ebx
	pop	%edx
	pop	%ecx
	pop	%eax
	add	$8, %esp
	iret

	/* To ring 0: IRET does not load ESP, so its three words go below the new stack pointer. */
3:	mov	FRAME_SP(%esp), %eax
	sub	$16, %eax
	mov	FRAME_FLAGS(%esp), %ecx
	mov	%ecx, 12(%eax)
	mov	FRAME_CS(%esp), %ecx
	mov	%ecx, 8(%eax)
	mov	FRAME_IP(%esp), %ecx
	mov	%ecx, 4(%eax)
	mov	FRAME_AX(%esp), %ecx
	mov	%ecx, (%eax)
	mov	%eax, FRAME_VECTOR(%esp)
	pop	%gs
	pop	%fs
	pop	%es
	pop	%ds
	pop	%edi
	pop	%esi
	pop	%ebp
	pop	%ebx
	pop	%edx
	pop	%ecx
	mov	4(%esp), %esp
	pop	%eax
	iret

/*
 * EAX = where EAX, vector, error, EIP, CS, EFLAGS of a trap in ring 0 lie: copies them to this
 * stack with the interrupted ESP and SS above, as a trap from ring 3 has them.
 */
build_frame:
	pop	%ss:return_address
	push	$0
	movw	%ss, (%esp)
	push	%eax
	addl	$24, (%esp)
	pushl	%ss:20(%eax)
	pushl	%ss:16(%eax)
	pushl	%ss:12(%eax)
	pushl	%ss:8(%eax)
	pushl	%ss:4(%eax)
	pushl	%ss:(%eax)
	jmp	*%ss:return_address

/* The tasks behind the gates of double fault, NMI and machine check; IRET goes back to the task. */
	.macro	task name, vector
	.globl	\name
\name:
	.ifeq	\vector - 8		/* a double fault comes with an error code */
	pop	%edx
	.else
	xor	%edx, %edx
	.endif
	mov	$\vector, %eax
	call	trap_task
	iret
	jmp	\name			/* the next one starts behind the IRET */
	.endm

	task	trap_task_df, 8
	task	trap_task_nmi, 2
	task	trap_task_mc, 18

/* int trap_call(void (*fn)(void *), void *arg); fn in EAX, arg in EDX; kernel/trap/internal.h */
	.globl	trap_call
trap_call:
	mov	%eax, %ecx
	mov	%edx, %eax
	mov	%ebx, saved_bx
	mov	%esi, saved_si
	mov	%edi, saved_di
	mov	%ebp, saved_bp
	mov	%esp, trap_saved_sp
	mov	$snippet_stack_top, %esp
	call	*%ecx
	mov	$-1, %eax
	.globl	trap_resume
trap_resume:
	mov	$KERNEL_DS, %edx
	mov	%edx, %ss
	mov	%ss:trap_saved_sp, %esp
	push	$2
	popf
	mov	%edx, %ds
	mov	%edx, %es
	mov	%edx, %fs
	mov	%edx, %gs
	mov	saved_bx, %ebx
	mov	saved_si, %esi
	mov	saved_di, %edi
	mov	saved_bp, %ebp
	ret

	.bss
	.balign	4
	.globl	trap_saved_sp
trap_saved_sp:
	.skip	4
saved_bx:
	.skip	4
saved_si:
	.skip	4
saved_di:
	.skip	4
saved_bp:
	.skip	4
return_address:
	.skip	4
last_vector:
	.skip	4

	.section .bss.stacks, "aw", @nobits
	.balign	64
	.skip	TRAP_STACK
emergency_stack_top:
	.skip	SNIPPET_STACK
snippet_stack_top:

	.section .note.GNU-stack, "", @progbits
