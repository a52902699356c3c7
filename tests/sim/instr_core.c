/*
 * instr_core.c - the instruction table (bench/instr) on the core model, beside a real processor.
 *
 *	instr_core MACHINE CPU MEASURED.CSV [all | off [32 | 64 [PARAMETER=VALUE...]]]
 *
 * The bodies are those that the kernel measures. They run on sim/timing/core.h alone, without the
 * kernel and without the engine, with every access in the first-level cache, so all processors
 * take seconds. Every second form (by a hash of its name) is held out: no row may be fitted to it.
 * Prints the figures that are off by more than 5 % and 0.1 clock, and the shares that are not:
 *
 *	share machine=skylake cpu=00506E3_Skylake half=held kind=integer figures=300 good=280
 *
 * all: every figure. Forms that no simulated processor can execute (VEX, POPCNT, ...) are left out.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "bench/instr/instr.h"
#include "kernel/cpu/internal.h"
#include "sim/timing/core.h"
#include "tools/forms.h"

enum { DATA = 192 * 1024, INSNS = 64, WARM = 6, ROUNDS = 8, MEASURED = 8192, FIELDS = 6 };

static uint8_t data[DATA] __attribute__((aligned(65536)));
static uint8_t stack[65536];
static const struct bench_area area = { .data = data, .stack = stack + 32768 };

/* kernel/cpu/features.c is here for its names alone. */
struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	(void)c;
	return cpuid(leaf, subleaf);
}

struct measured {
	char form[FORM_NAME], text[80], isa[24];
	double latency, throughput; /* clocks; negative: unknown */
};

static struct measured measured[MEASURED];
static unsigned measurements;

/* One line of CSV; a field may stand in quotes. */
static unsigned fields(char *line, char *field[FIELDS])
{
	unsigned n = 0;

	while (n < FIELDS) {
		bool quoted = *line == '"';

		line += quoted;
		field[n++] = line;
		while (*line && *line != '\n' && *line != (quoted ? '"' : ','))
			line++;
		if (!*line)
			return n;
		*line++ = 0;
		line += quoted && *line == ',';
	}
	return n;
}

/* What the execution engine of the simulator has. */
static bool executable(const char *isa)
{
	static const char *const sets[] = { "X86",     "AMD64", "CMOV",  "LNOP", "LAHF",
		                            "MMX",     "X87",   "SSE",   "SSSE", "CMPX",
		                            "CLFLUSH", "TSC",   "AESNI", "ABM",  "ADX" };

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		if (!strncmp(isa, sets[i], strlen(sets[i])))
			return strncmp(isa, "SSE4A", 5);
	return false;
}

static bool is_integer(const char *isa)
{
	static const char *const sets[] = { "X86",  "AMD64", "CMOV", "LNOP",
		                            "LAHF", "CMPX",  "ABM",  "ADX" };

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		if (!strncmp(isa, sets[i], strlen(sets[i])))
			return true;
	return false;
}

static double number(const char *text)
{
	return *text ? atof(text) : -1;
}

static bool read_measured(const char *path, const char *cpu)
{
	FILE *f = fopen(path, "r");
	char line[512], *field[FIELDS];

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f) && measurements < MEASURED) {
		struct measured *m = &measured[measurements];

		if (fields(line, field) < FIELDS || strcmp(field[0], cpu) || !executable(field[2]))
			continue;
		form_name(m->form, field[3]);
		snprintf(m->text, sizeof(m->text), "%s", field[3]);
		snprintf(m->isa, sizeof(m->isa), "%s", field[2]);
		m->latency = number(field[4]);
		m->throughput = number(field[5]);
		measurements++;
	}
	fclose(f);
	return measurements;
}

/* The first of the rows spelled so, as the measurements of other tools call it. */
static const struct measured *find_measured(const char *form)
{
	char name[FORM_NAME];

	form_name(name, form);
	for (unsigned i = 0; i < measurements; i++)
		if (!strcmp(measured[i].form, name))
			return &measured[i];
	return NULL;
}

/* FNV-1a of the form's name: even ones may be fitted to. */
static bool held_out(const char *form)
{
	uint32_t hash = 2166136261u;

	for (; *form; form++)
		hash = (hash ^ (uint8_t)*form) * 16777619u;
	return (hash ^ hash >> 16) & 1;
}

struct decoded {
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	struct core_insn core;
};

static struct decoded code[INSNS];
static unsigned insns;
static uint64_t stack_pointer;

static bool decode(const struct core_machine *m, const struct bench *b, bool wide)
{
	const uint8_t *at = b->body;
	size_t left = b->body_size;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
	                 wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	for (insns = 0; left; insns++) {
		struct decoded *d = &code[insns];

		if (insns == INSNS ||
		    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, at, left, &d->zi, d->op)))
			return false;
		d->core = core_decode(m, &d->zi, d->op);
		at += d->zi.length;
		left -= d->zi.length;
	}
	return true;
}

/* Each register points to a place of its own; the stack pointer moves. */
static uint64_t address_of(const ZydisDecodedOperandMem *mem, uint64_t sp)
{
	ZydisRegister base =
		ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, mem->base);

	if (base == ZYDIS_REGISTER_RSP)
		return sp + (uint64_t)mem->disp.value;
	return 0x100000 + 0x10140 * (uint64_t)ZydisRegisterGetId(base) + (uint64_t)mem->disp.value;
}

static int stack_move(const struct decoded *d)
{
	int size = d->zi.operand_width / 8;

	if (d->zi.machine_mode == ZYDIS_MACHINE_MODE_LONG_64 && size == 4)
		size = 8;
	switch (d->zi.meta.category) {
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_CALL:
		return -size;
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_RET:
		return size;
	default:
		return 0;
	}
}

static void add_accesses(const struct decoded *d, struct core_dyn *dyn)
{
	int move = stack_move(d);
	uint64_t sp = move < 0 ? stack_pointer + (uint64_t)(int64_t)move : stack_pointer;

	if (!d->core.loads && !d->core.stores)
		return;
	for (unsigned write = 0; write < 2; write++) {
		for (unsigned i = 0; i < d->zi.operand_count; i++) {
			const ZydisDecodedOperand *op = &d->op[i];
			ZydisOperandActions wanted = write ? ZYDIS_OPERAND_ACTION_MASK_WRITE
			                                   : ZYDIS_OPERAND_ACTION_MASK_READ;

			if (op->type != ZYDIS_OPERAND_TYPE_MEMORY ||
			    op->mem.type == ZYDIS_MEMOP_TYPE_AGEN || !(op->actions & wanted) ||
			    dyn->accesses == CORE_ACCESSES)
				continue;
			dyn->access[dyn->accesses++] = (struct core_access){
				.address = address_of(&op->mem, sp),
				.size = (uint8_t)(op->size > 2040 ? 255 : op->size / 8),
				.write = write,
			};
		}
	}
	stack_pointer += (uint64_t)(int64_t)move;
}

/* Clocks of one operation of a body, far from its beginning. */
static double clocks(struct core *core, const struct bench *b)
{
	unsigned copies = (unsigned)(1200 / (b->body_size + 8)) + 4;
	uint64_t begin = 0, total = 0;

	if (copies > 64)
		copies = 64;
	stack_pointer = 0x800000;
	for (unsigned round = 0; round < WARM + ROUNDS; round++) {
		uint64_t rip = 0x400000;

		if (round == WARM)
			begin = total;
		for (unsigned i = 0; i < copies * insns; i++) {
			const struct decoded *d = &code[i % insns];
			struct core_dyn dyn = { .rip = rip, .taken = i + 1 == copies * insns };
			struct core_result result;

			add_accesses(d, &dyn);
			core_step(core, &d->core, &dyn, &result);
			total += result.clocks;
			rip += d->zi.length;
		}
	}
	return (double)(total - begin) / ROUNDS / copies / (b->ops ? b->ops : 1);
}

/* "imul r32 r32": what the fitting of rows needs to know of the body. */
static void print_body(void)
{
	for (unsigned i = 0; i < insns; i++) {
		const struct decoded *d = &code[i];

		printf("%s%s%s", i ? "; " : "",
		       d->zi.attributes & ZYDIS_ATTRIB_HAS_LOCK ? "lock " : "",
		       ZydisMnemonicGetString(d->zi.mnemonic));
		for (unsigned n = 0; n < d->zi.operand_count_visible; n++) {
			const ZydisDecodedOperand *op = &d->op[n];
			const char *kind =
				op->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT ? "one" : "i";

			if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
				bool disp = op->mem.disp.value;

				kind = op->mem.base && op->mem.index
				               ? (op->mem.scale > 1 ? (disp ? "msd" : "ms")
				                                    : (disp ? "mid" : "mi"))
				               : (disp ? "md" : "m");
			} else if (op->type == ZYDIS_OPERAND_TYPE_REGISTER) {
				switch (ZydisRegisterGetClass(op->reg.value)) {
				case ZYDIS_REGCLASS_XMM:
					kind = "x";
					break;
				case ZYDIS_REGCLASS_MMX:
					kind = "mm";
					break;
				case ZYDIS_REGCLASS_X87:
					kind = "st";
					break;
				case ZYDIS_REGCLASS_GPR8:
					kind = op->reg.value == ZYDIS_REGISTER_CL && n ? "cl" : "r";
					break;
				default:
					kind = "r";
				}
			}
			printf(" %s%u", kind, op->size);
		}
	}
	putchar('\n');
}

/* "forward=5": tries another value of a parameter. */
static bool set_parameter(struct core_machine *m, const char *text)
{
	static const struct {
		const char *name;
		size_t offset;
		unsigned unit;
	} parameters[] = {
#define SIZE_PARAMETER(name, text) { #name, offsetof(struct core_parameters, name), 1 },
#define TIME_PARAMETER(name, text) { #name, offsetof(struct core_parameters, name), CORE_TICKS },
		CORE_PARAMETERS(SIZE_PARAMETER, TIME_PARAMETER)
#undef SIZE_PARAMETER
#undef TIME_PARAMETER
	};
	const char *value = strchr(text, '=');

	for (size_t i = 0; value && i < sizeof(parameters) / sizeof(parameters[0]); i++) {
		if (strncmp(parameters[i].name, text, (size_t)(value - text)) ||
		    parameters[i].name[value - text])
			continue;
		*(uint16_t *)((char *)&m->p + parameters[i].offset) =
			(uint16_t)(atof(value + 1) * parameters[i].unit + 0.5);
		return true;
	}
	return false;
}

static bool close_to(double ours, double theirs)
{
	double off = fabs(ours - theirs);

	return off <= 0.1001 || off <= 0.05 * theirs;
}

int main(int argc, char **argv)
{
	static struct core core;
	static struct cpu cpu;
	unsigned count[2][2] = { { 0 } }, good[2][2] = { { 0 } };
	struct core_machine *m;
	const char *why;
	struct bench b;
	bool all = argc > 4 && !strcmp(argv[4], "all"),
	     wide = argc > 5 ? atoi(argv[5]) == 64 : true;

	if (argc < 4 || !read_measured(argv[3], argv[2])) {
		fprintf(stderr,
		        "usage: instr_core MACHINE CPU CSV [all|off [32|64 [NAME=VALUE...]]]\n");
		return 3;
	}
	m = core_machine(argv[1], &why);
	if (!m) {
		fprintf(stderr, "%s: %s\n", argv[1], why ? why : "no such machine");
		return 3;
	}
	for (int i = 6; i < argc; i++) {
		if (!set_parameter(m, argv[i])) {
			fprintf(stderr, "%s: no parameter\n", argv[i]);
			return 3;
		}
	}
	memset(cpu.features, 0xff, sizeof(cpu.features));
	for (unsigned i = 0; instr_get(i, &b, &cpu, &area, wide); i++) {
		const struct measured *t = find_measured(b.form);
		double theirs = !t ? -1 : b.kind[0] == 'l' ? t->latency : t->throughput, ours;
		bool held, integer, fits;

		if (theirs < 0 || !decode(m, &b, wide) || !core_reset(&core, m))
			continue;
		ours = clocks(&core, &b);
		core_free(&core);
		held = held_out(t->form);
		integer = is_integer(t->isa);
		fits = close_to(ours, theirs);
		count[held][integer]++;
		good[held][integer] += fits;
		if (all || !fits)
			printf("%c %c %-10s %-38s %8.2f %8.2f%s", held ? 'h' : 'f',
			       integer ? 'i' : 'v', b.kind, t->text, ours, theirs,
			       all ? "  # " : "\n");
		if (all)
			print_body();
	}
	for (unsigned held = 0; held < 2; held++) {
		printf("share machine=%s cpu=%s half=%s kind=integer figures=%u good=%u\n", argv[1],
		       argv[2], held ? "held" : "fitted", count[held][1], good[held][1]);
		printf("share machine=%s cpu=%s half=%s kind=all figures=%u good=%u\n", argv[1],
		       argv[2], held ? "held" : "fitted", count[held][0] + count[held][1],
		       good[held][0] + good[held][1]);
	}
	core_machine_free(m);
	return 0;
}
