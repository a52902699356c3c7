/*
 * CSV: cells separated by commas; a cell in double quotes may hold commas.
 */
#include "bench/instr/gen/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 12, LINE = 256, LONGEST = 100 };

/* The file being read. */
static struct {
	const char *path;
	FILE *file;
	unsigned line, columns;
	char head[LINE], text[LINE];
	char *column[COLUMNS], *cell[COLUMNS];
} in;

void csv_die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fprintf(stderr, "%s:%u: ", in.path, in.line);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

static unsigned split(char *s, char **cell)
{
	unsigned n = 0;

	for (;;) {
		if (n == COLUMNS)
			csv_die("more than %u columns", (unsigned)COLUMNS);
		cell[n++] = s + (*s == '"');
		if (*s == '"') {
			s = strchr(s + 1, '"');
			if (!s)
				csv_die("a quote does not end");
			*s++ = 0;
		}
		s += strcspn(s, ",");
		if (!*s)
			return n;
		*s++ = 0;
	}
}

static bool next_line(char *s)
{
	do {
		if (!fgets(s, LINE, in.file))
			return false;
		in.line++;
		s[strcspn(s, "\r\n")] = 0;
		if (strlen(s) > LONGEST)
			csv_die("the line is longer than %u columns", (unsigned)LONGEST);
	} while (!*s || *s == '#');
	return true;
}

void csv_open(const char *path)
{
	in.path = path;
	in.line = 0;
	in.file = fopen(path, "r");
	if (!in.file)
		csv_die("cannot be opened");
	if (!next_line(in.head))
		csv_die("no line of column names");
	in.columns = split(in.head, in.column);
}

bool csv_has(const char *column)
{
	for (unsigned i = 0; i < in.columns; i++)
		if (!strcmp(in.column[i], column))
			return true;
	return false;
}

bool csv_next(void)
{
	unsigned n;

	if (!next_line(in.text)) {
		fclose(in.file);
		return false;
	}
	n = split(in.text, in.cell);
	if (n != in.columns)
		csv_die("%u cells for %u columns", n, in.columns);
	return true;
}

char *csv_cell(const char *column)
{
	for (unsigned i = 0; i < in.columns; i++)
		if (!strcmp(in.column[i], column))
			return in.cell[i];
	csv_die("no column \"%s\"", column);
}

char *csv_word(char **list)
{
	char *s = *list + strspn(*list, " "), *end = s + strcspn(s, " ");

	if (!*s)
		return NULL;
	*list = end + (*end != 0);
	*end = 0;
	return s;
}

unsigned csv_number(const char *column, unsigned most)
{
	char *end, *s = csv_cell(column);
	unsigned long v = strtoul(s, &end, 10);

	if (*s < '0' || *s > '9' || *end || v > most)
		csv_die("%s \"%s\" is no number from 0 to %u", column, s, most);
	return (unsigned)v;
}

unsigned csv_choice(const char *word, const char *const *list, const char *what)
{
	for (unsigned i = 0; list[i]; i++)
		if (!strcmp(list[i], word))
			return i;
	csv_die("unknown %s \"%s\"", what, word);
}
