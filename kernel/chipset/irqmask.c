/*
 * A machine without noise (kernel/chipset/irqmask.h). Sources: SDM volume 3, "Advanced Programmable
 * Interrupt Controller (APIC)"; AMD APM volume 2 section 16.4.6 (extended LVT).
 */
#include "kernel/chipset/irqmask.h"
#include "kernel/chipset/apic.h"
#include "kernel/chipset/pic.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"

enum {
	FLAGS_IF = 1 << 9,
	APIC_OUR_PRIORITY = 0xd0, /* vectors from E0h on come through: the watchdog's */
	LVT_TIMER_MODE = 3 << 17,
	LVT_TIMER_DEADLINE = 2 << 17,
	MSR_TSC_DEADLINE = 0x6e0,
	DEADLINE_SOON = 1000000, /* ticks of the TSC */
};
#define APIC_VERSION_EXT (1u << 31)

/* LVT entries and the highest-entry number (version register) from which on they exist. */
static const struct lvt {
	uint16_t offset;
	uint8_t max_lvt;
} lvts[] = {
	{ APIC_LVT_TIMER, 0 }, { APIC_LVT_LINT0, 0 }, { APIC_LVT_LINT1, 0 },
	{ APIC_LVT_ERROR, 3 }, { APIC_LVT_PERF, 4 },  { APIC_LVT_THERMAL, 5 },
	{ APIC_LVT_CMCI, 6 },
};

enum { LVTS = sizeof(lvts) / sizeof(lvts[0]) };

/*
 * What a call of the firmware wants as it was. The spurious-vector register comes first: while it
 * disables the APIC, no mask bit of an LVT entry can be cleared.
 */
static const uint16_t lent[] = {
	APIC_SPURIOUS,  APIC_TASK_PRIORITY, APIC_TIMER_DIVIDE, APIC_LVT_TIMER,
	APIC_LVT_LINT0, APIC_LVT_LINT1,     APIC_LVT_ERROR,    APIC_LVT_PERF,
};

enum { LENT = sizeof(lent) / sizeof(lent[0]) };

static uint32_t found[LENT], ours[LENT], period; /* period: of the firmware's timer, 0: none */
static unsigned nlent;                           /* how many of them this APIC has */

static uint32_t priority;

static unsigned entries, masked, smi; /* of the local vector table; smi: left to the firmware */
static uint32_t thermal;              /* the thermal entry, if it is left to the firmware; else 0 */

void irqmask_pic(void)
{
	x86_cli();
	pic_init();
}

/*
 * An entry that raises SMIs belongs to the firmware, which keeps the CPU from overheating with it.
 * Linux leaves such an entry alone too (arch/x86/kernel/cpu/mce/therm_throt.c).
 */
static void mask(uint32_t offset)
{
	if ((apic_read(offset) & (LVT_MODE | LVT_MASKED)) == LVT_SMI &&
	    quirk(QUIRK_LVT_SMI, true)) {
		smi++;
		if (offset == APIC_LVT_THERMAL)
			thermal = apic_read(offset);
		return;
	}
	apic_write(offset, apic_read(offset) | LVT_MASKED);
	entries++;
	masked += (apic_read(offset) & LVT_MASKED) != 0;
}

void irqmask_apic(const struct cpu *cpu)
{
	uint32_t version;

	entries = masked = smi = thermal = 0;
	if (!apic_find(cpu))
		return;
	version = apic_read(APIC_VERSION);
	nlent = LENT - ((version >> 16 & 0xff) < 4) - ((version >> 16 & 0xff) < 3);
	for (unsigned i = 0; i < nlent; i++)
		found[i] = apic_read(lent[i]);
	period = apic_read(APIC_TIMER_INITIAL);
	if (priority)
		apic_write(APIC_TASK_PRIORITY, priority);
	for (unsigned i = 0; i < LVTS; i++)
		if ((version >> 16 & 0xff) >= lvts[i].max_lvt)
			mask(lvts[i].offset);
	if (!(version & APIC_VERSION_EXT) || apic_mode() != APIC_XAPIC)
		return;
	for (unsigned i = 0; i < (apic_read(APIC_EXT_FEATURES) >> 16 & 0xff) && i < 4; i++)
		mask(APIC_EXT_LVT + 16 * i);
}

void irqmask_follow(void)
{
	if (thermal)
		apic_write(APIC_LVT_THERMAL, thermal);
}

void irqmask_keep(void)
{
	priority = APIC_OUR_PRIORITY;
}

uint32_t irqmask_priority(void)
{
	return priority;
}

/* An APIC that is disabled masks all entries, the one that raises the firmware's SMIs too. */
static bool masks_smi(unsigned i)
{
	return smi && lent[i] == APIC_SPURIOUS && !(found[i] & APIC_SPURIOUS_ENABLE);
}

/* A deadline that has passed while we measured never comes: it is set again. */
void irqmask_give(void)
{
	for (unsigned i = 0; i < nlent; i++) {
		ours[i] = apic_read(lent[i]);
		if (!masks_smi(i))
			apic_write(lent[i], found[i]);
		if (lent[i] == APIC_LVT_TIMER && (found[i] & LVT_TIMER_MODE) == LVT_TIMER_DEADLINE)
			msr_write(MSR_TSC_DEADLINE, x86_rdtsc() + DEADLINE_SOON);
	}
	if (nlent)
		apic_write(APIC_TIMER_INITIAL, period);
}

void irqmask_take(void)
{
	for (unsigned i = 0; i < nlent; i++)
		apic_write(lent[i], ours[i]);
	if (nlent)
		apic_write(APIC_TIMER_INITIAL, 0);
}

/* Interrupts the APIC has accepted and not delivered. */
static unsigned apic_pending(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 8; i++)
		for (uint32_t v = apic_read(APIC_IRR + 16 * i); v; v &= v - 1)
			n++;
	return n;
}

void irqmask_log(unsigned cpus, uint32_t nmi, uint32_t mce)
{
	log_begin("quiet");
	log_bool("if", x86_flags() & FLAGS_IF);
	if (pic_present()) {
		log_hex("pic_mask", pic_masked());
		log_hex("pic_pending", pic_pending());
	} else {
		log_str("pic", "none");
	}
	log_str("apic", apic_mode_name());
	if (apic_mode() == APIC_XAPIC || apic_mode() == APIC_X2APIC) {
		log_dec("lvt", entries);
		log_dec("lvt_masked", masked);
		if (smi)
			log_dec("lvt_smi", smi);
		log_dec("apic_pending", apic_pending());
	}
	log_dec("nmi", nmi);
	log_dec("mce", mce);
	if (cpus) {
		log_dec("cpus", cpus);
		log_dec("parked", cpus - 1); /* nothing here sends a start-up IPI */
	}
	log_end();
	if (masked != entries)
		log_warn("quiet", apic_mode_name(), "an LVT entry cannot be masked");
}
