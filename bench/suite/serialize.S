/*
 * Instructions that wait for everything before them or keep back what comes behind them, and other
 * expensive ways to go on: what each costs on its own.
 */
#include "bench/snippet.inc"

#ifdef __x86_64__
#define FAR_INSNS 5
#define IRET_INSNS 10
#else
#define FAR_INSNS 4
#define IRET_INSNS 5
#endif

	.macro	COST name:req, what:req, insns:req, needs
	SNIPPET	serialize.\name, "\what"
	.ifnb	\needs
	NEEDS	"\needs"
	.endif
	INSNS	\insns
	.endm

	COST	cpuid, "CPUID, leaf 0", 2
	EXITS
	BODY
	xor	%eax, %eax
	cpuid
	END

	COST	lfence, "LFENCE", 1, "sse2"
	BODY
	lfence
	END

	COST	mfence, "MFENCE", 1, "sse2"
	BODY
	mfence
	END

	COST	sfence, "SFENCE", 1, "sse"
	BODY
	sfence
	END

	COST	store_mfence, "a store and MFENCE", 2, "sse2"
	BODY
	mov	%eax, (XSI)
	mfence
	END

	COST	locked_or, "a locked OR of the stack: the other full fence", 1
	BODY
	lock orl $0, (XSP)
	END

	COST	serialize, "SERIALIZE", 1, "serialize"
	BODY
	.byte	0x0f, 0x01, 0xe8
	END

	COST	rdtsc, "RDTSC", 1, "tsc"
	BODY
	rdtsc
	END

	COST	rdtscp, "RDTSCP", 1, "rdtscp"
	BODY
	rdtscp
	END

	COST	pushf_popf, "flags saved and loaded", 2
	BODY
	pushf
	popf
	END

	COST	segment_load, "ES loaded with what it holds", 1
	INIT
	mov	%es, %eax
	BODY
	mov	%eax, %es
	END

	COST	far_return, "a far return to the next instruction", FAR_INSNS
	BODY
#ifdef __x86_64__
	mov	%cs, %eax
	push	%rax
	call	1f
1:	addq	$3f - 1b, (%rsp)
	lretq
3:
#else
	push	%cs
	call	1f
1:	addl	$3f - 1b, (%esp)
	lret
3:
#endif
	END

	/* At CPL 0, so no change of privilege; SS and ESP are on the frame in 64-bit mode alone. */
	COST	iret, "an interrupt return to the next instruction, same privilege", IRET_INSNS
	BODY
#ifdef __x86_64__
	mov	%ss, %eax
	lea	(%rsp), %rcx
	push	%rax
	push	%rcx
	pushf
	mov	%cs, %eax
	push	%rax
	call	1f
1:	addq	$3f - 1b, (%rsp)
	iretq
3:
#else
	pushf
	push	%cs
	call	1f
1:	addl	$3f - 1b, (%esp)
	iret
3:
#endif
	END

	COST	cli, "CLI with interrupts off", 1
	PRIVILEGED
	BODY
	cli
	END

	COST	mov_cr0, "CR0 written with what it holds", 1
	PRIVILEGED
	INIT
	mov	%cr0, XAX
	BODY
	mov	XAX, %cr0
	END

	COST	mov_cr3, "CR3 written with what it holds: empties the TLB, flush filters aside", 1
	PRIVILEGED
	INIT
	mov	%cr3, XAX
	BODY
	mov	XAX, %cr3
	END

	COST	mov_dr7, "DR7 written with what it holds", 1
	PRIVILEGED
	EXITS
	INIT
	mov	%dr7, XAX
	BODY
	mov	XAX, %dr7
	END

	COST	invlpg, "INVLPG of a page of the data area", 1
	PRIVILEGED
	BODY
	invlpg	(XSI)
	END

	COST	invlpg_reload, "the same and a load from that page", 2
	PRIVILEGED
	BODY
	invlpg	(XSI)
	mov	(XSI), %eax
	END

	COST	rdmsr_tsc, "RDMSR of the time stamp counter", 2, "msr tsc"
	PRIVILEGED
	EXITS
	BODY
	mov	$0x10, %ecx
	rdmsr
	END

	COST	lgdt, "LGDT of what SGDT says", 1
	PRIVILEGED
	INIT
	sgdt	(XSI)
	BODY
	lgdt	(XSI)
	END

	COST	in_80, "port 80h read: the bus behind the chip set", 1
	PRIVILEGED
	EXITS
	BODY
	in	$0x80, %al
	END

	COST	wbinvd, "WBINVD with nothing to write back", 1
	PRIVILEGED
	EXITS
	UNROLL	1
	ROUNDS	1
	BODY
	wbinvd
	END

	COST	clflush_reload, "CLFLUSH of a line, then a load of it", 3, "clfsh sse2"
	BODY
	clflush	(XSI)
	mfence
	mov	(XSI), %eax
	END
