/*
 * The event tables as they lie in the kernel's file are packed to a third of their size, so that
 * both kernels stay small; this is the way back. Packed by pmu/gen/events.c: an LZ77 stream of
 * bits, most significant first. 0 and eight bits: a byte. 1, gamma(length - 1), gamma(high + 1),
 * six low bits: `length` bytes again, from high << 6 | low, plus 1, bytes back.
 */
#include "kernel/string.h"
#include "pmu/tables.h"

enum { LOW_BITS = 6, ROW = sizeof(struct pmu_event) };

_Static_assert(sizeof(struct pmu_event) == 14, "the generator lays rows out as this structure");

struct bits {
	const uint8_t *p;
	unsigned at;
};

static unsigned take(struct bits *b, unsigned n)
{
	unsigned v = 0;

	for (; n--; b->at++)
		v = v << 1 | (b->p[b->at / 8] >> (7 - b->at % 8) & 1);
	return v;
}

/* Elias gamma: as many zeros as bits follow the first one. */
static unsigned take_gamma(struct bits *b)
{
	unsigned zeros = 0;

	while (!take(b, 1))
		zeros++;
	return 1u << zeros | take(b, zeros);
}

static void unpack(uint8_t *to, unsigned size)
{
	struct bits b = { pmu_packed, 0 };
	unsigned n = 0;

	while (n < size) {
		unsigned length, high, from;

		if (!take(&b, 1)) {
			to[n++] = (uint8_t)take(&b, 8);
			continue;
		}
		length = take_gamma(&b) + 1;
		high = take_gamma(&b) - 1;
		from = n - 1 - (high << LOW_BITS | take(&b, LOW_BITS));
		while (length-- && n < size)
			to[n++] = to[from++];
	}
}

/* The rows are stored byte plane by byte plane, each name as difference from the row before. */
void pmu_unpack(void)
{
	const uint8_t *plane = pmu_stage + pmu_names_size;
	uint8_t *rows = (uint8_t *)pmu_events;

	unpack(pmu_stage, pmu_names_size + ROW * pmu_events_n);
	memcpy(pmu_names, pmu_stage, pmu_names_size);
	for (unsigned k = 0; k < ROW; k++)
		for (unsigned i = 0; i < pmu_events_n; i++)
			rows[i * ROW + k] = *plane++;
	for (unsigned i = 1; i < pmu_events_n; i++)
		pmu_events[i].name = (uint16_t)(pmu_events[i].name + pmu_events[i - 1].name);
}
