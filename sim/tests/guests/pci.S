/*
 * sim/tests/guests/pci.S - configuration space of the PCI bus: two bridges and power management,
 * with the numbers that QEMU's machine `pc` has.
 */
#include "guest.inc"

	/* %eax = register \reg of function \function of bus 0 */
	.macro	CONFIG function, reg
	mov	$0xcf8, %dx
	mov	$0x80000000 + \function * 256 + \reg, %eax
	out	%eax, %dx
	mov	$0xcfc, %dx
	in	%dx, %eax
	.endm

	.macro	IS name, function, reg, value
	CONFIG	\function, \reg
	CHECK	"\name", %eax, $\value
	.endm

test:	mov	$0xcf8, %dx
	mov	$0x80ffff00, %eax
	out	%eax, %dx
	in	%dx, %eax
	CHECK	"the address", %eax, $0x80ffff00
	IS	"host bridge", 0x00, 0, 0x12378086
	IS	"its class", 0x00, 8, 0x06000002
	IS	"ISA bridge", 0x08, 0, 0x70008086
	IS	"its class", 0x08, 8, 0x06010000
	IS	"many functions", 0x08, 0xc, 0x00800000
	IS	"power management", 0x0b, 0, 0x71138086
	IS	"its class", 0x0b, 8, 0x06800003
	IS	"its base", 0x0b, 0x40, 0x601
	IS	"no device", 0xf8, 0, 0xffffffff
	IS	"no register", 0x00, 0x10, 0
	/* a byte, a word, and a write that only the writable bits take */
	CONFIG	0x08, 8
	mov	$0xcff, %dx
	in	%dx, %al
	movzx	%al, %eax
	CHECK	"byte", %eax, $6
	mov	$0xcfe, %dx
	in	%dx, %ax
	movzx	%ax, %eax
	CHECK	"word", %eax, $0x601
	CONFIG	0x08, 0x60
	mov	$0x80808080, %eax
	out	%eax, %dx
	mov	$0xcfd, %dx
	mov	$0x0b, %al
	out	%al, %dx
	IS	"PIRQB", 0x08, 0x60, 0x80800b80
	CONFIG	0x00, 0
	xor	%eax, %eax
	out	%eax, %dx
	IS	"read-only", 0x00, 0, 0x12378086
	/* without bit 31 nothing is selected */
	mov	$0xcf8, %dx
	xor	%eax, %eax
	out	%eax, %dx
	mov	$0xcfc, %dx
	in	%dx, %eax
	CHECK	"not enabled", %eax, $0xffffffff
	ret
