/*
 * The table for people (bench/run/table.h). All numbers are in thousandths.
 */
#include "bench/run/table.h"
#include "bench/engine/sizing.h"
#include "bench/engine/number.h"
#include "bench/result/report.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum { ROOM = 16384, NAME_WIDTH = 32, WIDTH = 12, LINE_BYTES = 128 };

/* What an operation takes; what it moves, 0: nothing, or it is not known. */
struct line {
	const char *name;
	struct number clocks, ns;
	bool has_clocks, moves;
	uint64_t per_clock, gb_per_s;
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

static void put_rate(struct text *t, uint64_t rate)
{
	put_number(t, &(struct number){ .value = (int64_t)rate }, rate != 0);
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
	if (line->moves) {
		put_rate(t, line->per_clock);
		put_rate(t, line->gb_per_s);
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

/* A copy's numbers, as the record has them: those of an operation have fewer digits. */
static void find_rates(struct line *line, const struct bench_run *run, const struct bench *b,
                       const struct engine_result *r)
{
	const uint64_t n = (uint64_t)r->copies * r->loop, bytes = (uint64_t)b->bytes * b->ops;
	const struct number ticks = number_of(&r->q[0], n, r->tsc_error);
	struct number clocks = converted(ticks, run->core_per_tsc, 1000);

	if (r->has_core)
		clocks = number_of(&r->core, 1000 * n, r->core_error);
	line->moves = bytes;
	if (ticks.value > 0)
		line->gb_per_s = bytes * run->tsc_hz / ((uint64_t)ticks.value * 1000);
	if (clocks.value > 0)
		line->per_clock = bytes * 1000000 / (uint64_t)clocks.value;
}

void table_add(const struct bench_run *run, const struct bench *b, const struct engine_result *r)
{
	const uint64_t n = (uint64_t)r->copies * r->loop * b->ops;
	const struct number ticks = number_of(&r->q[0], n, r->tsc_error);
	struct line line = { .name = b->name, .has_clocks = r->has_core || run->core_per_tsc };
	char buffer[LINE_BYTES];
	struct text t = text_in(buffer, sizeof(buffer));

	if (report_leaves_guest(run, b))
		return; /* it is the time of the hypervisor */
	if (run->tsc_hz)
		line.ns = converted(ticks, 1000000, run->tsc_hz / 1000);
	if (r->has_core)
		line.clocks = number_of(&r->core, 1000 * n, r->core_error);
	else
		line.clocks = converted(ticks, run->core_per_tsc, 1000);
	find_rates(&line, run, b, r);
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
