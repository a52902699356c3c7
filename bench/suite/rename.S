/*
 * What a core does before execution: moves and zeroing idioms that only rename registers, and pairs
 * of instructions that become one.
 */
#include "bench/snippet.inc"

	.macro	RENAME name:req, what:req, ops:req, insns:req, needs
	SNIPPET	rename.\name, "\what"
	.ifnb	\needs
	NEEDS	"\needs"
	.endif
	OPS	\ops
	INSNS	\insns
	BODY
	.endm

	RENAME	mov_chain, "two moves in a chain: no clock where moves are eliminated", 2, 2
	mov	%eax, %ecx
	mov	%ecx, %eax
	END

	RENAME	mov_and_add, "an add and a move in a chain", 1, 2
	add	$1, %eax
	mov	%eax, %eax
	END

	RENAME	mov_add_other, "an add and two moves through another register in a chain", 1, 3
	add	$1, %eax
	mov	%eax, %ecx
	mov	%ecx, %eax
	END

	RENAME	movzx_chain, "zero extensions in a chain", 2, 2
	movzbl	%al, %ecx
	movzbl	%cl, %eax
	END

	RENAME	xchg_chain, "exchanges of two registers", 1, 1
	xchg	%eax, %ecx
	END

	RENAME	vector_mov_chain, "two vector moves in a chain", 2, 2, "sse2"
	movaps	%xmm0, %xmm1
	movaps	%xmm1, %xmm0
	END

	RENAME	xor_breaks, \
		"a multiplication, then XOR with itself: no chain where that is known to be 0", 1, 2
	imul	%eax, %eax
	xor	%eax, %eax
	END

	RENAME	sub_breaks, "the same with SUB", 1, 2
	imul	%eax, %eax
	sub	%eax, %eax
	END

	RENAME	mov_zero_breaks, "the control: the same with MOV of 0", 1, 2
	imul	%eax, %eax
	mov	$0, %eax
	END

	RENAME	xor_other, "the control: XOR with another register keeps the chain", 1, 2
	imul	%eax, %eax
	xor	%ecx, %eax
	END

	RENAME	sbb_breaks, "SBB of a register from itself depends on the carry alone", 1, 2
	imul	%eax, %eax
	sbb	%eax, %eax
	END

	RENAME	pxor_breaks, "vector multiplication, then PXOR with itself", 1, 2, "sse2"
	pmuludq	%xmm0, %xmm0
	pxor	%xmm0, %xmm0
	END

	RENAME	ones_breaks, "vector multiplication, then PCMPEQD with itself", 1, 2, "sse2"
	pmuludq	%xmm0, %xmm0
	pcmpeqd	%xmm0, %xmm0
	END

	RENAME	xor_throughput, "zeroing of four registers", 4, 4
	xor	%eax, %eax
	xor	%ecx, %ecx
	xor	%edx, %edx
	xor	%ebp, %ebp
	END

	RENAME	fused_cmp_jcc, "compare and branch, one operation where they fuse", 4, 8
	.rept	4
	cmp	%eax, %eax
	jne	1f
1:
	.endr
	END

	RENAME	unfused_cmp_jcc, "the same with a NOP between", 4, 12
	.rept	4
	cmp	%eax, %eax
	nop
	jne	1f
1:
	.endr
	END

	RENAME	load_op, "four adds with a memory operand", 4, 4
	add	(XSI), %eax
	add	4(XSI), %ecx
	add	8(XSI), %edx
	add	12(XSI), %ebp
	END

	SNIPPET	rename.load_op_indexed, "the same with an index register"
	OPS	4
	INSNS	4
	INIT
	xor	%ebx, %ebx
	BODY
	add	(XSI, XBX), %eax
	add	4(XSI, XBX), %ecx
	add	8(XSI, XBX), %edx
	add	12(XSI, XBX), %ebp
	END
