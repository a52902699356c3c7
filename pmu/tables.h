/*
 * The tables that pmu/gen/events.c makes from pmu/events/: events, CPUs, aliases, errata. Texts are
 * offsets into pmu_names[]. Each list ends with a row of zeros.
 */
#ifndef PMU_TABLES_H
#define PMU_TABLES_H

#include <stdint.h>

#include "pmu/driver.h"

/* Texts, each with a final 0. Offset 0 is the empty text. */
extern const char pmu_names[];

enum { PMU_ROWS = 10240 }; /* pmu_rows is at most this */

/* One event. pmu_row[] has the pmu_rows events of all families, which events.c reads. */
struct pmu_row {
	uint16_t part[PMU_PARTS]; /* offsets in pmu_names[] */
	uint16_t code, umask;
	uint16_t kind; /* place in pmu_kinds[] */
	uint16_t set;  /* place in pmu_sets[] */
};

extern const struct pmu_row pmu_row[];
extern const unsigned pmu_rows;

/* Filter values (bits 15:0, 47:16, 63:48) of the rows from number pmu_first_value on. */
extern const uint16_t pmu_value_low[], pmu_value_high[];
extern const uint32_t pmu_value_middle[];
extern const unsigned pmu_first_value;

extern const struct pmu_kind pmu_kinds[];
extern const uint64_t pmu_sets[]; /* bit n: model n of the family has the events of this set */

/* The events of each family. */
extern const struct pmu_table pmu_table_p5, pmu_table_p6, pmu_table_netburst, pmu_table_arch,
	pmu_table_amd;

/* Names of the families, NULL at the end; `family` in the rows below is a place in it. */
extern const char *const pmu_families[];

/* A row of pmu/events/models.csv. `name`, `events`, `what`, `event`: offsets in pmu_names[]. */
struct pmu_model {
	uint16_t name;
	uint8_t family;
	uint8_t vendor;                  /* enum cpu_vendor */
	uint8_t cpu_family, first, last; /* display family; display models */
	uint8_t first_stepping, last_stepping;
	uint8_t bit;       /* number in the sets of models */
	uint8_t core_type; /* leaf 1AH EAX 31:24; 0: any */
	uint8_t native;    /* leaf 1AH EAX 23:0; 0: any */
};

/* A row of the aliases. */
struct pmu_alias {
	uint64_t models; /* bit n: the row holds for model n of the family */
	uint16_t name;
	uint16_t events; /* requests, blank-separated; the first that can be counted is used */
	uint16_t what;   /* its meaning, the same in all rows of the name */
	uint8_t family;
	uint8_t exact; /* deterministic: a hand-counted body must give exactly its number */
};

/* What a row of the errata is about. */
enum pmu_where {
	PMU_ROW_ALWAYS,
	PMU_ROW_GUEST,     /* counts under a hypervisor */
	PMU_ROW_INTERRUPT, /* an interrupt is counted as one more: no fault of any other count */
};

/* A row of the errata. */
struct pmu_erratum {
	uint64_t models; /* as in struct pmu_alias */
	uint16_t event;  /* the beginning of an event's name, up to a dot or the end */
	uint16_t what;
	uint8_t family;
	uint8_t where; /* enum pmu_where */
};

extern const struct pmu_model pmu_models[];
extern const struct pmu_alias pmu_aliases[];
extern const struct pmu_erratum pmu_errata[];

#endif
