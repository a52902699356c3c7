/*
 * CPUID answered from tests/data/cpuid.csv or from a list made up by a test.
 */
#ifndef TESTS_UNIT_SUPPORT_CPUID_DUMP_H
#define TESTS_UNIT_SUPPORT_CPUID_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/x86.h"

/* Loads the file once; ends the program if it cannot be read. */
void dump_load(const char *path);

/* Number of processors in the file, and their names. */
unsigned dump_count(void);
const char *dump_name(unsigned i);

/* Makes dump_cpuid() answer as this processor; false if the file does not have it. */
bool dump_select(const char *name);

/* Starts an empty processor, and gives it leaves. The first leaf set is the CPU's own. */
void dump_clear(void);
void dump_set(uint32_t leaf, uint32_t subleaf, struct cpuid_regs r);

/*
 * Like real processors: a leaf beyond the highest one answers as the highest basic leaf does, one
 * that is not in the file is zero.
 */
struct cpuid_regs dump_cpuid(uint32_t leaf, uint32_t subleaf);

#endif
