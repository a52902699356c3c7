/*
 * sim/timing/core_rows.c - reads the rows of a processor, and finds the row of an instruction.
 */
#include "sim/timing/core_rows.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARENTS = 8, MAX_NAMES = 32 };

/* A port group of machines.csv: `port.alu`, or a unit: `unit.divider`. */
struct group {
	const char *name;
	uint16_t ports;
	uint8_t unit;
	bool divides; /* the divider, or the ports that have it */
};

struct reader {
	struct core_machine *m;
	const char *chain[MAX_PARENTS]; /* the machine, its parent, the parent of that, ... */
	unsigned chains;
	struct group group[MAX_NAMES];
	unsigned groups;
	size_t capacity;
	int32_t last[ZYDIS_MNEMONIC_MAX_VALUE + 1]; /* last row of a mnemonic */
	const char *file;
	unsigned line;
	bool failed;
};

static char complaint[200];

static void __attribute__((format(printf, 2, 3))) fail(struct reader *r, const char *format, ...)
{
	va_list args;
	int n;

	if (r->failed)
		return;
	r->failed = true;
	n = snprintf(complaint, sizeof(complaint), "sim/timing/rows/%s.csv:%u: ", r->file, r->line);
	va_start(args, format);
	vsnprintf(complaint + n, sizeof(complaint) - (size_t)n, format, args);
	va_end(args);
}

/* ---- machines.csv ---- */

struct parameter {
	const char *name;
	size_t offset;
	bool time;
};

static const struct parameter parameters[] = {
#define SIZE_PARAMETER(name, text) { #name, offsetof(struct core_parameters, name), false },
#define TIME_PARAMETER(name, text) { #name, offsetof(struct core_parameters, name), true },
	CORE_PARAMETERS(SIZE_PARAMETER, TIME_PARAMETER)
#undef SIZE_PARAMETER
#undef TIME_PARAMETER
};

/* "p0156": hexadecimal digits are port numbers. 0: it is no such set. */
static uint16_t port_set(const char *text, size_t n)
{
	uint16_t set = 0;

	if (n < 2 || text[0] != 'p')
		return 0;
	for (size_t i = 1; i < n; i++) {
		const char *digits = "0123456789abcdef", *at = strchr(digits, text[i]);

		if (!at)
			return 0;
		set |= (uint16_t)(1u << (at - digits));
	}
	return set;
}

/* A group: the first definition, that of the machine nearest to the one that is read, stays. */
static void set_group(struct reader *r, const char *name, const char *value)
{
	struct group *g;

	for (unsigned i = 0; i < r->groups; i++)
		if (!strcmp(r->group[i].name, name))
			return;
	if (r->groups == MAX_NAMES) {
		fail(r, "too many groups");
		return;
	}
	g = &r->group[r->groups++];
	g->name = name;
	g->divides =
		!strcmp(name, "divider") || !strcmp(name, "divide") || !strcmp(name, "fdivide");
	if (value[0] == 'u' && value[1] >= '0' && value[1] < '0' + CORE_UNITS && !value[2])
		g->unit = (uint8_t)(value[1] - '0');
	else if (!(g->ports = port_set(value, strlen(value))))
		fail(r, "\"%s\" is no set of ports", value);
	if (!strcmp(name, "load"))
		r->m->p.port_load = g->ports;
	if (!strcmp(name, "load_vector"))
		r->m->p.port_load_vector = g->ports;
	if (!strcmp(name, "address"))
		r->m->p.port_address = g->ports;
	if (!strcmp(name, "data"))
		r->m->p.port_data = g->ports;
	if (!strcmp(name, "data_vector"))
		r->m->p.port_data_vector = g->ports;
	if (!strcmp(name, "double"))
		r->m->p.port_double = g->ports;
	if (!strcmp(name, "alu"))
		r->m->p.port_queues = g->ports;
}

static void set_parameter(struct reader *r, const struct core_parameter_text *t,
                          bool seen[sizeof(parameters) / sizeof(parameters[0])])
{
	if (!strncmp(t->name, "port.", 5) || !strncmp(t->name, "unit.", 5)) {
		set_group(r, t->name + 5, t->value);
		return;
	}
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
		const struct parameter *p = &parameters[i];
		char *end;
		double value;

		if (strcmp(p->name, t->name))
			continue;
		value = strtod(t->value, &end) * (p->time ? CORE_TICKS : 1);
		if (*end || end == t->value || value < 0 || value > 60000)
			fail(r, "\"%s\" is no value", t->value);
		else if (!seen[i])
			*(uint16_t *)((char *)&r->m->p + p->offset) = (uint16_t)(value + 0.5);
		seen[i] = true;
		return;
	}
	if (strcmp(t->name, "parent"))
		fail(r, "no parameter is called %s", t->name);
}

/* The machine, its parent and so on. False: machines.csv does not have it. */
static bool find_chain(struct reader *r, const char *name)
{
	while (name && r->chains < MAX_PARENTS) {
		const char *parent = NULL;
		bool there = false;

		for (size_t i = 0; i < core_parameter_text_count; i++) {
			const struct core_parameter_text *t = &core_parameter_texts[i];

			if (strcmp(t->machine, name))
				continue;
			there = true;
			if (!strcmp(t->name, "parent"))
				parent = t->value;
		}
		if (!there)
			return false;
		r->chain[r->chains++] = name;
		name = parent;
	}
	return r->chains;
}

/* log2 of a power of two. */
static uint8_t log2_of(struct reader *r, unsigned value)
{
	if (!value || value & (value - 1)) {
		fail(r, "%s: fetch_bytes and uop_cache_window are powers of two", r->chain[0]);
		return 0;
	}
	return (uint8_t)__builtin_ctz(value);
}

static void read_parameters(struct reader *r)
{
	bool seen[sizeof(parameters) / sizeof(parameters[0])] = { false };

	r->file = "machines";
	for (unsigned c = 0; c < r->chains; c++) {
		for (size_t i = 0; i < core_parameter_text_count; i++) {
			const struct core_parameter_text *t = &core_parameter_texts[i];

			r->line = t->line;
			if (!strcmp(t->machine, r->chain[c]))
				set_parameter(r, t, seen);
		}
	}
	if (!r->m->p.alu_queues)
		r->m->p.port_queues = 0;
	if (!r->m->p.port_load_vector)
		r->m->p.port_load_vector = r->m->p.port_load;
	if (!r->m->p.port_data_vector)
		r->m->p.port_data_vector = r->m->p.port_data;
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
		if (!seen[i])
			fail(r, "%s has no %s", r->chain[0], parameters[i].name);
	r->m->fetch_shift = log2_of(r, r->m->p.fetch_bytes);
	r->m->window_shift = log2_of(r, r->m->p.uop_cache_window);
}

/* ---- Tables of rows ---- */

/* The next word of a list that blanks separate. */
static bool next_word(const char **text, char word[32])
{
	size_t n = 0;

	while (**text == ' ')
		(*text)++;
	while (**text && **text != ' ' && n < 31)
		word[n++] = *(*text)++;
	word[n] = 0;
	return n;
}

static const struct {
	const char *text;
	uint16_t token;
} token_names[] = {
	{ "acc", TOKEN_ACCUMULATOR },
	{ "rm", TOKEN_GPR | TOKEN_MEMORY },
	{ "xm", TOKEN_XMM | TOKEN_MEMORY },
	{ "mmm", TOKEN_MM | TOKEN_MEMORY },
	{ "mm", TOKEN_MM },
	{ "ri", TOKEN_GPR | TOKEN_IMMEDIATE },
	{ "r", TOKEN_GPR },
	{ "m", TOKEN_MEMORY },
	{ "i", TOKEN_IMMEDIATE },
	{ "x", TOKEN_XMM },
	{ "st", TOKEN_ST },
	{ "s", TOKEN_SEGMENT },
	{ "c", TOKEN_CONTROL },
	{ "cl", TOKEN_CL },
	{ "1", TOKEN_ONE },
	{ "0", TOKEN_NULL },
	{ ".", TOKEN_ANY },
};

/* "r32/64": a kind and, if it matters, sizes in bits. */
static void read_operand(struct reader *r, struct core_row *row, const char *word)
{
	struct core_operand *op = &row->operand[row->operands];
	size_t n = 0;
	char *end;

	if (row->operands == CORE_ROW_OPERANDS) {
		fail(r, "too many operands");
		return;
	}
	row->operands++;
	while (isalpha((unsigned char)word[n]) || word[n] == '.' || !n)
		n++;
	for (size_t i = 0; i < sizeof(token_names) / sizeof(token_names[0]); i++)
		if (strlen(token_names[i].text) == n && !strncmp(token_names[i].text, word, n))
			op->tokens = token_names[i].token;
	if (!op->tokens)
		fail(r, "\"%s\" is no kind of operand", word);
	for (const char *at = word + n; *at; at = *end == '/' ? end + 1 : end) {
		unsigned long size = strtoul(at, &end, 10);

		if (end == at || !size || size > 4096) {
			fail(r, "\"%s\" is no operand", word);
			return;
		}
		for (unsigned bit = 0; bit < 10; bit++)
			if (8ul << bit == size || (bit == 9 && size == 80))
				op->sizes |= (uint16_t)(1u << bit);
	}
}

static void read_operands(struct reader *r, struct core_row *row, const char *text)
{
	bool none = false;
	char word[32];

	while (next_word(&text, word)) {
		if (!strcmp(word, "same"))
			row->same = true;
		else if (!strcmp(word, "lock"))
			row->locked = true;
		else if (!strcmp(word, "rep"))
			row->repeated = true;
		else if (!strcmp(word, "none"))
			none = true;
		else if (!strcmp(word, "index"))
			row->address |= ADDRESS_INDEX;
		else if (!strcmp(word, "disp"))
			row->address |= ADDRESS_DISP;
		else if (!strcmp(word, "scaled"))
			row->address |= ADDRESS_SCALED;
		else if (!strcmp(word, "rip"))
			row->address |= ADDRESS_RIP;
		else
			read_operand(r, row, word);
	}
	row->any = !row->operands && !none;
}

/* "3*p0156/2": three uops, each for two clocks on one of four ports; "divider/26": a unit. */
static void read_uop(struct reader *r, struct core_row *row, const char *text, size_t n)
{
	struct core_uop *u = &row->uop[row->uops];
	const char *slash = memchr(text, '/', n), *star = memchr(text, '*', n);
	size_t name;

	if (row->uops == CORE_UOPS) {
		fail(r, "too many kinds of uops");
		return;
	}
	row->uops++;
	u->count = 1;
	u->busy = 1;
	if (star) {
		u->count = (uint8_t)atoi(text);
		n -= (size_t)(star + 1 - text);
		text = star + 1;
	}
	name = slash ? (size_t)(slash - text) : n;
	if (slash)
		u->busy = (uint8_t)atoi(slash + 1);
	if (!u->count || !u->busy)
		fail(r, "\"%.*s\": counts and clocks are 1 to 255", (int)n, text);
	u->ports = port_set(text, name);
	if (u->ports)
		return;
	for (unsigned i = 0; i < r->groups; i++) {
		if (strlen(r->group[i].name) == name && !strncmp(r->group[i].name, text, name)) {
			u->ports = r->group[i].ports;
			u->unit = r->group[i].unit;
			u->divides = r->group[i].divides;
			return;
		}
	}
	fail(r, "\"%.*s\" is neither a set of ports nor a group of machines.csv", (int)name, text);
}

static void read_uops(struct reader *r, struct core_row *row, const char *text)
{
	if (!strcmp(text, "-"))
		return;
	for (;;) {
		size_t n = strcspn(text, "+");

		read_uop(r, row, text, n);
		if (!text[n])
			return;
		text += n + 1;
	}
}

/* "9|9|18|32|38": a latency for each case of the operands (enum core_cases). */
static void read_cases(struct reader *r, struct core_row *row, const char *text)
{
	const char *all = text;
	uint16_t latency[CORE_CASES], least = UINT16_MAX;

	for (unsigned n = 0; n < CORE_CASES; n++) {
		char *end;
		double value = strtod(text, &end);

		if (end == text || value < 0 || value > 16000 || (*end && *end != '|'))
			break;
		latency[n] = (uint16_t)(value * CORE_TICKS + 0.5);
		least = latency[n] < least ? latency[n] : least;
		text = end + 1;
		if (*end)
			continue;
		row->cases = (uint8_t)(n + 1);
		row->latency[0] = row->latency[1] = least;
		for (unsigned i = 0; i <= n; i++)
			row->more[i] = latency[i] - least;
		return;
	}
	fail(r, "\"%s\" is no latency", all);
}

/* "3", "3 4" (of the second result), "12+0.5q" (q: core_dyn.quantity). */
static void read_latency(struct reader *r, struct core_row *row, const char *text)
{
	const char *all = text;
	char *end;

	if (strchr(text, '|')) {
		read_cases(r, row, text);
		return;
	}
	for (unsigned i = 0; *text; i++) {
		double value = strtod(text, &end);

		if (end == text || i > 1 || value < 0 || value > 16000) {
			fail(r, "\"%s\" is no latency", all);
			return;
		}
		row->latency[i] = (uint16_t)(value * CORE_TICKS + 0.5);
		if (!i)
			row->latency[1] = row->latency[0];
		text = end;
		if (*text == '+') {
			row->slope =
				(uint16_t)(strtod(text + 1, &end) * CORE_TICKS * CORE_SLOPE + 0.5);
			text = end;
			if (*text++ != 'q')
				fail(r, "\"%s\" is no latency", all);
		}
		while (*text == ' ')
			text++;
	}
}

static const struct {
	const char *text;
	uint16_t flag;
} flag_names[] = {
	{ "zero", CORE_ZERO },     { "move", CORE_MOVE },       { "fence", CORE_FENCE },
	{ "serial", CORE_SERIAL }, { "complex", CORE_COMPLEX }, { "ms", CORE_MICROCODE },
	{ "swap", CORE_SWAP },     { "breaks", CORE_BREAKS },   { "carry", CORE_CARRY },
};

static void read_flags(struct reader *r, struct core_row *row, const char *text)
{
	char word[32];

	while (next_word(&text, word)) {
		uint16_t flag = 0;

		for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++)
			if (!strcmp(flag_names[i].text, word))
				flag = flag_names[i].flag;
		if (!flag)
			fail(r, "no flag is called %s", word);
		row->flags |= flag;
	}
}

/* Puts the row behind those of the same mnemonic. */
static void add_row(struct reader *r, const struct core_row *row, unsigned mnemonic)
{
	struct core_machine *m = r->m;
	struct core_row *grown;

	if (m->rows == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 512;
		grown = realloc(m->row, r->capacity * sizeof(*m->row));
		if (!grown) {
			fail(r, "out of memory");
			return;
		}
		m->row = grown;
	}
	m->row[m->rows] = *row;
	m->row[m->rows].next = -1;
	if (r->last[mnemonic] < 0)
		m->first[mnemonic] = (int32_t)m->rows;
	else
		m->row[r->last[mnemonic]].next = (int32_t)m->rows;
	r->last[mnemonic] = (int32_t)m->rows++;
}

/* "add", "padd*"; "*" alone is the row of everything that has none, kept as mnemonic 0. */
static void add_mnemonics(struct reader *r, const struct core_row *row, const char *pattern)
{
	size_t n = strcspn(pattern, "*");
	bool prefix = pattern[n], found = false;

	if (!n) {
		add_row(r, row, 0);
		return;
	}
	for (unsigned i = 1; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++) {
		const char *name = ZydisMnemonicGetString((ZydisMnemonic)i);

		if (prefix ? strncmp(name, pattern, n) : strcmp(name, pattern))
			continue;
		add_row(r, row, i);
		found = true;
	}
	if (!found)
		fail(r, "no instruction is called %s", pattern);
}

static void read_row(struct reader *r, const struct core_row_text *t)
{
	const char *mnemonics = t->mnemonics;
	struct core_row row = { .text = t };
	char word[32];

	read_operands(r, &row, t->operands);
	read_uops(r, &row, t->uops);
	read_latency(r, &row, t->latency);
	read_flags(r, &row, t->flags);
	if (row.flags & CORE_ZERO && !r->m->p.zero_idioms)
		return;
	if (row.flags & CORE_MOVE && !r->m->p.move_elimination)
		return;
	while (next_word(&mnemonics, word) && !r->failed)
		add_mnemonics(r, &row, word);
}

static void read_tables(struct reader *r)
{
	for (unsigned c = 0; c < r->chains; c++) {
		r->file = r->chain[c];
		for (size_t i = 0; i < core_row_text_count && !r->failed; i++) {
			if (strcmp(core_row_texts[i].table, r->chain[c]))
				continue;
			r->line = core_row_texts[i].line;
			if (!r->m->table)
				r->m->table = r->chain[c];
			read_row(r, &core_row_texts[i]);
		}
	}
}

struct core_machine *core_machine(const char *name, const char **why)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct core_machine *m = calloc(1, sizeof(*m));

	*why = NULL;
	if (!r || !m || (r->m = m, !find_chain(r, name))) {
		free(r);
		free(m);
		return NULL;
	}
	m->name = r->chain[0];
	memset(r->last, 0xff, sizeof(r->last));
	memset(m->first, 0xff, sizeof(m->first));
	read_parameters(r);
	if (!r->failed)
		read_tables(r);
	if (r->failed) {
		*why = complaint;
		core_machine_free(m);
		m = NULL;
	}
	free(r);
	return m;
}

void core_machine_free(struct core_machine *m)
{
	if (m)
		free(m->row);
	free(m);
}

void core_forget(struct core *c)
{
	const struct core_parameters *p = &c->machine->p;
	size_t lines = (size_t)p->uop_cache_sets * p->uop_cache_ways;

	c->window = UINT64_MAX; /* none is under way */
	if (!lines)
		return;
	memset(c->cached, 0xff, lines * sizeof(*c->cached));
	memset(c->cached_lines, 0, lines);
}

/* ---- The row of an instruction ---- */

static uint16_t register_token(const ZydisDecodedOperand *op)
{
	switch (ZydisRegisterGetClass(op->reg.value)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		if (op->reg.value == ZYDIS_REGISTER_CL)
			return TOKEN_GPR | TOKEN_CL;
		if (op->visibility != ZYDIS_OPERAND_VISIBILITY_IMPLICIT)
			return TOKEN_GPR;
		return TOKEN_GPR | (ZydisRegisterGetId(op->reg.value) ? 0 : TOKEN_ACCUMULATOR);
	case ZYDIS_REGCLASS_MMX:
		return TOKEN_MM;
	case ZYDIS_REGCLASS_XMM:
		return TOKEN_XMM;
	case ZYDIS_REGCLASS_X87:
		return TOKEN_ST;
	case ZYDIS_REGCLASS_SEGMENT:
		return TOKEN_SEGMENT;
	default:
		return TOKEN_CONTROL;
	}
}

static uint16_t operand_token(const ZydisDecodedOperand *op)
{
	switch (op->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		return register_token(op);
	case ZYDIS_OPERAND_TYPE_MEMORY:
		return TOKEN_MEMORY;
	default:
		return TOKEN_IMMEDIATE | (op->imm.value.u == 1 ? TOKEN_ONE : 0) |
		       (op->imm.value.u ? 0 : TOKEN_NULL);
	}
}

static bool operand_fits(const struct core_operand *row, const ZydisDecodedOperand *op)
{
	if (!(row->tokens & operand_token(op)))
		return false;
	if (!row->sizes)
		return true;
	for (unsigned bit = 0; bit < 10; bit++)
		if (row->sizes >> bit & 1 &&
		    (op->size == 8u << bit || (bit == 9 && op->size == 80)))
			return true;
	return false;
}

/* The first two operands are one register. */
static bool same_registers(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	return zi->operand_count_visible > 1 && ops[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       ops[1].type == ZYDIS_OPERAND_TYPE_REGISTER && ops[0].reg.value == ops[1].reg.value;
}

/* enum core_address of the memory operand. */
static uint8_t address_shape(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	for (unsigned i = 0; i < zi->operand_count_visible; i++) {
		const ZydisDecodedOperandMem *mem = &ops[i].mem;
		uint8_t shape = 0;

		if (ops[i].type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (mem->base && mem->index)
			shape |= ADDRESS_INDEX;
		if (mem->index && mem->scale > 1)
			shape |= ADDRESS_SCALED;
		if (mem->disp.has_displacement && mem->disp.value)
			shape |= ADDRESS_DISP;
		if (mem->base == ZYDIS_REGISTER_RIP)
			shape |= ADDRESS_RIP;
		return shape;
	}
	return 0;
}

static bool row_fits(const struct core_row *row, const ZydisDecodedInstruction *zi,
                     const ZydisDecodedOperand *ops)
{
	const ZyanU64 repeats =
		ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;

	if (row->same && !same_registers(zi, ops))
		return false;
	if (row->locked && !(zi->attributes & ZYDIS_ATTRIB_HAS_LOCK))
		return false;
	if (row->repeated && !(zi->attributes & repeats))
		return false;
	if (row->address && row->address & ~address_shape(zi, ops))
		return false;
	if (row->any)
		return true;
	if (row->operands != zi->operand_count_visible)
		return false;
	for (unsigned i = 0; i < row->operands; i++)
		if (!operand_fits(&row->operand[i], &ops[i]))
			return false;
	return true;
}

/* Rows about the same register twice go before all others, those of the parents too. */
const struct core_row *core_row_find(const struct core_machine *m,
                                     const ZydisDecodedInstruction *zi,
                                     const ZydisDecodedOperand *ops)
{
	for (unsigned pass = 0; pass < 2; pass++)
		for (int32_t i = m->first[zi->mnemonic]; i >= 0; i = m->row[i].next)
			if (m->row[i].same == !pass && row_fits(&m->row[i], zi, ops))
				return &m->row[i];
	return m->first[0] >= 0 ? &m->row[m->first[0]] : NULL;
}
