/*
 * The placement solver decides which request uses which counter in which run.
 *
 * A request is a list of configurations (pmu/driver.h). A group is a set of requests that count at
 * the same time: each request has a counter of its own, and all of them agree on the value of each
 * register and claim. The solver touches no hardware.
 */
#ifndef PMU_SOLVE_H
#define PMU_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/driver.h"

/* The ways to count one request. */
struct pmu_ways {
	unsigned n;
	const struct pmu_config *config;
};

/* The place of one request. */
struct pmu_place {
	uint16_t group;  /* PMU_NOWHERE: no usable counter can count the request */
	uint8_t counter; /* one of config[].counters */
	uint8_t config;  /* index in pmu_ways.config */
};

#define PMU_NOWHERE 0xffff

enum { PMU_REQUESTS = 1024 }; /* pmu_solve() places so many; later ones get PMU_NOWHERE */

/*
 * Can the n requests ways[member[0]], ways[member[1]] ... count at the same time? The answer is
 * exact: true if some choice of configurations and counters works. Then place[member[i]].counter
 * and .config are set; .group is not changed. More requests than usable counters never fit.
 */
bool pmu_fit(const struct pmu_ways *ways, const uint16_t *member, unsigned n, uint32_t usable,
             struct pmu_place *place);

/*
 * Places the requests in groups, first-fit, and returns the number of groups. A request that no
 * usable counter can count gets group PMU_NOWHERE. The number of groups is not always the smallest
 * possible: of 6,300 random lists 33 took a run more (all on NetBurst).
 */
unsigned pmu_solve(const struct pmu_ways *ways, unsigned n, uint32_t usable,
                   struct pmu_place *place);

#endif
