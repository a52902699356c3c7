/*
 * What the makers of forms share: text, features, operands in memory.
 */
#include "bench/instr/form.h"

#include "kernel/lib/string.h"

enum {
	FEW_UNROLL = 16,
	FEW_LOOP = 16,
	STACK_ZEROS = 32 * 1024,
	OPERAND_WORDS = 18, /* what setup() fills of an operand, in 32 bits */
	LINE = 32,
	PAGE = 4096,
	L1_BYTES = 32 * 1024, /* no CPU that writes around its cache has more */
	X87_MASKED = 0x7f,    /* control word: all exceptions masked */
};

static const uint64_t constants[CONSTANTS] = {
	[CONSTANT_0] = 0,
	[CONSTANT_1] = 0x3ff0000000000000,
	[CONSTANT_2] = 0x4000000000000000,
	[CONSTANT_HALF] = 0x3fe0000000000000,
	[CONSTANT_BELOW_1] = 0x3feffffe00000000,
	[CONSTANT_4PI] = 0x402921fb54442d18,
	[CONSTANT_2PI] = 0x401921fb54442d18,
	[CONSTANT_PI] = 0x400921fb54442d18,
	[CONSTANT_PI_2] = 0x3ff921fb54442d18,
	[CONSTANT_PI_4] = 0x3fe921fb54442d18,
	[CONSTANT_PI_8] = 0x3fd921fb54442d18,
	[CONSTANT_PI_16] = 0x3fc921fb54442d18,
	[CONSTANT_PI_32] = 0x3fb921fb54442d18,
	[CONSTANT_DOTTIE] = 0x3fe7a6b402ae1586,
};

/* --- text --- */

void instr_put(struct instr_form *f, const char *s)
{
	size_t n = strlen(s);

	if (f->length + n < sizeof(f->text))
		memcpy(f->text + f->length, s, n + 1);
	f->length += n;
}

void instr_put_number(struct instr_form *f, unsigned v, unsigned width)
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
	instr_put(f, p);
}

/* The name: the form in lower case, every run of other characters one underscore. */
void instr_name(char to[BENCH_NAME], const char *form, bool throughput)
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

enum { NEEDS = sizeof(instr_needs[0].feature) };

/* instr_needs holds features + 1. */
bool instr_has(const struct instr_form *f, unsigned need)
{
	for (unsigned i = 0; i < NEEDS; i++) {
		uint8_t feature = instr_needs[need].feature[i];

		if (feature && !cpu_has(f->cpu, feature - 1))
			return false;
	}
	return true;
}

void instr_add_feature(struct instr_form *f, enum cpu_feature feature)
{
	const char *name = cpu_feature_name(feature);
	size_t n = strlen(f->needs), m = strlen(name);

	if (n + m + 2 > sizeof(f->needs))
		return;
	if (n)
		f->needs[n++] = ' ';
	memcpy(f->needs + n, name, m + 1);
}

void instr_add_needs(struct instr_form *f, unsigned need)
{
	for (unsigned i = 0; i < NEEDS; i++)
		if (instr_needs[need].feature[i])
			instr_add_feature(f, instr_needs[need].feature[i] - 1);
}

/* --- memory at the start --- */

static uint8_t *operand(const struct bench_area *area, unsigned i, uintptr_t step)
{
	return area->data + i * (0x10000 + step);
}

static uint32_t data_word(enum instr_data data, unsigned i)
{
	switch (data) {
	case DATA_ONES:
		return 0xffffffff;
	case DATA_ONE:
		return !(i & 1);
	case DATA_F32:
		return 0x3f7ffff0; /* 1 - 2^-20 */
	case DATA_F64:
		return i & 1 ? (uint32_t)(constants[CONSTANT_BELOW_1] >> 32) : 0;
	default:
		return 0;
	}
}

/*
 * The Pentium does not fetch a line that it writes to. Whether its stores are fast depends on what
 * was read before. Other lines fill its whole first-level cache here, so that stores are always
 * slow.
 */
static void make_cold(const volatile uint8_t *data)
{
	for (unsigned i = 0; i < L1_BYTES; i += LINE)
		(void)data[PAGE + i];
}

/* arg[0] points to the struct instr_memory. */
static void setup(const struct bench *b, const struct bench_area *area)
{
	const struct instr_memory *m = (const struct instr_memory *)b->arg[0];

	for (unsigned i = 0; i < 3; i++) {
		uint8_t *p = operand(area, i, m->step);
		uintptr_t self = (uintptr_t)p;

		for (unsigned w = 0; w < OPERAND_WORDS; w++) {
			uint32_t v = data_word(m->data, w);

			memcpy(p + 4 * w, &v, 4);
		}
		if (m->data == DATA_ADDRESS)
			memcpy(p, &self, sizeof(self));
	}
	if (m->data == DATA_STACK)
		memset(area->stack, 0, STACK_ZEROS);
	if (m->cold)
		make_cold(area->data);
	if (m->data == DATA_X87) {
		uint16_t control = (uint16_t)(X87_MASKED | m->control);

		memcpy(operand(area, 0, m->step), &control, sizeof(control));
		memcpy(operand(area, 1, m->step), &constants[m->rest], 8);
		memcpy(operand(area, 2, m->step), &constants[m->top], 8);
	}
}

void instr_use_memory(struct instr_form *f, struct bench *b, const struct bench_area *area)
{
	b->setup = setup;
	b->arg[0] = (uintptr_t)&f->memory;
	b->set_mask = 1u << REG_SI | 1u << REG_DI | 1u << REG_BX;
	b->set[REG_SI] = (uintptr_t)operand(area, 0, f->memory.step);
	b->set[REG_DI] = (uintptr_t)operand(area, 1, f->memory.step);
	b->set[REG_BX] = (uintptr_t)operand(area, 2, f->memory.step);
}

/* --- the benchmark --- */

void instr_begin(struct instr_form *f)
{
	f->text[0] = f->needs[0] = 0;
	f->length = f->body_size = f->init_size = f->op_size = 0;
	memset(&f->memory, 0, sizeof(f->memory));
}

void instr_add_init(struct instr_form *f, const void *bytes, size_t size)
{
	memcpy(f->init + f->init_size, bytes, size);
	f->init_size += size;
}

void instr_add_body(struct instr_form *f, const void *bytes, size_t size)
{
	memcpy(f->body + f->body_size, bytes, size);
	f->body_size += size;
}

void instr_few_copies(struct bench *b)
{
	b->unroll = FEW_UNROLL;
	b->loop = FEW_LOOP;
}

void instr_finish(struct instr_form *f, struct bench *b)
{
	instr_name(b->name, f->text, f->throughput);
	b->what = "an instruction form of the table";
	b->form = f->text;
	b->kind = f->throughput ? "throughput" : "latency";
	b->needs = f->needs;
	b->widths = f->wide ? SNIPPET_64 : SNIPPET_32;
	b->init = f->init;
	b->body = f->body;
	b->body_size = f->body_size;
	b->init_size = f->init_size;
	b->op_bytes = (uint32_t)(f->op_size ? f->op_size : f->body_size / b->ops);
}
