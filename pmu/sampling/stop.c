/*
 * Counters that stop after so many clocks (pmu/sampling/stop.h).
 */
#include "pmu/sampling/stop.h"
#include "kernel/chipset/apic.h"
#include "kernel/cpu/msr.h"
#include "kernel/lib/text.h"
#include "pmu/internal.h"
#include "pmu/sampling/group.h"
#include "pmu/sampling/interrupt.h"
#include "pmu/sampling/sampler.h"

#define MSR_DEBUGCTL          0x1d9
#define DEBUGCTL_FREEZE_COUNT (1u << 12)

static struct pmu_stopper *now; /* whose counters run; NULL: none run */

static uint64_t read_slot(const struct pmu_slot *slot)
{
	uint64_t v = 0;

	pmu_counter_read(&pmu_hw, slot->counter, &v);
	return v;
}

static void keep(struct pmu_stopper *s)
{
	now = NULL;
	pmu_hw.driver->stop(&pmu_hw);
	for (unsigned i = 0; i < 2; i++)
		s->at[i] = read_slot(&s->group.slots[i]);
	s->stopped = true;
}

static void on_interrupt(struct trap_frame *f)
{
	struct pmu_stopper *s = now;

	if (s)
		keep(s);
	perf_interrupt_end(f, s != NULL);
}

/* Counters that froze hold what they had, also if the interrupt comes too late for the code. */
static bool frozen(const struct pmu_stopper *s)
{
	const struct pmu_slot *clock = &s->group.slots[PMU_STOP_CLOCK];

	return s->freeze && clock->from && !(read_slot(clock) >> (clock->width - 1));
}

/*
 * SDM volume 3B: from version 2 on, and only where there is IA32_PERF_CAPABILITIES. KVM announces
 * both and refuses the bit (Linux, vmx_get_supported_debugctl()), so it is tried.
 */
static bool can_freeze(struct pmu_stopper *s)
{
	return pmu_hw.driver == &pmu_arch && pmu_hw.cpu->arch.version >= 2 &&
	       cpu_has(pmu_hw.cpu, CPU_PDCM) && msr_read(MSR_DEBUGCTL, &s->debugctl_before) &&
	       pmu_takes(MSR_DEBUGCTL, DEBUGCTL_FREEZE_COUNT, s->debugctl_before);
}

const char *pmu_stop_open(struct pmu_stopper *s)
{
	const char *why = sampling_obstacle(s->event, s->cpl);
	char buf[16];
	struct text t = text_in(buf, sizeof(buf));

	s->nmi = s->cpl == 0;
	if (why)
		return why;
	s->freeze = can_freeze(s);
	if (!s->freeze && s->nmi)
		return "these counters do not freeze, so CPL 0 would show the handler: cpl=3";
	if (!pmu_single(&s->group, s->event, s->cpl) ||
	    !sampling_extend(&t, "cycles", PMU_INT, 1) || !sampling_add(&s->group, buf, s->cpl))
		return "no counter of clocks with an interrupt is free beside the event";
	s->group.debugctl = s->freeze ? DEBUGCTL_FREEZE_COUNT : 0;
	return NULL;
}

bool pmu_stop_begin(struct pmu_stopper *s, uint64_t clocks)
{
	struct pmu_slot *clock = &s->group.slots[PMU_STOP_CLOCK];

	clock->from = -clocks & pmu_mask(clock->width);
	s->stopped = false;
	now = s;
	perf_interrupt_open(APIC_LVT_PERF, s->nmi, on_interrupt);
	perf_interrupt_arm();
	return pmu_hw.driver->start(&pmu_hw, &s->group);
}

void pmu_stop_end(void)
{
	struct pmu_stopper *s = now;

	pmu_hw.driver->stop(&pmu_hw);
	if (s && frozen(s))
		keep(s);
	now = NULL;
	perf_interrupt_close();
}

void pmu_stop_close(struct pmu_stopper *s)
{
	if (s->freeze)
		msr_write(MSR_DEBUGCTL, s->debugctl_before);
}
