/*
 * sim/model/structure_words.c - --structure: how many entries a structure of the core has.
 */
#include "sim/model/structure_words.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { TLB_MOST = 8192, BTB_MOST = 16384, BTB_WAYS_MOST = 128, RETURNS_MOST = 32 };

static const char no_such[] = "--structure: the model has no such structure";

static const struct {
	const char *name;
	uint16_t most;
	size_t at; /* of a TLB in struct model, of a size in struct core_parameters */
} rows[STRUCTURES] = {
	[STRUCTURE_DTLB] = { "dtlb", TLB_MOST, offsetof(struct model, dtlb) },
	[STRUCTURE_DTLB_LARGE] = { "dtlb_large", TLB_MOST, offsetof(struct model, dtlb_large) },
	[STRUCTURE_ITLB] = { "itlb", TLB_MOST, offsetof(struct model, itlb) },
	[STRUCTURE_ITLB_LARGE] = { "itlb_large", TLB_MOST, offsetof(struct model, itlb_large) },
	[STRUCTURE_STLB] = { "stlb", TLB_MOST, offsetof(struct model, stlb) },
	[STRUCTURE_BTB] = { "btb", BTB_MOST, 0 },
	[STRUCTURE_RETURNS] = { "returns", RETURNS_MOST, 0 },
	[STRUCTURE_ROB] = { "rob", CORE_QUEUE - 1, offsetof(struct core_parameters, rob) },
	[STRUCTURE_SCHEDULER] = { "scheduler", CORE_QUEUE - 1,
	                          offsetof(struct core_parameters, scheduler) },
	[STRUCTURE_LOAD_QUEUE] = { "load_queue", CORE_QUEUE - 1,
	                           offsetof(struct core_parameters, load_queue) },
	[STRUCTURE_STORE_QUEUE] = { "store_queue", CORE_STORES - 1,
	                            offsetof(struct core_parameters, store_queue) },
	[STRUCTURE_FILL_BUFFERS] = { "fill_buffers", CORE_FILLS,
	                             offsetof(struct core_parameters, fill_buffers) },
};

static const char *parse_entries(struct structure_words *w, enum structure i, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10), ways = 0;

	if (*text < '1' || *text > '9' || n > rows[i].most || (i >= STRUCTURE_ROB && n < 2))
		return "--structure: no number of entries that this structure can have";
	if (*end == ':' && i <= STRUCTURE_BTB) {
		const char *from = end + 1;

		ways = strtoul(from, &end, 10);
		if (*from < '1' || *from > '9' || ways > n || n % ways)
			return "--structure: the entries are no multiple of the ways";
	}
	if (*end)
		return "--structure: more behind the number than this structure has";
	if (i == STRUCTURE_BTB && (!ways || ways > BTB_WAYS_MOST))
		return "--structure: a BTB has 1 to 128 ways";
	w->entries[i] = (uint16_t)n;
	w->ways[i] = (uint16_t)ways;
	return NULL;
}

const char *structure_words_parse(struct structure_words *w, const char *text)
{
	const char *equals = strchr(text, '=');

	for (unsigned i = 0; equals && i < STRUCTURES; i++)
		if (strlen(rows[i].name) == (size_t)(equals - text) &&
		    !strncmp(rows[i].name, text, (size_t)(equals - text)))
			return parse_entries(w, (enum structure)i, equals + 1);
	return "--structure: no such name (see sim/README.md)";
}

const char *structure_words_apply(const struct structure_words *w, struct model *m)
{
	struct predictor_geometry *p = &m->predictor;

	for (unsigned i = STRUCTURE_DTLB; i <= STRUCTURE_STLB; i++) {
		struct tlb_geometry *t = (struct tlb_geometry *)((char *)m + rows[i].at);

		if (!w->entries[i])
			continue;
		if (!t->entries)
			return no_such;
		*t = (struct tlb_geometry){ w->entries[i], w->ways[i] };
	}
	if ((w->entries[STRUCTURE_BTB] && !p->btb_entries) ||
	    (w->entries[STRUCTURE_RETURNS] && !p->returns))
		return no_such;
	if (w->entries[STRUCTURE_BTB]) {
		p->btb_entries = w->entries[STRUCTURE_BTB];
		p->btb_ways = (uint8_t)w->ways[STRUCTURE_BTB];
	}
	if (w->entries[STRUCTURE_RETURNS])
		p->returns = (uint8_t)w->entries[STRUCTURE_RETURNS];
	return NULL;
}

const char *structure_words_apply_core(const struct structure_words *w, struct core_parameters *p)
{
	for (unsigned i = STRUCTURE_ROB; i <= STRUCTURE_FILL_BUFFERS; i++) {
		if (!w->entries[i])
			continue;
		if (!p)
			return no_such;
		memcpy((char *)p + rows[i].at, &w->entries[i], sizeof(w->entries[i]));
	}
	if (p && p->fill_buffers_two > p->fill_buffers)
		p->fill_buffers_two = p->fill_buffers;
	return NULL;
}
