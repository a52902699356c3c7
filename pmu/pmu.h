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

enum { PMU_EXTRA = 6 }; /* most registers of a slot beside its select */

/* One event on one counter. */
struct pmu_slot {
	char key[PMU_KEY]; /* the manual's event name, with unit mask and filters if any */
	uint8_t counter;   /* number within the family */
	uint8_t width;     /* bits; read values are taken modulo 2^width */
	uint8_t access;    /* enum pmu_access */
	uint32_t blocks;   /* bits of counters that no other event may use meanwhile */
	uint32_t index;    /* operand of `access`: an MSR number, or ECX of RDPMC */
	uint64_t select;   /* value of the counter's own select register (CCCR on NetBurst) */
	uint64_t from;     /* value that the counter starts from; 0 but for proofs */
	unsigned nextra;   /* registers beside it: ESCR, offcore response, tagging ... */
	struct pmu_write extra[PMU_EXTRA];
	uint8_t thread; /* of a pair: 1 for the other thread than that of pmu_init() */
	bool empty;     /* the simulator cannot derive the event: the count means nothing */
	/*
	 * It counts only under a condition that code on one thread cannot cause: NetBurst's
	 * thread=both and thread=none, and a counter that waits for a cascade.
	 */
	bool conditional;
	bool still; /* never moved, not even on code with such events: a 0 means nothing */
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

/* The groups of pmu_plan(). A plan without groups is empty. */
struct pmu_plan {
	unsigned ngroups;
	struct pmu_group *groups;
};

/* What a plan is for. */
struct pmu_want {
	const char *events; /* the value of events=; NULL or "default": the family's default set */
	unsigned cpl;       /* 0 or 3: the level of requests that name none */
	/*
	 * For the counters of pmu_probe_other(), not of pmu_init(). Events that this kind of CPUs
	 * lacks are left out.
	 */
	bool other;
	/*
	 * For two threads of a core that share its counters (pmu_threads_share()); never with
	 * `other`. Each event is placed once for each thread, both in one group if there are enough
	 * counters.
	 */
	bool pair;
	/*
	 * The same requests have been planned before: what is wrong with them is not said again,
	 * there is no `groups` record, and the `event` records have `cpl`.
	 */
	bool quiet;
	void *(*alloc)(size_t size); /* gives zeroed memory or NULL */
};

/*
 * Picks the driver for the CPU, proves its counters and prints `pmu` and `counter` records. False:
 * no counter is usable, the `pmu` record says pmu=none and the reason, and every plan is empty.
 */
bool pmu_init(const struct cpu *cpu);

/*
 * Proves together again the counters that pmu_init() proved, on the same loop. In each call other
 * counters count their second event. All counters must be stopped before. False: some counters
 * count wrongly now, and a `counter` record of each has the new counts. Without counters it is
 * true.
 */
bool pmu_prove_again(void);

/*
 * The same at the end of a run, with all exchanges of events, and with a run of a million
 * instructions. Counters that cannot count together count alone.
 */
bool pmu_prove_end(void);

/*
 * Did all counters fail together in the latest of these two proofs? In a guest they do so while the
 * host uses them. The proof is then repeated up to four times, each time after a wait of at most 66
 * million ticks. pmu_prove_end() repeats single rounds as well, after 134 million ticks of waits at
 * most.
 */
bool pmu_taken(void);

/*
 * In a guest: does every proven counter count a short loop just now? What an exit adds does not
 * matter. Elsewhere true. All counters must be stopped before.
 */
bool pmu_counts(void);

/*
 * Waits until pmu_counts(), at most 66 million ticks. False: the counters stay away. The next calls
 * then do not wait until the counters count again.
 */
bool pmu_wait(void);

/*
 * Ticks of the time stamp counter that the proofs at boot took, without printing their records; 0:
 * no proof was made.
 */
uint64_t pmu_prove_ticks(void);

/*
 * Places the requests of want->events in groups. A request that cannot be counted gets an `error`
 * record with the wrong part and the allowed values; the other requests are planned. Each placed
 * request gets an `event` record. The plan is empty if nothing counts or memory is short; *want is
 * not needed afterwards.
 */
void pmu_plan(struct pmu_plan *plan, const struct pmu_want *want);

/* Do the two threads of this core share its counters? */
bool pmu_threads_share(void);

/*
 * Prints a `listed` record for each alias and each event of this CPU that its counters can count
 * (argument `list=events`).
 */
void pmu_list(void);

/*
 * Makes a group of one request, for checks; prints nothing. "instructions:u:ctr=1" pins the event
 * to counter 1. False: the request cannot be counted.
 */
bool pmu_single(struct pmu_group *group, const char *request, unsigned cpl);

/*
 * Adds one request to a planned group, on a counter that the group leaves free; prints nothing.
 * False: there is no such counter, the group has the event already, or the family is another than
 * AMD's or that of architectural counters, where events share registers.
 */
bool pmu_add(struct pmu_group *group, const char *request, unsigned cpl);

/*
 * Each call returns the name of the next event that `all` plans, or of the first event if `first`.
 * NULL: there are no more. The text is valid until the next call.
 */
const char *pmu_next_event(bool first);

/* Deterministic alias number i of this family, from 0 on; NULL past the last. */
const char *pmu_exact_alias(unsigned i);

/* The erratum about the event of a slot with this key on this CPU; NULL: none is known. */
const char *pmu_erratum(const char *key);

/*
 * In a guest: do the hypervisor's exits add to this count, by pmu_erratum()? They never take from
 * it.
 */
bool pmu_host_adds(const char *key);

/*
 * Does this CPU count an interrupt as one more of the event of a slot with this key, by its maker's
 * word? Each interrupt that samples the event then adds one.
 */
bool pmu_counts_interrupts(const char *key);

/*
 * Stops all counters, programs those of the group and starts them at slots[].from. False: a
 * register could not be written, or did not keep its value; all counters are stopped.
 */
bool pmu_start(const struct pmu_group *group);

/*
 * Do the control registers still hold what pmu_start() wrote? Call it before pmu_stop(). False:
 * another program, such as an SMI handler, changed a register. A `warn` record has its number, and
 * the counts must be dropped.
 */
bool pmu_intact(void);

/* Stops all counters. Safe at any time. */
void pmu_stop(void);

/*
 * pmu_start() and pmu_stop() for the calling CPU, which must be of the kind of the group: that of
 * pmu_init(), or that of pmu_probe_other(). They write no memory, so several CPUs may call them at
 * once. They leave the counters stopped, and do not put back older register values. False: a
 * register could not be written.
 */
bool pmu_start_here(const struct pmu_group *group);
void pmu_stop_here(const struct pmu_group *group);

/*
 * pmu_probe_other() runs on a CPU of another kind than that of pmu_init(), and finds its counters,
 * which are used without a proof. *cpu describes the CPU and must stay valid.
 */
void pmu_probe_other(const struct cpu *cpu);

/* The registers of one proven counter, to measure the cost of their accesses. */
struct pmu_registers {
	uint32_t counter; /* MSR of the counter */
	uint32_t
		select; /* MSR of a control register; 0 may be written to it while all is stopped */
	bool has_rdpmc;
	uint32_t rdpmc; /* ECX of RDPMC for the counter; only with has_rdpmc */
};

/* Fills *r. False: no counter is usable. */
bool pmu_registers(struct pmu_registers *r);

/*
 * On the calling CPU: stops all counters, and puts back the register values that pmu_init() found
 * on the boot CPU. pmu_fini() does the same and forgets the values; it is the last call.
 */
void pmu_put_back(void);
void pmu_fini(void);

const char *pmu_name(void); /* "p5", "p6", ... "none" */

#endif
