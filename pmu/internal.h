/*
 * Declarations that the files of pmu/ share and no other file uses. Files call downwards only:
 *
 *     pmu.c -> drivers_*.c -> p5.c p6.c netburst.c arch.c amd.c none.c -> hw.c
 *     pmu.c -> prove.c -> request.c -> hw.c
 *     plan.c -> plan_print.c, solve.c, request.c, hw.c
 *
 * plan_print.h, request.h, solve.h and tables.h declare what their own .c files define.
 */
#ifndef PMU_INTERNAL_H
#define PMU_INTERNAL_H

#include "pmu/driver.h"

/* hw.c: the PMU of this CPU. Its driver is pmu_none before pmu_init(). */
extern struct pmu_hw pmu_hw;

/* pmu.c: the PMU of the other kind of CPUs (pmu_probe_other()). */
extern struct pmu_hw pmu_other;

/*
 * hw.c: looks the CPU up in models.csv and fills hw->model and hw->models. If no row names the CPU,
 * hw->model is NULL and the CPU has the events that all models of the family share.
 */
void pmu_find_model(struct pmu_hw *hw, const char *family, const struct cpu *cpu);

/*
 * hw.c: does the register take the value and keep it, without a fault? The old value `before` is
 * written back afterwards.
 */
bool pmu_takes(uint32_t msr, uint64_t value, uint64_t before);

/* hw.c: writes the group's extra registers except the claims. False: a write faulted. */
bool pmu_write_extra(const struct pmu_group *group);

/* hw.c: fills *slot for a request with this configuration, on one of its counters. */
void pmu_slot_fill(const struct pmu_hw *hw, struct pmu_slot *slot, const char *key,
                   const struct pmu_config *config, unsigned counter);

/* hw.c: reads a counter the way the bracket does, modulo its width. False: the read faulted. */
bool pmu_counter_read(const struct pmu_hw *hw, unsigned counter, uint64_t *value);

/* drivers_32.c, drivers_64.c: the drivers in the order of asking; NULL at the end. */
extern const struct pmu_driver *const pmu_drivers[];

extern const struct pmu_driver pmu_p5, pmu_p6, pmu_netburst, pmu_arch, pmu_amd, pmu_none;

/*
 * hw.c. pmu_save() remembers the values of all registers that the driver writes. pmu_find_owner()
 * writes a `warn` record for each register that is already in use. pmu_restore() stops all counters
 * and writes the saved values back; with `last` it then forgets them. pmu_is_counter(): is `msr`
 * the register of a counter?
 */
void pmu_save(const struct pmu_hw *hw);
void pmu_find_owner(const struct pmu_hw *hw);
void pmu_restore(const struct pmu_hw *hw, bool last);
bool pmu_is_counter(const struct pmu_hw *hw, uint32_t msr);

/*
 * hw.c. pmu_watch() remembers the values of the control registers, as pmu_start() does.
 * pmu_changed() returns the MSR of the first register that has another value since; 0: none.
 * pmu_warn_changed() names the MSR in a `warn` record.
 */
void pmu_watch(void);
uint32_t pmu_changed(void);
void pmu_warn_changed(uint32_t msr);

/*
 * plan.c: sets `empty` in the slots whose events the simulator cannot derive (sim/README.md). On
 * other machines it does nothing.
 */
void pmu_find_empty(struct pmu_group *g);

/*
 * prove.c: tests every counter, prints a `counter` record for each, and removes those that fail
 * from hw->usable. If no counter is left, hw->why has the reason.
 */
void pmu_prove(struct pmu_hw *hw);

#endif
