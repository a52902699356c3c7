/*
 * Event-based sampling: once in each period of events the hardware reports the place in the code.
 *
 * IEBS, imprecise event-based sampling (B. Sprunt, "Pentium 4 performance-monitoring features",
 * IEEE Micro 22(4), 2002): a counter starts at minus the period, its overflow raises the
 * performance-monitoring interrupt of the local APIC (SDM volume 3, "Performance Counter LVT"), and
 * the handler sees the interrupted registers. The interrupt comes some instructions after the
 * event; their number is the skid.
 *
 * At CPL 3 the interrupt has a vector, and an event that is counted at CPL 3 alone sees nothing of
 * the handler. At CPL 0 interrupts are off, so the interrupt is an NMI, and the handler's own
 * events between overflow and stop are counted: real periods are longer than the requested period.
 */
#ifndef PMU_SAMPLING_SAMPLING_H
#define PMU_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/pmu.h"

enum {
	PMU_SAMPLE_REGS = 16,
	PMU_PERIOD_MAX = 1 << 30, /* a write of an old counter loads 32 bits with a sign */
	PMU_BRANCHES = 32,        /* most branches of a sample */
};

enum pmu_branches {
	PMU_BRANCHES_NONE,
	PMU_BRANCHES_ALL,   /* the last taken branches */
	PMU_BRANCHES_CALLS, /* the calls that have not returned */
};

struct pmu_branch {
	uintptr_t from, to; /* the branch instruction; the next that was executed */
	bool missed;        /* mispredicted */
	bool clocked;       /* the hardware gave `clocks` */
	uint32_t clocks;    /* since the branch before, at most 65535 */
};

struct pmu_sample {
	uintptr_t ip; /* of the instruction that caused the event, or of a later one */
	uintptr_t regs[PMU_SAMPLE_REGS]; /* AX CX DX BX SP BP SI DI R8-R15; 32-bit: the first 8 */
	bool no_regs;                    /* the registers are not known */
	bool before;      /* the registers are those before the instruction at ip, not behind it */
	bool eventing;    /* ip is that of the instruction that caused the event */
	bool stepped;     /* ... found by software: the record has the next instruction */
	bool has_address; /* the hardware gave the next three: */
	uint64_t address; /* linear, of the data that the instruction accessed */
	uint64_t latency, source; /* clocks of the access; its data source, in the maker's code */
	const struct pmu_branch *branches; /* the newest first; valid while `take` runs */
	unsigned nbranches;
};

struct pmu_sampler;

struct pmu_sampling {
	/* The caller's wishes. */
	const char *event; /* a request as for events=, of one event */
	uint64_t period;   /* events between two samples, 1 to PMU_PERIOD_MAX; IBS rounds it */
	unsigned random;   /* iebs: random low bits of each period, 0 to 16 */
	uint32_t
		watermark; /* pebs: bytes of records that interrupt, to 15872; 0: half the buffer */
	uint64_t most;     /* most samples, with interrupts that brought none: see `storm` */
	const char *after; /* event that starts the first period; NULL: none */
	uint64_t after_count;       /* occurrences of `after` before the first period */
	unsigned cpl;               /* at which the sampled code runs: 0 or 3 */
	enum pmu_branches branches; /* each sample has the branches before it; CPL 3 alone */
	/*
	 * Address and bytes of the sampled code: whole instructions, one behind the other. IBS
	 * counts at every CPL: samples outside the code are dropped, and counted in `elsewhere`.
	 */
	uintptr_t code;
	size_t code_size;
	/* The handler calls it with each sample, interrupts off and counters stopped. */
	void (*take)(void *arg, const struct pmu_sample *s);
	void *arg;

	const struct pmu_sampler *sampler;
	bool running;

	/*
	 * From pmu_sampling_open(): slot 0 interrupts. Slot 1, if there is one, counts the same
	 * event on another counter, as a control.
	 */
	struct pmu_group group;
	bool nmi;       /* the interrupt is an NMI, not a vector */
	uint32_t entry; /* IBS: offset of its LVT entry in the local APIC */
	/* With `after`: slot 1 counts that event and starts slot 0, which becomes `then`. */
	bool waits;
	struct pmu_slot then;

	/* From pmu_sampling_start() on; valid after pmu_sampling_stop(). */
	uint64_t samples;   /* given to `take` */
	uint64_t lost;      /* periods that ended without a sample */
	uint64_t elsewhere; /* samples of other code, not in `samples` */
	uint64_t late;      /* iebs: interrupts with further events between overflow and handler */
	uint64_t spurious;  /* interrupts without an overflow */
	/*
	 * `most` was reached, or the code made no progress between interrupts because the handler's
	 * own events fill the period. The sampling ended then.
	 */
	bool storm;
	uint64_t lag;     /* iebs: most events between an overflow and its handler */
	uint64_t events;  /* counted by slot 0; 0 with PEBS, which reloads that counter */
	uint64_t control; /* counted by slot 1 */
};

/*
 * Name of method i, best known first: iebs, pebs, prec-dist (64-bit kernel), ibs-op, ibs-fetch.
 * NULL behind the last; `i` is at most the number of methods.
 */
const char *pmu_sampling_method(unsigned i);

/*
 * Finds counters for s->event. Returns NULL, or the reason why the method cannot sample the event:
 * no counter, no overflow interrupt (P5), no local APIC, an LVT entry that the firmware uses, no
 * PEBS.
 */
const char *pmu_sampling_open(struct pmu_sampling *s, unsigned method);

/* Sets the counters to their start and lets them run. False: a register could not be written. */
bool pmu_sampling_start(struct pmu_sampling *s);

/* Stops the counters and masks the interrupt. Safe after a trap ended the sampled code. */
void pmu_sampling_stop(struct pmu_sampling *s);

#endif
