/*
 * What a sample of a guest tells of its host. Only the engine's files use it.
 *
 * Where a group counts retired instructions and the body's number of them is known, each sample
 * must count the body's and the bracket's. Fewer: a counter stood still, because the host had given
 * it to other work. More: the host came in between, and coming back counted as an instruction,
 * as on AMD. Where the group counts reference clocks, which run as the time stamp counter does but
 * only in the guest, each exit makes the two differ.
 */
#ifndef BENCH_ENGINE_GUEST_H
#define BENCH_ENGINE_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/pmu.h"

enum { GUEST_NONE = -1 };

/* The samples of one code. */
struct guest_watch {
	int insns;         /* slot of the group that counts instructions, or GUEST_NONE */
	int ref;           /* slot that counts reference clocks, or GUEST_NONE */
	uint64_t expected; /* instructions of a sample */
	uint64_t bracket;  /* ... of an empty one */
	int64_t ahead;     /* ticks less reference clocks of an empty one without exits */

	bool exits;                   /* each sample had some: they had to be kept */
	uint32_t kept, stood, exited; /* samples so far */
	uint64_t last;                /* instructions of the last one that was too low */
	bool same;                    /* all of those were alike */
};

/* The event that counts instructions; before the first guest_slot(). */
void guest_init(void);

/* The slots of the group that count retired instructions and reference clocks, or GUEST_NONE. */
int guest_slot(const struct pmu_group *group);
int guest_reference(const struct pmu_group *group);

/*
 * The slot that a bracket reads around all others, so that whatever comes between two readings is
 * in its count: that of retired instructions. NULL: on iron, or the group has none.
 */
const struct pmu_slot *guest_outer(const struct cpu *cpu, const struct pmu_group *group);

/* The number that most of v[0..n) are; n above 0. */
uint64_t guest_most(const uint64_t *v, uint32_t n);

/*
 * Do the `ticks` of the time stamp counter show that the hypervisor came in between? `ref`:
 * clocks that stand still then, counted from before the first reading to behind the second;
 * `ahead`: the least by which ticks exceed them without an exit. Of a long sample more is needed,
 * because the rates of the two may differ a little.
 */
bool guest_exited(uint64_t ticks, uint64_t ref, int64_t ahead);

/*
 * May the sample be kept that counted so many instructions, ticks and reference clocks? Without a
 * slot for it a number means nothing. Where each of the first eight samples has an exit, or later
 * sixteen to one without, samples with exits are kept. Where all samples lack the same number, and
 * no more than the body has, they are kept: the CPU or the host counts its instructions so.
 */
bool guest_keeps(struct guest_watch *w, uint64_t insns, uint64_t ticks, uint64_t ref);

#endif
