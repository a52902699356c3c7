/*
 * Exceptions and interrupts.
 *
 * Outcomes, in this order (SDM volume 3, "Interrupt and Exception Handling"):
 *   1. NMI and machine check are counted and execution goes on; the engine compares the
 *      counts around a sample and drops the sample.
 *   2. If trap_on_vector() has set a handler for the vector, the handler decides.
 *   3. If the exception table has the faulting address, execution goes on at the label of its entry
 *      (guarded MSR and counter accesses).
 *   4. If a snippet is being measured, a `trap` record with the whole machine state is written
 *      and the snippet's run is abandoned: trap_protect() returns the vector.
 *   5. Otherwise the same record is written, and a hook ends the run.
 *
 * No trap trusts the stack that it interrupts. In the 64-bit kernel the IST gives every vector a
 * stack of its own. In the 32-bit kernel double fault, NMI and machine check are tasks of their
 * own. The other entries check first that the stack pointer is on a stack of the kernel, and use
 * the emergency stack if it is not.
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
	/* INT at CPL 3: returns of the body and of INIT to the measured routine. */
	TRAP_FROM_BODY = 0xf0,
	TRAP_FROM_INIT = 0xf1,
	TRAP_VECTORS = 256,
};

/*
 * The interrupted machine. boot/trap_*.S stores this state and loads it again, so changes by a
 * handler take effect. All selectors are valid at any privilege level.
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
 * Hooks of other parts of the kernel. Each hook has at most one owner, which sets it once; NULL: no
 * hook. Hooks run in the handler, with interrupts off.
 */
struct trap_hooks {
	/* Called before a `trap` record, which no other output may interrupt. */
	void (*before_record)(void);
	/*
	 * Ends the run: outcome 5. `silent`: printing has faulted, and must not be repeated.
	 * Without the hook, or if it returns, the CPU is halted.
	 */
	void (*fatal)(bool silent);
};

/* The hooks, for their owners to set. */
struct trap_hooks *trap_hooks(void);

/* Loads GDT, TSS and IDT. A fault before this call resets the machine. */
void trap_init(void);

/*
 * Runs fn(arg) on a stack of its own; a fault ends only fn. Returns -1 if fn returned, else the
 * vector that ended it, after a `trap` record that names `what`. The function puts back registers,
 * stack, flags, segment, descriptor-table and control registers, and XCR0. DR7 becomes 0. After a
 * fault fpu_reset() resets the x87 and SIMD state. Not reentrant.
 */
int trap_protect(void (*fn)(void *arg), void *arg, const char *what);

/*
 * From a handler set by trap_on_vector(): ends the running trap_protect(), which returns the
 * frame's vector without a record. False: none is running, and the call has no effect.
 */
bool trap_abandon(struct trap_frame *f);

typedef void (*trap_fn)(struct trap_frame *f);

/*
 * Calls `handler` for the vector instead of outcomes 3 to 5 (NMI and machine check are still
 * counted); NULL removes the handler. Returns the old handler, or NULL. The handler runs with
 * interrupts off, and must send the EOI of an interrupt of the local APIC.
 */
trap_fn trap_on_vector(uint8_t vector, trap_fn handler);

/*
 * Lets CPL 3 raise the vector with INT n, to return from code at CPL 3. Execution continues at
 * `target`, at CPL 0, with interrupts off, on the stack of the TSS, without a struct trap_frame.
 * NULL: CPL 3 may not raise the vector, which is then a trap like others.
 */
void trap_user_gate(uint8_t vector, const void *target);

/* NMIs and machine checks since trap_init(); the engine compares them around a sample. */
uint32_t trap_nmi_count(void);
uint32_t trap_mce_count(void);

/* Number of unexpected interrupts of the local APIC. Each got its EOI. */
uint32_t trap_interrupt_count(void);

/* Reads the byte at any linear address. False: a fault, and *value is 0. */
bool trap_peek(uintptr_t address, uint8_t *value);

/* The manual's mnemonic of an exception without `#` ("GP"), "interrupt" from 32 on. */
const char *trap_name(unsigned vector);

#endif
