/*
 * Declarations that the files of pmu/sampling/ share and no other file uses.
 */
#ifndef PMU_SAMPLING_INTERNAL_H
#define PMU_SAMPLING_INTERNAL_H

#include "kernel/trap/trap.h"
#include "pmu/driver.h"
#include "pmu/sampling/sampling.h"

/*
 * One way to sample. open() finds counters for s->event and returns NULL, or the reason why the
 * event cannot be sampled. start() returns false if a register could not be written. stop() may be
 * called at any time after open().
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

/* group.c: this family's spelling of field `id` (enum pmu_field_id); NULL: it lacks the field. */
const struct pmu_field *sampling_field(unsigned id);

struct text;

/*
 * group.c: appends the request with the field to the text: "EVENT:ctr=0", or
 * "cpu/event=0xc0,ctr=0/". False: requests of this family lack the field.
 */
bool sampling_extend(struct text *t, const char *event, unsigned id, unsigned value);

/*
 * group.c: adds an event to a group that has one event, on another counter. False: the two cannot
 * count together.
 */
bool sampling_add(struct pmu_group *g, const char *event, unsigned cpl);

/*
 * group.c: fills slot 0 of the group with the request and its field `field` set to `value`, as
 * sampling_extend() writes it; and slot 1 with a control, if counters allow one. False: the request
 * cannot be counted.
 */
bool sampling_group(struct pmu_sampling *s, unsigned field, unsigned value);

/* group.c: the next 32 pseudo-random bits; the sequence is the same in each run. */
uint32_t sampling_random(void);

/* sampling.c: the reason why the event can have no overflow interrupt; NULL: it can. */
const char *sampling_obstacle(const char *event, unsigned cpl);

/*
 * group.c: fills the group for s->after. Slot 1 counts that event, and its overflow starts slot 0
 * (NetBurst's cascade). Sets s->waits and s->then. False: no pair of counters can count both.
 */
bool sampling_cascade(struct pmu_sampling *s);

/* interrupt.c: the reason why the local APIC cannot bring the overflow interrupt; NULL: it can. */
const char *perf_interrupt_obstacle(void);

/*
 * interrupt.c: from now on `handler` gets the interrupt of this LVT entry, as an NMI or with a
 * vector.
 */
void perf_interrupt_open(uint32_t entry, bool nmi, trap_fn handler);

/* interrupt.c: unmasks the entry, which may mask itself when it delivers an interrupt. */
void perf_interrupt_arm(void);

/* interrupt.c: ends the handler. `ours` is false if the interrupt was not for the handler. */
void perf_interrupt_end(struct trap_frame *f, bool ours);

/* interrupt.c: masks the entry. A pending interrupt comes first: the handler must accept it. */
void perf_interrupt_close(void);

/* interrupt.c: gives the sample to s->take(), with its branches if s->branches asks for them. */
void sampling_give(struct pmu_sampling *s, struct pmu_sample *sample);

/*
 * branches_64.c: the last branches. open() is called after that of the sampler, and returns NULL,
 * or the reason why this CPU records no branches. start() returns false if a register could not be
 * written; stop() puts back the registers that start() changed. read() fills `branches` and
 * `nbranches`. The pointer is NULL in the 32-bit kernel.
 */
struct sampling_branches {
	const char *(*open)(struct pmu_sampling *s);
	bool (*start)(void);
	void (*stop)(void);
	void (*read)(struct pmu_sample *out);
};

extern const struct sampling_branches *const sampling_branches;

/*
 * cause_64.c: returns the address of the instruction that the sampled code executes directly before
 * the instruction at `ip`. 0: none can precede it, or several can. NULL in the 32-bit kernel
 * (width_32.c).
 */
extern uintptr_t (*const sampling_before)(const struct pmu_sampling *s, uintptr_t ip);

/* width_32.c, width_64.c: the registers of `f` in the order of struct pmu_sample. */
void sampling_regs(uintptr_t regs[PMU_SAMPLE_REGS], const struct trap_frame *f);

#endif
