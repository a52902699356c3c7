/*
 * Rows of forms: a mnemonic with its operands.
 */
#include <stdio.h>
#include <string.h>

#include "bench/instr/gen/csv.h"
#include "bench/instr/gen/gen.h"

enum { ROWS = 4096, SPECS = 256, SETS = 256 };

static struct {
	char name[32]; /* "" if it is that of the row before */
	struct instr_row row;
} rows[ROWS];

static struct instr_spec specs[SPECS];
static struct instr_set sets[SETS];
static unsigned nrows, nspecs, nsets;
static char last_name[32];

const char *const gen_data_words[] = { "",    "ones", "one",   "address", "f32",
	                               "f64", "x87",  "stack", NULL };

/* Index of what is already in a list, or is put there. */
static uint8_t intern(void *list, unsigned *n, const void *item, size_t size)
{
	unsigned i = 0;

	while (i < *n && memcmp((char *)list + i * size, item, size))
		i++;
	if (i == 256)
		csv_die("more than 256 kinds of operands or sets of features");
	if (i == *n)
		memcpy((char *)list + (*n)++ * size, item, size);
	return (uint8_t)i;
}

/* "mmx/sse2/avx/-/avx512bw:256": one for each encoding, "-" for an encoding that is missing. */
static uint8_t read_set(char *text, enum gen_scheme scheme)
{
	static const unsigned first[] = { VECTOR_MM, VECTOR_VEX128, VECTOR_EVEX };
	static const char *const lengths[] = { "", "256", "512", "lig", NULL };
	struct instr_set set = { .lengths = LENGTHS_ALL };
	char *colon = strchr(text, ':');
	unsigned i = first[scheme];

	if (colon) {
		*colon++ = 0;
		set.lengths = (uint8_t)csv_choice(colon, lengths, "vector length");
	}
	for (char *p = strtok(text, "/"); p; p = strtok(NULL, "/"), i++) {
		if (i == VECTORS)
			csv_die("more features than encodings");
		if (strcmp(p, "-"))
			set.need[i] = (uint8_t)gen_need(p);
	}
	if (i != VECTORS)
		csv_die("a vector row names the features of each encoding, or -");
	if (set.lengths && !set.need[VECTOR_EVEX])
		csv_die("lengths without an EVEX encoding");
	return intern(sets, &nsets, &set, sizeof(set));
}

static void read_flags(struct instr_row *row, char *list)
{
	static const char *const words[] = { "pair", "const", "nomask", "slow", NULL };

	for (char *p; (p = csv_word(&list));) {
		unsigned flag = csv_choice(p, words, "flag");

		row->pair |= flag == 0;
		row->constant |= flag == 1;
		row->nomask |= flag == 2;
		row->slow |= flag == 3;
	}
}

/* Registers of which kind? */
static unsigned file_of(unsigned type)
{
	return type < TYPE_VECTOR ? 0 : type == TYPE_MM ? 1 : type == TYPE_MASK ? 2 : 3;
}

/* The chain must be one that the operands can have. */
static void check_chain(const struct instr_spec *s)
{
	bool memory = false, source = false;

	for (unsigned i = 0; i < INSTR_OPERANDS && s->op[i].type; i++) {
		unsigned place = s->op[i].place;

		memory = memory || place == AT_MEMORY || place == AT_RM_OR_MEMORY;
		source = source || (i && place != AT_MEMORY && place <= AT_VVVV &&
		                    file_of(s->op[i].type) == file_of(s->op[0].type));
	}
	source = source && s->op[0].place != AT_MEMORY && s->access == ACCESS_WRITE;
	if (s->access == ACCESS_READ && s->chain != CHAIN_NONE)
		csv_die("a chain, but nothing is written");
	if (s->chain == CHAIN_FIRST && s->access != ACCESS_MODIFY && s->access != ACCESS_EXCHANGE)
		csv_die("chain \"first\": the first operand is not both read and written");
	if (s->chain == CHAIN_SOURCE && !source)
		csv_die("chain \"source\": no source can be the register that is written");
	if (s->chain == CHAIN_ADDRESS && (!memory || s->op[0].place != AT_REG))
		csv_die("chain \"address\": this is no load into a register");
}

/* Vectors have a kind of register that the others lack; "k" is in both kinds of rows. */
static bool is_vector(const char *operands, const char *features)
{
	static const char *const words[] = { "v", "xmm", "mm", "half", "quarter", "eighth", NULL };
	char copy[64];

	if (strlen(operands) >= sizeof(copy))
		csv_die("the operands are too long");
	strcpy(copy, operands);
	for (char *p = strtok(copy, ", /"); p; p = strtok(NULL, ", /"))
		for (unsigned i = 0; words[i]; i++)
			if (!strcmp(p, words[i]))
				return true;
	return strchr(features, '/');
}

static void read_row(void)
{
	static const char *const access[] = { "w", "rw", "r", "xchg", NULL };
	static const char *const chain[] = { "none", "first", "source", "address", NULL };
	char *name = csv_cell("mnemonic"), *operands = csv_cell("operands");
	struct instr_row row = { 0 };
	struct instr_spec spec;
	enum gen_scheme scheme;
	bool lock = !strncmp(name, "LOCK ", 5);

	memset(&spec, 0, sizeof(spec));
	name += lock ? 5 : 0;
	spec.vector = is_vector(operands, csv_cell("features"));
	spec.access = csv_choice(csv_cell("access"), access, "access") & 3;
	spec.chain = csv_choice(csv_cell("chain"), chain, "chain") & 3;
	gen_operands(&spec, operands, csv_cell("places"));
	scheme = gen_encoding(&row, &spec, csv_cell("encoding"));
	check_chain(&spec);
	if (lock != spec.lock)
		csv_die("LOCK in the mnemonic and F0 in the encoding go together");
	row.data = csv_choice(csv_cell("data"), gen_data_words, "data") & 7;
	read_flags(&row, csv_cell("flags"));
	row.set = spec.vector ? read_set(csv_cell("features"), scheme)
	                      : (uint8_t)gen_need(csv_cell("features"));
	row.spec = intern(specs, &nspecs, &spec, sizeof(spec));
	if (nrows == ROWS || !*name || strlen(name) >= sizeof(last_name))
		csv_die("too many rows, or a mnemonic of no or too many letters");
	if (strcmp(name, last_name))
		strcpy(rows[nrows].name, name);
	strcpy(last_name, name);
	rows[nrows++].row = row;
}

void gen_read_forms(void)
{
	while (csv_next())
		read_row();
}

static void print_spec(const struct instr_spec *s)
{
	printf("\t{ { ");
	for (unsigned i = 0; i < INSTR_OPERANDS; i++)
		printf("{ %u, %u }, ", s->op[i].type, s->op[i].place);
	printf("}, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u },\n", s->access, s->chain, s->vector,
	       s->modrm, s->lock, s->disp8, s->vex, s->vex_l, s->size16, s->suffix);
}

static void print_row(const struct instr_row *r, const char *name)
{
	printf("\t{ 0x%02x, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u },", r->opcode,
	       r->prefix, r->map, r->vex_w, r->evex_w, r->digit, r->data, r->pair, r->constant,
	       r->nomask, r->slow, r->spec, r->set);
	printf(*name ? " /* %s */\n" : "\n", name);
}

void gen_print_forms(void)
{
	printf("\nconst struct instr_set instr_sets[] = {\n");
	for (unsigned i = 0; i < nsets; i++)
		printf("\t{ { %u, %u, %u, %u, %u }, %u },\n", sets[i].need[0], sets[i].need[1],
		       sets[i].need[2], sets[i].need[3], sets[i].need[4], sets[i].lengths);
	printf("};\n\nconst struct instr_spec instr_specs[] = {\n");
	for (unsigned i = 0; i < nspecs; i++)
		print_spec(&specs[i]);
	printf("};\n\nconst struct instr_row instr_rows[] = {\n");
	for (unsigned i = 0; i < nrows; i++)
		print_row(&rows[i].row, rows[i].name);
	printf("};\n\nconst unsigned instr_nrows = %u;\n\nconst char instr_names[] =\n", nrows);
	for (unsigned i = 0; i < nrows; i++)
		printf("\t\"%s\\0\"\n", rows[i].name);
	printf("\t;\n");
}
