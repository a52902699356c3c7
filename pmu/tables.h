/*
 * What pmu/gen/events.c makes besides the event tables: the CPUs we know, the aliases, the errata.
 * Text is offsets into pmu_names[] (pmu/driver.h); each list ends with a row of zeros.
 */
#ifndef PMU_TABLES_H
#define PMU_TABLES_H

#include <stdint.h>

#include "pmu/driver.h"

/* Text, each name with a final 0. Empty until pmu_unpack(), which pmu_init() calls first. */
extern char pmu_names[];

void pmu_unpack(void);

static inline const char *pmu_event_name(const struct pmu_event *e)
{
	return pmu_names + e->name;
}

static inline const char *pmu_mask_name(const struct pmu_event *e)
{
	return pmu_names + e->mask_name;
}

extern const struct pmu_table pmu_table_p5, pmu_table_p6, pmu_table_netburst, pmu_table_arch,
	pmu_table_amd;

/* Names of the families, NULL at the end; `family` in the rows below is a place in it. */
extern const char *const pmu_families[];

struct pmu_model {
	uint16_t name;
	uint8_t family;                  /* enum pmu_family */
	uint8_t vendor;                  /* enum cpu_vendor */
	uint8_t cpu_family, first, last; /* display family; display models */
	uint16_t bit;                    /* in pmu_event.models */
	uint8_t core_type;               /* leaf 1AH; 0: any */
};

struct pmu_alias {
	uint16_t name;
	uint16_t events; /* blank-separated, the first that can be counted is meant */
	uint8_t family;
	uint8_t exact; /* deterministic: a hand-counted body must give the hand-counted number */
};

struct pmu_erratum {
	uint16_t event; /* an alias or an event name */
	uint16_t what;
	uint16_t models;
	uint16_t source;
	uint8_t family;
};

/* Names and rows, packed; pmu_unpack() fills the arrays from them. */
extern const uint8_t pmu_packed[];
extern const unsigned pmu_names_size, pmu_events_n;
extern struct pmu_event pmu_events[];
extern uint8_t pmu_stage[]; /* room for all that is unpacked */

extern const struct pmu_model pmu_models[];
extern const struct pmu_alias pmu_aliases[];
extern const struct pmu_erratum pmu_errata[];

#endif
