/*
 * Latency of the commonest integer operations, each a chain that depends on itself, and the
 * throughput of independent adds. 32-bit operands, so that both kernels measure the same thing.
 */
#include "bench/snippet.inc"

	SNIPPET	alu.add_latency, "a chain of adds"
	DEFAULT
	STRAIGHT
	INSNS	1
	BODY
	add	%ecx, %eax
	END

	SNIPPET	alu.add_throughput, "adds to six registers"
	DEFAULT
	OPS	6
	STRAIGHT
	INSNS	6
	BODY
	add	%ecx, %eax
	add	%ecx, %edx
	add	%ecx, %ebx
	add	%ecx, %ebp
	add	%ecx, %esi
	add	%ecx, %edi
	END

	SNIPPET	alu.imul_latency, "a chain of multiplications"
	DEFAULT
	STRAIGHT
	INSNS	1
	BODY
	imul	%ecx, %eax
	END

	SNIPPET	alu.shl_latency, "a chain of shifts by an immediate"
	DEFAULT
	STRAIGHT
	INSNS	1
	BODY
	shl	$1, %eax
	END

	SNIPPET	alu.lea_latency, "a chain of address computations"
	DEFAULT
	STRAIGHT
	INSNS	1
	BODY
	lea	4(XAX), %eax
	END

	SNIPPET	alu.load_latency, "a chain of loads that hit the first-level cache"
	DEFAULT
	STRAIGHT
	INSNS	1
	INIT
	mov	%esi, (XSI)
	BODY
	mov	(XSI), %esi
	END

	SNIPPET	alu.store_forward, "a store and the load that reads it back"
	DEFAULT
	STRAIGHT
	INSNS	2
	OPS	1
	BODY
	mov	%eax, (XSI)
	mov	(XSI), %eax
	END
