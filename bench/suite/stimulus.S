/*
 * A bit of everything that a core does, so that each event that is planned has moved once before
 * a 0 of it is believed (bench/result/stimulus.c). No number of these bodies means anything.
 */
#include "bench/snippet.inc"

/* XAX becomes the address of the instruction behind it. */
	.macro	HERE
	call	7f
7:	pop	XAX
	.endm

	SNIPPET	stimulus.common, "on every CPU: loads, stores, branches, divisions, far returns"
	STIMULUS
	BODY
	/* Walks 128 KiB: each line is read, and some are written. */
	mov	XSI, XDX
	mov	$2048, %ecx
1:	mov	(XDX), %eax
	mov	%eax, 4(XDX)
	add	$64, XDX
	dec	%ecx
	jnz	1b
	/* Branches that nothing foresees. */
	mov	$12345, %edx
	mov	$512, %ecx
2:	imul	$1103515245, %edx, %edx
	add	$12345, %edx
	test	$0x10000, %edx
	jz	3f
	inc	%ebx
3:	test	$0x200000, %edx
	jnz	4f
	inc	%ebx
4:	dec	%ecx
	jnz	2b
	/* An indirect jump, an indirect call, and a return to somewhere else. */
	HERE
	add	$5f - 7b, XAX
	jmp	*XAX
	nop
5:	HERE
	add	$6f - 7b, XAX
	call	*XAX
	jmp	5f
6:	nop
	ret
5:	HERE
	add	$6f - 7b, XAX
	push	XAX
	ret
	nop
6:	/* Arithmetic that takes long. */
	mov	$7, %ecx
	mov	$100000, %eax
	xor	%edx, %edx
	div	%ecx
	cdq
	idiv	%ecx
	mul	%ecx
	imul	%ecx, %eax
	rcl	$3, %eax
	shld	$5, %ecx, %eax
	bsf	%ecx, %eax
	bswap	%eax
	/* Across lines and pages, aligned and not; a load that a store cannot be forwarded to. */
	mov	62(XSI), %eax
	mov	%eax, 126(XSI)
	mov	4094(XSI), %eax
	mov	%eax, 8190(XSI)
	mov	1(XSI), %eax
	movb	%al, 200(XSI)
	movb	%al, 201(XSI)
	mov	200(XSI), %eax
	mov	%eax, 300(XSI)
	mov	4096 + 300(XSI), %edx
	mov	300(XSI), %edx
	/* Registers in parts; an address that is not ready; two loads from one bank. */
	movb	$1, %al
	add	%eax, %edx
	movw	$1, %ax
	add	%eax, %edx
	mov	XSI, XDX
	mov	(XDX), %eax
	mov	(XSI), %eax
	mov	32(XSI), %ecx
	lea	4(XSI), XDX
	/* Locked, the stack, strings, a segment register. */
	lock incl 400(XSI)
	xchg	%eax, 404(XSI)
	push	XAX
	pop	XAX
	push	XSI
	push	XDI
	mov	$64, %ecx
	rep movsl
	mov	$64, %ecx
	rep stosl
	pop	XDI
	pop	XSI
	mov	%ds, %eax
	mov	%eax, %ds
	mov	%ds, %eax
	mov	%eax, %es
	/* CPUID waits for all; a far return. */
	push	XBX
	xor	%eax, %eax
	cpuid
	pop	XBX
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
	END

	SNIPPET	stimulus.x87, "additions, multiplications, divisions and a denormal of the x87"
	STIMULUS
	NEEDS	"fpu"
	BODY
	fld1
	fldpi
	.rept	4
	fadd	%st(1), %st
	fmul	%st(1), %st
	fdiv	%st(1), %st
	fxch	%st(1)
	.endr
	fsqrt
	fstpl	(XSI)
	fstps	8(XSI)
	fildl	16(XSI)
	fistpl	16(XSI)
	movl	$1, 24(XSI)		/* a denormal number */
	flds	24(XSI)
	fld1
	faddp
	fstps	28(XSI)
	END

	SNIPPET	stimulus.mmx, "MMX of each kind, and EMMS"
	STIMULUS
	NEEDS	"mmx"
	BODY
	movd	%eax, %mm0
	movq	(XSI), %mm1
	paddd	%mm0, %mm1
	pmaddwd	%mm0, %mm1
	packuswb %mm0, %mm1
	punpcklbw %mm0, %mm1
	pand	%mm0, %mm1
	pslld	$3, %mm1
	movq	%mm1, 8(XSI)
	movd	%mm1, %eax
	emms
	END

	SNIPPET	stimulus.sse2, "misses of all caches, prefetches, fences, and vectors of floats"
	STIMULUS
	NEEDS	"clfsh sse2"
	BODY
	mov	XDI, XDX
	mov	$64, %ecx
1:	clflush	(XDX)
	add	$256, XDX
	dec	%ecx
	jnz	1b
	mfence
	mov	XDI, XDX
	mov	$64, %ecx
1:	mov	(XDX), %eax
	add	$256, XDX
	dec	%ecx
	jnz	1b
	HERE
	clflush	2f - 7b(XAX)
	mfence
	cpuid
	jmp	2f
	.balign	64
2:	prefetcht0 8192(XDI)
	prefetchnta 12288(XDI)
	clflush	(XDI)
	mfence
	mov	%eax, (XDI)
	movnti	%eax, 64(XDI)
	sfence
	lfence
	pause
	mov	$0x3f800000, %eax
	movd	%eax, %xmm0
	shufps	$0, %xmm0, %xmm0
	movaps	%xmm0, %xmm1
	.rept	4
	addps	%xmm0, %xmm1
	mulps	%xmm0, %xmm1
	divps	%xmm0, %xmm1
	sqrtps	%xmm0, %xmm1
	addss	%xmm0, %xmm1
	mulss	%xmm0, %xmm1
	.endr
	cvtps2pd %xmm0, %xmm0
	movapd	%xmm0, %xmm1
	.rept	4
	addpd	%xmm0, %xmm1
	mulpd	%xmm0, %xmm1
	divpd	%xmm0, %xmm1
	addsd	%xmm0, %xmm1
	mulsd	%xmm0, %xmm1
	.endr
	cvttsd2si %xmm1, %eax
	paddd	%xmm0, %xmm1
	pmuludq	%xmm0, %xmm1
	punpcklbw %xmm0, %xmm1
	pslld	$3, %xmm1
	movups	%xmm1, 60(XSI)
	movups	60(XSI), %xmm2
	mov	$1, %eax		/* a denormal number */
	movd	%eax, %xmm0
	addss	%xmm0, %xmm0
	mulss	%xmm0, %xmm0
	END

	SNIPPET	stimulus.avx, "vectors of 256 bits"
	STIMULUS
	NEEDS	"avx"
	BODY
	vmovups	(XSI), %ymm0
	.rept	4
	vaddps	%ymm0, %ymm0, %ymm1
	vmulps	%ymm0, %ymm1, %ymm1
	vaddpd	%ymm0, %ymm0, %ymm1
	vmulpd	%ymm0, %ymm1, %ymm1
	.endr
	vmovups	%ymm1, 64(XSI)
	vzeroupper
	END

	SNIPPET	stimulus.system, "page walks of data and code, a port, a control register"
	STIMULUS
	PRIVILEGED
	BODY
	mov	XSI, XDX
	mov	$16, %ecx
1:	invlpg	(XDX)
	mov	(XDX), %eax
	invlpg	(XDX)
	mov	%eax, (XDX)
	add	$4096, XDX
	dec	%ecx
	jnz	1b
	HERE
	invlpg	(XAX)
	jmp	2f
2:	mov	%cr3, XAX
	mov	XAX, %cr3
	inb	$0x61, %al
	END

	SNIPPET	stimulus.cold, "loads after WBINVD"
	STIMULUS
	PRIVILEGED
	BODY
	wbinvd
	mov	XDI, XDX
	mov	$256, %ecx
1:	mov	(XDX), %eax
	mov	%eax, 4(XDX)
	add	$64, XDX
	dec	%ecx
	jnz	1b
	END
