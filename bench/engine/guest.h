/*
 * Traces of the host in a guest's samples. Only the engine's files use it.
 *
 * Where a group counts retired instructions and the body's number of them is known, each sample
 * must count those of the body and of the bracket. Fewer: a counter stood still, because the host
 * used the counter for other work. More: the guest exited to the host, and the CPU counts the
 * return to the guest as an instruction, as AMD's do. Reference clocks run at the rate of the time
 * stamp counter, but only in the guest. So where the group counts them, each exit makes the two
 * differ.
 */
#ifndef BENCH_ENGINE_GUEST_H
#define BENCH_ENGINE_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/pmu.h"

enum {
	GUEST_NONE = -1,
	GUEST_EXIT_TICKS =
		500,          /* no exit is as short, and no step of the reference clocks as long */
	GUEST_LATE = 1 << 11, /* of the shortest sample: what others take longer without a host */
	GUEST_LATE_COUNTED = 64, /* where instructions tell of most exits: memory takes its time */
};

/*
 * Where no reference clocks tell of the host, the times of n samples do: with an exit in between, a
 * sample takes longer than the shortest one, by more than one part in `part`. Writes to late[]
 * which samples do, and returns their number.
 */
uint32_t guest_late(const uint64_t *ticks, uint32_t n, uint32_t part, bool *late);

/* The samples of one code. */
struct guest_watch {
	int insns;         /* slot of the group that counts instructions, or GUEST_NONE */
	int ref;           /* slot that counts reference clocks, or GUEST_NONE */
	uint64_t expected; /* instructions of a sample */
	uint64_t bracket;  /* ... of an empty sample */
	int64_t ahead;     /* ticks less reference clocks of an empty sample without exits */
	uint64_t around;   /* of those, ticks on the way to CPL 3 and back, which no clock counts */

	bool exits;                   /* nearly every sample had exits: such samples were kept */
	uint32_t kept, stood, exited; /* samples so far */
	uint64_t last;                /* instructions of the last sample with too few */
	bool same;                    /* all samples with too few had the same number */
};

/* Finds the event that counts instructions; call it before guest_slot(). */
void guest_init(void);

/* The slots of the group that count retired instructions and reference clocks, or GUEST_NONE. */
int guest_slot(const struct pmu_group *group);
int guest_reference(const struct pmu_group *group);

/*
 * The group with two events more that tell of the host, retired instructions and reference clocks,
 * as far as it lacks them and leaves counters free. In front are the slots of `group`, in their
 * order. Anywhere but in a guest of a real hypervisor, and for NULL, returns `group`. Valid until
 * the next call. `cpl`: at which the measured code runs.
 */
const struct pmu_group *guest_group(const struct cpu *cpu, const struct pmu_group *group,
                                    unsigned cpl);

/*
 * The slot that a bracket reads around all others (bench/engine/code.h): that of retired
 * instructions. NULL: the CPU is no guest's, or the group has no such slot.
 */
const struct pmu_slot *guest_outer(const struct cpu *cpu, const struct pmu_group *group);

/* The most frequent number of v[0..n); n above 0. */
uint64_t guest_most(const uint64_t *v, uint32_t n);

/*
 * Do the `ticks` of the time stamp counter show an exit to the hypervisor? `ref`: clocks that stand
 * still during an exit, counted from before the first reading to behind the second. `ahead`: the
 * smallest excess of ticks over `ref` without an exit. A long sample needs a larger excess, because
 * the rates of the two may differ a little.
 */
bool guest_exited(uint64_t ticks, uint64_t ref, int64_t ahead);

/*
 * May a sample with these instructions, ticks and reference clocks be kept? A number without a slot
 * is ignored. Samples with exits are kept if each of the first eight samples has an exit, or later
 * sixteen samples for each sample without. Samples with too few instructions are kept if the first
 * eight all count the same number, above 0 and at least the bracket's: the CPU or the host counts
 * the body so.
 */
bool guest_keeps(struct guest_watch *w, uint64_t insns, uint64_t ticks, uint64_t ref);

#endif
