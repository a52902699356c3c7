/*
 * A counter of clocks that stops the counters after so many clocks, so that what another counter
 * reads is the state of that clock.
 *
 * Architectural counters from version 2 on freeze by themselves when one overflows
 * (FREEZE_PERFMON_ON_PMI of IA32_DEBUGCTL, SDM volume 3B, "Freezing LBR and Performance Counters on
 * PMI"). Elsewhere both count at CPL 3 alone and stand still from the interrupt on; the counter of
 * clocks says when that was.
 */
#ifndef PMU_SAMPLING_STOP_H
#define PMU_SAMPLING_STOP_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/pmu.h"

enum { PMU_STOP_EVENT, PMU_STOP_CLOCK }; /* slots of the group */

struct pmu_stopper {
	/* The caller's wishes. */
	const char *event; /* a request as for events=, of one event */
	unsigned cpl;      /* at which the code runs: 0 or 3 */

	/* From pmu_stop_open() on. */
	struct pmu_group group;
	bool nmi;    /* the interrupt is an NMI, not a vector */
	bool freeze; /* the hardware stops the counters by itself */
	uint64_t debugctl_before;

	/* After a run. */
	bool stopped;   /* the counter of clocks overflowed before pmu_stop_end() */
	uint64_t at[2]; /* what the slots held then */
};

/* Finds counters. Returns NULL, or why the event cannot be seen clock by clock here. */
const char *pmu_stop_open(struct pmu_stopper *s);

/*
 * Starts the counters; they stop after so many clocks, or with 0 not at all. False: a register
 * could not be written.
 */
bool pmu_stop_begin(struct pmu_stopper *s, uint64_t clocks);

/* Ends a run; also after a trap ended the code, or pmu_stop_begin() failed. */
void pmu_stop_end(void);

/* Puts back what pmu_stop_open() found. */
void pmu_stop_close(struct pmu_stopper *s);

#endif
