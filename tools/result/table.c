/* Tables of published figures. */
#include "tools/result/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/lib/alloc.h"
#include "tools/lib/csv.h"
#include "tools/lib/embedded.h"
#include "tools/lib/near.h"
#include "tools/lib/output.h"

enum column { CPU, INSTRUCTION, LATENCY, THROUGHPUT, COLUMNS };

static const char *const names[][2] = {
	[CPU] = { "cpu", "cpu" },
	[INSTRUCTION] = { "instruction", "form" },
	[LATENCY] = { "latency_cycles", "latency" },
	[THROUGHPUT] = { "throughput_cycles", "throughput" },
};

enum { LINE_BYTES = 512, FIELDS_MAX = 16, TERMINAL = 80 /* columns */, FAMILIES_NEAR = 3 };

static const char BUILT_IN[] = "docs/machines/measured-latency.csv";

/* The next line of *text into `line`, without its end; false at the end of the text. */
static bool next_line(const char **text, char line[LINE_BYTES])
{
	size_t n = strcspn(*text, "\n"), kept = n < LINE_BYTES ? n : LINE_BYTES - 1;

	if (!**text)
		return false;
	memcpy(line, *text, kept);
	line[kept] = 0;
	line[strcspn(line, "\r")] = 0;
	*text += n + ((*text)[n] == '\n');
	return true;
}

static bool read_header(char *line, int at[COLUMNS])
{
	bool good = true;

	for (int c = 0; c < COLUMNS; c++)
		at[c] = -1;
	for (int i = 0; i < FIELDS_MAX && *line; i++) {
		const char *name = csv_take(&line);

		for (int c = 0; c < COLUMNS; c++)
			if (!strcmp(name, names[c][0]) || !strcmp(name, names[c][1]))
				at[c] = i;
	}
	for (int c = 0; c < COLUMNS; c++)
		good &= at[c] >= 0;
	return good;
}

static int64_t milli_of(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	return end == text || *end || !(v >= 0 && v < 1e9) ? -1 : (int64_t)(v * 1000 + 0.5);
}

static void add_row(struct table *t, char *line, const int at[COLUMNS])
{
	struct table_row row = { .place = t->n };
	const char *field[FIELDS_MAX];

	for (int i = 0; i < FIELDS_MAX; i++)
		field[i] = csv_take(&line);
	snprintf(row.cpu, sizeof(row.cpu), "%s", field[at[CPU]]);
	snprintf(row.instruction, sizeof(row.instruction), "%s", field[at[INSTRUCTION]]);
	form_name(row.form, row.instruction);
	row.latency = milli_of(field[at[LATENCY]]);
	row.throughput = milli_of(field[at[THROUGHPUT]]);
	t->row = grow(t->row, t->n, sizeof(row));
	t->row[t->n++] = row;
}

static bool read_text(struct table *t, const char *text)
{
	char line[LINE_BYTES];
	int at[COLUMNS];

	if (!next_line(&text, line) || !read_header(line, at)) {
		fprintf(stderr,
		        "%s: the first line must name the columns cpu, instruction, "
		        "latency_cycles and throughput_cycles\n",
		        output_name(t->name));
		return false;
	}
	while (next_line(&text, line))
		if (*line)
			add_row(t, line, at);
	return true;
}

/* The whole file, 0-terminated; NULL with a message if it cannot be read. */
static char *read_file(const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t n = 0, got;
	char *text = NULL, chunk[4096];

	if (!in) {
		perror(output_name(path));
		fprintf(stderr,
		        "--reference takes a file of CSV; without a value it is the table that\n"
		        "is built in, %s; --cpu NAME chooses a processor\n",
		        BUILT_IN);
		return NULL;
	}
	do {
		got = fread(chunk, 1, sizeof(chunk), in);
		for (size_t i = 0; i <= got; i++) {
			text = grow(text, n, 1);
			text[n] = i < got ? chunk[i] : 0;
			n += i < got;
		}
	} while (got);
	fclose(in);
	return text;
}

bool table_read(struct table *t, const char *path)
{
	char *text = path ? read_file(path) : NULL;
	bool good;

	*t = (struct table){ .name = path ? path : BUILT_IN };
	if (path && !text)
		return false;
	good = read_text(t, path ? text : embedded_measured);
	release(text);
	if (!good)
		table_free(t);
	return good;
}

void table_free(struct table *t)
{
	release(t->row);
	t->row = NULL;
	t->n = 0;
}

static int by_form(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;
	int order = strcmp(x->form, y->form);

	return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

static void keep(struct table *t, const char cpu[48])
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->row[i].cpu, cpu))
			t->row[n++] = t->row[i];
	t->n = n;
	qsort(t->row, n, sizeof(*t->row), by_form);
}

enum match { BY_NAME, BY_SIGNATURE, BY_MODEL, BY_BEING_THE_ONLY_ONE };

static bool matches(const char *name, enum match how, const char *cpu, uint32_t signature)
{
	uint32_t theirs = (uint32_t)strtoul(name, NULL, 16);

	switch (how) {
	case BY_NAME:
		return strcasestr(name, cpu);
	case BY_SIGNATURE:
		return signature && theirs == signature;
	case BY_MODEL:
		return signature && theirs >> 4 == signature >> 4;
	default:
		return true;
	}
}

/*
 * The first processor that matches, NULL: none. *second: the next one that has another name. The
 * whole name beats a part of it.
 */
static const char *match_one(const struct table *t, enum match how, const char *cpu,
                             uint32_t signature, const char **second)
{
	const char *first = NULL;

	*second = NULL;
	for (size_t i = 0; i < t->n; i++) {
		const char *name = t->row[i].cpu;

		if (!matches(name, how, cpu, signature) || (first && !strcmp(first, name)))
			continue;
		if (how == BY_NAME && !strcasecmp(name, cpu)) {
			*second = NULL;
			return name;
		}
		if (!first)
			first = name;
		else if (!*second)
			*second = name;
	}
	return first;
}

/* Those that contain `part`, in lines of a terminal, the first of which has `column` characters. */
static void print_names(const struct table *t, const char *part, size_t column, FILE *out)
{
	const char *last = "";

	for (size_t i = 0; i < t->n; i++) {
		const char *name = t->row[i].cpu;

		if (strcasestr(name, part) && strcmp(last, name)) {
			if (column + 1 + strlen(name) > TERMINAL) {
				fputs("\n ", out);
				column = 1;
			}
			column += (size_t)fprintf(out, " %s", name);
		}
		last = name;
	}
	putc('\n', out);
}

void table_print_processors(const struct table *t, FILE *out)
{
	putc(' ', out);
	print_names(t, "", 1, out);
}

/* How to see them all. */
static void print_way(const struct table *t)
{
	if (!strcmp(t->name, BUILT_IN))
		fputs("--cpu NAME chooses a processor, --reference list names all\n", stderr);
	else
		fprintf(stderr, "--cpu NAME chooses a processor of %s\n", output_name(t->name));
}

/* A name that no processor of the table has, and the nearest. */
static void refuse(const struct table *t, const char *cpu)
{
	struct near near = { .word = cpu };

	for (size_t i = 0; i < t->n; i++) {
		const char *name = t->row[i].cpu, *model = strchr(name, '_');

		if (i && !strcmp(name, t->row[i - 1].cpu))
			continue;
		near_try(&near, name);
		near_try(&near, model ? model + 1 : name);
	}
	fprintf(stderr, "%s: no processor %s%s\n", output_name(t->name), output_name(cpu),
	        near_text(&near));
	print_way(t);
}

/* Family and model of a signature: SDM volume 2A and APM volume 3, CPUID leaf 1. */
static unsigned family_of(uint32_t signature)
{
	unsigned family = signature >> 8 & 15;

	return family == 15 ? family + (signature >> 20 & 255) : family;
}

static unsigned model_of(uint32_t signature)
{
	unsigned base = signature >> 4 & 15, family = signature >> 8 & 15;

	return family == 6 || family == 15 ? base | (signature >> 12 & 0xf0) : base;
}

static unsigned apart(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

/* No processor has the signature: those of its family or near it, the nearest models first. */
static void refuse_signature(const struct table *t, uint32_t signature)
{
	char word[16];
	struct near near = { .word = word };

	snprintf(word, sizeof(word), "%#x", (unsigned)signature);
	for (size_t i = 0; i < t->n && signature; i++) {
		uint32_t theirs = (uint32_t)strtoul(t->row[i].cpu, NULL, 16);
		unsigned families = apart(family_of(theirs), family_of(signature));

		if (families <= FAMILIES_NEAR && (!i || strcmp(t->row[i].cpu, t->row[i - 1].cpu)))
			near_keep(&near, t->row[i].cpu,
			          families << 8 | apart(model_of(theirs), model_of(signature)));
	}
	fprintf(stderr, "%s: no processor with signature %s%s\n", output_name(t->name), word,
	        near_text(&near));
}

const char *table_pick(struct table *t, const char *cpu, uint32_t signature)
{
	const char *first = NULL, *second = NULL;
	char picked[48];

	for (int how = cpu ? BY_NAME : BY_SIGNATURE;
	     !first && how <= (cpu ? BY_NAME : BY_BEING_THE_ONLY_ONE); how++)
		first = match_one(t, (enum match)how, cpu, signature, &second);
	if (!first) {
		if (cpu)
			refuse(t, cpu);
		else
			fprintf(stderr, "%s: no processor at all\n", output_name(t->name));
		return NULL;
	}
	if (second && !cpu) {
		refuse_signature(t, signature);
		print_way(t);
		return NULL;
	}
	if (second) {
		fprintf(stderr, "%s: several are called %s:", output_name(t->name),
		        output_name(cpu));
		print_names(t, cpu, TERMINAL, stderr);
		return NULL;
	}
	snprintf(picked, sizeof(picked), "%s", first);
	keep(t, picked);
	return t->row[0].cpu;
}

struct table_row *table_find(const struct table *t, const char *form)
{
	struct table_row *found = NULL;
	char name[FORM_NAME];
	size_t low = 0, high = t->n;

	form_name(name, form);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(t->row[middle].form, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < t->n && !strcmp(t->row[low].form, name); low++) {
		if (!strcasecmp(t->row[low].instruction, form))
			return &t->row[low];
		if (!found)
			found = &t->row[low];
	}
	return found;
}
