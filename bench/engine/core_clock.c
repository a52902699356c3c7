/*
 * The derived core clock (bench/engine/core_clock.h).
 */
#include "bench/engine/core_clock.h"
#include "bench/engine/code.h"
#include "bench/engine/stats.h"
#include "kernel/log.h"

enum {
	CHAIN_BYTES = 2048, /* of the code buffer for a chain */
	CHAIN_COPIES = 64,
	COST_LOOP = 16,   /* rounds of the short chains that tell what the bracket costs */
	ADD_LOOP = 256,   /* 16384 ADDs: a TSC that counts in steps of 25 is 0.2 % off */
	MUL_LOOP = 64,    /* rounds of the second chain */
	CHAIN_PAIRS = 31, /* runs of both chains that tell their fixed cost */
	STEADY = 100,     /* two chains may differ by one part in so many */
};

_Static_assert(CORE_CLOCK_CODE == 3 * CHAIN_BYTES,
               "chain_cost() has two chains, the other a third");

#define SIGN ((uint64_t)1 << 63)

struct chain {
	void (*run)(void); /* NULL: there is none */
	uint64_t fixed;    /* TSC ticks that are not of the chain: bracket, end of the loop */
};

static struct code_state state;
static struct chain adds, muls;
static uint32_t mul_clocks; /* of a multiplication; 0: not known */
static uint64_t scratch[CHAIN_PAIRS];
static enum host_fence fence;

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

static bool close(uint64_t a, uint64_t b)
{
	return a && b && (a < b ? b - a : a - b) * STEADY <= a;
}

/*
 * Another thread on the same core takes issue slots now and then. That delays a chain of adds by a
 * few parts in a hundred and the body by others, but hardly one of multiplications, which waits for
 * its own results most of the time.
 */
static bool unshared(const struct core_clock *c)
{
	const uint64_t rounds = mul_clocks * MUL_LOOP;

	return !mul_clocks || (close(c->adds[0] * rounds, c->muls[0] * ADD_LOOP) &&
	                       close(c->adds[1] * rounds, c->muls[1] * ADD_LOOP));
}

enum core_verdict core_clock_of(const struct core_clock *c, uint64_t ticks, uint64_t *milli)
{
	const uint64_t clocks = 2 * CHAIN_COPIES * (ADD_LOOP + mul_clocks * MUL_LOOP);

	if (!close(c->adds[0], c->adds[1]))
		return CORE_UNSTEADY;
	if (!unshared(c))
		return CORE_SHARED;
	*milli = ticks * 1000 * clocks / (c->adds[0] + c->adds[1] + c->muls[0] + c->muls[1]);
	return CORE_KNOWN;
}

/* Writes a chain of one instruction to the index-th part of the code buffer; NULL if it does not fit. */
static void (*chain_code(const struct bench *b, unsigned index, uint32_t loop))(void)
{
	struct code_request rq = { .b = b,
		                   .state = &state,
		                   .fence = fence,
		                   .copies = CHAIN_COPIES,
		                   .loop = loop,
		                   .offset = -1 };
	const void *unused;
	size_t size;

	return code_generate(host_code(&size) + index * CHAIN_BYTES, CHAIN_BYTES, &rq, &unused);
}

/*
 * What a run of a chain costs besides its instructions: twice a short run less a run of twice the
 * rounds, from neighbours in time, so that a change of the core's clock does not get in.
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

/* Clocks of a multiplication by the adds, the nearest whole number; 0 if none is within a quarter. */
static uint32_t measure_mul(void)
{
	enum { PART = 16 };
	uint64_t median;

	for (unsigned i = 0; i < CHAIN_PAIRS; i++) {
		uint64_t ticks = chain_ticks(&adds);

		scratch[i] /* in parts */ =
			ticks ? chain_ticks(&muls) * PART * ADD_LOOP / MUL_LOOP / ticks : 0;
	}
	median = stats_of(scratch, CHAIN_PAIRS).med + PART / 4;
	return median % PART <= PART / 2 ? (uint32_t)(median / PART) : 0;
}

/* Does the TSC itself count core clocks, as it did until clocks began to change under it? */
static bool tsc_is_core_clock(const struct cpu *cpu)
{
	return cpu->pmu_class == PMU_CLASS_P5 || cpu->pmu_class == PMU_CLASS_P5MMX ||
	       cpu->pmu_class == PMU_CLASS_P6;
}

/* The chains, where no counter counts core clocks. They run at CPL 0 or as the process does. */
void core_clock_init(const struct bench_run *run, enum host_fence its_fence)
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
	state.in[REG_AX] = 1;
	state.in[REG_CX] = 2;
	state.in[REG_SP] = (uintptr_t)run->area.stack;
	if (make_chain(&muls, &b[1], 0, MUL_LOOP) && make_chain(&adds, &b[0], 1, ADD_LOOP))
		mul_clocks = measure_mul();
	log_begin("clock");
	log_str("source", "chains");
	log_dec("mul_clocks", mul_clocks);
	log_end();
}
