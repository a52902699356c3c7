/*
 * PEBS, precise event-based sampling: the CPU itself writes registers and address into memory
 * (SDM volume 3B, "Debug Store (DS) Mechanism" and "Processor Event Based Sampling").
 *
 * NetBurst samples three events on counter IQ_CTR4. Core 2 and later sample on general counters;
 * PERF_CAPABILITIES bits 11:8 tell the format of their records. An interrupt comes when the buffer
 * is half full, and the handler empties it.
 */
#include "kernel/chipset/apic.h"
#include "kernel/cpu/msr.h"
#include "kernel/lib/string.h"
#include "pmu/internal.h"
#include "pmu/sampling/group.h"
#include "pmu/sampling/interrupt.h"
#include "pmu/sampling/sampler.h"
#include "pmu/sampling/width.h"

#define MSR_MISC_ENABLE       0x1a0
#define MSR_FIXED_CTR0        0x309
#define MSR_PERF_CAPABILITIES 0x345
#define MSR_GLOBAL_OVF_CTRL   0x390
#define MSR_CRU_ESCR2         0x3cc
#define MSR_PEBS_ENABLE       0x3f1
#define MSR_PEBS_DATA_CFG     0x3f2
#define MSR_DS_AREA           0x600

#define MISC_ENABLE_NO_PEBS   (1u << 12)
#define CAPABILITIES_BASELINE (1u << 14) /* records have groups that PEBS_DATA_CFG chooses */
#define OVF_DS_BUFFER         (1ull << 62)
#define EVTSEL_ADAPTIVE       (1ull << 34)
#define FIXED_ADAPTIVE        (1ull << 32)
#define DATA_CFG_MEMORY       1u
#define DATA_CFG_GPR          2u
#define NETBURST_MY_THREAD    (1u << 25)
#define NETBURST_IQ_CTR4      16
#define LDLAT_EVENT           0x01cd

enum {
	BUFFER = 16384,  /* bytes: the last threshold, and two of the longest records */
	RECORD = 256,    /* the longest record that is asked for: 208 bytes */
	COUNTERS = 4,    /* general counters that sample on every model with PEBS but Core 2 */
	DS_WORDS = 64,   /* of the debug store area: 8 of buffers, then a reset value a counter */
	DS_PEBS = 4,     /* words before those of PEBS: base, index, maximum, threshold */
	FORMAT_NONE = 0, /* NetBurst and Core 2: registers alone */
};

static struct {
	uint64_t ds[DS_WORDS]; /* in its 32-bit layout the first eight are half as wide */
	uint8_t buffer[BUFFER + RECORD];
} area __attribute__((aligned(64)));

static struct {
	struct pmu_sampling *now;
	bool netburst, wide, adaptive;
	unsigned format;
	uint64_t enable; /* of PEBS_ENABLE; NetBurst has it in the group */
	unsigned slot;   /* of the reset value */
	uint64_t ds_before, enable_before, cfg_before;
} pebs;

/*
 * Why this CPU does not sample precisely. NULL: it does. Fills `pebs`, also with what the registers
 * hold now and pebs_stop() puts back.
 */
static const char *obstacle(void)
{
	const struct cpu *cpu = pmu_hw.cpu;
	uint64_t v;

	pebs.netburst = pmu_hw.driver == &pmu_netburst;
	if (!pebs.netburst && pmu_hw.driver != &pmu_arch)
		return "PEBS is Intel's, from the Pentium 4 on";
	/*
	 * CPUID leaf 23H subleaves 4 and 5 (Linux, intel_arch_pebs_init): no debug store, no
	 * PEBS_ENABLE and no PEBS_DATA_CFG. Each counter has its own enable bit and groups in
	 * IA32_PMC_GPn_CFG_C, and IA32_PEBS_BASE holds a physical address.
	 */
	if (cpu->arch.pebs)
		return "the CPU has architectural PEBS (leaf 23H), whose registers are other ones; "
		       "iebs samples here";
	if (!cpu_has(cpu, CPU_DS))
		return "CPUID has no debug store (ds), which PEBS writes to";
	if (!msr_read(MSR_MISC_ENABLE, &v) || v & MISC_ENABLE_NO_PEBS)
		return "IA32_MISC_ENABLE bit 12 says that there is no PEBS";
	if (!msr_read(MSR_PEBS_ENABLE, &pebs.enable_before) ||
	    !msr_read(MSR_DS_AREA, &pebs.ds_before))
		return "PEBS is announced, but its registers cannot be read";
	if (!pmu_takes(MSR_PEBS_ENABLE, pebs.netburst ? NETBURST_MY_THREAD : 1,
	               pebs.enable_before) ||
	    !pmu_takes(MSR_DS_AREA, (uintptr_t)&area, pebs.ds_before))
		return "PEBS is announced, but its registers do not hold what is written";
	pebs.wide = sizeof(void *) == 8 || cpu_has(cpu, CPU_DTES64);
	pebs.format = FORMAT_NONE;
	pebs.adaptive = false;
	if (!pebs.netburst && cpu_has(cpu, CPU_PDCM) && msr_read(MSR_PERF_CAPABILITIES, &v)) {
		pebs.format = v >> 8 & 0xf;
		pebs.adaptive =
			v & CAPABILITIES_BASELINE && msr_read(MSR_PEBS_DATA_CFG, &pebs.cfg_before);
	}
	return NULL;
}

/* Front_end_event, replay_event and execution_event: those of the ESCRs CRU_ESCR2 and 3. */
static bool can_sample(const struct pmu_slot *slot)
{
	for (unsigned i = 0; i < slot->nextra; i++) {
		uint32_t event = (uint32_t)slot->extra[i].value >> 25;

		if ((slot->extra[i].msr & ~1u) == MSR_CRU_ESCR2 &&
		    (event == 0x08 || event == 0x09 || event == 0x0c))
			return true;
	}
	return false;
}

/* NetBurst: PEBS_ENABLE also tags, so its value belongs to the group. */
static bool enable_thread(struct pmu_slot *slot, bool must)
{
	unsigned i = 0;

	while (i < slot->nextra && slot->extra[i].msr != MSR_PEBS_ENABLE)
		i++;
	if (i == slot->nextra && must && i < PMU_EXTRA)
		slot->extra[slot->nextra++] = (struct pmu_write){ MSR_PEBS_ENABLE, 0 };
	if (i < slot->nextra)
		slot->extra[i].value |= NETBURST_MY_THREAD;
	return i < slot->nextra;
}

static const char *open_netburst(struct pmu_sampling *s)
{
	if (!sampling_group(s, PMU_COUNTER, NETBURST_IQ_CTR4))
		return "PEBS needs an event that MSR_IQ_COUNTER4 can count";
	if (!can_sample(&s->group.slots[0]))
		return "PEBS samples front_end_event, replay_event and execution_event alone";
	if (!enable_thread(&s->group.slots[0], true))
		return "the event leaves no room for PEBS_ENABLE";
	if (s->group.n > 1)
		enable_thread(&s->group.slots[1], false);
	pebs.slot = 0;
	return NULL;
}

static const char no_counter[] =
	"PEBS needs an event that counters 0 to 3, or from Ice Lake on fixed counter 0, can count";

/* Ice Lake and later: fixed counter 0 samples, too. The adaptive bit is in its control. */
static const char *open_fixed(struct pmu_sampling *s)
{
	struct pmu_slot *slot = &s->group.slots[0];

	if (!pmu_single(&s->group, s->event, s->cpl) ||
	    pmu_hw.counter[slot->counter].msr != MSR_FIXED_CTR0)
		return no_counter;
	sampling_add(&s->group, s->event, s->cpl);
	pebs.slot = pebs.format >= 5 ? 32 : 8;
	pebs.enable = 1ull << 32;
	slot->select |= FIXED_ADAPTIVE;
	return NULL;
}

static const char *open_arch(struct pmu_sampling *s)
{
	struct pmu_slot *slot = &s->group.slots[0];
	unsigned n = 0;

	while (n < COUNTERS && !sampling_group(s, PMU_COUNTER, n))
		n++;
	if (n == COUNTERS)
		return pebs.adaptive ? open_fixed(s) : no_counter;
	pebs.slot = pmu_hw.counter[slot->counter].number;
	pebs.enable = 1ull << pebs.slot;
	/*
	 * Bit 32 + n is load latency on counter n, but from version 5 on PEBS of fixed counter n
	 * (Linux, intel_pmu_pebs_enable).
	 */
	if ((slot->select & 0xffff) == LDLAT_EVENT && pmu_hw.cpu->arch.version < 5)
		pebs.enable |= 1ull << (32 + pebs.slot);
	if (pebs.adaptive)
		slot->select |= EVTSEL_ADAPTIVE;
	return NULL;
}

static const char *pebs_open(struct pmu_sampling *s)
{
	const char *why = obstacle();

	if (!why)
		why = pebs.netburst ? open_netburst(s) : open_arch(s);
	return why;
}

static void set_word(unsigned i, uintptr_t v)
{
	if (pebs.wide)
		area.ds[i] = v;
	else
		memcpy((uint8_t *)area.ds + 4 * i, &v, 4);
}

static uintptr_t get_index(void)
{
	uint32_t narrow;

	if (pebs.wide)
		return (uintptr_t)area.ds[DS_PEBS + 1];
	memcpy(&narrow, (uint8_t *)area.ds + 4 * (DS_PEBS + 1), 4);
	return narrow;
}

static void set_up_area(const struct pmu_sampling *s)
{
	uintptr_t base = (uintptr_t)area.buffer;
	uint64_t reset =
		-s->period & 0xffffffffffull; /* 40 bits: NetBurst's counters have no more */
	uint8_t width = s->group.slots[0].width;

	if (width > 40)
		reset = -s->period & ((1ull << width) - 1);
	memset(&area, 0, sizeof(area));
	set_word(DS_PEBS, base);
	set_word(DS_PEBS + 1, base);
	set_word(DS_PEBS + 2, base + BUFFER);
	/* the branches are those before the interrupt, so each record has one of its own */
	set_word(DS_PEBS + 3, base + (s->branches ? 1 : s->watermark ? s->watermark : BUFFER / 2));
	memcpy((uint8_t *)area.ds + (pebs.wide ? 0x40 : 0x20) + 8 * pebs.slot, &reset, 8);
}

/* Bytes of the record at p; adaptive ones say it themselves. 0: it cannot be. */
static size_t record_size(const uint8_t *p)
{
	static const uint16_t sizes[] = { 144, 176, 192, 200 };
	uint64_t first;

	if (!pebs.wide)
		return 40;
	if (pebs.format < 4)
		return sizes[pebs.format];
	memcpy(&first, p, 8);
	return (size_t)(first >> 48);
}

static uint64_t word(const uint8_t *p, unsigned i)
{
	uint64_t v = 0;

	memcpy(&v, p + i * (pebs.wide ? 8 : 4), pebs.wide ? 8 : 4);
	return v;
}

/* The place of AX CX DX BX SP BP SI DI R8-R15 among the words of a record. */
static void read_regs(struct pmu_sample *out, const uint8_t *p, const uint8_t order[8])
{
	for (unsigned r = 0; r < (pebs.wide ? PMU_SAMPLE_REGS : 8); r++)
		out->regs[r] = (uintptr_t)word(p, r < 8 ? order[r] : r + 2);
}

/* FLAGS IP AX BX CX DX SI DI BP SP R8-R15, then what the format adds. */
static void read_fixed(struct pmu_sample *out, const uint8_t *p)
{
	static const uint8_t order[] = { 2, 4, 5, 3, 9, 8, 6, 7 };

	read_regs(out, p, order);
	out->ip = (uintptr_t)word(p, 1);
	out->eventing = out->before = pebs.netburst;
	if (pebs.format >= 1) {
		out->has_address = word(p, 19) != 0;
		out->address = word(p, 19);
		out->source = word(p, 20);
		out->latency = word(p, 21);
	}
	if (pebs.format >= 2) {
		out->ip = (uintptr_t)word(p, 22);
		out->eventing = true;
	}
}

/* Basic group: format and size, IP, counters, TSC. Then memory and registers, if they are there. */
static void read_adaptive(struct pmu_sample *out, const uint8_t *p)
{
	static const uint8_t order[] = { 2, 3, 4, 5, 6, 7, 8, 9 };
	uint64_t groups = word(p, 0);

	out->ip = (uintptr_t)word(p, 1);
	out->eventing = true;
	p += 32;
	if (groups & DATA_CFG_MEMORY) {
		out->has_address = word(p, 0) != 0;
		out->address = word(p, 0);
		out->source = word(p, 1);
		out->latency = word(p, 2) & 0xffff;
		p += 32;
	}
	if (groups & DATA_CFG_GPR)
		read_regs(out, p, order);
}

/* Before Haswell the record names the next instruction. */
static void step_back(const struct pmu_sampling *s, struct pmu_sample *out)
{
	uintptr_t ip = sampling_before(s, out->ip);

	if (ip) {
		out->ip = ip;
		out->eventing = out->stepped = true;
	}
}

/* Gives all records of the buffer away, and empties it. */
static void drain(struct pmu_sampling *s)
{
	uintptr_t base = (uintptr_t)area.buffer, end = get_index();
	size_t n = 0;

	for (uintptr_t at = base; at < end && end <= base + BUFFER + RECORD; at += n) {
		struct pmu_sample sample = { .ip = 0 };

		n = record_size((const uint8_t *)at);
		if (!n || n > end - at) {
			s->lost++;
			break;
		}
		if (pebs.format < 4)
			read_fixed(&sample, (const uint8_t *)at);
		else
			read_adaptive(&sample, (const uint8_t *)at);
		if (!sample.eventing && sampling_before)
			step_back(s, &sample);
		sampling_give(s, &sample);
	}
	if (end + n > base + BUFFER)
		s->lost++; /* one more does not fit: some may be missing */
	set_word(DS_PEBS + 1, base);
}

static void on_threshold(struct trap_frame *f)
{
	struct pmu_sampling *s = pebs.now;
	bool ours = s && get_index() != (uintptr_t)area.buffer;

	if (ours)
		drain(s);
	else if (s)
		s->spurious++;
	if (s) {
		if (!pebs.netburst && pmu_hw.cpu->arch.version >= 2)
			msr_write(MSR_GLOBAL_OVF_CTRL, OVF_DS_BUFFER);
		if (s->samples + s->spurious > s->most) {
			s->storm = true;
			pmu_hw.driver->stop(&pmu_hw);
		} else {
			perf_interrupt_arm();
		}
	}
	perf_interrupt_end(f, ours);
}

static bool pebs_start(struct pmu_sampling *s)
{
	struct pmu_slot *slot = &s->group.slots[0];

	pmu_hw.driver->stop(&pmu_hw);
	set_up_area(s);
	slot->from = -s->period & pmu_mask(slot->width);
	pebs.now = s;
	perf_interrupt_open(APIC_LVT_PERF, s->nmi, on_threshold);
	perf_interrupt_arm();
	if (!msr_write(MSR_DS_AREA, (uintptr_t)&area))
		return false;
	if (pebs.adaptive && !msr_write(MSR_PEBS_DATA_CFG, DATA_CFG_MEMORY | DATA_CFG_GPR))
		return false;
	if (!pebs.netburst && !msr_write(MSR_PEBS_ENABLE, pebs.enable))
		return false;
	return pmu_hw.driver->start(&pmu_hw, &s->group);
}

/* The period of a counter that PEBS reloads says nothing of the sum; the control counts it. */
static void pebs_stop(struct pmu_sampling *s)
{
	uint64_t v = 0;

	pmu_hw.driver->stop(&pmu_hw);
	if (s->group.n > 1 && pmu_counter_read(&pmu_hw, s->group.slots[1].counter, &v))
		s->control = v;
	drain(s);
	pebs.now = NULL;
	perf_interrupt_close();
	msr_write(MSR_PEBS_ENABLE, pebs.enable_before);
	if (pebs.adaptive)
		msr_write(MSR_PEBS_DATA_CFG, pebs.cfg_before);
	msr_write(MSR_DS_AREA, pebs.ds_before);
}

const struct pmu_sampler pmu_pebs = {
	.name = "pebs",
	.open = pebs_open,
	.start = pebs_start,
	.stop = pebs_stop,
};
