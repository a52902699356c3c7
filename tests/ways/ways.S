# The boot module of the covering array: two snippets.
#include "bench/snippet.inc"

	SNIPPET	ways.chain, "a chain of additions"
	INSNS	1
	BODY
	add	%ecx, %eax
	END

	SNIPPET	ways.load, "a load"
	INSNS	1
	BODY
	mov	(XSI), %eax
	END
