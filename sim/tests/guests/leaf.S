/*
 * sim/tests/guests/leaf.S - the simulator's own CPUID leaves, then the debug-exit port with no
 * `done` before it.
 */
#include "guest.inc"

	.macro	SHOW leaf, ecx, reg
	mov	$\leaf, %eax
	mov	$\ecx, %ecx
	cpuid
	mov	%\reg, %eax
	call	print_hex
	PRINT	" "
	.endm

test:	SHOW	0x4000c000, 0, ebx
	SHOW	0x4000c000, 0, ecx
	SHOW	0x4000c001, 0, eax
	SHOW	0x4000c002, 0x00c0, eax
	SHOW	0x4000c002, 0xffff, eax
	PRINT	"\n"
	mov	$0xf4, %dx
	mov	$0x15, %al
	out	%al, %dx
1:	jmp	1b
