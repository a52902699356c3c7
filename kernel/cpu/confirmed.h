/* The machines on which a deviation of the counters is a defect (docs/machines/README.md). */
#ifndef KERNEL_CPU_CONFIRMED_H
#define KERNEL_CPU_CONFIRMED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* A CPU model whose checks all came out exact on real hardware, as cpu_identify() numbers it. */
struct confirmed {
	enum cpu_vendor vendor;
	uint16_t family, model; /* family 0 ends the table */
};

/* A row needs a log in docs/machines, which names the model. There is no row yet. */
extern const struct confirmed confirmed_models[];

/* Is this the simulator, an emulator or a hypervisor? */
bool confirmed_is_virtual(const struct cpu *cpu);

/*
 * Is a deviation of the counters a defect? Yes on a model of the table, whose counters are known to
 * be right. Yes on an emulator and under a hypervisor, where the caller repeats a check before it
 * asks. No on any other machine: the tables of events are unproven there, and the machine may be
 * right.
 */
bool confirmed_must_agree(const struct confirmed *table, const struct cpu *cpu);

#endif
