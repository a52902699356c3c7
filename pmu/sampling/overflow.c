/*
 * IEBS: sampling by the overflow interrupt (pmu/sampling/sampling.h).
 */
#include "kernel/chipset/apic.h"
#include "kernel/lib/string.h"
#include "pmu/internal.h"
#include "pmu/sampling/group.h"
#include "pmu/sampling/interrupt.h"
#include "pmu/sampling/sampler.h"
#include "pmu/sampling/width.h"

enum { STORM = 64 }; /* interrupts at one place and with the same registers in a row */

static struct pmu_sampling *now; /* what is being sampled; NULL: nothing */
static struct pmu_sample last;
static unsigned repeats; /* of the last sample */
static uint64_t period;  /* that runs now */

static uint64_t read_slot(const struct pmu_slot *slot)
{
	uint64_t v = 0;

	pmu_counter_read(&pmu_hw, slot->counter, &v);
	return v;
}

/* A counter starts in its upper half and has overflowed when it is in the lower one. */
static bool overflowed(const struct pmu_slot *slot, uint64_t value)
{
	return !(value >> (slot->width - 1));
}

/* The next period: the caller's, with as many low bits by chance as the caller wants. */
static void next_period(const struct pmu_sampling *s)
{
	uint32_t chance = (1u << s->random) - 1;

	period = (s->period & ~(uint64_t)chance) | (sampling_random() & chance);
	period += !period;
}

/* Periods that ended among the events past an overflow are lost. Returns the events of the next. */
static uint64_t lose(struct pmu_sampling *s, uint64_t events)
{
	next_period(s);
	for (; events >= period && s->random; next_period(s)) {
		events -= period;
		s->lost++;
	}
	s->lost += events / period;
	return events % period;
}

/*
 * Lets the counters run until the next period ends, of which `done` events have happened. The
 * control starts from 0 each time, because a write of an old counter loads 31 bits.
 */
static bool run_on(struct pmu_sampling *s, uint64_t done)
{
	s->group.slots[0].from = (done - period) & pmu_mask(s->group.slots[0].width);
	if (s->waits)
		s->group.slots[1].from = -s->after_count & pmu_mask(s->group.slots[1].width);
	perf_interrupt_arm();
	return pmu_hw.driver->start(&pmu_hw, &s->group);
}

/* Adds what the stopped counters hold; the events of slot 0 past its last overflow. */
static uint64_t account(struct pmu_sampling *s)
{
	const struct pmu_slot *slot = &s->group.slots[0];
	uint64_t value = read_slot(slot);

	s->events += (value - slot->from) & pmu_mask(slot->width);
	if (s->group.n > 1 && !s->after)
		s->control += read_slot(&s->group.slots[1]);
	return value;
}

/*
 * An NMI comes again right behind its IRET if the handler's own events fill the period. A loop
 * that has the same registers in each of its rounds looks the same, but not at CPL 3.
 */
static bool storms(const struct pmu_sampling *s, const struct pmu_sample *sample)
{
	bool same = sample->ip == last.ip && !memcmp(sample->regs, last.regs, sizeof(last.regs));

	repeats = same ? repeats + 1 : 0;
	last = *sample;
	return s->samples + s->spurious >= s->most || (s->nmi && repeats >= STORM);
}

/* The handler: the counters stand still from its first action to its last. */
static void sample(struct pmu_sampling *s, struct trap_frame *f)
{
	struct pmu_sample sample = { .ip = f->ip };
	uint64_t value;

	sampling_regs(sample.regs, f);
	pmu_hw.driver->stop(&pmu_hw);
	value = account(s);
	s->storm |= storms(s, &sample);
	if (s->storm)
		return;
	if (!overflowed(&s->group.slots[0], value)) {
		s->spurious++;
		run_on(s, (value + period) & pmu_mask(s->group.slots[0].width));
		return;
	}
	if (s->waits) {
		s->waits = false;
		s->group.slots[0] = s->then;
		s->group.n = 1;
	}
	sampling_give(s, &sample);
	if (value > s->lag)
		s->lag = value;
	s->late += value != 0;
	run_on(s, lose(s, value));
}

/* An interrupt that arrives after stop() was raised before it. */
static void on_interrupt(struct trap_frame *f)
{
	uint64_t before = now ? now->spurious : 0;

	if (now)
		sample(now, f);
	perf_interrupt_end(f, now && now->spurious == before);
}

static const char *iebs_open(struct pmu_sampling *s)
{
	if (s->after && !sampling_field(PMU_CASCADE))
		return "after= needs counters that start each other, which NetBurst has";
	if (s->after)
		return sampling_cascade(s) ? NULL : "no two counters can count this after that";
	return sampling_group(s, PMU_INT, 1) ? NULL : "no counter with an interrupt is free for it";
}

static bool iebs_start(struct pmu_sampling *s)
{
	repeats = 0;
	next_period(s);
	now = s;
	perf_interrupt_open(APIC_LVT_PERF, s->nmi, on_interrupt);
	return run_on(s, 0);
}

/* An overflow whose interrupt has not come by now has no sample, nor has a period behind it. */
static void iebs_stop(struct pmu_sampling *s)
{
	uint64_t value;

	pmu_hw.driver->stop(&pmu_hw);
	now = NULL;
	if (!s->storm) {
		value = account(s);
		if (overflowed(&s->group.slots[0], value)) {
			s->lost++;
			lose(s, value);
		}
	}
	perf_interrupt_close();
}

const struct pmu_sampler pmu_iebs = {
	.name = "iebs",
	.open = iebs_open,
	.start = iebs_start,
	.stop = iebs_stop,
};
