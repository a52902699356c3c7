/*
 * The last branches before a sample (pmu/sampling/branches.h): the stacks of Nehalem and later (SDM
 * volume 3B, "Last Branch, Interrupt, and Exception Recording"), of the architectural kind
 * ("Architectural Last Branch Records") and of Zen 4 (APM volume 2, "Last Branch Stack Registers").
 *
 * Only branches at CPL 3 are recorded, so the interrupt itself leaves no trace. Core 2, the first
 * with a stack in 64-bit mode beside the Pentium 4, cannot leave the kernel's own out.
 */
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"
#include "pmu/internal.h"
#include "pmu/sampling/branches.h"

#define MSR_LBR_SELECT        0x1c8
#define MSR_LBR_TOS           0x1c9
#define MSR_DEBUGCTL          0x1d9
#define MSR_PERF_CAPABILITIES 0x345
#define MSR_LBR_FROM          0x680
#define MSR_LBR_TO            0x6c0
#define MSR_LBR_INFO          0xdc0
#define MSR_ARCH_CTL          0x14ce
#define MSR_ARCH_DEPTH        0x14cf
#define MSR_ARCH_INFO         0x1200
#define MSR_ARCH_FROM         0x1500
#define MSR_ARCH_TO           0x1600
#define MSR_AMD_SELECT        0xc000010e
#define MSR_AMD_CTL           0xc000010f
#define MSR_AMD_FROM          0xc0010300

#define DEBUGCTL_LBR 1u
#define SELECT_USER  0x101u /* near branches at CPL 3 */
#define SELECT_CALLS 0x3c5u /* calls and returns, which take the call away again */
#define ARCH_USER    0x3f0005u
#define ARCH_CALLS   0x38000du
#define AMD_ON       0x40u
#define MISPREDICTED (1ull << 63)
#define LINEAR       0x7fffffffffffull
#define CAN_LBR_V2   2u           /* leaf 80000022H, EAX */
#define FORMAT_CALLS 4            /* PERF_CAPABILITIES bits 5:0: Haswell */
#define FORMAT_INFO  5            /* Skylake: clocks have a register of their own */
#define FORMAT_TIME  6            /* Atom: clocks above the target's address, which are not read */
#define CLOCKS_VALID (1ull << 60) /* of the architectural kind's INFO */
#define AMD_VALID    (1ull << 63) /* of TO; without it the branch was on a wrong path */

enum { LEAF_AMD = 0x80000022 };

static struct {
	uint32_t control; /* what turns it on, with ... */
	uint64_t on;
	uint32_t select, from, to, info; /* 0: there is none */
	uint64_t chosen;
	unsigned step, depth; /* registers from one entry to the next; entries */
	bool turns;           /* the newest is where MSR_LBR_TOS says, else the first */
	bool calls;           /* those that have not returned, not all branches */
	uint64_t control_before, select_before;
} lbr;

static const char no_calls[] =
	"calls want a branch stack that takes them away at their return: Intel's from Haswell on";

static uint64_t read(uint32_t msr)
{
	uint64_t v = 0;

	msr_read(msr, &v);
	return v;
}

static const char *open_amd(void)
{
	struct cpuid_regs leaf = x86_cpuid(LEAF_AMD, 0);

	/* they came with this leaf */
	if (!cpu_has(pmu_hw.cpu, CPU_PERFMON_V2) || !(leaf.eax & CAN_LBR_V2))
		return "CPUID announces no branch stack, which AMD has from Zen 4 on";
	if (lbr.calls)
		return no_calls;
	lbr.depth = leaf.ebx >> 4 & 0x3f;
	lbr.control = MSR_AMD_CTL;
	lbr.on = AMD_ON;
	lbr.select = MSR_AMD_SELECT;
	lbr.from = MSR_AMD_FROM;
	lbr.to = MSR_AMD_FROM + 1;
	lbr.step = 2;
	return NULL;
}

static void open_architectural(void)
{
	lbr.step = 1;
	lbr.control = MSR_ARCH_CTL;
	lbr.on = lbr.calls ? ARCH_CALLS : ARCH_USER;
	lbr.from = MSR_ARCH_FROM;
	lbr.to = MSR_ARCH_TO;
	lbr.info = MSR_ARCH_INFO;
	lbr.depth = (unsigned)read(MSR_ARCH_DEPTH);
}

/* How deep the stack is depends on the model. Nothing is written to learn it. */
static const char *open_model(void)
{
	unsigned format = (unsigned)read(MSR_PERF_CAPABILITIES) & 0x3f;
	uint64_t v;

	while (lbr.depth < PMU_BRANCHES && msr_read(MSR_LBR_FROM + lbr.depth, &v))
		lbr.depth++;
	if (!lbr.depth || !msr_read(MSR_LBR_SELECT, &v))
		return "this branch stack cannot leave out the kernel, or there is none";
	if (lbr.calls && format < FORMAT_CALLS)
		return no_calls;
	lbr.control = MSR_DEBUGCTL;
	lbr.on = DEBUGCTL_LBR;
	lbr.select = MSR_LBR_SELECT;
	lbr.chosen = lbr.calls ? SELECT_CALLS : SELECT_USER;
	lbr.from = MSR_LBR_FROM;
	lbr.to = MSR_LBR_TO;
	lbr.info = format >= FORMAT_INFO && format != FORMAT_TIME ? MSR_LBR_INFO : 0;
	lbr.turns = true;
	lbr.step = 1;
	return NULL;
}

static const char *open(struct pmu_sampling *s)
{
	const char *why = NULL;

	if (s->cpl != 3)
		return "the last branches are those of CPL 3: cpl=3 is missing";
	memset(&lbr, 0, sizeof(lbr));
	lbr.chosen = SELECT_USER;
	lbr.calls = s->branches == PMU_BRANCHES_CALLS;
	if (pmu_hw.driver == &pmu_amd)
		why = open_amd();
	else if (pmu_hw.driver == &pmu_arch && cpu_has(pmu_hw.cpu, CPU_ARCH_LBR))
		open_architectural();
	else if (pmu_hw.driver == &pmu_arch)
		why = open_model();
	else
		why = "the Pentium 4's branch stack is not read";
	if (lbr.depth > PMU_BRANCHES)
		lbr.depth = PMU_BRANCHES;
	if (lbr.turns) /* the driver writes DEBUGCTL with each start */
		s->group.debugctl |= DEBUGCTL_LBR;
	return why;
}

static void empty(void)
{
	for (unsigned n = 0; n < lbr.depth; n++)
		msr_write(lbr.from + n * lbr.step, 0);
}

static bool start(void)
{
	empty();
	lbr.control_before = read(lbr.control);
	if (lbr.select) {
		lbr.select_before = read(lbr.select);
		if (!msr_write(lbr.select, lbr.chosen))
			return false;
	}
	return msr_write(lbr.control, lbr.control_before | lbr.on);
}

static void stop(void)
{
	msr_write(lbr.control, lbr.control_before);
	if (lbr.select)
		msr_write(lbr.select, lbr.select_before);
}

/* The model's own stacks always count clocks where they have a register for them. */
static bool clocked(uint64_t info)
{
	return lbr.info && !lbr.calls && (lbr.turns || info & CLOCKS_VALID);
}

/*
 * Newest first. Registers of Haswell and later have more in the bits above an address. What has
 * been read is taken out, so that no branch belongs to two samples. The clocks of the first branch
 * behind the last sample are mostly those of the handler, so they are left out. Calls stay: they
 * have not returned, and their clocks say little.
 */
static void read_stack(struct pmu_sample *out)
{
	static struct pmu_branch stack[PMU_BRANCHES];
	unsigned top = lbr.turns ? (unsigned)read(MSR_LBR_TOS) : 0, k = 0, n = 0;

	for (; k < lbr.depth; k++) {
		unsigned i = lbr.turns ? (top - k) % lbr.depth : k * lbr.step;
		uint64_t from = read(lbr.from + i), info = lbr.info ? read(lbr.info + i) : from;
		uint64_t to = read(lbr.to + i);

		if (!from)
			break;
		if (lbr.control == MSR_AMD_CTL && !(to & AMD_VALID))
			continue;
		stack[n++] = (struct pmu_branch){ .from = (uintptr_t)(from & LINEAR),
			                          .to = (uintptr_t)(to & LINEAR),
			                          .missed = info & MISPREDICTED,
			                          .clocked = clocked(info),
			                          .clocks = (uint16_t)info };
	}
	if (!lbr.calls)
		empty();
	if (n && k < lbr.depth)
		stack[n - 1].clocked = false;
	out->branches = stack;
	out->nbranches = n;
}

static const struct sampling_branches branches = {
	.open = open,
	.start = start,
	.stop = stop,
	.read = read_stack,
};

const struct sampling_branches *const sampling_branches = &branches;
