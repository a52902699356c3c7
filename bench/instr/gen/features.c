/*
 * What forms need: lists of features, each list once.
 */
#include <stdio.h>
#include <string.h>

#include "bench/instr/gen/csv.h"
#include "bench/instr/gen/gen.h"
#include "kernel/cpu/internal.h"

enum { NEEDS = 255, EACH = 2 };

static struct {
	char text[64];
	unsigned n;
	enum cpu_feature feature[EACH];
} needs[NEEDS];

static unsigned nneeds = 1; /* the first one needs nothing */

/* kernel/cpu/features.c is here for its names; nothing reads CPUID. */
struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	(void)c;
	return cpuid(leaf, subleaf);
}

unsigned gen_need(const char *features)
{
	char list[64], *rest;

	if (!*features)
		return 0;
	for (unsigned i = 1; i < nneeds; i++)
		if (!strcmp(needs[i].text, features))
			return i;
	if (nneeds == NEEDS || strlen(features) >= sizeof(list))
		csv_die("too many lists of features, or one that is too long");
	strcpy(needs[nneeds].text, features);
	strcpy(list, features);
	for (char *p = strtok_r(list, "+", &rest); p; p = strtok_r(NULL, "+", &rest)) {
		if (needs[nneeds].n == EACH)
			csv_die("more than %u features in \"%s\"", (unsigned)EACH, features);
		if (!cpu_feature_find(p, &needs[nneeds].feature[needs[nneeds].n++]))
			csv_die("unknown feature \"%s\"", p);
	}
	return nneeds++;
}

void gen_print_needs(void)
{
	printf("\nconst struct instr_need instr_needs[] = {\n\t{ { 0 } },\n");
	for (unsigned i = 1; i < nneeds; i++) {
		printf("\t{ { ");
		for (unsigned j = 0; j < needs[i].n; j++)
			printf("%s%u", j ? ", " : "", (unsigned)needs[i].feature[j] + 1);
		printf(" } }, /* %s */\n", needs[i].text);
	}
	printf("};\n");
}
