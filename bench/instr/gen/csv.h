/*
 * Reads a CSV file line by line. Any defect ends the program with file, line and reason.
 */
#ifndef BENCH_INSTR_GEN_CSV_H
#define BENCH_INSTR_GEN_CSV_H

#include <stdbool.h>

/* Opens a file and reads the line of column names. Lines that begin with # are comments. */
void csv_open(const char *path);

/* Has the file this column? */
bool csv_has(const char *column);

/* Goes to the next row; false, with the file closed, if there is none. */
bool csv_next(void);

/* The text of the current row in a column, which must exist; "" if the cell is empty. */
char *csv_cell(const char *column);

/* The next word of *list, which a blank ends; NULL at the end. Writes into the list. */
char *csv_word(char **list);

/* The number in a column, at most `most`. */
unsigned csv_number(const char *column, unsigned most);

/* The index of a word in a list that ends with NULL; what says what the word is. */
unsigned csv_choice(const char *word, const char *const *list, const char *what);

/* Prints file, line and the reason, and ends the program. */
void csv_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
