/*
 * sim/cpu/guest.c - exits, preemption, and what the hypervisor does to counters and registers.
 *
 * Sources: Linux, arch/x86/kvm and Documentation/virt/kvm/x86/msr.rst; kvm-unit-tests, lib/x86/pmu
 * (VMRUN counts in an AMD guest); VMware KB 2030221 (vpmc.freezeMode). How long an exit takes is
 * drawn; the bounds are typical of hosts since 2019 and were not measured.
 */
#include "sim/cpu/guest.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/model/models.h"
#include "sim/timing/cache.h"
#include "sim/timing/core.h"

enum {
	LEAST_EXIT = 2000, /* ticks of an exit that no instruction caused */
	MOST_EXIT = 20000,
	MISS_EVERY = 64, /* clocks of the hypervisor between two of its misses (hybrid) */
};
enum { MSR_TIME = 0x4b564d01, MSR_STEAL = 0x4b564d03, MSR_DEBUGCTL = 0x1d9 };
enum { NO_BTS = 1 << 11, NO_PEBS = 1 << 12 }; /* of MISC_ENABLE */
#define MSR_SEV_STATUS 0xc0010131u
enum { STEAL_ENABLED = 1, STEAL_RESERVED = 0x3e, TIME_ENABLED = 1, TIME_BYTES = 32 };

/* KVM's struct kvm_steal_time, the part that is not padding. */
struct steal_page {
	uint64_t steal; /* ns */
	uint32_t version;
	uint32_t flags;
};

/* KVM's struct pvclock_vcpu_time_info. A tick of the TSC is 2^shift * mul / 2^32 ns. */
struct time_page {
	uint32_t version; /* odd while it is written */
	uint32_t unused;
	uint64_t tsc, ns;
	uint32_t mul;
	int8_t shift;
	uint8_t flags, rest[2];
};

static const struct guest_words *words_of(const struct cpu *cpu)
{
	return &cpu->pc->opt.faults.guest;
}

/* xorshift64* (Vigna). */
static uint64_t draw(struct guest *g, uint64_t least, uint64_t most)
{
	g->random ^= g->random >> 12;
	g->random ^= g->random << 25;
	g->random ^= g->random >> 27;
	return least + (g->random * 0x2545f4914f6cdd1dull >> 16) % (most - least + 1);
}

/* About `every` from now on. */
static uint64_t next(struct guest *g, uint64_t now, uint64_t every)
{
	return every ? now + draw(g, every / 2, every + every / 2) : NEVER;
}

const struct sim_pmu_model *guest_pmu(struct cpu *cpu)
{
	const struct sim_pmu_model *pmu = sim_pmu_model(cpu->model->pmu);

	if (!words_of(cpu)->vpmu_set)
		return pmu;
	cpu->guest.pmu = *pmu;
	sim_pmu_cap(&cpu->guest.pmu, (unsigned)words_of(cpu)->vpmu);
	return &cpu->guest.pmu;
}

void guest_begin(struct cpu *cpu)
{
	const struct guest_words *w = words_of(cpu);
	struct guest *g = &cpu->guest;

	g->random = w->seed * 0x9e3779b97f4a7c15ull + cpu->id + 1;
	g->exit_next = next(g, 0, w->exit_every);
	g->preempt_next = next(g, 0, 10 * w->preempt);
	if (g->exit_next < cpu->faults.next)
		cpu->faults.next = g->exit_next;
	if (w->vpmu_set && cpu->model->vendor == VENDOR_INTEL)
		cpu->msr[M_MISC_ENABLE] |= NO_BTS | NO_PEBS;
	for (unsigned i = 0; i < w->filters; i++) {
		const struct guest_filter *f = &w->filter[i];

		(f->allows ? sim_pmu_allow : sim_pmu_deny)(cpu->pmu, f->fixed, f->code, f->umask);
	}
}

/* What the first-level data cache has modified goes to the second; nothing counts that. */
static void evict(struct cpu *cpu)
{
	struct cache *l1d = cpu->mem.l1d;

	for (size_t i = 0; i < (size_t)l1d->sets * l1d->ways; i++)
		if (l1d->line[i] & 1)
			cache_lookup(cpu->mem.l2, ((l1d->line[i] >> 1) - 1) << l1d->line_shift,
			             true);
	cache_empty(l1d);
	cache_empty(cpu->mem.l1i);
	if (words_of(cpu)->evict_all) {
		cache_empty(cpu->mem.l2);
		if (cpu->mem.llc)
			cache_empty(cpu->mem.llc);
	}
	predictor_empty(&cpu->predict);
	if (cpu->core_machine)
		core_forget_code(&cpu->core);
	cpu->fetch.line = NEVER;
}

/* Time of the host that is none of the guest's. */
static void stand(struct cpu *cpu, uint64_t ticks)
{
	cpu->clock += ticks;
	cpu->halt.clocks += ticks;
}

/* Most events go on in the hypervisor (vpmc.freezeMode=hybrid). Its work is made up. */
static void count_hypervisor(struct cpu *cpu, struct sim_step *step, uint64_t ticks)
{
	uint32_t clocks = (uint32_t)ticks;

	step->cpl = 0;
	step->clocks = clocks;
	sim_step_add(step, SIG_CLOCKS, clocks);
	sim_step_add(step, SIG_REF_CLOCKS, clocks);
	sim_step_add(step, SIG_RING0_CLOCKS, clocks);
	sim_step_add(step, SIG_UOPS, clocks);
	sim_step_add(step, SIG_L1D_LOAD_MISS, clocks / MISS_EVERY);
	sim_pmu_retire(cpu->pmu, step);
	sim_step_clear(step);
}

static void leave(struct cpu *cpu, uint64_t ticks)
{
	static struct sim_step step;
	const struct guest_words *w = words_of(cpu);

	stand(cpu, ticks);
	if (w->evict)
		evict(cpu);
	if (sim_pmu_idle(cpu->pmu) || !guest_counts(cpu, NULL))
		return;
	step.rip = step.next_rip = cpu->flight.at;
	if (w->hybrid)
		count_hypervisor(cpu, &step, ticks);
	step.cpl = cpu->cpl;
	sim_step_add(&step, SIG_INSTRUCTIONS, (uint32_t)w->exit_adds);
	sim_step_add(&step, SIG_BRANCHES, (uint32_t)w->exit_adds);
	sim_pmu_retire(cpu->pmu, &step);
	sim_step_clear(&step);
}

void guest_order(struct cpu *cpu)
{
	struct guest *g = &cpu->guest;

	if (!words_of(cpu)->exit_every)
		return;
	if (cpu->retired >= g->exit_next) {
		leave(cpu, draw(g, LEAST_EXIT, MOST_EXIT));
		g->exit_next = next(g, cpu->retired, words_of(cpu)->exit_every);
	}
	if (g->exit_next < cpu->faults.next)
		cpu->faults.next = g->exit_next;
}

/* The version is odd while the page is written. The guest does not run meanwhile. */
static void tell_steal(struct cpu *cpu)
{
	const struct guest *g = &cpu->guest;
	struct steal_page *page;

	if (!(g->steal_page & STEAL_ENABLED))
		return;
	page = machine_ram(cpu->pc, g->steal_page & ~63ull, 64);
	if (!page)
		return;
	page->steal = g->stolen * 1000000 / cpu->pc->model->tsc_khz;
	page->version += 2;
}

/* A tick in nanoseconds, times 2^32, divided by 2^shift. */
static uint64_t time_mul(uint64_t khz, int shift)
{
	return (uint64_t)(((unsigned __int128)1000000 << (32 - shift)) / khz);
}

/* The upper bit of `mul` is 1, so that it is as exact as 32 bits can be. */
static void tell_time(const struct cpu *cpu, struct time_page *page)
{
	const uint64_t khz = cpu->pc->model->tsc_khz;
	int shift = 0;

	while (time_mul(khz, shift) > UINT32_MAX)
		shift++;
	while (time_mul(khz, shift - 1) <= UINT32_MAX)
		shift--;
	page->version += 2;
	page->tsc = cpu->clock;
	page->ns = 0;
	page->mul = (uint32_t)time_mul(khz, shift);
	page->shift = (int8_t)shift;
}

void guest_attend(struct cpu *cpu)
{
	const struct guest_words *w = words_of(cpu);
	struct guest *g = &cpu->guest;

	if (!w->preempt || cpu->clock < g->preempt_next)
		return;
	g->stolen += w->preempt;
	leave(cpu, w->preempt);
	tell_steal(cpu);
	g->preempt_next = next(g, cpu->clock, 10 * w->preempt);
}

static uint64_t cost(const struct guest_words *w, const struct insn *insn)
{
	switch (insn->kind) {
	case K_RDPMC:
		return w->rdpmc;
	case K_RDMSR:
	case K_WRMSR:
		return w->msr;
	case K_CPUID:
		return w->cpuid;
	default:
		return 0;
	}
}

void guest_executed(struct cpu *cpu, const struct insn *insn)
{
	const struct guest_words *w = words_of(cpu);
	const uint64_t ticks = cost(w, insn), off = ticks * w->jitter / 100;

	if (ticks)
		leave(cpu, off ? draw(&cpu->guest, ticks - off, ticks + off) : ticks);
}

bool guest_counts(struct cpu *cpu, const struct insn *insn)
{
	const struct guest_words *w = words_of(cpu);
	uint64_t now = cpu->clock;

	if (!w->on)
		return true;
	if (w->uncounted && insn && cost(w, insn))
		cpu->flight.step.n[SIG_INSTRUCTIONS] = 0;
	if (w->quota_of && now % w->quota_of >= w->quota_of - w->quota)
		return false;
	return now >= cpu->guest.stand_until && !(now >= w->pause_from && now < w->pause_to);
}

void guest_overflow(struct cpu *cpu)
{
	const struct guest_words *w = words_of(cpu);
	struct guest *g = &cpu->guest;
	uint64_t ms = cpu->clock / cpu->pc->model->tsc_khz;

	if (!w->throttle)
		return;
	if (ms != g->overflow_ms)
		g->overflows = 0;
	g->overflow_ms = ms;
	if (++g->overflows >= w->throttle)
		g->stand_until = (ms + 1) * cpu->pc->model->tsc_khz;
}

static bool has_steal(const struct cpu *cpu, uint32_t msr)
{
	return msr == MSR_STEAL && words_of(cpu)->steal;
}

static bool has_time(const struct cpu *cpu, uint32_t msr)
{
	return msr == MSR_TIME && words_of(cpu)->kvmclock;
}

/*
 * Without counters P6's and K7's four read 0 and take all that is written (Linux,
 * arch/x86/kvm/x86.c, kvm_get_msr_common()).
 */
static bool is_hollow(const struct cpu *cpu, uint32_t msr)
{
	const struct guest_words *w = words_of(cpu);

	return w->vpmu_set && !w->vpmu &&
	       ((msr & ~1u) == 0x186 || msr - 0xc1 < 2 || msr - 0xc0010000 < 8);
}

/* AMD APM volume 2, "SEV_STATUS": bits 0 to 2 are SEV, SEV-ES and SEV-SNP. */
static uint64_t sev_status(enum guest_secret secret)
{
	return secret == SECRET_SNP ? 7 : secret == SECRET_SEV_ES ? 3 : 1;
}

bool guest_msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value)
{
	enum guest_secret secret = words_of(cpu)->secret;

	if (msr == MSR_SEV_STATUS && secret != SECRET_NONE && secret != SECRET_TDX) {
		*value = sev_status(secret);
		return true;
	}
	*value = 0;
	if (is_hollow(cpu, msr))
		return true;
	if (!has_steal(cpu, msr) && !has_time(cpu, msr))
		return false;
	*value = has_time(cpu, msr) ? cpu->guest.time_page : cpu->guest.steal_page;
	return true;
}

/* Documentation/virt/kvm/x86/msr.rst: the address is a multiple of 4. */
static bool write_time(struct cpu *cpu, uint64_t value)
{
	const bool enabled = value & TIME_ENABLED;
	struct time_page *page = enabled ? machine_ram(cpu->pc, value & ~1ull, TIME_BYTES) : NULL;

	if (enabled && (!page || value & 2))
		return false;
	cpu->guest.time_page = value;
	if (enabled)
		tell_time(cpu, page);
	return true;
}

bool guest_msr_write(struct cpu *cpu, uint32_t msr, uint64_t value, bool *ok)
{
	const struct guest_words *w = words_of(cpu);

	*ok = is_hollow(cpu, msr);
	if (*ok)
		return true;
	if (w->debugctl_set && msr == MSR_DEBUGCTL && value & ~w->debugctl)
		return true;
	if (has_time(cpu, msr)) {
		*ok = write_time(cpu, value);
		return true;
	}
	if (!has_steal(cpu, msr))
		return false;
	*ok = !(value & STEAL_RESERVED) && machine_ram(cpu->pc, value & ~63ull, 64);
	if (!*ok)
		return true;
	cpu->guest.steal_page = value;
	tell_steal(cpu);
	return true;
}

bool guest_ignores_msrs(const struct cpu *cpu)
{
	return words_of(cpu)->ignore_msrs;
}
