/* cpl0-log compare: two logs, or a log and a table of published figures, side by side. */
#include "tools/commands.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/alloc.h"
#include "tools/results.h"

/* What must be equal before two numbers mean the same thing. */
static const struct {
	const char *kind, *key;
} conditions[] = {
	{ "cpl0", "version" },  { "cpl0", "bits" },    { "cpu", "vendor" },
	{ "cpu", "signature" }, { "cpu", "brand" },    { "cpu", "hypervisor" },
	{ "cpu", "microcode" }, { "cmdline", "text" }, { "boot", "protocol" },
	{ "clock", "tsc_hz" },  { "pmu", "pmu" },
};

static int compare_conditions(const struct log *a, const struct log *b, FILE *out)
{
	int differing = 0;

	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		const struct record *ra = log_first(a, conditions[i].kind);
		const struct record *rb = log_first(b, conditions[i].kind);
		char ta[256] = "", tb[256] = "";

		if (ra)
			record_text(ra, conditions[i].key, ta, sizeof(ta));
		if (rb)
			record_text(rb, conditions[i].key, tb, sizeof(tb));
		if (!strcmp(ta, tb))
			continue;
		fprintf(out, "DIFFERS %s.%s: \"", conditions[i].kind, conditions[i].key);
		print_text(out, ta, strlen(ta));
		fputs("\" and \"", out);
		print_text(out, tb, strlen(tb));
		fputs("\"\n", out);
		differing++;
	}
	return differing;
}

static bool same_thing(const struct result *a, const struct result *b)
{
	return !strcmp(a->bench, b->bench) && !strcmp(a->mode, b->mode) &&
	       !strcmp(a->cpl, b->cpl) && !strcmp(a->quantity, b->quantity);
}

static const struct result *find(const struct results *rs, const struct result *like)
{
	for (size_t i = 0; i < rs->n; i++)
		if (same_thing(&rs->row[i], like))
			return &rs->row[i];
	return NULL;
}

/* b / a in thousandths, rounded; false where it means nothing. */
static bool ratio(int64_t a, int64_t b, int64_t *thousandths)
{
	if (a <= 0 || b < 0 || b > INT64_MAX / 1000 - a)
		return false;
	*thousandths = (b * 1000 + a / 2) / a;
	return true;
}

static void print_ratio(FILE *out, int64_t a, int64_t b)
{
	char text[32];
	int64_t r;

	fprintf(out, "  %9s", ratio(a, b, &r) ? milli_text(text, r) : "-");
}

static void compare_row(FILE *out, int width, const struct result *a, const struct result *b)
{
	char ta[32], tb[32];

	fprintf(out, "%-*s  %-5s  %12s  %12s", width, a->bench, a->mode, milli_text(ta, a->min),
	        b ? milli_text(tb, b->min) : "-");
	if (b)
		print_ratio(out, a->min, b->min);
	else
		fprintf(out, "  %9s", "-");
	fprintf(out, "  %s", a->quantity);
	if (b && (a->copies != b->copies || a->ops != b->ops))
		fputs("  DIFFERS: not the same number of copies or operations", out);
	else if (b && (!a->exact || !b->exact))
		fputs("  (has spread)", out);
	putc('\n', out);
}

static int widest(const struct results *rs)
{
	int width = 9;

	for (size_t i = 0; i < rs->n; i++)
		if (width < (int)strlen(rs->row[i].bench))
			width = (int)strlen(rs->row[i].bench);
	return width;
}

void compare_logs(const struct log *a, const struct log *b, FILE *out)
{
	struct results ra, rb;
	size_t only = 0;

	results_read(&ra, a);
	results_read(&rb, b);
	fprintf(out, "A %s%s\nB %s%s\n", a->name, log_intact(a) ? "" : " (DAMAGED)", b->name,
	        log_intact(b) ? "" : " (DAMAGED)");
	if (!compare_conditions(a, b, out))
		fputs("the conditions that both logs name are the same\n", out);
	fprintf(out, "\n%-*s  %-5s  %12s  %12s  %9s  quantity\n", widest(&ra), "benchmark", "mode",
	        "A min", "B min", "B / A");
	for (size_t i = 0; i < ra.n; i++)
		compare_row(out, widest(&ra), &ra.row[i], find(&rb, &ra.row[i]));
	for (size_t i = 0; i < rb.n; i++)
		only += !find(&ra, &rb.row[i]);
	if (only)
		fprintf(out, "%zu quantities are only in B\n", only);
	results_free(&ra);
	results_free(&rb);
}

/* Reference tables */

enum { REFERENCE_COLUMNS = 6 };
enum { COL_CPU, COL_MHZ, COL_ISA, COL_INSTRUCTION, COL_LATENCY, COL_THROUGHPUT };

struct reference_row {
	char cpu[48], instruction[64];
	int64_t latency, throughput; /* thousandths of core clocks, -1: not given */
	bool seen;                   /* the log has this form */
};

struct reference {
	struct reference_row *row;
	size_t n;
};

/* Takes the next value of a CSV line out of *p, unquoted, in place. */
static char *csv_take(char **p)
{
	char *in = *p, *value = in, *to = in;
	bool quoted = *in == '"';

	if (quoted)
		in++;
	while (*in && (quoted || *in != ',')) {
		if (quoted && *in == '"' && *++in != '"') {
			quoted = false;
			continue;
		}
		*to++ = *in++;
	}
	*p = *in ? in + 1 : in;
	*to = 0;
	return value;
}

static int64_t milli_of(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	return end == text || *end || !(v >= 0 && v < 1e9) ? -1 : (int64_t)(v * 1000 + 0.5);
}

static void add_reference(struct reference *ref, char *line)
{
	struct reference_row row = { .seen = false };
	char *column[REFERENCE_COLUMNS];

	for (int i = 0; i < REFERENCE_COLUMNS; i++)
		column[i] = csv_take(&line);
	snprintf(row.cpu, sizeof(row.cpu), "%s", column[COL_CPU]);
	snprintf(row.instruction, sizeof(row.instruction), "%s", column[COL_INSTRUCTION]);
	row.latency = milli_of(column[COL_LATENCY]);
	row.throughput = milli_of(column[COL_THROUGHPUT]);
	ref->row = grow(ref->row, ref->n, sizeof(row));
	ref->row[ref->n++] = row;
}

static const char REFERENCE_HEADER[] = "cpu,mhz,isa,instruction,latency_cycles,throughput_cycles";

static bool read_reference(struct reference *ref, const char *path)
{
	FILE *in = fopen(path, "r");
	char line[512];
	bool good;

	if (!in) {
		perror(path);
		return false;
	}
	good = fgets(line, sizeof(line), in);
	line[good ? strcspn(line, "\r\n") : 0] = 0;
	good = !strcmp(line, REFERENCE_HEADER);
	if (!good)
		fprintf(stderr, "%s: the first line must be %s\n", path, REFERENCE_HEADER);
	while (good && fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\r\n")] = 0;
		add_reference(ref, line);
	}
	fclose(in);
	return good;
}

/* `cpu` must name exactly one processor of the table: by its whole name or a part of it. */
static const char *pick_cpu(const struct reference *ref, const char *path, const char *cpu)
{
	const char *picked = NULL;

	for (size_t i = 0; i < ref->n; i++) {
		const char *name = ref->row[i].cpu;

		if (cpu && !strcmp(name, cpu))
			return name;
		if ((cpu && !strstr(name, cpu)) || (picked && !strcmp(picked, name)))
			continue;
		if (picked) {
			fprintf(stderr, "%s: %s and %s: choose one with --cpu NAME\n", path, picked,
			        name);
			return NULL;
		}
		picked = name;
	}
	if (!picked)
		fprintf(stderr, "%s: no processor %s\n", path, cpu ? cpu : "at all");
	return picked;
}

/*
 * Names of forms. Tables differ in capitals, blanks and punctuation, and in how they say which registers
 * are the same: "mm_1, mm_2" and "mm1, mm2" are two, "r1_16, r1_16" and "r16, r16" one twice. Registers
 * of an address are of the code's width, whatever their size is said to be: "[r16+r16]", "[r + r]".
 */

struct name {
	char text[64];
	size_t used;
	bool separate; /* something between words since the last character */
};

static void put_word(struct name *to, const char *word, size_t n)
{
	if (to->separate && to->used && to->used + 1 < sizeof(to->text))
		to->text[to->used++] = '_';
	to->separate = false;
	for (size_t i = 0; i < n && to->used + 1 < sizeof(to->text); i++)
		to->text[to->used++] = (char)tolower((unsigned char)word[i]);
	to->text[to->used] = 0;
}

/* A register with a number, r1_16, mm1 or mm_1: how long it is in the text; 0: it is none. */
static size_t numbered(const char *text, char class[8], char *number)
{
	static const char *const files[] = { "mm", "xmm", "ymm", "zmm" };
	int end = 0;

	if (sscanf(text, "r%c_%3[0-9]%n", number, class + 1, &end) == 2 && isdigit(*number)) {
		class[0] = 'r';
		return (size_t)end;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		size_t n = strlen(files[i]);

		if (strncmp(text, files[i], n))
			continue;
		n += text[n] == '_';
		if (text[n] < '1' || text[n] > '9' || isalnum((unsigned char)text[n + 1]))
			return 0;
		*number = text[n];
		strcpy(class, files[i]);
		return n + 1;
	}
	return 0;
}

static size_t word_length(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]))
		n++;
	return n;
}

/* Does it name registers with different numbers? */
static bool two_registers(const char *text)
{
	char class[8], number, first = 0;

	for (; *text; text += word_length(text) ? word_length(text) : 1) {
		if (!numbered(text, class, &number))
			continue;
		if (first && number != first)
			return true;
		first = number;
	}
	return false;
}

static void normal_name(struct name *to, const char *text)
{
	bool two = two_registers(text), address = false;
	char class[8], number;

	memset(to, 0, sizeof(*to));
	while (*text) {
		size_t n = numbered(text, class, &number);

		if (n) {
			put_word(to, class, strlen(class));
			if (two)
				put_word(to, &number, 1);
		} else if ((n = word_length(text))) {
			bool sized = n == 3 && *text == 'r' && isdigit((unsigned char)text[1]);

			put_word(to, text, address && sized ? 1 : n);
		} else {
			address = *text == '[' || (address && *text != ']');
			to->separate = true;
			n = 1;
		}
		text += n;
	}
}

/* The row of a form: one that is spelled the same, else one that means the same. */
static struct reference_row *find_reference(const struct reference *ref, const char *cpu,
                                            const char *form)
{
	struct reference_row *found = NULL;
	struct name ours, theirs;

	normal_name(&ours, form);
	for (size_t i = 0; i < ref->n; i++) {
		struct reference_row *row = &ref->row[i];

		if (strcmp(row->cpu, cpu))
			continue;
		if (!strcasecmp(row->instruction, form))
			return row;
		normal_name(&theirs, row->instruction);
		if (!found && !strcmp(ours.text, theirs.text))
			found = row;
	}
	return found;
}

/* TSC ticks to core clocks, in thousandths; 1000 where the log does not know better. */
static int64_t core_per_tsc(const struct log *log)
{
	int64_t v = 0;

	for (size_t i = 0; i < log->nlines; i++) {
		const struct line *line = &log->lines[i];
		const struct field *f;

		if (line->class != LINE_RECORD || !span_is(line->rec.kind, "clock"))
			continue;
		f = record_field(&line->rec, "core_per_tsc");
		if (f && field_milli(f, &v) && v > 0 && v < 100000)
			return v;
	}
	return 1000;
}

struct verdicts {
	unsigned compared, agree, missing;
};

/* Agreement: within 3 per cent, or within 0.05 clocks for the small ones. */
static bool agrees(int64_t ours, int64_t theirs)
{
	int64_t off = llabs(ours - theirs);

	return off <= 50 || off * 100 <= theirs * 3;
}

/* Core clocks per operation in thousandths: `core` where the log has it, else from TSC ticks. */
static bool core_clocks(const struct results *rs, size_t i, int64_t factor, double *clocks)
{
	const struct result *r = &rs->row[i];
	bool has_core = i + 1 < rs->n && rs->row[i + 1].line == r->line &&
	                !strcmp(rs->row[i + 1].quantity, "core");

	*clocks = has_core ? (double)rs->row[i + 1].med : (double)r->min * (double)factor / 1000;
	*clocks /= (double)r->copies * (double)r->ops;
	return *clocks > -1e12 && *clocks < 1e12;
}

static void reference_result(FILE *out, struct verdicts *v, const struct reference *ref,
                             const char *cpu, const struct results *rs, size_t i, int64_t factor)
{
	const struct result *r = &rs->row[i];
	struct reference_row *row;
	char ta[32], tb[32];
	int64_t theirs;
	double ours;

	if (strcmp(r->quantity, "tsc") || !*r->form || !core_clocks(rs, i, factor, &ours))
		return;
	row = find_reference(ref, cpu, r->form);
	if (row)
		row->seen = true;
	theirs = !row ? -1 : !strcmp(r->kind, "latency") ? row->latency : row->throughput;
	if (theirs < 0) {
		v->missing++;
		return;
	}
	v->compared++;
	v->agree += agrees((int64_t)ours, theirs);
	fprintf(out, "%-32s %-10s  %10s  %10s", row->instruction, r->kind,
	        milli_text(ta, (int64_t)ours), milli_text(tb, theirs));
	print_ratio(out, theirs, (int64_t)ours);
	fprintf(out, "%s\n", agrees((int64_t)ours, theirs) ? "" : "  differs");
}

static void print_unseen(FILE *out, const struct reference *ref, const char *cpu)
{
	for (size_t i = 0; i < ref->n; i++)
		if (!ref->row[i].seen && !strcmp(ref->row[i].cpu, cpu))
			fprintf(out, "not in the log: %s\n", ref->row[i].instruction);
}

bool compare_reference(const struct log *log, const char *path, const char *cpu, FILE *out)
{
	struct reference ref = { 0 };
	struct results rs;
	struct verdicts v = { 0 };
	char text[32];
	const char *name = NULL;

	if (read_reference(&ref, path))
		name = pick_cpu(&ref, path, cpu);
	if (!name) {
		release(ref.row);
		return false;
	}
	results_read(&rs, log);
	fprintf(out, "log %s%s\nreference %s, processor %s\ncore clocks per TSC tick: %s\n\n",
	        log->name, log_intact(log) ? "" : " (DAMAGED)", path, name,
	        milli_text(text, core_per_tsc(log)));
	fprintf(out, "%-32s %-10s  %10s  %10s  %9s\n", "instruction", "figure", "log", "reference",
	        "log / ref");
	for (size_t i = 0; i < rs.n; i++)
		reference_result(out, &v, &ref, name, &rs, i, core_per_tsc(log));
	fprintf(out, "\n%u figures compared, %u within 3 %% or 0.05 clocks, %u not in the table\n",
	        v.compared, v.agree, v.missing);
	print_unseen(out, &ref, name);
	results_free(&rs);
	release(ref.row);
	return true;
}
