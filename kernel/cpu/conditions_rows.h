/*
 * The registers with the conditions of a run, as rows. Private to kernel/cpu/: conditions.c reads,
 * sets and prints them.
 */
#ifndef KERNEL_CPU_CONDITIONS_ROWS_H
#define KERNEL_CPU_CONDITIONS_ROWS_H

#include "kernel/cpu/cpu.h"

/* The value that a run sets in a field. */
enum wish {
	AS_FOUND,
	STEADY_0,       /* 0 with clocks=steady, not under a hypervisor */
	STEADY_1,       /* 1, likewise */
	LIKE_ABOVE,     /* the value of the row above, on the same CPU */
	PREFETCH_OFF_1, /* 1 switches a prefetcher off */
	PREFETCH_OFF_0, /* 0 switches it off, and the record inverts the field */
	ALWAYS_1,       /* also with clocks=keep, not under a hypervisor; QUIRK_LFENCE_WAITS */
};

/*
 * One field of a register. It exists where has() is true, or without `has` on the cores in `cores`.
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

/* prefetchers.c: the kind of this core, one bit; 0: the prefetchers of the core are unknown. */
uint32_t prefetcher_core(const struct cpu *c);

/*
 * prefetchers.c: name of prefetcher i that no bit of this core switches off; *why: the reason. NULL
 * behind the last.
 */
const char *prefetcher_left(const struct cpu *c, unsigned i, const char **why);

#endif
