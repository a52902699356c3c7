/*
 * What a sample of the engine holds, how many there are, and why some are not used.
 */
#ifndef BENCH_ENGINE_SAMPLES_H
#define BENCH_ENGINE_SAMPLES_H

#include <stdint.h>

#include "pmu/pmu.h"

enum {
	ENGINE_CORE = 1 + PMU_SLOTS,       /* core clocks derived from the TSC, in thousandths */
	ENGINE_CORE_ERROR = 2 + PMU_SLOTS, /* by how many thousandths each may be off */
	ENGINE_QUANTITIES = 3 + PMU_SLOTS, /* the TSC, every slot of a group, and these two */
	ENGINE_RUNS = 128,                 /* most samples of one code */
	ENGINE_SERIES = 64,                /* most runs of one series */
};

/* Why samples were not used. */
struct engine_dropped {
	uint32_t nmi, mce, smi;
	uint32_t timer;     /* the watchdog ticked (only where it is the 8254) */
	uint32_t gap;       /* the TSC stood still or jumped */
	uint32_t stood;     /* a guest's counters stood still, for some of it at least */
	uint32_t exit;      /* a guest's host came in between */
	uint32_t stolen;    /* ... or gave its CPU to other work */
	uint32_t interrupt; /* an interrupt came (only where that can be seen: native/platform.c) */
};

#endif
