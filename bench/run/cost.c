/*
 * What measuring costs on this CPU: each instruction that a bracket is made of, in the steady
 * state, and the empty bracket itself (bench/result/check.h).
 */
#include "bench/result/check.h"
#include "bench/engine/engine.h"
#include "bench/engine/platform.h"
#include "bench/engine/number.h"
#include "bench/result/report.h"
#include "bench/result/select.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

/* needs: as in a snippet; privileged ones cannot run in a process. */
static const struct cost {
	const char *name, *needs;
	bool privileged;
	uint8_t size;
	uint8_t code[8];
} costs[] = {
	{ "rdtsc", "tsc", false, 2, { 0x0f, 0x31 } },
	{ "rdtscp", "rdtscp", false, 3, { 0x0f, 0x01, 0xf9 } },
	{ "lfence", "sse2", false, 3, { 0x0f, 0xae, 0xe8 } },
	{ "cpuid", "", false, 6, { 0x31, 0xc0, 0x31, 0xc9, 0x0f, 0xa2 } }, /* leaf 0 */
	{ "serialize", "serialize", false, 3, { 0x0f, 0x01, 0xe8 } },
	{ "lldt", "", true, 3, { 0x0f, 0x00, 0x16 } }, /* [XSI], which is 0 */
};

enum { WRMSR = 0x30, RDMSR = 0x32, RDPMC = 0x33 }; /* second opcode bytes */

enum { COSTS = sizeof(costs) / sizeof(costs[0]), RUNS = 8, COPIES = 16 };

/* Of n copies, whose readings may be off by `error` ticks. `fence`: of a bracket, or NULL. */
static void log_cost(const char *name, uint32_t msr, const char *fence, const struct stats_diff *d,
                     uint64_t n, uint64_t error)
{
	const struct number x = number_of(d, n, error);

	log_begin("cost");
	log_str("name", name);
	if (msr)
		log_hex("msr", msr);
	if (fence)
		log_str("fence", fence);
	number_log("tsc", &x);
	log_end();
}

/* `copies` of the code of *b one after the other, against twice as many. */
static void cost(const struct bench_run *run, const char *name, uint32_t msr, const struct bench *b)
{
	static struct engine_result r;
	struct args args = { .mode = MODE_RATE, .runs = RUNS, .unroll = COPIES, .loop = 1 };
	struct bench_run mine = *run;
	const char *why;

	mine.args = &args;
	why = engine_measure(&mine, b, NULL, &r);
	if (why)
		log_warn("cost", name, why);
	else
		log_cost(name, msr, NULL, &r.q[0], COPIES, r.tsc_error);
}

static void instruction(const struct bench_run *run, const struct cost *c)
{
	static struct bench b;

	memset(&b, 0, sizeof(b));
	memcpy(b.name, c->name, strlen(c->name) + 1);
	b.needs = c->needs;
	b.widths = SNIPPET_32 | SNIPPET_64;
	b.body = c->code;
	b.body_size = c->size;
	if ((!c->privileged || platform_privileged()) && !select_obstacle(run, &b))
		cost(run, c->name, 0, &b);
}

/* MOV ECX, index; XOR EAX, EAX; XOR EDX, EDX; then the access: a write stores 0. */
static void access(const struct bench_run *run, const char *name, uint32_t index, uint8_t opcode)
{
	uint8_t code[11] = { 0xb9, 0, 0, 0, 0, 0x31, 0xc0, 0x31, 0xd2, 0x0f, opcode };
	static struct bench b;

	for (unsigned i = 0; i < 4; i++)
		code[1 + i] = (uint8_t)(index >> 8 * i);
	memset(&b, 0, sizeof(b));
	memcpy(b.name, name, strlen(name) + 1);
	b.needs = "";
	b.body = code;
	b.body_size = sizeof(code);
	cost(run, name, opcode == RDPMC ? 0 : index, &b);
}

static void counters(const struct bench_run *run)
{
	struct pmu_registers r;

	if (!pmu_registers(&r))
		return;
	if (r.has_rdpmc)
		access(run, "rdpmc", r.rdpmc, RDPMC);
	access(run, "rdmsr_counter", r.counter, RDMSR);
	access(run, "wrmsr_counter", r.counter, WRMSR);
	if (!r.select)
		return;
	access(run, "rdmsr_select", r.select, RDMSR);
	access(run, "wrmsr_select", r.select, WRMSR);
}

void cost_log(const struct bench_run *run)
{
	static const char *const fences[] = {
		[FENCE_CPUID] = "cpuid", [FENCE_LFENCE] = "lfence", [FENCE_SERIALIZE] = "serialize"
	};
	struct stats_diff bracket;
	uint64_t error;

	for (unsigned i = 0; i < COSTS; i++)
		instruction(run, &costs[i]);
	counters(run);
	if (!engine_bracket(run, run->plan.ngroups ? &run->plan.groups[0] : NULL, &bracket, &error))
		log_cost("bracket", 0, fences[platform_fence(run->cpu)], &bracket, 1, error);
}
