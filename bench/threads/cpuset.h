/*
 * Which CPUs measure (argument threads=).
 */
#ifndef BENCH_THREADS_CPUSET_H
#define BENCH_THREADS_CPUSET_H

#include <stdint.h>

#include "kernel/lib/args.h"

/*
 * Puts the numbers of the CPUs for this mode into cpu[0..most) and returns how many they are; the
 * boot CPU is the first wherever it can be. 0: the machine has no such CPUs, and *why says what it
 * lacks. THREADS_CORES takes no two threads of one core.
 */
unsigned cpuset_pick(enum args_threads mode, uint16_t *cpu, unsigned most, const char **why);

#endif
