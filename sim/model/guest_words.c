/*
 * sim/model/guest_words.c - reads the words of --fault guest=.
 */
#include "sim/model/guest_words.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/models.h"
#include "sim/pmu/pmu.h"

enum { DEFAULT_SEED = 1, MOST_VPMU = 2 };
#define MOST_TICKS 1000000000000ull

static const struct {
	const char *name;
	size_t at; /* of a bool in struct guest_words */
} plain[] = {
	{ "steal", offsetof(struct guest_words, steal) },
	{ "kvmclock", offsetof(struct guest_words, kvmclock) },
	{ "wbinvd-nop", offsetof(struct guest_words, wbinvd_nop) },
	{ "ignore-msrs", offsetof(struct guest_words, ignore_msrs) },
	{ "caches:invented", offsetof(struct guest_words, invented) },
	{ "hybrid", offsetof(struct guest_words, hybrid) },
	{ "hv", offsetof(struct guest_words, hv) },
	{ "emulated:0", offsetof(struct guest_words, uncounted) },
	{ "evict", offsetof(struct guest_words, evict) },
	{ "evict:all", offsetof(struct guest_words, evict_all) },
};

#define AT(member) offsetof(struct guest_words, member)
enum { UNUSED = -1 };

/* Words with one or two numbers, and where these go. */
static const struct {
	const char *name;
	ptrdiff_t first, second; /* UNUSED: there is none */
	ptrdiff_t given;         /* a bool: the second, or without one the first, was given */
	bool second_needed;
	uint64_t least; /* of the first */
} numbered[] = {
	{ "exit:", AT(exit_every), AT(exit_adds), AT(exit_adds_set), false, 100 },
	{ "rdpmc:", AT(rdpmc), UNUSED, UNUSED, false, 1 },
	{ "msr:", AT(msr), UNUSED, UNUSED, false, 1 },
	{ "cpuid:", AT(cpuid), UNUSED, UNUSED, false, 1 },
	{ "jitter:", AT(jitter), UNUSED, UNUSED, false, 1 },
	{ "quota:", AT(quota_of), AT(quota), UNUSED, true, 2 },
	{ "pause:", AT(pause_from), AT(pause_to), UNUSED, true, 0 },
	{ "pmi:", AT(pmi), UNUSED, UNUSED, false, 1 },
	{ "throttle:", AT(throttle), UNUSED, UNUSED, false, 1 },
	{ "preempt:", AT(preempt), UNUSED, UNUSED, false, 1 },
	{ "debugctl:", AT(debugctl), UNUSED, AT(debugctl_set), false, 0 },
	{ "vpmu:", AT(vpmu), UNUSED, AT(vpmu_set), false, 0 },
	{ "seed:", AT(seed), UNUSED, UNUSED, false, 1 },
};

static const struct {
	const char *name;
	enum guest_secret secret;
} secrets[] = {
	{ "sev", SECRET_SEV },
	{ "sev-es", SECRET_SEV_ES },
	{ "snp", SECRET_SNP },
	{ "tdx", SECRET_TDX },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool number(const char **text, uint64_t *value)
{
	char *end;

	errno = 0;
	if (**text < '0' || **text > '9')
		return false;
	*value = strtoull(*text, &end, 0);
	*text = end;
	return !errno && *value <= MOST_TICKS;
}

/* What stands behind the word's name. */
static bool numbers(struct guest_words *w, unsigned row, const char *text)
{
	bool second;

	if (!number(&text, (uint64_t *)((char *)w + numbered[row].first)) ||
	    *(uint64_t *)((char *)w + numbered[row].first) < numbered[row].least)
		return false;
	second = *text == ':';
	if (numbered[row].given != UNUSED)
		*(bool *)((char *)w + numbered[row].given) =
			second || numbered[row].second == UNUSED;
	if (!second)
		return !*text && !numbered[row].second_needed;
	text++;
	return numbered[row].second != UNUSED &&
	       number(&text, (uint64_t *)((char *)w + numbered[row].second)) && !*text;
}

/* A name of an event, fixedN, or unit mask and event select in one number. */
static bool filter(struct guest_words *w, const char *text, bool allows)
{
	size_t n = strlen(text);

	if (w->filters == GUEST_FILTERS || !n || n >= GUEST_NAME)
		return false;
	w->filter[w->filters].allows = allows;
	memcpy(w->filter[w->filters++].name, text, n + 1);
	return true;
}

static bool word(struct guest_words *w, const char *text)
{
	for (unsigned i = 0; i < COUNT(plain); i++)
		if (!strcmp(text, plain[i].name)) {
			*(bool *)((char *)w + plain[i].at) = true;
			return true;
		}
	for (unsigned i = 0; i < COUNT(secrets); i++)
		if (!strcmp(text, secrets[i].name)) {
			w->secret = secrets[i].secret;
			return true;
		}
	for (unsigned i = 0; i < COUNT(numbered); i++) {
		size_t n = strlen(numbered[i].name);

		if (!strncmp(text, numbered[i].name, n))
			return numbers(w, i, text + n);
	}
	if (!strncmp(text, "allow:", 6))
		return filter(w, text + 6, true);
	return !strncmp(text, "filter:", 7) && filter(w, text + 7, false);
}

bool guest_parse(struct guest_words *words, const char *text)
{
	char one[GUEST_NAME + 8];

	words->on = true;
	for (;;) {
		size_t n = strcspn(text, ",");

		if (n >= sizeof(one))
			return false;
		memcpy(one, text, n);
		one[n] = 0;
		if (!word(words, one))
			return false;
		if (!text[n])
			break;
		text += n + 1;
	}
	words->evict |= words->evict_all;
	if (!words->seed)
		words->seed = DEFAULT_SEED;
	return words->vpmu <= MOST_VPMU && words->jitter <= 100 &&
	       words->quota <= words->quota_of &&
	       (!words->pause_to || words->pause_from < words->pause_to);
}

static bool fit_filter(struct guest_filter *f, const struct sim_pmu_model *pmu)
{
	const struct sim_event *e;
	char *end;

	f->fixed = !strncmp(f->name, "fixed", 5);
	if (f->fixed) {
		f->code = (uint32_t)strtoul(f->name + 5, &end, 10);
		return end != f->name + 5 && !*end && f->code < 32 && pmu->fixed_map >> f->code & 1;
	}
	if (f->name[0] >= '0' && f->name[0] <= '9') {
		uint32_t raw = (uint32_t)strtoul(f->name, &end, 0);

		f->code = (raw & 0xff) | (raw >> 16 << 8);
		f->umask = raw >> 8 & 0xff;
		return !*end;
	}
	for (unsigned i = 0; (e = sim_pmu_event(pmu, i)); i++)
		if (!strcmp(e->name, f->name)) {
			f->code = e->code;
			f->umask = e->umask;
			return true;
		}
	return false;
}

const char *guest_fit(struct guest_words *words, const struct model *model)
{
	const struct sim_pmu_model *pmu = sim_pmu_model(model->pmu);
	bool amd = model->vendor == VENDOR_AMD;

	if (!words->on)
		return NULL;
	if (!pmu || (pmu->kind != SIM_PMU_ARCH && pmu->kind != SIM_PMU_AMD))
		return "--fault guest: only on models with architectural or AMD counters, not";
	if (words->secret && (words->secret == SECRET_TDX) == amd)
		return "--fault guest: sev, sev-es and snp are AMD's, tdx is Intel's, not for";
	if (!words->exit_adds_set)
		words->exit_adds = amd;
	for (unsigned i = 0; i < words->filters; i++)
		if (!fit_filter(&words->filter[i], pmu))
			return "--fault guest=: an event to filter or allow is not of this model";
	return NULL;
}
