/*
 * tests/sim/guests/popcnt.S - POPCNT: sizes, memory, flags, a page that is not there. An AVX
 * instruction is undefined, and the simulator says that the real processor has it.
 */
#include "guest.inc"

test:	mov	$1, %eax
	cpuid
	shr	$23, %ecx
	and	$1, %ecx
	CHECK	"announced", %ecx, $1
	mov	$0xf0f0ffff, %ebx
	stc
	popcnt	%ebx, %ecx
	pushf
	pop	%edx
	CHECK	"32 bits", %ecx, $24
	and	$0x8d5, %edx
	CHECK	"flags", %edx, $0
	mov	$0x12345678, %ecx
	popcnt	%bx, %cx
	CHECK	"16 bits", %ecx, $0x12340010
	xor	%ebx, %ebx
	popcnt	%ebx, %ecx
	pushf
	pop	%edx
	and	$0x8d5, %edx
	CHECK	"zero", %edx, $0x40
	mov	$1, %esi
	popcnt	data(, %esi, 4), %ecx
	CHECK	"memory", %ecx, $3
	/* paging with 4 MB pages: the one at 4 MB is not there */
	movl	$0x83, pages
	mov	$pages, %eax
	mov	%eax, %cr3
	mov	%cr4, %eax
	or	$0x10, %eax
	mov	%eax, %cr4
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	mov	$7, %ecx
	TRY	1f
	popcnt	0x3ffffe, %ecx
1:	mov	%cr0, %eax
	and	$0x7fffffff, %eax
	mov	%eax, %cr0
	CHECK	"no page", last_vector, $14
	CHECK	"error code", last_error, $0
	mov	%cr2, %eax
	CHECK	"CR2", %eax, $0x400000
	CHECK	"nothing written", %ecx, $7
	TRY	1f
	vaddps	%ymm0, %ymm1, %ymm2
1:	CHECK	"AVX", last_vector, $6
	ret

	.data
data:	.long	0, 0x10101

	.bss
	.balign	4096
pages:	.skip	4096
	.text
