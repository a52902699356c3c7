/*
 * sim/pmu/events.h - how the event tables are written.
 *
 * A row is EV(name, code, umask, counters, models, source, signals): counters is a bitmap of the
 * counters that can count it (0 = any), models a bitmap over the models of the table (0 = all), and
 * signals a list of T(SIGNAL) or { SIG_x, weight }. What nothing in the simulator makes exists and
 * counts 0: its row is EV_NOT, with the reason in place of signals. A reason is "bus",
 * "prefetchers", "other agents" or "not modelled: " and what.
 */
#ifndef SIM_PMU_EVENTS_H
#define SIM_PMU_EVENTS_H

#include "sim/pmu/pmu.h"

/* clang-format off */
#define T(sig) { SIG_##sig, 1 }
#define NONE { 0, 0 }
#define MODEL(n) (1u << (n))

#define EV(n, c, u, ctr, m, src, ...) \
	{ .name = (n), .code = (c), .umask = (u), .counters = (ctr), .models = (m), \
	  .source = (src), .term = { __VA_ARGS__ } }

#define EV_NOT(n, c, u, ctr, m, src, reason) \
	{ .name = (n), .code = (c), .umask = (u), .counters = (ctr), .models = (m), \
	  .source = (src), .why = (reason) }

/* With the unit of NetBurst. */
#define EVU(n, c, u, un, ctr, m, src, ...) \
	{ .name = (n), .code = (c), .umask = (u), .unit = (un), .counters = (ctr), \
	  .models = (m), .source = (src), .term = { __VA_ARGS__ } }

#define EVU_NOT(n, c, u, un, ctr, m, src, reason) \
	{ .name = (n), .code = (c), .umask = (u), .unit = (un), .counters = (ctr), \
	  .models = (m), .source = (src), .why = (reason) }

/* With the settings that belong to the name. */
#define EVC(n, c, u, ctr, m, src, cm, in, ed, ...) \
	{ .name = (n), .code = (c), .umask = (u), .counters = (ctr), .models = (m), \
	  .source = (src), .cmask = (cm), .inv = (in), .edge = (ed), .term = { __VA_ARGS__ } }

#define EVC_NOT(n, c, u, ctr, m, src, cm, in, ed, reason) \
	{ .name = (n), .code = (c), .umask = (u), .counters = (ctr), .models = (m), \
	  .source = (src), .cmask = (cm), .inv = (in), .edge = (ed), .why = (reason) }

#define EVENT_TABLE(array) { (array), sizeof(array) / sizeof((array)[0]) }
/* clang-format on */

extern const struct sim_event_table sim_events_p5;
extern const struct sim_event_table sim_events_p6;
extern const struct sim_event_table sim_events_netburst;
extern const struct sim_event_table sim_events_arch;
extern const struct sim_event_table sim_events_arch_models;
extern const struct sim_event_table sim_events_arch_retired;
extern const struct sim_event_table sim_events_amd;

/* The maker's lists: sim/pmu/perfmon-list.awk. */
extern const struct sim_list sim_list_nehalem;
extern const struct sim_list sim_list_sandybridge;
extern const struct sim_list sim_list_skylake;
extern const struct sim_list sim_list_icelake;
extern const struct sim_list sim_list_goldencove;
extern const struct sim_list sim_list_sierraforest;

/* The events of these lists that are made from signals: sim/pmu/derived.csv. */
extern const struct sim_event_table sim_events_nehalem;
extern const struct sim_event_table sim_events_sandybridge;
extern const struct sim_event_table sim_events_skylake;
extern const struct sim_event_table sim_events_icelake;
extern const struct sim_event_table sim_events_goldencove;
extern const struct sim_event_table sim_events_sierraforest;

#endif
