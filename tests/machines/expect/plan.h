/*
 * The events of a log: which are planned, and how often `empty` found each. The names stay the
 * log's.
 */
#ifndef TESTS_MACHINES_EXPECT_PLAN_H
#define TESTS_MACHINES_EXPECT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/log/record.h"

/* What is wrong with a log, a line each. */
struct complaints {
	FILE *out;
	size_t n;
};

void complain(struct complaints *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct event {
	struct span name;
	bool planned;   /* an `event` record names it */
	bool derived;   /* that has `derived`: it is not counted by itself */
	bool still;     /* a 0 of it is no count */
	unsigned times; /* that it was counted in the empty benchmark */
};

/* What CPUID says of architectural events: values of `arch_pmu` records. */
enum arch_value { EVENTS, EVENTS_LENGTH, MISSING_EVENTS, FIXED, FIXED_BITMAP, ARCH_VALUES };

struct plan {
	struct event *event;
	size_t n;
	size_t records;            /* of the kind `event` */
	struct span told;          /* how many events `groups` says there are */
	struct span family, model; /* of the PMU */
	struct span arch[ARCH_VALUES];
};

/* Takes in what a record says of the plan. */
void plan_note(struct plan *plan, const struct record *r);

/* NULL: no record named it. */
struct event *plan_find(const struct plan *plan, struct span name);

/* The same; a name that is not there yet comes to it. */
struct event *plan_event(struct plan *plan, struct span name);

/* `planned`: are the events those that the tables have for the model? */
void plan_check(const struct plan *plan, const char *build, struct complaints *c);

void plan_free(struct plan *plan);

#endif
