/*
 * Which request goes on which counter in which run: the placement solver.
 *
 * A request is a list of configurations (pmu/driver.h). A group is a set of requests that count at
 * the same time: each has a counter of its own, and no register or claim has two values. Pure C.
 */
#ifndef PMU_SOLVE_H
#define PMU_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/driver.h"

struct pmu_ways {
	unsigned n;
	const struct pmu_config *config;
};

struct pmu_place {
	uint16_t group;  /* PMU_NOWHERE: no usable counter can count it */
	uint8_t counter; /* of the chosen configuration's counters */
	uint8_t config;
};

#define PMU_NOWHERE 0xffff

enum { PMU_REQUESTS = 1024 }; /* most that pmu_solve() places; later ones go nowhere */

/*
 * Can the n requests ways[member[0]] ... all count at once? Exact: true whenever any choice of
 * configurations and counters works. On true place[member[i]].counter and .config are set.
 * n may be anything; more than the counters never fit.
 */
bool pmu_fit(const struct pmu_ways *ways, const uint16_t *member, unsigned n, uint32_t usable,
             struct pmu_place *place);

/*
 * Places all requests in as few groups as it can; returns the number of groups. *minimal: it is
 * proven that fewer are impossible. Always so for up to 10 requests, and for any number whose
 * greedy placement meets a lower bound.
 */
unsigned pmu_solve(const struct pmu_ways *ways, unsigned n, uint32_t usable,
                   struct pmu_place *place, bool *minimal);

#endif
