/*
 * Bodies of the instruction table on the core model, and what real processors took for them.
 */
#include "sim/tests/core/bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/instr/instr.h"
#include "kernel/cpu/internal.h"
#include "tools/result/forms.h"

enum { DATA = 192 * 1024, WARM = 6, ROUNDS = 8, BUCKETS = 4096, FIELDS = 4 };
enum { COMMON_SOURCE = 3 }; /* BX, see independent_body() of bench/instr/row.c */

static uint8_t data[DATA] __attribute__((aligned(65536)));
static uint8_t stack[65536];
static const struct bench_area area = { .data = data, .stack = stack + 32768 };

/* kernel/cpu/features.c is here for its names alone. */
struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	(void)c;
	return cpuid(leaf, subleaf);
}

/* ---- Measurements ---- */

struct measured {
	struct measured *next; /* of the bucket */
	char form[FORM_NAME], text[BODY_TEXT];
	double latency, throughput; /* clocks; negative: unknown */
};

static uint32_t hash_of(const char *text, uint32_t hash)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 16777619u;
	return hash;
}

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

static double number(const char *text)
{
	return *text ? atof(text) : -1;
}

static struct measured **bucket(struct measured *table[BUCKETS], const char *form)
{
	return &table[hash_of(form, 2166136261u) % BUCKETS];
}

static const struct measured *find(struct measured *table[BUCKETS], const char *form)
{
	const struct measured *m = *bucket(table, form);

	while (m && strcmp(m->form, form))
		m = m->next;
	return m;
}

/* Of forms that are spelled the same the first, as the measurements of other tools call it. */
static bool read_measured(struct measured *table[BUCKETS], const char *path, const char *cpu)
{
	FILE *f = fopen(path, "r");
	char line[512], *field[FIELDS], form[FORM_NAME];
	bool any = false;

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		struct measured *m, **at;

		if (fields(line, field) < FIELDS || strcmp(field[0], cpu))
			continue;
		form_name(form, field[1]);
		if (find(table, form) || !(m = calloc(1, sizeof(*m))))
			continue;
		at = bucket(table, form);
		m->next = *at;
		*at = m;
		strcpy(m->form, form);
		snprintf(m->text, sizeof(m->text), "%s", field[1]);
		m->latency = number(field[2]);
		m->throughput = number(field[3]);
		any = true;
	}
	fclose(f);
	return any;
}

static void free_measured(struct measured *table[BUCKETS])
{
	for (unsigned i = 0; i < BUCKETS; i++) {
		for (struct measured *m = table[i], *next; m; m = next) {
			next = m->next;
			free(m);
		}
	}
}

/* ---- Bodies ---- */

/* What the execution engine of the simulator lacks. */
static bool executable(const struct body *body)
{
	for (unsigned i = 0; i < body->insns; i++) {
		const ZydisDecodedInstruction *zi = &body->insn[i].zi;

		if (zi->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
			return false;
		switch (zi->meta.isa_ext) {
		case ZYDIS_ISA_EXT_BASE:
		case ZYDIS_ISA_EXT_LONGMODE:
		case ZYDIS_ISA_EXT_MMX:
		case ZYDIS_ISA_EXT_X87:
		case ZYDIS_ISA_EXT_SSE:
		case ZYDIS_ISA_EXT_SSE2:
		case ZYDIS_ISA_EXT_SSE3:
		case ZYDIS_ISA_EXT_SSSE3:
		case ZYDIS_ISA_EXT_SSE4:
		case ZYDIS_ISA_EXT_AES:
		case ZYDIS_ISA_EXT_CLFSH:
		case ZYDIS_ISA_EXT_RDTSCP:
		case ZYDIS_ISA_EXT_LZCNT:
		case ZYDIS_ISA_EXT_ADOX_ADCX:
		case ZYDIS_ISA_EXT_PAUSE:
		case ZYDIS_ISA_EXT_CET: /* ENDBR, a NOP without CET */
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool is_integer(const struct body *body)
{
	for (unsigned i = 0; i < body->insns; i++) {
		switch (body->insn[i].zi.meta.isa_ext) {
		case ZYDIS_ISA_EXT_BASE:
		case ZYDIS_ISA_EXT_LONGMODE:
		case ZYDIS_ISA_EXT_LZCNT:
		case ZYDIS_ISA_EXT_ADOX_ADCX:
			break;
		default:
			return body->insn[i].zi.mnemonic == ZYDIS_MNEMONIC_POPCNT;
		}
	}
	return true;
}

void body_decode(const struct core_machine *m, struct body *body)
{
	for (unsigned i = 0; i < body->insns; i++)
		body->insn[i].core = core_decode(m, &body->insn[i].zi, body->insn[i].op);
}

static bool make_body(struct body *body, const struct bench *b, unsigned width)
{
	struct body_insn insn[BODY_INSNS];
	const uint8_t *at = b->body;
	size_t left = b->body_size;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder,
	                 width == 64 ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
	                 width == 64 ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	for (body->insns = 0; left; body->insns++) {
		struct body_insn *i = &insn[body->insns];

		if (body->insns == BODY_INSNS ||
		    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, at, left, &i->zi, i->op)))
			return false;
		at += i->zi.length;
		left -= i->zi.length;
		/* the reference's 64-bit code uses registers that need no REX prefix */
		if (i->zi.attributes & ZYDIS_ATTRIB_HAS_REX && !i->zi.raw.rex.W)
			i->zi.length--;
	}
	body->insn = malloc(body->insns * sizeof(*insn));
	if (!body->insn)
		return false;
	memcpy(body->insn, insn, body->insns * sizeof(*insn));
	body->ops = b->ops ? b->ops : 1;
	body->bytes = (unsigned)b->body_size;
	body->kind = b->kind[0] == 'l' ? "latency" : "throughput";
	return true;
}

/*
 * What a division depends on, as the name of the form has it: "DIV r32 48/32b" divides numbers of
 * 48 and 32 bits that are all ones, "2^28/2^14" powers, FDIV64 has the precision of 53 bits.
 */
static unsigned division_quantity(const char *form)
{
	unsigned dividend, divisor;
	const char *blank = strstr(form, "DIV r");

	if (!strncmp(form, "FDIV", 4) || !strncmp(form, "FSQRT", 5))
		return strstr(form, "32") ? 24 : strstr(form, "64") ? 53 : 64;
	if (!blank || !(blank = strchr(blank + 4, ' ')))
		return 0;
	if (sscanf(blank, " 2^%u/2^%u", &dividend, &divisor) == 2)
		return dividend - divisor + 1;
	if (sscanf(blank, " %u/%u", &dividend, &divisor) != 2 || dividend < divisor)
		return 0;
	if (strstr(blank, "(full)"))
		return dividend - divisor;
	return dividend - divisor + 1;
}

/* Which case of a row an instruction is, as the name of the form has it. */
static unsigned operand_case(const char *form)
{
	static const struct {
		const char *text;
		double angle;
	} angles[] = {
		{ "(0.0)", 0 },           { "(0.7390", 0.739085 },  { "(1.0)", 1 },
		{ "(4Pi)", 4 * M_PI },    { "(2Pi)", 2 * M_PI },    { "(Pi)", M_PI },
		{ "(Pi/2)", M_PI_2 },     { "(Pi/4)", M_PI_4 },     { "(Pi/8)", M_PI / 8 },
		{ "(Pi/16)", M_PI / 16 }, { "(Pi/32)", M_PI / 32 },
	};
	unsigned digits = division_quantity(form);
	const char *division = strstr(form, "DIV r");

	if (division) {
		unsigned bits = (unsigned)atoi(division + 5);

		return core_quotient(digits < bits ? digits : bits);
	}
	for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); i++)
		if (form[0] == 'F' && strstr(form, angles[i].text))
			return core_angle(angles[i].angle, !strncmp(form, "FCOS", 4));
	if (strstr(form, "(0.0l"))
		return CORE_DIVIDE_ZERO;
	/* divisors of the others are 1 - 2^-20, see bench/instr/forms/sequences.csv */
	if (strstr(form, "/1.0l") || strstr(form, "/2.0l") || strstr(form, "/0.5l") ||
	    strstr(form, "(1.0l)") || !strncmp(form, "FDIVR", 5) || !strncmp(form, "FDIVP", 5))
		return CORE_DIVIDE_POWER;
	return digits == 24   ? CORE_DIVIDE_SINGLE
	       : digits == 53 ? CORE_DIVIDE_DOUBLE
	                      : CORE_DIVIDE_EXTENDED;
}

/* LEA, whose displacement is a constant as an immediate is. */
static bool has_wide_displacement(const ZydisDecodedInstruction *zi)
{
	return zi->mnemonic == ZYDIS_MNEMONIC_LEA && zi->raw.disp.size >= 16;
}

/* All instructions have an immediate of 16 bits or more, or any, and are ADC or SBB. */
static bool has_immediate(const struct body *body, bool carry)
{
	for (unsigned i = 0; i < body->insns; i++) {
		const ZydisDecodedInstruction *zi = &body->insn[i].zi;

		if (carry !=
		    (zi->mnemonic == ZYDIS_MNEMONIC_ADC || zi->mnemonic == ZYDIS_MNEMONIC_SBB))
			return false;
		if (zi->raw.imm[0].size < (carry ? 8 : 16) && !has_wide_displacement(zi))
			return false;
	}
	return true;
}

/* Was the measured code longer than the uop cache (sim/docs/clocks.md)? */
static bool is_long(const struct body *body, const char *code)
{
	if (!strcmp(code, "long"))
		return !has_immediate(body, true);
	return !strcmp(code, "immediates") && has_immediate(body, false);
}

/* How many chains the reference's copies are, if all are that of the first registers; else 0. */
static unsigned chains(const struct body *body, const struct bench *b, const char *code)
{
	if (strcmp(code, "chain") || !body->integer || *b->kind != 't' ||
	    body->insn->zi.operand_count_visible != 2 || !strstr(b->form, "r1_") ||
	    !strstr(b->form, "r2_"))
		return 0;
	return strstr(b->form, "r1_8") && body->insns > 1 ? 2 : 1;
}

static void read_bodies(struct bodies *b, struct measured *table[BUCKETS], unsigned width,
                        const char *salt, const char *code)
{
	static struct cpu cpu;
	struct bench bench;

	memset(cpu.features, 0xff, sizeof(cpu.features));
	for (unsigned i = 0; instr_get(i, &bench, &cpu, &area, width == 64); i++) {
		struct body *body = &b->body[b->count];
		const struct measured *m;
		char form[FORM_NAME];
		uint32_t hash;

		form_name(form, bench.form);
		m = find(table, form);
		if (!m || (body->theirs = *bench.kind == 'l' ? m->latency : m->throughput) < 0)
			continue;
		if (!make_body(body, &bench, width))
			continue;
		if (!executable(body)) {
			free(body->insn);
			continue;
		}
		body_decode(b->machine, body);
		strcpy(body->text, m->text);
		hash = hash_of(form, hash_of(salt, 2166136261u));
		body->held = (hash ^ hash >> 16) & 1;
		body->integer = is_integer(body);
		body->without_cache = is_long(body, code);
		body->chains = chains(body, &bench, code);
		body->one_register = *bench.kind == 't' && !strstr(bench.form, "r2_");
		body->four_registers = !strcmp(code, "bytes") && body->one_register;
		body->quantity = division_quantity(bench.form);
		body->which = operand_case(bench.form);
		if (++b->count % 1024 == 0)
			b->body = realloc(b->body, (b->count + 1024) * sizeof(*b->body));
		if (!b->body)
			abort();
	}
}

bool bodies_read(struct bodies *b, char **argv)
{
	static struct measured *table[BUCKETS];
	const char *machine = argv[0], *cpu = argv[1], *salt = argv[4], *csv = argv[5], *why;

	b->count = 0;
	b->body = calloc(1024, sizeof(*b->body));
	b->machine = core_machine(machine, &why);
	if (!b->machine || !b->body) {
		fprintf(stderr, "%s: %s\n", machine, why ? why : "no such machine");
		return false;
	}
	if (!read_measured(table, csv, cpu)) {
		fprintf(stderr, "%s: no figures of %s\n", csv, cpu);
		return false;
	}
	read_bodies(b, table, strcmp(argv[2], "32") ? 64 : 32, strcmp(salt, "-") ? salt : "",
	            argv[3]);
	free_measured(table);
	return true;
}

void bodies_free(struct bodies *b)
{
	for (unsigned i = 0; i < b->count; i++)
		free(b->body[i].insn);
	free(b->body);
	core_machine_free(b->machine);
}

/* ---- Clocks ---- */

/* Each register points to a place of its own; the stack pointer moves. */
static uint64_t address_of(const ZydisDecodedOperandMem *mem, uint64_t sp)
{
	ZydisRegister base =
		ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, mem->base);

	if (base == ZYDIS_REGISTER_RSP)
		return sp + (uint64_t)mem->disp.value;
	return 0x100000 + 0x10140 * (uint64_t)ZydisRegisterGetId(base) + (uint64_t)mem->disp.value;
}

static int stack_move(const struct body_insn *d)
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

/*
 * Each copy of a throughput body reads and writes memory of its own, as in the reference: it walks,
 * and its code shows no chain through memory (sim/docs/clocks.md). The kernel's code has three
 * addresses.
 */
static uint64_t own_memory(const struct body *body, const ZydisDecodedOperand *op, unsigned copy)
{
	bool updates = op->actions & ZYDIS_OPERAND_ACTION_MASK_READ &&
	               op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	if (*body->kind != 't')
		return 0;
	return updates ? copy % 16 * 64 : copy * (uint64_t)op->size / 8;
}

/* The registers that are read have changed: what core_decode() derived from them follows. */
static void note_reads(struct core_insn *insn)
{
	unsigned reads = insn->bases;

	for (unsigned i = 0; i < insn->srcs; i++)
		reads |= insn->src[i] < CORE_CF ? 1u << insn->src[i] : 0;
	insn->reads = (uint16_t)reads;
}

/*
 * Each comparison of a throughput body reads two registers of its own, as in the reference: there
 * CMP of two registers shows twice as many register reads as CMP of a register with itself. In the
 * kernel's code all copies have the second register in common.
 */
static void own_registers(const struct body *body, const struct body_insn *d, unsigned number,
                          struct core_insn *insn)
{
	static const uint8_t pair[][2] = { { 0, 3 }, { 1, 2 }, { 6, 7 }, { 5, 4 } };
	ZydisMnemonic m = d->zi.mnemonic;

	if ((m != ZYDIS_MNEMONIC_CMP && m != ZYDIS_MNEMONIC_TEST) || *body->kind != 't' ||
	    insn->srcs != 2 || insn->loads)
		return;
	insn->src[0] = pair[number % 4][0];
	insn->src[1] = pair[number % 4][1];
	note_reads(insn);
}

/* A set of registers, with the common one instead of another. */
static uint16_t with_common(unsigned set, unsigned other)
{
	if (!(set >> other & 1))
		return (uint16_t)set;
	return (uint16_t)((set & ~(1u << other)) | 1u << COMMON_SOURCE);
}

/*
 * CMPXCHG of EAX with itself makes all copies wait for its result. The reference shows no such
 * copy: 10 clocks for each CMPXCHG of registers on p4p, where the result takes 19. So that copy is
 * as the next one, and writes the register that all copies read: the next round alone waits for it.
 * It has neither loads nor an address, so `loaded` and `bases` stay empty.
 */
static void not_accumulator(const struct body *body, const struct body_insn *d, unsigned number,
                            struct core_insn *insn)
{
	unsigned other;

	if (d->zi.mnemonic != ZYDIS_MNEMONIC_CMPXCHG || *body->kind != 't' || insn->dst[0] ||
	    insn->loads || body->insns < 2)
		return;
	*insn = body->insn[(number + 1) % body->insns].core;
	other = insn->dst[0];
	insn->dst[0] = COMMON_SOURCE;
	for (unsigned i = 0; i < insn->srcs; i++)
		if (insn->src[i] == other)
			insn->src[i] = COMMON_SOURCE;
	insn->general = with_common(insn->general, other);
	insn->wide = with_common(insn->wide, other);
	insn->part = with_common(insn->part, other);
	note_reads(insn);
}

/*
 * `POPCNT r32, r32` and `MOVZX r64, r8` of the reference read the register that they write: forms
 * of two registers are spelled r1 and r2. The kernel's copies have one source in common.
 */
static void own_source(const struct body *body, const struct body_insn *d, struct core_insn *insn)
{
	if (!body->one_register || d->zi.operand_count_visible < 2 ||
	    d->op[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    d->op[1].type != ZYDIS_OPERAND_TYPE_REGISTER || insn->dst[0] >= CORE_CF ||
	    insn->latency[0] > CORE_TICKS)
		return;
	for (unsigned i = 0; i < insn->srcs; i++)
		if (insn->src[i] == COMMON_SOURCE)
			insn->src[i] = insn->dst[0];
	note_reads(insn);
}

/*
 * The seven registers that the reference writes have the numbers 0 to 7 without 4, which is SP. As
 * bytes those are AL, CL, DL, BL, CH, DH and BH: parts of four registers. The kernel's code has
 * eight registers for them. CMPXCHG keeps those of not_accumulator().
 */
static void own_bytes(const struct body *body, const struct body_insn *d, unsigned number,
                      struct core_insn *insn)
{
	static const uint8_t whole[] = { 0, 1, 2, 3, 1, 2, 3 };
	uint8_t reg = whole[number % sizeof(whole)], old = insn->dst[0];

	if (!body->four_registers || d->zi.mnemonic == ZYDIS_MNEMONIC_CMPXCHG ||
	    d->op[0].type != ZYDIS_OPERAND_TYPE_REGISTER || d->op[0].size != 8 ||
	    !(d->op[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return;
	for (unsigned i = 0; i < insn->dsts; i++)
		if (insn->dst[i] == old)
			insn->dst[i] = reg;
	for (unsigned i = 0; i < insn->srcs; i++)
		if (insn->src[i] == old)
			insn->src[i] = reg;
	note_reads(insn);
}

static void add_accesses(const struct body *body, const struct body_insn *d, unsigned copy,
                         struct core_dyn *dyn, uint64_t *stack_pointer)
{
	int move = stack_move(d);
	uint64_t sp = move < 0 ? *stack_pointer + (uint64_t)(int64_t)move : *stack_pointer;

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
				.address = address_of(&op->mem, sp) + own_memory(body, op, copy),
				.size = (uint8_t)(op->size > 2040 ? 255 : op->size / 8),
				.write = write,
			};
		}
	}
	*stack_pointer += (uint64_t)(int64_t)move;
}

double body_clocks(const struct core_machine *m, const struct body *body)
{
	static struct core core;
	static struct core_machine without;
	unsigned copies = 1200 / (body->bytes + 8) + 4;
	unsigned cycle = body->chains ? body->chains : body->insns;
	uint64_t begin = 0, total = 0, stack_pointer = 0x800000;

	if (copies > 64)
		copies = 64;
	if (body->without_cache) {
		without = *m;
		without.p.uop_cache_sets = 0;
		m = &without;
	}
	if (!core_reset(&core, m, NULL))
		return -1;
	for (unsigned round = 0; round < WARM + ROUNDS; round++) {
		uint64_t rip = 0x400000;

		if (round == WARM)
			begin = total;
		for (unsigned i = 0; i < copies * body->insns; i++) {
			const struct body_insn *d = &body->insn[i % cycle];
			struct core_dyn dyn = { .rip = rip,
				                .quantity = d->core.cases ? body->which
				                                          : body->quantity,
				                .taken = i + 1 == copies * body->insns };
			struct core_insn insn = d->core;
			struct core_result result;

			add_accesses(body, d, i / body->insns, &dyn, &stack_pointer);
			own_registers(body, d, i, &insn);
			own_source(body, d, &insn);
			not_accumulator(body, d, i, &insn);
			own_bytes(body, d, i, &insn);
			core_step(&core, &insn, &dyn, &result);
			total += result.clocks;
			rip += d->zi.length;
		}
	}
	core_free(&core);
	return (double)(total - begin) / ROUNDS / copies / body->ops;
}

bool body_good(double ours, double theirs)
{
	double off = fabs(ours - theirs);

	return off <= 0.1001 || off <= 0.05 * theirs;
}

bool bodies_parameter(struct core_machine *m, const char *text)
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
