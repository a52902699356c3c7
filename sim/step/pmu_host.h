/*
 * sim/step/pmu_host.h - what the PMU asks of its processor: interrupts, memory, registers.
 */
#ifndef SIM_STEP_PMU_HOST_H
#define SIM_STEP_PMU_HOST_H

#include <stdint.h>

#include "sim/pmu/pmu.h"

struct cpu;

/* The functions that sim_pmu_new() needs for the PMU of this processor. */
struct sim_pmu_host pmu_host(struct cpu *cpu);
/* FLAGS IP AX BX CX DX SI DI BP SP R8..R15 of a struct cpu; IP is that of its step. */
void pmu_host_regs(void *cpu, uint64_t regs[18]);

#endif
