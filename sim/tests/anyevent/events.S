/*
 * sim/tests/anyevent/events.S - events whose counts follow from the code: AMD's by the codes of
 * zen4, else Intel's by those of skylake, nehalem, goldencove, the Pentium III or NetBurst.
 */
#include "sim/tests/guests/guest.inc"

	/* the same on NetBurst: counter and CCCR of the FLAME group */
	.macro	START4 escr, event, select
	mov	$\escr, %ecx
	mov	$\event | 0xc, %ebx
	mov	$\select << 13 | 3 << 16 | 1 << 12, %esi
	call	start4
	.endm

	.macro	STOP4 name, value
	call	stop4
	CHECK	"\name", %eax, $\value
	.endm

	/* counts \event (unit mask and code) of what is between this and STOP */
	.macro	START event
	mov	$\event, %ebx
	call	start
	.endm

	.macro	STOP name, value
	call	stop
	CHECK	"\name", %eax, $\value
	.endm

	/* what MSR 1A6H selects of that between the end of this and STOP */
	.macro	OFFCORE value
	wbinvd
	mov	$0x1a6, %ecx
	mov	$(\value) & 0xffffffff, %eax
	mov	$(\value) >> 32, %edx
	wrmsr
	START	0x01b7
	.endm

test:	mov	%cr0, %eax
	and	$~4, %eax
	mov	%eax, %cr0
	xor	%eax, %eax
	cpuid
	cmp	$0x756e6547, %ebx	/* Genu */
	jne	amd
	mov	$1, %eax
	cpuid
	and	$0xf00, %eax
	cmp	$0xf00, %eax
	je	netburst
	xor	%eax, %eax
	cpuid
	cmp	$10, %eax
	jb	p6
	mov	$1, %eax
	cpuid
	and	$0xfffff0, %eax
	cmp	$0x0106a0, %eax
	je	nehalem
	cmp	$0x0806f0, %eax
	je	goldencove
	cmp	$0x0206a0, %eax
	je	sandybridge
	cmp	$0x0206d0, %eax
	je	sandybridge
	cmp	$0x0b06d0, %eax
	je	sierraforest
	cmp	$0x0a06f0, %eax
	je	sierraforest

	/* four writes are of a line that has run since the last write, the fifth is not */
	START	0x04c3
	mov	$4, %esi
1:	call	patched
	mov	%esi, patched + 1
	dec	%esi
	jnz	1b
	mov	%esi, patched + 1
	STOP	"code written", 4
	START	0x04c3
	mov	%esi, unpatched
	mov	%esi, unpatched
	STOP	"data written", 0
	/* two at once are one */
	call	patched
	call	patched_too
	START	0x04c3
	mov	%esi, patched_too - 2
	STOP	"both lines written", 1

	START	0x200e
	.rept	3
	lea	4(%esi, %edi), %eax
	lea	(%esi, %edi), %eax
	lea	4(%esi), %eax
	.endr
	STOP	"slow LEA", 3

	OFFCORE	0x10001
	call	beyond
	STOP	"reads beyond L2", 20
	OFFCORE	0x3ffc400001
	call	beyond
	STOP	"reads from memory", 17
	OFFCORE	0x3fc0080001
	call	beyond
	STOP	"reads of unmodified lines of the last level", 2
	OFFCORE	0x3fc0040001
	call	beyond
	STOP	"reads of a modified line of the last level", 1
	OFFCORE	0x10002
	call	beyond
	STOP	"lines to be written", 1
	OFFCORE	0x10008
	call	beyond
	STOP	"modified lines out of L2", 1
	OFFCORE	0x3ffc400400
	call	beyond
	STOP	"lines that prefetches bring", 2

	fninit
	fld1
	fld1
	START	0x10b1
	.rept	3
	fadd	%st(1), %st
	add	%eax, %edx
	.endr
	STOP	"x87", 3

	/*
	 * An interrupt waits for STI, behind which a load reaches into a page that is not there.
	 * It comes before the first instruction of that handler, and all its stores count.
	 */
	mov	%cr4, %eax
	or	$0x10, %eax		/* PSE */
	mov	%eax, %cr4
	movl	$0x83, tables
	movl	$0xfec00093, tables + 4 * 0x3fb
	mov	$tables, %eax
	mov	%eax, %cr3
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	IRQ	14, page_fault
	movb	$0xef, idt + 8 * 14 + 5	/* a trap gate: it leaves interrupts on */
	IRQ	0x40, interrupt
	movl	$0x1ff, 0xfee000f0
	START	0x42d0
	movl	$0x40040, 0xfee00300
	sti
	mov	0x3ffffe, %eax
	cli
	STOP	"split stores of an interrupt behind a fault", 10
	CHECK	"interrupted", interrupted_at, $stubs+16*14
	ret

	/*
	 * One line is written, seventeen others of its set in L1D and L2 come behind it: both lose
	 * it, and the last level has it modified. The next two it has as they were.
	 */
beyond:	mov	%eax, 0x2007c0
	.set	line, 0x2007c0
	.rept	17
	.set	line, line + 0x10000
	mov	line, %eax
	.endr
	mov	0x2007c0, %eax
	mov	0x2107c0, %eax
	mov	0x2207c0, %eax
	prefetcht0 0x400000
	prefetchnta 0x400040
	prefetcht0 0x400000
	prefetchw 0x400080
	ret

page_fault:
	addl	$5, 40(%ebp)		/* the length of that instruction */
	ret

interrupt:
	mov	40(%ebp), %eax
	mov	%eax, interrupted_at
	.rept	10
	mov	%eax, data + 62
	.endr
	movl	$0, 0xfee000b0
	ret

	/* a set of L1D has no place for a ninth line, L2 has */
	.macro	THROW_OUT
	.irp	page, 1, 2, 3, 4, 5, 6, 7, 8
	mov	data + 4096 * \page, %eax
	.endr
	.endm

nehalem:
	START	0x0406
	call	locks
	STOP	"reads that wait for retirement", 5
	START	0x10f4
	call	locks
	STOP	"split locks", 3
	START	0x1027
	call	locked
	STOP	"locked line that L2 lacks", 1
	START	0x4027
	call	locked
	STOP	"locked line that L2 has unmodified", 2
	START	0x8027
	call	locked
	STOP	"locked line that L2 has modified", 3
	START	0xe027
	call	locked
	STOP	"locked line that L2 has", 5
	START	0xf027
	call	locked
	STOP	"locked line that L1D lacks", 6
	START	0x0428
	call	locked
	STOP	"written back to an unmodified line", 1
	START	0x0828
	call	locked
	STOP	"written back to a modified line", 2

	/* two calls and a return are new, then none; the call of STOP is new each time */
	mov	$2, %edi
1:	START	0x01e5
	call	only_here
	call	only_here
	call	stop
	mov	%eax, %ebp
	cmp	$2, %edi
	jne	2f
	CHECK	"calls and returns that are new", %ebp, $4
2:	dec	%edi
	jnz	1b
	CHECK	"calls and returns that are known", %ebp, $0

	/* a call, two jumps, a return, a call, that of STOP; an indirect jump has no target yet */
	START	0x01e6
	call	jumps
	call	jumps
	STOP	"branches that decoders find", 6

	/* four fused uops beyond those of START and STOP; descriptors are read by microcode */
	START	0x020e
	call	stop
	mov	%eax, %ebp
	START	0x020e
	mov	%ds, %edx
	mov	%edx, %es
	mov	%edx, %es
	add	data, %eax
	mov	%eax, data
	addl	$1, data
	mov	data, %eax
	call	stop
	sub	%ebp, %eax
	CHECK	"fused", %eax, $4

	START	0x01d5
	mov	%edx, %es
	mov	%edx, %ds
	push	%es
	pop	%es
	STOP	"loads of ES", 2

	/* pages of 4 MiB: of three calls each enters a page and comes back */
	call	paging
	movb	$0xc3, data + 0x1000
	call	data + 0x1000
	START	0x0182
	call	stop
	mov	%eax, %ebp
	START	0x0182
	call	data + 0x1000
	call	data + 0x1000
	call	data + 0x1000
	call	stop
	sub	%ebp, %eax
	CHECK	"hits of the TLB of large pages", %eax, $6
	/* two flushes, and the page of the code is looked up anew */
	START	0x20c8
	mov	%cr3, %eax
	mov	%eax, %cr3
	mov	%eax, %cr3
	STOP	"pages of code that no TLB had", 2
	ret

	/* the first 4 MiB are there, and nothing else */
paging:	mov	%cr4, %eax
	or	$0x10, %eax		/* PSE */
	mov	%eax, %cr4
	movl	$0x83, tables
	mov	$tables, %eax
	mov	%eax, %cr3
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	ret

sandybridge:
	mov	%cr4, %eax
	or	$0x200, %eax		/* OSFXSR */
	mov	%eax, %cr4
	/* only the first two reads are in another page than their base */
	mov	$data + 4096 - 16, %esi
	START	0x01b6
	mov	16(%esi), %eax
	add	2047(%esi), %eax
	mov	12(%esi), %eax
	mov	2048(%esi), %eax
	mov	-4096(%esi), %eax
	mov	%eax, 16(%esi)
	mov	(%esi), %eax
	STOP	"bases in another page", 2
	START	0x8059
	mulps	%xmm0, %xmm1
	mulss	%xmm0, %xmm1
	mulpd	%xmm0, %xmm1
	mulsd	%xmm0, %xmm1
	addps	%xmm0, %xmm1
	divss	%xmm0, %xmm1
	STOP	"single multiplications", 2
	ret

	/* a page that is not there, twice, and no page fault */
sierraforest:
	call	paging
	START	0x20c3
	TRY	1f
	mov	0x400000, %eax
1:	TRY	1f
	mov	%eax, 0x400000
1:	TRY	1f
	ud2
1:	STOP	"page faults", 2
	ret

only_here:
	ret

jumps:	jmp	1f
	nop
1:	jmp	2f
	nop
2:	mov	$3f, %eax
	jmp	*%eax
	nop
3:	ret

locked:	wbinvd
	lock incl data
	lock incl data
	.rept	3
	THROW_OUT
	lock incl data
	.endr
	.rept	2
	wbinvd
	mov	data, %eax
	THROW_OUT
	lock incl data
	.endr
	ret

	/* three split ones, one of uncacheable memory, one of both, and what is neither */
locks:	lock incl data + 62
	lock incl data + 126
	xchg	%eax, data + 62
	lock incl data + 4
	xchg	%eax, data
	mov	data + 62, %eax
	incl	data + 62
	ret

uncached_locks:
	call	locks
	lock incl 0xb8000
	lock incl 0xb803e
	ret

goldencove:
	mov	%cr4, %eax
	or	$0x200, %eax		/* OSFXSR */
	mov	%eax, %cr4
	START	0x102c
	call	uncached_locks
	STOP	"bus locks", 5
	/* two lines that no cache has; PREFETCHW is another request */
	wbinvd
	START	0x2824
	call	reads_ahead
	STOP	"prefetched lines that L2 lacks", 2
	/* L1D has no place for a thirteenth line of a set */
	START	0xc824
	.set	line, 0x400000
	.rept	13
	.set	line, line + 0x1000
	mov	line, %eax
	.endr
	call	reads_ahead
	STOP	"prefetched lines that L2 has", 1
	/* the rows have HADDPS and DPPS on port 0, the others on ports 0 and 1 */
	START	0x01b3
	haddps	%xmm0, %xmm1
	haddps	%xmm0, %xmm1
	dpps	$0xff, %xmm0, %xmm1
	STOP	"arithmetic on port 0", 3
	START	0x06b3
	haddps	%xmm0, %xmm1
	haddps	%xmm0, %xmm1
	dpps	$0xff, %xmm0, %xmm1
	STOP	"arithmetic on other ports", 0
	START	0x07b3
	call	arithmetic
	STOP	"arithmetic", 9
	START	0x01b3
	call	arithmetic
	call	stop
	mov	%eax, %ebp
	START	0x02b3
	call	arithmetic
	call	stop
	add	%eax, %ebp
	CHECK	"arithmetic on ports 0 and 1", %ebp, $9
	START	0x04b3
	call	arithmetic
	STOP	"arithmetic on port 5", 0
	ret

reads_ahead:
	prefetcht0 0x400000
	prefetchnta 0x400040
	prefetcht0 0x400000
	prefetchw 0x400080
	ret

	/* nine uops that add, subtract or multiply; what else ports 0, 1 and 5 take */
arithmetic:
	addps	%xmm0, %xmm1
	addss	%xmm0, %xmm1
	addsubpd %xmm0, %xmm1
	subsd	data, %xmm1
	subpd	%xmm0, %xmm1
	mulps	%xmm0, %xmm1
	mulss	%xmm0, %xmm1
	mulpd	data, %xmm1
	mulsd	%xmm0, %xmm1
	divps	%xmm0, %xmm1
	sqrtss	%xmm0, %xmm1
	minps	%xmm0, %xmm1
	maxsd	%xmm0, %xmm1
	rcpps	%xmm0, %xmm1
	cmpps	$0, %xmm0, %xmm1
	shufps	$0, %xmm0, %xmm1
	paddd	%xmm0, %xmm1
	imul	%eax, %edx
	ret

amd:	START	0x010b
	call	mmx
	STOP	"additions", 3
	START	0x020b
	call	mmx
	STOP	"subtractions", 2
	START	0x030b
	call	mmx
	STOP	"multiplications", 4
	START	0x040b
	call	mmx
	STOP	"multiplications that add", 1
	START	0x070b
	call	mmx
	STOP	"comparisons", 5
	mov	%cr4, %eax
	or	$0x200, %eax		/* OSFXSR */
	mov	%eax, %cr4
	START	0x0a0b
	call	vectors
	STOP	"MMX moves", 3
	START	0x0b0b
	call	vectors
	STOP	"MMX shuffles", 2
	START	0x0c0b
	call	vectors
	STOP	"MMX pack", 1
	START	0x0e0b
	call	vectors
	STOP	"other MMX", 4
	START	0x500b
	call	vectors
	STOP	"AES", 2
	START	0xa00b
	call	vectors
	STOP	"integer moves", 5
	START	0xb00b
	call	vectors
	STOP	"integer shuffles", 3
	START	0xc00b
	call	vectors
	STOP	"integer pack", 1
	START	0xe00b
	call	vectors
	STOP	"other integer", 4
	START	0xf00b
	call	vectors
	STOP	"integer", 16
	START	0x0f0d
	call	vectors
	STOP	"packed integer", 16
	START	0x900a
	call	vectors
	STOP	"blend", 1
	START	0xb00a
	call	vectors
	STOP	"shuffle", 2
	START	0xe00a
	call	vectors
	STOP	"other vectors", 3
	START	0x0e0a
	call	vectors
	STOP	"other scalars", 2
	START	0xf00a
	call	vectors
	STOP	"vectors", 7

	/* lines of one set of L1D: the first are in L2 alone, then none is anywhere */
	.irp	page, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	mov	data + 4096 * \page, %eax
	.endr
	START	0x0159
	prefetcht0 data
	prefetcht0 data
	prefetchnta data + 4096
	STOP	"prefetched from L2", 2
	wbinvd
	START	0x0859
	prefetcht0 data
	prefetcht1 data + 64
	prefetchw data + 128
	prefetcht0 data + 4
	mov	data + 192, %eax
	STOP	"prefetched from memory", 3
	wbinvd
	START	0x0844
	prefetcht0 data
	mov	data + 64, %eax
	mov	%eax, data + 128
	STOP	"filled from memory", 3
	ret

	/* 3 MMX moves, 2 shuffles, 1 pack, 4 others; then 16 of integers, 7 vectors, 3 scalars */
vectors:
	movq	%mm0, %mm1
	movd	%eax, %mm1
	movq	data, %mm2
	pshufw	$0, %mm0, %mm1
	punpcklbw %mm0, %mm1
	packsswb %mm0, %mm1
	pavgb	%mm0, %mm1
	pmaxub	%mm0, %mm1
	pmovmskb %mm0, %eax
	emms
	movdqa	%xmm0, %xmm1
	movdqu	data, %xmm1
	movd	%eax, %xmm1
	movq	%xmm0, %xmm1
	movntdq	%xmm0, data + 4096
	pshufd	$0, %xmm0, %xmm1
	punpckldq %xmm0, %xmm1
	punpckhbw %xmm0, %xmm1
	packssdw %xmm0, %xmm1
	pavgw	%xmm0, %xmm1
	pmaxub	%xmm0, %xmm1
	pmovmskb %xmm0, %eax
	ptest	%xmm0, %xmm1
	pand	%xmm0, %xmm1
	aesenc	%xmm0, %xmm1
	aesdec	%xmm0, %xmm1
	movddup	%xmm0, %xmm1
	movaps	%xmm0, %xmm1
	addps	%xmm0, %xmm1
	blendps	$3, %xmm0, %xmm1
	shufps	$0, %xmm0, %xmm1
	unpcklpd %xmm0, %xmm1
	maxps	%xmm0, %xmm1
	minpd	%xmm0, %xmm1
	rcpps	%xmm0, %xmm1
	addss	%xmm0, %xmm1
	minsd	%xmm0, %xmm1
	rsqrtss	%xmm0, %xmm1
	movss	%xmm0, %xmm1
	ret

	/* Pentium III and M: nine lines of a set of L1D are too many */
p6:	mov	%cr4, %eax
	or	$0x200, %eax
	mov	%eax, %cr4
	START	0x01d5
	call	segments
	STOP	"ES renamed", 2
	START	0x02d5
	call	segments
	STOP	"DS renamed", 1
	START	0x04d5
	call	segments
	STOP	"FS renamed", 3
	START	0x08d5
	call	segments
	STOP	"GS renamed", 1
	START	0xd6
	call	segments
	STOP	"renamed", 7
	START	0xb2
	paddb	%mm0, %mm1
	pmullw	%mm0, %mm1
	movq	data, %mm2
	add	%eax, %edx
	STOP	"MMX uops", 3
	wbinvd
	START	0x4b
	call	prefetches
	STOP	"NTA that missed", 2
	wbinvd
	START	0x014b
	call	prefetches
	STOP	"T1 that missed", 1
	wbinvd
	START	0x024b
	call	prefetches
	STOP	"T2 that missed", 0
	START	0x0307
	movntq	%mm0, data
	movntps	%xmm0, data + 64
	movq	%mm0, data
	STOP	"weakly ordered", 2
	emms

	/* the branch target buffer has neither of four jumps nor the call of STOP */
	START	0xe6
	jmp	1f
1:	jmp	1f
1:	jmp	1f
1:	jmp	1f
1:	STOP	"jumps that the decoders found", 5
	/* it has a jump that was taken, and does not predict a branch that was not */
	mov	$2, %edi
1:	START	0xe6
	jmp	2f
2:	test	%edi, %edi
	jz	1b
	call	stop
	mov	%eax, %ebp
	dec	%edi
	jnz	1b
	CHECK	"jumps that it has", %ebp, $0

	/* fetch waits for a line of code that no cache has, then never */
	wbinvd
	START	0x86
	jmp	1f
	.balign	64
1:	call	stop
	cmp	$1, %eax
	sbb	%eax, %eax
	CHECK	"fetch waited", %eax, $0
	mov	$2, %edi
1:	START	0x86
	nop
	call	stop
	mov	%eax, %ebp
	dec	%edi
	jnz	1b
	CHECK	"fetch did not wait", %ebp, $0

	/* a line of code is written and thrown out of L1D: L2 has it modified */
	wbinvd
	mov	data, %eax
	movb	$0xc3, data		/* RET */
	.irp	page, 1, 2, 3, 4, 5, 6, 7, 8, 9
	mov	data + 4096 * \page, %eax
	.endr
	START	0x0828
	call	data
	STOP	"modified code", 1
	START	0x0428
	call	data
	STOP	"unmodified code", 0

	/* Pentium M, which has SSE2: loads with what computes, addresses with data of stores */
	mov	$1, %eax
	cpuid
	bt	$26, %edx
	jnc	1f
	.irp	mask, 0x01da, 0x02da, 0xda
	START	\mask
	call	stop
	mov	%eax, %ebp		/* START and STOP themselves */
	START	\mask
	.rept	3
	add	data, %eax
	.endr
	mov	%eax, data
	mov	%eax, data
	addl	$1, data
	mov	data, %eax
	add	%eax, %edx
	call	stop
	sub	%ebp, %eax
	.if	\mask == 0x01da
	CHECK	"fused loads", %eax, $4
	.elseif	\mask == 0x02da
	CHECK	"fused stores", %eax, $3
	.else
	CHECK	"fused", %eax, $7
	.endif
	.endr
1:	ret

segments:
	mov	%ds, %eax
	mov	%eax, %es
	mov	%eax, %es
	push	%eax
	pop	%ds
	mov	%eax, %fs
	mov	%eax, %fs
	push	%eax
	pop	%fs
	push	%eax
	push	$0
	lgs	(%esp), %ecx
	add	$8, %esp
	ret

prefetches:
	prefetchnta data
	prefetchnta data + 64
	prefetchnta data + 64
	prefetcht1 data + 128
	prefetcht2 data + 128
	ret

	/* x87_SIMD_moves_uop, loads: those of instructions on x87, MMX and XMM registers */
netburst:
	mov	%cr4, %eax
	or	$0x200, %eax
	mov	%eax, %cr4
	fninit
	START4	0x3a4, 0x2e << 25 | 0x10 << 9, 1
	flds	data
	fadds	data
	fstps	data
	movq	data, %mm0
	paddw	data, %mm0
	movq	%mm0, data
	movaps	data, %xmm0
	mov	data, %eax
	emms
	STOP4	"loads of vectors", 5
	ret

mmx:	paddb	%mm0, %mm1
	paddsw	%mm0, %mm1
	paddusb	%mm0, %mm1
	psubd	%mm0, %mm1
	psubusw	%mm0, %mm1
	.rept	4
	pmullw	%mm0, %mm1
	.endr
	pmaddwd	%mm0, %mm1
	.rept	5
	pcmpeqd	%mm0, %mm1
	.endr
	pxor	%mm0, %mm1
	emms
	ret

	/* %ecx: the ESCR, %ebx: its value, %esi: that of the CCCR */
start4:	xor	%edx, %edx
	mov	%ebx, %eax
	wrmsr
	mov	$0x308, %ecx
	xor	%eax, %eax
	wrmsr
	mov	$0x368, %ecx
	mov	%esi, %eax
	wrmsr
	ret

stop4:	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0x368, %ecx
	wrmsr
	mov	$0x308, %ecx
	rdmsr
	ret

start:	push	%ebx
	xor	%eax, %eax
	cpuid
	cmp	$0x756e6547, %ebx
	pop	%ebx
	jne	1f
	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0xc1, %ecx
	wrmsr
	push	%ebx
	xor	%eax, %eax
	cpuid
	pop	%ebx
	xor	%edx, %edx
	cmp	$10, %eax
	jb	2f
	mov	$0x38f, %ecx
	mov	$1, %eax
	wrmsr
2:	lea	0x430000(%ebx), %eax
	mov	$0x186, %ecx
	wrmsr
	ret
1:	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0xc0010201, %ecx
	wrmsr
	lea	0x430000(%ebx), %eax
	dec	%ecx
	wrmsr
	ret

	/* %eax: the count */
stop:	xor	%eax, %eax
	push	%ebx
	cpuid
	cmp	$0x756e6547, %ebx
	pop	%ebx
	jne	1f
	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0x186, %ecx
	wrmsr
	mov	$0xc1, %ecx
	rdmsr
	ret
1:	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0xc0010200, %ecx
	wrmsr
	inc	%ecx
	rdmsr
	ret

	.balign	64
patched:
	mov	$0, %eax
	ret
	.balign	64
patched_too:
	mov	$0, %eax
	ret
	.balign	64
unpatched:
	.skip	64
	.balign	4096
data:	.skip	10 * 4096
tables:	.skip	4096
interrupted_at:
	.long	0
