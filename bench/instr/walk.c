/*
 * The walk through the lists of the table. Each choice of a row runs through all its values for
 * each value of the choices that come before it: size or vector, register or memory, one or two
 * registers, latency or throughput.
 */
#include "bench/instr/walk.h"

#include "bench/instr/division.h"
#include "bench/instr/lea.h"
#include "bench/instr/row.h"
#include "bench/instr/sequence.h"
#include "kernel/lib/string.h"

static unsigned length_of(enum instr_stage stage)
{
	switch (stage) {
	case STAGE_ROWS:
		return instr_nrows;
	case STAGE_SEQUENCES:
		return instr_nsequences;
	case STAGE_DIVISIONS:
		return instr_ndivisions;
	default:
		return instr_nleas;
	}
}

/* An empty name is that of the row before. */
static void read_name(struct instr_walk *w)
{
	if (*w->next_name)
		w->name = w->next_name;
	w->next_name += strlen(w->next_name) + 1;
}

static void begin_stage(struct instr_walk *w, enum instr_stage stage)
{
	w->stage = stage;
	w->item = 0;
	w->next_name = stage == STAGE_ROWS ? instr_names : instr_sequence_names;
	w->code = instr_sequence_code;
	if (stage <= STAGE_SEQUENCES)
		read_name(w);
}

/* Is a name of this item wanted, whose form begins with `before` and the item's name? */
static bool wants(const struct instr_walk *w, const char *before)
{
	char form[INSTR_TEXT], name[BENCH_NAME];
	size_t n = strlen(before);

	memcpy(form, before, n);
	memcpy(form + n, w->name, strlen(w->name) + 1);
	for (unsigned throughput = 0; throughput < 2; throughput++) {
		instr_name(name, form, throughput);
		if (w->wanted(name))
			return true;
	}
	return false;
}

/* Can there be a benchmark of this item that is wanted? */
static bool possible(const struct instr_walk *w)
{
	const struct instr_spec *spec = &instr_specs[instr_rows[w->item].spec];

	if (w->stage > STAGE_SEQUENCES)
		return true;
	if (w->stage == STAGE_SEQUENCES)
		return !w->wanted || wants(w, "");
	return instr_row_possible(&w->form, &instr_rows[w->item]) &&
	       (!w->wanted || wants(w, spec->lock ? "LOCK " : "") ||
	        (spec->vector && wants(w, "V")));
}

static void next_item(struct instr_walk *w)
{
	do {
		if (w->stage == STAGE_SEQUENCES)
			w->code += instr_sequences[w->item].size;
		if (++w->item == length_of(w->stage))
			begin_stage(w, w->stage + 1);
		else if (w->stage <= STAGE_SEQUENCES)
			read_name(w);
	} while (!possible(w));
}

/* The operands that the current row has a choice for. */
static bool has_either(const struct instr_spec *s)
{
	for (unsigned i = 0; i < INSTR_OPERANDS && s->op[i].type; i++)
		if (s->op[i].place == AT_RM_OR_MEMORY)
			return true;
	return false;
}

/* The next choice for the row; false behind the last. */
static bool next_choice(struct instr_choice *c, const struct instr_row *row)
{
	const struct instr_spec *spec = &instr_specs[row->spec];

	c->two = !c->two && row->pair;
	if (c->two)
		return true;
	c->memory = !c->memory && has_either(spec);
	if (c->memory)
		return true;
	c->variant++;
	return c->variant < (spec->vector ? INSTR_VARIANTS : INSTR_SIZES);
}

static void advance(struct instr_walk *w)
{
	w->form.throughput = !w->form.throughput;
	if (w->form.throughput)
		return;
	if (w->stage == STAGE_ROWS && next_choice(&w->choice, &instr_rows[w->item]))
		return;
	if (w->stage == STAGE_LEAS && ++w->choice.variant < INSTR_SIZES)
		return;
	memset(&w->choice, 0, sizeof(w->choice));
	next_item(w);
}

static bool make(struct instr_walk *w, struct bench *b, const struct bench_area *area)
{
	memset(b, 0, sizeof(*b));
	instr_begin(&w->form);
	switch (w->stage) {
	case STAGE_ROWS:
		return instr_make_row(&w->form, b, area, &instr_rows[w->item], w->name, &w->choice);
	case STAGE_SEQUENCES:
		return instr_make_sequence(&w->form, b, area, &instr_sequences[w->item], w->name,
		                           w->code);
	case STAGE_DIVISIONS:
		return instr_make_division(&w->form, b, &instr_divisions[w->item]);
	default:
		return instr_make_lea(&w->form, b, &instr_leas[w->item], 8u << w->choice.variant);
	}
}

void instr_walk_begin(struct instr_walk *w, const struct cpu *cpu, bool wide,
                      bool (*wanted)(const char *beginning))
{
	memset(w, 0, sizeof(*w));
	w->wanted = wanted;
	w->form.cpu = cpu;
	w->form.wide = wide;
	begin_stage(w, STAGE_ROWS);
}

bool instr_walk_next(struct instr_walk *w, struct bench *b, const struct bench_area *area)
{
	bool made = false;

	while (!made && w->stage != STAGES) {
		made = make(w, b, area);
		advance(w);
	}
	return made;
}
