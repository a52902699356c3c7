/*
 * tests/sim/guests/align.S - SSE: which operands in memory must be aligned (SDM 2A, exceptions by
 * type).
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
	MEETS	"aligned load", -1, movaps 16(%esi), %xmm1
	MEETS	"load", 13, movaps 8(%esi), %xmm1
	CHECK	"error code", last_error, $0
	MEETS	"index", 13, movaps (%esi, %edi, 8), %xmm1
	MEETS	"store", 13, movaps %xmm0, 4(%esi)
	CHECK	"nothing stored", data + 4, $2
	MEETS	"operand of ADDPS", 13, addps data + 1, %xmm1
	MEETS	"MOVUPS", -1, movups 8(%esi), %xmm1
	MEETS	"four bytes", -1, addss 4(%esi), %xmm1
	ret

	.data
	.balign	16
data:	.long	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
