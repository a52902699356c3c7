/*
 * Samples with company (bench/threads/company.h).
 */
#include "bench/threads/company.h"
#include "bench/engine/stats.h"

enum { TENTH = 10 };

void company_note(struct company_runs *r, uint64_t start, uint64_t end)
{
	r->start[r->n % COMPANY_RUNS] = start;
	r->end[r->n % COMPANY_RUNS] = end;
	r->n++;
}

static uint64_t overlap(uint64_t from, uint64_t to, uint64_t start, uint64_t end)
{
	from = from > start ? from : start;
	to = to < end ? to : end;
	return to > from ? to - from : 0;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Number i of the runs that are known, in the order of time. */
static uint32_t at(const struct company_runs *r, uint32_t i)
{
	return (r->n > COMPANY_RUNS ? r->n + i : i) % COMPANY_RUNS;
}

/* The last run has no next one. */
static uint64_t until(const struct company_runs *r, uint32_t i, uint32_t n)
{
	return i + 1 < n ? r->start[at(r, i + 1)] : r->end[at(r, i)];
}

static uint64_t median(const struct company_runs *r, uint32_t n)
{
	uint64_t v[COMPANY_RUNS];

	for (uint32_t i = 0; i < n; i++)
		v[i] = until(r, i, n) - r->start[at(r, i)];
	return stats_of(v, n).med;
}

uint64_t company_lost(const struct company_runs *r, uint64_t start, uint64_t end)
{
	const uint32_t n = r->n < COMPANY_RUNS ? r->n : COMPANY_RUNS;
	uint64_t usual, covered = 0, lost = 0;

	if (!n)
		return end - start;
	usual = median(r, n);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t from = r->start[at(r, i)], to = until(r, i, n);
		const uint64_t common = overlap(from, to, start, end);

		covered += common;
		if (to - from > usual)
			lost += lesser(common, to - from - usual);
	}
	return lost + (end - start - covered);
}

bool company_kept(const struct company_runs *r, uint64_t start, uint64_t end)
{
	return company_lost(r, start, end) <= (end - start) / TENTH;
}
