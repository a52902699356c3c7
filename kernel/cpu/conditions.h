/*
 * The conditions of a run: settings of the core that firmware and chipset make, as far as registers
 * show them. The kernel prints them as `conditions` records: as found, as set, as put back. It sets
 * all fields that change the core clock: turbo, performance state, C1E and clock modulation, unless
 * the user says clocks=keep, and never under a hypervisor. It sets the prefetchers only if the user
 * asks for it. On an AMD CPU it also makes LFENCE wait for older instructions (QUIRK_LFENCE_WAITS).
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
 * gets a `warn`. Call this before the clocks are measured: the settings change the core clock.
 * `kept` names the devices that the firmware keeps, for the record (save_needs()); NULL: none.
 */
void conditions_begin(const struct cpu *cpu, enum args_clocks clocks, enum args_prefetch prefetch,
                      const char *kept);

enum { CONDITIONS_CHANGES = 48 }; /* most changes on one CPU; a further one is refused */

/* The changed registers of one CPU, their old values, and the fields that refused a new value. */
struct conditions_own {
	uint8_t core_type; /* of struct cpu; set by the caller, as is the next */
	uint32_t native_model;
	unsigned nchanged;
	struct {
		uint32_t msr;
		uint64_t found;
	} changed[CONDITIONS_CHANGES];
	/* A bit for each row: the CPU has the field; its write failed; it did not keep it. */
	uint32_t there[4], refused[4], lost[4];
	uint32_t value[128]; /* of each row that is there, as last read */
};

/*
 * On another CPU than the first: makes the settings of conditions_begin(), as that CPU's own
 * registers require. *own begins as zeros, with its kind of core; a second call adds later changes.
 * Prints nothing.
 */
void conditions_follow(struct conditions_own *own);

/*
 * On the boot CPU: prints a `warn` for each setting that another CPU could not make, and a record
 * with when=set for the first CPU of each other kind of core. *own must stay valid until
 * conditions_end().
 */
void conditions_tell(const struct conditions_own *own, unsigned number);

/* On the CPU of conditions_follow(), before conditions_end(): puts back its changed registers. */
void conditions_give(struct conditions_own *own);

/* Puts back every register that was set, and prints the record with when=end. */
void conditions_end(const struct cpu *cpu);

/* Puts back every register that was set, without a record: for a run that ends by a trap. */
void conditions_restore(void);

/*
 * The memory type that the MTRRs give to [base, base + size): "wb", "uc", "wc", "wt" or "wp";
 * "mixed" if the range has several types; "unknown" if the CPU has no MTRRs or they are off. The
 * function looks at the variable ranges only, in steps of 64 KiB, so `base` is above 1 MiB. Our
 * page tables use PAT entry 0, which is write-back, so the MTRRs decide. (SDM volume 3, "Memory
 * Type Range Registers".)
 */
const char *conditions_memory_type(const struct cpu *cpu, uint64_t base, uint64_t size);

#endif
