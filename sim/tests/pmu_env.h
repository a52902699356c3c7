/*
 * sim/tests/pmu_env.h - a PMU without a machine: hand-made steps, guest memory, registers.
 */
#ifndef SIM_TESTS_PMU_ENV_H
#define SIM_TESTS_PMU_ENV_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sim/pmu/pmu.h"

#define ENV_MEM_BASE 0x10000u
#define ENV_MEM_SIZE 0x10000u

struct env {
	struct sim_pmu *pmu;
	struct sim_step step;
	unsigned pmis, ibs; /* interrupts */
	bool ia32e;
	uint64_t regs[18]; /* after the instruction */
	uint64_t before[18];
	bool has_before;
	uint64_t tsc;
	uint8_t mem[ENV_MEM_SIZE];
};

static bool env_in_memory(uint64_t linear, size_t n)
{
	return linear >= ENV_MEM_BASE && n <= ENV_MEM_SIZE &&
	       linear - ENV_MEM_BASE <= ENV_MEM_SIZE - n;
}

static inline bool env_store(void *ctx, uint64_t linear, const void *p, size_t n)
{
	struct env *env = ctx;

	if (!env_in_memory(linear, n))
		return false;
	memcpy(env->mem + (linear - ENV_MEM_BASE), p, n);
	return true;
}

static inline bool env_load(void *ctx, uint64_t linear, void *p, size_t n)
{
	struct env *env = ctx;

	if (!env_in_memory(linear, n))
		return false;
	memcpy(p, env->mem + (linear - ENV_MEM_BASE), n);
	return true;
}

static inline void env_pmi(void *ctx)
{
	((struct env *)ctx)->pmis++;
}

static inline void env_ibs(void *ctx)
{
	((struct env *)ctx)->ibs++;
}

static inline void env_regs(void *ctx, uint64_t regs[18])
{
	memcpy(regs, ((struct env *)ctx)->regs, 18 * sizeof(regs[0]));
}

static inline bool env_regs_before(void *ctx, uint64_t regs[18])
{
	struct env *env = ctx;

	if (env->has_before)
		memcpy(regs, env->before, 18 * sizeof(regs[0]));
	return env->has_before;
}

static inline uint64_t env_tsc(void *ctx)
{
	return ((struct env *)ctx)->tsc;
}

static inline bool env_ia32e(void *ctx)
{
	return ((struct env *)ctx)->ia32e;
}

static inline void env_open_shared(struct env *env, const char *model, struct sim_pmu *sibling)
{
	const struct sim_pmu_model *m = sim_pmu_model(model);
	struct sim_pmu_host host = {
		.ctx = env,
		.pmi = env_pmi,
		.ibs = env_ibs,
		.store = env_store,
		.load = env_load,
		.regs = env_regs,
		.regs_before = env_regs_before,
		.tsc = env_tsc,
		.ia32e = env_ia32e,
	};

	assert_non_null(m);
	memset(env, 0, sizeof(*env));
	env->pmu = sim_pmu_new(m, &host, sibling);
	assert_non_null(env->pmu);
}

static inline void env_open(struct env *env, const char *model)
{
	env_open_shared(env, model, NULL);
}

static inline void env_close(struct env *env)
{
	sim_pmu_free(env->pmu);
	env->pmu = NULL;
}

/*
 * One instruction at CPL `cpl` that takes `clocks` clocks. Pairs of (signal, occurrences) follow,
 * ended by SIG_COUNT. INSTRUCTIONS is added by itself.
 */
static inline void env_insn(struct env *env, unsigned cpl, unsigned clocks, ...)
{
	va_list ap;
	unsigned sig;

	sim_step_clear(&env->step);
	env->step.cpl = (uint8_t)cpl;
	env->step.clocks = clocks;
	env->step.rip = 0x1000;
	env->step.next_rip = 0x1004;
	sim_step_add(&env->step, SIG_INSTRUCTIONS, 1);
	sim_step_add(&env->step, SIG_REF_CLOCKS, clocks);
	va_start(ap, clocks);
	while ((sig = va_arg(ap, unsigned)) != SIG_COUNT)
		sim_step_add(&env->step, (enum sim_signal)sig, va_arg(ap, unsigned));
	va_end(ap);
	sim_pmu_retire(env->pmu, &env->step);
}

/* `n` plain instructions of one clock each at CPL 0. */
static inline void env_nops(struct env *env, unsigned n)
{
	while (n--)
		env_insn(env, 0, 1, SIG_COUNT);
}

static inline void env_branch(struct env *env, unsigned cpl, enum sim_branch kind, uint64_t from,
                              uint64_t to, bool taken, bool mispredicted)
{
	sim_step_clear(&env->step);
	env->step.cpl = (uint8_t)cpl;
	env->step.clocks = 1;
	env->step.rip = from;
	env->step.next_rip = to;
	sim_step_add(&env->step, SIG_INSTRUCTIONS, 1);
	sim_step_branch(&env->step, kind, taken, mispredicted);
	sim_pmu_retire(env->pmu, &env->step);
}

static inline void env_wrmsr(struct env *env, uint32_t msr, uint64_t value)
{
	assert_int_equal(sim_pmu_wrmsr(env->pmu, msr, value), MSR_OK);
}

static inline uint64_t env_rdmsr(struct env *env, uint32_t msr)
{
	uint64_t value;

	assert_int_equal(sim_pmu_rdmsr(env->pmu, msr, &value), MSR_OK);
	return value;
}

static inline uint64_t env_rdpmc(struct env *env, uint32_t ecx)
{
	uint64_t value;

	assert_int_equal(sim_pmu_rdpmc(env->pmu, ecx, &value), RDPMC_OK);
	return value;
}

/* The write faults, and leaves what was there. */
static inline void env_wrmsr_gp(struct env *env, uint32_t msr, uint64_t value)
{
	uint64_t before = env_rdmsr(env, msr);

	assert_int_equal(sim_pmu_wrmsr(env->pmu, msr, value), MSR_GP);
	assert_int_equal(env_rdmsr(env, msr), before);
}

static inline void env_no_msr(struct env *env, uint32_t msr)
{
	uint64_t value;

	assert_int_equal(sim_pmu_rdmsr(env->pmu, msr, &value), MSR_NOT_MINE);
	assert_int_equal(sim_pmu_wrmsr(env->pmu, msr, 0), MSR_NOT_MINE);
}

/* Every bit of the register, one by one: exactly those of `mask` can be written and read back. */
static inline void env_writable_bits(struct env *env, uint32_t msr, uint64_t mask)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t value = 1ull << bit;

		if (mask & value) {
			env_wrmsr(env, msr, value);
			assert_int_equal(env_rdmsr(env, msr), value);
		} else {
			env_wrmsr_gp(env, msr, value);
		}
	}
	env_wrmsr(env, msr, 0);
}

static inline uint64_t env_mem64(const struct env *env, uint64_t linear)
{
	uint64_t value;

	memcpy(&value, env->mem + (linear - ENV_MEM_BASE), 8);
	return value;
}

static inline uint32_t env_mem32(const struct env *env, uint64_t linear)
{
	return (uint32_t)env_mem64(env, linear);
}

#endif
