/*
 * The records of a plan (pmu/plan_print.h).
 */
#include "pmu/plan_print.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "pmu/internal.h"

void plan_error(const struct pmu_want *want, const char *culprit, const char *why)
{
	if (!want->quiet)
		log_error("events", culprit, why);
}

void plan_warn(const struct pmu_want *want, const char *culprit, const char *why)
{
	if (!want->quiet)
		log_warn("events", culprit, why);
}

static void log_alias(const struct plan_asked *asked, unsigned n, const char *key)
{
	for (unsigned i = 0; i < n; i++)
		if (asked[i].length && !strcmp(asked[i].key, key)) {
			log_strn("alias", asked[i].alias, asked[i].length);
			return;
		}
}

/* The registers beside the select. Claims are none. */
static void log_extra(const struct pmu_slot *s)
{
	static const char *const keys[PMU_EXTRA] = { "with",  "with2", "with3",
		                                     "with4", "with5", "with6" };
	static const char *const values[PMU_EXTRA] = { "value",  "value2", "value3",
		                                       "value4", "value5", "value6" };

	for (unsigned i = 0; i < s->nextra; i++) {
		if (s->extra[i].msr >= PMU_CLAIM)
			continue;
		log_hex(keys[i], s->extra[i].msr);
		log_hex(values[i], s->extra[i].value);
	}
}

/* Where the event of the slot counts, behind its name. */
static void log_place(const struct pmu_want *want, const struct pmu_slot *s, unsigned group)
{
	log_dec("group", group);
	if (want->quiet)
		log_dec("cpl", want->cpl);
	if (want->pair)
		log_dec("thread", s->thread);
	if (want->other)
		log_hex("type", pmu_other.cpu->core_type);
	log_dec("counter", s->counter);
	log_hex("select", s->select);
	log_extra(s);
}

void plan_print(const struct pmu_plan *plan, const struct pmu_want *want,
                const struct plan_asked *asked, unsigned n)
{
	for (unsigned g = 0; g < plan->ngroups; g++)
		for (unsigned i = 0; i < plan->groups[g].n; i++) {
			const struct pmu_slot *s = &plan->groups[g].slots[i];

			log_begin("event");
			log_str("name", s->key);
			log_alias(asked, n, s->key);
			if (s->empty)
				log_dec("derived", 0);
			log_place(want, s, g);
			if (pmu_erratum(s->key))
				log_str("erratum", pmu_erratum(s->key));
			log_end();
		}
	if (want->quiet)
		return;
	log_begin("groups");
	log_dec("events", n);
	log_dec("groups", plan->ngroups);
	log_end();
}
