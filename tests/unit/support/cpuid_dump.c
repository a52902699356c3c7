/*
 * CPUID answered from a dump; see cpuid_dump.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/support/cpuid_dump.h"

enum { MAX_ROWS = 4096, MAX_CPUS = 128 };

struct row {
	char cpu[64];
	uint32_t leaf, subleaf;
	struct cpuid_regs r;
};

static struct row rows[MAX_ROWS];
static unsigned nrows, nfile, ncpus;
static const char *names[MAX_CPUS];
static const char *selected = "";

static void die(const char *what)
{
	fprintf(stderr, "cpuid dump: %s\n", what);
	exit(1);
}

void dump_load(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];

	if (!f)
		die(path);
	nrows = ncpus = 0;
	while (fgets(line, sizeof(line), f)) {
		struct row *r = &rows[nrows];

		if (line[0] == '#' || !strncmp(line, "cpu,", 4))
			continue;
		if (nrows == MAX_ROWS ||
		    sscanf(line, "%63[^,],%x,%u,%x,%x,%x,%x", r->cpu, &r->leaf, &r->subleaf,
		           &r->r.eax, &r->r.ebx, &r->r.ecx, &r->r.edx) != 7)
			die(line);
		if (!ncpus || strcmp(names[ncpus - 1], r->cpu)) {
			if (ncpus == MAX_CPUS)
				die("too many processors");
			names[ncpus++] = r->cpu;
		}
		nrows++;
	}
	fclose(f);
	nfile = nrows;
}

unsigned dump_count(void)
{
	return ncpus;
}

const char *dump_name(unsigned i)
{
	return names[i];
}

bool dump_select(const char *name)
{
	for (unsigned i = 0; i < ncpus; i++) {
		if (!strcmp(names[i], name)) {
			selected = names[i];
			return true;
		}
	}
	return false;
}

void dump_clear(void)
{
	nrows = nfile;
	selected = "made up";
}

static struct row *find(uint32_t leaf, uint32_t subleaf)
{
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].leaf == leaf && rows[i].subleaf == subleaf &&
		    !strcmp(rows[i].cpu, selected))
			return &rows[i];
	return NULL;
}

void dump_set(uint32_t leaf, uint32_t subleaf, struct cpuid_regs r)
{
	struct row *old = find(leaf, subleaf);

	if (!old && nrows == MAX_ROWS)
		die("too many leaves");
	if (!old)
		old = &rows[nrows++];
	strcpy(old->cpu, selected);
	old->leaf = leaf;
	old->subleaf = subleaf;
	old->r = r;
}

struct cpuid_regs dump_cpuid(uint32_t leaf, uint32_t subleaf)
{
	const struct row *top = find(leaf & 0x80000000, 0), *r;

	if (leaf >> 16 == 0x4000 && find(leaf, subleaf))
		return find(leaf, subleaf)->r; /* the hypervisor's own */
	if (!top || leaf > top->r.eax) {
		top = find(0, 0);
		leaf = top ? top->r.eax : 0;
		subleaf = 0;
	}
	r = find(leaf, subleaf);
	return r ? r->r : (struct cpuid_regs){ 0, 0, 0, 0 };
}
