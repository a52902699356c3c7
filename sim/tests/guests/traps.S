/*
 * sim/tests/guests/traps.S - exceptions with vector, error code and saved state; INT, IRET, ring
 * 3, TF, interrupt shadow, page faults.
 */
#include "guest.inc"

test:	/* #DE: error code none, saved address that of the DIV */
	TRY	1f
	xor	%ecx, %ecx
2:	div	%ecx
1:	CHECK	"de vector", last_vector, $0
	CHECK	"de ip", last_ip, $2b
	/* again: an engine that forgets to clear its fault state makes this one a #DF */
	TRY	1f
	div	%ecx
1:	CHECK	"de twice", last_vector, $0

	TRY	1f
	ud2
1:	CHECK	"ud2", last_vector, $6
	TRY	1f
	.byte	0x0f, 0xff
1:	CHECK	"undefined opcode", last_vector, $6

	TRY	1f
	mov	$0x1230, %eax
	mov	%eax, %es
1:	CHECK	"selector beyond the GDT", last_vector, $13
	CHECK	"its error code", last_error, $0x1230
	mov	$0x10, %eax
	mov	%eax, %es

	TRY	1f
	mov	$0x12345, %ecx
	rdmsr
1:	CHECK	"rdmsr of no register", last_vector, $13
	CHECK	"error code 0", last_error, $0
	TRY	1f
	mov	$0x12345, %ecx
	wrmsr
1:	CHECK	"wrmsr of no register", last_vector, $13

	TRY	1f
	int3
1:	CHECK	"int3", last_vector, $3
	CHECK	"int3 saves what follows", last_ip, $1b
	TRY	1f
	int	$0x80
1:	CHECK	"int 80h", last_vector, $0x80
	CHECK	"int saves what follows", last_ip, $1b
	TRY	1f
	mov	$0x7fffffff, %eax
	inc	%eax
	into
1:	CHECK	"into", last_vector, $4
	xor	%eax, %eax
	into

	/* TF: after the instruction that follows POPF; 3 NOPs are 3 traps */
	IRQ	1, count_step
	pushf
	orl	$0x100, (%esp)
	popf
	nop
after_nop:
	rdtsc
	nop
	pushf
	andl	$~0x100, (%esp)
	popf
	movl	$0, handlers + 4
	/* nop, rdtsc, nop, pushf, andl, popf (its trap: TF was set when it began) */
	CHECK	"single steps", steps, $6
	CHECK	"first step is behind the nop", first_step, $after_nop

	/* SMSW into a register is all of CR0; RF does not outlast IRET, nor does PUSHF store it */
	mov	%cr0, %ecx
	mov	%ecx, %ebx
	or	$0x40000000, %ebx
	mov	%ebx, %cr0
	smsw	%edx
	mov	%ecx, %cr0
	CHECK	"smsw", %edx, %ebx
	pushf
	orl	$0x10000, (%esp)
	push	%cs
	push	$1f
	iret
1:	pushf
	pop	%edx
	and	$0x10000, %edx
	CHECK	"RF behind IRET", %edx, $0

	/* page fault: not present, read at a hole of the identity map */
	mov	$page_directory, %edi
	mov	$0x83, %eax		/* 4 MB pages */
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
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	TRY	1f
	mov	0x80001234, %eax
1:	CHECK	"read of no page", last_vector, $14
	CHECK	"error code", last_error, $0
	mov	%cr2, %eax
	CHECK	"cr2", %eax, $0x80001234
	TRY	1f
	mov	%eax, 0x80001238
1:	CHECK	"write to no page", last_error, $2
	TRY	1f
	mov	$0x80000100, %eax
	jmp	*%eax
1:	CHECK	"jump to no page", last_ip, $0x80000100

	/* ring 3 cannot see supervisor pages: error code 5 = present, user */
	mov	%esp, ring0_sp
	push	$0x23
	push	$user_stack_top
	push	$0x2
	push	$0x1b
	push	$user
	TRY	1f
	iret
user:	nop
1:	CHECK	"fetch from a supervisor page", last_vector, $14
	CHECK	"error code user", last_error, $5
	CHECK	"saved cs", last_cs, $0x1b

	/* the same page for everybody */
	orl	$4, page_directory
	mov	%cr3, %eax
	mov	%eax, %cr3
	.macro	RING3 label
	mov	%esp, ring0_sp
	push	$0x23
	push	$user_stack_top
	push	$0x2
	push	$0x1b
	push	$\label
	iret
	.endm
	TRY	1f
	RING3	user_cli
user_cli:
	cli
1:	CHECK	"cli in ring 3", last_vector, $13
	TRY	1f
	RING3	user_msr
user_msr:
	mov	$0x10, %ecx
	rdmsr
1:	CHECK	"rdmsr in ring 3", last_vector, $13
	TRY	1f
	RING3	user_hlt
user_hlt:
	hlt
1:	CHECK	"hlt in ring 3", last_vector, $13
	TRY	1f
	RING3	user_in
user_in:
	in	$0x21, %al
1:	CHECK	"in in ring 3", last_vector, $13
	TRY	1f
	RING3	user_int
user_int:
	int	$0x40
1:	CHECK	"int in ring 3", last_vector, $0x40
	CHECK	"from cs", last_cs, $0x1b
	/* IRET to ring 3 takes the data segments of ring 0 away; a segment of ring 3 stays */
	mov	$0x23, %eax
	mov	%eax, %fs
	TRY	1f
	RING3	user_segments
user_segments:
	mov	%ds, %ecx
	mov	%fs, %edx
	int	$0x40
1:	CHECK	"ds in ring 3", %ecx, $0
	CHECK	"fs in ring 3", %edx, $0x23
	mov	%cr0, %eax
	and	$0x7fffffff, %eax
	mov	%eax, %cr0

	/* code that changes itself: an immediate, then a whole instruction */
	mov	$100, %ecx
	xor	%ebx, %ebx
2:	mov	%ecx, patch + 1
patch:	mov	$0, %eax
	add	%eax, %ebx
	loop	2b
	CHECK	"sum of patched immediates", %ebx, $5050
	movb	$0x40, patch2		/* inc %eax for nop */
	xor	%eax, %eax
patch2:	nop
	CHECK	"nop became inc", %eax, $1

	/* a store that is not aligned, into what runs with it; a store after it is seen, too */
	mov	$1, %ebx
	call	patch4
	movl	$7, patch3 + 1
	jmp	patch3
	.balign	4
patch3:	mov	$0, %ebx
	movw	$0x9090, patch4		/* two nop for rdtsc */
	mov	$0x1234, %eax
	call	patch4
	CHECK	"patched beside itself", %ebx, $7
	CHECK	"rdtsc became nop", %eax, $0x1234

	/* a double fault: the #GP handler's gate is not present */
	andb	$0x7f, idt + 8 * 13 + 5
	TRY	1f
	mov	$0x12345, %ecx
	rdmsr
1:	CHECK	"missing gate: double fault", last_vector, $8
	CHECK	"its error code", last_error, $0
	ret

patch4:	rdtsc
	ret

count_step:
	cmpl	$0, steps
	jne	1f
	mov	40(%ebp), %eax
	mov	%eax, first_step
1:	incl	steps
	ret

	.data
steps:	.long	0
first_step:	.long 0
	.bss
	.balign	4096
page_directory:	.skip 4096
