/*
 * Performance-monitoring hardware, as the layers above see it.
 *
 * A family driver (pmu/p5.c, p6.c, netburst.c, arch.c, amd.c, none.c) describes its counters and
 * turns a request into register values. pmu_init() picks the driver once, and lets every counter
 * prove that it holds, stands still and counts. pmu_plan() places a list of requests in groups,
 * each of which fits the counters at once. Nothing is ever multiplexed or scaled.
 *
 * The engine needs only this header. It asks for a plan, and for each group it generates a bracket
 * that reads the slots in order.
 */
#ifndef PMU_PMU_H
#define PMU_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

enum {
	PMU_SLOTS = 18, /* most counters that run at once: NetBurst's 18 */
	PMU_KEY = 128,  /* bytes of a log key, with the final 0: P5 has names of 72 letters */
};

/* How the bracket reads a counter. */
enum pmu_access {
	PMU_RDMSR, /* index is an MSR number */
	PMU_RDPMC, /* index is what RDPMC takes in ECX */
};

/* One register write of a configuration. */
struct pmu_write {
	uint32_t msr;
	uint64_t value;
};

enum { PMU_EXTRA = 6 };

/* One event on one counter. */
struct pmu_slot {
	char key[PMU_KEY]; /* the manual's event name, with unit mask and filters if any */
	uint8_t counter;   /* number within the family */
	uint8_t width;     /* bits; read values are taken modulo 2^width */
	uint8_t access;    /* enum pmu_access */
	uint32_t index;
	uint64_t select; /* value of the counter's own select register (CCCR on NetBurst) */
	uint64_t from;   /* value that the counter starts from; 0 but for proofs */
	unsigned nextra; /* registers beside it: ESCR, offcore response, tagging ... */
	struct pmu_write extra[PMU_EXTRA];
	uint8_t thread; /* pmu_plan_pair(): 1 for the other thread than that of pmu_init() */
	bool empty;     /* the simulator cannot derive the event: what is read means nothing */
	/*
	 * It counts only while something else holds that code on one thread cannot bring about:
	 * NetBurst's thread=both and thread=none, and a counter that waits for a cascade.
	 */
	bool conditional;
	bool still; /* it never moved so far, also where it must: a 0 means nothing */
};

/* The bits that a counter or slot of this width has. */
static inline uint64_t pmu_mask(unsigned width)
{
	return width < 64 ? ((uint64_t)1 << width) - 1 : ~(uint64_t)0;
}

/* Events that count at the same time, in one run. */
struct pmu_group {
	unsigned n;
	/* Architectural counters from version 2 on: bits of IA32_DEBUGCTL that must be set too. */
	uint32_t debugctl;
	bool other; /* for the CPUs of pmu_probe_other() */
	struct pmu_slot slots[PMU_SLOTS];
};

struct pmu_plan {
	unsigned ngroups;
	struct pmu_group *groups;
};

/*
 * Picks the driver for the CPU, proves its counters and prints `pmu` and `counter` records.
 * Returns false when nothing can count: the `pmu` record then says pmu=none and the reason, and
 * every plan is empty.
 */
bool pmu_init(const struct cpu *cpu);

/*
 * Lets the counters that pmu_init() proved count its loop again, all that can at once. Each call
 * has other counters count their second event. False: some do not count as they did; a `counter`
 * record of each tells what it counts now. Nothing may be counting. Without counters it is true.
 */
bool pmu_prove_again(void);

/* The same at the end: with each exchange of events, alone where it must be, and over a million. */
bool pmu_prove_end(void);

/*
 * Did all counters fail together in the latest of these two proofs, as those of a guest do while
 * its host needs them? Then the proof was made again, up to four times, each behind a wait of 66
 * million ticks at most.
 */
bool pmu_taken(void);

/*
 * Ticks of the time stamp counter that the proofs at boot took, without the records that tell of
 * them; 0: there were none.
 */
uint64_t pmu_prove_ticks(void);

/*
 * Plans `events` (the value of events=; NULL or "default": the family's default set; "all"),
 * counting at CPL `cpl` (0 or 3). What cannot be had is an `error` record that names the culprit
 * and what would be allowed; the rest is planned. `alloc` gives zeroed memory or NULL. An `event`
 * record is printed for each request that was placed.
 */
void pmu_plan(struct pmu_plan *plan, const char *events, unsigned cpl, void *(*alloc)(size_t size));

/*
 * Prints a `listed` record for each alias and each event of this CPU that its counters can count
 * (argument `list=events`).
 */
void pmu_list(void);

/*
 * The same requests for code that runs at another CPL. What is wrong with them is not said again,
 * and the `event` records carry `cpl`.
 */
void pmu_plan_again(struct pmu_plan *plan, const char *events, unsigned cpl,
                    void *(*alloc)(size_t size));

/*
 * One request as a group of its own, for checks; prints nothing. False: it cannot be counted.
 * "instructions:u:ctr=1" pins it to a counter.
 */
bool pmu_single(struct pmu_group *group, const char *request, unsigned cpl);

/*
 * The names of all events that this CPU's counters can count, as `all` plans them: one a call, from
 * the first one on if `first`. NULL: there is none more. The text is good until the next call.
 */
const char *pmu_next_event(bool first);

/* Deterministic aliases that this family has, by number; NULL past the last. */
const char *pmu_exact_alias(unsigned i);

/* What is known to be wrong with a slot's event on this CPU (its key), or NULL. */
const char *pmu_erratum(const char *key);

/* Programs a group's counters from zero and lets them run; stops all of them. */
bool pmu_start(const struct pmu_group *group);

/*
 * Whether the control registers still hold what pmu_start() wrote; asked before pmu_stop(). False:
 * an SMI handler changed one, a `warn` record has its number, and what was counted must be
 * dropped.
 */
bool pmu_intact(void);
void pmu_stop(void);

/*
 * As pmu_start(), for the CPU that asks, which may be another than pmu_init() ran on, as long as it
 * is of the same kind. Keeps nothing in memory, so that several CPUs may call it and pmu_stop() at
 * once. What other CPUs' registers held before is not put back: they are left stopped.
 */
bool pmu_start_here(const struct pmu_group *group);
void pmu_stop_here(const struct pmu_group *group);

/*
 * On a CPU of another kind than pmu_init() ran on, which `cpu` describes and which stays: finds its
 * counters. They are used without a proof. pmu_plan_other() plans `events` for them as
 * pmu_plan_again() does; events that this kind lacks are left out.
 */
void pmu_probe_other(const struct cpu *cpu);
void pmu_plan_other(struct pmu_plan *plan, const char *events, unsigned cpl,
                    void *(*alloc)(size_t size));

/*
 * Plans `events` as pmu_plan_again() does, for two threads of a core that share its counters: each
 * event is placed once for each thread, both in one group if the counters suffice. False: threads
 * have counters of their own here, and *plan is not set.
 */
bool pmu_plan_pair(struct pmu_plan *plan, const char *events, unsigned cpl,
                   void *(*alloc)(size_t size));

/* The registers of one proven counter, for measuring what their accesses cost. */
struct pmu_registers {
	uint32_t counter; /* MSR of the counter */
	uint32_t
		select; /* MSR of a control register; 0 may be written to it while all is stopped */
	bool has_rdpmc;
	uint32_t rdpmc; /* what RDPMC takes for the counter */
};

/* False: no counter is usable. */
bool pmu_registers(struct pmu_registers *r);

/*
 * On the CPU that calls: stops everything and makes the registers what pmu_init() found on the boot
 * CPU. pmu_fini() is the last to do so.
 */
void pmu_put_back(void);
void pmu_fini(void);

const char *pmu_name(void); /* "p5", "p6", ... "none" */

#endif
