/*
 * The user's own bytes from the kernel arguments code= and init=, as a benchmark called `code`.
 */
#include "bench/bench.h"
#include "bench/snippet_load.h"
#include "bench/usercode.h"
#include "kernel/lib/log.h"

static struct bench given;
static uint8_t bytes[2048];
static bool present;

bool usercode_init(struct args *args)
{
	const char *why;

	present = false;
	if (!args->code) {
		if (args->init)
			log_error("init", NULL, "without code= there is nothing to prepare for");
		args->lost |= args->init != NULL;
		return false;
	}
	why = snippet_load_hex(&given, args->code, args->init, bytes, sizeof(bytes));
	if (why)
		log_error("code", args->code, why);
	args->lost |= why != NULL;
	present = !why;
	return present;
}

static bool usercode_get(unsigned i, struct bench *b, const struct cpu *cpu,
                         const struct bench_area *area, const char **skip)
{
	(void)cpu;
	(void)area;
	(void)skip;
	if (i || !present)
		return false;
	*b = given;
	b->user = true;
	return true;
}

static const struct bench_source usercode = { .name = "code", .get = usercode_get };
BENCH_SOURCE(usercode);
