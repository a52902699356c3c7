/*
 * IBS, instruction-based sampling of AMD from family 10h on (APM volume 2, "Instruction-Based
 * Sampling"; bits of the registers by the PPRs).
 *
 * The CPU tags an op or a fetch every so many of them, and tells afterwards what happened to it. It
 * counts no events. So an event is sampled by tagging, and keeping the samples that had the event:
 * of an event that happened N times about N / period are seen. The count of ops begins at a random
 * number below 16 each time, and the period is 16 longer every other time: a loop whose length has
 * to do with the period would else show few of its instructions.
 */
#include "kernel/chipset/apic.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "pmu/internal.h"
#include "pmu/sampling/group.h"
#include "pmu/sampling/interrupt.h"
#include "pmu/sampling/sampler.h"

#define MSR_FETCH_CTL    0xc0011030u
#define MSR_FETCH_LINEAR 0xc0011031u
#define MSR_OP_CTL       0xc0011033u
#define MSR_OP_RIP       0xc0011034u
#define MSR_OP_DATA      0xc0011035u
#define MSR_OP_DATA2     0xc0011036u
#define MSR_OP_DATA3     0xc0011037u
#define MSR_DC_LINEAR    0xc0011038u
#define MSR_IBS_CTL      0xc001103au

/* Leaf 8000001BH, EAX */
#define CAN_FETCH (1u << 1)
#define CAN_OP    (1u << 2)
#define CAN_WRITE (1u << 3) /* the count can be written */
#define CAN_OPS   (1u << 4) /* it can count ops, not only clocks */
#define CAN_MORE  (1u << 6) /* seven more bits of the maximum */

#define FETCH_ENABLE (1ull << 48)
#define FETCH_VALID  (1ull << 49)
#define OP_ENABLE    (1ull << 17)
#define OP_VALID     (1ull << 18)
#define OP_OPS       (1ull << 19)
#define RIP_INVALID  (1ull << 38) /* MSR_OP_DATA */
#define LINEAR_VALID (1ull << 17) /* MSR_OP_DATA3 */

enum { UNIT = 16, MOST_SHORT = 0xffff, MOST_LONG = 0x7fffff, CTL_VALID = 1 << 8, CTL_ENTRY = 15 };

/* Where IBS tells of a counter's event. A unit mask of 0 is any. */
static const struct tell {
	uint16_t code, umask; /* as the select has them */
	uint8_t fetch;        /* the fetch unit's: the bits of FETCH_CTL must be set */
	uint8_t data3;        /* the bits are in MSR_OP_DATA3, else in MSR_OP_DATA */
	uint8_t low;          /* the lowest of the bits */
	uint8_t bits; /* which must be set, from there; 0: every op or fetch has the event */
} tells[] = {
	{ 0x76, 0, 0, 0, 0, 0 },    /* clocks */
	{ 0xc0, 0, 0, 0, 0, 0 },    /* instructions: more ops, more samples */
	{ 0xc1, 0, 0, 0, 0, 0 },    /* ops */
	{ 0xc2, 0, 0, 0, 37, 1 },   /* branches */
	{ 0xc3, 0, 0, 0, 36, 3 },   /* mispredicted */
	{ 0xc4, 0, 0, 0, 35, 5 },   /* taken */
	{ 0x29, 0x01, 0, 1, 0, 1 }, /* loads */
	{ 0x29, 0x02, 0, 1, 1, 1 }, /* stores */
	{ 0x40, 0, 0, 1, 17, 1 },   /* accesses of the data cache */
	{ 0x41, 0, 0, 1, 7, 1 },    /* its misses */
	{ 0x60, 0xe0, 0, 1, 7, 1 }, /* the requests to L2 that they make */
	{ 0x45, 0, 0, 1, 2, 1 },    /* misses of the first data TLB */
	{ 0x80, 0, 1, 0, 0, 0 },    /* fetches */
	{ 0x81, 0, 1, 0, 51, 1 },   /* misses of the instruction cache */
	{ 0x84, 0, 1, 0, 55, 1 },   /* of the first instruction TLB */
	{ 0x85, 0, 1, 0, 56, 1 },   /* and of the second */
};

static struct {
	struct pmu_sampling *now;
	const struct tell *tell;
	bool fetch;
	bool random;    /* the count can be written */
	uint64_t start; /* of the control register */
	uint64_t before;
} ibs;

static uint32_t control(void)
{
	return ibs.fetch ? MSR_FETCH_CTL : MSR_OP_CTL;
}

static uint64_t read(uint32_t msr)
{
	uint64_t v = 0;

	msr_read(msr, &v);
	return v;
}

/* The local APIC's entry that firmware gave IBS. NULL: `entry` is its offset. */
static const char *find_entry(uint32_t *entry)
{
	uint64_t ctl;

	if (!msr_read(MSR_IBS_CTL, &ctl) || !(ctl & CTL_VALID))
		return "the firmware gave IBS no entry of the local APIC";
	*entry = APIC_EXT_LVT + 16 * (uint32_t)(ctl & CTL_ENTRY);
	if ((apic_read(APIC_EXT_FEATURES) >> 16 & 0xff) <= (ctl & CTL_ENTRY))
		return "the local APIC lacks the entry that IBS has";
	return apic_read(*entry) & LVT_MASKED ? NULL : "the firmware holds the entry that IBS has";
}

static const struct tell *find_tell(uint64_t select)
{
	uint32_t code = (uint32_t)((select & 0xff) | (select >> 24 & 0xf00));

	for (const struct tell *t = tells; t < tells + sizeof(tells) / sizeof(tells[0]); t++)
		if (t->code == code && (!t->umask || t->umask == (select >> 8 & 0xff)) &&
		    t->fetch == ibs.fetch)
			return t;
	return NULL;
}

/* The control register's value for the period, rounded up to what it can hold. */
static uint64_t start_of(struct pmu_sampling *s, uint32_t can)
{
	uint64_t n = (s->period + UNIT - 1) / UNIT;
	uint64_t most = (!ibs.fetch && can & CAN_MORE ? MOST_LONG : MOST_SHORT) - 1;

	n = n > most ? most : n;
	s->period = n * UNIT;
	if (ibs.fetch)
		return n | FETCH_ENABLE;
	return (n & 0xffff) | (n >> 16) << 20 | OP_ENABLE | (ibs.tell->code == 0x76 ? 0 : OP_OPS);
}

/* Lets the next period begin. */
static bool run_on(void)
{
	uint32_t r = ibs.random ? sampling_random() : 0;

	return msr_write(control(), ibs.start + (r >> 4 & 1) + ((uint64_t)(r & 15) << 32));
}

static uint32_t abilities(void)
{
	return x86_cpuid(0x8000001b, 0).eax;
}

static const char *open(struct pmu_sampling *s, bool fetch)
{
	const char *why;

	ibs.fetch = fetch;
	if (pmu_hw.driver != &pmu_amd || !cpu_has(pmu_hw.cpu, CPU_IBS))
		return "CPUID announces no IBS, which is AMD's from family 10h on";
	if (!(abilities() & (fetch ? CAN_FETCH : CAN_OP)) || (!fetch && !(abilities() & CAN_OPS)))
		return "this IBS cannot count what it would have to";
	why = find_entry(&s->entry);
	if (why)
		return why;
	if (!pmu_single(&s->group, s->event, s->cpl))
		return "no counter is free for the event";
	ibs.tell = find_tell(s->group.slots[0].select);
	if (!ibs.tell)
		return "IBS does not tell this event";
	return msr_read(control(), &ibs.before) ? NULL : "IBS is announced, but faults";
}

static const char *open_op(struct pmu_sampling *s)
{
	return open(s, false);
}

static const char *open_fetch(struct pmu_sampling *s)
{
	return open(s, true);
}

/* The tagged op or fetch, if it had the event. Latency and source are those of a load's miss. */
static bool had_event(struct pmu_sample *out, uint64_t ctl)
{
	uint64_t data = ibs.fetch ? ctl : read(MSR_OP_DATA), data3 = 0;
	uint64_t bits = (uint64_t)ibs.tell->bits << ibs.tell->low;

	out->eventing = true;
	out->ip = (uintptr_t)read(ibs.fetch ? MSR_FETCH_LINEAR : MSR_OP_RIP);
	if (ibs.fetch)
		return (data & bits) == bits;
	data3 = read(MSR_OP_DATA3);
	out->has_address = data3 & LINEAR_VALID;
	out->address = read(MSR_DC_LINEAR);
	out->latency = data3 >> 32 & 0xffff;
	out->source = read(MSR_OP_DATA2) & 0xff;
	return ((ibs.tell->data3 ? data3 : data) & bits) == bits;
}

static void take(struct pmu_sampling *s, uint64_t ctl)
{
	struct pmu_sample sample = { .no_regs = true };
	bool wanted = had_event(&sample, ctl);

	if (!ibs.fetch && read(MSR_OP_DATA) & RIP_INVALID) {
		s->lost++;
		return;
	}
	if (sample.ip - s->code >= s->code_size) {
		s->elsewhere++;
		return;
	}
	if (!wanted)
		return;
	sampling_give(s, &sample);
}

static void on_sample(struct trap_frame *f)
{
	struct pmu_sampling *s = ibs.now;
	uint64_t ctl = s ? read(control()) : 0;
	bool ours = ctl & (ibs.fetch ? FETCH_VALID : OP_VALID);

	if (s) {
		s->spurious += !ours;
		if (ours)
			take(s, ctl);
		if (s->samples + s->spurious + s->elsewhere + s->lost > s->most)
			s->storm = true;
		else
			run_on();
	}
	perf_interrupt_end(f, ours);
}

static bool start(struct pmu_sampling *s)
{
	ibs.start = start_of(s, abilities());
	ibs.random = !ibs.fetch && abilities() & CAN_WRITE;
	ibs.now = s;
	perf_interrupt_open(s->entry, s->nmi, on_sample);
	perf_interrupt_arm();
	return pmu_hw.driver->start(&pmu_hw, &s->group) && run_on();
}

static void stop(struct pmu_sampling *s)
{
	msr_write(control(), 0);
	pmu_hw.driver->stop(&pmu_hw);
	pmu_counter_read(&pmu_hw, s->group.slots[0].counter, &s->events);
	ibs.now = NULL;
	perf_interrupt_close();
	msr_write(control(), ibs.before);
}

const struct pmu_sampler pmu_ibs_op = {
	.name = "ibs-op",
	.open = open_op,
	.start = start,
	.stop = stop,
};

const struct pmu_sampler pmu_ibs_fetch = {
	.name = "ibs-fetch",
	.open = open_fetch,
	.start = start,
	.stop = stop,
};
