/*
 * Exceptions and interrupts: what happens when the CPU refuses an instruction.
 *
 * Three outcomes, in this order (SDM volume 3, "Interrupt and Exception Handling"):
 *   1. NMI and machine check are counted and execution goes on; the engine compares the
 *      counts around a sample and drops the sample.
 *   2. The faulting address is in the fixup table: execution goes on at the fixup's label
 *      (guarded MSR and counter accesses).
 *   3. A snippet is being measured: a `trap` record with the whole machine state is written and
 *      the snippet's run is abandoned; trap_protect() returns the vector.
 *   4. Otherwise the same record, `done status=fail`, and a halt.
 */
#ifndef KERNEL_TRAP_H
#define KERNEL_TRAP_H

#include <stdbool.h>
#include <stdint.h>

enum trap_vector {
	TRAP_DE = 0,
	TRAP_DB = 1,
	TRAP_NMI = 2,
	TRAP_BP = 3,
	TRAP_UD = 6,
	TRAP_NM = 7,
	TRAP_DF = 8,
	TRAP_GP = 13,
	TRAP_PF = 14,
	TRAP_MF = 16,
	TRAP_MC = 18,
	TRAP_XM = 19,
};

/* Loads GDT, TSS and IDT; until it has run a fault resets the machine. */
void trap_init(void);

/*
 * Runs fn(arg) so that a fault inside it costs fn alone. Returns -1 when fn returned, else the
 * vector that ended it, after a `trap` record that names `what`. Registers, stack, direction
 * flag, segment registers and control registers that a snippet may have changed are put back.
 * Not reentrant.
 */
int trap_protect(void (*fn)(void *arg), void *arg, const char *what);

/* NMIs and machine checks since trap_init(); the engine compares them around a sample. */
uint32_t trap_nmi_count(void);
uint32_t trap_mce_count(void);

/* One exception-table row: a fault at `at` resumes at `resume` (assembly emits them). */
struct trap_fixup {
	uint32_t at, resume;
};

#endif
