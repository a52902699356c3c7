/*
 * Pentium and Pentium MMX: two counters under one control register, CESR.
 *
 * Follows TalkieToaster's article (docs/references.md) and SDM volume 3B, "Performance Monitoring
 * (Pentium Processors)". Both halves of CESR are written at once, so both counters start together;
 * the registers are 11h to 13h, which a KVM guest must never touch: kernel/cpu/pmu.c sees to it
 * that no such machine gets here.
 */
#include "kernel/cpu/msr.h"
#include "pmu/internal.h"
#include "pmu/tables.h"

#define MSR_P5_CESR   0x11
#define MSR_P5_CTR(n) (0x12 + (n))

/* One half of CESR; bits 10-15 of a half are reserved. */
#define CESR_ES(code)   ((code)&0x3f)
#define CESR_CC(cc)     ((cc) << 6)
#define CESR_CC_OS      1 /* CPL 0-2 */
#define CESR_CC_USR     2 /* CPL 3 */
#define CESR_CC_CLOCKS  4 /* clocks while the condition holds; 0: occurrences */
#define CESR_PC(pc)     ((pc) << 9)
#define CESR_HALF(n, v) ((uint64_t)(v) << 16 * (n))

static const char *const cc_names[] = {
	"off", "events0-2", "events3", "events", "off4", "clocks0-2", "clocks3", "clocks", 0,
};

static const struct pmu_field p5_fields[] = {
	{ "es", 0, 0x3f, PMU_EVENT, 0 },
	{ "cc", 0, 7, PMU_CC, cc_names },
	{ "usr", "u", 1, PMU_USR, 0 },
	{ "os", "k", 1, PMU_OS, 0 },
	{ "clocks", "clocks", 1, PMU_CLOCKS, 0 },
	{ "pc", "pc", 1, PMU_PIN, 0 },
	{ 0, 0, 0, 0, 0 },
};

static const struct pmu_proof p5_proofs[] = {
	{ PMU_PROOF_INSTRUCTIONS, "INSTRUCTIONS_EXECUTED" },
	{ PMU_PROOF_BRANCHES, "BRANCHES" },
	{ PMU_PROOF_END, 0 },
};

/* RDPMC came with the Pentium MMX; RDMSR reads the counters on every P5. */
static bool p5_probe(struct pmu_hw *hw, const struct cpu *cpu)
{
	static const char *const names[] = { "CTR0", "CTR1" };
	bool mmx = cpu->pmu_class == PMU_CLASS_P5MMX;

	if (!mmx && cpu->pmu_class != PMU_CLASS_P5)
		return false;
	pmu_find_model(hw, "p5", cpu);
	hw->ncounters = 2;
	for (unsigned n = 0; n < 2; n++)
		hw->counter[n] = (struct pmu_counter){
			.name = names[n],
			.msr = MSR_P5_CTR(n),
			.index = mmx ? n : MSR_P5_CTR(n),
			.number = (uint8_t)n,
			.access = mmx ? PMU_RDPMC : PMU_RDMSR,
			.width = 40,
			.load = 40,
		};
	return true;
}

static uint32_t p5_reg(const struct pmu_hw *hw, unsigned i)
{
	static const uint32_t regs[] = { MSR_P5_CTR(0), MSR_P5_CTR(1), MSR_P5_CESR };

	(void)hw;
	return i < sizeof(regs) / sizeof(regs[0]) ? regs[i] : 0;
}

static struct pmu_control p5_control(const struct pmu_hw *hw, uint32_t msr)
{
	uint64_t levels = CESR_CC(CESR_CC_OS | CESR_CC_USR);

	(void)hw;
	(void)msr;
	return (struct pmu_control){ .enables = levels | levels << 16 };
}

static unsigned p5_encode(const struct pmu_hw *hw, const struct pmu_request *rq,
                          struct pmu_config *out, const char **why)
{
	uint64_t code = pmu_field(rq, PMU_EVENT, rq->named ? rq->event.code : 0);
	uint64_t cc = (rq->value[PMU_OS] ? CESR_CC_OS : 0) |
	              (rq->value[PMU_USR] ? CESR_CC_USR : 0) |
	              (rq->value[PMU_CLOCKS] ? CESR_CC_CLOCKS : 0);

	if (pmu_given(rq, PMU_CC))
		cc = rq->value[PMU_CC];
	if (!(cc & (CESR_CC_OS | CESR_CC_USR))) {
		*why = "counts at no level: cc needs bit 0 (CPL 0-2) or bit 1 (CPL 3), or u or k";
		return 0;
	}
	*out = (struct pmu_config){
		.counters = pmu_request_counters(hw, rq),
		.select = CESR_ES(code) | CESR_CC(cc) | CESR_PC(rq->value[PMU_PIN]),
	};
	*why = "the counter that can count it did not prove itself";
	return out->counters != 0;
}

static void p5_stop(const struct pmu_hw *hw)
{
	(void)hw;
	msr_write(MSR_P5_CESR, 0);
}

static bool p5_start(const struct pmu_hw *hw, const struct pmu_group *group)
{
	uint64_t cesr = 0;
	bool ok = msr_write(MSR_P5_CESR, 0);

	for (unsigned i = 0; i < group->n; i++) {
		unsigned n = group->slots[i].counter;

		ok = ok && msr_write(MSR_P5_CTR(n), group->slots[i].from);
		cesr |= CESR_HALF(n, group->slots[i].select);
	}
	ok = ok && msr_write(MSR_P5_CESR, cesr);
	if (!ok)
		p5_stop(hw);
	return ok;
}

const struct pmu_driver pmu_p5 = {
	.name = "p5",
	.raw = "p5",
	.table = &pmu_table_p5,
	.fields = p5_fields,
	.proofs = p5_proofs,
	.defaults = "INSTRUCTIONS_EXECUTED,INSTRUCTIONS_EXECUTED_V_PIPE",
	.probe = p5_probe,
	.reg = p5_reg,
	.control = p5_control,
	.encode = p5_encode,
	.start = p5_start,
	.stop = p5_stop,
};
