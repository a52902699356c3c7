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
	RUNS_MIN = 8,  /* samples before the minimum may count as stable */
	RUNS_MAX = 64, /* samples after which it has to do */
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
	bool blind;                    /* no sample is held against instructions */
	bool flush;                    /* empty the caches before the first run */

	/* What came of it. */
	uint32_t n;                /* samples kept */
	uint32_t n_core;           /* ... with a known core clock: in into[ENGINE_CORE] */
	uint32_t unsteady, shared; /* samples without: see enum core_verdict */
	uint32_t dropped_all;      /* the sum of `dropped` */
	uint32_t repeated;         /* attempts before this one that were spoilt as a whole */
	bool interrupted;          /* each run had an interrupt in it: they had to be kept */
	struct engine_dropped dropped;

	/* While it runs. */
	struct guest_watch watch;
	struct routine code;
	bool remind;    /* sampling: the predictors shall have seen nothing else just before */
	bool disturbed; /* batch_once(): something from outside came in this run */
	bool guarded;   /* the user's own code at CPL 3, which may write to its own memory alone */
	bool escaped;   /* the routine came back, but not past its end */
};

/* Readies code buffer and data; false if there is no memory for them. */
bool batch_init(const struct bench_run *run);

/*
 * The registers that b starts from, with its data areas in `area`; those of the second kind begin
 * `data_offset` bytes into theirs.
 */
void batch_preset(struct code_state *state, const struct bench *b, const struct bench_area *area,
                  uint32_t data_offset);

/* The CPL at which b runs. */
unsigned batch_cpl(const struct bench_run *run, const struct bench *b);

/*
 * Builds the routine with `copies` of the body, `loop` times around, and runs it until there are as
 * many samples as t asks for. A batch without samples, or whose counters firmware changed, is
 * run again up to three times. Returns NULL or why there are no samples.
 */
const char *batch_run(struct batch *t, uint32_t copies, uint32_t loop);

/* Where the copies of a body lie; the loop around them follows. */
struct batch_place {
	const uint8_t *start;
	size_t size; /* bytes of all copies */
};

/* What is done right before and after a pass; stop() is called after a fault as well. */
struct batch_hooks {
	bool (*start)(void *arg); /* false: the pass does not run */
	void (*stop)(void *arg);
	void *arg;
};

/* Builds the routine and readies memory and registers. Returns NULL or why it cannot run. */
const char *batch_build(struct batch *t, uint32_t copies, uint32_t loop, struct batch_place *place);

/*
 * Runs what batch_build() made a single time between the two hooks. Returns NULL or why the run did
 * not come to its end. Once a tick of the watchdog has come in a run of a built-in code, the runs
 * that follow go without the watchdog.
 */
const char *batch_once(struct batch *t, const struct batch_hooks *hooks);

/* Both, one after the other. */
const char *batch_pass(struct batch *t, uint32_t copies, uint32_t loop,
                       const struct batch_hooks *hooks, struct batch_place *place);

/* What the bracket of the last run read from slot i of the group before the body, and behind it. */
uint64_t batch_read_before(unsigned i);
uint64_t batch_read_after(unsigned i);

#endif
