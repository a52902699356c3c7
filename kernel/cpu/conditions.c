/*
 * Conditions of a run (kernel/cpu/conditions.h): reads, sets, prints and puts back what the rows of
 * conditions_rows.c and prefetchers.c say.
 */
#include <stddef.h>

#include "kernel/cpu/conditions.h"
#include "kernel/cpu/conditions_rows.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"

_Static_assert(CONDITIONS_MAX <= sizeof(((struct conditions_own *)0)->refused) * 8 &&
                       CONDITIONS_MAX <= sizeof(((struct conditions_own *)0)->value) / 4,
               "a bit and a value for each row");

/* What the boot CPU has decided for all. */
static struct {
	const struct cpu *cpu;
	bool steady, lfence; /* lfence: QUIRK_LFENCE_WAITS applies */
	enum args_prefetch prefetch;
} plan;

static struct conditions_own boot;

/* Threads of a core share registers: one of them sets the core's rows, and the next finds them. */
static volatile bool setting;

/* Kinds of cores that have a record. */
enum { KINDS = 4 };

static const struct conditions_own *told[KINDS];
static unsigned ntold;

/* A 64-bit register in two halves. */
union value {
	uint64_t all;
	uint32_t half[2];
};

static bool bit(const uint32_t *bits, unsigned i)
{
	return bits[i / 32] >> i % 32 & 1;
}

static void set_bit(uint32_t *bits, unsigned i)
{
	bits[i / 32] |= 1u << i % 32;
}

static uint32_t mask_of(const struct condition *r)
{
	return UINT32_MAX >> (32 - r->width);
}

static bool is_prefetcher(const struct condition *r)
{
	return r->wish == PREFETCH_OFF_1 || r->wish == PREFETCH_OFF_0;
}

static bool read_field(const struct condition *r, uint32_t *field)
{
	union value v;

	if (!msr_read(r->msr, &v.all))
		return false;
	*field = v.half[r->shift / 32] >> r->shift % 32 & mask_of(r);
	*field ^= r->wish == PREFETCH_OFF_0;
	return true;
}

static bool read_row(const struct cpu *cpu, const struct condition *r, uint32_t *field)
{
	bool there = r->has ? r->has(cpu) : (prefetcher_core(cpu) & r->cores) != 0;

	return cpu_has(cpu, CPU_MSR) && there && read_field(r, field);
}

static void read_all(const struct cpu *cpu, struct conditions_own *own)
{
	const struct condition *r;

	memset(own->there, 0, sizeof(own->there));
	for (unsigned i = 0; (r = condition_row(i)); i++)
		if (read_row(cpu, r, &own->value[i]))
			set_bit(own->there, i);
}

static void log_values(const struct conditions_own *own)
{
	const struct condition *r;

	if (cpu_has_host(plan.cpu))
		log_str("of", "guest");
	for (unsigned i = 0; (r = condition_row(i)); i++)
		if (bit(own->there, i))
			log_dec(r->key, own->value[i]);
	log_end();
}

static void log_conditions(const char *when, const char *clocks, const char *kept)
{
	read_all(plan.cpu, &boot);
	log_begin("conditions");
	log_str("when", when);
	if (clocks)
		log_str("clocks", clocks);
	if (kept)
		log_str("firmware", kept);
	log_values(&boot);
}

/*
 * The register has just been read. It is read back without asking CPUID, which may no longer
 * announce it.
 */
static void set_row(struct conditions_own *own, unsigned i, uint32_t want)
{
	const struct condition *r = condition_row(i);
	union value v;
	uint32_t *half = &v.half[r->shift / 32], now;

	if (own->nchanged == CONDITIONS_CHANGES) {
		set_bit(own->refused, i);
		return;
	}
	msr_read(r->msr, &v.all);
	own->changed[own->nchanged].msr = r->msr;
	own->changed[own->nchanged++].found = v.all;
	*half &= ~(mask_of(r) << r->shift % 32);
	*half |= (want ^ (r->wish == PREFETCH_OFF_0)) << r->shift % 32;
	if (!msr_write(r->msr, v.all))
		set_bit(own->refused, i);
	else if (!read_field(r, &now) || now != want)
		set_bit(own->lost, i);
}

/* Gives the value to set; false if the field stays. `above` is the row above's value, 0 if none. */
static bool wanted(const struct condition *r, uint32_t now, uint32_t above, uint32_t *want)
{
	if (is_prefetcher(r)) {
		*want = plan.prefetch == PREFETCH_OFF;
		return plan.prefetch != PREFETCH_AS_FOUND;
	}
	if (r->wish == ALWAYS_1) {
		*want = 1;
		return plan.lfence && !now;
	}
	*want = r->wish == LIKE_ABOVE ? above : r->wish == STEADY_1;
	return plan.steady && r->wish != AS_FOUND && (r->wish != LIKE_ABOVE || above);
}

/* On the CPU that `cpu` describes, which is the one that executes this. */
static void set_rows(const struct cpu *cpu, struct conditions_own *own)
{
	const struct condition *r;
	uint32_t above = 0, now, want;

	for (unsigned i = 0; (r = condition_row(i)); i++) {
		if (!read_row(cpu, r, &now)) {
			above = 0;
			continue;
		}
		if (!wanted(r, now, above, &want))
			want = now;
		if (want != now)
			set_row(own, i, want);
		above = want;
	}
}

/* `number` of the CPU: 0 is the boot CPU, which goes without saying. */
static void complain(const char *what, const char *culprit, size_t n, unsigned number,
                     const char *why)
{
	log_begin("warn");
	log_str("what", what);
	log_strn("culprit", culprit, n);
	if (number)
		log_dec("cpu", number);
	log_str("why", why);
	log_end();
}

static void complain_row(const struct conditions_own *own, unsigned i, unsigned number)
{
	const struct condition *r = condition_row(i);
	bool prefetcher = is_prefetcher(r);
	size_t name = strlen(r->key) - (prefetcher ? strlen("_off") : 0);

	complain(prefetcher ? "prefetch" : "conditions", r->key, name, number,
	         bit(own->refused, i) ? "the register refuses the value"
	                              : "the register does not keep the value");
}

/* Prefetchers that this core has and no bit of the table reaches. */
static void complain_left(const struct cpu *cpu, unsigned number)
{
	const char *name, *why;
	const struct condition *r;
	bool any = false;
	uint32_t v;

	for (unsigned i = 0; (r = condition_row(i)); i++)
		any |= is_prefetcher(r) && read_row(cpu, r, &v);
	if (!any)
		complain("prefetch", plan.prefetch == PREFETCH_ON ? "on" : "off",
		         plan.prefetch == PREFETCH_ON ? 2 : 3, number,
		         "this CPU has no register for it that we know");
	for (unsigned i = 0;
	     plan.prefetch == PREFETCH_OFF && (name = prefetcher_left(cpu, i, &why)); i++)
		complain("prefetch", name, strlen(name), number, why);
}

static void complain_rows(const struct conditions_own *own, unsigned number)
{
	for (unsigned i = 0; condition_row(i); i++)
		if (bit(own->refused, i) || bit(own->lost, i))
			complain_row(own, i, number);
}

/* LFENCE is made to wait where it does not, whatever clocks= says. The answer is a record. */
static bool lfence_wanted(const struct cpu *cpu)
{
	const struct condition *r;
	uint32_t v;

	for (unsigned i = 0; (r = condition_row(i)); i++)
		if (r->wish == ALWAYS_1 && read_row(cpu, r, &v) && !v)
			return !cpu_has(cpu, CPU_HYPERVISOR) && quirk(QUIRK_LFENCE_WAITS, true);
	return false;
}

void conditions_begin(const struct cpu *cpu, enum args_clocks clocks, enum args_prefetch prefetch,
                      const char *kept)
{
	bool guest = cpu_has(cpu, CPU_HYPERVISOR), steady = clocks == CLOCKS_STEADY && !guest;

	plan.cpu = cpu;
	plan.steady = steady;
	plan.prefetch = prefetch;
	setting = false; /* an INIT may have stopped the CPU that had it */
	ntold = 0;
	memset(&boot, 0, sizeof(boot));
	log_conditions("start", steady ? "steady" : guest ? "hypervisor" : "keep", kept);
	plan.lfence = lfence_wanted(cpu);
	set_rows(cpu, &boot);
	complain_rows(&boot, 0);
	if (prefetch != PREFETCH_AS_FOUND)
		complain_left(cpu, 0);
	if (boot.nchanged)
		log_conditions("set", NULL, NULL);
}

/* The boot CPU as far as the machine is concerned, but with the executing CPU's kind of core. */
static void become(struct cpu *cpu, const struct conditions_own *own)
{
	*cpu = *plan.cpu;
	cpu->core_type = own->core_type;
	cpu->native_model = own->native_model;
}

void conditions_follow(struct conditions_own *own)
{
	struct cpu cpu;

	if (!plan.cpu)
		return;
	become(&cpu, own);
	while (__sync_lock_test_and_set(&setting, true))
		x86_pause();
	set_rows(&cpu, own);
	__sync_lock_release(&setting);
	read_all(&cpu, own);
}

void conditions_give(struct conditions_own *own)
{
	while (own->nchanged) {
		own->nchanged--;
		msr_write(own->changed[own->nchanged].msr, own->changed[own->nchanged].found);
	}
}

/* The level that the core is pinned to tells kinds apart where CPUID does not. */
static uint32_t level_of(const struct conditions_own *own)
{
	const struct condition *r;

	for (unsigned i = 0; (r = condition_row(i)); i++)
		if (bit(own->there, i) && strcmp(r->key, "perf_guaranteed") == 0)
			return own->value[i];
	return 0;
}

static bool same_kind(const struct conditions_own *a, const struct conditions_own *b)
{
	return a->core_type == b->core_type && a->native_model == b->native_model &&
	       level_of(a) == level_of(b);
}

void conditions_tell(const struct conditions_own *own, unsigned number)
{
	struct cpu cpu;

	if (!plan.cpu)
		return;
	complain_rows(own, number);
	boot.core_type = plan.cpu->core_type;
	boot.native_model = plan.cpu->native_model;
	for (unsigned i = 0; i < ntold; i++)
		if (same_kind(own, told[i]))
			return;
	if (same_kind(own, &boot) || ntold == KINDS)
		return;
	told[ntold++] = own;
	become(&cpu, own);
	if (plan.prefetch == PREFETCH_OFF)
		complain_left(&cpu, number);
	log_begin("conditions");
	log_str("when", "set");
	log_dec("cpu", number);
	if (own->core_type)
		log_hex("type", own->core_type);
	log_values(own);
}

void conditions_restore(void)
{
	conditions_give(&boot);
}

void conditions_end(const struct cpu *cpu)
{
	conditions_restore();
	plan.cpu = cpu;
	log_conditions("end", NULL, NULL);
}
