/*
 * Store forwarding: a load that needs what a store before it has not yet put into the cache. The
 * chain goes through memory: each copy's store takes its value from the load of the copy before.
 */
#include "bench/snippet.inc"

	.macro	FORWARD name:req, what:req, insns=2
	SNIPPET	forward.\name, "\what"
	OPS	1
	INSNS	\insns
	.endm

	FORWARD	same, "a dword stored and loaded"
	BODY
	mov	%eax, (XSI)
	mov	(XSI), %eax
	END

	FORWARD	byte_of_dword, "a dword stored, its first byte loaded", 2
	BODY
	mov	%eax, (XSI)
	movzbl	(XSI), %eax
	END

	FORWARD	high_byte, "a dword stored, its third byte loaded", 2
	BODY
	mov	%eax, (XSI)
	movzbl	2(XSI), %eax
	END

	FORWARD	wider_load, "a word stored, the dword around it loaded: cannot be forwarded whole"
	BODY
	mov	%ax, (XSI)
	mov	(XSI), %eax
	END

	FORWARD	two_stores, "two words stored, one dword loaded: from two stores at once", 3
	BODY
	mov	%ax, (XSI)
	mov	%ax, 2(XSI)
	mov	(XSI), %eax
	END

	FORWARD	shifted, "a dword stored, a dword two bytes on loaded"
	BODY
	mov	%eax, (XSI)
	mov	2(XSI), %eax
	END

	FORWARD	split_line, "a dword stored and loaded across a line"
	BODY
	mov	%eax, 62(XSI)
	mov	62(XSI), %eax
	END

	FORWARD	split_page, "a dword stored and loaded across a page"
	BODY
	mov	%eax, 4094(XSI)
	mov	4094(XSI), %eax
	END

	FORWARD	vector, "16 bytes stored and loaded"
	NEEDS	"sse2"
	BODY
	movups	%xmm0, (XSI)
	movups	(XSI), %xmm0
	END

	FORWARD	vector_half, "16 bytes stored, the upper 8 loaded"
	NEEDS	"sse2"
	BODY
	movups	%xmm0, (XSI)
	movq	8(XSI), %xmm0
	END

	/* The chain is ADD alone; the load needs nothing that the store writes. */
	FORWARD	alias, "a store, then a load 4096 bytes on that waits for its address in vain", 3
	BODY
	mov	%ecx, (XSI)
	mov	4096(XSI), %edx
	add	%edx, %eax
	END

	FORWARD	alias_control, "the same, 4160 bytes on", 3
	BODY
	mov	%ecx, (XSI)
	mov	4160(XSI), %edx
	add	%edx, %eax
	END

	FORWARD	address_late, "a load behind a store whose address comes late", 3
	BODY
	imul	$1, XBX, XBX
	mov	%ecx, (XBX)
	mov	(XSI), %eax
	END
