/*
 * sim/tests/anyevent/bodies.S - a boot module whose code makes the events of expected.txt happen.
 * What each body does is counted there by hand. The number in a comment is how many times the
 * instruction retires, where that is not once.
 */
#include "bench/snippet.inc"

/* XAX = the address of label 770: a call, a return, a jump. */
	.macro	HERE
	call	771f
770:	jmp	772f
771:	mov	(XSP), XAX
	ret
772:
	.endm

	SNIPPET	any.loads, "eight loads of eight lines, four loads of one"
	BODY
	.irp	line, 0, 1, 2, 3, 4, 5, 6, 7
	mov	64*\line(XSI), %eax
	.endr
	.rept	4
	mov	(XDI), %edx
	.endr
	END

	SNIPPET	any.stores, "nine stores of nine lines"
	BODY
	.irp	line, 0, 1, 2, 3, 4, 5, 6, 7, 8
	mov	%eax, 64*\line(XSI)
	.endr
	END

	SNIPPET	any.rmw, "three additions to memory"
	BODY
	.rept	3
	addl	$1, (XSI)
	.endr
	END

	SNIPPET	any.locked, "four locked operations"
	BODY
	.rept	3
	lock addl $1, (XSI)
	.endr
	xchg	%eax, (XSI)
	END

	/* 18 branches: 6 conditional, 5 jumps, 2 + 1 calls, an indirect jump, 3 returns */
	SNIPPET	any.branches, "each kind of branch"
	BODY
	mov	$4, %ecx
1:	dec	%ecx
	jnz	1b			/* 4, 3 taken */
	test	%ecx, %ecx
	jnz	2f			/* not taken */
	jnz	2f			/* not taken */
2:	jmp	3f
3:	jmp	4f
	nop
4:	call	5f
	jmp	6f
5:	ret
6:	HERE				/* call, ret, jmp */
	add	$(8f - 770b), XAX
	call	*XAX			/* to 8 */
	jmp	9f
8:	add	$(7f - 8b), XAX
	ret
9:	jmp	*XAX			/* to 7 */
	nop
7:
	END

	SNIPPET	any.mispredict, "branches by chance, and returns from too deep"
	BODY
	mov	$0x1234567, %ebp
	mov	$128, %ecx
1:	imul	$1103515245, %ebp, %ebp
	add	$12345, %ebp
	test	$0x10000, %ebp
	jz	2f
	nop
2:	HERE
	mov	%ebp, %edx
	shr	$17, %edx
	and	$1, %edx
	shl	$4, %edx
	add	XDX, XAX
	add	$(3f - 770b), XAX
	jmp	*XAX
	.balign	16
3:	jmp	4f
	.balign	16
	jmp	4f
	.balign	16
4:	HERE
	add	XDX, XAX
	add	$(5f - 770b), XAX
	call	*XAX
	jmp	6f
	.balign	16
5:	ret
	.balign	16
	ret
	.balign	16
6:	dec	%ecx
	jnz	1b
	mov	$100, %ecx
	call	8f
	jmp	9f
8:	dec	%ecx
	jz	7f
	call	8b
7:	ret
9:
	END

	SNIPPET	any.integer, "three multiplications, five divisions"
	BODY
	.rept	3
	imul	%ecx, %eax
	.endr
	.rept	5
	mov	$7, %eax
	xor	%edx, %edx
	div	%ecx
	.endr
	END

	SNIPPET	any.x87, "three additions, two multiplications, a division"
	NEEDS	"fpu"
	INIT
	fld1
	fld1
	BODY
	.rept	3
	fadd	%st(1), %st
	.endr
	fmul	%st(1), %st
	fmul	%st(1), %st
	fdiv	%st(1), %st
	END

	SNIPPET	any.mmx, "each kind of MMX instruction, between two of the x87, EMMS last"
	NEEDS	"mmx"
	BODY
	fld1
	fstp	%st
	emms
	paddw	%mm1, %mm0
	paddw	%mm1, %mm0
	psubw	%mm1, %mm0
	pcmpeqw	%mm1, %mm2
	paddsw	%mm1, %mm0
	pmullw	%mm1, %mm0
	psllw	$1, %mm0
	psrlw	$1, %mm0
	packsswb %mm1, %mm0
	punpcklbw %mm1, %mm0
	pand	%mm1, %mm0
	pxor	%mm1, %mm0
	movq	(XSI), %mm3
	movq	%mm3, 8(XSI)
	fnop
	emms
	END

	SNIPPET	any.sse, "single precision: packed 2 + 2 * 1, scalar 3, and what is no arithmetic"
	NEEDS	"sse"
	INIT
	xorps	%xmm0, %xmm0
	xorps	%xmm1, %xmm1
	BODY
	addps	%xmm1, %xmm0
	mulps	%xmm1, %xmm0
	addss	%xmm1, %xmm0
	addss	%xmm1, %xmm0
	subss	%xmm1, %xmm0
	xorps	%xmm2, %xmm2
	movaps	%xmm0, %xmm3
	END

	SNIPPET	any.sse2, "double precision and 128-bit integers"
	NEEDS	"sse2"
	INIT
	xorpd	%xmm0, %xmm0
	xorpd	%xmm1, %xmm1
	pxor	%xmm4, %xmm4
	BODY
	addpd	%xmm1, %xmm0
	mulsd	%xmm1, %xmm0
	mulsd	%xmm1, %xmm0
	sqrtsd	%xmm1, %xmm0
	paddd	%xmm4, %xmm5
	psubd	%xmm4, %xmm5
	pcmpeqd	%xmm4, %xmm5
	pmuludq	%xmm4, %xmm5
	pslld	$1, %xmm5
	packssdw %xmm4, %xmm5
	punpckldq %xmm4, %xmm5
	pand	%xmm4, %xmm5
	pshufd	$0, %xmm4, %xmm5
	END

	SNIPPET	any.cold, "eight loads, eight stores and their code after WBINVD"
	PRIVILEGED
	BODY
	wbinvd
	jmp	1f
	.balign	64
1:	.irp	line, 0, 1, 2, 3, 4, 5, 6, 7
	mov	64*\line(XSI), %eax
	mov	%eax, 64*\line(XDI)
	.endr
	END

	SNIPPET	any.l2, "128 KiB read and written twice: they miss L1 and hit L2"
	BODY
	mov	$2, %edx
1:	mov	XSI, XAX
	mov	$4096, %ecx
2:	mov	(XAX), %ebp
	mov	%ebp, (XAX)
	add	$32, XAX
	dec	%ecx
	jnz	2b
	dec	%edx
	jnz	1b
	mov	XSI, XAX
	mov	$4096, %ecx
3:	mov	%ecx, (XAX)
	add	$32, XAX
	dec	%ecx
	jnz	3b
	END

	SNIPPET	any.translate, "loads, stores and code after a load of CR3"
	PRIVILEGED
	BODY
	mov	%cr3, XAX
	mov	XAX, %cr3
	mov	(XSI), %eax
	mov	%eax, 4096(XDI)
	END

	SNIPPET	any.store_walk, "a store after a load of CR3"
	PRIVILEGED
	BODY
	mov	%cr3, XAX
	mov	XAX, %cr3
	mov	%ecx, 4096(XDI)
	END

	SNIPPET	any.split, "three loads and two stores across a line, one of each across a page"
	BODY
	.rept	3
	mov	62(XSI), %eax
	.endr
	mov	%eax, 126(XSI)
	mov	%eax, 126(XSI)
	mov	4094(XSI), %eax
	mov	%eax, 8190(XSI)
	END

	SNIPPET	any.prefetch, "prefetches: NTA, T0 twice, T1, T2"
	NEEDS	"sse"
	BODY
	prefetchnta (XSI)
	prefetcht0 (XSI)
	prefetcht0 64(XSI)
	prefetcht1 (XSI)
	prefetcht2 (XSI)
	END

	SNIPPET	any.flush, "CLFLUSH, LFENCE twice"
	NEEDS	"clfsh sse2"
	BODY
	clflush	(XSI)
	lfence
	lfence
	END

	SNIPPET	any.ports, "three port reads, two writes"
	PRIVILEGED
	BODY
	in	$0x80, %al
	in	$0x80, %al
	in	$0x80, %al
	out	%al, $0x80
	out	%al, $0x80
	END

	SNIPPET	any.misc, "CPUID, two NOPs, PAUSE, a string of sixteen, a segment load"
	PRIVILEGED
	BODY
	xor	%eax, %eax
	cpuid
	nop
	nop
	pause
	mov	$16, %ecx
	cld
	rep	stosb
	mov	%ds, %eax
	mov	%eax, %ds
	END

	SNIPPET	any.far, "two far returns"
	BODY
	.rept	2
	mov	%cs, %eax
#ifdef __x86_64__
	push	%rax
	lea	9f(%rip), %rdx
	push	%rdx
	lretq
#else
	push	%eax
	call	8f
8:	addl	$(9f - 8b), (%esp)
	lret
#endif
9:
	.endr
	END

/* Lines of L1D that Prescott takes for one are 4 MiB apart. It runs the 64-bit kernel. */
#ifdef __x86_64__
	.equ	ALIAS, 4 << 20
#else
	.equ	ALIAS, 1 << 16
#endif

	SNIPPET	any.alias, "eight loads of two lines that are alike to NetBurst, in turn"
	BODY
	.rept	4
	mov	(XSI), %eax
	mov	ALIAS(XSI), %edx
	.endr
	END

	SNIPPET	any.forward, "loads of a part of a store in flight, of its first one, of more"
	BODY
	.rept	3
	mov	%eax, (XSI)
	movzbl	1(XSI), %edx
	.endr
	mov	%eax, (XSI)
	movzbl	(XSI), %edx
	.rept	2
	mov	%al, (XSI)
	mov	(XSI), %edx
	.endr
	END

	SNIPPET	any.smc, "writes: three of one KiB of code, one of the next, one of itself"
	BODY
	call	1f
1:	pop	XAX
	or	$1023, XAX
	.rept	3
	movb	$0, (XAX)
	.endr
	movb	$0, 1(XAX)
	call	3f
3:	pop	XAX
	movb	$0x90, 4f-3b(XAX)
4:	nop
	jmp	2f
	.skip	2048
2:
	END

	SNIPPET	any.moves, "moves between registers, two stores, what moves nothing"
	NEEDS	"fpu mmx sse2"
	BODY
	fld1
	fld	%st(0)
	fxch
	fstp	%st(1)
	fstp	%st
	emms
	movq	%mm1, %mm0
	movaps	%xmm1, %xmm0
	movdqa	%xmm1, %xmm0
	movaps	%xmm0, (XSI)
	movsd	%xmm0, 16(XSI)
	movaps	(XSI), %xmm0
	paddd	%xmm1, %xmm0
	mov	%ecx, %eax
	emms
	END
