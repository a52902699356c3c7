/*
 * The benchmarks of the datasheet: how large the structures of a core are, found by measurement
 * (docs/datasheet.md). Each writes a record `datasheet` for each of its figures.
 */
#include "bench/datasheet/figure.h"
#include "bench/datasheet/list.h"
#include "bench/engine/platform.h"
#include "bench/suite/generated.h"
#include "kernel/lib/string.h"

enum { ARENA_LEAST = 1 << 20 }; /* bytes */

static const char out_of_order[] = "clfsh sse2";

static const struct {
	const char *name, *what;
	const char *needs; /* features of the CPU */
	uint8_t flags;     /* SNIPPET_PRIVILEGED, or 0 */
	void (*perform)(struct bench_run *run, const struct bench *b);
} rows[] = {
	{ "datasheet.rob", "entries of the reorder buffer", out_of_order, 0, datasheet_rob },
	{ "datasheet.scheduler", "operations that wait for their operands", out_of_order, 0,
	  datasheet_scheduler },
	{ "datasheet.load_queue", "loads between rename and retirement", out_of_order, 0,
	  datasheet_load_queue },
	{ "datasheet.store_queue", "stores between rename and the cache", out_of_order, 0,
	  datasheet_store_queue },
	{ "datasheet.fill_buffers", "misses of the first level at a time", out_of_order, 0,
	  datasheet_fill_buffers },
	{ "datasheet.dtlb", "entries and ways of the data TLBs", "pse", SNIPPET_PRIVILEGED,
	  datasheet_dtlb },
	{ "datasheet.itlb", "entries and ways of the code TLBs", "pse", SNIPPET_PRIVILEGED,
	  datasheet_itlb },
	{ "datasheet.l1i", "size, ways and line of the code cache", "", 0, datasheet_l1i },
	{ "datasheet.banks", "banks of the data cache that serve one load at a time", "", 0,
	  datasheet_banks },
	{ "datasheet.writes", "what the data cache does with stores", "", 0, datasheet_writes },
	{ "datasheet.btb", "entries and ways of the buffer of branch targets", "", 0,
	  datasheet_btb },
	{ "datasheet.ras", "entries of the stack of return addresses", "", 0, datasheet_ras },
	{ "datasheet.mispredict", "clocks that a wrong prediction costs", "", 0,
	  datasheet_mispredict },
};

static void perform(struct bench_run *run, const struct bench *b)
{
	figure_begin(run);
	rows[b->arg[0]].perform(run, b);
}

static bool datasheet_get(unsigned i, struct bench *b, const struct cpu *cpu,
                          const struct bench_area *area, const char **skip)
{
	(void)cpu;
	if (i >= sizeof(rows) / sizeof(rows[0]))
		return false;
	generated_base(b, rows[i].what, rows[i].needs);
	memcpy(b->name, rows[i].name, strlen(rows[i].name) + 1);
	b->perform = perform;
	b->arg[0] = i;
	if (platform_privileged()) /* a process maps its pages by Linux */
		b->flags |= rows[i].flags;
	if (area->arena_size < ARENA_LEAST)
		*skip = "the arena is too small";
	return true;
}

static const struct bench_source datasheet = {
	.name = "datasheet",
	.prefix = "datasheet.",
	.get = datasheet_get,
};
BENCH_SOURCE(datasheet);
