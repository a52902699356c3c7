/*
 * sim/tests/test_pmu_fuzz.c - random register writes, reads and steps on every model.
 *
 * Built with the address and undefined-behaviour sanitizers. Checked beside "nothing crashes": a
 * faulting write changes nothing, a written register is still readable, no counter is wider than
 * the model says, an idle PMU does not move. The generator is fixed, so a failure repeats.
 */
#include "pmu_env.h"

#define ROUNDS 3000

static uint64_t seed;

/* xorshift64* */
static uint64_t rnd(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * 0x2545f4914f6cdd1dull;
}

static uint32_t random_msr(void)
{
	static const uint32_t base[] = { 0x10,       0xc1,       0x186,      0x1a6,      0x1c8,
		                         0x1d7,      0x300,      0x309,      0x345,      0x360,
		                         0x38d,      0x3a0,      0x3c0,      0x3f0,      0x40,
		                         0x60,       0x4c1,      0x600,      0x680,      0x6c0,
		                         0xdc0,      0x1200,     0x14ce,     0x1500,     0x1600,
		                         0x1900,     0x1980,     0xc0000300, 0xc0010000, 0xc0010200,
		                         0xc0010230, 0xc0010300, 0xc000010e, 0xc0010015 };

	if (rnd() % 64 == 0)
		return (uint32_t)rnd();
	return base[rnd() % (sizeof(base) / sizeof(base[0]))] + (uint32_t)(rnd() % 40);
}

/* Few bits, many bits, small numbers, addresses of the memory. */
static uint64_t random_value(void)
{
	switch (rnd() % 6) {
	case 0:
		return rnd();
	case 1:
		return rnd() & rnd() & rnd() & 0xffffffff;
	case 2:
		return ENV_MEM_BASE + rnd() % ENV_MEM_SIZE;
	case 3:
		return (uint64_t) - (int64_t)(rnd() % 20);
	case 4:
		return 1ull << (rnd() % 64);
	default:
		return rnd() & 0x00c3ffff; /* an event select */
	}
}

static void random_step(struct env *env)
{
	sim_step_clear(&env->step);
	env->step.cpl = rnd() & 3;
	env->step.clocks = rnd() % 8;
	env->step.rip = rnd();
	env->step.next_rip = rnd();
	env->step.accesses = rnd() % 3;
	for (unsigned i = 0; i < env->step.accesses; i++)
		env->step.access[i] = (struct sim_access){ .linear = rnd(),
			                                   .level = (enum sim_level)(rnd() & 3),
			                                   .dtlb_miss = rnd() & 1 };
	if (rnd() % 4)
		sim_step_add(&env->step, SIG_INSTRUCTIONS, 1);
	if (rnd() % 3 == 0)
		sim_step_branch(&env->step, (enum sim_branch)(rnd() % 8), rnd() & 1, rnd() & 1);
	else if (rnd() % 16 == 0)
		sim_step_interrupt(&env->step, rnd() & 1);
	for (unsigned i = rnd() % 6; i; i--)
		sim_step_add(&env->step, (enum sim_signal)(rnd() % SIG_COUNT),
		             rnd() % 50 ? rnd() % 5 : (uint32_t)rnd());
	sim_pmu_retire(env->pmu, &env->step);
}

static void random_write(struct env *env)
{
	uint32_t msr = random_msr();
	uint64_t before, after, value = random_value();
	enum sim_msr read = sim_pmu_rdmsr(env->pmu, msr, &before);
	enum sim_msr r = sim_pmu_wrmsr(env->pmu, msr, value);

	if ((read == MSR_NOT_MINE) != (r == MSR_NOT_MINE))
		fail_msg("%s: MSR %x: read %d, write %d", env->pmu->model->name, msr, read, r);
	if (r == MSR_NOT_MINE)
		return;
	assert_int_equal(sim_pmu_rdmsr(env->pmu, msr, &after), MSR_OK);
	if (r == MSR_GP)
		assert_int_equal(after, before);
}

static void check_counters(struct env *env)
{
	const struct sim_pmu_model *m = env->pmu->model;
	uint64_t value;

	for (uint32_t n = 0; n < m->counters; n++)
		if (sim_pmu_rdpmc(env->pmu, n, &value) == RDPMC_OK)
			assert_int_equal(value >> m->width, 0);
	sim_pmu_rdpmc(env->pmu, (uint32_t)rnd(), &value);
}

/* What an idle PMU shows before and after a step is the same. */
static void check_idle(struct env *env)
{
	uint64_t before[18] = { 0 }, after;
	unsigned pmis = env->pmis;

	if (!sim_pmu_idle(env->pmu))
		return;
	for (uint32_t n = 0; n < env->pmu->model->counters; n++)
		sim_pmu_rdpmc(env->pmu, n, &before[n]);
	random_step(env);
	for (uint32_t n = 0; n < env->pmu->model->counters; n++) {
		after = 0;
		sim_pmu_rdpmc(env->pmu, n, &after);
		assert_int_equal(after, before[n]);
	}
	assert_int_equal(env->pmis, pmis);
}

static void fuzz_model(const char *name)
{
	static struct env env, other;

	seed = 0x9e3779b97f4a7c15;
	env_open(&env, name);
	env_open_shared(&other, name, env.pmu);
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct env *e = rnd() % 4 ? &env : &other;

		e->ia32e = rnd() & 1;
		e->has_before = rnd() & 1;
		if (rnd() % 100 == 0)
			for (unsigned k = 0; k < 64; k++)
				e->mem[rnd() % ENV_MEM_SIZE] = (uint8_t)rnd();
		if (rnd() % 200 == 0)
			sim_pmu_set_fault(e->pmu, (enum sim_pmu_fault)(rnd() % PMU_FAULT_GP), 0);
		if (rnd() % 200 == 0)
			sim_pmu_halt(e->pmu);
		if (rnd() % 500 == 0)
			sim_pmu_reset(e->pmu);
		random_write(e);
		for (unsigned k = rnd() % 8; k; k--)
			random_step(e);
		check_idle(e);
		check_counters(e);
		sim_pmu_pmi_line(e->pmu);
		sim_pmu_pin(e->pmu, rnd() & 3);
	}
	env_close(&env);
	env_close(&other);
}

static void test_fuzz(void **state)
{
	(void)state;
	for (unsigned i = 0; sim_pmu_model_at(i); i++)
		if (sim_pmu_model_at(i)->kind != SIM_PMU_NONE)
			fuzz_model(sim_pmu_model_at(i)->name);
}

/* A PMU that is not there answers nothing. */
static void test_none(void **state)
{
	struct env env;
	uint64_t value;

	(void)state;
	env_open(&env, "none");
	assert_true(sim_pmu_idle(env.pmu));
	assert_int_equal(sim_pmu_rdmsr(env.pmu, 0x186, &value), MSR_NOT_MINE);
	assert_int_equal(sim_pmu_wrmsr(env.pmu, 0x186, 0), MSR_NOT_MINE);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 0, &value), RDPMC_GP);
	env_nops(&env, 1);
	env_close(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fuzz),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
