/*
 * Intel's architectural performance monitoring, versions 1 to 6.
 *
 * Follows SDM volume 3B, "Architectural Performance Monitoring". What exists comes from CPUID
 * leaves 0AH and 23H of the core under test: a virtual machine may offer less than its model, and
 * the cores of a hybrid part differ. From version 2 on GLOBAL_CTRL is the one switch that starts
 * and stops all counters; version 1 has an enable bit in each select and nothing else.
 */
#include "kernel/cpu/msr.h"
#include "kernel/lib/quirks.h"
#include "kernel/lib/string.h"
#include "pmu/events.h"
#include "pmu/evtsel.h"
#include "pmu/internal.h"
#include "pmu/tables.h"

#define MSR_PMC(n)            (0xc1 + (n))
#define MSR_TSX_FORCE_ABORT   0x10f
#define MSR_OFFCORE_RSP(n)    (0x1a6 + (n))
#define MSR_PERFEVTSEL(n)     (0x186 + (n))
#define MSR_DEBUGCTL          0x1d9
#define MSR_FIXED_CTR(n)      (0x309 + (n))
#define MSR_PERF_CAPABILITIES 0x345
#define MSR_FIXED_CTR_CTRL    0x38d
#define MSR_GLOBAL_CTRL       0x38f
#define MSR_GLOBAL_OVF_CTRL   0x390 /* version 4 on: GLOBAL_STATUS_RESET */
#define MSR_GLOBAL_INUSE      0x392
#define MSR_OMR(n)            (0x3e0 + (n))
#define MSR_LD_LAT_THRESHOLD  0x3f6
#define MSR_FRONTEND          0x3f7
#define MSR_A_PMC(n)          (0x4c1 + (n))

#define CAPABILITIES_FREEZE_SMM (1ull << 12)
#define CAPABILITIES_FULL_WRITE (1ull << 13)
#define DEBUGCTL_FREEZE_SMM     (1ull << 14)
#define RDPMC_FIXED             0x40000000u
#define FIXED_BITS(n, v)        ((uint64_t)(v) << 4 * (n))
#define FIXED_OS                1u
#define FIXED_USR               2u
#define FIXED_ANY               4u
#define FIXED_PMI               8u
#define FIXED_LEVELS            0x3333333u   /* FIXED_OS and FIXED_USR of all fixed counters */
#define STATUS_FROZEN           (3ull << 58) /* version 4 on: LBR_Frz, CTR_Frz */
#define GLOBAL_FIXED(n)         (1ull << (32 + (n)))
#define EVTSEL_IN_TX            (1ull << 32)
#define EVTSEL_IN_TXCP          (1ull << 33)
#define EVTSEL_EQ               (1ull << 36)
#define EVTSEL_UMASK2(n)        ((uint64_t)(n) << 40)

/* pmu_hw.has */
#define HAS_GLOBAL     0x01 /* version 2 on */
#define HAS_ANY        0x02 /* AnyThread: version 3 on, until deprecated */
#define HAS_FREEZE_SMM 0x04
#define HAS_OFFCORE0   0x08
#define HAS_OFFCORE1   0x10
#define HAS_LDLAT      0x20
#define HAS_FRONTEND   0x40
#define HAS_OMR        0x80
#define HAS_STUCK      0x100 /* Nehalem, Westmere: see arch_wake() */
#define HAS_ONE_ENABLE 0x200 /* the enable bit of counter 0 is that of counter 1 too */

#define AUXILIARY 0x8203 /* event and unit mask */

enum {
	MOST_GENERAL = 10,
	MOST_FIXED = 7,
	SHARED_GENERAL = 4, /* a Sandy Bridge to Cascade Lake core has more only if HT is off */
};

/* clang-format off */
static const struct pmu_field arch_fields[] = {
	{ "event",       0,             0xff,       PMU_EVENT,    0 },
	{ "umask",       0,             0xffff,     PMU_UMASK,    0 },
	{ "cmask",       "c",           0xff,       PMU_CMASK,    0 },
	{ "inv",         "i",           1,          PMU_INV,      0 },
	{ "edge",        "e",           1,          PMU_EDGE,     0 },
	{ "any",         "any",         1,          PMU_ANY,      0 },
	{ "usr",         "u",           1,          PMU_USR,      0 },
	{ "os",          "k",           1,          PMU_OS,       0 },
	{ "int",         "int",         1,          PMU_INT,      0 },
	{ "in_tx",       "intx",        1,          PMU_IN_TX,    0 },
	{ "in_tx_cp",    "intxcp",      1,          PMU_IN_TXCP,  0 },
	{ "eq",          "eq",          1,          PMU_EQ,       0 },
	{ "offcore_rsp", "offcore_rsp", ~0ull >> 1, PMU_OFFCORE,  0 },
	{ "ldlat",       "ldlat",       0xffff,     PMU_LDLAT,    0 },
	{ "frontend",    "frontend",    0xffffff,   PMU_FRONTEND, 0 },
	{ 0, 0, 0, 0, 0 },
};

/*
 * Which offcore response register a select (unit mask << 8 | event) reads: SDM volume 3B, "Off-core
 * Response Performance Monitoring", and intel/perfmon.
 */
static const struct {
	uint16_t select, msr, has;
} offcore[] = {
	{ 0x01b7, MSR_OFFCORE_RSP(0), HAS_OFFCORE0 },
	{ 0x01bb, MSR_OFFCORE_RSP(1), HAS_OFFCORE1 },
	{ 0x02b7, MSR_OFFCORE_RSP(1), HAS_OFFCORE1 }, /* Atom */
	{ 0x012a, MSR_OFFCORE_RSP(0), HAS_OFFCORE0 }, /* Golden Cove */
	{ 0x012b, MSR_OFFCORE_RSP(1), HAS_OFFCORE1 },
	{ 0x01d6, MSR_OMR(0),         HAS_OMR },      /* Coyote Cove */
	{ 0x02d6, MSR_OMR(1),         HAS_OMR },
	{ 0x04d6, MSR_OMR(2),         HAS_OMR },
	{ 0x08d6, MSR_OMR(3),         HAS_OMR },
};

/*
 * Architectural event by its bit in leaf 0AH EBX: its select bits, and the fixed counter that
 * counts the same, -1 if none does. Reference cycles are not the same: general counters may count
 * bus clocks, fixed counter 2 counts at the rate of the TSC.
 */
static const struct {
	uint16_t select;
	int8_t fixed;
} architectural[] = {
	{ 0x003c, 1 },  { 0x00c0, 0 },  { 0x013c, -1 }, { 0x4f2e, -1 }, { 0x412e, -1 },
	{ 0x00c4, -1 }, { 0x00c5, -1 }, { 0x01a4, 3 },  { 0x02a4, -1 }, { 0x0073, 4 },
	{ 0x019c, 5 },  { 0x02c2, 6 },  { 0x01e4, -1 },
};
/* clang-format on */

static const struct pmu_proof arch_proofs[] = {
	{ PMU_PROOF_INSTRUCTIONS, "Instruction_Retired" },
	{ PMU_PROOF_INSTRUCTIONS, "INST_RETIRED.ANY" },
	{ PMU_PROOF_BRANCHES, "Branch_Instruction_Retired" },
	{ PMU_PROOF_CLOCKS, "UnHalted_Core_Cycles" },
	{ PMU_PROOF_CLOCKS, "CPU_CLK_UNHALTED.THREAD" },
	{ PMU_PROOF_CLOCKS, "CPU_CLK_UNHALTED.CORE" },
	{ PMU_PROOF_CLOCKS, "CPU_CLK_UNHALTED.REF_TSC" },
	{ PMU_PROOF_CLOCKS, "CPU_CLK_UNHALTED.REF" },
	{ PMU_PROOF_CLOCKS, "TOPDOWN.SLOTS" },
	{ PMU_PROOF_HOLDS, "Topdown_Bad_Speculation" },
	{ PMU_PROOF_HOLDS, "Topdown_Frontend_Bound" },
	{ PMU_PROOF_HOLDS, "Topdown_Retiring" },
	{ PMU_PROOF_END, 0 },
};

static bool is_fixed(const struct pmu_counter *c)
{
	return c->msr >= MSR_FIXED_CTR(0) && c->msr < MSR_FIXED_CTR(MOST_FIXED);
}

static void add_general(struct pmu_hw *hw, unsigned n, bool full)
{
	static const char *const names[MOST_GENERAL] = {
		"IA32_PMC0", "IA32_PMC1", "IA32_PMC2", "IA32_PMC3", "IA32_PMC4",
		"IA32_PMC5", "IA32_PMC6", "IA32_PMC7", "IA32_PMC8", "IA32_PMC9",
	};
	uint8_t width = hw->cpu->arch.width;

	hw->counter[hw->ncounters++] = (struct pmu_counter){
		.name = names[n],
		.msr = full ? MSR_A_PMC(n) : MSR_PMC(n),
		.index = n,
		.number = (uint8_t)n,
		.access = PMU_RDPMC,
		.width = width,
		.load = full || width < 32 ? width : 32,
	};
}

static void add_fixed(struct pmu_hw *hw, unsigned n)
{
	static const char *const names[MOST_FIXED] = {
		"IA32_FIXED_CTR0", "IA32_FIXED_CTR1", "IA32_FIXED_CTR2", "IA32_FIXED_CTR3",
		"IA32_FIXED_CTR4", "IA32_FIXED_CTR5", "IA32_FIXED_CTR6",
	};
	uint8_t width = hw->cpu->arch.fixed_width;

	hw->counter[hw->ncounters++] = (struct pmu_counter){
		.name = names[n],
		.msr = MSR_FIXED_CTR(n),
		.index = RDPMC_FIXED | n,
		.number = (uint8_t)n,
		.access = PMU_RDPMC,
		.width = width,
		.load = width,
	};
}

/* Bit n: the counter exists. Leaf 23H may have holes, leaf 0AH counts from 0. */
static uint32_t general_bitmap(const struct cpu *cpu)
{
	uint32_t n = cpu->arch.counters;

	if (cpu->arch.leaf23 && cpu->arch.gp_bitmap23)
		return cpu->arch.gp_bitmap23;
	return n < 32 ? (1u << n) - 1 : ~0u;
}

static uint32_t fixed_bitmap(const struct cpu *cpu)
{
	if (cpu->arch.version < 2)
		return 0;
	if (cpu->arch.leaf23 && cpu->arch.fixed_bitmap23)
		return cpu->arch.fixed_bitmap23;
	return cpu->arch.fixed_bitmap | ((1u << cpu->arch.fixed) - 1);
}

/* Which filter registers the model's events need: only these does the CPU have for sure. */
static uint32_t filter_bits(const struct pmu_hw *hw)
{
	uint32_t has = 0;
	struct pmu_event e;

	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, i + 1)) {
		pmu_event_at(&pmu_table_arch, i, &e);
		has |= e.kind->filter == PMU_LDLAT ? HAS_LDLAT : 0;
		has |= e.kind->filter == PMU_FRONTEND ? HAS_FRONTEND : 0;
		for (unsigned k = 0; k < sizeof(offcore) / sizeof(offcore[0]); k++)
			if (e.kind->filter == PMU_OFFCORE &&
			    (offcore[k].select == (e.code | e.umask << 8) ||
			     offcore[k].select == e.kind->second))
				has |= offcore[k].has;
	}
	return has;
}

/* The register that the filter of an event with this select is in. 0: it has none. */
static uint32_t filter_register(const struct pmu_event *e, unsigned select, uint32_t *has)
{
	unsigned filter = e->kind->filter;

	*has = filter == PMU_LDLAT ? HAS_LDLAT : HAS_FRONTEND;
	if (filter == PMU_LDLAT)
		return MSR_LD_LAT_THRESHOLD;
	if (filter == PMU_FRONTEND)
		return MSR_FRONTEND;
	for (unsigned k = 0; k < sizeof(offcore) / sizeof(offcore[0]); k++)
		if (filter == PMU_OFFCORE && offcore[k].select == select) {
			*has = offcore[k].has;
			return offcore[k].msr;
		}
	return 0;
}

/* Tries the register with the event's own value, once: bits of hw->has in *tried, *gone. */
static void try_filter(const struct pmu_event *e, unsigned select, uint32_t *tried, uint32_t *gone)
{
	uint32_t has, msr = filter_register(e, select, &has);
	uint64_t before;

	if (!msr || (*tried & has))
		return;
	*tried |= has;
	if (!msr_read(msr, &before) || !pmu_takes(msr, e->value, before))
		*gone |= has;
}

/*
 * The filters whose registers a hypervisor does not have: KVM has none of them (Linux,
 * arch/x86/kvm/vmx/pmu_intel.c), or swallows what is written.
 */
static uint32_t filters_lost(const struct pmu_hw *hw)
{
	uint32_t tried = 0, gone = 0;
	struct pmu_event e;

	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, i + 1)) {
		pmu_event_at(&pmu_table_arch, i, &e);
		if (!e.has_value)
			continue;
		try_filter(&e, e.code | e.umask << 8, &tried, &gone);
		try_filter(&e, e.kind->second, &tried, &gone);
	}
	return gone;
}

/*
 * Skylake to Coffee Lake with microcode of 2019 to 2021: while transactions may succeed, it uses
 * counter 3 for them (Intel 604224, "Performance Monitoring Impact of Intel TSX Memory Ordering
 * Issue"; Linux, intel_pmu_use_tfa).
 */
static bool microcode_has_counter_3(const struct cpu *cpu)
{
	uint64_t v;

	return cpu->vendor == VENDOR_INTEL && cpu_has(cpu, CPU_RTM) &&
	       cpu_has(cpu, CPU_TSX_FORCE_ABORT) && !(msr_read(MSR_TSX_FORCE_ABORT, &v) && v & 1);
}

static uint32_t lost; /* of hw->has, what the hypervisor does not have */

static bool arch_probe(struct pmu_hw *hw, const struct cpu *cpu)
{
	uint32_t numbers = general_bitmap(cpu);
	uint64_t capabilities = 0;

	if (cpu->pmu_class != PMU_CLASS_ARCH)
		return false;
	pmu_find_model(hw, "arch", cpu);
	if (cpu->arch.version >= 2)
		hw->has |= HAS_GLOBAL;
	if (quirk(QUIRK_AAK100, hw->model && (!strncmp(hw->model, "nehalem", 7) ||
	                                      !strncmp(hw->model, "westmere", 8))))
		hw->has |= HAS_STUCK;
	if (quirk(QUIRK_AE49, cpu->family == 6 && (cpu->model == 14 ||
	                                           (cpu->model == 15 && cpu->stepping == 4))))
		hw->has |= HAS_ONE_ENABLE;
	if (cpu->arch.version >= 3 && !cpu->arch.any_deprecated)
		hw->has |= HAS_ANY;
	if (cpu_has(cpu, CPU_PDCM) && msr_read(MSR_PERF_CAPABILITIES, &capabilities) &&
	    (capabilities & CAPABILITIES_FREEZE_SMM))
		hw->has |= HAS_FREEZE_SMM;
	lost = cpu_is_guest(cpu) ? filters_lost(hw) : 0;
	hw->has |= filter_bits(hw) & ~lost;
	if (quirk(QUIRK_TFA, microcode_has_counter_3(cpu)))
		numbers &= ~(1u << 3);
	for (unsigned n = 0; n < MOST_GENERAL; n++)
		if (numbers >> n & 1)
			add_general(hw, n, capabilities & CAPABILITIES_FULL_WRITE);
	for (unsigned n = 0; n < MOST_FIXED; n++)
		if (fixed_bitmap(cpu) >> n & 1)
			add_fixed(hw, n);
	if (!hw->ncounters)
		hw->why = "leaf 0AH announces a version but no counter";
	return true;
}

/* Counters, then what selects, then the switch; only registers that this CPU has. */
static uint32_t arch_reg(const struct pmu_hw *hw, unsigned i)
{
	static const struct {
		uint32_t msr, has;
	} rest[] = {
		{ MSR_OFFCORE_RSP(0), HAS_OFFCORE0 },
		{ MSR_OFFCORE_RSP(1), HAS_OFFCORE1 },
		{ MSR_OMR(0), HAS_OMR },
		{ MSR_OMR(1), HAS_OMR },
		{ MSR_OMR(2), HAS_OMR },
		{ MSR_OMR(3), HAS_OMR },
		{ MSR_LD_LAT_THRESHOLD, HAS_LDLAT },
		{ MSR_FRONTEND, HAS_FRONTEND },
		{ MSR_DEBUGCTL, HAS_FREEZE_SMM },
		{ MSR_FIXED_CTR_CTRL, HAS_GLOBAL },
		{ MSR_GLOBAL_CTRL, HAS_GLOBAL },
	};

	if (i < hw->ncounters)
		return hw->counter[i].msr;
	i -= hw->ncounters;
	for (unsigned n = 0; n < hw->ncounters; n++)
		if (!is_fixed(&hw->counter[n]) && !i--)
			return MSR_PERFEVTSEL(hw->counter[n].number);
	for (unsigned k = 0; k < sizeof(rest) / sizeof(rest[0]); k++)
		if ((hw->has & rest[k].has) && !i--)
			return rest[k].msr;
	return 0;
}

/*
 * GLOBAL_CTRL enables all general counters after reset, so that its bits tell nothing about who
 * counts.
 */
static struct pmu_control arch_control(const struct pmu_hw *hw, uint32_t msr)
{
	(void)hw;
	if (msr >= MSR_PERFEVTSEL(0) && msr < MSR_PERFEVTSEL(MOST_GENERAL))
		return (struct pmu_control){ .enables = EVTSEL_EN };
	return (struct pmu_control){ .enables = msr == MSR_FIXED_CTR_CTRL ? FIXED_LEVELS : 0 };
}

/* Usable general counters out of the hardware's numbers in `numbers`. */
static uint32_t general(const struct pmu_hw *hw, uint32_t numbers)
{
	uint32_t bits = 0;

	for (unsigned c = 0; c < hw->ncounters; c++)
		if (!is_fixed(&hw->counter[c]) && (numbers >> hw->counter[c].number & 1))
			bits |= 1u << c;
	return bits & hw->usable;
}

static uint32_t fixed(const struct pmu_hw *hw, int number)
{
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (is_fixed(&hw->counter[c]) && hw->counter[c].number == number)
			return 1u << c & hw->usable;
	return 0;
}

/* Leaf 0AH: beyond the length or with the bit set it is absent; leaf 23H says it positively. */
static bool announced(const struct cpu *cpu, unsigned bit)
{
	if (cpu->arch.leaf23 && cpu->arch.events23)
		return cpu->arch.events23 >> bit & 1;
	return bit < cpu->arch.events_length && !(cpu->arch.missing_events >> bit & 1);
}

/* A model's event that encodes an architectural one is absent with it. */
static bool is_absent(const struct cpu *cpu, const struct pmu_event *e)
{
	for (unsigned i = 0; i < sizeof(architectural) / sizeof(architectural[0]); i++)
		if (i < 7 && architectural[i].select == (e->code | e->umask << 8) &&
		    !e->kind->cmask && !e->kind->flags)
			return !announced(cpu, i);
	return false;
}

/* Anything that only a general counter's select can express? */
static bool needs_select(const struct pmu_request *rq)
{
	return evtsel_cmask(rq) || pmu_field(rq, PMU_INV, evtsel_flag(rq, PMU_EV_INV)) ||
	       pmu_field(rq, PMU_EDGE, evtsel_flag(rq, PMU_EV_EDGE)) || rq->value[PMU_IN_TX] ||
	       rq->value[PMU_IN_TXCP] || rq->value[PMU_EQ];
}

static uint64_t fixed_bits(const struct pmu_request *rq)
{
	return (rq->value[PMU_OS] ? FIXED_OS : 0) | (rq->value[PMU_USR] ? FIXED_USR : 0) |
	       (pmu_field(rq, PMU_ANY, evtsel_flag(rq, PMU_EV_ANY)) ? FIXED_ANY : 0) |
	       (rq->value[PMU_INT] ? FIXED_PMI : 0);
}

static unsigned add_config(struct pmu_config *out, unsigned n, uint32_t counters, uint64_t select)
{
	if (counters)
		out[n++] = (struct pmu_config){ .counters = counters, .select = select };
	return n;
}

/* What this CPU cannot do, whatever the event. NULL: nothing is wrong. */
static const char *refuse(const struct pmu_hw *hw, const struct pmu_request *rq)
{
	const struct cpu *cpu = hw->cpu;
	bool any = pmu_field(rq, PMU_ANY, evtsel_flag(rq, PMU_EV_ANY));

	if (any && !(hw->has & HAS_ANY))
		return "AnyThread (any) exists on versions 3 and 4 only, and not on this CPU";
	if ((rq->value[PMU_IN_TX] || rq->value[PMU_IN_TXCP]) && !cpu_has(cpu, CPU_RTM))
		return "in_tx and in_tx_cp need a CPU with TSX";
	if (rq->value[PMU_EQ] && !cpu->arch.eq)
		return "eq needs version 6 with leaf 23H EBX bit 1";
	if (pmu_field(rq, PMU_UMASK, rq->named ? rq->umask : 0) > 0xff && !cpu->arch.umask2)
		return "a umask above 0xff needs version 6 with leaf 23H EBX bit 0";
	if (rq->named && rq->event.kind->bit < 0 && rq->event.kind->fixed < 0 &&
	    is_absent(cpu, &rq->event))
		return "leaf 0AH says that this event is absent";
	return 0;
}

static uint64_t select_of(const struct pmu_request *rq)
{
	uint64_t umask2 = pmu_field(rq, PMU_UMASK, rq->named ? rq->umask : 0) >> 8;
	uint64_t v = evtsel_common(rq) | EVTSEL_EN | EVTSEL_UMASK2(umask2);

	v |= pmu_field(rq, PMU_ANY, evtsel_flag(rq, PMU_EV_ANY)) ? EVTSEL_ANY : 0;
	v |= rq->value[PMU_IN_TX] ? EVTSEL_IN_TX : 0;
	v |= rq->value[PMU_IN_TXCP] ? EVTSEL_IN_TXCP : 0;
	v |= rq->value[PMU_EQ] ? EVTSEL_EQ : 0;
	return v;
}

/* Architectural events: on any general counter, and on the fixed counter that counts the same. */
static unsigned encode_arch(const struct pmu_hw *hw, const struct pmu_request *rq,
                            struct pmu_config *out, const char **why)
{
	unsigned bit = (unsigned)rq->event.kind->bit, n = 0;
	int number = architectural[bit].fixed;

	*why = "CPUID says that this event is absent";
	if (number >= 0 && !needs_select(rq))
		n = add_config(out, n, fixed(hw, number), fixed_bits(rq));
	if (announced(hw->cpu, bit))
		n = add_config(out, n, general(hw, rq->value[PMU_IN_TXCP] ? 1u << 2 : ~0u),
		               select_of(rq));
	return n;
}

static unsigned encode_fixed(const struct pmu_hw *hw, const struct pmu_request *rq,
                             struct pmu_config *out, const char **why)
{
	if (needs_select(rq)) {
		*why = "a fixed counter has the modifiers u, k, any and int only";
		return 0;
	}
	*why = "this CPU lacks the fixed counter, or it did not prove itself";
	return add_config(out, 0, fixed(hw, rq->event.kind->fixed), fixed_bits(rq));
}

/* The filter that the request uses: one that the user gave, else the event's own. */
static unsigned filter_of(const struct pmu_request *rq)
{
	return pmu_given(rq, PMU_OFFCORE)    ? PMU_OFFCORE
	       : pmu_given(rq, PMU_LDLAT)    ? PMU_LDLAT
	       : pmu_given(rq, PMU_FRONTEND) ? PMU_FRONTEND
	       : rq->named                   ? rq->event.kind->filter
	                                     : PMU_FIELDS;
}

/* Does the select, as named or as given raw, read this filter? */
static bool reads_filter(const struct pmu_request *rq, unsigned filter, uint64_t select)
{
	unsigned event = select & 0xff;

	if (rq->named)
		return rq->event.kind->filter == filter;
	if (filter == PMU_LDLAT)
		return event == 0xcd || event == 0xd0 || event == 0x0b;
	return event == 0xc6 || event == 0xad || event == 0xc2;
}

/* The two selects that the maker gives an offcore event differ in their register alone. */
static unsigned encode_offcore(const struct pmu_hw *hw, const struct pmu_request *rq,
                               uint32_t counters, struct pmu_config *out)
{
	uint64_t value = pmu_field(rq, PMU_OFFCORE, rq->named ? rq->event.value : 0);
	uint64_t select = select_of(rq);
	unsigned second = rq->named ? rq->event.kind->second : 0, n = 0;

	for (unsigned way = 0; way < 2; way++) {
		for (unsigned i = 0; i < sizeof(offcore) / sizeof(offcore[0]); i++) {
			if (!(hw->has & offcore[i].has) || offcore[i].select != (select & 0xffff) ||
			    !add_config(out, n, counters, select))
				continue;
			out[n].nextra = 1;
			out[n++].extra[0] = (struct pmu_write){ offcore[i].msr, value };
		}
		if (!second)
			break;
		select = (select & ~0xffffull) | second;
	}
	return n;
}

/*
 * Golden Cove counts load latencies only while counter 0 counts event 03H, unit mask 82H (Linux
 * events/intel/core.c, "mem-loads-aux").
 */
static void add_auxiliary(const struct pmu_request *rq, struct pmu_config *c)
{
	uint64_t levels =
		(rq->value[PMU_USR] ? EVTSEL_USR : 0) | (rq->value[PMU_OS] ? EVTSEL_OS : 0);

	c->blocks = 1;
	c->counters &= ~c->blocks;
	c->extra[c->nextra++] =
		(struct pmu_write){ MSR_PERFEVTSEL(0), AUXILIARY | levels | EVTSEL_EN };
}

/* An event that needs a register beside its select. */
static unsigned encode_filter(const struct pmu_hw *hw, const struct pmu_request *rq,
                              uint32_t counters, struct pmu_config *out, const char **why)
{
	unsigned filter = filter_of(rq), n;
	uint64_t select = select_of(rq), own = rq->named ? rq->event.value : 0;

	if (rq->named && rq->event.kind->filter == filter && !rq->event.has_value &&
	    !pmu_given(rq, filter)) {
		*why = "needs offcore_rsp=, ldlat= or frontend= with its value";
		return 0;
	}
	if (filter == PMU_OFFCORE) {
		*why = "offcore_rsp belongs to the offcore response events";
		n = counters ? encode_offcore(hw, rq, counters, out) : 0;
	} else {
		*why = filter == PMU_LDLAT ? "ldlat belongs to the load latency event"
		                           : "frontend belongs to FRONTEND_RETIRED";
		if (!(hw->has & (filter == PMU_LDLAT ? HAS_LDLAT : HAS_FRONTEND)) ||
		    !reads_filter(rq, filter, select))
			return 0;
		n = add_config(out, 0, counters, select);
		if (n) {
			out->nextra = 1;
			out->extra[0] = (struct pmu_write){
				filter == PMU_LDLAT ? MSR_LD_LAT_THRESHOLD : MSR_FRONTEND,
				pmu_field(rq, filter, own),
			};
		}
		if (n && evtsel_flag(rq, PMU_EV_AUX))
			add_auxiliary(rq, out);
	}
	if (!counters)
		*why = "no counter that can count it proved itself";
	return n;
}

/* Is it a hypervisor that lacks the register of this filter? */
static bool has_lost(unsigned filter)
{
	return lost & (filter == PMU_OFFCORE ? HAS_OFFCORE0 | HAS_OFFCORE1 | HAS_OMR
	               : filter == PMU_LDLAT ? HAS_LDLAT
	                                     : HAS_FRONTEND);
}

/* The hardware's numbers of the general counters that can count the request. */
static uint32_t general_numbers(const struct pmu_hw *hw, const struct pmu_request *rq)
{
	const struct pmu_kind *k = rq->named ? rq->event.kind : 0;
	uint32_t numbers = ~0u;

	if (k && k->alone && hw->cpu->arch.counters > SHARED_GENERAL)
		numbers = k->alone;
	else if (k && k->counters)
		numbers = k->counters;
	return rq->value[PMU_IN_TXCP] ? numbers & 1u << 2 : numbers;
}

static unsigned arch_encode(const struct pmu_hw *hw, const struct pmu_request *rq,
                            struct pmu_config *out, const char **why)
{
	uint32_t counters = general(hw, general_numbers(hw, rq));
	const char *cannot;
	unsigned n;

	if (!evtsel_levels(rq, why) || !evtsel_compare(rq, why))
		return 0;
	cannot = refuse(hw, rq);
	if (cannot) {
		*why = cannot;
		return 0;
	}
	if (filter_of(rq) != PMU_FIELDS) {
		n = encode_filter(hw, rq, counters, out, why);
		if (!n && has_lost(filter_of(rq)))
			*why = "the hypervisor has no register for its filter (MSR 1A6H, 1A7H, "
			       "3F6H or 3F7H)";
		return n;
	}
	if (rq->named && rq->event.kind->fixed >= 0)
		return encode_fixed(hw, rq, out, why);
	if (rq->named && rq->event.kind->bit >= 0)
		return encode_arch(hw, rq, out, why);
	*why = "no counter that can count it proved itself";
	return add_config(out, 0, counters, select_of(rq));
}

static void arch_stop(const struct pmu_hw *hw)
{
	if (hw->has & HAS_GLOBAL)
		msr_write(MSR_GLOBAL_CTRL, 0);
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (!is_fixed(&hw->counter[c]))
			msr_write(MSR_PERFEVTSEL(hw->counter[c].number), 0);
	if (hw->has & HAS_GLOBAL)
		msr_write(MSR_FIXED_CTR_CTRL, 0);
}

/*
 * Overflows that are left over; only bits of counters that exist may be written. From version 4 on
 * a counter stands still while the status says that it is frozen. A hypervisor may announce version
 * 4 and refuse the bits: there nothing freezes.
 */
static bool clear_status(const struct pmu_hw *hw)
{
	uint64_t bits = 0;

	for (unsigned c = 0; c < hw->ncounters; c++)
		bits |= is_fixed(&hw->counter[c]) ? GLOBAL_FIXED(hw->counter[c].number)
		                                  : 1ull << hw->counter[c].number;
	if (hw->cpu->arch.version >= 4 && msr_write(MSR_GLOBAL_OVF_CTRL, bits | STATUS_FROZEN))
		return true;
	return msr_write(MSR_GLOBAL_OVF_CTRL, bits);
}

static bool load_counters(const struct pmu_hw *hw, const struct pmu_group *group)
{
	bool ok = true;

	for (unsigned i = 0; i < group->n; i++)
		ok = ok &&
		     msr_write(hw->counter[group->slots[i].counter].msr, group->slots[i].from);
	return ok;
}

/*
 * Version 1: each select starts its own counter. On Core Duo counter 1 counts only while counter 0
 * is enabled: the select of counter 0 is written last, and always with EN, as on P6.
 */
static bool write_selects(const struct pmu_hw *hw, const struct pmu_group *group)
{
	uint64_t first = hw->has & HAS_ONE_ENABLE ? EVTSEL_EN : 0;
	bool ok = true;

	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_counter *c = &hw->counter[group->slots[i].counter];

		if (!is_fixed(c) && !c->number)
			first = group->slots[i].select;
		else if (!is_fixed(c))
			ok = ok && msr_write(MSR_PERFEVTSEL(c->number), group->slots[i].select);
	}
	return ok && (!first || msr_write(MSR_PERFEVTSEL(0), first));
}

/* Version 2 on: everything is set up first, and one write starts all. */
static bool start_together(const struct pmu_hw *hw, const struct pmu_group *group)
{
	uint64_t control = 0, global = 0, debugctl = group->debugctl;

	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_counter *c = &hw->counter[group->slots[i].counter];

		if (is_fixed(c)) {
			control |= FIXED_BITS(c->number, group->slots[i].select);
			global |= GLOBAL_FIXED(c->number);
		} else {
			global |= 1ull << c->number;
		}
		for (unsigned k = 0; k < group->slots[i].nextra; k++)
			if (group->slots[i].extra[k].msr == MSR_PERFEVTSEL(0))
				global |= 1; /* an auxiliary event counts too */
	}
	if (hw->has & HAS_FREEZE_SMM) /* what SMM code does is not ours to count */
		debugctl |= DEBUGCTL_FREEZE_SMM;
	if (debugctl && !msr_write(MSR_DEBUGCTL, debugctl) && group->debugctl)
		return false;
	return clear_status(hw) && msr_write(MSR_FIXED_CTR_CTRL, control) &&
	       msr_write(MSR_GLOBAL_CTRL, global);
}

/*
 * The counters of Nehalem and Westmere can be stuck after reset, and again whenever events are
 * changed, until all four have run with these selects: errata AAK100, AAP53, BD53 as Linux
 * events/intel/core.c works around them.
 */
static void arch_wake(const struct pmu_hw *hw)
{
	static const uint32_t selects[] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };

	if (!(hw->has & HAS_STUCK))
		return;
	for (unsigned n = 0; n < 4 && n < hw->cpu->arch.counters; n++) {
		msr_write(MSR_PERFEVTSEL(n), selects[n]);
		msr_write(MSR_PMC(n), 0);
	}
	msr_write(MSR_GLOBAL_CTRL, 0xf);
	arch_stop(hw);
	for (unsigned n = 0; n < 4 && n < hw->cpu->arch.counters; n++)
		msr_write(MSR_PMC(n), 0);
}

static bool arch_start(const struct pmu_hw *hw, const struct pmu_group *group)
{
	bool ok;

	arch_stop(hw);
	arch_wake(hw);
	ok = pmu_write_extra(group) && load_counters(hw, group) && write_selects(hw, group) &&
	     (!(hw->has & HAS_GLOBAL) || start_together(hw, group));
	if (!ok)
		arch_stop(hw);
	return ok;
}

/* Version 4 on: who programs a counter shows here, before it is enabled. */
static uint32_t arch_in_use(const struct pmu_hw *hw)
{
	uint64_t v;

	return hw->cpu->arch.version >= 4 && msr_read(MSR_GLOBAL_INUSE, &v) && v ? MSR_GLOBAL_INUSE
	                                                                         : 0;
}

const struct pmu_driver pmu_arch = {
	.name = "arch",
	.raw = "cpu",
	.table = &pmu_table_arch,
	.fields = arch_fields,
	.proofs = arch_proofs,
	.defaults =
		"instructions,cycles,ref-cycles,branches,branch-misses,l1d-misses,uops,llc-misses",
	.probe = arch_probe,
	.reg = arch_reg,
	.control = arch_control,
	.in_use = arch_in_use,
	.wake = arch_wake,
	.encode = arch_encode,
	.start = arch_start,
	.stop = arch_stop,
};
