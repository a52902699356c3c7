/*
 * What events= takes on this machine, as records (argument list=events).
 */
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "pmu/events.h"
#include "pmu/internal.h"
#include "pmu/request.h"
#include "pmu/tables.h"

static char key[PMU_KEY];
static struct pmu_config config[PMU_CONFIGS];

/* False: it is for other models, or cannot be counted. */
static bool list_alias(const struct pmu_hw *hw, const struct pmu_alias *a)
{
	const char *name = pmu_names + a->name;

	if (strcmp(pmu_families[a->family], hw->driver->name) || !(a->models & hw->models) ||
	    !pmu_request(hw, name, strlen(name), 0, key, config, NULL))
		return false;
	log_begin("listed");
	log_str("alias", name);
	log_str("name", key);
	log_str("what", pmu_names + a->what);
	log_end();
	return true;
}

static void list_event(const struct pmu_hw *hw, unsigned i)
{
	struct pmu_event e;

	pmu_event_at(hw->driver->table, i, &e);
	if (e.kind->filter != PMU_FIELDS && !e.has_value)
		return; /* only the user knows the value */
	if (!pmu_request_event(hw, &e, 0, key, config, NULL))
		return;
	log_begin("listed");
	log_str("name", key);
	log_hex("select", config[0].select);
	log_end();
}

void pmu_list(void)
{
	const struct pmu_hw *hw = &pmu_hw;
	uint16_t last = 0; /* of several rows of a name the first counts */

	for (const struct pmu_alias *a = pmu_aliases; a->name; a++)
		if (a->name != last && list_alias(hw, a))
			last = a->name;
	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, (unsigned)i + 1))
		list_event(hw, (unsigned)i);
}
