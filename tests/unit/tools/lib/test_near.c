/*
 * tools/lib/near.c must find what kernel/lib/nearest.c finds: two readings of the same rule,
 * which share no source. Words are the names themselves with some letters changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/lib/nearest.h"
#include "tools/lib/near.h"

static const char *const names[] = { "check",    "show",    "compare",   "report",  "db",
	                             "json",     "csv",     "--cpu",     "--list",  "--other",
	                             "skylakex", "skylake", "p5",        "p5mmx",   "ppro",
	                             "pm",       "machine", "last",      "changed", "color",
	                             "output",   "within",  "reference", NULL };

static const char *by_kernel(const char *word)
{
	static char buffer[300];
	struct text t = text_in(buffer, sizeof(buffer));
	struct nearest s = nearest_to(word, strlen(word));

	for (unsigned i = 0; names[i]; i++)
		nearest_try(&s, names[i]);
	nearest_put(&s, &t);
	return buffer;
}

static const char *by_tools(const char *word)
{
	static struct near s;

	s = (struct near){ .word = word };
	for (unsigned i = 0; names[i]; i++)
		near_try(&s, names[i]);
	return near_text(&s);
}

static void known(void **state)
{
	(void)state;
	assert_string_equal(by_tools("comapre"), "; nearest: compare");
	assert_string_equal(by_tools("SKYLAEK"), "; nearest: skylake, skylakex");
	assert_string_equal(by_tools("p4"), "; nearest: p5, pm");
	assert_string_equal(by_tools("frobnicate"), "");
	assert_string_equal(by_tools(""), "");
}

static void agree(void **state)
{
	uint32_t x = 5;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		char word[64];
		size_t n;

		strcpy(word, names[round % 23]);
		for (unsigned changes = round / 23 % 4; changes; changes--) {
			x = x * 1664525 + 1013904223;
			n = strlen(word);
			if (x >> 30 == 0)
				memmove(word + 1, word, n + 1);
			word[(x >> 16) % (n + 1)] = x >> 30 == 1 ? "ep-al"[(x >> 8) % 5] : word[0];
			word[n + (x >> 30 == 0)] = 0;
		}
		assert_string_equal(by_tools(word), by_kernel(word));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known),
		cmocka_unit_test(agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
