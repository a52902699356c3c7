/* Figures of a row, for all readers. */
#include "tools/result/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct figure_name FIGURE_NAMES[FIGURES] = {
	[FIGURE_CLOCKS] = { "clocks", "clocks", "core clocks per operation" },
	[FIGURE_NS] = { "ns", "ns", "nanoseconds per operation" },
	[FIGURE_TICKS] = { "ticks", "tsc", "TSC ticks per operation" },
	[FIGURE_BYTES_PER_CLOCK] = { "B/clock", "bytes_per_clock", "bytes per core clock" },
	[FIGURE_GB_PER_S] = { "GB/s", "gb_per_s", "10^9 bytes per second" },
	[FIGURE_INSNS] = { "insns", "insns", "instructions per operation" },
	[FIGURE_CLOCKS_PER_INSN] = { "clk/insn", "clocks_per_insn", "core clocks per instruction" },
};

const char FIGURE_MARKS[] =
	"  i  samples with an interrupt in them are among these\n"
	"  <  below the bound that stands there, not told apart from 0\n"
	"  h  the hypervisor's work is in these: docs/kvm.md\n"
	"  m  nominal: no model of known quality stands behind the time\n"
	"  s  scoreboard of the simulator: sim/docs/clocks.md says how good it is\n"
	"  w  withdrawn: counters failed a later proof, its counts are no figures\n";

/* Here alone copies and operations are divided out. */
static double per_operation(const struct result *r, double figure)
{
	return figure / (double)r->copies / (double)r->ops;
}

static struct figure scaled(const struct result *r, const struct quantity *q, double factor)
{
	struct figure f = { 0 };

	if (!q)
		return f;
	factor = per_operation(r, factor / 1000);
	f.known = true;
	f.min = (double)(q->min - q->bound) * factor;
	f.low = (double)(q->low - q->bound) * factor;
	f.value = (double)q->value * factor;
	f.high = (double)(q->high + q->bound) * factor;
	f.max = (double)(q->max + q->bound) * factor;
	f.below = q->below >= 0;
	f.withdrawn = q->withdrawn;
	if (f.below) {
		f.min = f.low = 0;
		f.high = f.max = (double)q->below * factor;
	}
	return f;
}

static struct figure clocks_of(const struct machine *m, const struct result *r)
{
	const struct quantity *core = result_quantity(r, "core");

	if (core || !m->core_per_tsc)
		return scaled(r, core, 1);
	return scaled(r, result_quantity(r, "tsc"), (double)m->core_per_tsc / 1000);
}

static struct figure ns_of(const struct machine *m, const struct result *r)
{
	if (!m->tsc_hz)
		return (struct figure){ 0 };
	return scaled(r, result_quantity(r, "tsc"), 1e9 / (double)m->tsc_hz);
}

/* Bytes by a time: the longest time is the lowest rate. The shortest may be 0, and is no limit. */
static struct figure rate_of(const struct result *r, struct figure time)
{
	struct figure rate = { .known = time.known && !time.below && time.low > 0 && r->bytes };

	if (!rate.known)
		return rate;
	rate.min = rate.low = (double)r->bytes / time.high;
	rate.value = (double)r->bytes / time.value;
	rate.max = rate.high = (double)r->bytes / time.low;
	return rate;
}

static struct figure insns_of(const struct result *r)
{
	double insns = per_operation(r, (double)r->insns);

	return (struct figure){ .known = r->insns > 0,
		                .min = insns,
		                .low = insns,
		                .value = insns,
		                .high = insns,
		                .max = insns };
}

static struct figure by_insns(struct figure f, const struct figure *insns)
{
	if (!insns->known)
		return (struct figure){ 0 };
	f.min /= insns->value;
	f.low /= insns->value;
	f.value /= insns->value;
	f.high /= insns->value;
	f.max /= insns->value;
	return f;
}

struct figure figure_of(const struct machine *m, const struct result *r, enum figure_kind kind)
{
	struct figure insns = insns_of(r);

	switch (kind) {
	case FIGURE_CLOCKS:
		return clocks_of(m, r);
	case FIGURE_NS:
		return ns_of(m, r);
	case FIGURE_TICKS:
		return scaled(r, result_quantity(r, "tsc"), 1);
	case FIGURE_BYTES_PER_CLOCK:
		return rate_of(r, clocks_of(m, r));
	case FIGURE_GB_PER_S:
		return rate_of(r, ns_of(m, r));
	case FIGURE_INSNS:
		return insns;
	case FIGURE_CLOCKS_PER_INSN:
		return by_insns(clocks_of(m, r), &insns);
	default:
		return (struct figure){ 0 };
	}
}

struct figure figure_quantity(const struct result *r, const char *event)
{
	return scaled(r, result_quantity(r, event), 1);
}

struct figure figure_time(const struct machine *m, const struct result *r)
{
	struct figure clocks = clocks_of(m, r);

	return clocks.known ? clocks : figure_of(m, r, FIGURE_TICKS);
}

double figure_bound(double v, double steps)
{
	return ceil(v * steps - 1e-6) / steps;
}

const char *figure_text(const struct figure *f, char out[FIGURE_TEXT])
{
	double v = f->below ? f->high : f->value;
	double half_up = v < 0 ? -1e-9 : 1e-9; /* 0.125 is 0.13, as on the screen */
	int places = v < 1000 && v > -1000 ? 2 : 0;

	if (!f->known)
		return strcpy(out, "-");
	if (f->below)
		snprintf(out, FIGURE_TEXT, "<%.*f", places, figure_bound(v, places ? 100 : 1));
	else
		snprintf(out, FIGURE_TEXT, "%.*f", places, v + half_up);
	return out;
}

bool figure_exact(const struct figure *f)
{
	return f->known && !f->below && f->max == f->min;
}

double figure_spread(const struct figure *f)
{
	if (!f->known || f->below)
		return -1;
	if (f->high == f->low)
		return 0;
	return f->value > 0 ? (f->high - f->low) * 100 / f->value : -1;
}

double figure_record_time(const struct machine *m, const struct record *r, const char *key,
                          double otherwise)
{
	const struct field *f = record_field(r, key);
	int64_t v;

	if (!f || !field_milli(f, &v))
		return otherwise;
	return (double)v / 1000 * (m->tsc_hz ? 1e9 / (double)m->tsc_hz : 1);
}

const char *figure_record_unit(const struct machine *m)
{
	return m->tsc_hz ? "ns" : "TSC ticks";
}

const char *figure_marks(const struct machine *m, const struct result *r, char out[8])
{
	struct figure time = figure_time(m, r);
	size_t n = 0;

	if (r->interrupted)
		out[n++] = 'i';
	if (r->hosted)
		out[n++] = 'h';
	if (r->nominal)
		out[n++] = m->scoreboard ? 's' : 'm';
	if (time.below)
		out[n++] = '<';
	if (result_withdrawn(r))
		out[n++] = 'w';
	out[n] = 0;
	return out;
}
