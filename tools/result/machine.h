/* What a run tells of its machine and of its clocks. */
#ifndef TOOLS_RESULT_MACHINE_H
#define TOOLS_RESULT_MACHINE_H

#include "tools/result/results.h"

struct machine {
	char name[96];        /* brand string, or vendor, family, model and stepping */
	char version[48];     /* of cpl0 */
	char pmu[32];         /* driver of the counters, "none" */
	char status[8];       /* of `done`; "" if the run did not finish */
	unsigned bits;        /* 32 or 64, 0: unknown */
	uint32_t signature;   /* CPUID leaf 1 EAX, 0: unknown */
	uint64_t tsc_hz;      /* 0: unknown */
	int64_t core_per_tsc; /* core clocks a TSC tick, thousandths; 0: the log does not say */
	bool scoreboard;      /* nominal clocks that were held against a real processor's */
	const char *emulated; /* why times are no CPU's, as the log tells; or NULL */
	char guest[16]; /* the hypervisor between the log and its CPU; "" on iron or emulated */
};

void machine_read(struct machine *m, const struct log *log, const struct run *run);

#endif
