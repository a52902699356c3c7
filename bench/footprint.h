/* The footprints of benchmarks, from the sizes of the caches. */
#ifndef BENCH_FOOTPRINT_H
#define BENCH_FOOTPRINT_H

#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* Bytes of the last data cache; 0: CPUID has none. */
uint64_t footprint_last(const struct cpu *cpu);

/*
 * Bytes of a walk whose lines leave all caches before their next access: four times the last cache,
 * and at least 8 MiB, because boards had caches that no CPUID has.
 */
uint64_t footprint_memory(const struct cpu *cpu);

/*
 * Number of low APIC id bits that differ between CPUs of one last cache. 32: CPUID does not tell,
 * and all CPUs are taken to share it.
 */
unsigned footprint_shared_bits(const struct cpu *cpu);

/* The most bytes that benchmarks can use, on a machine of `cpus` logical CPUs. */
uint64_t footprint_most(const struct cpu *cpu, unsigned cpus);

#endif
