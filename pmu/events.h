/*
 * Access to the event tables of a family, by number from 0 to table->n - 1.
 */
#ifndef PMU_EVENTS_H
#define PMU_EVENTS_H

#include "pmu/driver.h"

/* Bit n: model n of the family has event number i. */
uint64_t pmu_event_models(const struct pmu_table *t, unsigned i);

/* The first event of this model whose number is at least i; -1 if there is none. */
int pmu_event_next(const struct pmu_hw *hw, unsigned i);

/* Reads event number i into *e. Its texts and its kind stay valid. */
void pmu_event_at(const struct pmu_table *t, unsigned i, struct pmu_event *e);

/* The first part of the name of event number i, without reading the rest. */
const char *pmu_event_name(const struct pmu_table *t, unsigned i);

/* Writes the whole name, with dots, cut off at `size` bytes with the final 0. */
void pmu_event_text(const struct pmu_event *e, char *text, size_t size);

#endif
