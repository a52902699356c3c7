/*
 * A machine for the drivers of pmu/. It has the model-specific registers that a test gives it,
 * knows which bits may be set, and records every access. It counts nothing.
 */
#ifndef TESTS_UNIT_PMU_PMU_MOCK_H
#define TESTS_UNIT_PMU_PMU_MOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"
#include "pmu/driver.h"

enum { MOCK_REGS = 160, MOCK_LOG = 1 << 17 };

struct mock_reg {
	uint32_t msr;
	uint64_t allowed; /* bits that may be written as 1 */
	uint64_t value;
	uint64_t drops; /* bits that read 0 whatever was written */
};

struct mock_access {
	char kind; /* 'r', 'w', 'p' (RDPMC) */
	uint32_t msr;
	uint64_t value;
};

extern struct mock {
	unsigned nregs, nlog;
	struct mock_reg reg[MOCK_REGS];
	struct mock_access log[MOCK_LOG];
	unsigned strangers;     /* accesses to registers that do not exist */
	unsigned reserved;      /* writes with bits that are not allowed */
	uint32_t stranger, bad; /* the last of each */
	bool pmc_faults;
} mock;

/* Forgets everything. */
void mock_clear(void);

/* n registers from msr on. */
void mock_add(uint32_t msr, unsigned n, uint64_t allowed);

struct mock_reg *mock_find(uint32_t msr);

/* Every register holds a value of its own, as firmware might have left it. */
void mock_fill(void);

/* Value last written to the register in log[from..nlog), or ~0 if none was. */
uint64_t mock_written(uint32_t msr, unsigned from);

/* A CPU of a class, as kernel/cpu/cpu.c would describe it. */
struct cpu mock_cpu(enum cpu_pmu_class pmu_class, uint32_t family, uint32_t model);

/* The same with architectural counters, all events announced. */
struct cpu mock_arch(uint32_t model, unsigned version, unsigned general, unsigned fixed);

/* pmu_hw as pmu_init() would leave it, every counter proven; the driver that took the CPU. */
const struct pmu_driver *mock_probe(const struct cpu *cpu);

/* Lines that the log would have printed since the last call. */
const char *mock_lines(void);

#endif
