/*
 * sim/model/structure_words.h - --structure: how many entries a structure of the core has.
 */
#ifndef SIM_MODEL_STRUCTURE_WORDS_H
#define SIM_MODEL_STRUCTURE_WORDS_H

#include <stdint.h>

#include "sim/model/models.h"
#include "sim/timing/core.h"

/* In the order of the rows of structure_words.c. */
enum structure {
	STRUCTURE_DTLB,
	STRUCTURE_DTLB_LARGE,
	STRUCTURE_ITLB,
	STRUCTURE_ITLB_LARGE,
	STRUCTURE_STLB,
	STRUCTURE_BTB,
	STRUCTURE_RETURNS,
	STRUCTURE_ROB,
	STRUCTURE_SCHEDULER,
	STRUCTURE_LOAD_QUEUE,
	STRUCTURE_STORE_QUEUE,
	STRUCTURE_FILL_BUFFERS,
	STRUCTURES,
};

/* What replaces the model's. */
struct structure_words {
	uint16_t entries[STRUCTURES]; /* 0: as the model has it */
	uint16_t ways[STRUCTURES];    /* 0: fully associative */
};

/*
 * NAME=ENTRIES or NAME=ENTRIES:WAYS, the latter for TLBs and the BTB alone. Returns NULL, or what
 * is wrong with it.
 */
const char *structure_words_parse(struct structure_words *w, const char *text);

/* TLBs, BTB and return stack of a model as the words say. Returns NULL, or why it cannot be. */
const char *structure_words_apply(const struct structure_words *w, struct model *m);

/* The rest, of a core. `p` is NULL on a model without a scoreboard. Returns the same. */
const char *structure_words_apply_core(const struct structure_words *w, struct core_parameters *p);

#endif
