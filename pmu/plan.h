/*
 * Between requests and registers: slots of a group, and single groups for proofs and checks.
 */
#ifndef PMU_PLAN_H
#define PMU_PLAN_H

#include "pmu/driver.h"

/* The PMU of this CPU; driver is pmu_none before pmu_init(). */
extern struct pmu_hw pmu_hw;

/* Drivers of this kernel's width in the order in which they are asked, NULL at the end. */
extern const struct pmu_driver *const pmu_drivers[];

/* One request, in one configuration, on one of its counters. */
void pmu_slot_fill(const struct pmu_hw *hw, struct pmu_slot *slot, const char *key,
                   const struct pmu_config *config, unsigned counter);

/* A counter's value, through its access; false if that faults. */
bool pmu_counter_read(const struct pmu_hw *hw, unsigned counter, uint64_t *value);

/*
 * Puts every counter to the proof (prove.c): prints a `counter` record for each and takes those
 * that fail out of hw->usable. With none left hw->why says what was wrong.
 */
void pmu_prove(struct pmu_hw *hw);

#endif
