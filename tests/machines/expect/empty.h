/* `empty`: every planned event reads 0 in a benchmark that does nothing. */
#ifndef TESTS_MACHINES_EXPECT_EMPTY_H
#define TESTS_MACHINES_EXPECT_EMPTY_H

#include "tests/machines/expect/plan.h"
#include "tests/machines/expect/spec.h"
#include "tools/log/logfile.h"

struct empty {
	const struct expectation *want;
	struct plan *plan;
	size_t results; /* of the benchmark, so far */
};

/* Looks at a `result` or `zero` of the benchmark, and at nothing else. */
void empty_note(struct empty *e, const struct line *line, struct complaints *c);

/* Behind the last record: was each event counted as often as it should be? */
void empty_check(const struct empty *e, struct complaints *c);

#endif
