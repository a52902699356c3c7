/*
 * Bodies whose events can be counted by hand: what bench/result/check.c holds the counters against.
 * The numbers of the EXPECT rows are counts per copy in thousandths; each instruction is worked out
 * in a comment beside it where it is not obvious.
 */
#include "bench/snippet.inc"

#define HAND "counted by hand"

	SNIPPET	check.alu, "ten instructions, none of which reads memory or branches"
	INSNS	10
	EXPECT	"*", "instructions", 10000, 10000, HAND
	EXPECT	"*", "branches", 0, 0, HAND
	EXPECT	"*", "taken-branches", 0, 0, HAND
	EXPECT	"*", "loads", 0, 0, HAND
	EXPECT	"*", "stores", 0, 0, HAND
	EXPECT	"*", "memory-refs", 0, 0, HAND
	EXPECT	"*", "x87-ops", 0, 0, HAND
	EXPECT	"*", "far-transfers", 0, 0, HAND
	BODY
	.rept	5
	add	$1, %eax
	xor	%edx, %ebx
	.endr
	END

	SNIPPET	check.branches, "a loop of five rounds, a jump and a call with its return"
	INSNS	18
	EXPECT	"*", "instructions", 18000, 18000, HAND
	EXPECT	"*", "branches", 10000, 10000, HAND
	EXPECT	"*", "taken-branches", 8000, 8000, HAND
	BODY
	mov	$5, %ecx		/*  1 instruction */
1:	dec	%ecx			/*  5 */
	jnz	1b			/*  5, 5 branches, 4 taken */
	jmp	2f			/*  1, 1, 1 */
	nop
2:	test	%ecx, %ecx		/*  1 */
	jnz	3f			/*  1, 1, 0: ECX is 0 */
	call	4f			/*  1, 1, 1 */
3:	jmp	5f			/*  1, 1, 1 */
4:	nop				/*  1 */
	ret				/*  1, 1, 1 */
5:
	END

	SNIPPET	check.memory, "four loads and three stores"
	INSNS	7
	EXPECT	"*", "instructions", 7000, 7000, HAND
	EXPECT	"*", "loads", 4000, 4000, HAND
	EXPECT	"*", "stores", 3000, 3000, HAND
	EXPECT	"*", "memory-refs", 7000, 7000, HAND
	EXPECT	"*", "cached-stores", 3000, 3000, HAND
	INIT				/* a P5 allocates no line for a store */
	mov	64(XSI), %eax
	mov	192(XSI), %eax
	mov	384(XSI), %eax
	BODY
	mov	(XSI), %eax
	mov	%eax, 64(XSI)
	mov	128(XSI), %ecx
	mov	%ecx, 192(XSI)
	mov	256(XSI), %edx
	mov	320(XSI), %eax
	mov	%edx, 384(XSI)
	END

	SNIPPET	check.x87, "three additions and a multiplication of the x87"
	NEEDS	"fpu"
	INSNS	4
	EXPECT	"*", "instructions", 4000, 4000, HAND
	EXPECT	"*", "x87-ops", 4000, 4000, HAND
	INIT
	fld1
	fld1
	BODY
	fadd	%st(1), %st
	fmul	%st(1), %st
	fadd	%st(1), %st
	fadd	%st(1), %st
	END

	SNIPPET	check.far, "two far returns to the next instruction"
	EXPECT	"*", "far-transfers", 2000, 2000, HAND
	BODY
	.rept	2
#ifdef __x86_64__
	mov	%cs, %eax
	push	%rax
	lea	9f(%rip), %rdx
	push	%rdx
	lretq
9:
#else
	push	%cs
	call	8f
8:	addl	$9f - 8b, (%esp)
	lret
9:
#endif
	.endr
	END
