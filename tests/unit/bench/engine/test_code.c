/*
 * The measured routine (bench/engine/code.h): which instructions stand around the counters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bench/engine/code.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"

enum { SIZE = 64 * 1024 };

struct platform_ring3 platform_ring3(void)
{
	return (struct platform_ring3){ 0 };
}

/* Writes a routine that reads three counters at each end, `outer` around the others. */
static const uint8_t *generate_around(enum platform_fence fence, int outer)
{
	static const uint8_t nop = 0x90;
	static struct bench b = { .name = "nop", .body = &nop, .body_size = 1 };
	static const struct pmu_group group = { .n = 3,
		                                .slots = { { .index = 0, .access = PMU_RDPMC },
		                                           { .index = 1, .access = PMU_RDPMC },
		                                           { .index = 2, .access = PMU_RDPMC } } };
	static uint8_t *low; /* absolute addresses are below 2 GiB */
	struct code_request rq = { .b = &b,
		                   .group = &group,
		                   .fence = fence,
		                   .copies = 1,
		                   .loop = 1,
		                   .offset = -1,
		                   .outer = outer < 0 ? NULL : &group.slots[outer] };
	struct code_returns back;

	if (!low)
		low = mmap(NULL, SIZE + 8192, PROT_READ | PROT_WRITE,
		           MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	assert_ptr_not_equal(low, MAP_FAILED);
	rq.state = (struct code_state *)(low + SIZE);
	rq.rounds = (uint32_t *)(low + SIZE + 4096);
	assert_non_null(code_generate(low, SIZE, &rq, &back));
	return low;
}

static const uint8_t *generate(enum platform_fence fence)
{
	return generate_around(fence, -1);
}

/* How often RDPMC occurs, and how often directly behind `fence`, of three bytes. */
static void count(const uint8_t *code, const char *fence, unsigned *reads, unsigned *fenced)
{
	*reads = *fenced = 0;
	for (size_t i = 3; i + 1 < SIZE; i++)
		if (code[i] == 0x0f && code[i + 1] == 0x33) {
			++*reads;
			*fenced += !memcmp(code + i - 3, fence, 3);
		}
}

static const char lfence[] = "\x0f\xae\xe8", lldt_ax[] = "\x0f\x00\xd0";

static void test_rdpmc_is_fenced(void **state)
{
	unsigned reads, fenced;

	(void)state;
	count(generate(FENCE_LFENCE), lfence, &reads, &fenced);
	assert_int_equal(reads, 6);
	assert_int_equal(fenced, 6);
	/* Where LFENCE may not exist, or does not wait, it is LLDT of 0. */
	count(generate(FENCE_CPUID), lfence, &reads, &fenced);
	assert_int_equal(reads, 6);
	assert_int_equal(fenced, 0);
	count(generate(FENCE_CPUID), lldt_ax, &reads, &fenced);
	assert_int_equal(fenced, 6);
	quirks_set("-lfence_rdpmc");
	count(generate(FENCE_LFENCE), lfence, &reads, &fenced);
	assert_int_equal(reads, 6);
	assert_int_equal(fenced, 0);
	count(generate(FENCE_CPUID), lldt_ax, &reads, &fenced);
	assert_int_equal(fenced, 0);
	quirks_set(NULL);
}

/* The counters that the routine reads, in turn, as a text. */
static const char *order(int outer)
{
	const uint8_t *code = generate_around(FENCE_LFENCE, outer);
	static const char fenced_read[] = "\x0f\xae\xe8\x0f\x33";
	static char turn[7];
	size_t n = 0;

	memset(turn, 0, sizeof(turn));
	for (size_t i = 4; i + 4 < SIZE && n < sizeof(turn) - 1; i++)
		if (!memcmp(code + i, fenced_read, 5)) /* behind MOV ECX, index */
			turn[n++] = (char)('0' + code[i - 4]);
	return turn;
}

/* Whatever comes between two readings is in the count of the outer counter. */
static void test_outer_counter(void **state)
{
	(void)state;
	assert_string_equal(order(-1), "012012");
	assert_string_equal(order(0), "012120");
	assert_string_equal(order(1), "102021");
	assert_string_equal(order(2), "201012");
}

/* INVLPG may empty the whole TLB, so that a body that loads would see a miss in each sample. */
static void test_no_invlpg(void **state)
{
	const uint8_t *code = generate(FENCE_CPUID);

	(void)state;
	for (size_t i = 0; i + 2 < SIZE; i++)
		assert_false(code[i] == 0x0f && code[i + 1] == 0x01 &&
		             (code[i + 2] & 0x38) == 0x38);
}

/* Runs a body that adds to a word; returns how often it was executed. */
static uint32_t executed(uint32_t passes, uint32_t loop, struct code_state **state)
{
	static uint8_t *low;
	static struct bench b = { .name = "inc", .needs = "" };
	uint8_t body[] = { 0xff, 0x04, 0x25, 0, 0, 0, 0 }; /* INC dword [disp32] */
	struct code_request rq = { .b = &b,
		                   .fence = FENCE_LFENCE,
		                   .copies = 3,
		                   .loop = loop,
		                   .passes = passes,
		                   .offset = -1 };
	struct code_returns back;
	uint32_t *word, address;
	void (*entry)(void);

	if (!low)
		low = mmap(NULL, SIZE + 16384, PROT_READ | PROT_WRITE | PROT_EXEC,
		           MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	assert_ptr_not_equal(low, MAP_FAILED);
	rq.state = *state = (struct code_state *)(low + SIZE);
	rq.rounds = (uint32_t *)(low + SIZE + 4096);
	word = rq.rounds + 64;
	address = (uint32_t)(uintptr_t)word;
	memcpy(body + 3, &address, sizeof(address));
	b.body = body;
	b.body_size = sizeof(body);
	rq.state->in[REG_SP] = (uintptr_t)low + SIZE + 16384 - 256;
	*word = 0;
	entry = code_generate(low, SIZE, &rq, &back);
	assert_non_null(entry);
	entry();
	return *word;
}

/* Each pass executes the same, and the times are those of the last. */
static void test_passes(void **state)
{
	struct code_state *s;

	(void)state;
	assert_int_equal(executed(0, 1, &s), 3);
	assert_int_equal(executed(1, 2, &s), 6);
	assert_int_equal(executed(2, 1, &s), 6);
	assert_int_equal(executed(4, 5, &s), 60);
	assert_true(code_value(s->first_tsc) < code_value(s->start_tsc));
	assert_true(code_value(s->start_tsc) < code_value(s->end_tsc));
	assert_true(code_value(s->end_tsc) - code_value(s->start_tsc) <
	            code_value(s->end_tsc) - code_value(s->first_tsc));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rdpmc_is_fenced),
		cmocka_unit_test(test_no_invlpg),
		cmocka_unit_test(test_outer_counter),
		cmocka_unit_test(test_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
