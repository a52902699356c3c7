/*
 * The performance-monitoring interrupt of the local APIC (pmu/sampling/interrupt.h).
 */
#include "kernel/chipset/apic.h"
#include "kernel/cpu/x86.h"
#include "pmu/sampling/branches.h"
#include "pmu/sampling/interrupt.h"

enum { VECTOR_PERF = 0xe1, LVT_PERF_ENTRIES = 4 };

static struct {
	uint32_t entry; /* offset of the register */
	bool nmi;
	trap_fn before; /* who had the NMI before */
} line;

const char *perf_interrupt_obstacle(void)
{
	if (apic_mode() != APIC_XAPIC && apic_mode() != APIC_X2APIC)
		return "the overflow interrupt needs a local APIC, and there is none in reach";
	if ((apic_read(APIC_VERSION) >> 16 & 0xff) < LVT_PERF_ENTRIES)
		return "the local APIC has no entry for the overflow interrupt";
	if (!(apic_read(APIC_LVT_PERF) & LVT_MASKED))
		return "the firmware holds the local APIC's entry for the overflow interrupt";
	return NULL;
}

static void write_entry(uint32_t more)
{
	apic_write(line.entry, VECTOR_PERF | (line.nmi ? LVT_NMI : 0) | more);
}

void perf_interrupt_open(uint32_t entry, bool nmi, trap_fn handler)
{
	line.entry = entry;
	line.nmi = nmi;
	line.before = trap_on_vector(nmi ? TRAP_NMI : VECTOR_PERF, handler);
}

void perf_interrupt_arm(void)
{
	write_entry(0);
}

void sampling_give(struct pmu_sampling *s, struct pmu_sample *sample)
{
	if (s->branches)
		sampling_branches->read(sample);
	s->samples++;
	s->take(s->arg, sample);
}

/* The watchdog may have an NMI of its own. */
void perf_interrupt_end(struct trap_frame *f, bool ours)
{
	if (!line.nmi)
		apic_write(APIC_EOI, 0);
	else if (!ours && line.before)
		line.before(f);
}

void perf_interrupt_close(void)
{
	write_entry(LVT_MASKED);
	if (!line.nmi) {
		x86_sti();
		x86_pause();
		x86_cli();
	}
	trap_on_vector(line.nmi ? TRAP_NMI : VECTOR_PERF, line.before);
}
