/*
 * A busy thread of the same core (bench/engine/sibling.h).
 *
 * Widths: NOPs and ADDs as InstLatX64 measured them (docs/references.md). Where it did not, or
 * where sources differ, the smaller number stands: it gives fewer false alarms.
 */
#include "bench/engine/sibling.h"
#include "bench/engine/engine.h"
#include "bench/engine/platform.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	RUNS = 8,
	GUEST_RUNS = 33, /* most of which no exit disturbs */
	GUEST_TRIES = 3, /* all of which must see the thread */
};

/* Tenths of NOPs in the time of a dependent ADD; 0: not known. */
static unsigned width(const struct cpu *c)
{
	if (c->vendor == VENDOR_AMD || c->vendor == VENDOR_HYGON)
		return c->family >= 0x17 ? 50 : 0;
	if (c->vendor != VENDOR_INTEL)
		return 0;
	if (c->family == 15)
		return c->model < 3 ? 14 : 28; /* at first an ADD took half a clock */
	if (c->arch.version >= 5)
		return cpu_has(c, CPU_SERIALIZE) ? 59 : 40; /* Alder Lake, and Ice Lake before */
	if (c->arch.version < 3)
		return 0;
	if (c->arch.version == 3 && (!cpu_has(c, CPU_SSE4_2) || cpu_has(c, CPU_AVX512F)))
		return 20; /* Bonnell, Knights Landing */
	return c->model < 0x30 && c->model != 0x2a && c->model != 0x2d ? 30 : 40; /* Nehalem */
}

/* Intel's small cores have no second thread: in a guest there is no sibling to be busy. */
static bool is_small(const struct cpu *c)
{
	static const uint8_t models[] = {
		0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, 0x75, /* Silvermont, Airmont */
		0x5c, 0x5f, 0x7a, 0x86, 0x96, 0x9c,       /* Goldmont, Tremont */
		0xaf, 0xb6, 0xbe, 0xdd,                   /* Gracemont and later */
	};

	for (unsigned i = 0; i < sizeof(models); i++)
		if (cpu_is_p6_line(c) && c->family == 6 && c->model == models[i])
			return true;
	return false;
}

/* In a guest CPUID caps the version that tells Intel's CPUs apart (KVM: 2). */
static unsigned width_in_guest(const struct cpu *c)
{
	if (is_small(c))
		return 0;
	if (!cpu_is_p6_line(c) || width(c))
		return width(c);
	if (cpu_has(c, CPU_SERIALIZE))
		return 59; /* Alder Lake */
	if (cpu_has(c, CPU_AVX512ER))
		return 20; /* Knights Landing */
	if (cpu_has(c, CPU_AVX2))
		return 40;                      /* Haswell to Rocket Lake */
	return cpu_has(c, CPU_SSE4_2) ? 30 : 0; /* Nehalem to Ivy Bridge */
}

/* TSC ticks of the same number of copies; 0: they could not be measured. */
static uint64_t ticks(const struct bench_run *run, const char *name, const uint8_t *body, size_t n)
{
	static struct engine_result r;
	static struct bench b;
	struct args args = { .mode = MODE_RATE, .runs = RUNS, .unroll = 64, .loop = 32 };
	struct bench_run mine = *run;

	if (cpu_has_host(run->cpu))
		args.runs = GUEST_RUNS;
	memset(&b, 0, sizeof(b));
	memcpy(b.name, name, strlen(name) + 1);
	b.needs = "";
	b.body = body;
	b.body_size = n;
	mine.args = &args;
	if (engine_measure(&mine, &b, NULL, &r) || r.q[0].med <= 0)
		return 0;
	return (uint64_t)r.q[0].med;
}

/* NOPs in the time of a dependent ADD, in thousandths; 0: they could not be measured. */
static uint64_t nops_of(const struct bench_run *run)
{
	static const uint8_t add[] = { 0x01, 0xc8 }, nop[] = { 0x90 };
	uint64_t chain = ticks(run, "adds", add, sizeof(add));
	uint64_t nops = ticks(run, "nops", nop, sizeof(nop));

	return chain && nops ? chain * 1000 / nops : 0;
}

/* A thread gets half or more. What has much less is no such core: a simulator, perhaps. */
static bool is_busy(uint64_t is, uint64_t wide)
{
	return is * 8 < wide * 7 && is * 5 >= wide * 2;
}

/*
 * Is a thread busy at each of so many looks? *is: NOPs of the last one. Exits of a guest, and the
 * interrupts of a process, may look like a thread, but not each time.
 */
static bool sees_busy(const struct bench_run *run, uint64_t wide, unsigned tries, uint64_t *is)
{
	bool busy = true;

	*is = 0;
	for (unsigned i = 0; busy && i < tries; i++) {
		*is = nops_of(run);
		busy = *is && is_busy(*is, wide);
	}
	return busy;
}

enum sibling sibling_look(const struct bench_run *run)
{
	const struct cpu *cpu = run->cpu;
	const bool others = platform_shares_core(cpu);
	const uint64_t wide =
		100 * (uint64_t)(cpu_has_host(cpu) ? width_in_guest(cpu) : width(cpu));
	uint64_t is;

	if (!others && cpu->threads_per_core < 2)
		return SIBLING_QUIET;
	if (wide && sees_busy(run, wide, GUEST_TRIES, &is))
		return SIBLING_BUSY;
	return others ? SIBLING_UNKNOWN : SIBLING_QUIET;
}

bool sibling_check(const struct bench_run *run, const char *when)
{
	const struct cpu *cpu = run->cpu;
	const bool guest = cpu_has_host(cpu);
	uint64_t wide = 100 * (uint64_t)(guest ? width_in_guest(cpu) : width(cpu)), is;
	bool busy;

	/* CPUID of a guest says nothing about the threads of the core below, so it is not asked. */
	if (!wide || !platform_privileged() || (!guest && cpu->threads_per_core < 2) ||
	    (!guest && cpu_is_guest(cpu)))
		return false;
	busy = sees_busy(run, wide, guest ? GUEST_TRIES : 1, &is);
	if (!is || (!busy && !strcmp(when, "during")))
		return false;
	log_begin("sibling");
	log_str("when", when);
	if (guest)
		log_str("seen", "guest");
	log_milli("nops", (int64_t)is);
	log_milli("width", (int64_t)wide);
	log_bool("busy", busy);
	log_end();
	if (busy && guest)
		log_warn("sibling", when,
		         "another thread of this core, or the hypervisor, takes a part of each "
		         "result");
	else if (busy)
		log_warn("sibling", when,
		         "another thread of this core is busy: it takes a part of each result");
	return busy;
}
