/*
 * Accesses that lie across two lines or two pages, beside the same ones aligned: throughput of
 * loads, stores, read-modify-writes and locked operations. Lines are taken as 64 bytes, which a
 * line of 32 also ends at.
 */
#include "bench/snippet.inc"

	.macro	SPLIT name:req, at:req, insn:req, word
	SNIPPET	split.\name, "a dword access \at bytes into the area"
	\word
	INSNS	1
	BODY
	\insn	\at(XSI)
	END
	.endm

	.macro	WHERE name:req, insn:req
	SPLIT	\name\()_aligned, 64, "\insn"
	SPLIT	\name\()_inside, 65, "\insn"
	SPLIT	\name\()_line, 62, "\insn"
	SPLIT	\name\()_page, 4094, "\insn"
	.endm

	WHERE	load, "cmpl $0,"
	WHERE	store, "movl $0,"
	WHERE	rmw, "incl"

	SPLIT	locked_aligned, 64, "lock incl"

	/* May trap where the system forbids split locks; an operating system may slow them down. */
	SPLIT	locked_line, 62, "lock incl", PRIVILEGED

	SNIPPET	split.vector_aligned, "16-byte loads, aligned"
	NEEDS	"sse2"
	INSNS	1
	BODY
	movups	64(XSI), %xmm0
	END

	SNIPPET	split.vector_line, "16-byte loads across a line"
	NEEDS	"sse2"
	INSNS	1
	BODY
	movups	56(XSI), %xmm0
	END
