/*
 * The source of instr.*: benchmarks by number from a walk that goes through all of them.
 */
#include "bench/instr/instr.h"

#include "bench/instr/walk.h"

static bool (*only)(const char *beginning);

void instr_only(bool (*wanted)(const char *beginning))
{
	only = wanted;
}

/* Asked for the benchmark that follows, as every run does, the walk goes on from where it is. */
bool instr_get(unsigned i, struct bench *b, const struct cpu *cpu, const struct bench_area *area,
               bool wide)
{
	static struct instr_walk walk;
	static unsigned next;

	if (i != next || !i || wide != walk.form.wide || cpu != walk.form.cpu) {
		instr_walk_begin(&walk, cpu, wide, only);
		next = 0;
	}
	for (; next <= i; next++)
		if (!instr_walk_next(&walk, b, area))
			return false;
	return true;
}

static bool source_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	(void)skip;
	return instr_get(i, b, cpu, area, sizeof(void *) == 8);
}

static const struct bench_source instr = {
	.name = "instr", .prefix = "instr.", .get = source_get, .only = instr_only
};
BENCH_SOURCE(instr);
