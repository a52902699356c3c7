/*
 * What a row of tests/machines expects of a log: its text, taken apart. tests/machines/README.md
 * says what an expectation may be.
 */
#ifndef TESTS_MACHINES_EXPECT_SPEC_H
#define TESTS_MACHINES_EXPECT_SPEC_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/log/record.h"

enum relation { LIKE, EQUAL, BELOW, AT_MOST, ABOVE, AT_LEAST };

/* KEY=GLOB, or a relation: KEY+KEY=NUMBER, KEY<NUMBER and so on. */
struct condition {
	struct span keys; /* of a relation: + between several */
	enum relation relation;
	struct span glob;    /* of LIKE */
	int64_t thousandths; /* of the others */
};

/* EVENT of `empty`, or EVENT=N. */
struct tolerance {
	struct span event;
	bool slow;   /* a clock slower than the core's */
	double most; /* N */
};

enum sort { RECORDS, LINE, RESULTS, COUNTED, PLANNED, EMPTY };

struct expectation {
	enum sort sort;
	struct span text;
	struct span name; /* RECORDS: the kind; EMPTY: the benchmark */
	struct condition *conditions;
	size_t nconditions;
	struct tolerance *tolerances;
	size_t ntolerances;
	uint64_t least, most; /* how many of them there must be */
	regex_t line;         /* LINE */
};

struct spec {
	struct expectation *want;
	size_t n;
};

/* Reads expectations with `;` between. False, with a message on `err`, if one is malformed. */
bool spec_read(struct spec *spec, const char *text, FILE *err);

void spec_free(struct spec *spec);

/* The first expectation of the sort; NULL: there is none. */
const struct expectation *spec_find(const struct spec *spec, enum sort sort);

/* Does the record meet all conditions? */
bool spec_holds(const struct expectation *want, const struct record *r);

#endif
