/*
 * sim/step/pmu_host.c - what the PMU asks of its processor.
 */
#include "sim/step/pmu_host.h"

#include <string.h>

#include "sim/cpu/apic.h"
#include "sim/cpu/cpu.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/store.h"
#include "sim/cpu/unicorn.h"
#include "sim/cpu/guest.h"

static void host_pmi(void *ctx)
{
	struct cpu *cpu = ctx;

	apic_pmi(cpu, cpu->flight.step.clocks);
	guest_overflow(cpu);
}

static void host_ibs(void *ctx)
{
	apic_ibs(ctx);
}

static bool host_store(void *ctx, uint64_t linear, const void *p, size_t n)
{
	return store_write(ctx, linear, p, n);
}

static bool host_load(void *ctx, uint64_t linear, void *p, size_t n)
{
	return memory_read(ctx, linear, p, n);
}

void pmu_host_regs(void *ctx, uint64_t regs[18])
{
	static const uint8_t order[16] = { REG_AX, REG_BX, REG_CX, REG_DX, REG_SI, REG_DI,
		                           REG_BP, REG_SP, 8,      9,      10,     11,
		                           12,     13,     14,     15 };
	struct cpu *cpu = ctx;

	regs[0] = unicorn_flags(cpu);
	regs[1] = cpu->flight.step.next_rip;
	for (unsigned i = 0; i < 16; i++)
		regs[2 + i] = unicorn_reg(cpu, order[i]);
}

/* The code hook keeps the copy. */
static bool host_regs_before(void *ctx, uint64_t regs[18])
{
	const struct cpu *cpu = ctx;

	memcpy(regs, cpu->flight.regs_before, sizeof(cpu->flight.regs_before));
	return true;
}

static bool host_xmm(void *ctx, uint8_t xmm[256])
{
	const struct cpu *cpu = ctx;

	for (int i = 0; i < 16; i++)
		uc_reg_read(cpu->engine.uc, UC_X86_REG_XMM0 + i, xmm + 16 * i);
	return true;
}

static uint64_t host_tsc(void *ctx)
{
	return tsc_now(ctx);
}

static bool host_ia32e(void *ctx)
{
	const struct cpu *cpu = ctx;

	return cpu->long_mode;
}

struct sim_pmu_host pmu_host(struct cpu *cpu)
{
	return (struct sim_pmu_host){ .ctx = cpu,
		                      .pmi = host_pmi,
		                      .ibs = host_ibs,
		                      .store = host_store,
		                      .load = host_load,
		                      .regs = pmu_host_regs,
		                      .regs_before = host_regs_before,
		                      .xmm = host_xmm,
		                      .tsc = host_tsc,
		                      .ia32e = host_ia32e };
}
