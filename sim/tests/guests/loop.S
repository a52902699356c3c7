/*
 * sim/tests/guests/loop.S - for measuring the simulator's speed: 20 million instructions in rounds
 * of ten, three loads, five ALU operations, dec and jnz. sim/tests/core/cost.sh has other ROUNDS.
 */
#include "guest.inc"

#ifndef ROUNDS
#define ROUNDS 2000000
#endif

test:	mov	$ROUNDS, %ecx
	mov	$gdt, %esi
1:	mov	(%esi), %eax
	add	8(%esi), %eax
	add	%eax, %ebx
	xor	%ebx, %edx
	mov	16(%esi), %edi
	add	$3, %edi
	sub	%edi, %edx
	lea	(%edx,%edi), %ebp
	dec	%ecx
	jnz	1b
	ret
