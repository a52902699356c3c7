/*
 * Levels of caches (kernel/console/levels.h).
 */
#include "kernel/console/levels.h"
#include "kernel/lib/string.h"

uint64_t levels_measured(const struct record *r)
{
	const uint64_t size = record_number(r, "size");

	return size ? size : record_number(r, "fits");
}

/* Of `geometry.l2`: what was measured counts where the CPU tells something else, or nothing. */
static void take_measured(struct levels *t, const struct record *r)
{
	static const char name[] = "geometry.l";
	char bench[sizeof(name) + 8], verdict[8];
	unsigned level;

	record_get(r, "bench", bench, sizeof(bench));
	record_get(r, "verdict", verdict, sizeof(verdict));
	if (strncmp(bench, name, sizeof(name) - 1) ||
	    (strcmp(verdict, "differs") && strcmp(verdict, "untold")))
		return;
	level = (unsigned)(bench[sizeof(name) - 1] - '0');
	if (level && level <= LEVELS)
		t->bytes[level - 1] = levels_measured(r);
}

void levels_take(struct levels *t, const struct record *r)
{
	const uint64_t level = record_number(r, "level");
	char type[8];

	if (record_is(r, "geometry"))
		take_measured(t, r);
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
