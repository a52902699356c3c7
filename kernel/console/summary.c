/*
 * The summary of a run (kernel/console/summary.h).
 */
#include "kernel/console/summary.h"
#include "kernel/lib/string.h"

static bool begins_with(const char *s, const char *part)
{
	return !strncmp(s, part, strlen(part));
}

static bool ends_with(const char *s, const char *part)
{
	const size_t n = strlen(s), m = strlen(part);

	return n >= m && !strcmp(s + n - m, part);
}

/* ---- Records ---- */

static struct summary_figure clocks_of(const struct figures *f)
{
	return (struct summary_figure){ f->clocks, f->marks };
}

static void on_latency(struct summary *t, const char *bench, const struct figures *f)
{
	const uint64_t bytes = levels_bytes(bench);
	const unsigned level = bytes ? levels_of(&t->levels, 2 * bytes) : 0;

	if (!strcmp(bench, "latency.memory")) {
		t->memory = clocks_of(f);
		t->memory_ns = f->ns;
	}
	if (!level || bytes <= t->bytes[level - 1] ||
	    (level > 1 && bytes <= t->levels.bytes[level - 2]))
		return;
	t->bytes[level - 1] = bytes;
	t->latency[level - 1] = clocks_of(f);
}

/* Ordinary moves: those that pass by the caches are not to be compared with them. */
static void on_bandwidth(struct summary *t, const char *bench, const struct figures *f)
{
	static const char *const kinds[SUMMARY_RATES] = { "read_", "write_", "copy_" };
	const char *kind = strchr(bench, '.') + 1;

	if (!ends_with(bench, ".memory"))
		return;
	for (unsigned i = 0; i < SUMMARY_RATES; i++) {
		if (!begins_with(kind, kinds[i]) || begins_with(kind + strlen(kinds[i]), "nt_"))
			continue;
		t->moved[i] = true;
		if (f->rate.known && f->rate.hundredths > t->rate[i].figure.hundredths)
			t->rate[i] = (struct summary_figure){ f->rate, f->marks };
	}
}

static void on_arithmetic(struct summary *t, const char *bench, const struct figures *f)
{
	const struct {
		const char *bench;
		struct summary_figure *to;
	} places[] = {
		{ "alu.add_latency", &t->add[0] },        { "alu.add_throughput", &t->add[1] },
		{ "alu.imul_latency", &t->imul[0] },      { "instr.lat.imul_r32_r32", &t->imul[0] },
		{ "instr.tp.imul_r32_r32", &t->imul[1] },
	};

	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(bench, places[i].bench))
			*places[i].to = clocks_of(f);
}

static void on_result(struct summary *t, const struct record *r)
{
	char bench[SUMMARY_NAME];
	struct figures f;

	if (record_number(r, "cpl"))
		return;
	record_get(r, "bench", bench, sizeof(bench));
	if (!strcmp(bench, t->last) && (record_number(r, "group") || record_number(r, "part")))
		return;
	memcpy(t->last, bench, sizeof(bench));
	f = figures_of(r, &t->clock);
	if (begins_with(bench, "latency."))
		on_latency(t, bench, &f);
	else if (begins_with(bench, "bandwidth."))
		on_bandwidth(t, bench, &f);
	else
		on_arithmetic(t, bench, &f);
}

void summary_take(struct summary *t, const struct record *r)
{
	levels_take(&t->levels, r);
	figure_clock_take(&t->clock, r);
	if (record_is(r, "result"))
		on_result(t, r);
}

/* ---- Rows ---- */

/* `name` and the figure; `title` stands before the first one. Its marks are put later. */
static void put(struct cells *row, const char *title, const char *name,
                const struct summary_figure *f, unsigned *marks)
{
	char text[FIGURE_TEXT];

	*marks |= f->marks;
	if (!row->n)
		cells_paint(row, SCREEN_TITLE, title);
	else
		cells_put(row, ",");
	cells_put(row, " ");
	cells_put(row, name);
	cells_put(row, " ");
	figure_text(&f->figure, text);
	cells_put(row, text);
}

static void put_marks(struct cells *row, unsigned marks)
{
	char text[MARKS + 1];

	figure_marks_text(marks, text);
	row->pen = SCREEN_WARN;
	cells_put(row, *text ? " " : "");
	cells_put(row, text);
	row->pen = SCREEN_TEXT;
}

static void put_memory(const struct summary *t, struct cells *row)
{
	char text[FIGURE_TEXT];

	if (!t->memory_ns.known)
		return;
	figure_text(&t->memory_ns, text);
	cells_put(row, " (");
	cells_put(row, text);
	cells_put(row, " ns)");
}

static void put_latency(const struct summary *t, struct cells *row, bool ns)
{
	static const char *const names[LEVELS] = { "L1", "L2", "L3", "L4" };
	static const char title[] = "load latency, clocks:";
	unsigned marks = 0;

	cells_clear(row);
	for (unsigned i = 0; i < LEVELS; i++)
		if (t->latency[i].figure.known)
			put(row, title, names[i], &t->latency[i], &marks);
	if (t->memory.figure.known) {
		put(row, title, "memory", &t->memory, &marks);
		if (ns)
			put_memory(t, row);
	}
	put_marks(row, marks);
}

void summary_latency(const struct summary *t, struct cells *row, unsigned columns)
{
	put_latency(t, row, true);
	if (row->n > columns)
		put_latency(t, row, false);
}

void summary_rates(const struct summary *t, struct cells *row)
{
	static const char *const names[SUMMARY_RATES] = { "read", "write", "copy" };

	unsigned marks = 0;

	cells_clear(row);
	for (unsigned i = 0; i < SUMMARY_RATES; i++)
		if (t->moved[i])
			put(row, "memory, GB/s:", names[i], &t->rate[i], &marks);
	put_marks(row, marks);
}

static void put_pair(struct cells *row, const char *name, const struct summary_figure pair[2],
                     unsigned *marks)
{
	char text[FIGURE_TEXT];

	if (!pair[0].figure.known && !pair[1].figure.known)
		return;
	if (row->n)
		cells_put(row, ",");
	else
		cells_paint(row, SCREEN_TITLE, "latency/throughput, clocks:");
	cells_put(row, " ");
	cells_put(row, name);
	for (unsigned i = 0; i < 2; i++) {
		*marks |= pair[i].figure.known ? pair[i].marks : 0;
		figure_text(&pair[i].figure, text);
		cells_put(row, i ? "/" : " ");
		cells_put(row, text);
	}
}

void summary_arithmetic(const struct summary *t, struct cells *row)
{
	unsigned marks = 0;

	cells_clear(row);
	put_pair(row, "ADD", t->add, &marks);
	put_pair(row, "IMUL", t->imul, &marks);
	put_marks(row, marks);
}
