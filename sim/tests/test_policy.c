/*
 * sim/tests/test_policy.c - replacement policies, on sequences worked out by hand with the
 * definitions of Abel and Reineke ("nanoBench", ISPASS 2020), and the words of --cache and
 * --structure.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "sim/model/cache_words.h"
#include "sim/model/structure_words.h"

enum { LINE = 64, WAY = 4096 };

static void open_cache(struct cache *c, unsigned ways, const char *policy)
{
	struct cache_words words[CACHE_WORDS] = { 0 };
	struct geometry g = { .kb = ways * WAY / 1024, .ways = (uint16_t)ways, .line = LINE };
	char text[64] = "l1d=";

	strcat(text, policy);
	assert_null(cache_words_parse(words, text));
	assert_null(cache_words_apply(&words[CACHE_L1D], &g, &words[CACHE_L1D].replacement));
	assert_true(cache_init(c, &g, &words[CACHE_L1D].replacement));
}

static bool step(struct cache *c, uint64_t address)
{
	bool hit = cache_lookup(c, address, false) != CACHE_MISS;

	if (!hit)
		cache_fill(c, address, false);
	assert_true(cache_has(c, address));
	return hit;
}

/* Letters are lines of set 3, and `hits` has 1 for each that is there. */
static void sequence(const char *policy, unsigned ways, const char *letters, const char *hits)
{
	struct cache c;

	open_cache(&c, ways, policy);
	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned i = 0; letters[i]; i++)
			if (step(&c, (uint64_t)letters[i] * WAY + 3 * LINE) != (hits[i] == '1'))
				fail_msg("%s: letter %u of %s", policy, i + 1, letters);
		cache_empty(&c);
	}
	cache_free(&c);
}

static void test_sequences(void **state)
{
	(void)state;
	sequence("LRU", 4, "ABCDAEA", "0000101");
	sequence("FIFO", 4, "ABCDAEA", "0000100");
	sequence("PLRU", 4, "ABCDEABC", "00000000");
	sequence("PLRUl", 4, "ABCDEABC", "00000010");
	sequence("MRU", 4, "ABCDAEABCA", "0000101000");
	sequence("MRU_N", 4, "ABCDAEABCA", "0000101001");
	sequence("NRU", 4, "ABCDAEABCA", "0000100001");
	sequence("SRRIP", 4, "ABCDAEABCA", "0000101001");
	sequence("QLRU_H11_M1_R1_U2", 4, "ABCDAEABCA", "0000101001");
	sequence("QLRU_H00_M1_R2_U1", 4, "ABCDEABC", "00000110");
	sequence("LRU_PLRU4", 8, "ABCDEFGHIJABCF", "00000000000101");
	sequence("NRU", 1, "AABBA", "01010");
	sequence("MRU", 1, "AABBA", "01010");
}

/* A line that is dropped leaves its way to the next one. */
static void test_drop(void **state)
{
	static const char *const policies[] = { "LRU",   "FIFO", "PLRUl", "MRU",
		                                "MRU_N", "NRU",  "SRRIP", "RANDOM" };

	(void)state;
	for (unsigned i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		struct cache c;

		open_cache(&c, 4, policies[i]);
		for (uint64_t at = 0; at < 4 * WAY; at += WAY)
			step(&c, at);
		cache_drop(&c, 2 * WAY);
		assert_false(cache_fill(&c, 9 * WAY, false).valid);
		assert_true(cache_has(&c, 0) && cache_has(&c, WAY) && cache_has(&c, 3 * WAY));
		cache_free(&c);
	}
}

/* Of a set that is full each way is chosen, and each about as often. */
static void test_random(void **state)
{
	unsigned kept = 0;
	struct cache c;

	(void)state;
	open_cache(&c, 4, "RANDOM");
	for (uint64_t n = 0; n < 4000; n++) {
		kept += cache_has(&c, n / 4 * 4 * WAY);
		cache_fill(&c, n * WAY, false);
	}
	/* each fourth line, after 0, 1 and 2 more: 1000 * (1 + 3/4 + 9/16) = 2312 */
	assert_in_range(kept, 2250, 2375);
	cache_free(&c);
}

/* Sets without a leader follow the policy that misses less: five lines in turn, in four ways. */
static void test_duel(void **state)
{
	struct cache c;
	unsigned hits = 0;

	(void)state;
	open_cache(&c, 4, "QLRU_H00_M1_R0_U0/QLRU_H00_M3_R0_U0");
	for (unsigned pass = 0; pass < 400; pass++)
		for (uint64_t n = 0; n < 5; n++)
			for (uint64_t set = 0; set < 64; set++)
				hits += step(&c, n * WAY + set * LINE) && pass >= 300 && set == 5;
	assert_true(c.misses > DUEL_MOST / 2);
	assert_in_range(hits, 300, 300); /* three of five lines stay */
	cache_free(&c);
}

static void test_words(void **state)
{
	static const char *const wrong[] = {
		"",
		"l3=LRU",
		"l1d",
		"l1d=",
		"l1d=lru",
		"l1d=QLRU_H12_M1_R1_U2",
		"l1d=QLRU_H11_M4_R1_U2",
		"l1d=QLRU_H11_M1_R0_U2",
		"l1d=QLRU_H11_M1_R1_U2_UM",
		"l1d=QLRU_H11_MR13_R1_U2",
		"l1d=LRU/SRRIP",
		"l1d=SRRIP/",
		"l1d=32K:8:64",
		"l1d=32K:8:64:",
		"l1d=32:8:64:LRU",
		"l1d=0K:8:64:LRU",
		"l1d=32K:0:64:LRU",
		"l1d=32K:65:64:LRU",
		"l1d=32K:8:48:LRU",
		"l1d=32K:8:512:LRU",
		"l1d=32K:9:64:LRU",
		"l1d=32K:8:64:64:LRU",
		"l1d=32K:8:64:LRUX",
		"l2=4194304M:8:64:LRU",
	};
	struct cache_words words[CACHE_WORDS] = { 0 };
	struct geometry g = { .kb = 32, .ways = 8, .line = 64 }, none = { 0 };
	struct replacement r;

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!cache_words_parse(words, wrong[i]))
			fail_msg("taken: %s", wrong[i]);
	assert_null(cache_words_parse(words, "l2=1M:16:128:QLRU_H00_MR32_R2_U1_UMO"));
	assert_null(cache_words_apply(&words[CACHE_L2], &g, &r));
	assert_true(g.kb == 1024 && g.ways == 16 && g.line == 128 && r.policy.rarity == 16);
	assert_non_null(cache_words_apply(&words[CACHE_L2], &none, &r));
	assert_null(cache_words_parse(words, "l2=48K:12:64:PLRU"));
	assert_non_null(cache_words_apply(&words[CACHE_L2], &g, &r));
	assert_null(cache_words_parse(words, "l2=40K:10:64:LRU_PLRU4"));
	assert_non_null(cache_words_apply(&words[CACHE_L2], &g, &r));
}

/* Numbers that no structure has, words behind numbers, ways where there are none. */
static void test_structures(void **state)
{
	static const char *const wrong[] = {
		"rob",
		"rob=",
		"rob=1",
		"rob=1024",
		"rob=90:2",
		"rob=9x",
		"robs=9",
		"ro=9",
		"dtlb=64:0",
		"dtlb=65:4",
		"dtlb=64:",
		"dtlb=8193",
		"btb=1024",
		"btb=64:65",
		"store_queue=1000",
		"fill_buffers=33",
		"returns=33",
		"=9",
	};
	struct structure_words w = { 0 };
	struct core_parameters p = { .rob = 224, .scheduler = 97, .fill_buffers_two = 6 };
	struct model m = { .dtlb = { 64, 4 }, .predictor = { .btb_entries = 16, .btb_ways = 4 } };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!structure_words_parse(&w, wrong[i]))
			fail_msg("taken: %s", wrong[i]);
	assert_null(structure_words_parse(&w, "dtlb=48"));
	assert_null(structure_words_parse(&w, "btb=512:8"));
	assert_null(structure_words_parse(&w, "rob=100"));
	assert_null(structure_words_parse(&w, "fill_buffers=4"));
	assert_null(structure_words_apply(&w, &m));
	assert_true(m.dtlb.entries == 48 && m.dtlb.ways == 0);
	assert_true(m.predictor.btb_entries == 512 && m.predictor.btb_ways == 8);
	assert_non_null(structure_words_apply_core(&w, NULL));
	assert_null(structure_words_apply_core(&w, &p));
	assert_true(p.rob == 100 && p.scheduler == 97);
	assert_true(p.fill_buffers == 4 && p.fill_buffers_two == 4);
	assert_null(structure_words_parse(&w, "stlb=512:4"));
	assert_non_null(structure_words_apply(&w, &m));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequences), cmocka_unit_test(test_drop),
		cmocka_unit_test(test_random),    cmocka_unit_test(test_duel),
		cmocka_unit_test(test_words),     cmocka_unit_test(test_structures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
