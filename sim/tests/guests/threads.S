/*
 * sim/tests/guests/threads.S - Sprunt's experiment with the two threads of one core
 * (docs/references.md): a serial chain of x87 adds, and independent loads that all miss the
 * first-level cache. Each runs alone, then on both threads at the same time. What must come out is
 * in uops a clock, all threads together: 0.21 and 0.41 for the adds, 1.23 and 0.65 for the loads.
 * A load has five uops: its address, itself, and the addition, comparison and branch of the loop.
 *
 * Adds that do not wait for each other show that the threads have one adder: one add a clock alone,
 * and together.
 */
#include "guest.inc"

#define APIC 0xfee00000
#define ADDS 4096		/* 256 in a row */
#define LOADS 8192
#define INDEPENDENT 7168	/* 224 in a row */

	/* uops * 1000 / clocks, for people and as a range */
	.macro	RATE name, uops, low, high
	PRINT	"\name, uops in 1000 clocks (hexadecimal): "
	mov	%eax, %ecx
	mov	$(\uops * 1000), %eax
	xor	%edx, %edx
	div	%ecx
	call	print_hex
	PRINT	"\n"
	xor	%ecx, %ecx
	cmp	$\low, %eax
	setae	%cl
	CHECK	"\name: not too low", %ecx, $1
	cmp	$\high, %eax
	setbe	%cl
	CHECK	"\name: not too high", %ecx, $1
	.endm

test:	mov	$trampoline, %esi
	mov	$0x8000, %edi
	mov	$trampoline_end - trampoline, %ecx
	rep movsb
	mov	$area, %esi
	mov	$1, %ebx
1:	call	adds			/* the second time from warm caches */
	mov	%eax, %ebp
	call	loads
	dec	%ebx
	jns	1b
	xchg	%eax, %ebp
	RATE	"adds, one thread", ADDS, 189, 231
	mov	%ebp, %eax
	RATE	"loads, one thread", (5 * LOADS), 1107, 1353
	call	independent
	call	independent
	RATE	"independent adds, one thread", INDEPENDENT, 950, 1050

	movl	$0x1ff, APIC + 0xf0
	movl	$0xc4500, APIC + 0x300
	movl	$0xc4608, APIC + 0x300
1:	pause
	cmpl	$1, arrived
	jne	1b
	movl	$1, go
	call	adds
	mov	%eax, %ebp
1:	pause
	cmpl	$2, arrived
	jne	1b
	movl	$2, go
	call	loads
	xchg	%eax, %ebp
	RATE	"adds, two threads", (2 * ADDS), 349, 471
	mov	%ebp, %eax
	RATE	"loads, two threads", (2 * 5 * LOADS), 553, 747
1:	pause
	cmpl	$3, arrived
	jne	1b
	movl	$3, go
	call	independent
	RATE	"independent adds, two threads", (2 * INDEPENDENT), 950, 1050
	ret

/* Clocks of the adds, in EAX. */
adds:	fninit
	fldz
	fldz
	mov	$(ADDS / 256), %ecx
	rdtsc
	mov	%eax, %edi
1:	.rept	256
	fadd	%st(1), %st
	.endr
	dec	%ecx
	jnz	1b
	rdtsc
	sub	%edi, %eax
	ret

/* Clocks of the independent adds, in EAX. */
independent:
	fninit
	.rept	8
	fldz
	.endr
	mov	$(INDEPENDENT / 224), %ecx
	rdtsc
	mov	%eax, %edi
1:	.rept	32
	.irp	to, 1, 2, 3, 4, 5, 6, 7
	fadd	%st, %st(\to)
	.endr
	.endr
	dec	%ecx
	jnz	1b
	rdtsc
	sub	%edi, %eax
	ret

/* Clocks of the loads, in EAX; ESI: 64 KiB that they walk through. */
loads:	rdtsc
	mov	%eax, %edi
	mov	$(LOADS / 8), %edx
1:	xor	%ecx, %ecx
2:	lea	(%esi,%ecx), %eax
	mov	(%eax), %eax
	add	$0x2000, %ecx
	cmp	$0x10000, %ecx
	jne	2b
	dec	%edx
	jnz	1b
	rdtsc
	sub	%edi, %eax
	ret

	.code16
trampoline:
	cli
	xor	%ax, %ax
	mov	%ax, %ds
	lgdtl	0x8000 + pointer - trampoline
	mov	%cr0, %eax
	and	$0x9fffffff, %eax	/* caches on */
	or	$1, %eax
	mov	%eax, %cr0
	ljmpl	$0x08, $second
pointer:
	.short	0x37
	.long	gdt
trampoline_end:

	.code32
second:	mov	$0x10, %ax
	mov	%ax, %ds
	mov	%ax, %es
	mov	%ax, %ss
	mov	$second_stack, %esp
	mov	$(area + 0x10000), %esi
	lock incl arrived
1:	pause
	cmpl	$1, go
	jne	1b
	call	adds
	lock incl arrived
1:	pause
	cmpl	$2, go
	jne	1b
	call	loads
	lock incl arrived
1:	pause
	cmpl	$3, go
	jne	1b
	call	independent
	cli
	hlt

	.data
	.balign	4
arrived:	.long 0
go:	.long	0
	.bss
	.skip	4096
second_stack:
	.balign	65536
area:	.skip	0x20000
