/*
 * sim/tests/guests/sse.S - which operands of SSE in memory must be aligned (SDM 2A, exceptions by
 * type). POPCNT, where CPUID has it: sizes, memory, flags, a page that is not there. An AVX
 * instruction is undefined, and the simulator says if the real processor has it.
 */
#include "guest.inc"

	/* \insn faults with vector \vector, -1 not at all */
	.macro	MEETS name, vector, insn:vararg
	TRY	8001f
	\insn
8001:	movl	$0, resume_at
	CHECK	"\name", last_vector, $\vector
	.endm

test:	mov	%cr4, %eax
	or	$0x200, %eax		/* OSFXSR */
	mov	%eax, %cr4
	mov	%cr0, %eax
	and	$~4, %eax
	mov	%eax, %cr0
	mov	$data, %esi
	mov	$1, %edi
	xorps	%xmm0, %xmm0
	/* unmasks division by zero, of which the simulator says that it cannot raise it */
	push	$0x1d80
	ldmxcsr	(%esp)
	movl	$0x1f80, (%esp)
	ldmxcsr	(%esp)
	pop	%eax
	MEETS	"aligned load", -1, movaps 16(%esi), %xmm1
	MEETS	"load", 13, movaps 8(%esi), %xmm1
	CHECK	"error code", last_error, $0
	MEETS	"index", 13, movaps (%esi, %edi, 8), %xmm1
	MEETS	"store", 13, movaps %xmm0, 4(%esi)
	CHECK	"nothing stored", data + 4, $2
	MEETS	"operand of ADDPS", 13, addps data + 1, %xmm1
	MEETS	"MOVUPS", -1, movups 8(%esi), %xmm1
	MEETS	"four bytes", -1, addss 4(%esi), %xmm1
	/* the base of a segment counts, from the instruction behind its load on */
	mov	$0x38, %eax
	mov	%eax, %fs
	MEETS	"FS", -1, movaps %fs:8(%esi), %xmm1
	MEETS	"FS", 13, movaps %fs:16(%esi), %xmm1
	push	%eax
	pop	%es
	MEETS	"ES", -1, movaps %es:8(%esi), %xmm1
	lgs	far, %ecx
	MEETS	"GS", -1, movaps %gs:8(%esi), %xmm1
	mov	$0x10, %eax
	mov	%eax, %es
	MEETS	"ES again", 13, movaps %es:8(%esi), %xmm1
	mov	$1, %eax
	cpuid
	bt	$23, %ecx
	jnc	9f
	mov	$0xf0f0ffff, %ebx
	stc
	popcnt	%ebx, %ecx
	pushf
	pop	%edx
	CHECK	"32 bits", %ecx, $24
	and	$0x8d5, %edx
	CHECK	"flags", %edx, $0
	mov	$0x12345678, %ecx
	popcnt	%bx, %cx
	CHECK	"16 bits", %ecx, $0x12340010
	xor	%ebx, %ebx
	popcnt	%ebx, %ecx
	pushf
	pop	%edx
	and	$0x8d5, %edx
	CHECK	"zero", %edx, $0x40
	mov	$1, %esi
	popcnt	data + 24(, %esi, 4), %ecx
	CHECK	"memory", %ecx, $1
	/* paging with 4 MB pages: the one at 4 MB is not there */
	movl	$0x83, pages
	mov	$pages, %eax
	mov	%eax, %cr3
	mov	%cr4, %eax
	or	$0x10, %eax
	mov	%eax, %cr4
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	mov	$7, %ecx
	TRY	1f
	popcnt	0x3ffffe, %ecx
1:	mov	%cr0, %eax
	and	$0x7fffffff, %eax
	mov	%eax, %cr0
	CHECK	"no page", last_vector, $14
	CHECK	"error code", last_error, $0
	mov	%cr2, %eax
	CHECK	"CR2", %eax, $0x400000
	CHECK	"nothing written", %ecx, $7
9:	TRY	1f
	vaddps	%ymm0, %ymm1, %ymm2
1:	CHECK	"AVX", last_vector, $6
	ret

	.data
	.balign	16
far:	.long	0
	.short	0x38
	.balign	16
data:	.long	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12

	.bss
	.balign	4096
pages:	.skip	4096
	.text
