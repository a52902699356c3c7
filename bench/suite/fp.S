/*
 * Latency of scalar floating point, each a chain that depends on itself: x87, SSE2, and FMA where
 * the CPU has it. The operands are 1 and 0, so that no chain leaves the normal numbers: those take
 * the time that manuals print. Division and square root may take less for such easy operands.
 */
#include "bench/snippet.inc"

	SNIPPET	fp.x87_add_latency, "a chain of x87 additions of 0"
	NEEDS	"fpu"
	STRAIGHT
	INSNS	1
	INIT
	fninit
	fldz
	fld1
	BODY
	fadd	%st(1), %st
	END

	SNIPPET	fp.x87_mul_latency, "a chain of x87 multiplications by 1"
	NEEDS	"fpu"
	STRAIGHT
	INSNS	1
	INIT
	fninit
	fld1
	fld1
	BODY
	fmul	%st(1), %st
	END

	.macro	CHAIN name:req, what:req, needs:req, insn:vararg
	SNIPPET	\name, "\what"
	NEEDS	"\needs"
	STRAIGHT
	INSNS	1
	INIT
	mov	$1, %eax
	cvtsi2sd %eax, %xmm0
	cvtsi2ss %eax, %xmm2
	xorps	%xmm1, %xmm1
	movaps	%xmm0, %xmm3
	movaps	%xmm2, %xmm4
	BODY
	\insn
	END
	.endm

	CHAIN	fp.addsd_latency, "a chain of ADDSD of 0", "sse2", addsd %xmm1, %xmm0
	CHAIN	fp.addss_latency, "a chain of ADDSS of 0", "sse2", addss %xmm1, %xmm2
	CHAIN	fp.mulsd_latency, "a chain of MULSD by 1", "sse2", mulsd %xmm3, %xmm0
	CHAIN	fp.mulss_latency, "a chain of MULSS by 1", "sse2", mulss %xmm4, %xmm2
	CHAIN	fp.fmasd_latency, \
		"a chain of VFMADD213SD by 1 and 0", "sse2 avx fma", vfmadd213sd %xmm1, %xmm3, %xmm0
	CHAIN	fp.fmass_latency, \
		"a chain of VFMADD213SS by 1 and 0", "sse2 avx fma", vfmadd213ss %xmm1, %xmm4, %xmm2
	CHAIN	fp.divsd_latency, "a chain of DIVSD by 1", "sse2", divsd %xmm3, %xmm0
	CHAIN	fp.sqrtsd_latency, "a chain of SQRTSD of 1", "sse2", sqrtsd %xmm0, %xmm0
