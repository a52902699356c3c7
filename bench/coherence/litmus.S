/*
 * The threads of the litmus tests (bench/coherence/litmus.c), in both widths. Each is a C function
 *
 *	void f(void *area, uint32_t value)
 *
 * that stores `value` into the cells x or y, and leaves what it loaded in the registers of its
 * thread. Nothing stands between the instructions of a test; the registers are stored behind them.
 */
#include "bench/coherence/litmus.h"

#ifdef __x86_64__
#define AREA  %rdi
#define VALUE %esi
#define SPARE %eax
#else
#define AREA  %eax /* -mregparm=3 */
#define VALUE %edx
#define SPARE %ecx
#endif

#define X      LITMUS_X(AREA)
#define Y      LITMUS_Y(AREA)
#define R(t)   LITMUS_R(t)(AREA)
#define R2(t)  LITMUS_R(t) + LITMUS_SECOND(AREA)

	.macro	THREAD name:req
	.pushsection .text.\name, "ax"
	.globl	\name
	.type	\name, @function
\name:
	.endm

	.macro	END
	ret
	.popsection
	.endm

	.section .note.GNU-stack, "", @progbits

	/* Writers. */
	THREAD	litmus_write_x
	mov	VALUE, X
	END

	THREAD	litmus_write_y
	mov	VALUE, Y
	END

	THREAD	litmus_write_x_y
	mov	VALUE, X
	mov	VALUE, Y
	END

	THREAD	litmus_write_y_x
	mov	VALUE, Y
	mov	VALUE, X
	END

	/* Readers: the first register is the one that the test's text names first. */
	.macro	READER name:req, first:req, second:req, to_first:req, to_second:req
	THREAD	\name
	mov	\first, SPARE
	mov	\second, VALUE
	mov	SPARE, \to_first
	mov	VALUE, \to_second
	END
	.endm

	READER	litmus_read_y_x_1, Y, X, R(1), R2(1)
	READER	litmus_read_x_y_2, X, Y, R(2), R2(2)
	READER	litmus_read_y_x_2, Y, X, R2(2), R(2)
	READER	litmus_read_y_x_3, Y, X, R(3), R2(3)
	READER	litmus_read_x_y_3, X, Y, R2(3), R(3)

	/* A store, then a load of the other cell. */
	.macro	STORE_LOAD name:req, store:req, load:req, to:req
	THREAD	\name
	mov	VALUE, \store
	mov	\load, VALUE
	mov	VALUE, \to
	END
	.endm

	STORE_LOAD litmus_store_x_load_y_0, X, Y, R(0)
	STORE_LOAD litmus_store_y_load_x_1, Y, X, R(1)
	STORE_LOAD litmus_store_y_load_x_0, Y, X, R(0)
	STORE_LOAD litmus_store_x_load_y_1, X, Y, R(1)

	/* The same with XCHG, which is locked. */
	.macro	SWAP_LOAD name:req, store:req, load:req, to:req
	THREAD	\name
	mov	VALUE, SPARE
	xchg	SPARE, \store
	mov	\load, VALUE
	mov	VALUE, \to
	END
	.endm

	SWAP_LOAD litmus_swap_x_load_y_0, X, Y, R(0)
	SWAP_LOAD litmus_swap_y_load_x_1, Y, X, R(1)

	/* A load, then a store to the other cell. */
	.macro	LOAD_STORE name:req, load:req, store:req, to:req
	THREAD	\name
	mov	\load, SPARE
	mov	VALUE, \store
	mov	SPARE, \to
	END
	.endm

	LOAD_STORE litmus_load_x_store_y_0, X, Y, R(0)
	LOAD_STORE litmus_load_y_store_x_1, Y, X, R(1)
