/*
 * fit_core.c - fits the rows of a machine that are marked `fitted` to a real processor.
 *
 *	fit_core [-s] MACHINE CPU WIDTH CODE SALT CSV ROWS.CSV >NEW-ROWS.CSV
 *	fit_core -p MACHINE CPU WIDTH CODE SALT CSV ROWS.CSV >LINES-OF-MACHINES.CSV
 *	fit_core -k MACHINE CPU WIDTH CODE SALT CSV ROWS.CSV >FIGURES-THAT-ARE-OFF
 *
 * Takes the fitted half of the forms only. A row gets the uops and the latency with which most of
 * its figures are good; among equals those with the smallest sum of errors. The candidates come
 * from the measured figures themselves: a latency that explains one of them, and for a throughput
 * each set of ports of machines.csv in the number that explains it. Standard error has a line for
 * each row that changes. -s: where a figure stays off, a finer class gets a row of its own.
 * -p: the latencies of memory instead, for which machines.csv has other values.
 * -k: changes nothing. Leaves out each form of the fitted half in turn, fits its row to the other
 * forms, and says which figures are off then. A row that no other form is evidence for goes, and
 * the form falls to the next row. So it shows where figures do not generalize, without a look at
 * the half that is held out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/tests/core/bodies.h"

enum { GROUPS = 64, OF_ROW = 512, LINE = 400, ROUNDS = 3, TEXTS = 8192 };

struct group {
	char name[24];
	uint16_t ports; /* 0: a unit */
	uint8_t unit;
};

static struct group group[GROUPS];
static unsigned groups;
static struct bodies bodies;

/* The bodies of the row that is being fitted. */
static struct body *of_row[OF_ROW];
static unsigned of_rows;

/* The rows of all machines, with those of the finer classes. */
static struct core_row_text texts[TEXTS];

/* ---- Sets of ports ---- */

static const char *parent_of(const char *machine)
{
	for (size_t i = 0; i < core_parameter_text_count; i++)
		if (!strcmp(core_parameter_texts[i].machine, machine) &&
		    !strcmp(core_parameter_texts[i].name, "parent"))
			return core_parameter_texts[i].value;
	return NULL;
}

static void add_group(const struct core_parameter_text *t)
{
	struct group *g = &group[groups];

	for (unsigned i = 0; i < groups; i++)
		if (!strcmp(group[i].name, t->name + 5))
			return;
	if (groups == GROUPS)
		return;
	snprintf(g->name, sizeof(g->name), "%s", t->name + 5);
	g->ports = 0;
	if (t->value[0] == 'u')
		g->unit = (uint8_t)atoi(t->value + 1);
	else
		for (const char *c = t->value + 1; *c; c++)
			g->ports |= (uint16_t)(1u << strtoul((char[]){ *c, 0 }, NULL, 16));
	groups++;
}

static void read_groups(const char *machine)
{
	for (; machine; machine = parent_of(machine))
		for (size_t i = 0; i < core_parameter_text_count; i++)
			if (!strcmp(core_parameter_texts[i].machine, machine) &&
			    (!strncmp(core_parameter_texts[i].name, "port.", 5) ||
			     !strncmp(core_parameter_texts[i].name, "unit.", 5)))
				add_group(&core_parameter_texts[i]);
}

/* The name of a set of ports, if the row used it before; else its digits are plainer. */
static unsigned named_group(const struct core_row *row, const struct core_uop *u)
{
	unsigned n = 0;

	for (; n < groups; n++)
		if (u->ports ? group[n].ports == u->ports && strstr(row->text->uops, group[n].name)
		             : !group[n].ports && group[n].unit == u->unit)
			break;
	return n;
}

static void print_uops(char text[48], const struct core_row *row)
{
	char part[32] = "";

	strcpy(text, row->uops ? "" : "-");
	for (unsigned i = 0; i < row->uops; i++) {
		const struct core_uop *u = &row->uop[i];
		unsigned n = named_group(row, u), at;

		at = (unsigned)snprintf(part, sizeof(part), "%s", i ? "+" : "");
		if (u->count > 1)
			at += (unsigned)snprintf(part + at, sizeof(part) - at, "%u*", u->count);
		at += (unsigned)snprintf(part + at, sizeof(part) - at, "%s",
		                         n < groups ? group[n].name : "p");
		for (unsigned port = 0; n == groups && port < CORE_PORTS; port++)
			if (u->ports >> port & 1)
				at += (unsigned)snprintf(part + at, sizeof(part) - at, "%x", port);
		if (u->busy > 1 || !u->ports)
			snprintf(part + at, sizeof(part) - at, "/%u", u->busy);
		strncat(text, part, 47 - strlen(text));
	}
}

static void print_latency(char text[24], const struct core_row *row)
{
	int n = snprintf(text, 24, "%g", row->latency[0] / (double)CORE_TICKS);

	if (row->slope)
		n += snprintf(text + n, (size_t)(24 - n), "+%gq",
		              row->slope / (double)(CORE_TICKS * CORE_SLOPE));
	if (row->latency[1] != row->latency[0])
		snprintf(text + n, (size_t)(24 - n), " %g", row->latency[1] / (double)CORE_TICKS);
}

/* ---- Cost ---- */

/* Of one figure: below 0.1 if it is good. */
static double cost_of(double ours, double theirs)
{
	double off = fabs(ours - theirs) / fmax(0.1, 0.05 * theirs);

	if (body_good(ours, theirs))
		return 0.05 * off;
	return 1 + 0.05 * fmin(log2(fmax(off, 1)), 6);
}

static double cost(void)
{
	double sum = 0;

	for (unsigned i = 0; i < of_rows; i++) {
		body_decode(bodies.machine, of_row[i]);
		sum += cost_of(body_clocks(bodies.machine, of_row[i]), of_row[i]->theirs);
	}
	return sum;
}

/* ---- Candidates ---- */

/* Gives all rows that came from the same line the same figures. */
static void set_row(const struct core_row_text *t, const struct core_row *figures)
{
	for (size_t i = 0; i < bodies.machine->rows; i++) {
		struct core_row *row = &bodies.machine->row[i];

		if (row->text != t)
			continue;
		row->uops = figures->uops;
		memcpy(row->uop, figures->uop, sizeof(row->uop));
		memcpy(row->latency, figures->latency, sizeof(row->latency));
		row->slope = figures->slope;
	}
}

static void try_row(const struct core_row_text *t, const struct core_row *candidate,
                    struct core_row *best, double *best_cost, double handicap)
{
	double now;

	set_row(t, candidate);
	now = cost() + handicap;
	if (now < *best_cost - 1e-9) {
		*best = *candidate;
		*best_cost = now;
	}
	set_row(t, best);
}

/* How often the row is in one operation of a body. */
static double share_of(const struct core_row_text *t, const struct body *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->insns; i++) {
		const struct core_row *row =
			core_row_find(bodies.machine, &b->insn[i].zi, b->insn[i].op);
		n += row && row->text == t;
	}
	return (double)n / b->ops;
}

static void fit_latency(const struct core_row_text *t, struct core_row *best, double *best_cost)
{
	for (unsigned i = 0; i < of_rows; i++) {
		struct core_row row = *best;
		double off;

		if (*of_row[i]->kind != 'l')
			continue;
		body_decode(bodies.machine, of_row[i]);
		off = (of_row[i]->theirs - body_clocks(bodies.machine, of_row[i])) /
		      share_of(t, of_row[i]) * CORE_TICKS;
		for (unsigned which = 3; which; which--) {
			for (unsigned n = 0; n < 2; n++) {
				double latency = best->latency[n] + round(off);

				row.latency[n] = best->latency[n];
				if (which >> n & 1 && latency >= fmin(CORE_TICKS, best->latency[n]))
					row.latency[n] = (uint16_t)latency;
			}
			try_row(t, &row, best, best_cost, 0.02);
		}
	}
}

/* A line through the latencies of two divisions. */
static void try_slope(const struct core_row_text *t, const struct body *a, const struct body *b,
                      struct core_row *best, double *best_cost)
{
	struct core_row row = *best;
	double slope, latency;

	if (*a->kind != 'l' || *b->kind != 'l' || a->quantity <= b->quantity)
		return;
	slope = (a->theirs - b->theirs) / (a->quantity - b->quantity);
	latency = b->theirs - slope * b->quantity;
	if (slope < 0 || latency < 1)
		return;
	row.slope = (uint16_t)(slope * CORE_TICKS * CORE_SLOPE + 0.5);
	row.latency[0] = row.latency[1] = (uint16_t)(latency * CORE_TICKS + 0.5);
	try_row(t, &row, best, best_cost, 0.02);
}

static void fit_slope(const struct core_row_text *t, struct core_row *best, double *best_cost)
{
	for (unsigned i = 0; i < of_rows; i++)
		for (unsigned n = 0; n < of_rows; n++)
			try_slope(t, of_row[i], of_row[n], best, best_cost);
}

static unsigned bits(unsigned ports)
{
	return (unsigned)__builtin_popcount(ports);
}

/* A number of uops, or one uop that occupies its port for long, or a unit. */
static void try_uops(const struct core_row_text *t, struct core_row *best, double *best_cost,
                     const struct group *g, double clocks)
{
	unsigned n = (unsigned)(clocks * bits(g->ports) + 0.5);
	struct core_row row = *best;

	double handicap = 0.1;

	for (unsigned i = 0; i < best->uops; i++)
		if (best->uop[i].ports == g->ports)
			handicap = 0.02;
	if (!n || n > 250)
		return;
	row.uops = 1;
	row.uop[0] = (struct core_uop){ .ports = g->ports, .count = 1, .busy = (uint8_t)n };
	try_row(t, &row, best, best_cost, handicap);
	if (n > 1 && n < 40) {
		row.uop[0].count = (uint8_t)n;
		row.uop[0].busy = 1;
		try_row(t, &row, best, best_cost, handicap);
	}
	for (unsigned i = 0; i < groups; i++) {
		if (group[i].ports || clocks < 3)
			continue;
		row.uops = 2;
		row.uop[0].count = row.uop[0].busy = 1;
		row.uop[1] = (struct core_uop){ .unit = group[i].unit,
			                        .count = 1,
			                        .busy = (uint8_t)(clocks + 0.5) };
		try_row(t, &row, best, best_cost, handicap);
	}
}

static void fit_uops(const struct core_row_text *t, struct core_row *best, double *best_cost)
{
	unsigned used = 0;

	for (unsigned i = 0; i < best->uops; i++)
		used |= best->uop[i].ports;
	for (unsigned i = 0; i < of_rows; i++) {
		bool again = *of_row[i]->kind != 't';

		for (unsigned n = 0; n < i; n++)
			again |= of_row[n]->theirs == of_row[i]->theirs && *of_row[n]->kind == 't';
		for (unsigned n = 0; n < groups && !again; n++) {
			bool seen = !(group[n].ports & used);

			for (unsigned k = 0; k < n; k++)
				seen |= group[k].ports == group[n].ports;
			if (!seen)
				try_uops(t, best, best_cost, &group[n],
				         of_row[i]->theirs / share_of(t, of_row[i]));
		}
	}
}

static void find_bodies(const struct core_row_text *t)
{
	of_rows = 0;
	for (unsigned i = 0; i < bodies.count && of_rows < OF_ROW; i++)
		if (!bodies.body[i].held && share_of(t, &bodies.body[i]) > 0)
			of_row[of_rows++] = &bodies.body[i];
}

static struct core_row *row_of(const struct core_row_text *t)
{
	for (size_t i = 0; i < bodies.machine->rows; i++)
		if (bodies.machine->row[i].text == t)
			return &bodies.machine->row[i];
	return NULL;
}

/* Finds the best figures of a row. Returns how much less its bodies cost then. */
static double fit_row(struct core_row_text *t, bool say)
{
	char uops[48], latency[24];
	struct core_row best;
	double before, after;

	find_bodies(t);
	if (!of_rows || !row_of(t) || row_of(t)->cases)
		return 0;
	best = *row_of(t);
	before = after = cost();
	for (unsigned round = 0; round < ROUNDS; round++) {
		double start = after;

		fit_latency(t, &best, &after);
		fit_slope(t, &best, &after);
		fit_uops(t, &best, &after);
		if (after > start - 0.01)
			break;
	}
	if (after > before - 0.01)
		return 0;
	set_row(t, &best);
	print_uops(uops, &best);
	print_latency(latency, &best);
	if (say)
		fprintf(stderr, "%s.csv:%u %s,%s: %s,%s, cost %.2f, now %s,%s, cost %.2f of %u\n",
		        t->table, t->line, t->mnemonics, t->operands, t->uops, t->latency, before,
		        uops, latency, after, of_rows);
	t->uops = strdup(uops);
	t->latency = strdup(latency);
	return before - after;
}

/* ---- Finer classes ---- */

/* Instructions that processors treat alike, whatever row they have now. */
static const char *const families[] = {
	"add sub and or xor",
	"adc sbb",
	"bts btr btc",
	"shl shr sar",
	"rol ror",
	"rcl rcr",
	"shld shrd",
	"div idiv",
	"mul imul",
	"bsf bsr",
	"cwd cdq cqo",
	"cbw cwde cdqe",
	"popf popfd popfq",
	"pushf pushfd pushfq",
	"lodsb lodsw lodsd lodsq",
	"scasb scasw scasd scasq",
	"stosb stosw stosd stosq",
};

static const char *family_of(const char *mnemonic)
{
	size_t n = strlen(mnemonic);

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (const char *at = families[i]; at && *at; at = strchr(at, ' ')) {
			at += *at == ' ';
			if (!strncmp(at, mnemonic, n) && (!at[n] || at[n] == ' '))
				return families[i];
		}
	return NULL;
}

/*
 * What no row of its own may explain: the plain instructions on registers. They run on every ALU.
 * Where the reference shows less, it measured its own chains of registers.
 */
static bool plain(const struct body_insn *d)
{
	static const char *const names = " mov movzx movsx movsxd add sub and or xor cmp test inc "
					 "dec neg not nop jmp ";
	char name[24];

	snprintf(name, sizeof(name), " %s ", ZydisMnemonicGetString(d->zi.mnemonic));
	return strstr(names, name);
}

enum shape { SIZED, KINDS, FIRST, SHAPES };

static bool operand_text(const struct body_insn *d, unsigned n, enum shape shape, char text[16])
{
	const ZydisDecodedOperand *op = &d->op[n];
	const char *kind = "r";

	if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		kind = "m";
	} else if (op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		strcpy(text, "i");
		return true;
	} else {
		switch (ZydisRegisterGetClass(op->reg.value)) {
		case ZYDIS_REGCLASS_XMM:
			kind = "x";
			break;
		case ZYDIS_REGCLASS_MMX:
			kind = "mm";
			break;
		case ZYDIS_REGCLASS_X87:
			kind = "st";
			break;
		case ZYDIS_REGCLASS_GPR8:
			kind = op->reg.value == ZYDIS_REGISTER_CL && n ? "cl" : "r";
			break;
		case ZYDIS_REGCLASS_GPR16:
		case ZYDIS_REGCLASS_GPR32:
		case ZYDIS_REGCLASS_GPR64:
			break;
		default:
			return false;
		}
	}
	if (n && shape == FIRST)
		strcpy(text, ".");
	else if (shape == KINDS || !strcmp(kind, "cl") || !strcmp(kind, "st") || !strcmp(kind, "x"))
		strcpy(text, kind);
	else
		snprintf(text, 16, "%s%u", kind, op->size);
	return true;
}

static bool operands_text(const struct body_insn *d, enum shape shape, char text[48])
{
	char one[16];

	strcpy(text, d->zi.operand_count_visible ? "" : "none");
	for (unsigned n = 0; n < d->zi.operand_count_visible; n++) {
		if (!operand_text(d, n, shape, one))
			return false;
		sprintf(text + strlen(text), "%s%s", n ? " " : "", one);
	}
	for (unsigned n = 0; n < d->zi.operand_count_visible; n++) {
		const ZydisDecodedOperandMem *mem = &d->op[n].mem;

		if (d->op[n].type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    mem->type != ZYDIS_MEMOP_TYPE_AGEN)
			continue;
		if (mem->base && mem->index)
			strcat(text, " index");
		if (mem->index && mem->scale > 1)
			strcat(text, " scaled");
		if (mem->disp.value)
			strcat(text, " disp");
	}
	return true;
}

/* The machine with the rows as they are now. */
static bool read_again(void)
{
	const char *why, *name = bodies.machine->name;
	struct core_machine *m = core_machine(name, &why);

	if (!m) {
		fprintf(stderr, "%s\n", why ? why : "no memory");
		return false;
	}
	m->p = bodies.machine->p;
	core_machine_free(bodies.machine);
	bodies.machine = m;
	return true;
}

/* Where a row stands that is tried before the parent: in front of it, or at the machine's end. */
static size_t place_of(size_t parent)
{
	size_t last = 0;

	if (!strcmp(texts[parent].table, bodies.machine->name))
		return parent;
	for (size_t i = 0; i < core_row_text_count; i++)
		if (!strcmp(texts[i].table, bodies.machine->name))
			last = i + 1;
	return last;
}

static void insert_text(size_t at, const struct core_row_text *t)
{
	memmove(texts + at + 1, texts + at, (core_row_text_count - at) * sizeof(*texts));
	texts[at] = *t;
	core_row_text_count++;
}

static void remove_text(size_t at)
{
	core_row_text_count--;
	memmove(texts + at, texts + at + 1, (core_row_text_count - at) * sizeof(*texts));
}

/* A row for some of what the parent has, and what it would be good for. */
static double try_split(size_t parent, const char *mnemonics, const char *operands)
{
	size_t at = place_of(parent);
	struct core_row_text t = texts[parent];
	double gain;

	t.table = bodies.machine->name;
	t.mnemonics = mnemonics;
	t.operands = operands;
	insert_text(at, &t);
	gain = read_again() ? fit_row(&texts[at], false) : 0;
	remove_text(at);
	return gain;
}

static void keep_split(size_t parent, const char *mnemonics, const char *operands)
{
	size_t at = place_of(parent);
	struct core_row_text t = texts[parent];
	char source[48];

	t.table = bodies.machine->name;
	t.line = 0;
	t.mnemonics = strdup(mnemonics);
	t.operands = strdup(operands);
	insert_text(at, &t);
	if (!read_again())
		return;
	fit_row(&texts[at], true);
	snprintf(source, sizeof(source), "fitted: %u forms of I", of_rows);
	texts[at].source = strdup(source);
}

/* The finest class that pays, for an instruction of a body whose figure is off. */
static bool split_for(const struct body_insn *d)
{
	const struct core_row *row = core_row_find(bodies.machine, &d->zi, d->op);
	const char *mnemonic = ZydisMnemonicGetString(d->zi.mnemonic), *best_names = NULL;
	char operands[48], best_operands[48];
	double best = 0.95;
	size_t parent;

	if (!row || row->same || (plain(d) && !d->core.loads && !d->core.stores))
		return false;
	parent = (size_t)(row->text - texts);
	for (unsigned shape = 0; shape < (plain(d) ? FIRST : SHAPES); shape++) {
		const char *names[] = { mnemonic, family_of(mnemonic),
			                strcmp(texts[parent].table, bodies.machine->name)
			                        ? NULL
			                        : texts[parent].mnemonics };

		if (!operands_text(d, shape, operands))
			return false;
		for (unsigned i = 0; i < 3; i++) {
			double gain =
				names[i] ? try_split(parent, names[i], operands) + 0.01 * i : 0;

			if (gain <= best)
				continue;
			best = gain;
			best_names = names[i];
			strcpy(best_operands, operands);
		}
	}
	if (best_names)
		keep_split(parent, best_names, best_operands);
	return best_names && read_again();
}

/* The instruction that a body is about: the only one besides plain moves. */
static const struct body_insn *subject(const struct body *b)
{
	const struct body_insn *found = NULL;

	for (unsigned n = 0; n < b->insns; n++) {
		const struct body_insn *d = &b->insn[n];

		if (b->insns > 1 && plain(d) && !d->core.loads && !d->core.stores)
			continue;
		if (found && (found->zi.mnemonic != d->zi.mnemonic ||
		              found->zi.operand_count_visible != d->zi.operand_count_visible))
			return NULL;
		found = d;
	}
	return found;
}

static void split_rows(void)
{
	for (unsigned i = 0; i < bodies.count; i++) {
		struct body *b = &bodies.body[i];
		const struct body_insn *d = subject(b);

		if (b->held || !d)
			continue;
		body_decode(bodies.machine, b);
		if (!body_good(body_clocks(bodies.machine, b), b->theirs))
			split_for(d);
	}
}

/* ---- Parameters ---- */

static double total_cost(void)
{
	double sum = 0;

	for (unsigned i = 0; i < bodies.count; i++)
		if (!bodies.body[i].held)
			sum += cost_of(body_clocks(bodies.machine, &bodies.body[i]),
			               bodies.body[i].theirs);
	return sum;
}

/* Times of memory, each alone, a quarter of a clock or whole clocks up and down. */
static void fit_parameters(void)
{
	struct core_parameters *p = &bodies.machine->p;
	const struct {
		const char *name;
		uint16_t *at;
	} times[] = {
		{ "load", &p->load },
		{ "load_indexed", &p->load_indexed },
		{ "load_chase", &p->load_chase },
		{ "load_vector", &p->load_vector },
		{ "load_x87", &p->load_x87 },
		{ "load_narrow", &p->load_narrow },
		{ "forward", &p->forward },
		{ "forward_narrow", &p->forward_narrow },
		{ "forward_vector", &p->forward_vector },
		{ "locked", &p->locked },
		{ "store_commit", &p->store_commit },
	};
	static const int steps[] = {
		-32, -24, -16, -12, -8, -4, -2, -1, 1, 2, 4, 8, 12, 16, 24, 32
	};
	double least = total_cost();

	for (unsigned i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		uint16_t best = *times[i].at, old = best;

		for (unsigned n = 0; n < sizeof(steps) / sizeof(steps[0]); n++) {
			double now;

			if (old + steps[n] < 0)
				continue;
			*times[i].at = (uint16_t)(old + steps[n]);
			now = total_cost() + 0.1;
			if (now < least) {
				least = now;
				best = *times[i].at;
			}
		}
		*times[i].at = best;
		if (best != old)
			printf("%s,%s,%g,fitted\n", bodies.machine->name, times[i].name,
			       best / (double)CORE_TICKS);
	}
}

/* The rows of the machine; comments and what stands between them are those of the file. */
static bool print_rows(const char *path)
{
	FILE *f = fopen(path, "r");
	unsigned line = 0;
	char text[LINE];

	if (!f)
		return false;
	if (fgets(text, sizeof(text), f))
		fputs(text, stdout);
	line = 1;
	for (size_t i = 0; i < core_row_text_count; i++) {
		const struct core_row_text *t = &texts[i];

		if (strcmp(t->table, bodies.machine->name))
			continue;
		while (line + 1 < t->line && fgets(text, sizeof(text), f)) {
			if (*text == '#')
				fputs(text, stdout);
			line++;
		}
		printf("%s,%s,%s,%s,%s,%s\n", t->mnemonics, t->operands, t->uops, t->latency,
		       t->flags, t->source);
	}
	fclose(f);
	return true;
}

static bool is_fitted(const struct core_row_text *t)
{
	return !strcmp(t->table, bodies.machine->name) && !strncmp(t->source, "fitted", 6);
}

/* ---- Each form left out ---- */

/* The figures that a body's row starts from: those of the row behind it, or its own. */
static void start_afresh(size_t at, const struct body_insn *d)
{
	struct core_row_text t = texts[at];
	const struct core_row *next;
	struct core_row figures;

	remove_text(at);
	if (read_again() && (next = core_row_find(bodies.machine, &d->zi, d->op)))
		figures = *next;
	else
		figures.text = NULL;
	insert_text(at, &t);
	if (read_again() && figures.text)
		set_row(&texts[at], &figures);
}

/* Clocks of a body when the other forms alone are evidence for the row of its subject. */
static double clocks_without(size_t at, struct body *b, const struct body_insn *d)
{
	struct core_row_text t = texts[at];
	double clocks;

	for (unsigned i = 0; i < bodies.count; i++)
		if (!bodies.body[i].held && !strcmp(bodies.body[i].text, b->text))
			bodies.body[i].held = bodies.body[i].left_out = true;
	find_bodies(&texts[at]);
	if (!of_rows) {
		remove_text(at);
		read_again();
	} else {
		start_afresh(at, d);
		fit_row(&texts[at], false);
	}
	body_decode(bodies.machine, b);
	clocks = body_clocks(bodies.machine, b);
	if (!of_rows)
		insert_text(at, &t);
	texts[at] = t;
	read_again();
	for (unsigned i = 0; i < bodies.count; i++) {
		bodies.body[i].held &= !bodies.body[i].left_out;
		bodies.body[i].left_out = false;
	}
	return clocks;
}

static void leave_out_each(void)
{
	unsigned figures = 0, good = 0, integer = 0, integer_good = 0;

	for (unsigned i = 0; i < bodies.count; i++) {
		struct body *b = &bodies.body[i];
		const struct body_insn *d = subject(b);
		const struct core_row *row =
			d ? core_row_find(bodies.machine, &d->zi, d->op) : NULL;
		char table[24] = "none";
		unsigned line = 0;
		double clocks;
		bool fine;

		if (b->held)
			continue;
		if (row && is_fitted(row->text)) {
			clocks = clocks_without((size_t)(row->text - texts), b, d);
		} else {
			body_decode(bodies.machine, b);
			clocks = body_clocks(bodies.machine, b);
		}
		row = d ? core_row_find(bodies.machine, &d->zi, d->op) : NULL;
		if (row) {
			snprintf(table, sizeof(table), "%s", row->text->table);
			line = row->text->line;
		}
		fine = body_good(clocks, b->theirs);
		figures++;
		good += fine;
		integer += b->integer;
		integer_good += b->integer && fine;
		if (!fine)
			printf("off %s %s: %.2f, measured %.2f, row %s.csv:%u\n", b->kind, b->text,
			       clocks, b->theirs, table, line);
	}
	printf("share machine=%s left-out=1 kind=integer figures=%u good=%u\n",
	       bodies.machine->name, integer, integer_good);
	printf("share machine=%s left-out=1 kind=all figures=%u good=%u\n", bodies.machine->name,
	       figures, good);
}

int main(int argc, char **argv)
{
	bool split = argc > 1 && !strcmp(argv[1], "-s");
	bool parameters = argc > 1 && !strcmp(argv[1], "-p");

	bool leave_out = argc > 1 && !strcmp(argv[1], "-k");

	argv += split || parameters || leave_out;
	if (argc - (split || parameters || leave_out) != 8) {
		fprintf(stderr,
		        "usage: fit_core [-s|-p|-k] MACHINE CPU WIDTH CODE SALT CSV ROWS.CSV\n");
		return 3;
	}
	memcpy(texts, core_row_texts, core_row_text_count * sizeof(*texts));
	core_row_texts = texts;
	if (!bodies_read(&bodies, argv + 1))
		return 3;
	if (parameters) {
		fit_parameters();
		bodies_free(&bodies);
		return 0;
	}
	read_groups(argv[1]);
	if (leave_out) {
		leave_out_each();
		bodies_free(&bodies);
		return 0;
	}
	for (size_t i = 0; i < core_row_text_count; i++)
		if (is_fitted(&texts[i]))
			fit_row(&texts[i], true);
	if (split) {
		split_rows();
		for (size_t i = 0; i < core_row_text_count; i++)
			if (is_fitted(&texts[i]))
				fit_row(&texts[i], true);
	}
	if (!print_rows(argv[7])) {
		fprintf(stderr, "%s: no such file\n", argv[7]);
		return 3;
	}
	bodies_free(&bodies);
	return 0;
}
