/* The quantities of a sample, the number of samples, and the reasons to drop a sample. */
#ifndef BENCH_ENGINE_SAMPLES_H
#define BENCH_ENGINE_SAMPLES_H

#include <stdint.h>

#include "kernel/lib/args.h"
#include "pmu/pmu.h"

enum {
	ENGINE_CORE = 1 + PMU_SLOTS,       /* core clocks derived from the TSC, in thousandths */
	ENGINE_CORE_ERROR = 2 + PMU_SLOTS, /* the error of each, in thousandths */
	ENGINE_QUANTITIES = 3 + PMU_SLOTS, /* the TSC, every slot of a group, and these two */
	ENGINE_RUNS = ARGS_RUNS,           /* most samples of one code */
	ENGINE_SERIES = ARGS_SERIES,       /* most runs of one series */
};

/* Dropped samples, by their reason. */
struct engine_dropped {
	uint32_t nmi, mce, smi;
	uint32_t timer;     /* the watchdog ticked (only where it is the 8254) */
	uint32_t gap;       /* the TSC stood still or jumped */
	uint32_t stood;     /* a guest's counters stood still during a part of the sample */
	uint32_t exit;      /* the guest exited to its host */
	uint32_t stolen;    /* the host gave the guest's CPU to other work */
	uint32_t interrupt; /* an interrupt came (only where it is visible: native/platform.c) */
};

#endif
