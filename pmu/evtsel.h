/*
 * The event-select layout that P6 began and that Intel's architectural counters and AMD's kept.
 * SDM volume 3B, "PerfEvtSel0 and PerfEvtSel1 MSRs"; AMD APM volume 2, "PerfEvtSel".
 */
#ifndef PMU_EVTSEL_H
#define PMU_EVTSEL_H

#include "pmu/driver.h"

#define EVTSEL_USR      (1ull << 16)
#define EVTSEL_OS       (1ull << 17)
#define EVTSEL_EDGE     (1ull << 18)
#define EVTSEL_PC       (1ull << 19)
#define EVTSEL_INT      (1ull << 20)
#define EVTSEL_ANY      (1ull << 21)
#define EVTSEL_EN       (1ull << 22)
#define EVTSEL_INV      (1ull << 23)
#define EVTSEL_CMASK(n) ((uint64_t)(n) << 24)

/* Does the request count at any CPL? False: *why has the reason and the allowed values. */
static inline bool evtsel_levels(const struct pmu_request *rq, const char **why)
{
	if (rq->value[PMU_USR] || rq->value[PMU_OS])
		return true;
	*why = "counts at no level: give u (CPL 1-3), k (CPL 0) or both";
	return false;
}

/* Has the event of the request this flag (PMU_EV_*)? A raw request has none. 0: no. */
static inline unsigned evtsel_flag(const struct pmu_request *rq, unsigned flag)
{
	return rq->named && (rq->event.kind->flags & flag);
}

/* The counter mask: the user's if given, else that of the event; 0: none. */
static inline uint64_t evtsel_cmask(const struct pmu_request *rq)
{
	return pmu_field(rq, PMU_CMASK, rq->named ? rq->event.kind->cmask : 0);
}

/*
 * False, with the reason in *why: the user asks for inv without a counter mask. "Fewer than cmask"
 * has no meaning with cmask 0, and models count such a select differently. The maker's lists have
 * such an event (UOPS_EXECUTED.CORE_CYCLES_NONE): evtsel_compare() lets it pass.
 */
static inline bool evtsel_compare(const struct pmu_request *rq, const char **why)
{
	if (!rq->value[PMU_INV] || evtsel_cmask(rq))
		return true;
	*why = "inv compares with cmask: give c=1 to 255 with it";
	return false;
}

/* Bits 0-18, 20 and 23-31, without EN; event and unit mask 8 bits each. */
static inline uint64_t evtsel_common(const struct pmu_request *rq)
{
	uint64_t code = pmu_field(rq, PMU_EVENT, rq->named ? rq->event.code : 0);
	uint64_t umask = pmu_field(rq, PMU_UMASK, rq->named ? rq->umask : 0);
	uint64_t v = (code & 0xff) | (umask & 0xff) << 8 | EVTSEL_CMASK(evtsel_cmask(rq));

	v |= rq->value[PMU_USR] ? EVTSEL_USR : 0;
	v |= rq->value[PMU_OS] ? EVTSEL_OS : 0;
	v |= pmu_field(rq, PMU_EDGE, evtsel_flag(rq, PMU_EV_EDGE)) ? EVTSEL_EDGE : 0;
	v |= pmu_field(rq, PMU_INV, evtsel_flag(rq, PMU_EV_INV)) ? EVTSEL_INV : 0;
	v |= rq->value[PMU_INT] ? EVTSEL_INT : 0;
	return v;
}

#endif
