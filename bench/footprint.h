/*
 * How much memory a benchmark must walk through, as the sizes of the caches say.
 */
#ifndef BENCH_FOOTPRINT_H
#define BENCH_FOOTPRINT_H

#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* Bytes of the last data cache; 0: the CPU tells of none. */
uint64_t footprint_last(const struct cpu *cpu);

/*
 * Bytes of which no cache keeps a line until a walk comes by it again: four times the last cache,
 * and 8 MiB at least, because boards had caches of which no CPU tells.
 */
uint64_t footprint_memory(const struct cpu *cpu);

/* How many low bits of an APIC id tell CPUs apart that share the last cache; 32: they all do. */
unsigned footprint_shared_bits(const struct cpu *cpu);

/* The most bytes that benchmarks have use for, on a machine of so many logical CPUs. */
uint64_t footprint_most(const struct cpu *cpu, unsigned cpus);

#endif
