/*
 * The sequences of "The P5 Basics, and the New Profiling Registers" (TalkieToaster, 1996) and of
 * the pairing rules in Agner Fog's Pentium manual. One copy between two brackets is the question on
 * a Pentium; on other cores each is measured in the steady state.
 *
 * Clocks marked "derived" follow from the rules and were not measured by the source.
 *
 * A Pentium does not bring a line into its data cache when a write misses, and every serializing
 * instruction waits until all writes are on the bus (SDM 3A). So INIT reads the lines that a body
 * only stores to.
 */
#include "bench/snippet.inc"

#define ARTICLE "The P5 Basics (1996)"
#define FOG "Agner Fog, Pentium manual"
#define DERIVED "derived from the pairing rules"

	SNIPPET	p5.empty, "nothing: must read 0"
	DEFAULT
	TOTAL
	EXPECT	"p5,p5mmx", "tsc", 0, 0, "by definition"
	BODY
	END

	SNIPPET	p5.pair_mov4, "four independent moves pair: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	4
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, ARTICLE
	BODY
	mov	$1, %eax
	mov	$2, %edx
	mov	$3, %ecx
	mov	$4, %ebx
	END

	SNIPPET	p5.dep_add, "the second add needs the result of the first: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, ARTICLE
	BODY
	add	%ecx, %eax
	add	%ecx, %eax
	END

	SNIPPET	p5.pair_add, "two independent adds pair: 1 clock"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 1000, 1000, ARTICLE
	BODY
	add	%ecx, %eax
	add	%ecx, %ebx
	END

	SNIPPET	p5.lockstep, \
		"a read-modify-write holds the other pipe until its last clock: 3 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, ARTICLE
	BODY
	add	%eax, (XSI)
	dec	%ecx
	END

	SNIPPET	p5.rmw_then_load, "read-modify-write, then a load operand: 4 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 4000, 4000, FOG
	BODY
	add	%eax, (XSI)
	add	4(XSI), %ebx
	END

	SNIPPET	p5.load_then_rmw, "a load operand, then read-modify-write: 3 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, FOG
	BODY
	add	4(XSI), %ebx
	add	%eax, (XSI)
	END

	SNIPPET	p5.rmw_rmw, "two read-modify-writes: 5 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 5000, 5000, FOG
	BODY
	add	%eax, (XSI)
	add	%ebx, 4(XSI)
	END

	SNIPPET	p5.split_rmw, "the same as loads, adds and stores: 3 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	6
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, FOG
	BODY
	mov	(XSI), %ecx
	mov	4(XSI), %edx
	add	%eax, %ecx
	add	%ebx, %edx
	mov	%ecx, (XSI)
	mov	%edx, 4(XSI)
	END

	SNIPPET	p5.same_dword, "two byte loads from one dword do not overlap: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, FOG
	BODY
	movb	(XSI), %al
	movb	1(XSI), %bl
	END

	SNIPPET	p5.next_dword, "two byte loads from neighbouring dwords: 1 clock"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 1000, 1000, FOG
	BODY
	movb	3(XSI), %al
	movb	4(XSI), %bl
	END

	SNIPPET	p5.bank_conflict, "two accesses to one bank of the data cache: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, FOG
	INIT
	mov	(XSI), %edx		/* neither store misses */
	mov	32000(XSI), %edx
	BODY
	mov	%eax, (XSI)
	mov	%ebx, 32000(XSI)
	END

	SNIPPET	p5.two_banks, "the same to two banks: 1 clock"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 1000, 1000, FOG
	INIT
	mov	(XSI), %edx		/* neither store misses */
	mov	32004(XSI), %edx
	BODY
	mov	%eax, (XSI)
	mov	%ebx, 32004(XSI)
	END

	SNIPPET	p5.agi0, "a register made right before it is an address: 1 clock is lost"
	DEFAULT
	TOTAL
	UNROLL	16
	ROUNDS	16
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, FOG
	BODY
	add	$4, XSI
	mov	(XSI), %eax
	END

	SNIPPET	p5.agi1, "one pair of instructions between: nothing is lost, 3 clocks"
	DEFAULT
	TOTAL
	UNROLL	16
	ROUNDS	16
	STRAIGHT
	INSNS	5
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, DERIVED
	BODY
	add	$4, XSI
	mov	$1, %ecx
	mov	$2, %edx
	mov	$3, %ebx
	mov	(XSI), %eax
	END

	SNIPPET	p5.agi2, "two clocks between: nothing is lost, 3 clocks"
	DEFAULT
	TOTAL
	UNROLL	16
	ROUNDS	16
	STRAIGHT
	INSNS	6
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, DERIVED
	BODY
	add	$4, XSI
	mov	$1, %ecx
	mov	$2, %edx
	mov	$3, %ebx
	mov	(XSI), %eax
	mov	$4, %ebp
	END

	SNIPPET	p5.agi_war, "the address is used before it changes: 1 clock"
	DEFAULT
	TOTAL
	UNROLL	16
	ROUNDS	16
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 1000, 1000, FOG
	BODY
	mov	4(XSI), %eax
	add	$4, XSI
	END

	SNIPPET	p5.pop_pop, "POP and POP pair in spite of the stack pointer: 1 clock"
	DEFAULT
	TOTAL
	UNROLL	16
	ROUNDS	16
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 1000, 1000, FOG
	BODY
	pop	XAX
	pop	XSI
	END

	SNIPPET	p5.agi_esp, "ADD to the stack pointer, then POP: 1 clock is lost"
	DEFAULT
	TOTAL
	UNROLL	16
	ROUNDS	16
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, FOG
	BODY
	add	$XSIZE, XSP
	pop	XSI
	END

	SNIPPET	p5.agi_lea, "LEA of a register made right before: 1 clock is lost"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 3000, 3000, FOG
	BODY
	inc	%esi
	lea	(XBX, XSI, 4), %eax
	END

	SNIPPET	p5.partial, "AL and AH are one register to the pairing rules: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, FOG
	BODY
	mov	%bl, %al
	mov	$0, %ah
	END

	SNIPPET	p5.shift_first, "a shift goes in U, what follows in V: 1 clock"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 1000, 1000, FOG
	BODY
	shr	$4, %eax
	inc	%ebx
	END

	SNIPPET	p5.shift_second, "a shift cannot go in V: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, FOG
	BODY
	inc	%ebx
	shr	$4, %eax
	END

	SNIPPET	p5.nonpairable, "NOT pairs with nothing: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, DERIVED
	BODY
	not	%eax
	add	%ecx, %ebx
	END

	SNIPPET	p5.disp_imm, "displacement and immediate in one instruction: no pair on a P54C"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5", "tsc", 3000, 3000, DERIVED
	BODY
	cmpb	$1, 8(XBX)
	dec	%ecx
	END

	SNIPPET	p5.imm_only, "the same without displacement: 2 clocks"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5,p5mmx", "tsc", 2000, 2000, DERIVED
	BODY
	cmpb	$1, (XBX)
	dec	%ecx
	END

	SNIPPET	p5.store_disp_imm, "the article's own case: MOV [m+4], 22 does not go in V"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	2
	EXPECT	"p5", "tsc", 2000, 2000, ARTICLE
	INIT
	mov	(XSI), %edx		/* neither store misses */
	BODY
	mov	%eax, (XSI)
	movl	$22, 4(XSI)
	END

	SNIPPET	p5.fxch, "FXCH goes in V beside a floating-point add"
	DEFAULT
	TOTAL
	NEEDS	"fpu"
	STRAIGHT
	INSNS	2
	INIT
	fldz
	fldz
	fldz
	BODY
	fadd	%st(1), %st
	fxch	%st(2)
	END

	SNIPPET	p5.fadd_alone, "the control: the same add without FXCH"
	DEFAULT
	TOTAL
	NEEDS	"fpu"
	STRAIGHT
	INSNS	1
	INIT
	fldz
	fldz
	fldz
	BODY
	fadd	%st(1), %st
	END

	SNIPPET	p5.misaligned, "a dword load that crosses an 8-byte boundary inside a line"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	1
	BODY
	mov	5(XSI), %eax
	END

	SNIPPET	p5.split_line, "a dword load that crosses a 64-byte line"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	1
	BODY
	mov	62(XSI), %eax
	END

	SNIPPET	p5.aligned, "the control: the same load, aligned"
	DEFAULT
	TOTAL
	STRAIGHT
	INSNS	1
	BODY
	mov	4(XSI), %eax
	END

	SNIPPET	p5.uncached_code, "sixty-four adds, run 1, 2, 3 ... from empty caches"
	DEFAULT
	SERIES
	PRIVILEGED
	STRAIGHT
	INSNS	64
	BODY
	.rept	32
	add	%ecx, %eax
	add	%ecx, %ebx
	.endr
	END
