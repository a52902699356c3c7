/*
 * The conditions of a run: what firmware and chipset do to the core behind the program's back, as far
 * as registers tell. Printed as `conditions` records: as found, as set, as put back. Set are what
 * changes the core clock (turbo, performance state, C1E, clock modulation), unless the user or a
 * hypervisor objects, and the prefetchers when the user says so.
 *
 * Each register is a row with the CPUs that have it. Sources: SDM volume 4; AMD BKDG and PPR of the
 * families; docs/references.md.
 */
#ifndef KERNEL_CONDITIONS_H
#define KERNEL_CONDITIONS_H

#include "kernel/args.h"
#include "kernel/cpu/cpu.h"

/*
 * Prints the record with when=start, sets what is to be set, each register read back, and prints when=set
 * if that was anything. What cannot be set is a `warn`. Before the clocks are measured.
 */
void conditions_begin(const struct cpu *cpu, enum args_clocks clocks, enum args_prefetch prefetch);

/* Puts every register back that was set and prints the record with when=end. */
void conditions_end(const struct cpu *cpu);

/* The same without a record, for a run that ends by a trap. */
void conditions_restore(void);

/*
 * The memory type that the MTRRs give [base, base + size): "wb", "uc", "wc", "wt", "wp", "mixed" if
 * they differ inside, or "unknown" where there are none. Paging's PAT entry 0 is write-back.
 */
const char *conditions_memory_type(const struct cpu *cpu, uint64_t base, uint64_t size);

#endif
