/*
 * sim/step/trace.c - --trace and --stats.
 *
 * A line of the trace: CPU, number of the instruction, clock before it, clocks it took, pipe (on
 * models with a pipeline; "V" with 0 clocks is the second of a pair), address, instruction, then
 * what it caused, as names of enum sim_signal.
 */
#include "sim/step/trace.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/model/models.h"
#include "tools/lib/output.h"

struct trace {
	FILE *out;
	uint64_t from, count;
	uint64_t total[SIG_COUNT];
	uint64_t steps;
};

/* Said of every instruction, or shown in a column of its own. */
static bool is_noise(unsigned sig)
{
	switch (sig) {
	case SIG_CLOCKS:
	case SIG_REF_CLOCKS:
	case SIG_INT_MASKED:
	case SIG_INT_PENDING:
	case SIG_INSTRUCTIONS:
	case SIG_UOPS:
	case SIG_LOAD_INSNS:
	case SIG_STORE_INSNS:
	case SIG_L1I_FETCH:
	case SIG_V_PIPE:
		return true;
	default:
		return false;
	}
}

struct trace *trace_open(const char *file, uint64_t from, uint64_t count)
{
	struct trace *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->from = from;
	t->count = count;
	if (!file)
		return t;
	t->out = strcmp(file, "-") ? fopen(file, "w") : stderr;
	if (!t->out) {
		free(t);
		return NULL;
	}
	return t;
}

static void print_text(struct trace *t, const struct cpu *cpu, const struct insn *insn)
{
	uint8_t bytes[15];
	size_t size = decode_fetch((struct cpu *)cpu, cpu->flight.step.rip, bytes);
	ZydisMachineMode mode = insn->mode == 64   ? ZYDIS_MACHINE_MODE_LONG_64
	                        : insn->mode == 32 ? ZYDIS_MACHINE_MODE_LEGACY_32
	                                           : ZYDIS_MACHINE_MODE_LEGACY_16;
	ZydisDisassembledInstruction text;

	if (ZYAN_SUCCESS(ZydisDisassembleIntel(mode, cpu->flight.step.rip, bytes, size, &text)))
		fprintf(t->out, "%-36s", text.text);
	else
		fprintf(t->out, "%-36s", "(undefined)");
}

static void print_step(struct trace *t, const struct cpu *cpu, const struct insn *insn)
{
	const struct sim_step *step = &cpu->flight.step;
	bool pipeline = cpu->model->flags & MODEL_PIPELINE;

	fprintf(t->out, "%u %8llu %10llu +%-3u ", cpu->id, (unsigned long long)cpu->retired,
	        (unsigned long long)cpu->clock, step->clocks);
	if (pipeline && insn)
		fprintf(t->out, "%s %s ", cpu->flight.p5_result.pipe == P5_PIPE_V ? "V" : "U",
		        p5_pairing_text(&insn->p5));
	fprintf(t->out, "%llx  ", (unsigned long long)step->rip);
	if (insn)
		print_text(t, cpu, insn);
	else
		fprintf(t->out, "%-36s", "-- interrupt or exception --");
	for (unsigned i = 0; i < SIG_COUNT; i++) {
		if (!step->n[i] || is_noise(i))
			continue;
		fprintf(t->out, " %s", sim_signal_info[i].name);
		if (step->n[i] > 1)
			fprintf(t->out, "=%u", step->n[i]);
	}
	fputc('\n', t->out);
}

void trace_step(struct trace *t, const struct cpu *cpu, const struct insn *insn)
{
	const struct sim_step *step = &cpu->flight.step;

	for (unsigned i = 0; i < step->touched_count; i++)
		t->total[step->touched[i]] += step->n[step->touched[i]];
	if (t->out && (!cpu->pc->opt.trace_cpl || cpu->pc->opt.trace_cpl >> step->cpl & 1) &&
	    t->steps >= t->from && (!t->count || t->steps - t->from < t->count))
		print_step(t, cpu, insn);
	t->steps++;
}

void trace_stats(const struct trace *t, const struct machine *pc)
{
	for (unsigned i = 0; i < pc->cpus; i++)
		fprintf(stderr, "cpu %u: %llu instructions, %llu clocks, %llu of them halted\n", i,
		        (unsigned long long)pc->cpu[i].retired,
		        (unsigned long long)pc->cpu[i].clock,
		        (unsigned long long)pc->cpu[i].halt.clocks);
	for (unsigned i = 0; i < pc->cpus; i++)
		if (pc->cpu[i].engine.translations_dropped)
			fprintf(stderr, "cpu %u: translations were dropped %llu times\n", i,
			        (unsigned long long)pc->cpu[i].engine.translations_dropped);
	for (unsigned i = 0; i < SIG_COUNT; i++)
		if (t->total[i])
			fprintf(stderr, "%16llu  %-20s %s\n", (unsigned long long)t->total[i],
			        sim_signal_info[i].name, sim_signal_info[i].text);
}

bool trace_close(struct trace *t, const char *file)
{
	bool whole = true;

	if (t && t->out && t->out != stderr)
		whole = output_close_checked(t->out, "cpl0-sim", file);
	free(t);
	return whole;
}
