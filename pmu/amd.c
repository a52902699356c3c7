/*
 * AMD from K7 on: four counters at C001_0000h, six with the core extension at C001_0200h, and from
 * Zen 4 on one global control.
 *
 * Follows AMD APM volume 2, "Performance Monitoring Counters", and the BKDGs and PPRs of the
 * families. K7 and K8 announce nothing: vendor and family decide. Before PerfMonV2 each counter
 * runs by itself, from the moment its select has EN.
 */
#include "kernel/cpu/msr.h"
#include "pmu/evtsel.h"
#include "pmu/internal.h"
#include "pmu/tables.h"

#define MSR_K7_EVNTSEL(n)     (0xc0010000u + (n))
#define MSR_K7_PERFCTR(n)     (0xc0010004u + (n))
#define MSR_PERF_CTL(n)       (0xc0010200u + 2 * (n))
#define MSR_PERF_CTR(n)       (0xc0010201u + 2 * (n))
#define MSR_GLOBAL_CTL        0xc0000301u
#define MSR_GLOBAL_STATUS_CLR 0xc0000302u
/* As on Intel: counters stand still while bit 59 is set; guarded, a hypervisor may refuse it. */
#define STATUS_FROZEN         (3ull << 58)

/* Bits 19 and 21 are reserved; before family 10h bits 63:32 are. */
#define EVTSEL_EVENT_HIGH(e) ((uint64_t)((e) >> 8 & 0xf) << 32)
#define EVTSEL_GUEST         (1ull << 40)
#define EVTSEL_HOST          (1ull << 41)

/* Event FFFh on an odd counter makes it the upper half of the even one before it. */
#define EVTSEL_MERGE (EVTSEL_EVENT_HIGH(0xfff) | 0xff | EVTSEL_EN)
#define LARGE_EVENT  0x003 /* counts up to 64 a clock */

/* pmu_hw.has */
#define HAS_EXTENSION 0x01 /* registers at C001_0200h */
#define HAS_GLOBAL    0x02
#define HAS_WIDE      0x04 /* event select bits 35:32, 40, 41 */
#define HAS_MERGE     0x08
#define IS_FAM15H     0x10

enum { MOST = 6 }; /* RDPMC's numbers from 6 on belong to the northbridge */

/* clang-format off */
static const struct pmu_field amd_fields[] = {
	{ "event", 0,     0xfff, PMU_EVENT, 0 },
	{ "umask", 0,     0xff,  PMU_UMASK, 0 },
	{ "cmask", "c",   0xff,  PMU_CMASK, 0 },
	{ "inv",   "i",   1,     PMU_INV,   0 },
	{ "edge",  "e",   1,     PMU_EDGE,  0 },
	{ "usr",   "u",   1,     PMU_USR,   0 },
	{ "os",    "k",   1,     PMU_OS,    0 },
	{ "int",   "int", 1,     PMU_INT,   0 },
	{ "guest", "g",   1,     PMU_GUEST, 0 },
	{ "host",  "h",   1,     PMU_HOST,  0 },
	{ 0, 0, 0, 0, 0 },
};

/*
 * Family 15h: which counters have an event, BKDG "Core Performance Counter Events", as collected
 * in Linux events/amd/core.c. First match wins; an event 4 bits of which no row has is not a
 * core event.
 */
static const struct {
	uint16_t code, ignore; /* bits of the code that may differ */
	uint8_t counters;
} fam15h[] = {
	{ 0x003, 0,     0x08 }, { 0x00b, 0,     0x08 }, { 0x00d, 0,     0x08 },
	{ 0x000, 0,     0x38 }, { 0x004, 0,     0x38 },
	{ 0x023, 0,     0x07 }, { 0x031, 0,     0x07 }, { 0x043, 0,     0x07 },
	{ 0x045, 0,     0x07 }, { 0x046, 0,     0x07 }, { 0x054, 0x001, 0x07 },
	{ 0x02d, 0,     0x08 }, { 0x02e, 0,     0x09 },
	{ 0x08f, 0,     0x01 }, { 0x187, 0,     0x01 }, { 0x188, 0,     0x01 },
	{ 0x0db, 0,     0x3f }, { 0x0dc, 0x003, 0x3f }, { 0x1d6, 0,     0x3f },
	{ 0x1d8, 0,     0x3f }, { 0x1c0, 0,     0x38 },
	{ 0x000, 0xf1f, 0x38 }, { 0x020, 0xf0f, 0x3f }, { 0x030, 0xf0f, 0x3f },
	{ 0x040, 0xf1f, 0x3f }, { 0x060, 0xf0f, 0x07 }, { 0x070, 0xf0f, 0x07 },
	{ 0x080, 0xf1f, 0x07 }, { 0x0c0, 0xf0f, 0x3f }, { 0x0d0, 0xf0f, 0x07 },
};
/* clang-format on */

/* Raw, so that a family whose events we do not know is proven too: C0h is the same on all. */
static const struct pmu_proof amd_proofs[] = {
	{ PMU_PROOF_INSTRUCTIONS, "cpu/event=0xc0/" },
	{ PMU_PROOF_BRANCHES, "cpu/event=0xc2/" },
	{ PMU_PROOF_END, 0 },
};

static uint32_t select_msr(const struct pmu_hw *hw, unsigned n)
{
	return hw->has & HAS_EXTENSION ? MSR_PERF_CTL(n) : MSR_K7_EVNTSEL(n);
}

static uint32_t find_has(const struct cpu *cpu)
{
	uint32_t has = 0;

	has |= cpu->amd.core_ext || cpu->amd.v2 ? HAS_EXTENSION : 0;
	has |= cpu->amd.v2 ? HAS_GLOBAL : 0;
	has |= cpu->family >= 0x10 ? HAS_WIDE : 0;
	has |= cpu->amd.core_ext && cpu->family >= 0x17 ? HAS_MERGE : 0;
	has |= cpu->amd.core_ext && cpu->family == 0x15 ? IS_FAM15H : 0;
	return has;
}

static bool amd_probe(struct pmu_hw *hw, const struct cpu *cpu)
{
	static const char *const names[MOST] = { "PERF_CTR0", "PERF_CTR1", "PERF_CTR2",
		                                 "PERF_CTR3", "PERF_CTR4", "PERF_CTR5" };

	if (cpu->pmu_class != PMU_CLASS_AMD)
		return false;
	pmu_find_model(hw, "amd", cpu);
	hw->has = find_has(cpu);
	hw->ncounters = cpu->amd.counters < MOST ? cpu->amd.counters : MOST;
	for (unsigned n = 0; n < hw->ncounters; n++)
		hw->counter[n] = (struct pmu_counter){
			.name = names[n],
			.msr = hw->has & HAS_EXTENSION ? MSR_PERF_CTR(n) : MSR_K7_PERFCTR(n),
			.index = n,
			.number = (uint8_t)n,
			.access = PMU_RDPMC,
			.width = 48,
			.load = 48,
		};
	if (!hw->ncounters)
		hw->why = "leaf 80000022H announces no core counter";
	return true;
}

static uint32_t amd_reg(const struct pmu_hw *hw, unsigned i)
{
	if (i < hw->ncounters)
		return hw->counter[i].msr;
	i -= hw->ncounters;
	if (i < hw->ncounters)
		return select_msr(hw, i);
	return i == hw->ncounters && (hw->has & HAS_GLOBAL) ? MSR_GLOBAL_CTL : 0;
}

static struct pmu_control amd_control(const struct pmu_hw *hw, uint32_t msr)
{
	(void)hw;
	return (struct pmu_control){ .enables = msr == MSR_GLOBAL_CTL ? 0 : EVTSEL_EN };
}

static uint32_t fam15h_counters(uint32_t code, uint32_t umask)
{
	/* FPU pipe assignment on any pipe, and so on: these masks need counter 3. */
	if ((code == 0x000 && !(umask & 0xf0)) ||
	    (code == 0x004 && umask && !(umask & (umask - 1))))
		return 0x08;
	for (unsigned i = 0; i < sizeof(fam15h) / sizeof(fam15h[0]); i++)
		if (!((code ^ fam15h[i].code) & ~fam15h[i].ignore & 0xfffu))
			return fam15h[i].counters;
	return 0;
}

static uint64_t select_of(const struct pmu_request *rq, uint32_t code)
{
	return evtsel_common(rq) | EVTSEL_EVENT_HIGH(code) | EVTSEL_EN |
	       (rq->value[PMU_GUEST] ? EVTSEL_GUEST : 0) | (rq->value[PMU_HOST] ? EVTSEL_HOST : 0);
}

/* An even counter with the odd one after it; a way for each such pair. */
static unsigned encode_merged(const struct pmu_hw *hw, uint32_t counters, uint64_t select,
                              struct pmu_config *out)
{
	unsigned n = 0;

	for (unsigned c = 0; c + 1 < hw->ncounters; c += 2) {
		if (!(counters >> c & 1))
			continue;
		out[n++] = (struct pmu_config){
			.counters = 1u << c,
			.blocks = 2u << c,
			.select = select,
			.nextra = 1,
			.extra = { { select_msr(hw, c + 1), EVTSEL_MERGE } },
		};
	}
	return n;
}

static unsigned amd_encode(const struct pmu_hw *hw, const struct pmu_request *rq,
                           struct pmu_config *out, const char **why)
{
	uint32_t code = (uint32_t)pmu_field(rq, PMU_EVENT, rq->named ? rq->event.code : 0);
	uint32_t umask = (uint32_t)pmu_field(rq, PMU_UMASK, rq->umask);
	uint32_t counters = pmu_request_counters(hw, rq);

	if (!evtsel_levels(rq, why) || !evtsel_compare(rq, why))
		return 0;
	if (!(hw->has & HAS_WIDE) && (code > 0xff || rq->value[PMU_GUEST] || rq->value[PMU_HOST])) {
		*why = "events above 0xff, guest and host came with family 10h";
		return 0;
	}
	/* KVM drops both bits and counts the guest alone (Linux, svm/pmu.c, amd_pmu_refresh()). */
	if (cpu_is_guest(hw->cpu) && (rq->value[PMU_GUEST] || rq->value[PMU_HOST])) {
		*why = "guest and host mean nothing under a hypervisor, which drops them";
		return 0;
	}
	if (hw->has & IS_FAM15H) {
		*why = "no core counter of family 15h has this event";
		if (!fam15h_counters(code, umask))
			return 0;
		counters &= fam15h_counters(code, umask);
	}
	*why = "no counter that can count it proved itself";
	if ((hw->has & HAS_MERGE) && code == LARGE_EVENT)
		return encode_merged(hw, counters, select_of(rq, code), out);
	*out = (struct pmu_config){ .counters = counters, .select = select_of(rq, code) };
	return counters != 0;
}

static void amd_stop(const struct pmu_hw *hw)
{
	if (hw->has & HAS_GLOBAL)
		msr_write(MSR_GLOBAL_CTL, 0);
	for (unsigned n = 0; n < hw->ncounters; n++)
		msr_write(select_msr(hw, n), 0);
}

/* The upper half of a pair counts with its lower half: both are zeroed, both enabled. */
static uint32_t counters_in(const struct pmu_hw *hw, const struct pmu_group *group)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_slot *s = &group->slots[i];

		bits |= 1u << s->counter;
		if (s->nextra && s->extra[0].msr == select_msr(hw, s->counter + 1))
			bits |= 2u << s->counter;
	}
	return bits;
}

static bool amd_start(const struct pmu_hw *hw, const struct pmu_group *group)
{
	uint32_t counters = counters_in(hw, group);
	bool ok = true;

	amd_stop(hw);
	for (unsigned n = 0; n < hw->ncounters; n++)
		if (counters >> n & 1)
			ok = ok && msr_write(hw->counter[n].msr, 0);
	ok = ok && pmu_write_extra(group);
	for (unsigned i = 0; i < group->n; i++)
		if (group->slots[i].from)
			ok = ok && msr_write(hw->counter[group->slots[i].counter].msr,
			                     group->slots[i].from);
	for (unsigned i = 0; i < group->n; i++)
		ok = ok &&
		     msr_write(select_msr(hw, group->slots[i].counter), group->slots[i].select);
	if (hw->has & HAS_GLOBAL)
		ok = ok &&
		     (msr_write(MSR_GLOBAL_STATUS_CLR, counters | STATUS_FROZEN) ||
		      msr_write(MSR_GLOBAL_STATUS_CLR, counters)) &&
		     msr_write(MSR_GLOBAL_CTL, counters);
	if (!ok)
		amd_stop(hw);
	return ok;
}

const struct pmu_driver pmu_amd = {
	.name = "amd",
	.raw = "cpu",
	.table = &pmu_table_amd,
	.fields = amd_fields,
	.proofs = amd_proofs,
	.defaults = "instructions,cycles,branches,branch-misses,l1d-misses,uops",
	.probe = amd_probe,
	.reg = amd_reg,
	.control = amd_control,
	.encode = amd_encode,
	.start = amd_start,
	.stop = amd_stop,
};
