/*
 * The registers that tell the conditions of a run, as rows. Private to kernel/cpu/: conditions.c
 * reads, sets and prints them.
 */
#ifndef KERNEL_CPU_CONDITIONS_ROWS_H
#define KERNEL_CPU_CONDITIONS_ROWS_H

#include "kernel/cpu/cpu.h"

/* What a run wants of a field. */
enum wish {
	AS_FOUND,
	STEADY_0,
	STEADY_1,
	LIKE_ABOVE,     /* what the row above holds, on the same CPU */
	PREFETCH_OFF_1, /* 1 switches a prefetcher off */
	PREFETCH_OFF_0, /* 0 does, and the field reads inverted */
	ALWAYS_1,       /* whatever clocks= says, but not under a hypervisor; QUIRK_LFENCE_WAITS */
};

/*
 * One field of a register. It exists where `has` says so, or else on the kinds of cores in `cores`.
 * No field crosses the middle of its register.
 */
struct condition {
	const char *key; /* in the record; of a prefetcher with "_off" behind its name */
	bool (*has)(const struct cpu *c);
	uint32_t cores;
	uint32_t msr;
	uint8_t shift, width;
	uint8_t wish; /* enum wish */
};

/* Rows 0 to CONDITIONS_MAX - 1 at most, in the order of the record; NULL behind the last. */
enum { CONDITIONS_MAX = 128 };
const struct condition *condition_row(unsigned i);

/* prefetchers.c: row i of the prefetchers, NULL behind the last. */
const struct condition *prefetcher_row(unsigned i);

/* prefetchers.c: the kind of this core, one bit; 0: a core whose prefetchers we do not know. */
uint32_t prefetcher_core(const struct cpu *c);

/*
 * prefetchers.c: prefetcher i of this core that no bit switches off, and why it is left on. NULL
 * behind the last.
 */
const char *prefetcher_left(const struct cpu *c, unsigned i, const char **why);

#endif
