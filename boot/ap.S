/*
 * The way of the other CPUs into the kernel (kernel/smp/ap.c), and where their traps begin.
 *
 * A start-up IPI begins in real mode at a page below 1 MiB (SDM volume 3, "MP Initialization
 * Protocol Algorithm"). ap_page is copied there; its data segment is its code segment, so it runs
 * at any page. All CPUs may come at once: they pass one after the other through one stack, where
 * ap_arrive() tells each the block of memory that belongs to it.
 */
#include "boot/segments.h"

#define CR0_PE_MP_ET_NE	0x33		/* caches on, no paging, x87 errors as #MF */
#define CR0_PG		0x80000033
#define CR4_PAE		0x20
#define MSR_EFER	0xc0000080
#define EFER_LME	0x100

	.section .rodata.ap, "a"
	.globl	ap_page, ap_page_end
	.code16
ap_page:
	cli
	mov	%cs, %ax
	mov	%ax, %ds
	lgdtl	gdtr - ap_page
	wbinvd				/* lines that a BIOS left in caches which it switched off */
	mov	$CR0_PE_MP_ET_NE, %eax
	mov	%eax, %cr0
	ljmpl	$KERNEL_CS, $ap_start
gdtr:	.short	23
	.long	boot_gdt
ap_page_end:
	.if	ap_page_end - ap_page > AP_PAGE_CODE
	.error	"AP_PAGE_CODE is too small"
	.endif

	.text
	.code32
ap_start:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
#ifdef __x86_64__
	mov	$CR4_PAE, %eax
	mov	%eax, %cr4
	mov	$paging_pml4, %eax
	mov	%eax, %cr3
	mov	$MSR_EFER, %ecx
	mov	$EFER_LME, %eax
	xor	%edx, %edx
	wrmsr
	mov	$CR0_PG, %eax
	mov	%eax, %cr0
	lgdt	long_gdtr
	ljmp	$KERNEL_CS, $ap_long

	/* From the ACPI mailbox: in long mode already, on tables and segments of the firmware. */
	.code64
	.globl	ap_mailbox
ap_mailbox:
	cli
	mov	$paging_pml4, %eax
	mov	%rax, %cr3
	lgdt	long_gdtr
	ljmp	*far_ap_long

ap_long:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	xor	%eax, %eax
	mov	%eax, %fs
	mov	%eax, %gs
#endif
	cld
1:	pause
	mov	$1, %eax
	xchg	%eax, ap_lock
	test	%eax, %eax
	jnz	1b
	mov	$ap_stack_top, %esp
	call	ap_arrive
#ifdef __x86_64__
	mov	%rax, %rdi
#endif
	test	%eax, %eax
	jz	2f
	lea	AP_BLOCK(%eax), %esp
2:	movl	$0, ap_lock
	jz	3f
	call	ap_main			/* does not return */
3:	cli
	hlt
	jmp	3b

/* The exceptions, and behind them the entry of all interrupts. */
#define ERROR_CODES	0x60227d00
#define INTERRUPT	32

	.balign	AP_STUB
	.globl	ap_stubs
ap_stubs:
	.set	vector, 0
	.rept	INTERRUPT + 1
	.balign	AP_STUB
	.if	vector >= 32 || ((ERROR_CODES >> (vector & 31)) & 1) == 0
	push	$0
	.endif
	push	$vector
	jmp	ap_common
	.set	vector, vector + 1
	.endr

	.macro	each insn, regs:vararg
	.irp	reg, \regs
	\insn	%\reg
	.endr
	.endm

	/*
	 * INT at CPL 3 into the measured routine, which differs from CPU to CPU: its addresses lie
	 * above the frame. No register is touched.
	 */
	.globl	ap_from_init, ap_from_body
#ifdef __x86_64__
ap_from_init:
	jmp	*40(%rsp)
ap_from_body:
	jmp	*48(%rsp)
#else
ap_from_init:
	jmp	*20(%esp)
ap_from_body:
	jmp	*24(%esp)
#endif

	.globl	ap_closed
ap_closed:				/* INT where there is no way back: as a closed gate */
	push	$0
	push	$13
ap_common:
	cld
#ifdef __x86_64__
	each	push, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11
	lea	72(%rsp), %rdi
	call	ap_trap
	each	pop, r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax
	add	$16, %rsp
	iretq
#else
	each	push, eax, ecx, edx, ds, es	/* those of CPL 3 may hold anything */
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	lea	20(%esp), %eax
	call	ap_trap
	each	pop, es, ds, edx, ecx, eax
	add	$8, %esp
	iret

	.globl	ap_task_df
ap_task_df:
	call	ap_double_fault		/* does not return */
#endif

	.section .rodata.ap, "a"
	.balign	4
far_ap_long:
#ifdef __x86_64__
	.long	ap_long
	.short	KERNEL_CS
#endif

	.bss
	.balign	4
	.globl	ap_lock
ap_lock:
	.skip	4

	.section .bss.stacks, "aw", @nobits
	.balign	64
	.skip	TRAP_STACK / 2
ap_stack_top:

	.section .note.GNU-stack, "", @progbits
