/*
 * The derived core clock (bench/engine/core_clock.h).
 */
#include "bench/engine/core_clock.h"
#include "bench/engine/code.h"
#include "bench/engine/guest.h"
#include "bench/engine/stats.h"
#include "kernel/lib/log.h"

enum {
	CHAIN_BYTES = 2048, /* of the code buffer for a chain */
	CHAIN_COPIES = 64,
	COST_LOOP = 16,   /* rounds of the short chains that tell what the bracket costs */
	ADD_ROUNDS = 256, /* of the chains of a sample, times ... */
	MUL_ROUNDS = 64,
	STEP_SHORT = 4, /* ... the step of the TSC in this many ticks */
	CHAINS = 4,     /* chain runs of a sample: two before, two after */
	CHAIN_ERROR =
		4, /* steps that a chain may be off: its reading, three more in its fixed cost */
	CHAIN_PAIRS = 31, /* runs of both chains that tell their fixed cost */
	STEADY = 100,     /* two chains may differ by one part in so many */
	GUEST_TRIES = 16, /* of a chain in a guest, of which so many ... */
	GUEST_ALIKE = 13, /* ... must be without an exit, or it gets shorter ... */
	SHORTEST = 16,    /* ... down to this part */
};

_Static_assert(CORE_CLOCK_CODE == 3 * CHAIN_BYTES,
               "chain_cost() has two chains, the other a third");

#define SIGN ((uint64_t)1 << 63)

struct chain {
	void (*run)(void); /* NULL: there is none */
	uint64_t fixed;    /* TSC ticks that are not of the chain: bracket, end of the loop */
};

static struct code_state state;
static uint32_t rounds_left;
static struct chain adds, muls;
static uint32_t mul_clocks; /* of a multiplication; 0: not known */
static uint64_t scratch[CHAIN_PAIRS];
static enum platform_fence fence;
static uint32_t step;               /* ticks that a reading may be off */
static uint32_t add_loop, mul_loop; /* rounds */

static uint64_t state_ticks(void)
{
	uint64_t start = (uint64_t)state.start_tsc[1] << 32 | state.start_tsc[0];
	uint64_t end = (uint64_t)state.end_tsc[1] << 32 | state.end_tsc[0];

	return end - start;
}

/* TSC ticks of a chain now. */
static uint64_t chain_ticks(const struct chain *c)
{
	c->run();
	return state_ticks() - c->fixed;
}

bool core_clock_derived(void)
{
	return adds.run != NULL;
}

void core_clock_before(struct core_clock *c)
{
	c->adds[0] = chain_ticks(&adds);
	c->muls[0] = mul_clocks ? chain_ticks(&muls) : 0;
}

void core_clock_after(struct core_clock *c)
{
	c->muls[1] = mul_clocks ? chain_ticks(&muls) : 0;
	c->adds[1] = chain_ticks(&adds);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

static bool close(uint64_t a, uint64_t b)
{
	return a && b && distance(a, b) * STEADY <= a;
}

/*
 * Does no other thread use the core? Such a thread takes issue slots now and then. That delays a
 * chain of ADDs by a few parts in a hundred, and the body by some other part. It hardly delays a
 * chain of multiplications, which waits for its own results most of the time.
 */
static bool unshared(const struct core_clock *c)
{
	const uint64_t rounds = mul_clocks * mul_loop;

	return !mul_clocks || (close(c->adds[0] * rounds, c->muls[0] * add_loop) &&
	                       close(c->adds[1] * rounds, c->muls[1] * add_loop));
}

enum core_verdict core_clock_of(const struct core_clock *c, uint64_t ticks, struct core_time *t)
{
	const uint64_t clocks = (uint64_t)2 * CHAIN_COPIES * (add_loop + mul_clocks * mul_loop);
	const uint64_t before = c->adds[0] + c->muls[0], after = c->adds[1] + c->muls[1];
	const uint64_t sum = before + after;
	const uint64_t sum_error = distance(before, after) + CHAINS * CHAIN_ERROR * step;

	if (!close(c->adds[0], c->adds[1]))
		return CORE_UNSTEADY;
	if (!unshared(c))
		return CORE_SHARED;
	t->milli = ticks / sum * 1000 * clocks + ticks % sum * 1000 * clocks / sum;
	t->error = t->milli * sum_error / sum + step * 1000 * clocks / sum;
	return CORE_KNOWN;
}

/*
 * Writes a chain of one instruction to the index-th part of the code buffer; NULL if it does not
 * fit.
 */
static void (*chain_code(const struct bench *b, unsigned index, uint32_t loop))(void)
{
	struct code_request rq = { .b = b,
		                   .state = &state,
		                   .rounds = &rounds_left,
		                   .fence = fence,
		                   .copies = CHAIN_COPIES,
		                   .loop = loop,
		                   .offset = -1 };
	struct code_returns unused;
	size_t size;

	return code_generate(platform_code(&size) + index * CHAIN_BYTES, CHAIN_BYTES, &rq, &unused);
}

/*
 * What a run of a chain costs besides its instructions: twice a short run, less a run of twice the
 * rounds. The two runs follow each other directly, so that a change of the core's clock between
 * them is rare, and the median leaves it out.
 */
static uint64_t chain_cost(const struct bench *b, unsigned index)
{
	void (*once)(void) = chain_code(b, index, COST_LOOP);
	void (*twice)(void) = chain_code(b, index + 1, 2 * COST_LOOP);
	uint64_t median;

	for (unsigned i = 0; once && twice && i < CHAIN_PAIRS; i++) {
		once();
		scratch[i] = 2 * state_ticks();
		twice();
		scratch[i] += SIGN - state_ticks(); /* below 0 sorts before above 0 */
	}
	median = stats_of(scratch, CHAIN_PAIRS).med;
	return median > SIGN ? median - SIGN : 0;
}

static bool make_chain(struct chain *c, const struct bench *b, unsigned index, uint32_t loop)
{
	c->fixed = chain_cost(b, index);
	c->run = chain_code(b, index, loop);
	return c->run != NULL;
}

/*
 * Clocks of a multiplication by the ADDs: the nearest whole number, 0 if none is within a quarter.
 */
static uint32_t measure_mul(void)
{
	enum { PART = 16 }; /* of a clock */
	uint64_t median;

	for (unsigned i = 0; i < CHAIN_PAIRS; i++) {
		uint64_t ticks = chain_ticks(&adds);

		scratch[i] = ticks ? chain_ticks(&muls) * PART * add_loop / mul_loop / ticks : 0;
	}
	median = stats_of(scratch, CHAIN_PAIRS).med + PART / 4;
	return median % PART <= PART / 2 ? (uint32_t)(median / PART) : 0;
}

/* Does the host of a guest seldom come into a chain? */
static bool undisturbed(const struct chain *c)
{
	uint64_t ticks[GUEST_TRIES];
	bool late[GUEST_TRIES];

	for (unsigned i = 0; i < GUEST_TRIES; i++)
		ticks[i] = chain_ticks(c);
	return guest_late(ticks, GUEST_TRIES, GUEST_LATE, late) <= GUEST_TRIES - GUEST_ALIKE;
}

/* Chains of one part in `shorter` of their rounds; false: the code does not fit. */
static bool make_chains(const struct bench b[2], uint32_t shorter)
{
	const uint32_t steps = (step + STEP_SHORT - 1) / STEP_SHORT;

	add_loop = ADD_ROUNDS / shorter * steps;
	mul_loop = MUL_ROUNDS / shorter * steps;
	return make_chain(&muls, &b[1], 0, mul_loop) && make_chain(&adds, &b[0], 1, add_loop);
}

/* The longest chains that a guest has for itself; the full length if none is so short. */
static bool fit_chains(const struct bench b[2])
{
	for (uint32_t shorter = 1; shorter <= SHORTEST; shorter *= 2) {
		if (!make_chains(b, shorter))
			return false;
		if (undisturbed(&muls) && undisturbed(&adds))
			return true;
	}
	return make_chains(b, 1);
}

/* Does the TSC itself count core clocks, as it did until clocks began to change under it? */
static bool tsc_is_core_clock(const struct cpu *cpu)
{
	return cpu->pmu_class == PMU_CLASS_P5 || cpu->pmu_class == PMU_CLASS_P5MMX ||
	       cpu->pmu_class == PMU_CLASS_P6;
}

/* The chains, where no counter counts core clocks. They run at CPL 0 or as the process does. */
void core_clock_init(const struct bench_run *run, enum platform_fence its_fence, uint32_t its_step)
{
	static const uint8_t add[] = { 0x01, 0xc8 };       /* ADD EAX, ECX */
	static const uint8_t mul[] = { 0x0f, 0xaf, 0xc1 }; /* IMUL EAX, ECX */
	static const struct bench b[2] = {
		{ .name = "adds", .body = add, .body_size = sizeof(add) },
		{ .name = "multiplications", .body = mul, .body_size = sizeof(mul) },
	};

	adds.run = NULL;
	if (run->plan.ngroups || tsc_is_core_clock(run->cpu))
		return;
	fence = its_fence;
	step = its_step;
	state.in[REG_AX] = 1;
	state.in[REG_CX] = 2;
	state.in[REG_SP] = (uintptr_t)run->area.stack;
	if (cpu_has_host(run->cpu) && platform_privileged() ? fit_chains(b) : make_chains(b, 1))
		mul_clocks = measure_mul();
	log_begin("clock");
	log_str("source", "chains");
	log_dec("mul_clocks", mul_clocks);
	log_end();
}
