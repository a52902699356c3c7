/*
 * The first instructions of both kernels, in 32-bit protected mode with paging off, as Multiboot
 * leaves the machine (Multiboot 1 section 3.2, Multiboot 2 section 3.2): EAX = magic, EBX = info.
 * Nothing else is taken from the loader: stack, segments, EFLAGS, CR0 and CR4 are set here, for
 * UEFI loaders enter with CR4 = 648h.
 *
 * Everything up to `enter` runs on a 386, so that an old CPU gets a message and not a reset.
 */
#include "boot/segments.h"

#define CR0_PE_MP_ET_NE	0x33		/* caches on, no paging, x87 errors as #MF */
#define EFLAGS_AC	0x40000		/* exists since the 486 */
#define EFLAGS_ID	0x200000	/* can be changed if there is CPUID */

#define COM1		0x3f8
#define VGA_TEXT	0xb8000
#define VGA_ATTRIBUTE	0x4f00		/* white on red */

	.code32
	.section .text.entry, "ax"
	.globl	start
start:
	cli
	cld
	mov	%eax, %ebp		/* magic */
	mov	$bss_start, %edi
	mov	$bss_end, %ecx
	sub	%edi, %ecx
	shr	$2, %ecx
	xor	%eax, %eax
	rep stosl
	mov	$boot_stack_top, %esp
	push	%eax
	popf
	lgdt	boot_gdtr
	ljmp	$KERNEL_CS, $1f
1:	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
	mov	$CR0_PE_MP_ET_NE, %eax
	mov	%eax, %cr0

	push	%ebp
	push	%ebx
	mov	$no_cpuid, %esi
	call	has_cpuid
	jz	refuse
	xor	%eax, %eax
	cpuid
	mov	$old_family, %esi
	test	%eax, %eax
	jz	refuse
	mov	$1, %eax
	cpuid
	shr	$8, %eax
	and	$0xf, %eax		/* base family; the extended one only adds to 15 */
	cmp	$5, %eax
	jb	refuse
	mov	$no_tsc, %esi
	test	$0x10, %edx
	jz	refuse
	mov	%cr4, %eax
	mov	%eax, boot_cr4
	xor	%eax, %eax
	mov	%eax, %cr4
	pop	%ebx
	pop	%ebp
	jmp	enter			/* entry_32.S, entry_64.S: EBP = magic, EBX = info */

/* ZF clear if EFLAGS.ID can be toggled. */
has_cpuid:
	pushf
	pop	%eax
	mov	%eax, %ecx
	xor	$EFLAGS_ID, %eax
	push	%eax
	popf
	pushf
	pop	%eax
	push	%ecx
	popf
	xor	%ecx, %eax
	test	$EFLAGS_ID, %eax
	ret

/*
 * ESI = why this CPU cannot run us: one line on the top of the VGA text screen and on COM1, at
 * 115200 baud, then a halt. A UART that never gets ready is waited for a bounded time.
 */
	.globl	refuse
refuse:
	mov	$uart_setup, %ebx
1:	movzwl	(%ebx), %edx
	test	%edx, %edx
	jz	2f
	mov	2(%ebx), %al
	outb	%al, %dx
	add	$3, %ebx
	jmp	1b
2:	mov	$VGA_TEXT, %edi
	mov	%esi, %ebx
	mov	$prefix, %esi
	call	puts
	mov	%ebx, %esi
	call	puts
	mov	$suffix, %esi
	call	puts
3:	hlt
	jmp	3b

/* ESI = string, EDI = where on the screen. */
puts:
	lodsb
	test	%al, %al
	jz	5f
	cmp	$0x20, %al
	jb	1f
	movzbl	%al, %eax
	or	$VGA_ATTRIBUTE, %eax
	movw	%ax, (%edi)
	add	$2, %edi
1:	mov	%al, %ah
	mov	$COM1 + 5, %edx
	mov	$100000, %ecx
2:	inb	%dx, %al
	test	$0x20, %al		/* transmit holding register empty */
	jnz	3f
	dec	%ecx
	jnz	2b
3:	mov	%ah, %al
	mov	$COM1, %edx
	outb	%al, %dx
	jmp	puts
5:	ret

	.section .rodata.entry, "a"
prefix:
	.asciz	"cpl0 stops: "
no_cpuid:
	.asciz	"this CPU has no CPUID; a Pentium or later is needed"
old_family:
	.asciz	"this CPU is older than the Pentium (family below 5)"
no_tsc:
	.asciz	"this CPU has no time stamp counter"
suffix:
	.asciz	"\r\n"

uart_setup:				/* port, value: 115200 baud, 8N1, FIFO */
	.macro	uart reg, value
	.short	COM1 + \reg
	.byte	\value
	.endm
	uart	1, 0x00
	uart	3, 0x80
	uart	0, 0x01
	uart	1, 0x00
	uart	3, 0x03
	uart	2, 0x07
	.short	0

	.balign 8
	.globl	boot_gdt
boot_gdt:
	.quad	0
	.quad	0x00cf9b000000ffff	/* KERNEL_CS: code, 32 bits, flat, ring 0 */
	.quad	0x00cf93000000ffff	/* KERNEL_DS */
	.globl	boot_gdtr
boot_gdtr:
	.short	. - boot_gdt - 1
	.long	boot_gdt
	.long	0			/* of the address in long mode */

	.bss
	.balign	4
	.globl	boot_cr4
boot_cr4:				/* as the loader left it */
	.skip	4

	.section .bss.stacks, "aw", @nobits
	.balign 16
	.skip	BOOT_STACK
	.globl	boot_stack_top
boot_stack_top:

	.section .note.GNU-stack, "", @progbits
