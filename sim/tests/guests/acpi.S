/*
 * sim/tests/guests/acpi.S - RSDP, RSDT, FADT and FACS, then a reset by the register of the FADT.
 */
#include "guest.inc"

test:	mov	0xf0010, %ebp		/* RSDT, at 16 of the RSDP */
	mov	4(%ebp), %ecx
	sub	$36, %ecx
	shr	$2, %ecx
	add	$36, %ebp
1:	mov	(%ebp), %ebx
	add	$4, %ebp
	cmpl	$0x50434146, (%ebx)	/* FACP */
	je	2f
	loop	1b
	PRINT	"no FADT\n"
	ret
2:	CHECK	"length", 4(%ebx), $244
	mov	4(%ebx), %ecx
	mov	%ebx, %esi
	xor	%edx, %edx
3:	lodsb
	add	%al, %dl
	loop	3b
	CHECK	"checksum", %edx, $0
	mov	36(%ebx), %esi
	CHECK	"FACS", (%esi), $0x53434146
	CHECK	"its length", 4(%esi), $64
	mov	%esi, %eax
	and	$63, %eax
	CHECK	"its place", %eax, $0
	CHECK	"the same by 64 bits", 132(%ebx), %esi
	mov	40(%ebx), %esi
	CHECK	"DSDT", 140(%ebx), %esi
	mov	112(%ebx), %eax
	and	$0x400, %eax
	CHECK	"there is a reset register", %eax, $0x400
	CHECK	"8 bits of a port", 116(%ebx), $0x00000801
	CHECK	"PM1a control", 172(%ebx), $0x00001001
	cmpl	$0, failures
	jne	4f
	mov	120(%ebx), %edx
	mov	128(%ebx), %al
	out	%al, %dx
4:	ret
