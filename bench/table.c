/*
 * The table for people (bench/table.h). All numbers are in thousandths.
 */
#include "bench/table.h"
#include "bench/engine/sizing.h"
#include "bench/engine/number.h"
#include "bench/report.h"
#include "kernel/log.h"
#include "kernel/string.h"
#include "kernel/text.h"

enum { ROOM = 16384, NAME_WIDTH = 32, WIDTH = 12, LINE_BYTES = 128 };

/* What an operation takes, and how many bytes it moves (0: none). */
struct line {
	const char *name;
	struct number clocks, ns;
	bool has_clocks;
	uint32_t bytes;
};

/* The lines, each with its NUL. */
static char early[ROOM];
static struct {
	char *text;
	size_t size, used;
} table = { .text = early, .size = sizeof(early) };

/* x in another unit, of which there are `mul` in `div` of the one that it has. */
static struct number converted(struct number x, uint64_t mul, uint64_t div)
{
	x.value = (int64_t)((uint64_t)x.value * mul / div);
	x.low = (int64_t)((uint64_t)x.low * mul / div);
	x.high = (int64_t)((uint64_t)x.high * mul / div);
	x.bound = x.bound * mul / div;
	x.below = (x.below * mul + div - 1) / div;
	return x;
}

/* A number that ends WIDTH columns on. Places that its bound does not allow are blank. */
static void put_number(struct text *t, const struct number *x, bool known)
{
	const uint64_t unit = x->below ? 1 : sizing_unit(x->value, x->bound);
	char digits[32];
	struct text number = text_in(digits, sizeof(digits));

	if (x->below)
		text_char(&number, '<');
	if (known)
		text_milli(&number,
		           x->below ? (int64_t)x->below : sizing_digits(x->value, x->bound), 3);
	else
		text_str(&number, "-   ");
	for (uint64_t place = 1, i = 1; known && place < unit && i <= 3; place *= 10, i++)
		digits[number.n - i] = ' ';
	if (unit >= 1000)
		digits[number.n - 4] = ' ';
	text_pad(t, t->n + WIDTH - (number.n < WIDTH ? number.n : WIDTH));
	text_str(t, digits);
}

/* Half of all samples lie so far apart, in per cent of the value. */
static void put_spread(struct text *t, const struct number *x)
{
	struct number spread = { .bound = 100 };

	if (x->value > 0)
		spread.value = (x->high - x->low) * 100000 / x->value;
	if (x->exact && !x->below)
		text_str(t, "       exact");
	else
		put_number(t, &spread, x->value > 0);
}

/* Bytes for each `x`. */
static void put_rate(struct text *t, uint32_t bytes, const struct number *x)
{
	struct number rate = { 0 };

	if (x->value > 0)
		rate.value = (int64_t)((uint64_t)bytes * 1000000 / (uint64_t)x->value);
	put_number(t, &rate, x->value > 0);
}

static void begin(struct text *t, const struct bench_run *run)
{
	if (run->cpu->simulated)
		log_chat("A simulator: its times are a model's, and no CPU's.");
	text_str(t, "of one operation");
	text_pad(t, NAME_WIDTH);
	text_str(t, "      clocks          ns    spread %     B/clock        GB/s");
	log_chat(t->p);
}

static void print(const struct bench_run *run)
{
	char buffer[LINE_BYTES];
	struct text t = text_in(buffer, sizeof(buffer));

	begin(&t, run);
	for (size_t at = 0; at < table.used; at += strlen(table.text + at) + 1)
		log_chat(table.text + at);
	table.used = 0;
}

static void put_line(struct text *t, const struct bench_run *run, const struct line *line)
{
	text_str(t, line->name);
	text_pad(t, NAME_WIDTH);
	put_number(t, &line->clocks, line->has_clocks);
	put_number(t, &line->ns, run->tsc_hz);
	put_spread(t, line->has_clocks ? &line->clocks : &line->ns);
	if (line->bytes) {
		put_rate(t, line->bytes, &line->clocks);
		put_rate(t, line->bytes, &line->ns);
	}
}

void table_room(void *room, size_t size)
{
	if (size < table.size)
		return;
	table.text = room;
	table.size = size;
	table.used = 0;
}

void table_begin(void)
{
	table.used = 0;
}

void table_add(const struct bench_run *run, const struct bench *b, const struct engine_result *r)
{
	const uint64_t n = (uint64_t)r->copies * r->loop * b->ops;
	const struct number ticks = number_of(&r->q[0], n, r->tsc_error);
	struct line line = { .name = b->name,
		             .bytes = b->bytes,
		             .has_clocks = r->has_core || run->core_per_tsc };
	char buffer[LINE_BYTES];
	struct text t = text_in(buffer, sizeof(buffer));

	if (run->tsc_hz)
		line.ns = converted(ticks, 1000000, run->tsc_hz / 1000);
	if (r->has_core)
		line.clocks = number_of(&r->core, 1000 * n, r->core_error);
	else
		line.clocks = converted(ticks, run->core_per_tsc, 1000);
	put_line(&t, run, &line);
	if (table.size - table.used <= t.n && !report_without_hardware(run->cpu))
		print(run);
	if (table.size - table.used <= t.n)
		return;
	memcpy(table.text + table.used, buffer, t.n + 1);
	table.used += t.n + 1;
}

void table_print(const struct bench_run *run)
{
	if (!table.used)
		return;
	if (report_without_hardware(run->cpu)) {
		log_chat("No table: this is QEMU without hardware virtualization.");
		log_chat("Its times are no CPU's. build/cpl0-sim counts without hardware.");
		return;
	}
	print(run);
}
