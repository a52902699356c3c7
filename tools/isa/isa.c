/* The ISA set of an instruction form. */
#include "tools/isa/isa.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/lib/embedded.h"

struct line {
	char *form; /* ends before its set */
	const char *set;
};

static struct line *line;
static size_t nlines;

/* The lines of tools/isa/mkisa.c, sorted by form. */
static void read_lines(void)
{
	size_t size = strlen(embedded_isa);
	char *text = allocate(size + 1), *rest;

	memcpy(text, embedded_isa, size + 1);
	for (char *p = strtok_r(text, "\n", &rest); p; p = strtok_r(NULL, "\n", &rest)) {
		char *tab = strchr(p, '\t');

		*tab = '\0';
		line = grow(line, nlines, sizeof(*line));
		line[nlines++] = (struct line){ p, tab + 1 };
	}
}

static int compare(const void *form, const void *of)
{
	return strcmp(form, ((const struct line *)of)->form);
}

const char *isa_of(const char *form)
{
	const struct line *found;

	if (!line)
		read_lines();
	found = bsearch(form, line, nlines, sizeof(*line), compare);
	return found ? found->set : "";
}
