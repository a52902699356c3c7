/*
 * The snippets that are written in assembly and linked in: bench/suite/p5.S and its neighbours.
 */
#include "bench/bench.h"
#include "bench/snippet_load.h"

extern const struct snippet_blob __start_snippets[], __stop_snippets[];

static bool builtin_get(unsigned i, struct bench *b, const struct cpu *cpu,
                        const struct bench_area *area, const char **skip)
{
	const struct snippet_blob *blob = &__start_snippets[i];

	(void)cpu;
	(void)area;
	if (blob >= __stop_snippets)
		return false;
	*skip = snippet_load(b, blob, (const void *)0, (const void *)~(uintptr_t)0);
	return true;
}

static const struct bench_source builtin = { .name = "builtin", .get = builtin_get };
BENCH_SOURCE(builtin);
