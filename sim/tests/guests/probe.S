/*
 * sim/tests/guests/probe.S - the same number of ticks on every machine that counts one an
 * instruction.
 *
 * Between the two readings: mov (1), 2000 rounds of 5 adds, dec and jnz (14000), mov (1) that saves
 * the first reading and the second RDTSC itself (1): 14003 = 36b3h.
 *
 * Then code that writes into the code right behind it: mov (1), mov (1), 100 rounds of 4 (400), and
 * the second RDTSC (1): 403 = 193h.
 */
#include "guest.inc"

test:	rdtsc
	mov	%eax, %esi
	mov	$2000, %ecx
1:	add	$1, %ebx
	add	$1, %ebp
	add	$1, %edi
	add	$1, %ebx
	add	$1, %ebp
	dec	%ecx
	jnz	1b
	rdtsc
	sub	%esi, %eax
	PRINT	"ticks "
	call	print_hex
	PRINT	"\n"
	CHECK	"ticks", %eax, $0x36b3

	rdtsc
	mov	%eax, %esi
	mov	$100, %ecx
1:	mov	%ecx, 2f + 1
2:	mov	$0, %eax
	dec	%ecx
	jnz	1b
	rdtsc
	sub	%esi, %eax
	CHECK	"ticks of patched code", %eax, $0x193
	TRY	1f			/* Zen: its P0 state */
	mov	$0xc0010064, %ecx
	rdmsr
	PRINT	"P0 "
	call	print_hex
	PRINT	"\n"
1:	movl	$0, resume_at
	ret
