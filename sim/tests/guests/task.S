/*
 * sim/tests/guests/task.S - task gates: an exception with and without error code, INT, a double
 * fault with a useless stack, and the way back by IRET.
 */
#include "guest.inc"

	.macro	TSS_DESCRIPTOR entry, base
	mov	$\base, %eax
	movl	$0x67, gdt_more + \entry
	movl	$0x8900, gdt_more + \entry + 4
	mov	%ax, gdt_more + \entry + 2
	shr	$16, %eax
	mov	%al, gdt_more + \entry + 4
	mov	%ah, gdt_more + \entry + 7
	.endm

test:	mov	$gdt, %esi
	mov	$gdt_more, %edi
	mov	$14, %ecx
	cld
	rep movsl
	TSS_DESCRIPTOR 0x28, tss
	TSS_DESCRIPTOR 0x40, task
	lgdt	more_pointer
	mov	$0x28, %ax
	ltr	%ax
	movl	$task_start, task + 32
	movl	$0x2, task + 36
	movl	$0xabcd, task + 40		/* EAX */
	movl	$kernel_stack_top, task + 56
	movl	$0x10, task + 72
	movl	$0x08, task + 76
	movl	$0x10, task + 80
	movl	$0x10, task + 84
	/* gates of #DF, #GP, INT 50h */
	movl	$0x00400000, idt + 8 * 8
	movl	$0x0000e500, idt + 8 * 8 + 4
	movl	$0x00400000, idt + 8 * 13
	movl	$0x0000e500, idt + 8 * 13 + 4
	movl	$0x00400000, idt + 8 * 0x50
	movl	$0x0000e500, idt + 8 * 0x50 + 4

	mov	$0x11112222, %ebx
	mov	$0x33334444, %esi
	movl	$0, skip
	int	$0x50
after_int:
	CHECK	"entered once", entered, $1
	CHECK	"registers come back", %ebx, $0x11112222
	CHECK	"and another", %esi, $0x33334444
	CHECK	"EAX of the task", task_eax, $0xabcd
	CHECK	"address saved", tss + 32, $after_int
	mov	%esp, %edx
	CHECK	"stack saved", tss + 56, %edx
	CHECK	"link", task, $0x28
	CHECK	"NT in the task", task_flags, $0x4002
	mov	%cr0, %eax
	and	$8, %eax
	CHECK	"TS", %eax, $8
	clts
	str	%ax
	movzwl	%ax, %eax
	CHECK	"TR came back", %eax, $0x28
	mov	gdt_more + 0x28 + 4, %eax
	and	$0xff00, %eax
	CHECK	"busy", %eax, $0x8b00
	mov	gdt_more + 0x40 + 4, %eax
	and	$0xff00, %eax
	CHECK	"available", %eax, $0x8900
	pushf
	pop	%eax
	and	$0x4000, %eax
	CHECK	"NT is gone", %eax, $0

	/* the task goes on behind its IRET; an error code is on its stack */
	movl	$2, skip
	mov	$0x12345, %ecx
2:	rdmsr
	CHECK	"entered twice", entered, $2
	CHECK	"error code", task_error, $0
	CHECK	"address of the fault", tss_eip, $2b
	movl	$2, skip
	mov	$0x1230, %eax
	mov	%eax, %fs
	CHECK	"error code of a selector", task_error, $0x1230

	/* a push to where nothing is, with paging: #PF, #PF, #DF */
	mov	$page_directory, %edi
	mov	$0x83, %eax
	mov	$1024, %ecx
2:	stosl
	add	$0x400000, %eax
	loop	2b
	movl	$0, page_directory + 4 * 512
	mov	%cr4, %eax
	or	$0x10, %eax
	mov	%eax, %cr4
	mov	$page_directory, %eax
	mov	%eax, %cr3
	mov	%eax, task + 28
	mov	%eax, tss + 28
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	mov	%esp, %ebp
	mov	$0x80000800, %esp
	movl	$1, skip
2:	push	%eax
	mov	%ebp, %esp
	CHECK	"double fault", entered, $4
	CHECK	"its error code", task_error, $0
	CHECK	"its address", tss_eip, $2b
	mov	%cr2, %eax
	CHECK	"cr2 of the handler's push", %eax, $0x800007fc
	/* a task with other page tables */
	mov	$page_directory, %esi
	mov	$page_directory2, %edi
	mov	$1024, %ecx
	rep movsl
	movl	$0x00000083, page_directory2 + 4 * 512
	movl	$page_directory2, task + 28
	mov	%cr3, %eax
	mov	%eax, tss + 28
	movl	$0x600df00d, value
	movl	$value + 0x80000000, look_at
	movl	$0, skip
	int	$0x50
	CHECK	"seen by its tables", seen, $0x600df00d
	mov	%cr3, %eax
	CHECK	"tables came back", %eax, $page_directory
	TRY	1f
	mov	value + 0x80000000, %eax
1:	CHECK	"and their holes", last_vector, $14
	mov	%cr0, %eax
	and	$0x7fffffff, %eax
	mov	%eax, %cr0

	/* a gate whose TSS is busy: #GP becomes a #DF here, a triple fault: ask INT 51h */
	movl	$0x00280000, idt + 8 * 0x51
	movl	$0x0000e500, idt + 8 * 0x51 + 4
	movl	$2, skip
2:	int	$0x51
	CHECK	"TSS is busy", task_error, $0x28
	CHECK	"address of the INT", tss_eip, $2b

	/* IRET into a task in virtual-8086 mode: HLT there is a #GP at level 3 */
	mov	%esp, saved_esp
	movb	$0x8b, gdt_more + 0x40 + 5
	movl	$0x40, tss
	movl	$0x00f4d88c, 0x9000		/* mov %ds, %ax; hlt */
	movl	$kernel_stack_top, task + 4
	movl	$0x10, task + 8
	movl	$0, task + 32
	movl	$0x20002, task + 36
	movl	$0, task + 40
	movl	$0x8000, task + 56
	movl	$0x900, task + 76
	movl	$0, task + 80
	movl	$0x1234, task + 84
	mov	$v86_out, %eax
	mov	%ax, idt + 8 * 13
	movw	$0x08, idt + 8 * 13 + 2
	movw	$0x8e00, idt + 8 * 13 + 4
	shr	$16, %eax
	mov	%ax, idt + 8 * 13 + 6
	pushf
	orl	$0x4000, (%esp)
	popf
	iret
v86_out:
	mov	8(%esp), %ebx
	mov	12(%esp), %ecx
	mov	$0x10, %edx
	mov	%edx, %ds
	mov	%edx, %es
	mov	%edx, %ss
	mov	saved_esp, %esp
	CHECK	"DS of virtual-8086 mode", %eax, $0x1234
	CHECK	"CS", %ebx, $0x900
	and	$0x24000, %ecx
	CHECK	"VM", %ecx, $0x20000
	ret

task_start:
	mov	%eax, task_eax
	pushf
	pop	%eax
	mov	%eax, task_flags
3:	incl	entered
	mov	tss + 32, %eax
	mov	%eax, tss_eip
	mov	look_at, %eax
	mov	(%eax), %eax
	mov	%eax, seen
	cmp	$kernel_stack_top, %esp
	je	4f
	pop	task_error
4:	mov	skip, %eax
	add	%eax, tss + 32
	iret
	jmp	3b

	.data
	.balign	8
more_pointer:
	.short	0x47
	.long	gdt_more
entered:	.long 0
task_eax:	.long 0
task_flags:	.long 0
task_error:	.long -1
tss_eip:	.long 0
skip:	.long	0
seen:	.long	0
saved_esp:	.long 0
look_at:	.long seen
value:	.long	0
	.bss
	.balign	4096
page_directory:	.skip 4096
page_directory2: .skip 4096
gdt_more:	.skip 0x48
task:	.skip	104
