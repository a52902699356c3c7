/*
 * What a user may ask for, as text (docs/events.md), and the way from there to configurations:
 *
 *     EVENT  EVENT.UMASK  EVENT.UMASK.UMASK  alias      the manual's names, in any case
 *     ...:u :k :e :i :c=2 :any :ctr=1                   modifiers, as perf and libpfm4 have them
 *     cpu/event=0x0e,umask=0x01,cmask=1,inv/            raw; the family's own field names
 *
 * request.c parses the text, encode() of the family's driver makes the values of the registers
 * (`struct pmu_config`, pmu/driver.h), solve.c places them on counters, and start() of the driver
 * writes them.
 */
#ifndef PMU_REQUEST_H
#define PMU_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/driver.h"

enum { PMU_WHY = 400 };

/* Why a request cannot be had: the part at fault and what would be allowed. */
struct pmu_refusal {
	char culprit[PMU_KEY];
	char why[PMU_WHY];
};

/*
 * Takes text[0..n) apart for this PMU: *key is what the log calls it, config[] (PMU_CONFIGS of
 * them) all ways to count it. `cpl`: which level to count at unless the text says. Returns the
 * number of ways; 0: *no says why there are none.
 */
unsigned pmu_request(const struct pmu_hw *hw, const char *text, size_t n, unsigned cpl, char *key,
                     struct pmu_config *config, struct pmu_refusal *no);

/* Length of the alias that the text begins with, and that this CPU has; 0: there is none. */
size_t pmu_request_alias(const struct pmu_hw *hw, const char *text, size_t n);

/* As pmu_request(), for one event of the table; for `all`. */
unsigned pmu_request_event(const struct pmu_hw *hw, const struct pmu_event *event, unsigned cpl,
                           char *key, struct pmu_config *config, struct pmu_refusal *no);

/* Length of the first request of a list: up to a comma outside of slashes. */
size_t pmu_request_length(const char *list);

#endif
