/*
 * The data that samples access, by address (argument `addresses`, docs/sampling-questions.md).
 */
#include "bench/sample/internal.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "pmu/sampling/operand.h"

enum { ADDRESSES = 256 }; /* different ones that have a count each */

struct place {
	uint64_t address;
	uint64_t latency, source; /* clocks of all its accesses; data source of the first */
	uint32_t count, told;     /* samples, and those with latency and source */
};

static struct {
	struct place at[ADDRESSES];
	unsigned n;
	struct address_sums sums;
} all;

void address_begin(void)
{
	memset(&all, 0, sizeof(all));
}

static struct place *find(uint64_t address)
{
	for (unsigned i = 0; i < all.n; i++)
		if (all.at[i].address == address)
			return &all.at[i];
	if (all.n == ADDRESSES)
		return NULL;
	all.at[all.n].address = address;
	return &all.at[all.n++];
}

void address_take(const struct pmu_sample *s, bool readable)
{
	uint64_t address = 0;
	bool decoded = readable && s->eventing && !s->no_regs &&
	               operand_address(&address, (const uint8_t *)s->ip, sizeof(void *) == 8,
	                               s->regs, !s->before);
	struct place *p;

	all.sums.decoded += decoded;
	all.sums.differ += decoded && s->has_address && address != s->address;
	if (s->has_address)
		address = s->address;
	else if (!decoded)
		return;
	all.sums.addressed++;
	p = find(address);
	if (!p)
		return;
	p->count++;
	if (!s->has_address)
		return;
	if (!p->told++)
		p->source = s->source;
	p->latency += s->latency;
}

struct address_sums address_sums(void)
{
	return all.sums;
}

static void swap(unsigned a, unsigned b)
{
	struct place p = all.at[a];

	all.at[a] = all.at[b];
	all.at[b] = p;
}

/* The `n` most frequent ones come first, from the lowest address up. */
static void sort(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = i + 1; k < all.n; k++)
			if (all.at[k].count > all.at[i].count)
				swap(i, k);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = i + 1; k < n; k++)
			if (all.at[k].address < all.at[i].address)
				swap(i, k);
}

static void log_count(const struct sample_who *who, uint64_t count)
{
	log_dec("count", count);
	log_milli("share", (int64_t)(count * 100000 / who->samples));
}

static void begin(const struct sample_who *who)
{
	log_begin("address");
	log_str("bench", who->bench);
	log_str("event", who->event);
	log_str("method", who->method);
}

static void log_place(const struct sample_who *who, const struct place *p)
{
	begin(who);
	log_hex("address", p->address);
	log_count(who, p->count);
	if (p->told) {
		log_dec("latency", p->latency / p->told);
		log_hex("source", p->source);
	}
	log_end();
}

void address_log(const struct sample_who *who)
{
	unsigned n = all.n < SAMPLE_LINES ? all.n : SAMPLE_LINES;
	uint64_t rest = all.sums.addressed;

	sort(n);
	for (unsigned i = 0; i < n; i++) {
		log_place(who, &all.at[i]);
		rest -= all.at[i].count;
	}
	if (!rest)
		return;
	begin(who);
	log_bool("rest", true);
	log_count(who, rest);
	log_end();
}
