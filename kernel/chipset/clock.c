/*
 * Clocks of the machine, and the TSC measured against each.
 * Sources: ACPI 6.5 section 4.8.3.3 (PM timer), IA-PC HPET
 * specification 1.0a, SDM volume 2A "CPUID" leaves 15H and 16H, volume 3B "MPERF and APERF".
 */
#include <stddef.h>

#include "kernel/chipset/clock.h"
#include "kernel/chipset/clock_rate.h"
#include "kernel/lib/log.h"
#include "kernel/cpu/fence.h"
#include "kernel/cpu/guest.h"
#include "kernel/cpu/kvmclock.h"
#include "kernel/cpu/msr.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/ioremap.h"
#include "kernel/chipset/pit.h"
#include "kernel/cpu/x86.h"

#define PM_TIMER_HZ           3579545
#define HPET_PERIOD           0x04 /* femtoseconds a tick */
#define HPET_CONFIG           0x10
#define HPET_ENABLE           0x01
#define HPET_COUNTER          0xf0
#define HPET_SIZE             0x400
#define HPET_MAX_PERIOD       100000000
#define FEMTOSECONDS          1000000000000000ull
#define LEAF_HYPERVISOR       0x40000000
/*
 * Hyper-V's interface and what it announces: "Hypervisor Top Level Functional Specification",
 * "Feature Discovery", "Partition Reference Counter". Its highest leaf lies below 40000010H.
 */
#define LEAF_HYPERV_INTERFACE 0x40000001 /* EAX: "Hv#1" */
#define LEAF_HYPERV_FEATURES  0x40000003
#define HYPERV_SIGNATURE      0x31237648
#define HYPERV_FREQUENCIES    (1u << 11) /* EAX: the next register is there */
#define MSR_HYPERV_TSC_HZ     0x40000022

/*
 * A wait that needs no clock: 8 divisions of 10 to 80 core clocks, each of the quotient of the
 * last. Simulators and emulators execute few instructions for it.
 */
static void short_wait(void)
{
	uint32_t quotient = ~0u;

	for (unsigned n = 8; n; n--)
		asm volatile("xorl	%%edx, %%edx\n\t"
		             "divl	%1"
		             : "+a"(quotient)
		             : "r"(1)
		             : "edx", "cc");
}

/* The middle of the access is the moment of the reading. */
static struct clock_reading reading(uint64_t before, uint64_t after, uint32_t ticks)
{
	return (struct clock_reading){ before + (after - before) / 2, ticks };
}

/* The count is of the moment of pit_hold(); fetching it may take its time. */
static struct clock_reading read_pit(const struct clock_source *s)
{
	uint64_t before = x86_rdtsc(), after;

	(void)s;
	pit_hold();
	after = x86_rdtsc();
	return reading(before, after, pit_held());
}

static struct clock_reading read_pm_timer(const struct clock_source *s)
{
	uint64_t before = x86_rdtsc();
	uint32_t ticks = x86_inl((uint16_t)s->where) & s->mask;

	return reading(before, x86_rdtsc(), ticks);
}

static struct clock_reading read_hpet(const struct clock_source *s)
{
	uint64_t before = x86_rdtsc();
	uint32_t ticks = phys_read32(s->where + HPET_COUNTER);

	return reading(before, x86_rdtsc(), ticks);
}

static struct clock_figure measure_pit(const struct acpi *acpi)
{
	const struct clock_source s = { .name = "pit",
		                        .hz = PIT_HZ,
		                        .mask = 0xffff,
		                        .down = true,
		                        .read = read_pit,
		                        .wait = short_wait };
	uint8_t port_b = pit_begin_periods();
	struct clock_figure f = clock_measure(&s);

	(void)acpi;
	pit_end_periods(port_b);
	return f;
}

static struct clock_figure measure_pm_timer(const struct acpi *acpi)
{
	const struct clock_source s = { .name = "pmtimer",
		                        .hz = PM_TIMER_HZ,
		                        .mask = acpi->pmtimer.bits32 ? 0xffffffff : 0xffffff,
		                        .where = acpi->pmtimer.port,
		                        .read = read_pm_timer,
		                        .wait = short_wait };

	struct clock_figure f;

	if (!acpi->pmtimer.port)
		return (struct clock_figure){ .name = NULL };
	f = clock_measure(&s);
	f.weak = true;
	return f;
}

/* The counter is started if firmware left it stopped, and stopped again. */
static struct clock_figure measure_hpet(const struct acpi *acpi)
{
	struct clock_source s = {
		.name = "hpet", .mask = 0xffffffff, .read = read_hpet, .wait = short_wait
	};
	struct clock_figure f = { .name = "hpet", .reason = "impossible period" };
	uint32_t period, config;

	if (!acpi->hpet)
		return (struct clock_figure){ .name = NULL };
	s.where = ioremap(acpi->hpet, HPET_SIZE, IOREMAP_DEVICE);
	if (!s.where) {
		f.reason = "above 4 GiB";
		return f;
	}
	period = phys_read32(s.where + HPET_PERIOD);
	if (!period || period > HPET_MAX_PERIOD)
		return f;
	s.hz = FEMTOSECONDS / period;
	config = phys_read32(s.where + HPET_CONFIG);
	if (!(config & HPET_ENABLE))
		phys_write32(s.where + HPET_CONFIG, config | HPET_ENABLE);
	f = clock_measure(&s);
	if (!(config & HPET_ENABLE))
		phys_write32(s.where + HPET_CONFIG, config);
	return f;
}

static struct clock_figure told(const char *name, uint64_t tsc_hz)
{
	return (struct clock_figure){ .name = tsc_hz ? name : NULL, .tsc_hz = tsc_hz };
}

static struct clock_figure ask_leaf15(const struct cpu *c)
{
	return told("cpuid15", c->max_leaf >= 0x15 ? clock_cpuid15_hz(c, x86_cpuid(0x15, 0)) : 0);
}

/* The base frequency in MHz, which is the TSC's where that is invariant; rounded. */
static struct clock_figure ask_leaf16(const struct cpu *c)
{
	bool useful = c->max_leaf >= 0x16 && cpu_has(c, CPU_INVARIANT_TSC);

	return told("cpuid16", useful ? (x86_cpuid(0x16, 0).eax & 0xffff) * 1000000ull : 0);
}

static uint64_t ask_hyperv(void)
{
	uint64_t hz;

	if (x86_cpuid(LEAF_HYPERV_INTERFACE, 0).eax != HYPERV_SIGNATURE ||
	    !(x86_cpuid(LEAF_HYPERV_FEATURES, 0).eax & HYPERV_FREQUENCIES))
		return 0;
	return msr_read(MSR_HYPERV_TSC_HZ, &hz) ? hz : 0;
}

static struct clock_figure ask_hypervisor(const struct cpu *c)
{
	uint32_t max = cpu_has(c, CPU_HYPERVISOR) ? x86_cpuid(LEAF_HYPERVISOR, 0).eax : 0;

	if (max >> 8 != LEAF_HYPERVISOR >> 8)
		return told("hypervisor", 0);
	if (max >= LEAF_HYPERV_FEATURES && cpu_has(c, CPU_MSR) && ask_hyperv())
		return told("hypervisor", ask_hyperv());
	return told("hypervisor", guest_tsc_khz(c, x86_cpuid) * 1000ull);
}

static struct clock_figure ask_kvmclock(const struct cpu *c)
{
	const uint32_t leaf = cpu_has(c, CPU_HYPERVISOR) ? guest_kvm_leaf(c, x86_cpuid) : 0;

	return told("kvmclock", cpu_has(c, CPU_MSR) ? kvmclock_khz(leaf) * 1000ull : 0);
}

static void log_figure(const struct clock_figure *f)
{
	log_begin("clock");
	log_str("source", f->name);
	if (f->clock_hz)
		log_dec("clock_hz", f->clock_hz);
	if (f->reason) {
		log_str("reason", f->reason);
	} else {
		log_dec("tsc_hz", f->tsc_hz);
		if (f->rounds) {
			log_dec("min", f->min);
			log_dec("max", f->max);
			log_dec("rounds", f->rounds);
		}
	}
	log_end();
}

/* In order of trust: the first of those that most others agree with is used. */
static void find_tsc_rate(struct clocks *ck, const struct cpu *cpu, const struct acpi *acpi)
{
	enum { FIGURES = 7 };
	const struct clock_figure all[FIGURES] = { ask_leaf15(cpu),        ask_hypervisor(cpu),
		                                   ask_kvmclock(cpu),      measure_hpet(acpi),
		                                   measure_pm_timer(acpi), measure_pit(acpi),
		                                   ask_leaf16(cpu) };
	int chosen = clock_choose(all, FIGURES);

	for (unsigned i = 0; i < FIGURES; i++)
		if (all[i].name)
			log_figure(&all[i]);
	if (chosen < 0)
		return;
	ck->tsc_hz = all[chosen].tsc_hz;
	ck->tsc_source = all[chosen].name;
	for (unsigned i = 0; i < FIGURES; i++)
		if (all[i].tsc_hz && clock_disagree(all[i].tsc_hz, ck->tsc_hz))
			log_warn("clock", all[i].name,
			         "more than 1 % away from the clock that is used");
}

enum { CHAIN_LOOPS = 64, CHAIN_SHORT = 256, CHAIN_LONG = 512, CHAIN_RUNS = 5 };

/* Of a guest: runs, how many must be alike, and what is left of CHAIN_LOOPS where they are not. */
enum { GUEST_RUNS = 64, GUEST_ALIKE = 8, GUEST_LOOPS = 8 };

static uint32_t chain_loops; /* of the chains below */
static bool lfence_waits;    /* in a guest, where CPUID exits */

/* Waits until all older instructions are done. CPUID does so on every CPU with a TSC. */
static inline void wait_for_older(void)
{
	if (lfence_waits)
		asm volatile("lfence" ::: "memory");
	else
		x86_cpuid(0, 0);
}

/* TSC ticks of chain_loops * `length` dependent adds and the loop around them. */
#define CHAIN(name, length)                                    \
	static uint64_t name(void)                             \
	{                                                      \
		uint32_t n = chain_loops, a = 1, b = 1;        \
		uint64_t start;                                \
                                                               \
		wait_for_older();                              \
		start = x86_rdtsc();                           \
		asm volatile("1:	.rept " #length "\n\t" \
		             "add	%2, %1\n\t"                  \
		             ".endr\n\t"                       \
		             "dec	%0\n\t"                      \
		             "jnz	1b"                          \
		             : "+r"(n), "+r"(a)                \
		             : "r"(b)                          \
		             : "cc");                          \
		wait_for_older();                              \
		return x86_rdtsc() - start;                    \
	}

CHAIN(chain_short, 256)
CHAIN(chain_long, 512)

/* Of runs, which are GUEST_RUNS at most: how many took as long as the fastest, to 1/800 of it. */
static unsigned count_alike(const uint64_t *ticks, unsigned runs, uint64_t fastest)
{
	unsigned alike = 0;

	for (unsigned i = 0; i < runs; i++)
		alike += ticks[i] <= fastest + fastest / 800;
	return alike;
}

struct chain_times {
	uint32_t loops;
	unsigned alike; /* runs, of the length that has fewer of them */
	uint64_t shortest, longest;
};

/* Long minus short: call, fences and loop overhead cancel. The fastest run of each is taken. */
static struct chain_times time_chains(unsigned runs, uint32_t loops)
{
	static uint64_t s[GUEST_RUNS], l[GUEST_RUNS];
	struct chain_times t = { loops, 0, UINT64_MAX, UINT64_MAX };
	unsigned alike;

	chain_loops = loops;
	for (unsigned i = 0; i < runs; i++) {
		s[i] = chain_short();
		l[i] = chain_long();
		t.shortest = s[i] < t.shortest ? s[i] : t.shortest;
		t.longest = l[i] < t.longest ? l[i] : t.longest;
	}
	t.alike = count_alike(s, runs, t.shortest);
	alike = count_alike(l, runs, t.longest);
	t.alike = alike < t.alike ? alike : t.alike;
	return t;
}

/*
 * A host that comes between lengthens runs of a guest: more runs, and shorter ones if it must.
 * Where that helps nothing the long ones stand, of which what comes between is the smaller part.
 */
static struct chain_times time_guest(void)
{
	const struct chain_times whole = time_chains(GUEST_RUNS, CHAIN_LOOPS);
	struct chain_times t = whole;

	while (t.alike < GUEST_ALIKE && t.loops > GUEST_LOOPS)
		t = time_chains(GUEST_RUNS, t.loops / 2);
	return t.alike < GUEST_ALIKE ? whole : t;
}

static void find_core_clock(struct clocks *ck, const struct cpu *cpu)
{
	const bool guest = cpu_is_guest(cpu);
	struct chain_times t;
	uint64_t adds, clocks;

	lfence_waits = guest && fence_lfence_waits(cpu);
	t = guest ? time_guest() : time_chains(CHAIN_RUNS, CHAIN_LOOPS);
	adds = (uint64_t)t.loops * (CHAIN_LONG - CHAIN_SHORT);
	clocks = adds / cpu_adds_per_clock(cpu);
	log_begin("clock");
	log_str("source", "core");
	if (t.longest > t.shortest) {
		uint64_t ticks = t.longest - t.shortest;

		ck->core_per_tsc = (1000 * clocks + ticks / 2) / ticks;
		log_milli("core_per_tsc", (int64_t)ck->core_per_tsc);
		log_dec("adds", adds);
		log_dec("adds_per_clock", cpu_adds_per_clock(cpu));
		log_dec("tsc", ticks);
		if (guest) {
			log_dec("alike", t.alike);
			log_str("fence", lfence_waits ? "lfence" : "cpuid");
		}
	} else {
		log_str("reason", "the longer chain took no longer");
	}
	log_end();
}

/* Actual over nominal frequency while the core works. MPERF runs at the TSC's rate. */
static void compare_aperf(const struct cpu *cpu)
{
	uint64_t mperf, aperf, mperf_end, aperf_end;

	if (!cpu_has(cpu, CPU_MPERF))
		return;
	if (!msr_read(MSR_IA32_MPERF, &mperf) || !msr_read(MSR_IA32_APERF, &aperf))
		return;
	for (unsigned i = 0; i < CHAIN_RUNS; i++)
		chain_long();
	if (!msr_read(MSR_IA32_MPERF, &mperf_end) || !msr_read(MSR_IA32_APERF, &aperf_end))
		return;
	log_begin("clock");
	log_str("source", "aperf");
	log_dec("mperf", mperf_end - mperf);
	log_dec("aperf", aperf_end - aperf);
	if (mperf_end > mperf)
		log_milli("aperf_per_mperf",
		          (int64_t)(1000 * (aperf_end - aperf) / (mperf_end - mperf)));
	log_end();
}

static void log_chosen(const struct clocks *ck, const struct cpu *cpu)
{
	log_begin("clock");
	log_str("source", "chosen");
	log_str("from", ck->tsc_source);
	if (ck->tsc_hz)
		log_dec("tsc_hz", ck->tsc_hz);
	log_bool("invariant", cpu_has(cpu, CPU_INVARIANT_TSC));
	log_end();
}

void clock_init(struct clocks *ck, const struct cpu *cpu, const struct acpi *acpi)
{
	const char *why = clock_tsc_defect(cpu);

	*ck = (struct clocks){ .tsc_source = "none" };
	if (why)
		log_warn("clock", "tsc", why);
	if (cpu_has(cpu, CPU_TSC)) {
		ck->start = x86_rdtsc();
		find_tsc_rate(ck, cpu, acpi);
		find_core_clock(ck, cpu);
		compare_aperf(cpu);
	}
	log_chosen(ck, cpu);
}

uint64_t clock_ms(const struct clocks *ck)
{
	if (ck->tsc_hz < 1000)
		return 0;
	return (x86_rdtsc() - ck->start) / (ck->tsc_hz / 1000);
}
