/*
 * tests/sim/anyevent/events.S - events whose counts follow from the code: Intel's by the codes of
 * skylake, else AMD's by those of zen4.
 */
#include "tests/sim/guests/guest.inc"

	/* counts \event (unit mask and code) of what is between this and STOP */
	.macro	START event
	mov	$\event, %ebx
	call	start
	.endm

	.macro	STOP name, value
	call	stop
	CHECK	"\name", %eax, $\value
	.endm

test:	mov	%cr0, %eax
	and	$~4, %eax
	mov	%eax, %cr0
	xor	%eax, %eax
	cpuid
	cmp	$0x756e6547, %ebx	/* Genu */
	jne	amd

	/* four writes are of a line that has run since the last write, the fifth is not */
	START	0x04c3
	mov	$4, %esi
1:	call	patched
	mov	%esi, patched + 1
	dec	%esi
	jnz	1b
	mov	%esi, patched + 1
	STOP	"code written", 4
	START	0x04c3
	mov	%esi, unpatched
	mov	%esi, unpatched
	STOP	"data written", 0
	/* two at once are one */
	call	patched
	call	patched_too
	START	0x04c3
	mov	%esi, patched_too - 2
	STOP	"both lines written", 1

	START	0x200e
	.rept	3
	lea	4(%esi, %edi), %eax
	lea	(%esi, %edi), %eax
	lea	4(%esi), %eax
	.endr
	STOP	"slow LEA", 3

	fninit
	fld1
	fld1
	START	0x10b1
	.rept	3
	fadd	%st(1), %st
	add	%eax, %edx
	.endr
	STOP	"x87", 3
	ret

amd:	START	0x010b
	call	mmx
	STOP	"additions", 3
	START	0x020b
	call	mmx
	STOP	"subtractions", 2
	START	0x030b
	call	mmx
	STOP	"multiplications", 4
	START	0x040b
	call	mmx
	STOP	"multiplications that add", 1
	START	0x070b
	call	mmx
	STOP	"comparisons", 5
	ret

mmx:	paddb	%mm0, %mm1
	paddsw	%mm0, %mm1
	paddusb	%mm0, %mm1
	psubd	%mm0, %mm1
	psubusw	%mm0, %mm1
	.rept	4
	pmullw	%mm0, %mm1
	.endr
	pmaddwd	%mm0, %mm1
	.rept	5
	pcmpeqd	%mm0, %mm1
	.endr
	pxor	%mm0, %mm1
	emms
	ret

start:	push	%ebx
	xor	%eax, %eax
	cpuid
	cmp	$0x756e6547, %ebx
	pop	%ebx
	jne	1f
	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0xc1, %ecx
	wrmsr
	mov	$0x38f, %ecx
	mov	$1, %eax
	wrmsr
	lea	0x430000(%ebx), %eax
	mov	$0x186, %ecx
	wrmsr
	ret
1:	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0xc0010201, %ecx
	wrmsr
	lea	0x430000(%ebx), %eax
	dec	%ecx
	wrmsr
	ret

	/* %eax: the count */
stop:	xor	%eax, %eax
	push	%ebx
	cpuid
	cmp	$0x756e6547, %ebx
	pop	%ebx
	jne	1f
	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0x186, %ecx
	wrmsr
	mov	$0xc1, %ecx
	rdmsr
	ret
1:	xor	%eax, %eax
	xor	%edx, %edx
	mov	$0xc0010200, %ecx
	wrmsr
	inc	%ecx
	rdmsr
	ret

	.balign	64
patched:
	mov	$0, %eax
	ret
	.balign	64
patched_too:
	mov	$0, %eax
	ret
	.balign	64
unpatched:
	.skip	64
