/*
 * sim/tests/guests/debug.S - debug registers: breakpoints on execution, writes, accesses and ports,
 * the resume flag, general detect, single steps beside them. A Pentium's counters see matches.
 */
#include "guest.inc"

	.macro	DR n, value
	mov	$\value, %eax
	mov	%eax, %dr\n
	.endm

	/* DR6 into %eax; it is empty then */
	.macro	CAUSE
	mov	%dr6, %eax
	xor	%edx, %edx
	mov	%edx, %dr6
	and	$0xe00f, %eax
	.endm

	/* the handler has seen this many, the last one here, with this DR6 */
	.macro	SEEN name, n, at, dr6
	CHECK	"\name: number", count, $\n
	CHECK	"\name: address", where, $\at
	CHECK	"\name: DR6", why, $\dr6
	movl	$0, count
	movl	$0, where
	movl	$0, why
	.endm

test:	IRQ	1, debug
	mov	%cr4, %eax
	or	$8, %eax
	mov	%eax, %cr4
	/* execution: a fault at the instruction, once, because the handler sets RF */
	DR	0, 1f
	DR	7, 0x1
	xor	%esi, %esi
	nop
1:	inc	%esi
	inc	%esi
	SEEN	"execution", 1, 1b, 1
	CHECK	"and it was executed", %esi, $2
	/* what is left of another one in DR6 goes */
	DR	6, 2
	DR	0, 1f
1:	nop
	SEEN	"after another", 1, 1b, 1
	/* in a loop each round */
	DR	1, 1f
	DR	7, 0x8
	mov	$3, %ecx
1:	loop	1b
	SEEN	"rounds", 3, 1b, 2
	/* a write of two bytes at DR2, trapped behind it; a load does nothing */
	DR	2, data + 2
	DR	7, (0x20 + (5 << 24))
	mov	data, %eax
	movb	$1, data + 1
	movb	$1, data + 4
	CHECK	"writes beside it", count, $0
	movl	$5, data
1:	SEEN	"write", 1, 1b, 4
	movb	$1, data + 3
1:	SEEN	"its second byte", 1, 1b, 4
	/* any access of four bytes, and both at once */
	DR	3, data
	DR	7, (0xa0 + (5 << 24) + (15 << 28))
	mov	data + 3, %al
1:	SEEN	"load", 1, 1b, 8
	push	%ebp
	mov	%esp, %ebp
	movl	$6, data
1:	pop	%ebp
	SEEN	"store", 1, 1b, 12
	/* each round of a string instruction, at itself until the last */
	mov	$data, %edi
	mov	$2, %ecx
	xor	%eax, %eax
	DR	7, (0x80 + (15 << 28))
	rep stosw
1:	SEEN	"string", 2, 1b, 8
	/* a port */
	DR	3, 0x80
	DR	7, (0x80 + (2 << 28))
	out	%al, $0x81
	CHECK	"another port", count, $0
	out	%al, $0x80
1:	SEEN	"port", 1, 1b, 8
	/* not enabled */
	DR	0, 1f
	DR	7, 0
1:	nop
	CHECK	"not enabled", count, $0
	/* a single step says BS, and a breakpoint it meets is named as well */
	DR	0, data
	DR	7, (2 + (1 << 16))
	pushf
	orl	$0x100, (%esp)
	popf
	movb	$0, data
1:	SEEN	"step", 1, 1b, 0x4001
	/* general detect, and the handler may use the registers */
	DR	7, 0x2000
1:	mov	%dr0, %ecx
	SEEN	"detect", 1, 1b, 0x2000
	/* 23H: DR0 matches five times although it is not enabled */
	xor	%eax, %eax
	cpuid
	cmp	$0x756e6547, %ebx
	jne	9f
	mov	$1, %eax
	cpuid
	shr	$8, %eax
	and	$15, %eax
	cmp	$5, %eax
	jne	9f
	DR	0, data
	DR	7, (1 << 16)
	mov	$0x11, %ecx
	mov	$0xe3, %eax		/* CPL 0 and 3 */
	xor	%edx, %edx
	wrmsr
	mov	$0x12, %ecx
	xor	%eax, %eax
	wrmsr
	mov	$5, %ecx
1:	movb	$1, data
	loop	1b
	mov	$0x12, %ecx
	rdmsr
	CHECK	"event 23H", %eax, $5
9:	ret

debug:	incl	count
	mov	40(%ebp), %eax
	mov	%eax, where
	CAUSE
	mov	%eax, why
	andl	$~0x100, 48(%ebp)
	test	$0x200f, %eax
	jz	1f
	orl	$0x10000, 48(%ebp)
1:	ret

	.data
data:	.long	0, 0
count:	.long	0
where:	.long	0
why:	.long	0
