/*
 * The pairing rules of the Pentium, one by one: classes UV, PU, PV and NP, registers and flags,
 * prefixes, first run, and what else the article and the manuals say about its two pipes.
 * bench/suite/p5.S has the article's own sequences. V is event 17h: instructions executed in the V
 * pipe.
 */
#include "bench/snippet.inc"

#define FOG "Agner Fog, Pentium manual"

	.macro	RULE name:req, what:req, insns:req, families:req, clocks:req, v:req
	SNIPPET	p5pair.\name, "\what"
	TOTAL
	UNROLL	16			/* some push: 512 copies stay on the stack */
	ROUNDS	16
	INSNS	\insns
	EXPECT	"\families", "tsc", \clocks\()000, \clocks\()000, FOG
	EXPECT	"\families", "INSTRUCTIONS_EXECUTED_V_PIPE", \v\()000, \v\()000, FOG
	.endm

	/*
	 * Reads the lines of the stack that all copies of a body push to, `pushes` each, so that no
	 * push misses: see p5.S. Changes XAX and EDX.
	 */
	.macro	READ_STACK pushes:req
	lea	-2 * 16 * 16 * \pushes * XSIZE(XSP), XAX
1:	mov	(XAX), %edx
	add	$32, XAX
	cmp	XSP, XAX
	jb	1b
	.endm

	/* Two of them, both of a class that goes in either pipe. */
	.macro	UV name:req
	RULE	uv_\name, "class UV: two of them pair", 2, "p5,p5mmx", 1, 1
	BODY
	.endm

	UV	mov_rr
	mov	%ecx, %eax
	mov	%edx, %ebx
	END
	UV	mov_load
	mov	(XSI), %eax
	mov	4(XSI), %ebx
	END
	RULE	uv_mov_store, "class UV: two of them pair", 2, "p5,p5mmx", 1, 1
	INIT
	mov	(XSI), %edx		/* neither store misses: see p5.S */
	BODY
	mov	%eax, (XSI)
	mov	%ebx, 4(XSI)
	END
	UV	lea
	lea	4(XCX), %eax
	lea	4(XDX), %ebx
	END
	UV	nop
	nop
	nop
	END
	UV	alu
	and	%ecx, %eax
	sub	%edx, %ebx
	END
	UV	alu_imm
	or	$1, %eax
	xor	$1, %ebx
	END
	UV	cmp
	cmp	%ecx, %eax
	cmp	%edx, %ebx
	END
	UV	test
	test	%ecx, %eax
	test	%edx, %ebx
	END
	UV	inc
	incl	%ecx
	decl	%ebx
	END
	RULE	uv_push, \
		"class UV: two PUSHes pair in spite of the stack pointer", 2, "p5,p5mmx", 1, 1
	INIT
	READ_STACK 2
	BODY
	push	XAX
	push	XCX
	END

	/* One of class PU pairs as the first of two and not as the second. */
	.macro	PU name:req, insn:vararg
	RULE	pu_\name\()_first, "class PU: first of two", 2, "p5,p5mmx", 1, 1
	BODY
	\insn
	mov	%ecx, %edx
	END
	RULE	pu_\name\()_second, "class PU: second of two", 2, "p5,p5mmx", 2, 0
	BODY
	mov	%ecx, %edx
	\insn
	END
	.endm

	PU	adc, adc %ebp, %eax
	PU	sbb, sbb %ebp, %eax
	PU	shl_imm, shl $3, %eax
	PU	rol_1, rol $1, %eax
	PU	rcr_1, rcr $1, %eax

	/* Class PV: a branch pairs as the second of two. */
	RULE	pv_jmp_second, "class PV: a jump behind an add", 2, "p5,p5mmx", 1, 1
	BODY
	add	%ecx, %eax
	jmp	1f
1:
	END
	RULE	pv_jmp_first, "class PV: an add behind a jump", 2, "p5,p5mmx", 2, 0
	BODY
	jmp	1f
1:	add	%ecx, %eax
	END
	RULE	pv_jcc_short, \
		"CMP and a short branch that is not taken: flags do not hinder it", 2, "p5,p5mmx", \
		1, 1
	BODY
	cmp	%eax, %eax
	jne	1f
1:
	END
	RULE	pv_jcc_near, "the same with the long form, 0F 85", 2, "p5,p5mmx", 1, 1
	BODY
	cmp	%eax, %eax
	.byte	0x0f, 0x85
	.long	0
	END
	RULE	pv_push_call, \
		"PUSH and CALL pair; a jump and the return with its 3 clocks do not", 4, "p5", 5, 1
	BODY
	push	XAX
	call	1f
	jmp	2f
1:	ret	$XSIZE
2:
	END

	/* Class NP: what is neither first nor second. */
	.macro	NP name:req, insn:vararg
	NP_INIT	\name
	BODY
	mov	%ebp, %ebp
	\insn
	mov	%ebp, %ebp
	END
	.endm

	.macro	NP_INIT name:req
	SNIPPET	p5pair.np_\name, \
		"class NP: an instruction before and one behind do not pair with it"
	TOTAL
	UNROLL	16
	ROUNDS	16
	INSNS	3
	EXPECT	"p5,p5mmx", "INSTRUCTIONS_EXECUTED_V_PIPE", 0, 0, FOG
	INIT
	.endm

	NP	mul, mul %ecx
	NP	shl_cl, shl %cl, %eax
	NP	cdq, cltd
	NP	xchg, xchg %eax, %ebx
	NP	neg, neg %eax
	NP	sete, sete %al
	NP_INIT	push_mem
	READ_STACK 1
	BODY
	mov	%ebp, %ebp
	push	(XSI)
	mov	%ebp, %ebp
	END
	NP	lodsb, lodsb
	NP	cld, cld
	NP	segment_read, mov %ds, %eax

	RULE	war, "written behind a read: pairs", 2, "p5,p5mmx", 1, 1
	BODY
	mov	%ecx, %eax
	mov	%edx, %ecx
	END
	RULE	waw, "written twice: does not pair", 2, "p5,p5mmx", 2, 0
	BODY
	mov	%ecx, %eax
	mov	%edx, %eax
	END
	RULE	flags_two, "two writers of flags pair", 2, "p5,p5mmx", 1, 1
	BODY
	shl	$1, %eax
	inc	%ecx
	END
	RULE	flags_adc, "a carry made and used: does not pair", 2, "p5,p5mmx", 2, 0
	BODY
	add	%ecx, %eax
	adc	%edx, %ebx
	END
	RULE	partial_read, "AL written, EAX read: does not pair", 2, "p5,p5mmx", 2, 0
	BODY
	movb	%cl, %al
	mov	%eax, %ebx
	END

	/* A 66h prefix costs a clock in the decoder and keeps the P54C's instruction in U. */
	RULE	prefix_second, \
		"a 16-bit add behind another instruction: not in V on a P54C", 2, "p5", 3, 0
	BODY
	mov	%ecx, %eax
	add	%dx, %bx
	END
	SNIPPET	p5pair.prefix_four, "four 16-bit adds: a clock each for the prefix"
	TOTAL
	INSNS	4
	EXPECT	"p5", "tsc", 8000, 8000, "derived: 1 and 1 for the prefix each"
	BODY
	add	%cx, %ax
	add	%cx, %bx
	add	%cx, %dx
	add	%cx, %bp
	END

	/* Lengths are known from the second run on; before, only one-byte instructions pair. */
	SNIPPET	p5pair.first_run_short, \
		"64 one-byte instructions, run 1, 2, 3 ... from empty caches"
	SERIES
	INSNS	64
	BODY
	.rept	64
	nop
	.endr
	END

	SNIPPET	p5pair.first_run_long, "64 two-byte instructions, run 1, 2, 3 ... from empty caches"
	SERIES
	INSNS	64
	BODY
	.rept	32
	mov	%ecx, %eax
	mov	%edx, %ebx
	.endr
	END

	SNIPPET	p5pair.segment_load, "ES loaded four times with what it holds"
	TOTAL
	OPS	4
	INSNS	4
	EXPECT	"p5,p5mmx", "tsc", 8000, 12000, "Intel: 2 or 3 clocks each"
	INIT
	mov	%es, %eax
	BODY
	.rept	4
	mov	%eax, %es
	.endr
	END

	/*
	 * The branch target buffer: a branch that it has seen taken costs a clock, and a branch
	 * that goes the other way costs a flush.
	 */
	SNIPPET	p5pair.btb_loop, \
		"a loop of 32 rounds: a pair each, and one wrong prediction at its end"
	TOTAL
	OPS	32
	INSNS	65
	EXPECT	"p5", "tsc", 36000, 38000, "derived: 1, 32 pairs, 4 for the flush in V"
	BODY
	mov	$32, %ecx
1:	dec	%ecx
	jnz	1b
	END

	SNIPPET	p5pair.btb_alternate, \
		"a branch taken every other time, 32 times: the two-bit counters cannot learn it"
	TOTAL
	OPS	32
	INSNS	145
	BODY
	mov	$32, %ecx
1:	test	$1, %cl
	jz	2f
	nop
2:	dec	%ecx
	jnz	1b
	END
