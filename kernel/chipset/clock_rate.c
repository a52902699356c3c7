/*
 * Rates out of readings; see clock_rate.h.
 * Source: SDM volume 3B "Time-Stamp Counter" (table of nominal core crystal clocks).
 */
#include <stddef.h>

#include "kernel/chipset/clock_rate.h"

enum {
	ROUNDS = 3,
	ROUND_HZ = 500,    /* a round takes 1/500 s */
	STILL_POLLS = 256, /* readings without a change: the clock stands still */
	MAX_POLLS =
		200000, /* a 2 ms round has half of these at 5 GHz, if a reading takes no time */
};

static uint32_t elapsed(const struct clock_source *s, uint32_t from, uint32_t to)
{
	return (s->down ? from - to : to - from) & s->mask;
}

/* NULL and the rate, or the reason why there is none. */
static const char *one_round(const struct clock_source *s, uint64_t *tsc_hz)
{
	struct clock_reading a = s->read(s), b = a;
	uint32_t ticks = 0;

	for (unsigned i = 0; b.ticks == a.ticks; i++) {
		if (i == STILL_POLLS)
			return "stands still";
		s->wait();
		b = s->read(s);
	}
	a = b;
	for (unsigned i = 0; ticks < s->hz / ROUND_HZ; i++) {
		if (i == MAX_POLLS)
			return "too slow";
		s->wait();
		b = s->read(s);
		ticks = elapsed(s, a.ticks, b.ticks);
	}
	if (b.tsc <= a.tsc)
		return "the TSC stands still";
	*tsc_hz = (b.tsc - a.tsc) * s->hz / ticks;
	return 0;
}

static void sort(uint64_t *v, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		for (unsigned k = i; k && v[k - 1] > v[k]; k--) {
			uint64_t t = v[k];

			v[k] = v[k - 1];
			v[k - 1] = t;
		}
	}
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

struct clock_figure clock_measure(const struct clock_source *s)
{
	struct clock_figure f = { .name = s->name, .clock_hz = s->hz };
	uint64_t rate[ROUNDS];
	unsigned n = 0;

	if (s->hz < ROUND_HZ) {
		f.reason = "impossible frequency";
		return f;
	}
	do {
		f.reason = one_round(s, &rate[n]);
		if (f.reason)
			return f;
		n++;
	} while (n == 1 || (n < ROUNDS && distance(rate[0], rate[1]) > rate[0] / 500));
	sort(rate, n);
	f.rounds = n;
	f.min = rate[0];
	f.max = rate[n - 1];
	f.tsc_hz = n == 2 ? rate[0] + (rate[1] - rate[0]) / 2 : rate[1];
	return f;
}

struct crystal {
	uint8_t model; /* of family 6 alone: families 18 and 19 tell theirs in leaf 15H */
	uint32_t hz;
};

static const struct crystal crystals[] = {
	{ 0x4e, 24000000 }, { 0x5e, 24000000 }, /* Skylake client */
	{ 0x8e, 24000000 }, { 0x9e, 24000000 }, /* Kaby Lake, Coffee Lake */
	{ 0x5c, 19200000 },                     /* Goldmont */
	{ 0x5f, 25000000 },                     /* Denverton: from Linux, not in the SDM's table */
};

uint64_t clock_cpuid15_hz(const struct cpu *c, struct cpuid_regs leaf15)
{
	uint64_t hz = leaf15.ecx;

	if (!leaf15.eax)
		return 0;
	if (!hz && c->vendor == VENDOR_INTEL && c->family == 6)
		for (unsigned i = 0; i < sizeof(crystals) / sizeof(crystals[0]); i++)
			if (crystals[i].model == c->model)
				hz = crystals[i].hz;
	return hz * leaf15.ebx / leaf15.eax;
}

/* Linux, arch/x86/kernel/cpu/centaur.c: "Disabling bugged TSC" of model 4. */
const char *clock_tsc_defect(const struct cpu *c)
{
	if (c->vendor == VENDOR_CENTAUR && c->family == 5 && c->model == 4)
		return "the time stamp counter of the WinChip C6 is known to be wrong: "
		       "believe none of the times";
	return NULL;
}

bool clock_disagree(uint64_t a_hz, uint64_t b_hz)
{
	return distance(a_hz, b_hz) > b_hz / 100;
}

int clock_choose(const struct clock_figure *f, unsigned n)
{
	unsigned best_votes = 0;
	int best = -1;

	for (unsigned i = 0; i < n; i++) {
		unsigned votes = 0;

		if (!f[i].tsc_hz)
			continue;
		for (unsigned k = 0; k < n; k++)
			votes += !clock_disagree(f[k].tsc_hz, f[i].tsc_hz);
		if (votes > best_votes || (votes == 1 && best_votes == 1 && f[best].weak)) {
			best_votes = votes;
			best = i;
		}
	}
	return best;
}
