/*
 * fit_core.c - fits the rows of a machine that are marked `fitted` to a real processor.
 *
 *	fit_core MACHINE CPU WIDTH SALT CSV ROWS.CSV >NEW-ROWS.CSV
 *
 * Takes the fitted half of the forms only. A row gets the uops and the latency with which most of
 * its figures are good; among equals those with the smallest sum of errors. The candidates come
 * from the measured figures themselves: a latency that explains one of them, and for a throughput
 * each set of ports of machines.csv in the number that explains it. Standard error has a line for
 * each row that changes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/core/bodies.h"

enum { GROUPS = 64, OF_ROW = 512, LINE = 400, LINES = 2000, ROUNDS = 3 };

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

static char new_uops[LINES][48], new_latency[LINES][24];
static bool changed[LINES];

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

static void print_uops(char text[48], const struct core_row *row)
{
	char part[32] = "";

	strcpy(text, row->uops ? "" : "-");
	for (unsigned i = 0; i < row->uops; i++) {
		const struct core_uop *u = &row->uop[i];
		unsigned n = 0, at;

		while (n < groups && (u->ports ? group[n].ports != u->ports
		                               : group[n].ports || group[n].unit != u->unit))
			n++;
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
		n += snprintf(text + n, (size_t)(24 - n), "+%gq", row->slope / (double)CORE_TICKS);
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
		for (unsigned which = 1; which < 4; which++) {
			for (unsigned n = 0; n < 2; n++) {
				double latency = best->latency[n] + round(off);

				row.latency[n] = best->latency[n];
				if (which >> n & 1 && latency >= 0)
					row.latency[n] = (uint16_t)latency;
			}
			try_row(t, &row, best, best_cost, 0.02);
		}
	}
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

	if (!n || n > 250)
		return;
	row.uops = 1;
	row.uop[0] = (struct core_uop){ .ports = g->ports, .count = 1, .busy = (uint8_t)n };
	try_row(t, &row, best, best_cost, 0.02);
	if (n > 1 && n < 40) {
		row.uop[0].count = (uint8_t)n;
		row.uop[0].busy = 1;
		try_row(t, &row, best, best_cost, 0.02);
	}
	for (unsigned i = 0; i < groups; i++) {
		if (group[i].ports || clocks < 3)
			continue;
		row.uops = 2;
		row.uop[0].count = row.uop[0].busy = 1;
		row.uop[1] = (struct core_uop){ .unit = group[i].unit,
			                        .count = 1,
			                        .busy = (uint8_t)(clocks + 0.5) };
		try_row(t, &row, best, best_cost, 0.02);
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

static void fit_row(const struct core_row *row)
{
	const struct core_row_text *t = row->text;
	struct core_row best = *row;
	double before, after;

	find_bodies(t);
	if (!of_rows)
		return;
	before = after = cost();
	for (unsigned round = 0; round < ROUNDS; round++) {
		double start = after;

		fit_latency(t, &best, &after);
		fit_uops(t, &best, &after);
		if (after > start - 0.01)
			break;
	}
	if (after > before - 0.01 || t->line >= LINES)
		return;
	set_row(t, &best);
	changed[t->line] = true;
	print_uops(new_uops[t->line], &best);
	print_latency(new_latency[t->line], &best);
	fprintf(stderr, "%s.csv:%u %s,%s: %s,%s, cost %.2f, now %s,%s, cost %.2f of %u\n", t->table,
	        t->line, t->mnemonics, t->operands, t->uops, t->latency, before, new_uops[t->line],
	        new_latency[t->line], after, of_rows);
}

/* Prints the file with the new figures. */
static bool print_rows(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[LINE], *column[6];

	if (!f)
		return false;
	for (unsigned n = 1; fgets(line, sizeof(line), f); n++) {
		char *at = line;

		if (n >= LINES || !changed[n]) {
			fputs(line, stdout);
			continue;
		}
		for (unsigned i = 0; i < 6; i++)
			column[i] = strsep(&at, ",");
		printf("%s,%s,%s,%s,%s,%s", column[0], column[1], new_uops[n], new_latency[n],
		       column[4], column[5]);
	}
	fclose(f);
	return true;
}

int main(int argc, char **argv)
{
	const struct core_row_text *last = NULL;

	if (argc != 7) {
		fprintf(stderr, "usage: fit_core MACHINE CPU WIDTH SALT CSV ROWS.CSV\n");
		return 3;
	}
	if (!bodies_read(&bodies, argv[1], argv[2], argv[5], !strcmp(argv[3], "32") ? 32 : 64,
	                 strcmp(argv[4], "-") ? argv[4] : ""))
		return 3;
	read_groups(argv[1]);
	for (size_t i = 0; i < bodies.machine->rows; i++) {
		const struct core_row *row = &bodies.machine->row[i];

		if (row->text == last || strcmp(row->text->table, argv[1]) ||
		    strncmp(row->text->source, "fitted", 6))
			continue;
		last = row->text;
		fit_row(row);
	}
	if (!print_rows(argv[6])) {
		fprintf(stderr, "%s: no such file\n", argv[6]);
		return 3;
	}
	bodies_free(&bodies);
	return 0;
}
