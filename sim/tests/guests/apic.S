/*
 * sim/tests/guests/apic.S - what --fault apic and spurious do to the local APIC.
 *
 * The guest looks at the APIC and says what it sees; runs.txt knows what each
 * fault must look like.
 */
#include "guest.inc"

#define APIC 0xfee00000

test:	mov	$1, %eax
	cpuid
	mov	%edx, %eax
	shr	$9, %eax
	and	$1, %eax
	PRINT	"announced "
	call	print_hex
	PRINT	" version "
	mov	APIC + 0x30, %eax
	and	$0xff, %eax
	call	print_hex

	/* two writes in a row, then two with a read between them */
	movl	$0x1ff, APIC + 0xf0
	mov	APIC + 0xf0, %eax
	movl	$1, APIC + 0x380
	movl	$0x10044, APIC + 0x320
	mov	APIC + 0x320, %eax
	PRINT	" in a row "
	call	print_hex
	movl	$1, APIC + 0x380
	mov	APIC + 0x380, %eax
	movl	$0x10045, APIC + 0x320
	mov	APIC + 0x320, %eax
	PRINT	" apart "
	call	print_hex

	/* masking an entry */
	IRQ	15, spurious
	sti
	mov	APIC + 0x340, %eax
	movl	$0x00046, APIC + 0x340
	mov	APIC + 0x340, %eax
	movl	$0x10046, APIC + 0x340
	nop
	nop
	cli
	PRINT	" spurious "
	mov	count, %eax
	call	print_hex
	PRINT	"\n"
	ret

spurious:
	incl	count
	ret

	.bss
count:	.long	0
