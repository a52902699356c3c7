/*
 * A machine without noise (kernel/board/quiet.h). Sources: Intel 8259A data sheet; SDM volume 3, "Advanced
 * Programmable Interrupt Controller (APIC)"; AMD APM volume 2 section 16.4.6 (extended LVT).
 */
#include "kernel/board/apic.h"
#include "kernel/log.h"
#include "kernel/board/quiet.h"
#include "kernel/trap/trap.h"
#include "kernel/cpu/x86.h"

enum {
	PIC1 = 0x20,
	PIC2 = 0xa0,
	PIC_DATA = 1,
	ICW1_INIT_ICW4 = 0x11,
	ICW4_8086 = 0x01,
	OCW3_READ_IRR = 0x0a,
	PIC_VECTORS = 0x20, /* off the exception vectors, should one ever come */
	PIC_MASK_ALL = 0xff,

	APIC_VERSION = 0x30,
	APIC_EXT_FEATURES = 0x400, /* AMD: bits 23:16 = number of extended LVT entries */
	APIC_EXT_LVT = 0x500,
	APIC_VERSION_EXT = 1u << 31,
	LVT_MASKED = 1 << 16,
	FLAGS_IF = 1 << 9,
};

/* LVT entries and the highest-entry number (version register) from which on they exist. */
static const struct lvt {
	uint16_t offset;
	uint8_t max_lvt;
} lvts[] = {
	{ 0x320, 0 }, /* timer */
	{ 0x350, 0 }, /* LINT0 */
	{ 0x360, 0 }, /* LINT1 */
	{ 0x370, 3 }, /* error */
	{ 0x340, 4 }, /* performance counters */
	{ 0x330, 5 }, /* thermal */
	{ 0x2f0, 6 }, /* corrected machine checks */
};

enum { LVTS = sizeof(lvts) / sizeof(lvts[0]) };

static unsigned entries, masked; /* of the local vector table */

static void pic_init(uint16_t pic, uint8_t vectors, uint8_t cascade)
{
	x86_outb(pic, ICW1_INIT_ICW4);
	x86_outb(pic + PIC_DATA, vectors);
	x86_outb(pic + PIC_DATA, cascade);
	x86_outb(pic + PIC_DATA, ICW4_8086);
	x86_outb(pic + PIC_DATA, PIC_MASK_ALL);
}

void quiet_pic(void)
{
	x86_cli();
	pic_init(PIC1, PIC_VECTORS, 1 << 2);
	pic_init(PIC2, PIC_VECTORS + 8, 2);
}

static void mask(uint32_t offset)
{
	apic_write(offset, apic_read(offset) | LVT_MASKED);
	entries++;
	masked += (apic_read(offset) & LVT_MASKED) != 0;
}

void quiet_apic(const struct cpu *cpu)
{
	uint32_t version;

	entries = masked = 0;
	if (!apic_find(cpu))
		return;
	version = apic_read(APIC_VERSION);
	for (unsigned i = 0; i < LVTS; i++)
		if ((version >> 16 & 0xff) >= lvts[i].max_lvt)
			mask(lvts[i].offset);
	if (!(version & APIC_VERSION_EXT) || apic_mode() != APIC_XAPIC)
		return;
	for (unsigned i = 0; i < (apic_read(APIC_EXT_FEATURES) >> 16 & 0xff) && i < 4; i++)
		mask(APIC_EXT_LVT + 16 * i);
}

static uint8_t pic_pending(uint16_t pic)
{
	x86_outb(pic, OCW3_READ_IRR);
	return x86_inb(pic);
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

void quiet_log(unsigned cpus)
{
	log_begin("quiet");
	log_bool("if", x86_flags() & FLAGS_IF);
	log_hex("pic_mask", x86_inb(PIC1 + PIC_DATA) | x86_inb(PIC2 + PIC_DATA) << 8);
	log_hex("pic_pending", pic_pending(PIC1) | pic_pending(PIC2) << 8);
	log_str("apic", apic_mode_name());
	if (apic_mode() == APIC_XAPIC || apic_mode() == APIC_X2APIC) {
		log_dec("lvt", entries);
		log_dec("lvt_masked", masked);
		log_dec("apic_pending", apic_pending());
	}
	log_dec("nmi", trap_nmi_count());
	log_dec("mce", trap_mce_count());
	if (cpus) {
		log_dec("cpus", cpus);
		log_dec("parked", cpus - 1); /* nothing here sends a start-up IPI */
	}
	log_end();
	if (masked != entries)
		log_warn("quiet", apic_mode_name(), "an LVT entry cannot be masked");
}
