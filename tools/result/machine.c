/* Machine and clocks of a run. */
#include "tools/result/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Emulators that give themselves away in the log, and what their times are worth. */
static const struct {
	const char *kind, *key, *value, *hint;
} marks[] = {
	{ "cpu", "hypervisor", "TCGTCGTCGTCG", "QEMU's emulator (TCG): its times are not a CPU's" },
	{ "boot", "loader", "cpl0-sim", "the simulator: its times are a model's (sim/README.md)" },
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

	if (span_is(r->kind, "cpu")) {
		read_name(m, r);
		record_text(r, "hypervisor", m->guest, sizeof(m->guest));
		m->scoreboard = record_field(r, "clocks_good");
	} else if (span_is(r->kind, "clock"))
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
	if (m->emulated)
		*m->guest = '\0';
}
