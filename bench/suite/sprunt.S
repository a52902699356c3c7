/*
 * The benchmarks of B. Sprunt, "Pentium 4 performance-monitoring features" (IEEE Micro 22(4),
 * 2002). One of them is l1.thrash in bench/suite/memory.c. Here are a serial chain of adds of
 * floating point, independent loads that all miss the first-level cache, and loads behind a branch
 * that is often predicted wrong. The misses of those last loads are counted where
 * speculative misses count, but the loads never retire.
 */
#include "bench/snippet.inc"

#define SPRUNT "Sprunt 2002: five clocks"

	SNIPPET	sprunt.fp_add_latency, "a serial chain of x87 adds"
	NEEDS	"fpu"
	INSNS	1
	EXPECT	"netburst", "tsc", 5000, 5000, SPRUNT
	INIT
	fldz
	fldz
	BODY
	fadd	%st(1), %st
	END

	SNIPPET	sprunt.fp_add_throughput, "x87 adds that do not wait for each other"
	NEEDS	"fpu"
	OPS	4
	INSNS	8
	INIT
	.rept	5
	fldz
	.endr
	BODY
	.irp	n, 1, 2, 3, 4
	fadd	%st(4), %st
	fxch	%st(\n)
	.endr
	END

	/*
	 * Eight lines 8 KiB apart: one set of a 4-way cache of 8 KiB. The load and the loop of
	 * eight rounds are those of table 1 of the article. The least that such a loop needs
	 * besides is an address, an addition, a comparison and a branch. So a load has five uops
	 * on NetBurst.
	 */
	SNIPPET	sprunt.l1_miss, "independent loads, 8 KiB apart"
	OPS	8
	INSNS	41
	BODY
	xor	%ecx, %ecx
1:	lea	(XSI, XCX), XAX
	mov	(XAX), %eax
	add	$0x2000, %ecx
	cmp	$0x10000, %ecx
	jne	1b
	END

	SNIPPET	sprunt.l1_hit, "the control: independent loads of one line"
	OPS	8
	INSNS	8
	BODY
	.irp	at, 0, 1, 2, 3, 4, 5, 6, 7
	mov	4 * \at(XSI), %eax
	.endr
	END

	/*
	 * A branch asks the top bit of a random number, and learns the answer late. Where the bit
	 * is set the load below is not executed; fetched in the shadow of a wrong prediction, it
	 * reads a line anywhere in XDI's area. Where the bit is clear it is executed and reads
	 * XDI's first line. So whatever misses the cache here never retires.
	 */
	.macro	SHADOW name:req, what:req
	SNIPPET	sprunt.\name, "\what"
	INSNS	18
	INIT
	rdtsc
	BODY
	imul	$1664525, %eax, %eax
	add	$1013904223, %eax
	mov	%eax, %ebp
	shr	$16, %ebp
	and	$0xffc0, %ebp
	mov	%eax, %ecx
	.endm

	.macro	SHADOW_LOAD
	.rept	4
	imul	$1, %ebx, %ebx
	.endr
	test	%ebx, %ebx
	js	1f
	mov	(XDI, XBP), %edx
	jmp	2f
1:	nop
	nop
2:
	.endm

	SHADOW	shadow, "loads in the shadow of a branch that goes either way at random"
	sar	$31, %ecx
	and	%ecx, %ebp
	mov	%eax, %ebx
	rol	$0, %ebx
	SHADOW_LOAD
	END

	SHADOW	shadow_control, "the same with a branch that always goes one way"
	xor	%ecx, %ecx
	and	%ecx, %ebp
	mov	%eax, %ebx
	shr	$1, %ebx
	SHADOW_LOAD
	END
