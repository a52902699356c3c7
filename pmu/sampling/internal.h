/*
 * Declarations that the files of pmu/sampling/ share and no other file uses.
 */
#ifndef PMU_SAMPLING_INTERNAL_H
#define PMU_SAMPLING_INTERNAL_H

#include "kernel/trap/trap.h"
#include "pmu/driver.h"
#include "pmu/sampling/sampling.h"

/*
 * One way to sample. open() finds counters for s->event and returns NULL, or why it cannot be
 * sampled here. start() returns false if a register could not be written. stop() may be called
 * at any time after open().
 */
struct pmu_sampler {
	const char *name;
	const char *(*open)(struct pmu_sampling *s);
	bool (*start)(struct pmu_sampling *s);
	void (*stop)(struct pmu_sampling *s);
};

extern const struct pmu_sampler pmu_iebs, pmu_pebs, pmu_prec_dist, pmu_ibs_op, pmu_ibs_fetch;

/* ways_32.c, ways_64.c: the ways that the kernel has, best known first, and NULL. */
extern const struct pmu_sampler *const pmu_samplers[];

/* group.c: how requests of this family spell a field, enum pmu_field_id; NULL: they lack it. */
const struct pmu_field *sampling_field(unsigned id);

struct text;

/*
 * group.c: appends "EVENT:ctr=0", or "cpu/event=0xc0,ctr=0/". False: requests of this family lack
 * the field.
 */
bool sampling_extend(struct text *t, const char *event, unsigned id, unsigned value);

/*
 * group.c: one more event into a group that has one, on another counter. False: it cannot be
 * counted beside it.
 */
bool sampling_add(struct pmu_group *g, const char *event, unsigned cpl);

/*
 * group.c: the request with something appended: ":ctr=0" to "EVENT", ",ctr=0" to
 * "cpu/event=0xc0/". The field is named as requests name it, `value` is its value. Fills the
 * group's slot 0, and slot 1 with a control if one can be had. False: it cannot be counted.
 */
bool sampling_group(struct pmu_sampling *s, unsigned field, unsigned value);

/* group.c: 32 bits that have nothing to do with those before them, the same in each run. */
uint32_t sampling_random(void);

/* sampling.c: why no overflow interrupt can come while the event is counted. NULL: it can. */
const char *sampling_obstacle(const char *event, unsigned cpl);

/*
 * group.c: the same for s->after: slot 1 counts it and starts slot 0 by its overflow, which is
 * NetBurst's cascade. Sets s->waits and s->then. False: no pair of counters can count both.
 */
bool sampling_cascade(struct pmu_sampling *s);

/* interrupt.c: why the local APIC cannot bring the overflow interrupt. NULL: it can. */
const char *perf_interrupt_obstacle(void);

/*
 * interrupt.c: `handler` gets the interrupt of this LVT entry, as an NMI or with a vector, from now
 * on.
 */
void perf_interrupt_open(uint32_t entry, bool nmi, trap_fn handler);

/* interrupt.c: lets the next one come; an entry may mask itself when it delivers one. */
void perf_interrupt_arm(void);

/* interrupt.c: at the end of the handler. `ours` is false if it was not for the handler. */
void perf_interrupt_end(struct trap_frame *f, bool ours);

/* interrupt.c: masks it. One that is on its way comes first; the handler must bear that. */
void perf_interrupt_close(void);

/* interrupt.c: one more sample, with its branches if they are asked for; gives it to s->take(). */
void sampling_give(struct pmu_sampling *s, struct pmu_sample *sample);

/*
 * branches_64.c: the last branches. open() comes behind that of the sampler, and returns NULL or
 * why this CPU has none. start() returns false if a register could not be written; stop() puts back
 * what start() changed. read() fills `branches` and `nbranches`. NULL in the 32-bit kernel.
 */
struct sampling_branches {
	const char *(*open)(struct pmu_sampling *s);
	bool (*start)(void);
	void (*stop)(void);
	void (*read)(struct pmu_sample *out);
};

extern const struct sampling_branches *const sampling_branches;

/*
 * cause_64.c: the instruction of the sampled code that is executed right before the one at `ip`, or
 * 0 if several can be, or none. NULL in the 32-bit kernel (width_32.c).
 */
extern uintptr_t (*const sampling_before)(const struct pmu_sampling *s, uintptr_t ip);

/* width_32.c, width_64.c: the registers of `f` in the order of struct pmu_sample. */
void sampling_regs(uintptr_t regs[PMU_SAMPLE_REGS], const struct trap_frame *f);

#endif
