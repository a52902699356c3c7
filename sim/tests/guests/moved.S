/*
 * sim/tests/guests/moved.S - IA32_APIC_BASE moves the registers of the local APIC (SDM volume 3A,
 * "Local APIC Status and Location").
 */
#include "guest.inc"

#define APIC 0xfee00000
#define THERE 0xfed40000

	.macro	MOVE to
	mov	$0x1b, %ecx
	xor	%edx, %edx
	mov	$(\to + 0x900), %eax
	wrmsr
	.endm

test:	mov	APIC + 0x30, %edi
	movl	$0x1f0, APIC + 0xf0
	MOVE	THERE
	CHECK	"version", THERE + 0x30, %edi
	CHECK	"spurious", THERE + 0xf0, $0x1f0
	CHECK	"old place", APIC + 0x30, $-1
	movl	$0x1ff, THERE + 0xf0
	movl	$0x1e0, APIC + 0xf0
	mov	$0x1b, %ecx
	rdmsr
	CHECK	"base", %eax, $(THERE + 0x900)
	MOVE	APIC
	CHECK	"back", APIC + 0xf0, $0x1ff
	CHECK	"nothing there", THERE + 0xf0, $-1
	/* the page of an APIC above its place of birth */
	MOVE	0xfffe0000
	CHECK	"above", 0xfffe00f0, $0x1ff
	ret
