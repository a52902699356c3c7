/*
 * On which machines a deviation of the counters is a defect (docs/machines/README.md).
 */
#ifndef KERNEL_CPU_CONFIRMED_H
#define KERNEL_CPU_CONFIRMED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* A CPU model whose checks all came out exact on real hardware, as cpu_detect() numbers it. */
struct confirmed {
	enum cpu_vendor vendor;
	uint16_t family, model; /* family 0 ends the table */
};

/* A row needs a log that docs/machines keeps, and is named there. There is none yet. */
extern const struct confirmed confirmed_models[];

/* The simulator, an emulator or a hypervisor. */
bool confirmed_is_virtual(const struct cpu *cpu);

/*
 * A deviation is a defect where the counters are known to be right: on a model of the table. It is
 * a defect on an emulator or under a hypervisor as well, either theirs or ours, if it stays when
 * the check is made again. On any other machine the tables of events themselves are unproven, and
 * the machine may be right.
 */
bool confirmed_must_agree(const struct confirmed *table, const struct cpu *cpu);

#endif
