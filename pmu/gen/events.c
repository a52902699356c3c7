/*
 * Makes the event tables of one kernel from pmu/events/: a host program, run by pmu/pmu.mk.
 *
 *     pmu-events WIDTH DIRECTORY FILE... > tables.c
 *
 * WIDTH (32 or 64) leaves out the models that cannot run that kernel. The files are the event
 * tables, named FAMILY.csv or FAMILY-MODEL.csv; models.csv, aliases.csv and errata.csv are read
 * besides. All models of a family become one table: a row that several share is there once, with a
 * bit for each. Names go into one pool, each once. Pool and rows are packed to a third of their
 * size; pmu/unpack.c is the other half of that. What the columns mean: docs/events.md.
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

enum { COLUMNS = 10, LINE = 1024, MODELS = 15, ROWS = 4096, POOL = 65536 };

#define UNKNOWN_MODEL 0x8000u /* PMU_MODEL_UNKNOWN: has what all models have */

static const char *const families[] = { "p5", "p6", "netburst", "arch", "amd", 0 };
enum { FAMILIES = 5 };

static const char *const vendors[] = { "other", "intel", "amd", "hygon", 0 };

#define UNIT_NAME(name, ...) #name,
static const char *const units[] = { NETBURST_UNITS(UNIT_NAME) 0 };

/* Words of the flags column and the bits of pmu/driver.h; some have a family's own meaning. */
static const struct {
	const char *word;
	unsigned bit;
} flag_words[] = {
	{ "inv", 0x01 },
	{ "edge", 0x02 },
	{ "any", 0x04 },
	{ "arch", 0x08 },
	{ "fixed", 0x10 },
	{ "param", 0x20 },
	{ "free1", 0x40 },
	{ "free2", 0x80 },
	{ "duration", 0x40 /* P5 */ },
	{ "select3", 0x40 /* NetBurst */ },
	{ "tag", 0x80 /* NetBurst */ },
	{ 0, 0 },
};

struct row {
	unsigned name, mask, code, umask, counters, models, cmask, flags;
	char at[64];
};

struct table {
	const char *model[MODELS];
	bool kept[MODELS]; /* can run this kernel */
	unsigned nmodels, nrows;
	struct row row[ROWS];
};

static struct table tables[FAMILIES];
static char pool[POOL];
static unsigned pool_size = 1; /* offset 0 is "" */

/* The file being read. */
static struct {
	const char *path;
	FILE *f;
	unsigned line, ncolumns;
	char text[LINE], head[LINE];
	char *column[COLUMNS], *cell[COLUMNS];
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

/* Offset of a name in the pool, put there if it is new. */
static unsigned intern(const char *s)
{
	size_t n = strlen(s) + 1;

	for (unsigned at = 0; at < pool_size; at += (unsigned)strlen(pool + at) + 1)
		if (!strcmp(pool + at, s))
			return at;
	if (pool_size + n > POOL)
		die("the names outgrow 64 KiB: offsets in struct pmu_event must widen");
	memcpy(pool + pool_size, s, n);
	pool_size += (unsigned)n;
	return pool_size - (unsigned)n;
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

static void close_csv(void)
{
	fclose(in.f);
	in.f = 0;
}

static bool next_line(char *s)
{
	do {
		if (!fgets(s, LINE, in.f))
			return false;
		in.line++;
		s[strcspn(s, "\r\n")] = 0;
	} while (!*s || *s == '#');
	return true;
}

static void open_csv(const char *path)
{
	in.path = path;
	in.line = 0;
	in.f = fopen(path, "r");
	if (!in.f || !next_line(in.head))
		die("cannot be read");
	in.ncolumns = split(in.head, in.column);
}

static bool next_row(void)
{
	if (!next_line(in.text)) {
		close_csv();
		return false;
	}
	if (split(in.text, in.cell) != in.ncolumns)
		die("not %u columns", in.ncolumns);
	return true;
}

static char *cell(const char *column)
{
	for (unsigned i = 0; i < in.ncolumns; i++)
		if (!strcmp(in.column[i], column))
			return in.cell[i];
	die("no column %s", column);
	return 0;
}

static unsigned number(const char *s, unsigned max)
{
	char *end;
	unsigned long v = strtoul(s, &end, 0);

	if (!*s)
		return 0;
	if (*end || v > max)
		die("%s: not a number up to %u", s, max);
	return (unsigned)v;
}

static unsigned find(const char *const *list, const char *s, const char *what)
{
	for (unsigned i = 0; list[i]; i++)
		if (!strcmp(list[i], s))
			return i;
	die("%s: no such %s", s, what);
	return 0;
}

static unsigned find_model(struct table *t, const char *s, bool add)
{
	for (unsigned i = 0; i < t->nmodels; i++)
		if (!strcmp(t->model[i], s))
			return i;
	if (!add)
		die("%s: models.csv has no such model", s);
	if (t->nmodels == MODELS)
		die("more than 15 models: pmu_event.models must widen");
	t->model[t->nmodels] = strdup(s);
	return t->nmodels++;
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

static unsigned models_of(struct table *t, char *list)
{
	unsigned bits = 0;

	for (char *w; (w = word(&list));)
		bits |= 1u << find_model(t, w, false);
	return bits;
}

/* Of the bits, those that can run this kernel. */
static unsigned kept(const struct table *t, unsigned bits)
{
	for (unsigned i = 0; i < t->nmodels; i++)
		if (!t->kept[i])
			bits &= ~(1u << i);
	return bits;
}

static unsigned all_models(const struct table *t)
{
	unsigned bits = kept(t, (1u << t->nmodels) - 1);

	return bits ? bits | UNKNOWN_MODEL : 0;
}

/* "0 1" -> 3; for NetBurst "CRU2", "FSB:1" as netburst_units.h packs it. */
static unsigned counters_of(unsigned family, char *list)
{
	unsigned bits = 0;

	if (!strcmp(families[family], "netburst")) {
		char *colon = strchr(list, ':');

		if (colon)
			*colon++ = 0;
		return find(units, list, "unit") | (colon ? 0x100u << number(colon, 1) : 0x300);
	}
	for (char *w; (w = word(&list));)
		bits |= 1u << number(w, 15);
	return bits;
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

static bool same_encoding(const struct row *a, const struct row *b)
{
	return a->code == b->code && a->umask == b->umask && a->counters == b->counters &&
	       a->cmask == b->cmask && a->flags == b->flags;
}

static bool same_name(unsigned a, unsigned b)
{
	return a == b || !strcasecmp(pool + a, pool + b);
}

/* Adds a row, or its models to an equal one; a name must mean one thing on a model. */
static void add_row(unsigned family, struct row *r)
{
	struct table *t = &tables[family];

	for (unsigned i = 0; i < t->nrows; i++) {
		struct row *o = &t->row[i];

		if (!same_name(o->name, r->name) || !same_name(o->mask, r->mask))
			continue;
		if (o->name == r->name && o->mask == r->mask && same_encoding(o, r)) {
			o->models |= r->models;
			return;
		}
		if (o->models & r->models)
			die("%s.%s: defined otherwise at %s", pool + r->name, pool + r->mask,
			    o->at);
	}
	if (t->nrows == ROWS)
		die("more than %u rows", (unsigned)ROWS);
	t->row[t->nrows++] = *r;
}

static void read_events(const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char family_name[32], *model;
	struct table *t;
	unsigned family, default_models;

	snprintf(family_name, sizeof(family_name), "%s", base);
	family_name[strcspn(family_name, ".")] = 0;
	model = strchr(family_name, '-');
	if (model)
		*model++ = 0;
	open_csv(path);
	family = find(families, family_name, "family");
	t = &tables[family];
	default_models = model ? kept(t, 1u << find_model(t, model, false)) : all_models(t);
	while (next_row()) {
		char *models = cell("models");
		struct row r = {
			.code = number(cell("code"), 0xfff),
			.umask = number(cell("umask"), 0xffff),
			.cmask = number(cell("cmask"), 255),
			.flags = flags_of(cell("flags")),
			.models = *models ? kept(t, models_of(t, models)) : default_models,
		};

		if (!r.models)
			continue;
		r.counters = counters_of(family, cell("counters"));
		r.name = intern(cell("event"));
		r.mask = intern(cell("mask"));
		snprintf(r.at, sizeof(r.at), "%s:%u", base, in.line);
		if (!*cell("source"))
			die("no source");
		add_row(family, &r);
	}
}

static int compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const char *p = pool + x->name, *q = pool + y->name;

	while (*p && toupper((unsigned char)*p) == toupper((unsigned char)*q)) {
		p++;
		q++;
	}
	if (*p || *q)
		return toupper((unsigned char)*p) - toupper((unsigned char)*q);
	if (x->umask != y->umask)
		return x->umask < y->umask ? -1 : 1;
	return strcmp(pool + x->mask, pool + y->mask);
}

/* --- packing: an LZ77 stream of bits, parsed for the fewest bits ------------------------ */

enum { STREAM = 1 << 18, LONGEST = 300, TRIED = 300, LOW_BITS = 6 };

static struct {
	uint8_t in[STREAM], out[STREAM];
	unsigned n;                  /* bytes in */
	unsigned nbits;              /* bits out */
	unsigned length[STREAM + 1]; /* of the best step at a place: 1 is a literal */
	unsigned offset[STREAM + 1];
	unsigned cost[STREAM + 1]; /* bits from there to the end */
	unsigned before[STREAM];   /* previous place with the same two bytes, plus 1 */
} pack;

static void put_bit(unsigned bit)
{
	if (pack.nbits == 8 * STREAM)
		die("the tables outgrow the packer");
	pack.out[pack.nbits / 8] |= (uint8_t)(bit << (7 - pack.nbits % 8));
	pack.nbits++;
}

static void put_bits(unsigned v, unsigned n)
{
	while (n--)
		put_bit(v >> n & 1);
}

/* Elias gamma: as many zeros as bits follow the first one. */
static unsigned gamma_bits(unsigned v)
{
	unsigned n = 0;

	while (v >> (n + 1))
		n++;
	return 2 * n + 1;
}

static void put_gamma(unsigned v)
{
	put_bits(v, gamma_bits(v));
}

static unsigned offset_bits(unsigned offset)
{
	return gamma_bits(((offset - 1) >> LOW_BITS) + 1) + LOW_BITS;
}

static void chain_places(void)
{
	static unsigned last[65536];

	for (unsigned i = 0; i + 1 < pack.n; i++) {
		unsigned key = pack.in[i] | pack.in[i + 1] << 8;

		pack.before[i] = last[key];
		last[key] = i + 1;
	}
}

static unsigned common(unsigned a, unsigned b)
{
	unsigned n = 0;

	while (b + n < pack.n && pack.in[a + n] == pack.in[b + n] && n < LONGEST)
		n++;
	return n;
}

/* The cheapest step at `i`, all later ones being known. Nearer matches are tried first. */
static void best_step(unsigned i)
{
	unsigned longest = 1, at = pack.before[i];

	pack.cost[i] = pack.cost[i + 1] + 9;
	pack.length[i] = 1;
	for (unsigned t = 0; at && t < TRIED; t++, at = pack.before[at - 1]) {
		unsigned offset = i - (at - 1), n = common(at - 1, i);

		for (unsigned k = longest + 1; k <= n; k++) {
			unsigned cost =
				1 + gamma_bits(k - 1) + offset_bits(offset) + pack.cost[i + k];

			if (cost >= pack.cost[i])
				continue;
			pack.cost[i] = cost;
			pack.length[i] = k;
			pack.offset[i] = offset;
		}
		longest = n > longest ? n : longest;
	}
}

static void compress(void)
{
	chain_places();
	pack.cost[pack.n] = 0;
	for (unsigned i = pack.n; i--;)
		best_step(i);
	for (unsigned i = 0; i < pack.n; i += pack.length[i]) {
		put_bit(pack.length[i] > 1);
		if (pack.length[i] == 1) {
			put_bits(pack.in[i], 8);
			continue;
		}
		put_gamma(pack.length[i] - 1);
		put_gamma(((pack.offset[i] - 1) >> LOW_BITS) + 1);
		put_bits((pack.offset[i] - 1) & ((1u << LOW_BITS) - 1), LOW_BITS);
	}
}

static void feed(unsigned byte)
{
	if (pack.n == STREAM)
		die("the tables outgrow the packer");
	pack.in[pack.n++] = (uint8_t)byte;
}

/* Byte k of struct pmu_event as it lies in memory; the name as difference from the row before. */
static unsigned row_byte(const struct row *r, const struct row *before, unsigned k)
{
	const unsigned words[] = {
		r->name - before->name, r->mask, r->code, r->umask, r->counters, r->models
	};

	if (k < 12)
		return words[k / 2] >> 8 * (k % 2) & 0xff;
	return k == 12 ? r->cmask : r->flags;
}

static void feed_plane(unsigned k)
{
	static const struct row none;
	const struct row *before = &none;

	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++) {
			feed(row_byte(&tables[f].row[i], before, k));
			before = &tables[f].row[i];
		}
}

/* The pool, then the rows of all families byte plane by byte plane: like lies next to like. */
static void print_packed(void)
{
	for (unsigned i = 0; i < pool_size; i++)
		feed((uint8_t)pool[i]);
	for (unsigned k = 0; k < 14; k++)
		feed_plane(k);
	compress();
	printf("\nconst uint8_t pmu_packed[] = {");
	for (unsigned i = 0; i < (pack.nbits + 7) / 8; i++)
		printf("%s0x%02x,", i % 16 ? " " : "\n\t", pack.out[i]);
	printf("\n};\n");
}

/*
 * The pool once more, now in the order in which the sorted rows use it, event names before mask
 * names: offsets of neighbours are then close together, and names that begin alike lie side by side.
 */
static void reorder_pool(void)
{
	static char old[POOL];

	memcpy(old, pool, pool_size);
	memset(pool, 0, sizeof(pool));
	pool_size = 1;
	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++)
			tables[f].row[i].name = intern(old + tables[f].row[i].name);
	for (unsigned f = 0; f < FAMILIES; f++)
		for (unsigned i = 0; i < tables[f].nrows; i++)
			tables[f].row[i].mask = intern(old + tables[f].row[i].mask);
}

static void sort_rows(void)
{
	for (unsigned f = 0; f < FAMILIES; f++)
		qsort(tables[f].row, tables[f].nrows, sizeof(tables[f].row[0]), compare);
	reorder_pool();
}

static void print_families(void)
{
	printf("\nconst char *const pmu_families[] = { ");
	for (unsigned f = 0; f < FAMILIES; f++)
		printf("\"%s\", ", families[f]);
	printf("0 };\n");
}

static void print_table(unsigned family, unsigned *first)
{
	struct table *t = &tables[family];

	printf("\nconst struct pmu_table pmu_table_%s = { pmu_events + %u, %u };\n",
	       families[family], *first, t->nrows);
	for (unsigned i = 0; i < t->nrows; i++) {
		struct row *r = &t->row[i];

		printf("/* %s%s%s code 0x%x umask 0x%x counters 0x%x models 0x%x cmask %u flags 0x%x */\n",
		       pool + r->name, r->mask ? "." : "", pool + r->mask, r->code, r->umask,
		       r->counters, r->models, r->cmask, r->flags);
	}
	*first += t->nrows;
}

static void print_tables(void)
{
	unsigned first = 0, total = 0;

	for (unsigned family = 0; family < FAMILIES; family++)
		total += tables[family].nrows;
	printf("\nchar pmu_names[%u];\nconst unsigned pmu_names_size = %u;\n", pool_size,
	       pool_size);
	printf("\nstruct pmu_event pmu_events[%u];\nconst unsigned pmu_events_n = %u;\n", total,
	       total);
	printf("uint8_t pmu_stage[%u];\n", pool_size + 14 * total);
	for (unsigned family = 0; family < FAMILIES; family++)
		print_table(family, &first);
	print_packed();
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

/* One row of the model list for each range of CPU models. */
static void print_models(const char *path, const char *width)
{
	printf("\nconst struct pmu_model pmu_models[] = {\n");
	open_csv(path);
	while (next_row()) {
		unsigned family = find(families, cell("family"), "family");
		unsigned bit = find_model(&tables[family], cell("model"), false);
		unsigned name = intern(cell("model")), type = number(cell("core_type"), 255);
		unsigned vendor = find(vendors, cell("vendor"), "vendor");
		unsigned cpu_family = number(cell("cpu_family"), 255);
		char *list = cell("cpu_models");

		if (!width_listed(cell("widths"), width))
			continue;
		for (char *w; (w = word(&list));) {
			char *dash = strchr(w, '-');
			unsigned lo, hi;

			if (dash)
				*dash++ = 0;
			lo = number(w, 255);
			hi = dash ? number(dash, 255) : lo;
			printf("\t{ %u, %u, %u, %u, %u, %u, %u, 0x%x },\n", name, family, vendor,
			       cpu_family, lo, hi, 1u << bit, type);
		}
	}
	printf("\t{ 0, 0, 0, 0, 0, 0, 0, 0 },\n};\n");
}

static void print_aliases(const char *path)
{
	printf("\nconst struct pmu_alias pmu_aliases[] = {\n");
	open_csv(path);
	while (next_row()) {
		unsigned family = find(families, cell("family"), "family");
		const char *exact = cell("exact");

		if (*exact && strcmp(exact, "yes"))
			die("exact is yes or empty");
		if (tables[family].nrows)
			printf("\t{ %u, %u, %u, %u },\n", intern(cell("alias")),
			       intern(cell("events")), family, *exact != 0);
	}
	printf("\t{ 0, 0, 0, 0 },\n};\n");
}

static void print_errata(const char *path)
{
	printf("\nconst struct pmu_erratum pmu_errata[] = {\n");
	open_csv(path);
	while (next_row()) {
		unsigned family = find(families, cell("family"), "family");
		struct table *t = &tables[family];
		char *models = cell("models");
		unsigned bits = *models ? kept(t, models_of(t, models)) : all_models(t);

		if (bits && t->nrows)
			printf("\t{ %u, %u, 0x%x, %u, %u },\n", intern(cell("event")),
			       intern(cell("what")), bits, intern(cell("source")), family);
	}
	printf("\t{ 0, 0, 0, 0, 0 },\n};\n");
}

int main(int argc, char **argv)
{
	char path[512];

	if (argc < 4 || (strcmp(argv[1], "32") && strcmp(argv[1], "64"))) {
		fprintf(stderr, "usage: pmu-events 32|64 DIRECTORY FILE...\n");
		return 2;
	}
	printf("/* Made by pmu/gen/events.c from pmu/events/, width %s. */\n"
	       "#include \"pmu/driver.h\"\n#include \"pmu/tables.h\"\n",
	       argv[1]);
	snprintf(path, sizeof(path), "%s/models.csv", argv[2]);
	read_models(path, argv[1]);
	for (int i = 3; i < argc; i++)
		read_events(argv[i]);
	sort_rows();
	print_families();
	print_models(path, argv[1]);
	snprintf(path, sizeof(path), "%s/aliases.csv", argv[2]);
	print_aliases(path);
	snprintf(path, sizeof(path), "%s/errata.csv", argv[2]);
	print_errata(path);
	print_tables();
	return fflush(stdout) || ferror(stdout);
}
