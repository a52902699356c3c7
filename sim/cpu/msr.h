/*
 * sim/cpu/msr.h - model-specific registers.
 */
#ifndef SIM_CPU_MSR_H
#define SIM_CPU_MSR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cpu;

/* The registers as after RESET. */
void msr_reset(struct cpu *cpu);
/* False: #GP. */
bool msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value);
bool msr_write(struct cpu *cpu, uint32_t msr, uint64_t value);
/* Prints the registers that do not hold what they held at reset. */
void msr_print_changed(struct cpu *cpu, FILE *out);

#endif
