/*
 * The machine of the pmu tests: see pmu_mock.h.
 */
#include "tests/unit/pmu/pmu_mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/log.h"
#include "kernel/cpu/msr.h"
#include "pmu/internal.h"

struct mock mock;

void mock_clear(void)
{
	memset(&mock, 0, sizeof(mock));
}

void mock_add(uint32_t msr, unsigned n, uint64_t allowed)
{
	for (unsigned i = 0; i < n; i++)
		mock.reg[mock.nregs++] = (struct mock_reg){ msr + i, allowed, 0, 0 };
}

struct mock_reg *mock_find(uint32_t msr)
{
	for (unsigned i = 0; i < mock.nregs; i++)
		if (mock.reg[i].msr == msr)
			return &mock.reg[i];
	return 0;
}

void mock_fill(void)
{
	for (unsigned i = 0; i < mock.nregs; i++)
		mock.reg[i].value = (0x0123456789abcdefull + i * 0x1111) & mock.reg[i].allowed;
}

static void note(char kind, uint32_t msr, uint64_t value)
{
	if (mock.nlog == MOCK_LOG)
		abort();
	mock.log[mock.nlog++] = (struct mock_access){ kind, msr, value };
}

uint64_t mock_written(uint32_t msr, unsigned from)
{
	for (unsigned i = mock.nlog; i-- > from;)
		if (mock.log[i].kind == 'w' && mock.log[i].msr == msr)
			return mock.log[i].value;
	return ~0ull;
}

bool msr_read(uint32_t msr, uint64_t *value)
{
	struct mock_reg *r = mock_find(msr);

	*value = r ? r->value : 0;
	note('r', msr, *value);
	if (!r) {
		mock.strangers++;
		mock.stranger = msr;
	}
	return r;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	struct mock_reg *r = mock_find(msr);

	note('w', msr, value);
	if (!r) {
		mock.strangers++;
		mock.stranger = msr;
		return false;
	}
	if (value & ~r->allowed) {
		mock.reserved++;
		mock.bad = msr;
		return false;
	}
	r->value = value & ~r->drops;
	return true;
}

bool pmc_read(uint32_t index, uint64_t *value)
{
	note('p', index, 0);
	*value = 0;
	return !mock.pmc_faults;
}

struct cpu mock_cpu(enum cpu_pmu_class pmu_class, uint32_t family, uint32_t model)
{
	struct cpu cpu = { .has_cpuid = true, .vendor = VENDOR_INTEL, .family = family };

	if (pmu_class == PMU_CLASS_AMD)
		cpu.vendor = VENDOR_AMD;
	cpu.model = model;
	cpu.pmu_class = pmu_class;
	cpu.pmu_reason = "";
	return cpu;
}

struct cpu mock_arch(uint32_t model, unsigned version, unsigned general, unsigned fixed)
{
	struct cpu cpu = mock_cpu(PMU_CLASS_ARCH, 6, model);

	cpu.arch.version = (uint8_t)version;
	cpu.arch.counters = (uint8_t)general;
	cpu.arch.width = 48;
	cpu.arch.events_length = version < 5 ? 7 : 8;
	cpu.arch.fixed = (uint8_t)fixed;
	cpu.arch.fixed_width = 48;
	cpu.arch.any_deprecated = version >= 5;
	return cpu;
}

const struct pmu_driver *mock_probe(const struct cpu *cpu)
{
	struct pmu_hw *hw = &pmu_hw;

	for (unsigned i = 0;; i++) {
		*hw = (struct pmu_hw){ .driver = pmu_drivers[i], .cpu = cpu };
		if (hw->driver->probe(hw, cpu))
			break;
	}
	hw->usable = (uint32_t)((1ull << hw->ncounters) - 1);
	return hw->driver;
}

static char lines[1 << 20];
static size_t nlines;

static void catch (const char *line, size_t n)
{
	if (nlines + n >= sizeof(lines))
		abort();
	memcpy(lines + nlines, line, n);
	nlines += n;
	lines[nlines] = 0;
}

const char *mock_lines(void)
{
	static char copy[sizeof(lines)];

	memcpy(copy, lines, nlines + 1);
	nlines = 0;
	lines[0] = 0;
	log_sink(catch);
	return copy;
}
