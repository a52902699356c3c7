/*
 * A software interrupt of the BIOS, in real mode (SDM volume 3, "Switching Back to Real-Address
 * Mode"). This code runs as a copy at REAL_CODE. It is entered in 32-bit protected mode with
 * paging and interrupts off and with real_gdt in force. It leaves in the same state, by a jump to
 * the address that EBX had.
 */
#include "boot/real.h"

#define CR0_PE		1
#define AT(label)	(REAL_CODE + (label) - real_code)

	.section .rodata.real, "a"
	.globl	real_code, real_code_end, real_gdtr
	.set	real_gdtr, AT(table)	/* in the copy */
real_code:
	.code32
	mov	%ebx, AT(back)
	lidt	AT(real_idtr)
	ljmp	$REAL_CS16, $AT(1f)

	.code16
1:	mov	$REAL_DS16, %ax
	mov	%ax, %ds
	mov	%ax, %es
	mov	%ax, %fs
	mov	%ax, %gs
	mov	%ax, %ss
	mov	%cr0, %eax
	and	$~CR0_PE, %eax
	mov	%eax, %cr0
	ljmp	$0, $AT(2f)

2:	xor	%ax, %ax
	mov	%ax, %ds
	mov	%ax, %fs
	mov	%ax, %gs
	mov	%ax, %ss
	mov	$REAL_STACK, %esp	/* all of it: a BIOS may address by ESP */
	mov	REAL_REGS + REAL_INT, %al
	mov	%al, AT(3f) + 1
	mov	REAL_REGS + REAL_EAX, %eax
	mov	REAL_REGS + REAL_EBX, %ebx
	mov	REAL_REGS + REAL_ECX, %ecx
	mov	REAL_REGS + REAL_EDX, %edx
	mov	REAL_REGS + REAL_ESI, %esi
	mov	REAL_REGS + REAL_EDI, %edi
	mov	REAL_REGS + REAL_EBP, %ebp
	mov	REAL_REGS + REAL_ES, %es
	mov	REAL_REGS + REAL_DS, %ds
	sti
	jmp	3f			/* drops what was fetched before the number was written */
3:	int	$0
	pushfl
	cli
	cld
	push	%ds
	push	%eax
	xor	%ax, %ax
	mov	%ax, %ds
	popl	REAL_REGS + REAL_EAX
	popw	REAL_REGS + REAL_DS
	popl	REAL_REGS + REAL_FLAGS
	mov	%ebx, REAL_REGS + REAL_EBX
	mov	%ecx, REAL_REGS + REAL_ECX
	mov	%edx, REAL_REGS + REAL_EDX
	mov	%esi, REAL_REGS + REAL_ESI
	mov	%edi, REAL_REGS + REAL_EDI
	mov	%ebp, REAL_REGS + REAL_EBP
	mov	%es, REAL_REGS + REAL_ES
	lgdtl	real_gdtr
	mov	%cr0, %eax
	or	$CR0_PE, %eax
	mov	%eax, %cr0
	ljmpl	$REAL_CS32, $AT(4f)

	.code32
4:	mov	$REAL_DS32, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
	jmp	*AT(back)

	.balign	8
real_gdt:
	.quad	0
	.quad	0x00cf9b000000ffff	/* REAL_CS32: flat */
	.quad	0x00cf93000000ffff	/* REAL_DS32 */
	.quad	0x00009b000000ffff	/* REAL_CS16: the lowest 64 KiB */
	.quad	0x000093000000ffff	/* REAL_DS16 */
table:
	.short	. - real_gdt - 1
	.long	AT(real_gdt)
	.long	0			/* of the address in long mode */
real_idtr:
	.short	0x3ff			/* the interrupt vectors */
	.long	0
back:	.long	0
real_code_end:

	.section .note.GNU-stack, "", @progbits
