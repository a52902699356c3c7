/*
 * The CPU that the process takes itself to be on.
 *
 * Whatever is generated or tested must come out the same on any CPU. So cpl0-native can be told to
 * behave as on a CPU that lacks something.
 */
#ifndef NATIVE_IDENTITY_H
#define NATIVE_IDENTITY_H

#include "kernel/cpu/cpu.h"

/*
 * Takes the features that `words` names out of *cpu: blank- or comma-separated, as in the
 * `features` record, "avx512f avx". NULL or "": nothing. Prints a `warn` record that lists them,
 * and an `error` record for a word that is no feature.
 */
void native_hide(struct cpu *cpu, const char *words);

/* A CPU with every feature and nothing else known of it, for a list that is the same everywhere. */
void native_every(struct cpu *cpu);

#endif
