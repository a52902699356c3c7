/* Words, values and numbers in the texts of others. */
#ifndef TESTS_MACHINES_EXPECT_WORDS_H
#define TESTS_MACHINES_EXPECT_WORDS_H

#include <stdbool.h>

#include "tools/log/record.h"

bool span_same(struct span a, struct span b);

/* `*` any text, `?` any character, the rest stands for itself. */
bool span_like(struct span text, struct span glob);

/* Takes the next word off the text; at its end a word of length 0. */
struct span take_word(struct span *text);

/* The number that the text begins with, 0 if it begins with none. */
double span_number(struct span s);

/* A value as it is written, without its quotes. */
struct span field_value(const struct field *f);

/* The same of a key; an empty span if the record has no such key. */
struct span record_value(const struct record *r, const char *key);

#endif
