/*
 * What a plan says in the log. Only plan.c uses it.
 */
#ifndef PMU_PLAN_PRINT_H
#define PMU_PLAN_PRINT_H

#include "pmu/pmu.h"

/* A request as the user spelt it. */
struct plan_asked {
	const char *key;   /* the key of its slot */
	const char *alias; /* what the user wrote in place of the event's name */
	size_t length;     /* of the alias; 0: the user wrote the name */
};

/*
 * An `error` or a `warn` record about `culprit`, a request or its wrong part. A quiet plan says
 * nothing: the first plan has said it.
 */
void plan_error(const struct pmu_want *want, const char *culprit, const char *why);
void plan_warn(const struct pmu_want *want, const char *culprit, const char *why);

/*
 * An `event` record for each slot of the plan, which was made from the n requests `asked`, then the
 * `groups` record. A quiet plan is not the first: its `event` records have the key `cpl`, and it
 * has no `groups` record.
 */
void plan_print(const struct pmu_plan *plan, const struct pmu_want *want,
                const struct plan_asked *asked, unsigned n);

#endif
