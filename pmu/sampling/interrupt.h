/*
 * The performance-monitoring interrupt of the local APIC.
 */
#ifndef PMU_SAMPLING_INTERRUPT_H
#define PMU_SAMPLING_INTERRUPT_H

#include "kernel/trap/trap.h"
#include "pmu/sampling/sampling.h"

/* The reason why the local APIC cannot bring the overflow interrupt; NULL: it can. */
const char *perf_interrupt_obstacle(void);

/* From now on `handler` gets the interrupt of this LVT entry, as an NMI or with a vector. */
void perf_interrupt_open(uint32_t entry, bool nmi, trap_fn handler);

/* Unmasks the entry, which may mask itself when it delivers an interrupt. */
void perf_interrupt_arm(void);

/* Ends the handler. `ours` is false if the interrupt was not for the handler. */
void perf_interrupt_end(struct trap_frame *f, bool ours);

/* Masks the entry. A pending interrupt comes first: the handler must accept it. */
void perf_interrupt_close(void);

/* Gives the sample to s->take(), with its branches if s->branches asks for them. */
void sampling_give(struct pmu_sampling *s, struct pmu_sample *sample);

#endif
