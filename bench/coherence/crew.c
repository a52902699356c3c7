/*
 * The CPUs of the bare machine (bench/coherence/crew.h): this kernel starts none beside its own.
 */
#include <stddef.h>

#include "bench/coherence/crew.h"

const uint32_t crew_patience_ms = 2000;

unsigned crew_size(void)
{
	return 1;
}

uint32_t crew_name(unsigned i)
{
	return i;
}

const char *crew_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                     void *data)
{
	(void)who;
	if (n > 1)
		return "there is one CPU";
	work(data, 0);
	return NULL;
}
