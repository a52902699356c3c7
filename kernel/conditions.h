/*
 * The conditions of a run: what firmware and chipset do to the core behind the program's back, as far
 * as registers tell. Read before and after the run and printed as `conditions` records; the
 * prefetchers are set when the user says so, and put back at the end.
 *
 * Each register is a row with the CPUs that have it. Sources: SDM volume 4; AMD BKDG and PPR of the
 * families; docs/references.md.
 */
#ifndef KERNEL_CONDITIONS_H
#define KERNEL_CONDITIONS_H

#include "kernel/args.h"
#include "kernel/cpu.h"

/* Prints the record with when=start; then turns the prefetchers on or off if asked to. */
void conditions_begin(const struct cpu *cpu, enum args_prefetch prefetch);

/* Puts the prefetchers back and prints the record with when=end. */
void conditions_end(const struct cpu *cpu);

/*
 * The memory type that the MTRRs give [base, base + size): "wb", "uc", "wc", "wt", "wp", "mixed" if
 * they differ inside, or "unknown" where there are none. Paging's PAT entry 0 is write-back.
 */
const char *conditions_memory_type(const struct cpu *cpu, uint64_t base, uint64_t size);

#endif
