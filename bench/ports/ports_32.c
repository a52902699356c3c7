/*
 * Ports of instructions (bench/ports/ports.h): not in this kernel.
 */
#include "bench/ports/ports.h"
#include "kernel/lib/log.h"

bool ports_init(const struct bench_run *run)
{
	(void)run;
	log_error("ports", NULL, "only the 64-bit kernel does this");
	return false;
}

const char *ports_bench(const struct bench_run *run, const struct bench *b)
{
	(void)run;
	(void)b;
	return NULL;
}
