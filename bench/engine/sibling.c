/*
 * A busy thread of the same core (bench/engine/sibling.h).
 *
 * Widths: NOPs and ADDs as InstLatX64 measured them (docs/references.md). Where it did not, or
 * where sources differ, the smaller number stands: it gives fewer false alarms.
 */
#include "bench/engine/sibling.h"
#include "bench/engine/engine.h"
#include "bench/engine/ground.h"
#include "kernel/log.h"
#include "kernel/string.h"

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

/* TSC ticks of the same number of copies; 0: they could not be measured. */
static uint64_t ticks(const struct bench_run *run, const char *name, const uint8_t *body, size_t n)
{
	static struct engine_result r;
	static struct bench b;
	struct args args = { .mode = MODE_RATE, .runs = 8, .unroll = 64, .loop = 32 };
	struct bench_run mine = *run;

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

bool sibling_check(const struct bench_run *run, const char *when)
{
	static const uint8_t add[] = { 0x01, 0xc8 }, nop[] = { 0x90 };
	const struct cpu *cpu = run->cpu;
	uint64_t wide = (uint64_t)width(cpu) * 100, chain, nops, is;
	bool busy;

	if (!wide || cpu->threads_per_core < 2 || !host_privileged() || cpu_is_guest(cpu))
		return false;
	chain = ticks(run, "adds", add, sizeof(add));
	nops = ticks(run, "nops", nop, sizeof(nop));
	if (!chain || !nops)
		return false;
	is = chain * 1000 / nops;
	/* A thread gets half or more. What has much less is no such core: a simulator, perhaps. */
	busy = is * 8 < wide * 7 && is * 5 >= wide * 2;
	log_begin("sibling");
	log_str("when", when);
	log_milli("nops", (int64_t)is);
	log_milli("width", (int64_t)wide);
	log_bool("busy", busy);
	log_end();
	if (busy)
		log_warn("sibling", when,
		         "another thread of this core is busy: it takes a part of each result");
	return busy;
}
