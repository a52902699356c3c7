/*
 * The source of instr.*: the walk through all forms, and what makers of forms share
 * (bench/instr/internal.h).
 */
#include "bench/instr/internal.h"

struct instr_cursor instr_at;
struct instr_text instr_made;
bool instr_wide;
const struct cpu *instr_cpu;

enum {
	WALK_UNROLL = 16,
	WALK_LOOP = 16,
	STACK_ZEROS = 32 * 1024,
	LINE = 32,
	PAGE = 4096,
	L1_BYTES = 32 * 1024, /* no CPU that writes around its cache has more */
};

/* --- text --- */

void instr_put(const char *s)
{
	size_t n = strlen(s);

	if (instr_made.length + n < sizeof(instr_made.text))
		memcpy(instr_made.text + instr_made.length, s, n + 1);
	instr_made.length += n;
}

void instr_put_number(unsigned v, unsigned width)
{
	char digits[12];
	char *p = digits + sizeof(digits) - 1;

	*p = 0;
	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while ((unsigned)(digits + sizeof(digits) - 1 - p) < width)
		*--p = ' ';
	instr_put(p);
}

void instr_begin_text(const char *s)
{
	instr_made.length = 0;
	instr_put(s);
}

/* The name: the form in lower case, every run of other characters one underscore. */
static void name_of(char to[BENCH_NAME], const char *form, bool throughput)
{
	const char *prefix = throughput ? "instr.tp." : "instr.lat.";
	char *end = to + BENCH_NAME - 1;

	memcpy(to, prefix, strlen(prefix) + 1);
	to += strlen(prefix);
	for (; *form && to < end; form++) {
		char c = *form;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 'a' - 'A');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			*to++ = c;
		else if (to[-1] != '_')
			*to++ = '_';
	}
	while (to[-1] == '_')
		to--;
	*to = 0;
}

/* --- features --- */

bool instr_has(unsigned need)
{
	for (unsigned i = 0; i < 3; i++) {
		uint8_t f = instr_needs[need].feature[i];

		if (f && !cpu_has(instr_cpu, f - 1))
			return false;
	}
	return true;
}

void instr_add_feature(enum cpu_feature f)
{
	const char *name = cpu_feature_name(f);
	size_t n = strlen(instr_made.needs), m = strlen(name);

	if (n + m + 2 > sizeof(instr_made.needs))
		return;
	if (n)
		instr_made.needs[n++] = ' ';
	memcpy(instr_made.needs + n, name, m + 1);
}

void instr_add_needs(unsigned need)
{
	for (unsigned i = 0; i < 3; i++)
		if (instr_needs[need].feature[i])
			instr_add_feature(instr_needs[need].feature[i] - 1);
}

/* --- memory and registers at the start --- */

static uint8_t *operand(const struct bench_area *area, unsigned i, uintptr_t step)
{
	return area->data + i * (0x10000 + step);
}

static uint32_t pattern_word(unsigned data, unsigned i)
{
	switch (data) {
	case DATA_ONES:
		return 0xffffffff;
	case DATA_ONE:
		return !(i & 1);
	case DATA_F32:
		return 0x3f7ffff0; /* 1 - 2^-20 */
	case DATA_F64:
		return i & 1 ? (uint32_t)(instr_constants[4] >> 32) : 0;
	default:
		return 0;
	}
}

/*
 * A CPU that does not fetch the lines it writes to, as the Pentium, stores fast or slowly by what was read
 * before. So that it is always slow, other lines take all of its first-level cache.
 */
static void make_cold(const volatile uint8_t *data)
{
	for (unsigned i = 0; i < L1_BYTES; i += LINE)
		(void)data[PAGE + i];
}

/* arg[0]: DATA_..., with DATA_X87 also the control word and constants; arg[1]: step. */
static void setup(const struct bench *b, const struct bench_area *area)
{
	unsigned data = b->arg[0] & ROW_DATA;

	for (unsigned i = 0; i < 3; i++) {
		uint8_t *p = operand(area, i, b->arg[1]);
		uintptr_t self = (uintptr_t)p;

		for (unsigned w = 0; w < 18; w++) {
			uint32_t v = pattern_word(data, w);

			memcpy(p + 4 * w, &v, 4);
		}
		if (data == DATA_ADDR)
			memcpy(p, &self, sizeof(self));
	}
	if (data == DATA_STACK)
		memset(area->stack, 0, STACK_ZEROS);
	if (b->arg[0] & DATA_COLD)
		make_cold(area->data);
	if (data == DATA_X87) {
		uint16_t control = (uint16_t)(0x7f | (b->arg[0] >> 12 & 3) << 8);

		memcpy(operand(area, 0, b->arg[1]), &control, sizeof(control));
		memcpy(operand(area, 1, b->arg[1]), &instr_constants[b->arg[0] >> 8 & 15], 8);
		memcpy(operand(area, 2, b->arg[1]), &instr_constants[b->arg[0] >> 16 & 15], 8);
	}
}

void instr_set_memory(struct bench *b, const struct bench_area *area, unsigned data, uintptr_t step)
{
	b->setup = setup;
	b->arg[0] = data;
	b->arg[1] = step;
	b->set_mask = 1u << REG_SI | 1u << REG_DI | 1u << REG_BX;
	b->set[REG_SI] = (uintptr_t)operand(area, 0, step);
	b->set[REG_DI] = (uintptr_t)operand(area, 1, step);
	b->set[REG_BX] = (uintptr_t)operand(area, 2, step);
}

void instr_finish(struct bench *b, size_t body, size_t init, bool throughput)
{
	name_of(b->name, instr_made.text, throughput);
	b->what = "an instruction form of the table";
	b->form = instr_made.text;
	b->kind = throughput ? "throughput" : "latency";
	b->needs = instr_made.needs;
	b->widths = instr_wide ? SNIPPET_64 : SNIPPET_32;
	b->init = instr_made.init;
	b->body = instr_made.body;
	b->body_size = body;
	b->init_size = init;
}

void instr_begin(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	instr_made.needs[0] = 0;
}

void instr_walk(struct bench *b)
{
	b->unroll = WALK_UNROLL;
	b->loop = WALK_LOOP;
}

const char *instr_size_text(unsigned bits)
{
	return bits == 8 ? "8" : bits == 16 ? "16" : bits == 32 ? "32" : "64";
}

size_t instr_add_init(size_t n, const char *bytes, size_t size)
{
	memcpy(instr_made.init + n, bytes, size);
	return n + size;
}

/* --- the walk through all of them --- */

static bool of_pattern(void)
{
	return instr_specs[instr_at.spec].pattern == instr_at.row.pattern;
}

/* Reads the row or literal; rows of one pattern in a row begin at the same spec. */
static void load_item(void)
{
	if (instr_at.stage == ST_ROWS) {
		static unsigned first;

		instr_at.row = instr_row(instr_at.item);
		instr_at.spec = first;
		if (!of_pattern())
			instr_at.spec = 0;
		while (!of_pattern())
			instr_at.spec++;
		while (instr_at.spec &&
		       instr_specs[instr_at.spec - 1].pattern == instr_at.row.pattern)
			instr_at.spec--;
		first = instr_at.spec;
	}
	if (instr_at.stage == ST_LITERALS)
		instr_at.literal = instr_literal(instr_at.item);
}

static void first_item(enum instr_stage stage)
{
	instr_at.stage = stage;
	instr_at.item = 0;
	instr_at.name = stage == ST_ROWS ? instr_names : instr_literal_names;
	instr_at.code = instr_literal_code;
	load_item();
}

/* The next row, literal, division or LEA. */
static void next_item(void)
{
	static const unsigned *const counts[] = { &instr_nrows, &instr_nliterals, &instr_ndivs,
		                                  &instr_nleas };

	do {
		instr_at.name += strlen(instr_at.name) + 1;
		if (instr_at.stage == ST_LITERALS)
			instr_at.code += instr_at.literal.size;
		if (++instr_at.item == *counts[instr_at.stage])
			first_item(instr_at.stage + 1);
		load_item();
	} while (instr_at.stage == ST_ROWS && !instr_row_possible(&instr_at.row));
}

static bool vectors(void)
{
	return instr_at.stage == ST_ROWS && instr_at.row.pattern >= instr_vector_pattern;
}

/* Goes on to the next combination. */
static void advance(void)
{
	instr_at.throughput = !instr_at.throughput;
	if (instr_at.throughput)
		return;
	if (instr_at.stage == ST_ROWS) {
		instr_at.two = !instr_at.two && instr_at.row.flags & ROW_PAIR;
		if (instr_at.two)
			return;
		instr_at.memory = !instr_at.memory && strchr(instr_specs[instr_at.spec].ops, 'n');
		if (instr_at.memory)
			return;
	}
	if (instr_at.stage == ST_ROWS || instr_at.stage == ST_LEAS) {
		instr_at.variant++;
		if (instr_at.variant < (vectors() ? VARIANTS : SIZES))
			return;
		instr_at.variant = 0;
	}
	if (instr_at.stage == ST_ROWS) {
		instr_at.spec++;
		if (instr_at.spec < instr_nspecs && of_pattern())
			return;
	}
	next_item();
}

static bool make(struct bench *b, const struct bench_area *area)
{
	switch (instr_at.stage) {
	case ST_ROWS:
		return instr_make_row(b, area);
	case ST_LITERALS:
		return instr_make_literal(b, area);
	case ST_DIVS:
		return instr_make_div(b, area);
	default:
		return instr_make_lea(b, area);
	}
}

static void rewind_all(void)
{
	memset(&instr_at, 0, sizeof(instr_at));
	first_item(ST_ROWS);
}

/* The sequence is kept: asked for the next one, as every walk does, it goes on from the last. */
bool instr_get(unsigned i, struct bench *b, const struct cpu *cpu, const struct bench_area *area,
               bool wide)
{
	if (!instr_at.valid || i != instr_at.index + 1 || wide != instr_wide || cpu != instr_cpu) {
		instr_wide = wide;
		instr_cpu = cpu;
		rewind_all();
		instr_at.index = ~0u;
		instr_at.valid = true;
	} else {
		advance();
	}
	for (; instr_at.stage != ST_END; advance())
		if (make(b, area) && ++instr_at.index == i)
			return true;
	instr_at.valid = false;
	return false;
}

static bool source_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	(void)skip;
	return instr_get(i, b, cpu, area, sizeof(void *) == 8);
}

static const struct bench_source instr = { .name = "instr", .prefix = "instr.", .get = source_get };
BENCH_SOURCE(instr);
