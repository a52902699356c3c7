/*
 * A worker: one CPU with the code that it measures, and the memory that belongs to it. A team is
 * the workers that measure at the same time.
 */
#ifndef BENCH_THREADS_WORKER_H
#define BENCH_THREADS_WORKER_H

#include "bench/bench.h"
#include "bench/engine/code.h"
#include "bench/engine/stats.h"
#include "bench/threads/company.h"
#include "kernel/smp/smp.h"

enum {
	WORKER_SAMPLES = 8,                /* kept of each code */
	WORKER_MEMORY = 256 << 10,         /* bytes of the arena, aligned to as much */
	WORKER_QUANTITIES = 1 + PMU_SLOTS, /* [0] TSC, [1 + i] slot i */
};

struct team {
	unsigned n;
	struct worker **worker;
	struct smp_barrier barrier;
	volatile uint32_t entered;  /* workers that measure */
	volatile uint32_t finished; /* ... and that have all their samples */
};

/* Of the samples of both codes in a guest; a sample is dropped for the first reason that it has. */
struct worker_host {
	uint32_t exit;   /* dropped: the hypervisor came in between */
	uint32_t stood;  /* ... counters stood still */
	uint32_t stolen; /* ... KVM gave the CPU to another user */
	uint32_t apart;  /* ... another worker may have stood still for more than a tenth of it */
	bool exits;      /* samples with exits had to be kept: too few were without */
	bool lonely;     /* ... and samples without company */
};

struct worker {
	unsigned cpu; /* number in kernel/smp/smp.h */
	struct bench b;
	struct bench_area area; /* the worker's own */
	uint32_t copies, loop;  /* of the body, in the shorter of both codes */
	unsigned cpl;           /* at which the body runs */
	const struct pmu_group
		*program;      /* what this CPU programs; NULL: nothing, or another does */
	struct pmu_group own;  /* ... in a guest with events that tell of the host */
	struct pmu_group read; /* what this CPU reads */
	unsigned told;         /* slots of `read` that records have */

	/* Of the last measurement. */
	unsigned n;                             /* quantities */
	struct stats_diff q[WORKER_QUANTITIES]; /* of `copies` copies, `loop` times around */
	uint64_t skew;           /* ticks from the first worker's first sample to this one's */
	uint32_t busy;           /* thousandths of its time that it spent in the body */
	struct worker_host host; /* what a guest's hypervisor did to it */
	struct worker_host host_alone;    /* ... and to the measurement without company */
	int64_t alone[WORKER_QUANTITIES]; /* medians of the measurement without company */

	/* While it runs. */
	struct team *team;
	struct code_state *state;
	uint32_t *rounds;
	uint8_t *code;
	void (*entry)(void);
	struct code_returns returns;
	struct usermode_view view; /* root NULL: the worker has none */
	volatile bool not_programmed;
	volatile bool escaped; /* the user's code came back, but not past its end */
	uint32_t kept;
	uint64_t entered; /* the worker's own time stamps, as are the next two */
	uint64_t start[WORKER_SAMPLES], end[WORKER_SAMPLES];
	bool stood;                  /* its counters did, in the last run of a guest: keep_good() */
	bool stolen[WORKER_SAMPLES]; /* the host gave the CPU to another user in between */
	uint64_t into[2][WORKER_QUANTITIES][WORKER_SAMPLES];
	struct company_runs ran;
	uint32_t used[2]; /* samples in `into` that count */
	uint64_t bracket; /* instructions of an empty bracket in a guest; 0: unknown */
};

/* Worker number i, in the last WORKER_MEMORY * (i + 1) bytes of the arena; NULL: no memory. */
struct worker *worker_at(const struct bench_run *run, unsigned i);

/*
 * Makes the worker's own view of the guarded address space, in which CPL 3 has the worker's memory
 * and its part of the arena and nothing else. Once, when all plans of events have been made.
 * `tables`: USERMODE_VIEW bytes at a page boundary. NULL, or why there is none.
 */
const char *worker_usermode(const struct bench_run *run, struct worker *s, void *tables);

/* Clears the worker's memory and sets what its benchmark starts from. */
void worker_prepare(const struct bench_run *run, struct worker *s);

/*
 * Chooses copies and loop of the worker so that a run takes some ten thousand ticks; runs the code
 * on the worker's CPU. Returns NULL, or why not.
 */
const char *worker_size(const struct bench_run *run, struct worker *s);

/* Samples that each of both codes has at least. */
static inline uint32_t worker_runs(const struct worker *s)
{
	return s->used[0] < s->used[1] ? s->used[0] : s->used[1];
}

/* The reason of team_measure() where the host of a guest keeps the counters. */
extern const char worker_stood[];

/*
 * Lets all workers of the team measure at the same time: copies of the body, then twice as many.
 * Sets the results of each. Samples count only if they lie in the time in which all were measuring:
 * none begins before all have begun, and none is kept that ends behind the last one of any worker.
 * In a guest, samples into which the hypervisor came, or that had no company for a tenth of their
 * time, are dropped. Where fewer than four of a worker are left, all measure again, three times at
 * most; then all of its samples are kept but those in which its counters stood still. Returns NULL,
 * or why there is no result: worker_stood if the host of a guest keeps the counters; a CPU that
 * failed has had its record by then.
 */
const char *team_measure(const struct bench_run *run, struct team *t);

#endif
