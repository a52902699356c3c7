/*
 * Prints the ISA set of every form of the instruction table, for tools/isa/isa.c: a host program.
 * A line a form, sorted: form, a tab, the features that it needs as the log's `features` record
 * names them, `+` between two. A form without needs is `base` if 32-bit code can have it, else
 * `lm`, the feature that is 64-bit mode.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/instr/instr.h"
#include "kernel/cpu/internal.h"

enum { FORMS = 32768, TEXT = 160 };

static uint8_t data[192 * 1024] __attribute__((aligned(65536)));
static const struct bench_area area = { .data = data, .stack = data };
static char lines[FORMS][TEXT];
static size_t n;

/* kernel/cpu/features.c is here for its names alone. */
struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	(void)c;
	return cpuid(leaf, subleaf);
}

static void add(const struct bench *b, const char *otherwise)
{
	const char *needs = b->needs && *b->needs ? b->needs : otherwise;
	char *line = lines[n];

	if (++n == FORMS || snprintf(line, TEXT, "%s\t%s", b->form, needs) >= TEXT) {
		fprintf(stderr, "mkisa: too many forms, or one that is too long: %s\n", b->form);
		exit(1);
	}
	for (char *p = strchr(line, '\t'); *p; p++)
		if (*p == ' ')
			*p = '+';
}

/* Of lines with the same form `base` comes before `lm`. */
static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static size_t form_length(const char *line)
{
	return strcspn(line, "\t") + 1;
}

int main(void)
{
	static struct cpu all;
	struct bench b;

	memset(all.features, 0xff, sizeof(all.features));
	for (int wide = 0; wide <= 1; wide++)
		for (unsigned i = 0; instr_get(i, &b, &all, &area, wide); i++)
			add(&b, wide ? "lm" : "base");
	qsort(lines, n, TEXT, by_text);
	for (size_t i = 0; i < n; i++)
		if (!i || strncmp(lines[i], lines[i - 1], form_length(lines[i])) != 0)
			puts(lines[i]);
	if (fflush(stdout) || ferror(stdout)) {
		perror("mkisa: standard output");
		return 1;
	}
	return 0;
}
