/*
 * The counters that sample: a request becomes a group.
 */
#ifndef PMU_SAMPLING_GROUP_H
#define PMU_SAMPLING_GROUP_H

#include "pmu/driver.h"
#include "pmu/sampling/sampling.h"

/* This family's spelling of field `id` (enum pmu_field_id); NULL: it lacks the field. */
const struct pmu_field *sampling_field(unsigned id);

struct text;

/*
 * Appends the request with the field to the text: "EVENT:ctr=0", or "cpu/event=0xc0,ctr=0/". Only
 * PMU_COUNTER takes `value`; any other field becomes 1. False: requests of this family lack the
 * field.
 */
bool sampling_extend(struct text *t, const char *event, unsigned id, unsigned value);

/*
 * Adds an event to a group that has one event, on another counter. False: the two cannot count
 * together.
 */
bool sampling_add(struct pmu_group *g, const char *event, unsigned cpl);

/*
 * Fills slot 0 of s->group with the request s->event and the field that sampling_extend() adds, and
 * slot 1 with a control, if counters allow one. False: the request cannot be counted.
 */
bool sampling_group(struct pmu_sampling *s, unsigned field, unsigned value);

/* The next 32 pseudo-random bits; the sequence is the same in each run. */
uint32_t sampling_random(void);

/*
 * Fills the group for s->after. Slot 1 counts that event, and its overflow starts slot 0
 * (NetBurst's cascade). Sets s->waits and s->then. False: no pair of counters can count both.
 */
bool sampling_cascade(struct pmu_sampling *s);

#endif
