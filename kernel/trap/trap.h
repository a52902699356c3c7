/*
 * Exceptions and interrupts: what happens when the CPU refuses an instruction.
 *
 * Outcomes, in this order (SDM volume 3, "Interrupt and Exception Handling"):
 *   1. NMI and machine check are counted and execution goes on; the engine compares the
 *      counts around a sample and drops the sample.
 *   2. A handler was set for the vector by trap_on_vector(): it decides.
 *   3. The faulting address is in the fixup table: execution goes on at the fixup's label
 *      (guarded MSR and counter accesses).
 *   4. A snippet is being measured: a `trap` record with the whole machine state is written and
 *      the snippet's run is abandoned; trap_protect() returns the vector.
 *   5. Otherwise the same record, and the end of the run by a hook.
 *
 * No trap trusts the stack it interrupts. 64-bit: every vector has a stack of its own through the
 * IST. 32-bit: double fault, NMI and machine check are tasks of their own, and the other entries
 * leave a stack pointer that is not on one of the kernel's stacks before they use it.
 */
#ifndef KERNEL_TRAP_TRAP_H
#define KERNEL_TRAP_TRAP_H

#include <stdbool.h>
#include <stdint.h>

enum trap_vector {
	TRAP_DE = 0,
	TRAP_DB = 1,
	TRAP_NMI = 2,
	TRAP_BP = 3,
	TRAP_OF = 4,
	TRAP_UD = 6,
	TRAP_NM = 7,
	TRAP_DF = 8,
	TRAP_GP = 13,
	TRAP_PF = 14,
	TRAP_MF = 16,
	TRAP_MC = 18,
	TRAP_XM = 19,
	TRAP_EXCEPTIONS = 32, /* vectors below are the CPU's own */
	TRAP_VECTORS = 256,
};

/*
 * The interrupted machine, as boot/trap_*.S stores it and loads it again: what a handler writes
 * here is what execution goes on with. All selectors are valid at any privilege level.
 */
struct trap_frame {
#ifdef __x86_64__
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
	uint64_t di, si, bp, bx, dx, cx, ax;
#else
	uint32_t gs, fs, es, ds;
	uint32_t di, si, bp, bx, dx, cx, ax;
#endif
	uintptr_t vector, error; /* error: 0 if the vector has no code */
	uintptr_t ip, cs, flags, sp, ss;
};

/*
 * What other parts of the kernel add to the handling of traps. Each hook has at most one owner,
 * which sets it once; NULL: nothing is done. Hooks run in the handler, with interrupts off.
 */
struct trap_hooks {
	/* Before a `trap` record: nothing may print between its first and its last word. */
	void (*before_record)(void);
	/*
	 * Ends the run: outcome 5. `silent`: printing has faulted itself, and must not be tried
	 * again. Without the hook, or if it returns, the CPU is halted.
	 */
	void (*fatal)(bool silent);
};

struct trap_hooks *trap_hooks(void);

/* Loads GDT, TSS and IDT; until it has run a fault resets the machine. */
void trap_init(void);

/*
 * Runs fn(arg) on a stack of its own so that a fault inside it costs fn alone. Returns -1 when fn
 * returned, else the vector that ended it, after a `trap` record that names `what`. Registers,
 * stack, flags, segment, descriptor-table, debug and control registers, XCR0 and the x87 and SIMD
 * state that a snippet may have changed are put back.
 * Not reentrant.
 */
int trap_protect(void (*fn)(void *arg), void *arg, const char *what);

/*
 * From a handler set by trap_on_vector(): end the trap_protect() that is running, which returns
 * the frame's vector; no record is written. False, and no effect, if none is running.
 */
bool trap_abandon(struct trap_frame *f);

typedef void (*trap_fn)(struct trap_frame *f);

/*
 * Calls `handler` for the vector instead of outcomes 3 to 5 (NMI and machine check are counted as
 * well); NULL takes it away. Returns the handler before, or NULL. Interrupts are off while it runs;
 * an interrupt of the local APIC needs its EOI from the handler.
 */
trap_fn trap_on_vector(uint8_t vector, trap_fn handler);

/*
 * Lets CPL 3 raise the vector with INT n: the way back from code that runs there. Execution goes
 * on at `target`, at CPL 0, with interrupts off and on the stack that the TSS has for that; no
 * struct trap_frame is made. NULL: CPL 3 may not raise the vector, and it is a trap like others.
 */
void trap_user_gate(uint8_t vector, const void *target);

/* NMIs and machine checks since trap_init(); the engine compares them around a sample. */
uint32_t trap_nmi_count(void);
uint32_t trap_mce_count(void);

/* Interrupts that nobody asked for and the local APIC delivered all the same: ended and counted. */
uint32_t trap_interrupt_count(void);

/* Reads one byte from anywhere; false if that faults. */
bool trap_peek(uintptr_t address, uint8_t *value);

/* The manual's mnemonic of an exception without `#` ("GP"), "interrupt" from 32 on. */
const char *trap_name(unsigned vector);

#endif
