/*
 * The conditions of a run: what firmware and chipset do to the core behind the program's back, as
 * far as registers tell. The kernel prints them as `conditions` records: as found, as set, as put
 * back.
 *
 * The kernel sets everything that changes the core clock: turbo, performance state, C1E and clock
 * modulation. It does not where the user says clocks=keep, and not under a hypervisor. It sets the
 * prefetchers only where the user asks for it.
 *
 * Each register is a row with the CPUs that have it. Sources: SDM volume 4; AMD BKDG and PPR of the
 * families; docs/references.md.
 */
#ifndef KERNEL_CPU_CONDITIONS_H
#define KERNEL_CPU_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/args.h"
#include "kernel/cpu/cpu.h"

/*
 * Prints the record with when=start, sets the registers, reads each of them back, and prints the
 * record with when=set if any register was set. A register that faults or does not keep its value
 * costs a `warn`. Call this before the clocks are measured: the settings change the core clock.
 */
void conditions_begin(const struct cpu *cpu, enum args_clocks clocks, enum args_prefetch prefetch,
                      const char *kept);

enum { CONDITIONS_CHANGES = 48 };

/* What was changed on one CPU, what its registers held then, and which of them did not obey. */
struct conditions_own {
	uint8_t core_type; /* of struct cpu; set by the caller, as is the next */
	uint32_t native_model;
	unsigned nchanged;
	struct {
		uint32_t msr;
		uint64_t found;
	} changed[CONDITIONS_CHANGES];
	uint32_t there[4], refused[4], lost[4]; /* a bit for each row */
	uint32_t value[128];
};

/*
 * On another CPU than the first, which gives its kind of core: sets there what conditions_begin()
 * sets, by what that CPU's own registers say. *own begins as zeros; a second call adds what has
 * changed since. Prints nothing.
 */
void conditions_follow(struct conditions_own *own);

/*
 * On the boot CPU: what another CPU could not set, as warnings, and the conditions of the first CPU
 * of each other kind of core, as a record with when=set. *own must stay until conditions_end().
 */
void conditions_tell(const struct conditions_own *own, unsigned number);

/* On the CPU of conditions_follow(), before conditions_end(): puts back what was changed there. */
void conditions_give(struct conditions_own *own);

/* Puts back every register that was set, and prints the record with when=end. */
void conditions_end(const struct cpu *cpu);

/* Puts back every register that was set, without a record: for a run that ends by a trap. */
void conditions_restore(void);

/*
 * The memory type that the MTRRs give to [base, base + size): "wb", "uc", "wc", "wt" or "wp";
 * "mixed" if the range has several types; "unknown" if the CPU has no MTRRs. Our page tables use
 * PAT entry 0, which is write-back, so the MTRRs decide. (SDM volume 3, "Memory Type Range
 * Registers".)
 */
const char *conditions_memory_type(const struct cpu *cpu, uint64_t base, uint64_t size);

#endif
