/*
 * test_p5.c - the Pentium pipeline model against a real P54C and P55C, and against documented
 * sequences and rules.
 *
 * p5-measured.csv     latency and throughput that InstLatX64 measured, both CPUs
 * p5-differences.csv  where the model is more than 5 % off, what it says instead, and why
 * p5-sequences.csv    short sequences with clocks from manuals; each copy between two CPUIDs
 * p5-forms.S          the code of every form and sequence
 *
 * Arguments: the folder of these files. With a second argument, writes p5-differences.csv to it.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/timing/p5.h"

enum form_kind { CHAIN, COPIES, BOTH, SEQUENCE, END };

/* One record of p5-forms.S; its code ends where that of the next begins. */
struct p5_form {
	const char *name;
	const char *modes;
	const uint8_t *code;
	uint32_t kind;
	uint32_t count;
};

extern const struct p5_form p5_forms[];

enum {
	REPEAT_WARM = 48,
	REPEAT = 192,
	BLOCK_MAX = 32, /* instructions */
	LINE = 32,
	LINES = 1 << 16,
	EAX = 0,
	ESP = 4,
	ESI = 6,
	EDI = 7,
};

struct decoded {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	struct p5_insn p5;
};

/* A processor that knows addresses and nothing else. */
struct machine {
	struct p5_pipe pipe;
	uint32_t reg[8];
	uint64_t rip;
	const char *modes;
	uint8_t cached[LINES]; /* mode walk: lines read so far */
	uint64_t clocks;
	uint64_t instructions;
	uint64_t in_v;
	uint64_t agi;
	uint64_t conflicts;
};

static int passed;
static int failed;
static int skipped;

__attribute__((format(printf, 2, 3))) static void check(bool ok, const char *format, ...)
{
	va_list args;

	if (ok) {
		passed++;
		return;
	}
	failed++;
	printf("not ok - ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

static void check_number(const char *what, long want, long got)
{
	check(want == got, "%s: want %ld, got %ld", what, want, got);
}

static bool mode(const struct machine *m, const char *word)
{
	return strstr(m->modes, word) != NULL;
}

static void machine_reset(struct machine *m, enum p5_kind kind, const char *modes)
{
	static const uint32_t start[8] = { 0x10000, 0x11000, 0x12000, 0x13000,
		                           0xc0000, 0x14000, 0x15000, 0x15000 };

	memset(m, 0, sizeof(*m));
	p5_reset(&m->pipe, kind);
	memcpy(m->reg, start, sizeof(start));
	m->rip = 0x100000;
	m->modes = modes;
}

static int decode_block(const uint8_t *code, size_t size, enum p5_kind kind, struct decoded *out)
{
	ZydisDecoder decoder;
	size_t at = 0;
	int n = 0;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
	while (at < size && n < BLOCK_MAX) {
		struct decoded *d = &out[n++];

		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, size - at, &d->insn,
		                                         d->operands)))
			return -1;
		d->p5 = p5_decode(&d->insn, d->operands, kind);
		at += d->insn.length;
	}
	return at == size ? n : -1;
}

/* First touch of a line in mode walk; writes do not allocate. */
static bool line_missing(struct machine *m, uint32_t address, bool write)
{
	uint8_t *cached = &m->cached[address / LINE % LINES];
	bool missing = !*cached;

	if (!write)
		*cached = 1;
	return missing;
}

static void one_access(struct machine *m, struct p5_dyn *dyn, uint32_t address, uint32_t size,
                       bool write)
{
	bool miss =
		mode(m, "walk") ? line_missing(m, address, write) : write && mode(m, "store-miss");

	if (dyn->accesses < P5_ACCESSES) {
		dyn->access[dyn->accesses++] = (struct p5_access){
			.address = address, .size = size, .write = write, .miss = miss
		};
		return;
	}
	if (write)
		dyn->more_write_miss += miss;
	else
		dyn->more_read_miss += miss;
}

/* PUSHA and POPA make eight accesses. */
static void data_access(struct machine *m, struct p5_dyn *dyn, uint32_t address, uint32_t size,
                        bool write)
{
	uint32_t each = size <= 10 ? size : size / 8;

	for (uint32_t i = 0; i < size; i += each)
		one_access(m, dyn, address + i, each, write);
}

static uint32_t reg_value(const struct machine *m, ZydisRegister reg)
{
	if (reg < ZYDIS_REGISTER_EAX || reg > ZYDIS_REGISTER_EDI)
		return 0;
	return m->reg[reg - ZYDIS_REGISTER_EAX];
}

/* Address of a memory operand; moves ESP, ESI and EDI as the instruction would. */
static uint32_t operand_address(struct machine *m, const ZydisDecodedOperand *o, bool write)
{
	uint32_t size = o->size / 8;
	bool implied = o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;

	if (implied && o->mem.base == ZYDIS_REGISTER_ESP && write)
		return m->reg[ESP] -= size;
	if (implied) {
		uint32_t *reg = &m->reg[o->mem.base - ZYDIS_REGISTER_EAX];

		*reg += size;
		return *reg - size;
	}
	return reg_value(m, o->mem.base) + reg_value(m, o->mem.index) * o->mem.scale +
	       (uint32_t)o->mem.disp.value;
}

static void memory_operand(struct machine *m, struct p5_dyn *dyn, const ZydisDecodedOperand *o)
{
	bool write = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	uint32_t address;

	if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type != ZYDIS_MEMOP_TYPE_MEM)
		return;
	address = operand_address(m, o, write);
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		data_access(m, dyn, address, o->size / 8, false);
	if (write)
		data_access(m, dyn, address, o->size / 8, true);
}

/* Reads before writes, as PUSH mem and MOVS do them. */
static void memory_operands(struct machine *m, struct p5_dyn *dyn, const struct decoded *d)
{
	for (int write = 0; write < 2; write++) {
		for (int i = 0; i < d->insn.operand_count; i++) {
			const ZydisDecodedOperand *o = &d->operands[i];

			if (!!(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == write)
				memory_operand(m, dyn, o);
		}
	}
}

static uint16_t control_word(const struct machine *m)
{
	if (mode(m, "pc24"))
		return 0x007f;
	return mode(m, "pc53") ? 0x027f : 0x037f;
}

static double angle(const struct machine *m)
{
	const char *word = strstr(m->modes, "angle=");

	return word ? strtod(word + 6, NULL) : 0;
}

static struct p5_result run_one(struct machine *m, const struct decoded *d)
{
	struct p5_dyn dyn = { .rip = m->rip };
	struct p5_result result;

	dyn.fpcw = control_word(m);
	dyn.fp_zero = mode(m, "zero");
	dyn.angle = angle(m);
	dyn.eax = mode(m, "leaf1");
	dyn.cpl = mode(m, "cpl3") ? 3 : 0;
	memory_operands(m, &dyn, d);
	p5_step(&m->pipe, &d->p5, &dyn, &result);
	m->rip += d->insn.length;
	m->clocks += result.clocks;
	m->instructions++;
	m->in_v += result.pipe == P5_PIPE_V;
	m->agi += result.agi;
	m->conflicts += result.bank_conflict;
	return result;
}

static void run_block(struct machine *m, const struct decoded *block, int n, int repeat)
{
	for (int r = 0; r < repeat; r++)
		for (int i = 0; i < n; i++)
			run_one(m, &block[i]);
}

static size_t code_size(const struct p5_form *f)
{
	return (size_t)(f[1].code - f->code);
}

static const struct p5_form *find_form(const char *name, enum form_kind kind)
{
	for (const struct p5_form *f = p5_forms; f->kind != END; f++)
		if (!strcmp(f->name, name) &&
		    (f->kind == kind || (f->kind == BOTH && kind != SEQUENCE)))
			return f;
	return NULL;
}

static double steady_clocks(const struct p5_form *f, enum p5_kind kind)
{
	static struct machine m;
	struct decoded block[BLOCK_MAX];
	int n = decode_block(f->code, code_size(f), kind, block);
	uint64_t before;

	if (n < 0)
		return -1;
	machine_reset(&m, kind, f->modes);
	run_block(&m, block, n, REPEAT_WARM);
	before = m.clocks;
	run_block(&m, block, n, REPEAT);
	return (double)(m.clocks - before) / (REPEAT * f->count);
}

/* ---- CSV ---- */

enum { FIELDS = 10, LINE_MAX_CHARS = 512 };

/* Splits a line in place; returns the number of fields, the others are empty. */
static int split_csv(char *line, char *field[FIELDS])
{
	static char empty[] = "";
	int n = 0;
	char *in = line;

	for (int i = 0; i < FIELDS; i++)
		field[i] = empty;
	line[strcspn(line, "\r\n")] = 0;
	while (n < FIELDS) {
		char *out = in;
		bool quoted = *in == '"';

		field[n++] = out;
		in += quoted;
		while (*in && (quoted ? *in != '"' : *in != ','))
			*out++ = *in++;
		in += quoted && *in;
		if (!*in) {
			*out = 0;
			break;
		}
		in++;
		*out = 0;
	}
	return n;
}

static FILE *open_data(const char *folder, const char *name)
{
	char path[LINE_MAX_CHARS];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "r");
	if (!f) {
		printf("cannot open %s\n", path);
		exit(2);
	}
	return f;
}

/* ---- measured forms ---- */

struct difference {
	char cpu[8];
	char form[64];
	char kind[16];
	double measured;
	double model;
	char reason[160];
	bool seen;
};

enum { DIFFERENCES_MAX = 256 };

static struct difference differences[DIFFERENCES_MAX];
static int difference_count;
static FILE *write_differences;

struct tally {
	int values;
	int close;
};

static struct tally core[2]; /* by enum p5_kind: integer and x87, registers or cache hits */
static struct tally outside; /* bound by the memory of the machine measured */
static struct tally mmx;

static void copy_text(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

static void read_differences(const char *folder)
{
	FILE *f = open_data(folder, "p5-differences.csv");
	char line[LINE_MAX_CHARS];
	char *field[FIELDS];

	while (fgets(line, sizeof(line), f) && difference_count < DIFFERENCES_MAX) {
		struct difference *d = &differences[difference_count];

		if (split_csv(line, field) < 6 || !strcmp(field[0], "cpu"))
			continue;
		copy_text(d->cpu, sizeof(d->cpu), field[0]);
		copy_text(d->form, sizeof(d->form), field[1]);
		copy_text(d->kind, sizeof(d->kind), field[2]);
		d->measured = atof(field[3]);
		d->model = atof(field[4]);
		copy_text(d->reason, sizeof(d->reason), field[5]);
		difference_count++;
	}
	fclose(f);
}

static struct difference *find_difference(const char *cpu, const char *form, const char *kind)
{
	for (int i = 0; i < difference_count; i++) {
		struct difference *d = &differences[i];

		if (!strcmp(d->cpu, cpu) && !strcmp(d->form, form) && !strcmp(d->kind, kind))
			return d;
	}
	return NULL;
}

static bool within(double model, double measured)
{
	return fabs(model - measured) <= 0.05 * measured + 1e-9;
}

static void report_difference(const char *cpu, const char *form, const char *kind, double measured,
                              double model)
{
	struct difference *d = find_difference(cpu, form, kind);

	if (write_differences)
		fprintf(write_differences, "%s,\"%s\",%s,%.2f,%.2f,\"%s\"\n", cpu, form, kind,
		        measured, model, d ? d->reason : "");
	check(d && fabs(d->model - model) < 0.006,
	      "%s %s %s: measured %.2f, model %.2f, not in p5-differences.csv", cpu, form, kind,
	      measured, model);
	if (!d)
		return;
	d->seen = true;
	printf("# %s %-30s %-10s measured %6.2f model %6.2f: %s\n", cpu, form, kind, measured,
	       model, d->reason);
}

static void compare(const char *field[FIELDS], const char *kind_name, enum form_kind kind,
                    const char *text)
{
	const struct p5_form *f = find_form(field[2], kind);
	enum p5_kind cpu = strcmp(field[0], "p54c") ? P5_P55C : P5_P54C;
	double measured = atof(text);
	double model;
	struct tally *tally;
	bool close;

	if (!*text)
		return;
	if (!f) {
		printf("# no code for %s %s\n", field[2], kind_name);
		skipped++;
		return;
	}
	model = steady_clocks(f, cpu);
	close = within(model, measured);
	tally = !strcmp(field[1], "MMX") ? &mmx : &core[cpu];
	if (strcmp(field[5], "core"))
		tally = &outside;
	tally->values++;
	tally->close += close;
	if (close)
		passed++;
	else
		report_difference(field[0], field[2], kind_name, measured, model);
}

static void check_stale(const struct difference *d)
{

	check(d->seen, "p5-differences.csv has %s %s %s, which is within 5 %%", d->cpu, d->form,
	      d->kind);
}

static void report_tally(const char *what, const struct tally *t)
{
	printf("# %s: %d of %d values within 5 %%\n", what, t->close, t->values);
}

static void check_ninety(const struct tally *t)
{
	check(t->values > 700 && t->close >= 0.9 * t->values, "90 %% of the core-bound values");
}

static void test_measured(const char *folder)
{
	FILE *f = open_data(folder, "p5-measured.csv");
	char line[LINE_MAX_CHARS];
	char *field[FIELDS];

	while (fgets(line, sizeof(line), f)) {
		split_csv(line, field);
		if (!strcmp(field[0], "cpu"))
			continue;
		compare((const char **)field, "latency", CHAIN, field[3]);
		compare((const char **)field, "throughput", COPIES, field[4]);
	}
	fclose(f);
	for (int i = 0; i < difference_count; i++)
		check_stale(&differences[i]);
	report_tally("core-bound integer and x87, P54C", &core[P5_P54C]);
	report_tally("core-bound integer and x87, P55C", &core[P5_P55C]);
	report_tally("MMX, P55C", &mmx);
	report_tally("bound by that machine's memory", &outside);
	check_ninety(&core[P5_P54C]);
	check_ninety(&core[P5_P55C]);
}

/* ---- sequences ---- */

static void check_field(const char *id, const char *column, const char *cpu, const char *text,
                        double got)
{

	if (!*text)
		return;
	check(fabs(atof(text) - got) < 1e-9, "%s %s on %s: want %s, got %g", id, column, cpu, text,
	      got);
}

/* Clocks and events of one copy: N of them, each between two CPUIDs, less the CPUIDs. */
static void run_sequence(const struct p5_form *f, enum p5_kind kind, struct machine *m,
                         double *clocks)
{
	const struct p5_form *fence = find_form("fence", SEQUENCE);
	struct decoded block[BLOCK_MAX];
	struct decoded cpuid[1];
	int n = decode_block(f->code, code_size(f), kind, block);
	uint64_t fences;

	decode_block(fence->code, code_size(fence), kind, cpuid);
	machine_reset(m, kind, f->modes);
	run_block(m, cpuid, 1, REPEAT + 1);
	fences = m->clocks;
	machine_reset(m, kind, f->modes);
	for (int i = 0; i < REPEAT; i++) {
		run_block(m, cpuid, 1, 1);
		run_block(m, block, n, 1);
	}
	run_block(m, cpuid, 1, 1);
	*clocks = (double)(m->clocks - fences) / REPEAT;
	m->instructions -= REPEAT + 1;
}

static void test_sequence(char *field[FIELDS], enum p5_kind kind)
{
	static struct machine m;
	const struct p5_form *f = find_form(field[0], SEQUENCE);
	const char *cpu = kind == P5_P54C ? "p54c" : "p55c";
	double clocks;

	if (!f) {
		check(false, "no code for %s", field[0]);
		return;
	}
	/* The P54C has no MMX. */
	if (kind == P5_P54C && !*field[1])
		return;
	run_sequence(f, kind, &m, &clocks);
	check_field(field[0], "clocks", cpu, kind == P5_P54C ? field[1] : field[2], clocks);
	check_field(field[0], "16h", cpu, field[3], (double)m.instructions / REPEAT);
	check_field(field[0], "17h", cpu, kind == P5_P54C ? field[4] : field[5],
	            (double)m.in_v / REPEAT);
	check_field(field[0], "1fh", cpu, field[6], (double)m.agi / REPEAT);
	check_field(field[0], "0ah", cpu, field[7], (double)m.conflicts / REPEAT);
}

static void test_sequences(const char *folder)
{
	FILE *f = open_data(folder, "p5-sequences.csv");
	char line[LINE_MAX_CHARS];
	char *field[FIELDS];

	while (fgets(line, sizeof(line), f)) {
		split_csv(line, field);
		if (!strcmp(field[0], "id"))
			continue;
		test_sequence(field, P5_P54C);
		test_sequence(field, P5_P55C);
	}
	fclose(f);
}

/* ---- single rules that need more than code ---- */

static void decode_named(const char *name, enum p5_kind kind, struct decoded *block)
{
	const struct p5_form *f = find_form(name, SEQUENCE);

	decode_block(f->code, code_size(f), kind, block);
}

static struct p5_result step(struct p5_pipe *p, const struct decoded *d, struct p5_dyn dyn)
{
	struct p5_result result;

	p5_step(p, &d->p5, &dyn, &result);
	return result;
}

/* CMP and JZ of r4: wrong prediction with the Jcc in V and alone in U. */
static void test_mispredict(void)
{
	static const struct {
		enum p5_kind kind;
		long in_v;
		long in_u;
	} want[] = { { P5_P54C, 4, 1 + 3 }, { P5_P55C, 5, 1 + 4 } };

	for (int i = 0; i < 2; i++) {
		struct decoded block[BLOCK_MAX];
		struct p5_dyn cmp = { .rip = 0x1000 };
		struct p5_dyn jz = { .rip = 0x1002, .taken = true, .mispredicted = true };
		struct p5_pipe p;
		struct p5_result r;

		decode_named("r4", want[i].kind, block);
		p5_reset(&p, want[i].kind);
		step(&p, &block[0], cmp);
		r = step(&p, &block[1], jz);
		check_number("mispredicted Jcc in V", want[i].in_v, r.clocks);
		check(r.flush && r.flush_wb && r.pipe == P5_PIPE_V, "it flushes in WB");
		r = step(&p, &block[1], jz);
		check_number("mispredicted Jcc in U", want[i].in_u, r.clocks);
		check(r.flush && !r.flush_wb && r.pipe == P5_PIPE_U, "it flushes in EX");
	}
}

/* s3 with two-byte instructions and r1 with one-byte ones, executed the first time. */
static void test_first_run(void)
{
	static const struct {
		const char *name;
		enum p5_kind kind;
		long pipe;
	} want[] = {
		{ "s3", P5_P54C, P5_PIPE_U },
		{ "r1", P5_P54C, P5_PIPE_V },
		{ "s3", P5_P55C, P5_PIPE_V },
	};

	for (int i = 0; i < 3; i++) {
		struct decoded block[BLOCK_MAX];
		struct p5_dyn a = { .rip = 0x1000, .first_run = true };
		struct p5_dyn b = { .first_run = true };
		struct p5_pipe p;

		decode_named(want[i].name, want[i].kind, block);
		b.rip = a.rip + block[0].insn.length;
		p5_reset(&p, want[i].kind);
		step(&p, &block[0], a);
		check_number(want[i].name, want[i].pipe, step(&p, &block[1], b).pipe);
	}
}

static struct p5_dyn store_at(uint64_t address, bool miss)
{
	struct p5_dyn dyn = { .rip = 0x1000, .accesses = 1 };

	dyn.access[0] =
		(struct p5_access){ .address = address, .size = 4, .write = true, .miss = miss };
	return dyn;
}

/* One write buffer in each pipe of the P54C, four in the P55C; a hit waits for all of them. */
static void test_write_buffers(void)
{
	static const struct {
		enum p5_kind kind;
		int free; /* stores without a stall from an empty U buffer */
	} want[] = { { P5_P54C, 1 }, { P5_P55C, 4 } };

	for (int i = 0; i < 2; i++) {
		struct decoded block[BLOCK_MAX];
		struct p5_pipe p;
		struct p5_result r;
		int n = 0;

		decode_named("s12", want[i].kind, block);
		p5_reset(&p, want[i].kind);
		while (n < 10 && (r = step(&p, &block[0], store_at(64 * n, true))).write_stall == 0)
			n++;
		check_number("stores before the write buffers are full", want[i].free, n);
		r = step(&p, &block[0], store_at(0, false));
		check(r.em_stall && !r.write_stall, "a write hit waits for the buffers to drain");
		check_number("and takes that and a clock", r.em_stall + 1, r.clocks);
		r = step(&p, &block[0], store_at(0, false));
		check_number("with empty buffers it takes a clock", 1, r.clocks);
	}
}

static void test_misses(void)
{
	struct decoded block[BLOCK_MAX];
	struct p5_dyn load = { .rip = 0x1000, .accesses = 1 };
	struct p5_pipe p;
	struct p5_result r;

	decode_named("r16", P5_P54C, block);
	load.access[0] = (struct p5_access){ .address = 0x2000, .size = 4, .miss = true };
	p5_reset(&p, P5_P54C);
	r = step(&p, &block[0], load);
	check_number("read miss", 1 + p.bus.read_miss, r.clocks);
	check_number("its stall", p.bus.read_miss, r.read_stall);
	check_number("its bus clocks", p.bus.read_miss, r.bus_busy);
	load.more_read_miss = 2;
	p5_reset(&p, P5_P54C);
	check_number("three read misses", 1 + 3 * p.bus.read_miss,
	             step(&p, &block[0], load).clocks);
	load.more_read_miss = 0;
	load.access[0].miss = false;
	load.access[0].tlb_miss = true;
	p5_reset(&p, P5_P54C);
	r = step(&p, &block[0], load);
	check_number("TLB miss", 1 + p.bus.tlb_miss, r.clocks);
	check_number("its stall", p.bus.tlb_miss, r.tlb_stall);
	load.access[0].tlb_miss = false;
	load.code_miss = 1;
	p5_reset(&p, P5_P54C);
	r = step(&p, &block[0], load);
	check_number("code miss", 1 + p.bus.code_miss, r.clocks);
}

/* FDIV of r30 takes the integer pipes a clock only, and the x87 unit its latency. */
static void test_divide_overlap(void)
{
	struct decoded block[BLOCK_MAX];
	struct p5_dyn dyn = { .rip = 0x1000, .fpcw = 0x037f };
	struct p5_pipe p;
	struct p5_result r;

	decode_named("r30", P5_P54C, block);
	p5_reset(&p, P5_P54C);
	r = step(&p, &block[0], dyn);
	check_number("FDIV in EX", 1, r.clocks);
	check_number("and in 22h", 1, r.flops);
	r = step(&p, &block[0], dyn);
	check_number("FDIV behind FDIV", 41, r.clocks);
	check_number("of which it waited", 40, r.fp_stall);
}

static void test_privilege(void)
{
	static const long want[2][2] = { { 6, 12 }, { 8, 13 } };

	for (int kind = P5_P54C; kind <= P5_P55C; kind++) {
		for (uint8_t cpl = 0; cpl <= 3; cpl += 3) {
			struct decoded block[BLOCK_MAX];
			struct p5_dyn dyn = { .rip = 0x1000, .cpl = cpl };
			struct p5_pipe p;

			decode_named("rdtsc", kind, block);
			p5_reset(&p, kind);
			dyn.rip += step(&p, &block[0], dyn).clocks; /* its prefix does not hide */
			check_number("RDTSC", want[kind][cpl != 0],
			             step(&p, &block[0], dyn).clocks);
		}
	}
}

static void test_zero_operand(void)
{
	/* FDIV, FDIV, FDIVR, FDIVR, FDIVP, FDIVRP with ST(2), FDIV and FDIVR with memory */
	static const uint8_t dividend[] = { 0, 2, 2, 0, 2, 0, 0, 0 };
	struct decoded block[BLOCK_MAX];

	decode_named("divisions", P5_P54C, block);
	for (int i = 0; i < 8; i++) {
		check_number("register of the dividend", dividend[i], block[i].p5.st_zero);
		check_number("is it wanted", i < 7, !!(block[i].p5.needs & P5_NEEDS_FPZERO));
	}
}

static void test_io(void)
{
	struct decoded block[BLOCK_MAX];
	struct p5_dyn dyn = { .rip = 0x1000 };
	struct p5_pipe p;
	struct p5_result r;

	decode_named("out", P5_P54C, block);
	p5_reset(&p, P5_P54C);
	p.bus.io = 30;
	r = step(&p, &block[0], dyn);
	check_number("OUT and its bus cycle", 12 + 30, r.clocks);
	check_number("18h", 30, r.bus_busy);
}

/* First and per iteration; the REP prefix hides behind the instruction before. */
static void test_strings(void)
{
	static const struct {
		long none;
		long ten;
	} want[] = { { 7, 37 }, { 6, 19 }, { 6, 23 }, { 7, 49 }, { 7, 49 }, { 11, 61 } };
	struct decoded block[BLOCK_MAX];
	struct p5_pipe p;

	decode_named("strings", P5_P54C, block);
	for (int i = 0; i < 6; i++) {
		struct p5_dyn dyn = { .rip = 0x1000 };
		long io = i == 5 ? 8 : 0;

		check(block[i].p5.needs == P5_NEEDS_REP, "string %d needs the iterations", i);
		p5_reset(&p, P5_P54C);
		p.bus.io = 8;
		step(&p, &block[i], dyn);
		check_number("REP with a count of 0", want[i].none + io,
		             step(&p, &block[i], dyn).clocks);
		dyn.rep = 10;
		check_number("REP with a count of 10", want[i].ten + 10 * io,
		             step(&p, &block[i], dyn).clocks);
	}
}

static void test_both_pipes(void)
{
	struct decoded block[BLOCK_MAX];
	struct p5_dyn a = store_at(0x1000, false);
	struct p5_dyn b = store_at(0x1004, false);
	struct p5_pipe p;
	struct p5_result r;

	decode_named("s12", P5_P54C, block);
	b.rip = a.rip + block[0].insn.length;
	p5_reset(&p, P5_P54C);
	step(&p, &block[0], a);
	r = step(&p, &block[1], b);
	check(r.both_pipes_memory && !r.bank_conflict, "memory in both pipes, two banks");
	b.access[0].address += 28;
	step(&p, &block[0], a);
	r = step(&p, &block[1], b);
	check(r.both_pipes_memory && r.bank_conflict, "memory in both pipes, one bank");
}

/* An interrupt between two that would pair. */
static void test_event(void)
{
	struct decoded block[BLOCK_MAX];
	struct p5_dyn a = { .rip = 0x1000 };
	struct p5_dyn b = { .rip = 0x1002 };
	struct p5_pipe p;
	struct p5_result r;

	decode_named("s3", P5_P54C, block);
	p5_reset(&p, P5_P54C);
	step(&p, &block[0], a);
	p5_event(&p, 20, true, &r);
	check(r.clocks == 20 && r.flush, "an event takes what it says and flushes");
	r = step(&p, &block[1], b);
	check(r.pipe == P5_PIPE_U && r.clocks == 1, "behind it the next is in U");
}

/* A jump to the second instruction of a pair: it cannot pair with what came before. */
static void test_not_sequential(void)
{
	struct decoded block[BLOCK_MAX];
	struct p5_dyn a = { .rip = 0x1000 };
	struct p5_dyn b = { .rip = 0x2002 };
	struct p5_pipe p;

	decode_named("s3", P5_P54C, block);
	p5_reset(&p, P5_P54C);
	step(&p, &block[0], a);
	check_number("elsewhere: in U", P5_PIPE_U, step(&p, &block[1], b).pipe);
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : "sim/tests";

	read_differences(folder);
	if (argc > 2) {
		write_differences = fopen(argv[2], "w");
		if (!write_differences)
			return 2;
		fprintf(write_differences, "cpu,form,kind,measured,model,reason\n");
	}
	test_measured(folder);
	test_sequences(folder);
	test_mispredict();
	test_first_run();
	test_write_buffers();
	test_misses();
	test_divide_overlap();
	test_privilege();
	test_strings();
	test_zero_operand();
	test_io();
	test_both_pipes();
	test_event();
	test_not_sequential();
	if (write_differences)
		fclose(write_differences);
	printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
	return failed != 0;
}
