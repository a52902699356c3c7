/*
 * Levels of caches (kernel/console/levels.h).
 */
#include "kernel/console/levels.h"
#include "kernel/lib/string.h"

void levels_take(struct levels *t, const struct record *r)
{
	const uint64_t level = record_number(r, "level");
	char type[8];

	if (!record_is(r, "cache") || !level || level > LEVELS)
		return;
	record_get(r, "type", type, sizeof(type));
	if (!strcmp(type, "data") || !strcmp(type, "unified"))
		t->bytes[level - 1] = record_number(r, "size");
}

unsigned levels_of(const struct levels *t, uint64_t bytes)
{
	for (unsigned i = 0; i < LEVELS && t->bytes[i]; i++)
		if (bytes <= t->bytes[i])
			return i + 1;
	return 0;
}

uint64_t levels_bytes(const char *bench)
{
	const char *p = strchr(bench, '.');
	uint64_t n = 0;

	for (p = p ? p + 1 : ""; *p >= '0' && *p <= '9'; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	if (p[0] && p[1])
		return 0;
	return *p == 'k' ? n << 10 : *p == 'm' ? n << 20 : *p == 'g' ? n << 30 : 0;
}
