/*
 * A batch: one code, run until there are enough samples of it. Only the engine's files use it.
 */
#ifndef BENCH_ENGINE_BATCH_H
#define BENCH_ENGINE_BATCH_H

#include "bench/bench.h"
#include "bench/engine/code.h"
#include "bench/engine/guest.h"
#include "bench/engine/samples.h"

enum {
	RUNS_MIN = 8,  /* fewest samples before the minimum counts as stable */
	RUNS_MAX = 64, /* most samples while the minimum is not stable */
};

/* The measured routine of one code. */
struct routine {
	void (*entry)(void);
	struct code_returns returns;
};

struct batch {
	/* The caller's wishes. */
	const struct bench_run *run;
	const struct bench *b;
	const struct pmu_group *group; /* NULL: only the time stamp counter */
	uint64_t (*into)[ENGINE_RUNS]; /* [quantity][sample] */
	uint32_t fixed_runs;           /* samples wanted, at most ENGINE_RUNS; 0: until stable */
	uint32_t warmup;               /* runs thrown away before */
	uint32_t passes;               /* of the code in a sample (code.h); 0: one */
	bool blind;                    /* samples are not compared with instructions */
	bool flush;                    /* empty the caches before the first run */

	/* The outcome. */
	uint32_t n;                /* samples kept */
	uint32_t n_core;           /* ... with a known core clock: in into[ENGINE_CORE] */
	uint32_t unsteady, shared; /* samples without core clock: see enum core_verdict */
	uint32_t dropped_all;      /* the sum of `dropped` */
	uint32_t repeated;         /* earlier attempts that gave no usable samples */
	bool interrupted;          /* each run had an interrupt, so such samples were kept */
	struct engine_dropped dropped;
	bool late;                    /* times: the host came into half of the samples or more */
	uint8_t core_at[ENGINE_RUNS]; /* the sample of each known core clock */

	/* While it runs. */
	struct guest_watch watch;
	struct routine code;
	bool remind;    /* sampling: the predictors see the code directly before each sample */
	bool disturbed; /* batch_once(): an outside event came during this run */
	bool guarded;   /* the user's code at CPL 3, which may write only to its own memory */
	bool timed_out; /* the time limit ended the routine */
	uint64_t began; /* TSC, of the run under way */
	bool escaped;   /* the routine returned without passing its end */
};

/* Readies code buffer and data; false if there is no memory for them. */
bool batch_init(const struct bench_run *run);

/*
 * Sets state->in to the registers at the start of b, with the data areas of `area`. XSI, XDI and
 * XBX are `data_offset` bytes higher.
 */
void batch_preset(struct code_state *state, const struct bench *b, const struct bench_area *area,
                  uint32_t data_offset);

/* The CPL at which b runs. */
unsigned batch_cpl(const struct bench_run *run, const struct bench *b);

/*
 * Builds the routine with `copies` of the body, `loop` times around, and runs it until t has its
 * samples. A batch without samples, or whose counters firmware changed, is run again up to three
 * times. Returns NULL, or the reason why there are no samples.
 */
const char *batch_run(struct batch *t, uint32_t copies, uint32_t loop);

/*
 * Of the latest batch_run(): the ticks of all passes of each sample, in the order of t->into. Valid
 * until the next one.
 */
const uint64_t *batch_windows(void);

/* The place of the copies of a body; the loop branch follows them. */
struct batch_place {
	const uint8_t *start;
	size_t size; /* bytes of all copies */
};

/* Functions that are called directly before and after a pass; stop() also after a fault. */
struct batch_hooks {
	bool (*start)(void *arg); /* false: the pass does not run */
	void (*stop)(void *arg);
	void *arg;
};

/* Builds the routine, prepares memory and registers. Returns NULL, or why it cannot run. */
const char *batch_build(struct batch *t, uint32_t copies, uint32_t loop, struct batch_place *place);

/*
 * Runs the routine of batch_build() once, between the two hooks. Returns NULL, or the reason why
 * the run did not end. If a tick of the watchdog comes in a run of built-in code, the following
 * runs have no watchdog.
 */
const char *batch_once(struct batch *t, const struct batch_hooks *hooks);

/* batch_build(), then batch_once(). */
const char *batch_pass(struct batch *t, uint32_t copies, uint32_t loop,
                       const struct batch_hooks *hooks, struct batch_place *place);

/* The readings of slot i by the bracket of the last run: before the body, and behind it. */
uint64_t batch_read_before(unsigned i);
uint64_t batch_read_after(unsigned i);

#endif
