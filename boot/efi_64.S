/*
 * Between the 64-bit kernel and UEFI (UEFI 2.10 section 2.3.4), whose boot services GRUB has kept
 * because the kernel's Multiboot 2 header asks for it.
 *
 * start_efi is entered in the firmware's long mode, EAX = magic, EBX = info. What the firmware has
 * in the registers that the kernel uses is stored, and every call of the firmware finds it again.
 */
#include "boot/segments.h"

#define MSR_EFER	0xc0000080
#define CR0_PG		0x80000000
#define FLAGS_IF	0x200
#define TSS_BUSY	2		/* in the byte of a descriptor with its type */
#define SHADOW		32		/* bytes for four arguments, which the caller leaves free */

	.code64
	.section .text.entry, "ax"
	.globl	start_efi
start_efi:
	pushfq
	pop	%r14
	cli
	cld
	mov	%eax, %r12d
	mov	%ebx, %r13d
	mov	$bss_start, %edi
	mov	$bss_end, %ecx
	sub	%edi, %ecx
	shr	$3, %ecx
	xor	%eax, %eax
	rep stosq
	mov	%r14, efi_flags
	mov	%rsp, efi_sp
	sgdt	efi_gdtr
	sidt	efi_idtr
	mov	%cr0, %rax
	mov	%rax, efi_cr0
	mov	%cr3, %rax
	mov	%rax, efi_cr3
	mov	%cr4, %rax
	mov	%rax, efi_cr4
	mov	$MSR_EFER, %ecx
	rdmsr
	mov	%eax, efi_efer
	mov	%cs, efi_segments
	mov	%ds, efi_segments + 2
	mov	%es, efi_segments + 4
	mov	%ss, efi_segments + 6
	mov	%fs, efi_segments + 8
	mov	%gs, efi_segments + 10
	str	efi_task
	and	$-16, %rsp
	sub	$SHADOW, %rsp
	mov	%r12d, %ecx
	mov	%r13d, %edx
	call	efi_enter
	cli
	cld
	mov	%r12d, %ebp
	mov	%r13d, %ebx

	/* Down to where `enter` begins: that works with five levels of paging too. */
	lgdt	boot_gdtr
	push	$KERNEL_CS
	push	$1f
	lretq
	.code32
1:	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%cr0, %eax
	and	$~CR0_PG, %eax
	mov	%eax, %cr0
	xor	%eax, %eax
	mov	%eax, %cr4
	jmp	enter

/*
 * RDI = function, RSI = its arguments, of which six count: calls the firmware on its own stack,
 * with its tables, and with interrupts as it had them. Returns what it returned.
 */
	.code64
	.text
	.globl	efi_call
efi_call:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sgdt	kernel_gdtr
	sidt	kernel_idtr
	mov	%cr0, %r12
	mov	%cr3, %r13
	mov	%cr4, %r14
	mov	%rsp, %rbp
	mov	$MSR_EFER, %ecx
	rdmsr
	mov	%eax, %r15d
	mov	efi_efer, %eax
	wrmsr
	lgdt	efi_gdtr
	lidt	efi_idtr
	mov	efi_cr3, %rax
	mov	%rax, %cr3
	mov	efi_sp, %rax
	and	$-16, %rax
	mov	efi_segments + 6, %ss
	mov	%rax, %rsp
	mov	efi_segments + 2, %ds
	mov	efi_segments + 4, %es
	mov	efi_segments + 8, %fs
	mov	efi_segments + 10, %gs
	movzwl	efi_task, %eax
	mov	efi_gdtr + 2, %rdx
	call	load_task
	movzwl	efi_segments, %eax
	push	%rax
	push	$1f
	lretq
1:	mov	efi_cr0, %rax		/* CR4 last: shadow stacks do not know of the far return, */
	mov	%rax, %cr0		/* and the kernel's pages are user pages (SMEP) */
	mov	efi_cr4, %rax
	mov	%rax, %cr4
	mov	%rdi, %rax
	sub	$SHADOW + 16, %rsp
	mov	40(%rsi), %rdx
	mov	%rdx, SHADOW + 8(%rsp)
	mov	32(%rsi), %rdx
	mov	%rdx, SHADOW(%rsp)
	mov	(%rsi), %rcx
	mov	8(%rsi), %rdx
	mov	16(%rsi), %r8
	mov	24(%rsi), %r9
	testl	$FLAGS_IF, efi_flags
	jz	2f
	sti
2:	call	*%rax
	cli
	cld
	mov	%rax, %rbx
	mov	%r14, %cr4
	mov	%r12, %cr0
	mov	%r13, %cr3
	mov	$MSR_EFER, %ecx
	rdmsr
	mov	%r15d, %eax
	wrmsr
	lgdt	kernel_gdtr
	lidt	kernel_idtr
	mov	$KERNEL_DS, %eax
	mov	%eax, %ss
	mov	%rbp, %rsp
	mov	%eax, %ds
	mov	%eax, %es
	xor	%eax, %eax
	mov	%eax, %fs
	mov	%eax, %gs
	cmpw	$0, efi_task
	je	3f
	mov	$MAIN_TSS, %eax
	mov	kernel_gdtr + 2, %rdx
	call	load_task
3:	push	$KERNEL_CS
	push	$4f
	lretq
4:	mov	%rbx, %rax
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

/* RDX = GDT, EAX = selector of a task state segment, 0: none. It is marked as in use. */
load_task:
	test	%eax, %eax
	jz	5f
	andb	$~TSS_BUSY, 5(%rdx, %rax)
	ltr	%ax
5:	ret

	.bss
	.balign	8
efi_sp:
	.skip	8
efi_flags:
	.skip	8
efi_cr0:
	.skip	8
efi_cr3:
	.skip	8
efi_cr4:
	.skip	8
efi_efer:
	.skip	8
efi_gdtr:
	.skip	16
efi_idtr:
	.skip	16
efi_task:
	.skip	8
efi_segments:
	.skip	16
kernel_gdtr:
	.skip	16
kernel_idtr:
	.skip	16

	.section .note.GNU-stack, "", @progbits
