/*
 * Which benchmarks run (bench/result/select.h).
 */
#include "bench/result/select.h"
#include "bench/engine/engine.h"
#include "bench/engine/platform.h"
#include "kernel/lib/string.h"

/*
 * What the default set has beside the flag SNIPPET_DEFAULT. On a P5: bandwidth and the
 * multiplication. On others: ports, store forwarding, branches, bandwidth; such a CPU does not run
 * the P5's own benchmarks by default. The instruction table has thousands of names, most of which
 * are not wanted: its list has whole forms, without what is the same for all, and no globs.
 */
static const char p5_only[] = "p5.*";
static const char table_latency[] = "instr.lat.";
static const char table_throughput[] = "instr.tp.";
static const char *const table[] = { "imul_r32_r32",  "nop",           "shl_r32_imm8",
	                             "mov_r32_m32",   "mov_m32_r32",   "paddd_xmm_xmm",
	                             "addps_xmm_xmm", "mulps_xmm_xmm", "shufps_xmm_xmm_imm8" };
enum { TABLE_P5 = 1, TABLE = sizeof(table) / sizeof(table[0]) };
static const char modern[] =
	"rename.fused_cmp_jcc,rename.load_op,forward.*,branch.btb16.64,branch.btb16.1024,"
	"branch.btb16.4096,branch.pattern.16,branch.pattern.1024,branch.returns.8,"
	"branch.returns.32,branch.indirect.4";
static const char moves_sse[] = "bandwidth.read_sse.*,bandwidth.write_sse.*,bandwidth.copy_sse.*";
static const char moves_dword[] =
	"bandwidth.read_dword.*,bandwidth.write_dword.*,bandwidth.copy_dword.*";
static const char moves_p5[] = /* it has one level and tells of no other */
	"bandwidth.read_dword.l1,bandwidth.read_dword.memory,bandwidth.write_dword.l1,"
	"bandwidth.write_dword.memory,bandwidth.copy_dword.l1,bandwidth.copy_dword.memory";

/*
 * These take the simulator most of the time of a run: a hundred million loads. It leaves them out
 * of the default set where `skip=` says nothing.
 */
static const char slow_simulated[] = "bandwidth.*.l3,bandwidth.*.memory";

static bool is_p5(const struct bench_run *run)
{
	return run->cpu->pmu_class == PMU_CLASS_P5 || run->cpu->pmu_class == PMU_CLASS_P5MMX;
}

/* What the name has behind `prefix`; NULL: it does not begin so. */
static const char *behind(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) ? NULL : name + n;
}

/* Is this a form of the list? If not `whole`: does such a form begin so? */
static bool in_table(const struct bench_run *run, const char *form, bool whole)
{
	const size_t forms = is_p5(run) ? TABLE_P5 : TABLE;

	for (size_t i = 0; i < forms; i++) {
		size_t n = 0;

		while (form[n] && form[n] == table[i][n])
			n++;
		if (!form[n] && !(whole && table[i][n]))
			return true;
	}
	return false;
}

static bool is_listed(const struct bench_run *run, const char *name)
{
	const char *form = behind(name, table_throughput);

	if (form)
		return in_table(run, form, true);
	if (behind(name, table_latency))
		return false;
	if (is_p5(run))
		return args_match(moves_p5, name);
	return args_match(cpu_has(run->cpu, CPU_SSE) ? moves_sse : moves_dword, name) ||
	       args_match(modern, name);
}

bool select_default(const struct bench_run *run, const struct bench *b)
{
	if (b->user)
		return b->flags & SNIPPET_DEFAULT;
	if (!(b->flags & SNIPPET_DEFAULT) && !is_listed(run, b->name))
		return false;
	if (!is_p5(run) && args_match(p5_only, b->name))
		return false;
	return !run->cpu->simulated || run->args->skip || !args_match(slow_simulated, b->name);
}

bool select_asked(const struct bench_run *run, const struct bench *b)
{
	const struct args *a = run->args;

	if (b->flags & SNIPPET_STIMULUS)
		return false;
	if (a->skip && args_match(a->skip, b->name))
		return false;
	if (a->bench)
		return args_match(a->bench, b->name);
	return a->list || (!a->lost && select_default(run, b));
}

/* Can one of the comma-separated globs match a name that begins with `prefix`? */
static bool may_match(const char *globs, const char *prefix)
{
	for (const char *g = globs; g;) {
		size_t i = 0;

		while (prefix[i] && (g[i] == prefix[i] || g[i] == '?'))
			i++;
		if (!prefix[i] || g[i] == '*')
			return true;
		g = strchr(g, ',');
		if (g)
			g++;
	}
	return false;
}

/* What wanted() looks at: bench=; NULL: the default set. */
static const char *asked;
static const struct bench_run *asking;

/* Can the name of a benchmark that is asked for begin so? */
static bool wanted(const char *beginning)
{
	const char *form = behind(beginning, table_throughput);

	if (asked)
		return may_match(asked, beginning);
	return form && in_table(asking, form, false);
}

bool select_source(const struct bench_run *run, const struct bench_source *s)
{
	const struct args *a = run->args;

	const bool any = a->list || (s->prefix && behind(table_throughput, s->prefix));

	asked = a->bench;
	asking = run;
	if (s->prefix && (asked ? !may_match(asked, s->prefix) : !any))
		return false;
	if (s->only)
		s->only(!asked && a->list ? NULL : wanted);
	return true;
}

/*
 * The first blank-separated word of `needs` that the CPU lacks, copied to buf; NULL if it has all.
 */
static const char *lacking(const struct cpu *cpu, const char *needs, char buf[32])
{
	while (*needs) {
		size_t n = 0;
		enum cpu_feature f;

		while (needs[n] && needs[n] != ' ')
			n++;
		if (n) {
			size_t kept = n < 32 ? n : 31; /* no feature's name is that long */

			memcpy(buf, needs, kept);
			buf[kept] = 0;
			if (!cpu_feature_find(buf, &f) || !cpu_has(cpu, f))
				return buf;
		}
		needs += n + (needs[n] == ' ');
	}
	return NULL;
}

/* Both texts are short. */
static const char *join(char *to, const char *a, const char *b)
{
	memcpy(to, a, strlen(a));
	memcpy(to + strlen(a), b, strlen(b) + 1);
	return to;
}

const char *select_obstacle(const struct bench_run *run, const struct bench *b)
{
	static char buf[80];
	unsigned cpl = engine_cpl(run, b);
	uint8_t width = sizeof(void *) == 8 ? SNIPPET_64 : SNIPPET_32;
	char word[32];
	const char *lack = lacking(run->cpu, b->needs, word);

	if (lack)
		return join(buf, "the CPU lacks ", lack);
	if (!(b->widths & width))
		return width == SNIPPET_64 ? "not for 64-bit mode" : "not for 32-bit mode";
	if (cpl == 3 && !platform_ring3().cs)
		return "there is no way to CPL 3 and back here";
	if (cpl == 3 && b->flags & SNIPPET_PRIVILEGED)
		return b->user ? "privileged: cannot run at CPL 3; cpl=0 runs it"
		               : "privileged: cannot run at CPL 3";
	if (cpl == 3 && b->user && platform_user_obstacle())
		return join(buf, platform_user_obstacle(), "; cpl=0 runs it all the same");
	if (b->flags & SNIPPET_THREADS && run->args->threads == THREADS_ONE)
		return "needs threads=, such as threads=all";
	if (b->flags & SNIPPET_PRIVILEGED && !platform_privileged())
		return "privileged: not in a Linux process";
	return NULL;
}
