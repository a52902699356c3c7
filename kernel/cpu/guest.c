/*
 * A hypervisor as seen from inside (kernel/cpu/guest.h).
 * Sources: Linux, Documentation/virt/kvm/x86/cpuid.rst, arch/x86/kvm (what exits) and
 * arch/x86/include/asm/cpuid/api.h (hypervisor_cpuid_base()).
 */
#include "kernel/cpu/guest.h"
#include "kernel/cpu/fence.h"
#include "kernel/cpu/internal.h"
#include "kernel/lib/log.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/steal.h"
#include "kernel/lib/string.h"

#define LEAF_FIRST   0x40000000u
#define LEAF_LAST    0x40010000u
#define LEAF_STEP    0x100u
#define LEAF_TSC     0x10u /* behind a signature: kHz; VMware's, some KVM */
#define LEAF_TDX     0x21u
#define LEAF_SEV     0x8000001fu
#define LEAF_CPL0SIM 0x4000c000u /* the simulator's own, no hypervisor's (sim/README.md) */

/*
 * A number that no CPU and no hypervisor has given to a register, as far as is known: reading it
 * is #GP. It is outside of the bitmaps of VMX and SVM, so it always exits.
 */
#define MSR_OF_NOBODY 0x12345678u

#define MSR_SEV_STATUS 0xc0010131u
#define SEV_SUPPORTED  (1u << 1)

enum {
	TRIES = 15,  /* accesses that a median is of */
	EXITS = 400, /* ticks: an RDPMC that takes more has left the guest */
};

static struct guest guest;

/* Is this text of CPUID a name: bytes that print, and zeros behind them? */
static bool is_name(const char *s)
{
	unsigned n = 0, i;

	while (n < 12 && s[n] >= ' ' && s[n] <= '~')
		n++;
	for (i = n; i < 12 && !s[i]; i++)
		;
	return n && i == 12;
}

/* The highest leaf of the hypervisor that signs at `leaf`, and its name; 0: none does. */
static uint32_t signature(cpuid_fn cpuid, uint32_t leaf, char name[13])
{
	const struct cpuid_regs r = cpuid(leaf, 0);

	cpu_put32(name, r.ebx);
	cpu_put32(name + 4, r.ecx);
	cpu_put32(name + 8, r.edx);
	name[12] = 0;
	/* Leaves that are not there may have the data of another one. */
	return r.eax >> 8 == leaf >> 8 && is_name(name) ? r.eax : 0;
}

void guest_second(const struct cpu *c, cpuid_fn cpuid, char name[13])
{
	for (uint32_t leaf = LEAF_FIRST + LEAF_STEP; leaf <= LEAF_LAST; leaf += LEAF_STEP)
		if (!(leaf == LEAF_CPL0SIM && c->simulated) && signature(cpuid, leaf, name))
			return;
	name[0] = 0;
}

uint32_t guest_kvm_leaf(const struct cpu *c, cpuid_fn cpuid)
{
	char name[13];

	for (uint32_t leaf = LEAF_FIRST; leaf <= LEAF_LAST; leaf += LEAF_STEP) {
		if (leaf == LEAF_CPL0SIM && c->simulated)
			continue;
		/* KVM of old says 0 for its first leaf, and means 40000001H. */
		if ((signature(cpuid, leaf, name) || leaf == LEAF_FIRST) &&
		    !strcmp(name, "KVMKVMKVM"))
			return leaf;
	}
	return 0;
}

static uint32_t told_khz(cpuid_fn cpuid, uint32_t leaf)
{
	const uint32_t max = cpuid(leaf, 0).eax;

	return max >> 8 == leaf >> 8 && max >= leaf + LEAF_TSC ? cpuid(leaf + LEAF_TSC, 0).eax : 0;
}

uint32_t guest_tsc_khz(const struct cpu *c, cpuid_fn cpuid)
{
	const uint32_t khz = told_khz(cpuid, LEAF_FIRST), kvm = guest_kvm_leaf(c, cpuid);

	return khz || !kvm ? khz : told_khz(cpuid, kvm);
}

/*
 * Guests whose exits come to them as exceptions (#VC, #VE), for which there is no handler here.
 * AMD APM volume 2, "SEV_STATUS"; a host's CPUID may be shown to a guest without SEV, so the
 * register decides, as in Linux, sme_enable(). Intel TDX module: leaf 21H.
 */
const char *guest_secret(const struct cpu *c, cpuid_fn cpuid)
{
	static const char *const sev[] = {
		NULL, "sev", NULL, "sev-es", NULL, "sev", NULL, "sev-snp"
	};
	struct cpuid_regs r = { 0, 0, 0, 0 };
	uint64_t status;

	if (!cpu_has_host(c))
		return NULL;
	if (c->vendor == VENDOR_INTEL && c->max_leaf >= LEAF_TDX)
		r = cpuid(LEAF_TDX, 0);
	if (r.ebx == 0x65746e49 && r.edx == 0x5844546c && r.ecx == 0x20202020) /* "IntelTDX    " */
		return "tdx";
	if ((c->vendor != VENDOR_AMD && c->vendor != VENDOR_HYGON) || c->max_ext < LEAF_SEV)
		return NULL;
	if (!(cpuid(LEAF_SEV, 0).eax & SEV_SUPPORTED) || !msr_read(MSR_SEV_STATUS, &status))
		return NULL;
	return sev[status & 7];
}

static bool read_counter(void)
{
	uint64_t v;

	return pmc_read(0, &v);
}

static bool read_register(void)
{
	uint64_t v;

	return msr_read(MSR_IA32_APIC_BASE, &v);
}

static bool ask_cpuid(void)
{
	x86_cpuid(0, 0);
	return true;
}

/* Puts v among the n values before it, which are in order. */
static void insert(uint32_t *sorted, unsigned n, uint32_t v)
{
	for (; n && sorted[n - 1] > v; n--)
		sorted[n] = sorted[n - 1];
	sorted[n] = v;
}

/* Median ticks of an access, between two readings of the TSC; 0: it faults. */
static uint32_t cost_of(bool (*access)(void))
{
	uint32_t ticks[TRIES];

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t start = x86_rdtsc(), end;

		if (!access())
			return 0;
		end = x86_rdtsc();
		insert(ticks, i, end - start > UINT32_MAX ? UINT32_MAX : (uint32_t)(end - start));
	}
	return ticks[TRIES / 2];
}

/* Families 6 and up have both; a class without RDPMC, or without counters, is not asked. */
static void time_exits(const struct cpu *c, struct guest *g)
{
	bool counters = c->pmu_class == PMU_CLASS_ARCH || c->pmu_class == PMU_CLASS_AMD ||
	                c->pmu_class == PMU_CLASS_P6 || c->pmu_class == PMU_CLASS_NETBURST;

	g->rdpmc = counters ? cost_of(read_counter) : 0;
	g->cpuid = cost_of(ask_cpuid);
	g->msr = c->family >= 6 && cpu_has(c, CPU_MSR) && cpu_has(c, CPU_APIC)
	                 ? cost_of(read_register)
	                 : 0;
}

static void log_exits(const struct guest *g)
{
	if (g->rdpmc)
		log_dec("rdpmc", g->rdpmc);
	log_dec("cpuid", g->cpuid);
	if (g->msr)
		log_dec("msr", g->msr);
}

/* KVM's parameter ignore_msrs: absent registers read 0 and take every write. */
static bool ignores_msrs(const struct cpu *c)
{
	uint64_t v;

	return cpu_has(c, CPU_MSR) && msr_read(MSR_OF_NOBODY, &v);
}

static void log_guest(const struct cpu *c, const struct guest *g)
{
	log_begin("guest");
	log_str("hypervisor", c->hypervisor);
	if (g->also[0])
		log_str("also", g->also);
	log_hex("max", g->max);
	if (g->tsc_khz)
		log_dec("tsc_khz", g->tsc_khz);
	log_exits(g);
	log_str("vpmu", !g->rdpmc ? "none" : g->rdpmc > EXITS ? "perf" : "mediated");
	log_str("fence", fence_lfence_waits(c) ? "lfence" : "cpuid");
	log_str("wbinvd", g->flush == FLUSH_WBINVD ? "empties" : "nop");
	log_str("flush", flush_name(g->flush));
	log_bool("ignores_msrs", g->ignores_msrs);
	log_bool("steal", g->steal);
	log_end();
}

/*
 * NetBurst and K8 ended before any of these came. QEMU's kvm64 and qemu64 are of family 15,
 * whatever CPU is below (QEMU, target/i386/cpu.c), and have counters of that one (leaf 0AH).
 */
static bool is_invented(const struct cpu *c)
{
	return c->family == 15 &&
	       (cpu_has(c, CPU_SSSE3) || cpu_has(c, CPU_POPCNT) || cpu_has(c, CPU_AVX) ||
	        cpu_has(c, CPU_ABM) || cpu_has(c, CPU_PERFCTR_CORE) || c->arch.version);
}

static void warn_of_host(const struct cpu *c)
{
	if (!fence_lfence_waits(c) && guest.cpuid > EXITS)
		log_warn("guest", "fence",
		         "each sample waits by CPUID, which leaves the guest: times shorter than "
		         "that are lost in it");
	if (guest.ignores_msrs)
		log_warn("msr", "ignore_msrs",
		         "the hypervisor ignores registers that it does not have: they read 0 and "
		         "take every value, so the conditions may not be what is there");
	if (is_invented(c))
		log_warn("guest", "model",
		         "the hypervisor has invented this CPU model: no CPU of family 15 has "
		         "all of this. Its events are another CPU's: take the host's model");
}

/* Samples that were dropped. */
static struct {
	uint32_t exits, apart;
} sums;

void guest_begin(const struct cpu *c, void *room)
{
	guest = (struct guest){ .seen = cpu_has_host(c) && cpu_has(c, CPU_TSC) };
	sums.exits = sums.apart = 0;
	if (!guest.seen)
		return;
	guest_second(c, x86_cpuid, guest.also);
	guest.max = x86_cpuid(LEAF_FIRST, 0).eax;
	guest.tsc_khz = guest_tsc_khz(c, x86_cpuid);
	time_exits(c, &guest);
	guest.flush = flush_find(c, room);
	fence_find(c);
	guest.ignores_msrs = ignores_msrs(c);
	guest.steal = steal_begin(guest_kvm_leaf(c, x86_cpuid));
	log_guest(c, &guest);
	warn_of_host(c);
}

bool guest_counters_exit(void)
{
	return guest.seen && guest.rdpmc > EXITS;
}

void guest_dropped(uint32_t exits, uint32_t apart)
{
	sums.exits += exits;
	sums.apart += apart;
}

void guest_end(const struct cpu *c)
{
	if (!guest.seen)
		return;
	time_exits(c, &guest);
	log_begin("guest");
	log_str("when", "end");
	log_exits(&guest);
	if (guest.steal)
		log_dec("stolen_us", steal_us());
	log_dec("exits", sums.exits);
	log_dec("apart", sums.apart);
	log_end();
	steal_end();
}
