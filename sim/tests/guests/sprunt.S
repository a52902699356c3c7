/*
 * sim/tests/guests/sprunt.S - the experiment of Table 1 in B. Sprunt, "Pentium 4
 * Performance-Monitoring Features" (IEEE Micro, July 2002), for the model p4.
 *
 * `mov (%eax), %eax` walks a ring of lines that lie 8 KB apart. All fall into one set of the 8 KB
 * 4-way L1 data cache: a ring of 8 misses on every access, a ring of 4 on none once it is warm.
 * Counted with replay_event and the metric 1stL_cache_load_miss_retired, then sampled with PEBS.
 */
#include "guest.inc"

	.set	RING, 0x200760		/* Table 1 has addresses that end in 760h, too */
	.set	STRIDE, 0x2000
	.set	BUFFER, 0x300000
	.set	SAMPLES, 800
	.set	PERIOD, 101		/* 100 until the overflow, the next one is recorded */

	.macro	SET_MSR msr, low, high=0
	mov	$\msr, %ecx
	mov	$\low, %eax
	mov	$\high, %edx
	wrmsr
	.endm

	.macro	READ_COUNTER msr
	mov	$\msr, %ecx
	rdmsr
	.endm

/* Links %ecx lines to a ring. */
make_ring:
	mov	$RING, %edi
1:	lea	STRIDE(%edi), %eax
	mov	%eax, (%edi)
	mov	%edi, %edx
	mov	%eax, %edi
	loop	1b
	movl	$RING, (%edx)
	ret

/* Walks the ring %ecx times 8 steps. No other load in the loop. */
walk:	mov	$RING, %eax
	.balign	16
1:
target:	mov	(%eax), %eax
	.rept	7
	mov	(%eax), %eax
	.endr
	dec	%ecx
	jnz	1b
	ret

/* IQ_CCCR0 counts replay_event NBOGUS of CPL 0, all else off. */
count_misses:
	SET_MSR	0x36c, 0
	SET_MSR	0x3f1, 0x01000001
	SET_MSR	0x3f2, 0x1
	SET_MSR	0x3cc, (9 << 25 | 1 << 9 | 8)
	SET_MSR	0x30c, 0
	SET_MSR	0x36c, (1 << 12 | 5 << 13 | 3 << 16)
	ret

stop:	SET_MSR	0x36c, 0
	SET_MSR	0x370, 0
	ret

test:	/* 8 lines, 1000 times: 8000 loads, 8000 misses; the RET of walk hits the stack */
	mov	$8, %ecx
	call	make_ring
	mov	$100, %ecx
	call	walk
	call	count_misses
	mov	$1000, %ecx
	call	walk
	call	stop
	READ_COUNTER 0x30c
	CHECK	"misses of 8 lines", %eax, $8000

	/* 4 lines: none after warming up (the stack lies in another set) */
	mov	$4, %ecx
	call	make_ring
	mov	$100, %ecx
	call	walk
	call	count_misses
	mov	$1000, %ecx
	call	walk
	call	stop
	READ_COUNTER 0x30c
	CHECK	"misses of 4 lines", %eax, $0

	/* PEBS: 80800 misses, every 101st recorded = 800 records, 100 for each of 8 addresses */
	mov	$8, %ecx
	call	make_ring
	movl	$BUFFER, ds_area + 0x10
	movl	$BUFFER, ds_area + 0x14
	movl	$BUFFER + 40 * SAMPLES, ds_area + 0x18
	movl	$BUFFER + 40 * SAMPLES, ds_area + 0x1c
	movl	$-(PERIOD - 1), ds_area + 0x20
	movl	$0xff, ds_area + 0x24
	mov	$8, %ecx
	call	walk
	mov	$0x600, %ecx
	mov	$ds_area, %eax
	xor	%edx, %edx
	wrmsr
	SET_MSR	0x3f1, 0x03000001
	SET_MSR	0x3f2, 0x1
	SET_MSR	0x3cc, (9 << 25 | 1 << 9 | 8)
	SET_MSR	0x310, -(PERIOD - 1), 0xff
	SET_MSR	0x370, (1 << 12 | 5 << 13 | 3 << 16)
	mov	$SAMPLES * PERIOD / 8, %ecx
	call	walk
	call	stop
	CHECK	"PEBS index", ds_area+0x14, $BUFFER+40*SAMPLES

	/* EAX at 08h says which line; EIP at 04h is one of the 8 loads: every 101st of 8, so all */
	mov	$BUFFER, %esi
	mov	$SAMPLES, %ecx
1:	mov	8(%esi), %eax
	sub	$RING, %eax
	test	$STRIDE - 1, %eax
	jnz	2f
	shr	$13, %eax
	cmp	$8, %eax
	jae	2f
	incl	histogram(,%eax,4)
	mov	4(%esi), %edx
	sub	$target, %edx
	shr	%edx			/* a load has two bytes */
	cmp	%eax, %edx		/* the loop walks line n with its load n */
	jne	2f
	jmp	3f
2:	incl	strays
3:	add	$40, %esi
	loop	1b
	CHECK	"records of another place", strays, $0
	.set	n, 0
	.rept	8
	CHECK	"records per address", histogram+4*n, $100
	.set	n, n + 1
	.endr
	ret

	.bss
	.balign	16
ds_area:	.skip	0x30
histogram:	.skip	32
strays:		.skip	4
