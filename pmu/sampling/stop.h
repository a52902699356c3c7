/*
 * A counter of clocks that stops all counters after a given number of clocks. Another counter then
 * shows its value at that clock.
 *
 * Architectural counters from version 2 on freeze by themselves when one overflows
 * (FREEZE_PERFMON_ON_PMI of IA32_DEBUGCTL, SDM volume 3B, "Freezing LBR and Performance Counters on
 * PMI"). On other CPUs both counters count at CPL 3 alone, so they stand still from the interrupt
 * on. The counter of clocks shows the clock of the interrupt.
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
	uint64_t at[2]; /* values of the slots at that moment */
};

/* Finds counters. Returns NULL, or the reason why the event cannot be counted by the clock. */
const char *pmu_stop_open(struct pmu_stopper *s);

/*
 * Starts the counters, which stop after `clocks` clocks (0: they do not stop). False: a register
 * could not be written.
 */
bool pmu_stop_begin(struct pmu_stopper *s, uint64_t clocks);

/* Ends a run; call it also after a trap ended the code, or pmu_stop_begin() failed. */
void pmu_stop_end(void);

/* Puts back the register values that pmu_stop_open() found. */
void pmu_stop_close(struct pmu_stopper *s);

#endif
