/*
 * Makes the event tables of one kernel from pmu/events/. pmu/pmu.mk runs this host program.
 *
 *     pmu-events WIDTH DIRECTORY FILE... > tables.c
 *
 * WIDTH (32 or 64) leaves out the models that cannot run that kernel. The files are the event
 * tables, named FAMILY.csv or FAMILY-NAME.csv; the program reads models.csv, aliases.csv and
 * errata.csv besides. docs/design/event-tables.md says what the columns mean.
 *
 * Rows that several models share are stored once, with a set of models. Names are cut at their
 * first two dots, and each part is in the text once. What rows have in common besides name and code
 * is a "kind".
 *
 * A defect in a file ends the build, with file and line.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pmu/netburst_units.h"

enum { COLUMNS = 12, LINE = 1024, MODELS = 63, ROWS = 10240, POOL = 65536, PARTS = 3 };

enum { KINDS = 1024, SETS = 1024, BUCKETS = 16384 };

#define UNKNOWN_MODEL (1ull << 63) /* PMU_MODEL_UNKNOWN: has what all models have */

/* The rows of `arch` stand last in the table, those with a filter value behind the others. */
static const char *const families[] = { "p5", "p6", "netburst", "amd", "arch", 0 };
enum { FAMILIES = 5 };

static const char *const vendors[] = { "other", "intel", "amd", "hygon", 0 };

#define UNIT_NAME(name, ...) #name,
static const char *const units[] = { NETBURST_UNITS(UNIT_NAME) 0 };

/* Names in the column `filter`, and the fields of pmu/driver.h. */
static const char *const filters[] = { "", "offcore", "ldlat", "frontend", 0 };
static const char *const filter_fields[] = {
	"PMU_FIELDS",
	"PMU_OFFCORE",
	"PMU_LDLAT",
	"PMU_FRONTEND",
};

/* Words of the column `flags`, and the bits of pmu/driver.h. */
static const struct {
	const char *word;
	unsigned bit;
} flag_words[] = {
	{ "inv", 0x01 }, { "edge", 0x02 },    { "any", 0x04 },
	{ "aux", 0x08 }, { "select3", 0x10 }, { "duration", 0 /* for the reader of p5.csv */ },
	{ 0, 0 },
};

struct kind {
	unsigned counters, alone, second, errata, cmask, flags, filter, unit, escrs;
	int fixed, bit, metric;
};

struct row {
	unsigned part[PARTS], code, umask, kind;
	uint64_t models, value;
	bool has_value;
	unsigned next; /* row of the same bucket, plus 1 */
	char at[64];
};

struct table {
	const char *model[MODELS];
	bool kept[MODELS]; /* can run this kernel */
	unsigned nmodels, nrows;
	struct row row[ROWS];
	unsigned bucket[BUCKETS]; /* first row of each hash value, plus 1 */
};

static struct table tables[FAMILIES];
static struct kind kinds[KINDS];
static uint64_t sets[SETS];
static unsigned nkinds, nsets;
static char pool[POOL];
static unsigned pool_size = 1; /* offset 0 is "" */
static unsigned pool_bucket[BUCKETS][8];

/* The file being read. */
static struct {
	const char *path;
	FILE *f;
	unsigned line, ncolumns;
	char text[LINE], head[LINE];
	char *column[COLUMNS], *cell[COLUMNS];
	bool has_source;
} in;

static void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fprintf(stderr, "%s:%u: ", in.path, in.line);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

/* --- text ------------------------------------------------------------------------------- */

static unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 + (unsigned)toupper((unsigned char)*s++);
	return h % BUCKETS;
}

/* Offset of a text in the pool, put there if it is new. */
static unsigned put(const char *s)
{
	size_t n = strlen(s) + 1;
	unsigned *slot = pool_bucket[hash(s)];

	for (; *slot; slot++)
		if (!strcmp(pool + *slot, s))
			return *slot;
	if (slot - pool_bucket[hash(s)] == 7)
		die("too many texts of one hash value: BUCKETS must grow");
	if (pool_size + n > POOL)
		die("the names outgrow 64 KiB: their offsets must widen");
	memcpy(pool + pool_size, s, n);
	*slot = pool_size;
	pool_size += (unsigned)n;
	return *slot;
}

/* The same, but the empty text is the one at offset 0. */
static unsigned intern(const char *s)
{
	return *s ? put(s) : 0;
}

/* Takes a line apart at its commas; a cell in double quotes may hold some. */
static unsigned split(char *s, char **cell)
{
	unsigned n = 0;

	for (;;) {
		if (n == COLUMNS)
			die("more than %u columns", (unsigned)COLUMNS);
		cell[n++] = s + (*s == '"');
		if (*s == '"') {
			s = strchr(s + 1, '"');
			if (!s)
				die("a quote that does not end");
			*s++ = 0;
		}
		s += strcspn(s, ",");
		if (!*s)
			return n;
		*s++ = 0;
	}
}

/* First word of *s, cut off; NULL at the end. */
static char *word(char **s)
{
	char *w = *s + strspn(*s, " ");

	if (!*w)
		return 0;
	*s = w + strcspn(w, " ");
	if (**s)
		*(*s)++ = 0;
	return w;
}

static unsigned long long number(const char *s, unsigned long long max)
{
	char *end;
	unsigned long long v = strtoull(s, &end, 0);

	if (!*s)
		return 0;
	if (*end || v > max)
		die("%s: not a number up to %llu", s, max);
	return v;
}

static unsigned find(const char *const *list, const char *s, const char *what)
{
	for (unsigned i = 0; list[i]; i++)
		if (!strcmp(list[i], s))
			return i;
	die("%s: no such %s", s, what);
	return 0;
}

/* --- files ------------------------------------------------------------------------------ */

static unsigned find_model(struct table *t, const char *s, bool add)
{
	for (unsigned i = 0; i < t->nmodels; i++)
		if (!strcmp(t->model[i], s))
			return i;
	if (!add)
		die("%s: models.csv has no such model", s);
	if (t->nmodels == MODELS)
		die("more than %u models", (unsigned)MODELS);
	t->model[t->nmodels] = strdup(s);
	return t->nmodels++;
}

/* Comments are passed over, but "# Source: " gives the source of the whole file. */
static bool next_line(char *s)
{
	for (;;) {
		if (!fgets(s, LINE, in.f))
			return false;
		in.line++;
		s[strcspn(s, "\r\n")] = 0;
		if (*s && *s != '#')
			return true;
		in.has_source |= strstr(s, "Source: ") != 0;
	}
}

static void open_csv(const char *path)
{
	memset(&in, 0, sizeof(in));
	in.path = path;
	in.f = fopen(path, "r");
	if (!in.f || !next_line(in.head))
		die("cannot be read");
	in.ncolumns = split(in.head, in.column);
}

static bool next_row(void)
{
	if (!next_line(in.text)) {
		fclose(in.f);
		return false;
	}
	if (split(in.text, in.cell) != in.ncolumns)
		die("not %u columns", in.ncolumns);
	return true;
}

/* "" if the file has no such column. */
static char *maybe(const char *column)
{
	for (unsigned i = 0; i < in.ncolumns; i++)
		if (!strcmp(in.column[i], column))
			return in.cell[i];
	return "";
}

static char *cell(const char *column)
{
	for (unsigned i = 0; i < in.ncolumns; i++)
		if (!strcmp(in.column[i], column))
			return in.cell[i];
	die("no column %s", column);
	return 0;
}

/* --- columns ---------------------------------------------------------------------------- */

static uint64_t models_of(struct table *t, char *list)
{
	uint64_t bits = 0;

	for (char *w; (w = word(&list));)
		bits |= strcmp(w, "unknown") ? 1ull << find_model(t, w, false) : UNKNOWN_MODEL;
	return bits;
}

/* Of the bits, those that can run this kernel. */
static uint64_t kept(const struct table *t, uint64_t bits)
{
	for (unsigned i = 0; i < t->nmodels; i++)
		if (!t->kept[i])
			bits &= ~(1ull << i);
	return bits;
}

static uint64_t all_models(const struct table *t)
{
	uint64_t bits = kept(t, (1ull << t->nmodels) - 1);

	return bits ? bits | UNKNOWN_MODEL : 0;
}

/* "0-3 5" -> 0x2f */
static unsigned counters_of(char *list)
{
	unsigned bits = 0;

	for (char *w; (w = word(&list));) {
		char *dash = strchr(w, '-');
		unsigned last;

		if (dash)
			*dash++ = 0;
		last = (unsigned)number(dash ? dash : w, 15);
		for (unsigned i = (unsigned)number(w, 15); i <= last; i++)
			bits |= 1u << i;
	}
	return bits;
}

/* "FSB": both ESCRs of the unit; "FSB:1": the second one alone. */
static void unit_of(struct kind *k, char *s)
{
	char *colon = strchr(s, ':');

	if (!*s)
		return;
	if (colon)
		*colon++ = 0;
	k->unit = find(units, s, "unit");
	k->escrs = colon ? 1u << number(colon, 1) : 3;
}

static unsigned flags_of(char *list)
{
	unsigned bits = 0;

	for (char *w; (w = word(&list));) {
		unsigned i = 0;

		while (flag_words[i].word && strcmp(flag_words[i].word, w))
			i++;
		if (!flag_words[i].word)
			die("%s: no such flag", w);
		bits |= flag_words[i].bit;
	}
	return bits;
}

static int optional(const char *s, unsigned max)
{
	return *s ? (int)number(s, max) : -1;
}

static unsigned kind_number(const struct kind *k)
{
	for (unsigned i = 0; i < nkinds; i++)
		if (!memcmp(&kinds[i], k, sizeof(*k)))
			return i;
	if (nkinds == KINDS)
		die("more than %u kinds", (unsigned)KINDS);
	kinds[nkinds] = *k;
	return nkinds++;
}

static unsigned set_number(uint64_t models)
{
	for (unsigned i = 0; i < nsets; i++)
		if (sets[i] == models)
			return i;
	if (nsets == SETS)
		die("more than %u sets of models", (unsigned)SETS);
	sets[nsets] = models;
	return nsets++;
}

/* "0xb7 0xbb" with "0x01" or "0xb7" with "0x01 0x02": two selects, each with a register. */
static void selects_of(struct row *r, struct kind *k)
{
	char *codes = maybe("code"), *umasks = maybe("umask"), copy[2][LINE];
	const char *code, *code2, *umask, *umask2;

	strcpy(copy[0], codes);
	strcpy(copy[1], umasks);
	codes = copy[0];
	umasks = copy[1];
	code = word(&codes);
	code2 = word(&codes);
	umask = word(&umasks);
	umask2 = word(&umasks);
	r->code = (unsigned)number(code ? code : "", 0xfff);
	r->umask = (unsigned)number(umask ? umask : "", 0xffff);
	if (code2 || umask2)
		k->second = (unsigned)number(code2 ? code2 : code, 0xff) |
		            (unsigned)number(umask2 ? umask2 : umask, 0xff) << 8;
}

static struct row read_row(void)
{
	struct row r = { .has_value = *maybe("value") };
	struct kind k = {
		.cmask = (unsigned)number(maybe("cmask"), 255),
		.filter = find(filters, maybe("filter"), "filter"),
		.bit = optional(maybe("bit"), 31),
		.metric = optional(maybe("metric"), 31),
		.fixed = -1,
	};
	char text[LINE];

	snprintf(text, sizeof(text), "%s", maybe("flags"));
	k.flags = flags_of(text);
	snprintf(text, sizeof(text), "%s", maybe("counters"));
	if (!strncmp(text, "fixed", 5))
		k.fixed = (int)number(text + 5, 15);
	else
		k.counters = counters_of(text);
	snprintf(text, sizeof(text), "%s", maybe("alone"));
	k.alone = counters_of(text);
	unit_of(&k, maybe("unit"));
	k.errata = intern(maybe("errata"));
	selects_of(&r, &k);
	r.value = number(maybe("value"), ~0ull);
	r.kind = kind_number(&k);
	return r;
}

/* The name: `event` and `mask`; cut at the first two dots. */
static void name_row(struct row *r, char *name, size_t size)
{
	const char *mask = maybe("mask");
	char *rest = name;

	snprintf(name, size, "%s%s%s", cell("event"), *mask ? "." : "", mask);
	for (unsigned i = 0; i < PARTS && rest; i++) {
		char part[LINE + 1], *dot = i + 1 < PARTS ? strchr(rest, '.') : 0;

		snprintf(part, sizeof(part), "%.*s", dot ? (int)(dot - rest) : LINE, rest);
		r->part[i] = intern(part);
		rest = dot ? dot + 1 : 0;
	}
}

/* --- rows ------------------------------------------------------------------------------- */

static bool same_name(const struct row *a, const struct row *b, bool exactly)
{
	for (unsigned i = 0; i < PARTS; i++)
		if (a->part[i] != b->part[i] &&
		    (exactly || strcasecmp(pool + a->part[i], pool + b->part[i])))
			return false;
	return true;
}

static bool same_encoding(const struct row *a, const struct row *b)
{
	return a->code == b->code && a->umask == b->umask && a->kind == b->kind &&
	       a->value == b->value && a->has_value == b->has_value;
}

/* Adds a row, or its models to an equal one; a name must mean one thing on a model. */
static void add_row(unsigned family, struct row *r, const char *name)
{
	struct table *t = &tables[family];
	unsigned *bucket = &t->bucket[hash(name)];

	for (unsigned i = *bucket; i; i = t->row[i - 1].next) {
		struct row *o = &t->row[i - 1];

		if (!same_name(o, r, false))
			continue;
		if (o->models & r->models)
			die("%s: defined before at %s", name, o->at);
		if (same_name(o, r, true) && same_encoding(o, r)) {
			o->models |= r->models;
			return;
		}
	}
	if (t->nrows == ROWS)
		die("more than %u rows", (unsigned)ROWS);
	r->next = *bucket;
	t->row[t->nrows++] = *r;
	*bucket = t->nrows;
}

static void read_events(const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char family_name[32], name[2 * LINE];
	const char *model = 0;
	struct table *t;
	unsigned family;

	snprintf(family_name, sizeof(family_name), "%s", base);
	family_name[strcspn(family_name, ".")] = 0;
	if (strchr(family_name, '-')) {
		model = strchr(family_name, '-') + 1;
		family_name[strcspn(family_name, "-")] = 0;
	}
	in.path = path;
	family = find(families, family_name, "family");
	t = &tables[family];
	open_csv(path);
	while (next_row()) {
		char *models = maybe("models");
		struct row r;
		char list[LINE];

		if (!in.has_source && !*cell("source"))
			die("no source");
		r = read_row();
		snprintf(list, sizeof(list), "%s", models);
		r.models = *list   ? kept(t, models_of(t, list))
		           : model ? kept(t, 1ull << find_model(t, model, false))
		                   : all_models(t);
		if (!r.models)
			continue;
		name_row(&r, name, sizeof(name));
		snprintf(r.at, sizeof(r.at), "%s:%u", base, in.line);
		add_row(family, &r, name);
	}
}

static int compare_part(const struct row *x, const struct row *y, unsigned part)
{
	const char *a = pool + x->part[part], *b = pool + y->part[part];
	int d = strcasecmp(a, b);

	return d ? d : strcmp(a, b);
}

/*
 * By name; rows with a filter value behind all others. Among rows of one event those of the same
 * umask lie side by side, and where the value tells them apart, those of the same models.
 */
static int compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int d = compare_part(x, y, 0);

	if (x->has_value != y->has_value)
		return x->has_value ? 1 : -1;
	if (!d && !x->has_value && x->umask != y->umask)
		return x->umask < y->umask ? -1 : 1;
	if (!d)
		d = compare_part(x, y, 1);
	if (!d && x->has_value && x->models != y->models)
		return x->models < y->models ? -1 : 1;
	if (!d)
		d = compare_part(x, y, 2);
	return d ? d : x->models < y->models ? -1 : 1;
}

/* The pool once more, in the order in which the sorted rows use it. */
static void reorder_pool(void)
{
	static char old[POOL];

	memcpy(old, pool, pool_size);
	memset(pool, 0, sizeof(pool));
	memset(pool_bucket, 0, sizeof(pool_bucket));
	pool_size = 1;
	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++)
			for (unsigned p = 0; p < PARTS; p++) {
				unsigned *part = &tables[f].row[i].part[p];

				*part = intern(old + *part);
			}
	for (unsigned i = 0; i < nkinds; i++)
		kinds[i].errata = intern(old + kinds[i].errata);
}

/* Numbers the kinds in the order in which the sorted rows use them. */
static void reorder_kinds(void)
{
	static struct kind old[KINDS];

	memcpy(old, kinds, sizeof(old));
	nkinds = 0;
	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++)
			tables[f].row[i].kind = kind_number(&old[tables[f].row[i].kind]);
}

static void sort_rows(void)
{
	for (unsigned f = 0; f < FAMILIES; f++)
		qsort(tables[f].row, tables[f].nrows, sizeof(tables[f].row[0]), compare);
	reorder_kinds();
	reorder_pool();
}

/* --- output ----------------------------------------------------------------------------- */

static void print_families(void)
{
	unsigned first = 0;

	printf("\nconst char *const pmu_families[] = { ");
	for (unsigned f = 0; f < FAMILIES; f++)
		printf("\"%s\", ", families[f]);
	printf("0 };\n");
	for (unsigned f = 0; f < FAMILIES; f++) {
		printf("const struct pmu_table pmu_table_%s = { %u, %u };\n", families[f], first,
		       tables[f].nrows);
		first += tables[f].nrows;
	}
}

static void print_table(void)
{
	unsigned rows = 0;

	printf("\nconst struct pmu_row pmu_row[] = {\n");
	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++, rows++) {
			const struct row *r = &tables[f].row[i];

			printf("\t{ { %u, %u, %u }, 0x%x, 0x%x, %u, %u },\n", r->part[0],
			       r->part[1], r->part[2], r->code, r->umask, r->kind,
			       set_number(r->models));
		}
	printf("};\n");
	if (rows > ROWS)
		die("more than %u rows", (unsigned)ROWS);
}

/* The filter values as 16 low, 32 middle and 16 high bits, for each row that has a filter. */
static void print_values(const char *name, unsigned bits, unsigned shift)
{
	unsigned n = 0;

	printf("\nconst uint%u_t %s[] = {", bits, name);
	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++) {
			const struct row *r = &tables[f].row[i];

			if (r->has_value)
				printf("%s0x%llx,", n++ % 8 ? " " : "\n\t",
				       (unsigned long long)(r->value >> shift & ~(~0ull << bits)));
			else if (n)
				die("only the last family may have filter values");
		}
	printf("%s\n};\n", n ? "" : " 0");
}

static void print_sizes(void)
{
	unsigned first = 0, rows = 0;

	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++, rows++)
			first += !tables[f].row[i].has_value;
	printf("\nconst unsigned pmu_rows = %u;\n", rows);
	printf("const unsigned pmu_first_value = %u;\n", first);
}

static void print_kinds(void)
{
	printf("\nconst struct pmu_kind pmu_kinds[] = {\n");
	for (unsigned i = 0; i < nkinds; i++) {
		const struct kind *k = &kinds[i];

		printf("\t{ 0x%x, 0x%x, 0x%x, %u, %u, 0x%x, %d, %d, %s, %u, %u, %d },\n",
		       k->counters, k->alone, k->second, k->errata, k->cmask, k->flags, k->fixed,
		       k->bit, filter_fields[k->filter], k->unit, k->escrs, k->metric);
	}
	printf("};\n\nconst uint64_t pmu_sets[] = {\n");
	for (unsigned i = 0; i < nsets; i++)
		printf("\t0x%llx,\n", (unsigned long long)sets[i]);
	printf("};\n");
}

/* All texts, each with its final 0, as one array. */
static void print_pool(void)
{
	printf("\nconst char pmu_names[] =");
	for (unsigned at = 0; at < pool_size; at += (unsigned)strlen(pool + at) + 1)
		printf("\n\t\"%s\\0\"", pool + at);
	printf(";\n");
}

static bool width_listed(char *list, const char *width)
{
	for (char *w; (w = word(&list));)
		if (!strcmp(w, width))
			return true;
	return false;
}

/* Which models there are, and which can run this kernel. */
static void read_models(const char *path, const char *width)
{
	open_csv(path);
	while (next_row()) {
		struct table *t = &tables[find(families, cell("family"), "family")];
		unsigned bit = find_model(t, cell("model"), true);

		if (width_listed(cell("widths"), width))
			t->kept[bit] = true;
	}
}

static void range_of(char *w, unsigned *lo, unsigned *hi)
{
	char *dash = strchr(w, '-');

	if (dash)
		*dash++ = 0;
	*lo = (unsigned)number(w, 255);
	*hi = dash ? (unsigned)number(dash, 255) : *lo;
}

/* One row of the model list for each range of CPU models. */
static void print_models(const char *path, const char *width)
{
	printf("\nconst struct pmu_model pmu_models[] = {\n");
	open_csv(path);
	while (next_row()) {
		unsigned family = find(families, cell("family"), "family");
		unsigned bit = find_model(&tables[family], cell("model"), false);
		unsigned name = intern(cell("model")), type = (unsigned)number(cell("core"), 255);
		unsigned native = (unsigned)number(cell("native"), 255);
		unsigned vendor = find(vendors, cell("vendor"), "vendor");
		unsigned cpu_family = (unsigned)number(cell("cpu_family"), 255);
		unsigned first = 0, last = 15, lo, hi;
		char *list = cell("cpu_models");

		if (!width_listed(cell("widths"), width))
			continue;
		if (*cell("steppings"))
			range_of(cell("steppings"), &first, &last);
		for (char *w; (w = word(&list));) {
			range_of(w, &lo, &hi);
			printf("\t{ %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u },\n", name, family,
			       vendor, cpu_family, lo, hi, first, last, bit, type, native);
		}
	}
	printf("\t{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },\n};\n");
}

struct alias {
	char name[64], events[4 * LINE], models[LINE];
	char what[LINE]; /* of the first row of this name */
	unsigned family;
	bool exact;
};

/* Ends the alias that was collected, if some model of its is in this kernel. */
static void print_alias(struct alias *a)
{
	struct table *t = &tables[a->family];
	uint64_t models = *a->models ? kept(t, models_of(t, a->models)) : ~0ull;

	if (*a->name && t->nrows && models)
		printf("\t{ 0x%llx, %u, %u, %u, %u, %u },\n", (unsigned long long)models,
		       intern(a->name), intern(a->events), intern(a->what), a->family, a->exact);
}

/* Appends a cell to a list; false: it is full. */
static bool append(char *list, size_t size, const char *between, const char *cell)
{
	size_t n = strlen(list);

	return snprintf(list + n, size - n, "%s%s", n ? between : "", cell) < (int)(size - n);
}

/*
 * Rows of one alias, family and models that follow each other are one list. A row without events
 * adds its models to those of the row before, and events that begin with a dot go on with a name.
 */
static void print_aliases(const char *path)
{
	static struct alias a;

	printf("\nconst struct pmu_alias pmu_aliases[] = {\n");
	open_csv(path);
	while (next_row()) {
		unsigned family = find(families, cell("family"), "family");
		bool more = !*cell("events"), goes_on = *cell("events") == '.';

		if (*cell("exact") && strcmp(cell("exact"), "yes"))
			die("exact is yes or empty");
		if (strcmp(a.name, cell("alias")) || family != a.family ||
		    (!more && !goes_on && strcmp(a.models, cell("models")))) {
			print_alias(&a);
			if (strcmp(a.name, cell("alias")))
				snprintf(a.what, sizeof(a.what), "%s", cell("meaning"));
			a.family = family;
			*a.name = *a.models = *a.events = 0;
			append(a.name, sizeof(a.name), "", cell("alias"));
			append(a.models, sizeof(a.models), "", cell("models"));
		} else if (more && !append(a.models, sizeof(a.models), " ", cell("models"))) {
			die("too many models");
		}
		if (!more &&
		    !append(a.events, sizeof(a.events), goes_on ? "" : " ", cell("events")))
			die("too many events");
		a.exact = *cell("exact");
	}
	print_alias(&a);
	printf("\t{ 0, 0, 0, 0, 0, 0 },\n};\n");
}

/* The number of enum pmu_where; -1: there is no such place. */
static int where(const char *name)
{
	static const char *const names[] = { "", "guest", "interrupt" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}

static void print_errata(const char *path)
{
	printf("\nconst struct pmu_erratum pmu_errata[] = {\n");
	open_csv(path);
	while (next_row()) {
		unsigned family = find(families, cell("family"), "family");
		struct table *t = &tables[family];
		char *models = cell("models");
		uint64_t bits = *models ? kept(t, models_of(t, models)) : all_models(t);

		if (!*cell("source"))
			die("no source");
		if (where(cell("where")) < 0)
			die("where is guest, interrupt or empty");
		if (bits && t->nrows)
			printf("\t{ 0x%llx, %u, %u, %u, %u },\n", (unsigned long long)bits,
			       intern(cell("event")), intern(cell("what")), family,
			       (unsigned)where(cell("where")));
	}
	printf("\t{ 0, 0, 0, 0, 0 },\n};\n");
}

static void print_rows(void)
{
	print_families();
	print_table();
	print_values("pmu_value_low", 16, 0);
	print_values("pmu_value_middle", 32, 16);
	print_values("pmu_value_high", 16, 48);
	print_sizes();
	print_kinds();
}

int main(int argc, char **argv)
{
	char path[512];

	if (argc < 4 || (strcmp(argv[1], "32") && strcmp(argv[1], "64"))) {
		fprintf(stderr, "usage: pmu-events 32|64 DIRECTORY FILE...\n");
		return 2;
	}
	printf("/* Made by pmu/gen/events.c from pmu/events/, width %s. */\n"
	       "#include \"pmu/tables.h\"\n",
	       argv[1]);
	snprintf(path, sizeof(path), "%s/models.csv", argv[2]);
	read_models(path, argv[1]);
	for (int i = 3; i < argc; i++)
		read_events(argv[i]);
	sort_rows();
	print_rows();
	snprintf(path, sizeof(path), "%s/models.csv", argv[2]);
	print_models(path, argv[1]);
	snprintf(path, sizeof(path), "%s/aliases.csv", argv[2]);
	print_aliases(path);
	snprintf(path, sizeof(path), "%s/errata.csv", argv[2]);
	print_errata(path);
	print_pool();
	if (fflush(stdout) || ferror(stdout)) {
		perror("pmu-events: standard output");
		return 1;
	}
	return 0;
}
