/*
 * sim/tests/g_stride.S - Table 1 of Sprunt's "Pentium 4 performance-monitoring features" on the 8 KB
 * 4-way first-level cache of the Pentium 4: eight loads 8 KB apart fall into one set and, warm,
 * miss every time; four of them fit and miss never.
 *
 * Counted by replay tagging: PEBS_ENABLE and MATRIX_VERT select loads that missed L1, the replay
 * event counts the tagged ones that retire, in IQ counter 12.
 */
#include "guest.h"

	.macro	SETMSR msr, low
	mov	$\msr, %ecx
	xor	%edx, %edx
	mov	$\low, %eax
	wrmsr
	.endm

/* %edi loads, each 8 KB behind the one before */
loads:	mov	$0x1000000, %esi
1:	mov	(%esi), %eax
	add	$8192, %esi
	dec	%edi
	jnz	1b
	ret

/* ten rounds after a warm one: misses to %eax */
measure:
	mov	%ebx, %edi
	call	loads
	SETMSR	0x30c, 0
	SETMSR	0x36c, 0x3b000		/* enable, ESCR select 5, any thread */
	mov	$10, %ebp
1:	mov	%ebx, %edi
	call	loads
	dec	%ebp
	jnz	1b
	SETMSR	0x36c, 0
	mov	$12, %ecx
	rdpmc
	ret

test:	SETMSR	0x3f1, 0x1000001
	SETMSR	0x3f2, 1
	SETMSR	0x3cc, 0x12000208	/* replay_event, NBOGUS, OS */
	mov	$8, %ebx
	call	measure
	/* 80 loads and, in the stack, 10 returns that hit */
	CHECK	"8 lines in 4 ways", %eax, $80
	mov	$4, %ebx
	call	measure
	CHECK	"4 lines in 4 ways", %eax, $0
	ret
