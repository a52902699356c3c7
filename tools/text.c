/* What the commands share: values made fit for terminals, colours, choices by name. */
#include <fnmatch.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/result/commands.h"

void print_text(FILE *out, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		putc(p[i] >= ' ' && p[i] <= '~' ? p[i] : '?', out);
}

void print_record(FILE *out, const struct record *r)
{
	fprintf(out, "  %-10.*s", (int)r->kind.n, r->kind.p);
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		char *text = allocate(f->raw.n + 1);
		size_t n = field_text(f, text, f->raw.n + 1);

		fprintf(out, "%s%.*s ", i ? ", " : " ", (int)f->key.n, f->key.p);
		print_text(out, text, n);
		release(text);
	}
	putc('\n', out);
}

const char *colour(bool wanted, enum colour which)
{
	static const char *const codes[] = {
		[PLAIN] = "\033[0m", [STRONG] = "\033[1m",    [GOOD] = "\033[32m",
		[BAD] = "\033[31m",  [DOUBTFUL] = "\033[33m",
	};

	return wanted ? codes[which] : "";
}

bool globs_match(const struct globs *g, const char *name)
{
	for (size_t i = 0; i < g->n; i++)
		if (!fnmatch(g->pattern[i], name, 0))
			return true;
	return !g->n;
}
