/*
 * The core's clock where neither a counter nor the time stamp counter (TSC) counts it.
 *
 * A chain of dependent ADDs takes one core clock an ADD. A chain of dependent multiplications takes
 * a whole number of core clocks each; a comparison with the ADDs gives this number once, at the
 * start. Both chains run before and after every sample. Their TSC ticks give the core clocks of a
 * tick during the sample, and each chain checks the other.
 */
#ifndef BENCH_ENGINE_CORE_CLOCK_H
#define BENCH_ENGINE_CORE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench.h"
#include "bench/engine/platform.h"

/* Bytes at the start of the code buffer (platform_code()) that belong to the chains. */
enum { CORE_CLOCK_CODE = 3 * 2048 };

/*
 * If neither a counter nor the TSC counts core clocks, builds the chains and prints the `clock
 * source=chains` record. `step` is the error of a TSC reading in ticks (struct sizing), and sets
 * the length of the chains. The chains run at CPL 0, or at the level of the process.
 */
void core_clock_init(const struct bench_run *run, enum platform_fence fence, uint32_t step);

/* True if there are chains: only then may the functions below be called. */
bool core_clock_derived(void);

/* TSC ticks of the two chains before [0] and after [1] a sample, less the bracket's cost. */
struct core_clock {
	uint64_t adds[2], muls[2];
};

/* Run both chains before and after a sample. */
void core_clock_before(struct core_clock *c);
void core_clock_after(struct core_clock *c);

enum core_verdict {
	CORE_KNOWN,
	CORE_UNSTEADY, /* the chains before and after differ by more than a hundredth */
	CORE_SHARED,   /* ADDs and multiplications disagree: another thread runs on the core */
};

/* Thousandths of core clocks, and their largest error. */
struct core_time {
	uint64_t milli, error;
};

/*
 * Converts the `ticks` of the sample between the chains to core clocks; *t is set only if
 * CORE_KNOWN. The error contains the error of a reading, and any change of the clock between the
 * first chain and the last.
 */
enum core_verdict core_clock_of(const struct core_clock *c, uint64_t ticks, struct core_time *t);

#endif
