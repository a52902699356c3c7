/*
 * The text of a user's request (docs/events.md), and the way from there to configurations:
 *
 *     EVENT  EVENT.UMASK  EVENT.UMASK.UMASK  alias      the manual's names, in any case
 *     ...:u :k :e :i :c=2 :any :ctr=1                   modifiers, as perf and libpfm4 have them
 *     cpu/event=0x0e,umask=0x01,cmask=1,inv/            raw; the family's own field names
 *
 * request.c parses the text. encode() of the family's driver makes configurations, the values of
 * the registers (`struct pmu_config`, pmu/driver.h). solve.c places the configurations on counters,
 * and start() of the driver writes the registers.
 */
#ifndef PMU_REQUEST_H
#define PMU_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/driver.h"

enum { PMU_WHY = 400 }; /* bytes of a reason, with the final 0 */

/* Why a request cannot be counted: the part at fault, and the allowed values. */
struct pmu_refusal {
	char culprit[PMU_KEY];
	char why[PMU_WHY];
};

/*
 * Parses text[0..n) for this PMU. Fills key[PMU_KEY] with the name in the log, and
 * config[PMU_CONFIGS] with all ways to count the request. `cpl` (0 or 3) is the level if the text
 * names no level. Returns the number of ways; 0: there are none, and *no has the reason. `no` NULL:
 * the reason is not wanted, and is not searched for.
 */
unsigned pmu_request(const struct pmu_hw *hw, const char *text, size_t n, unsigned cpl, char *key,
                     struct pmu_config *config, struct pmu_refusal *no);

/* Length of the alias of this CPU that the text begins with; 0: there is none. */
size_t pmu_request_alias(const struct pmu_hw *hw, const char *text, size_t n);

/* pmu_request() for one event of the table; used for `all`. */
unsigned pmu_request_event(const struct pmu_hw *hw, const struct pmu_event *event, unsigned cpl,
                           char *key, struct pmu_config *config, struct pmu_refusal *no);

/* Length of the first request of a list: up to the first comma that is not between slashes. */
size_t pmu_request_length(const char *list);

#endif
