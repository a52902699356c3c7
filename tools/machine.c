/* Machine, clocks and units of a run. */
#include "tools/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char RESULT_MARKS[] = "  i  samples with an interrupt in them are among these\n"
			    "  <  below the bound that stands there, not told apart from 0\n"
			    "  m  nominal: no model stands behind the time\n";

/* Emulators that give themselves away in the log, and what their times are worth. */
static const struct {
	const char *kind, *key, *value, *hint;
} marks[] = {
	{ "cpu", "hypervisor", "TCGTCGTCGTCG", "QEMU's emulator (TCG): its times are not a CPU's" },
	{ "boot", "loader", "cpl0-sim", "the simulator: its times are a model's (docs/sim.md)" },
};

static void read_name(struct machine *m, const struct record *cpu)
{
	char vendor[16], family[8], model[8], stepping[8], signature[16];

	if (record_text(cpu, "signature", signature, sizeof(signature)))
		m->signature = (uint32_t)strtoul(signature, NULL, 16);
	if (record_text(cpu, "brand", m->name, sizeof(m->name)) && *m->name)
		return;
	if (!record_text(cpu, "vendor", vendor, sizeof(vendor))) {
		snprintf(m->name, sizeof(m->name), "a CPU without CPUID");
		return;
	}
	record_text(cpu, "family", family, sizeof(family));
	record_text(cpu, "model", model, sizeof(model));
	record_text(cpu, "stepping", stepping, sizeof(stepping));
	snprintf(m->name, sizeof(m->name), "%s family %s model %s stepping %s", vendor, family,
	         model, stepping);
}

/* `chosen` is the last word on the rate; before it, or without it, any source must do. */
static void read_clock(struct machine *m, const struct record *clock)
{
	const struct field *f = record_field(clock, "core_per_tsc");
	int64_t v;

	record_dec(clock, "tsc_hz", &m->tsc_hz);
	if (!m->core_per_tsc && f && field_milli(f, &v) && v > 0 && v < 100000)
		m->core_per_tsc = v;
}

static void read_record(struct machine *m, const struct record *r)
{
	uint64_t bits;

	if (span_is(r->kind, "cpu"))
		read_name(m, r);
	else if (span_is(r->kind, "clock"))
		read_clock(m, r);
	else if (span_is(r->kind, "pmu"))
		record_text(r, "pmu", m->pmu, sizeof(m->pmu));
	else if (span_is(r->kind, "done"))
		record_text(r, "status", m->status, sizeof(m->status));
	else if (span_is(r->kind, "cpl0")) {
		record_text(r, "version", m->version, sizeof(m->version));
		if (record_dec(r, "bits", &bits) && bits <= 64)
			m->bits = (unsigned)bits;
	}
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		const struct field *f = record_field(r, marks[i].key);

		if (span_is(r->kind, marks[i].kind) && f && span_is(f->raw, marks[i].value))
			m->emulated = marks[i].hint;
	}
}

void machine_read(struct machine *m, const struct log *log, const struct run *run)
{
	*m = (struct machine){ .name = "a CPU that the log does not name", .pmu = "none" };
	for (size_t i = run->first; i < run->end; i++)
		if (line_is_whole(&log->lines[i]))
			read_record(m, &log->lines[i].rec);
}

static struct figure scaled(const struct result *r, const struct quantity *q, double factor)
{
	struct figure f = { 0 };

	if (!q)
		return f;
	f.known = true;
	f.min = result_per_op(r, q->min - q->bound) * factor;
	f.low = result_per_op(r, q->low - q->bound) * factor;
	f.value = result_per_op(r, q->value) * factor;
	f.high = result_per_op(r, q->high + q->bound) * factor;
	f.max = result_per_op(r, q->max + q->bound) * factor;
	f.below = q->below >= 0;
	if (f.below) {
		f.min = f.low = 0;
		f.high = f.max = result_per_op(r, q->below) * factor;
	}
	return f;
}

struct figure figure_of(const struct result *r, const char *quantity)
{
	return scaled(r, result_quantity(r, quantity), 1);
}

struct figure figure_clocks(const struct machine *m, const struct result *r)
{
	struct figure f = figure_of(r, "core");

	if (f.known || !m->core_per_tsc)
		return f;
	return scaled(r, result_quantity(r, "tsc"), (double)m->core_per_tsc / 1000);
}

struct figure figure_ns(const struct machine *m, const struct result *r)
{
	if (!m->tsc_hz)
		return (struct figure){ 0 };
	return scaled(r, result_quantity(r, "tsc"), 1e9 / (double)m->tsc_hz);
}

double figure_spread(const struct figure *f)
{
	if (!f->known || f->below)
		return -1;
	if (f->max == f->min)
		return 0;
	return f->value > 0 ? (f->high - f->low) * 100 / f->value : -1;
}

const char *result_marks(const struct result *r, const struct figure *f, char out[8])
{
	size_t n = 0;

	if (r->interrupted)
		out[n++] = 'i';
	if (r->nominal)
		out[n++] = 'm';
	if (f->below)
		out[n++] = '<';
	out[n] = 0;
	return out;
}
