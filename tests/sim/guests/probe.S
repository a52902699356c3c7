/*
 * tests/sim/guests/probe.S - the same number of ticks on every machine that counts one an
 * instruction.
 *
 * Between the two readings: mov (1), 2000 rounds of 5 adds, dec and jnz (14000), mov (1) that saves
 * the first reading and the second RDTSC itself (1): 14003 = 36b3h.
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
	ret
