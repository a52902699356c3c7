/*
 * sim/cpu/cpuid.h - what CPUID returns.
 */
#ifndef SIM_CPU_CPUID_H
#define SIM_CPU_CPUID_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct model;

/* out: EAX, EBX, ECX, EDX */
void cpuid_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4]);
/* A feature bit of the model as the silicon has it; reg: 0 EAX to 3 EDX. */
bool cpuid_bit(const struct model *model, uint32_t leaf, uint32_t subleaf, unsigned reg,
               unsigned bit);
/* A feature bit of the real part, which may have what this processor has not. */
bool cpuid_part_bit(const struct model *model, uint32_t leaf, unsigned reg, unsigned bit);

#endif
