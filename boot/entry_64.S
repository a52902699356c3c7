/*
 * From protected mode to long mode (SDM volume 3, "Initializing IA-32e Mode"), with the low 4 GiB
 * identity-mapped in 2 MiB pages. No page is NX, and all are open to ring 3, for snippets run
 * there.
 */
#include "boot/segments.h"

#define CR4_PAE		0x20
#define CR0_PG		0x80000033	/* with PE, MP, ET, NE; WP is kernel/trap/usermode.h's */
#define MSR_EFER	0xc0000080
#define EFER_LME	0x100
#define CPUID_LM	0x20000000	/* 80000001H:EDX[29] */
#define PAGE_PRESENT	0x7		/* present, writable, user */
#define PAGE_LARGE	0x80
#define GIGABYTES	4

	.code32
	.section .text.entry, "ax"
	.globl	enter
enter:
	mov	%ebx, %edi
	mov	$no_long_mode, %esi
	mov	$0x80000000, %eax
	cpuid
	cmp	$0x80000001, %eax
	jb	refuse
	mov	$0x80000001, %eax
	cpuid
	test	$CPUID_LM, %edx
	jz	refuse
	mov	%edi, %ebx

	movl	$paging_pdpt + PAGE_PRESENT, paging_pml4
	mov	$paging_pd + PAGE_PRESENT, %eax
	xor	%ecx, %ecx
1:	mov	%eax, paging_pdpt(, %ecx, 8)
	add	$4096, %eax
	inc	%ecx
	cmp	$GIGABYTES, %ecx
	jb	1b
	mov	$PAGE_PRESENT | PAGE_LARGE, %eax
	xor	%ecx, %ecx
2:	mov	%eax, paging_pd(, %ecx, 8)
	add	$0x200000, %eax
	inc	%ecx
	cmp	$512 * GIGABYTES, %ecx
	jb	2b

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
	ljmp	$KERNEL_CS, $long_mode

	.code64
long_mode:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	xor	%eax, %eax
	mov	%eax, %fs
	mov	%eax, %gs
	mov	$boot_stack_top, %rsp
	mov	%ebp, %edi
	mov	%ebx, %esi
	xor	%ebp, %ebp
	call	kmain
1:	hlt
	jmp	1b

	.section .rodata.entry, "a"
no_long_mode:
	.asciz	"this CPU has no 64-bit mode; boot the 32-bit kernel"

	.balign 8
long_gdt:
	.quad	0
	.quad	0x00af9b000000ffff	/* KERNEL_CS: code, 64 bits, ring 0 */
	.quad	0x00cf93000000ffff	/* KERNEL_DS */
	.globl	long_gdtr
long_gdtr:
	.short	. - long_gdt - 1
	.quad	long_gdt		/* 64-bit mode reads 8 bytes of it */

	.section .bss.paging, "aw", @nobits
	.balign 4096
	.globl	paging_pml4
paging_pml4:
	.skip	4096
paging_pdpt:
	.skip	4096
paging_pd:
	.skip	4096 * GIGABYTES

	.section .note.GNU-stack, "", @progbits
