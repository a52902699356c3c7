/*
 * sim/tests/guest.h - what every 32-bit test guest starts with: Multiboot header, GDT, IDT, checks.
 *
 *	BODY at label `test`, ends with `ret`. Inside:
 *	TRY 1f ...  1:		a fault between the two continues at 1; see last_vector, last_error
 *	CHECK "name", operand, value	compares 32 bits and says so when they differ
 *	IRQ vector, label	calls label (ends with ret, may use all registers) on an interrupt
 */
	.text
	.balign	4
	.long	0x1badb002, 0, -0x1badb002

	.globl	_start
_start:	mov	$stack_top, %esp
	mov	%eax, boot_magic
	mov	%ebx, boot_info
	call	init
	call	test
	jmp	finish

	.macro	CHECK name, operand, value
	pushf
	push	%eax
	mov	\operand, %eax
	push	$9001f
	push	\value
	push	%eax
	call	check
	add	$12, %esp
	pop	%eax
	popf
	.pushsection .rodata
9001:	.asciz	"\name"
	.popsection
	.endm

	.macro	TRY resume
	movl	$\resume, resume_at
	movl	$-1, last_vector
	.endm

	.macro	IRQ vector, label
	movl	$\label, handlers + 4 * \vector
	.endm

	.macro	PRINT text
	push	$9002f
	call	print
	add	$4, %esp
	.pushsection .rodata
9002:	.asciz	"\text"
	.popsection
	.endm

/* ---- output ---- */

putc:	push	%edx			/* %al */
	push	%eax
	mov	$0x3fd, %dx
1:	in	%dx, %al
	test	$0x20, %al
	jz	1b
	pop	%eax
	mov	$0x3f8, %dx
	out	%al, %dx
	pop	%edx
	ret

print:	push	%esi
	push	%eax
	mov	12(%esp), %esi
1:	lodsb
	test	%al, %al
	jz	2f
	call	putc
	jmp	1b
2:	pop	%eax
	pop	%esi
	ret

print_hex:				/* %eax */
	push	%ecx
	push	%ebx
	push	%eax
	mov	%eax, %ebx
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
	pop	%eax
	pop	%ebx
	pop	%ecx
	ret

/* 4: got, 8: expected, 12: name */
check:	incl	checks
	mov	4(%esp), %eax
	cmp	8(%esp), %eax
	je	1f
	incl	failures
	push	12(%esp)
	call	print
	add	$4, %esp
	PRINT	": got "
	call	print_hex
	PRINT	", expected "
	mov	8(%esp), %eax
	call	print_hex
	PRINT	"\n"
1:	ret

finish:	PRINT	"checks "
	mov	checks, %eax
	call	print_hex
	PRINT	"\n"
	cmpl	$0, failures
	jne	1f
	PRINT	"done status=ok\n"
	jmp	2f
1:	PRINT	"done status=fail\n"
2:	mov	$0xf4, %dx
	xor	%eax, %eax
	out	%al, %dx
	cli
	hlt

/* ---- descriptors and traps ---- */

init:	lgdt	gdt_pointer
	ljmp	$0x08, $1f
1:	mov	$0x10, %ax
	mov	%ax, %ds
	mov	%ax, %es
	mov	%ax, %ss
	mov	$stubs, %eax
	mov	$idt, %edi
	mov	$256, %ecx
2:	mov	%eax, %edx
	mov	%dx, (%edi)
	movw	$0x08, 2(%edi)
	movw	$0xee00, 4(%edi)	/* interrupt gate, DPL 3 */
	shr	$16, %edx
	mov	%dx, 6(%edi)
	add	$16, %eax
	add	$8, %edi
	loop	2b
	lidt	idt_pointer
	mov	$tss, %eax
	mov	%ax, gdt + 0x2a
	shr	$16, %eax
	mov	%al, gdt + 0x2c
	mov	%ah, gdt + 0x2f
	movl	$kernel_stack_top, tss + 4
	movl	$0x10, tss + 8
	movw	$104, tss + 102		/* no I/O permission map */
	mov	$0x28, %ax
	ltr	%ax
	mov	$0xff, %al		/* nothing from the 8259s until a test wants it */
	out	%al, $0x21
	out	%al, $0xa1
	ret

	.balign	16
stubs:
	.set	vector, 0
	.rept	256
	.balign	16
	.if	vector == 8 || (vector >= 10 && vector <= 14) || vector == 17
	nop
	.else
	push	$0
	.endif
	push	$vector
	jmp	trap
	.set	vector, vector + 1
	.endr

/* pusha below: 32 vector, 36 error, 40 EIP, 44 CS, 48 EFLAGS, 52 ESP, 56 SS */
trap:	pusha
	mov	32(%esp), %eax
	mov	handlers(,%eax,4), %ecx
	test	%ecx, %ecx
	jz	1f
	mov	%esp, %ebp
	call	*%ecx
	jmp	9f
1:	mov	%eax, last_vector
	mov	36(%esp), %eax
	mov	%eax, last_error
	mov	40(%esp), %eax
	mov	%eax, last_ip
	mov	44(%esp), %eax
	mov	%eax, last_cs
	mov	48(%esp), %eax
	mov	%eax, last_flags
	mov	resume_at, %eax
	test	%eax, %eax
	jz	2f
	mov	%eax, 40(%esp)
	movl	$0, resume_at
	cmpl	$0x1b, 44(%esp)		/* from ring 3: go on in ring 0 on the old stack */
	jne	9f
	mov	ring0_sp, %esp
	pushf
	push	$0x08
	push	%eax
	iret
9:	popa
	add	$8, %esp
	iret
2:	PRINT	"trap "
	mov	last_vector, %eax
	call	print_hex
	PRINT	" at "
	mov	last_ip, %eax
	call	print_hex
	PRINT	"\ndone status=fail\n"
	mov	$0xf4, %dx
	out	%al, %dx

	.data
	.balign	8
gdt:	.quad	0
	.quad	0x00cf9b000000ffff	/* 08 */
	.quad	0x00cf93000000ffff	/* 10 */
	.quad	0x00cffb000000ffff	/* 1b */
	.quad	0x00cff3000000ffff	/* 23 */
	.quad	0x0000890000000067	/* 28: TSS */
	.quad	0x00009b000000ffff	/* 30: 16-bit code */
gdt_pointer:
	.short	. - gdt - 1
	.long	gdt
idt_pointer:
	.short	256 * 8 - 1
	.long	idt

	.bss
	.balign	16
idt:	.skip	256 * 8
tss:	.skip	104
handlers:	.skip 256 * 4
	.skip	8192
stack_top:
	.skip	8192
kernel_stack_top:
	.skip	8192
user_stack_top:
boot_magic:	.long 0
boot_info:	.long 0
checks:	.long	0
failures:	.long 0
resume_at:	.long 0
ring0_sp:	.long 0
last_vector:	.long 0
last_error:	.long 0
last_ip:	.long 0
last_cs:	.long 0
last_flags:	.long 0
	.text
