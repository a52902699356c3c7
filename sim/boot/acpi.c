/*
 * sim/boot/acpi.c - the tables that a BIOS leaves in the F segment (ACPI 6.4, chapter 5): RSDP,
 * RSDT, XSDT, FADT for the PM timer and power-off, MADT for the CPUs and the I/O APIC, SPCR for the
 * serial port, and a DSDT with nothing but \_S5. The tables of the MultiProcessor Specification are
 * there, too.
 */
#include "sim/boot/acpi.h"

#include <string.h>

#include "sim/cpu/machine.h"
#include "sim/model/models.h"
#include "sim/pc/hpet.h"
#include "sim/pc/ioapic.h"

enum { TABLES_AT = 0xf1000, RSDP_AT = 0xf0000, MP_AT = 0xf0100, MP_TABLE_AT = 0xf0200 };

/* A table being written. */
struct table {
	uint8_t *start;
	uint32_t address, size;
};

static void put(struct table *t, unsigned at, unsigned size, uint64_t value)
{
	memcpy(t->start + at, &value, size);
}

static uint8_t negative_sum(const uint8_t *p, uint32_t size)
{
	uint8_t sum = 0;

	for (uint32_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + p[i]);
	return (uint8_t)-sum;
}

/* Room for a table after the last one. */
static struct table begin(struct machine *pc, uint32_t *next, const char *signature, uint32_t size,
                          unsigned revision)
{
	struct table t = { pc->ram + *next, *next, size };

	*next = (*next + size + 15) & ~15u;
	memset(t.start, 0, size);
	memcpy(t.start, signature, 4);
	put(&t, 4, 4, size);
	t.start[8] = (uint8_t)revision;
	memcpy(t.start + 10, "CPL0  ", 6);
	memcpy(t.start + 16, "CPL0SIM ", 8);
	put(&t, 24, 4, 1);
	memcpy(t.start + 28, "CPL0", 4);
	put(&t, 32, 4, 1);
	return t;
}

static uint32_t finish(struct table *t)
{
	t->start[9] = 0;
	t->start[9] = negative_sum(t->start, t->size);
	return t->address;
}

static uint32_t build_dsdt(struct machine *pc, uint32_t *next)
{
	/* Name (_S5, Package (2) { 5, 0 }) */
	static const uint8_t aml[] = {
		0x08, '_', 'S', '5', '_', 0x12, 0x05, 0x02, 0x0a, 0x05, 0x00
	};
	struct table t = begin(pc, next, "DSDT", 36 + sizeof(aml), 2);

	memcpy(t.start + 36, aml, sizeof(aml));
	return finish(&t);
}

/* 64 bytes at a multiple of 64, without a checksum. The global lock is free. */
static uint32_t build_facs(struct machine *pc, uint32_t *next)
{
	uint32_t at = (*next + 63) & ~63u;
	struct table t = { pc->ram + at, at, 64 };

	*next = at + t.size;
	memset(t.start, 0, t.size);
	memcpy(t.start, "FACS", 4);
	put(&t, 4, 4, t.size);
	t.start[32] = 1; /* version */
	return at;
}

/* A generic address in I/O space: space, bits, offset, access size, address. */
static void put_port(struct table *t, unsigned at, unsigned bits, uint64_t port)
{
	t->start[at] = 1;
	t->start[at + 1] = (uint8_t)bits;
	put(t, at + 4, 8, port);
}

static uint32_t build_fadt(struct machine *pc, uint32_t *next, uint32_t dsdt)
{
	uint32_t facs = build_facs(pc, next);
	struct table t = begin(pc, next, "FACP", 244, 3);

	put(&t, 36, 4, facs);
	put(&t, 40, 4, dsdt);
	put(&t, 46, 2, 9);     /* SCI */
	put(&t, 56, 4, 0x600); /* PM1a event block */
	put(&t, 64, 4, 0x604); /* PM1a control block */
	put(&t, 76, 4, 0x608); /* PM timer block */
	put(&t, 88, 1, 4);
	put(&t, 89, 1, 2);
	put(&t, 91, 1, 4);
	put(&t, 96, 2, 0xffff); /* no C2, no C3 */
	put(&t, 98, 2, 0xffff);
	put(&t, 109, 2, 3);           /* legacy devices, 8042 */
	put(&t, 112, 4, 1 | 1 << 10); /* WBINVD works; a reset register; the timer has 24 bits */
	put_port(&t, 116, 8, 0xcf9);
	t.start[128] = 6;
	put(&t, 132, 8, facs);
	put(&t, 140, 8, dsdt);
	put_port(&t, 148, 32, 0x600);
	put_port(&t, 172, 16, 0x604);
	put_port(&t, 208, 32, 0x608);
	return finish(&t);
}

static uint32_t build_hpet(struct machine *pc, uint32_t *next)
{
	struct table t = begin(pc, next, "HPET", 56, 1);

	put(&t, 36, 4, HPET_ID);
	t.start[41] = 64; /* memory */
	put(&t, 44, 8, HPET_AT);
	put(&t, 53, 2, 100); /* least ticks of a periodic timer */
	return finish(&t);
}

static void put_bytes(struct table *t, uint32_t *at, const uint8_t *bytes, uint32_t size)
{
	memcpy(t->start + *at, bytes, size);
	*at += size;
}

static void put_x2apic(struct table *t, uint32_t *at, uint32_t id)
{
	uint8_t entry[16] = { 9, 16, 0, 0, (uint8_t)id, (uint8_t)(id >> 8), 0, 0, 1 };

	put_bytes(t, at, entry, 16);
}

static uint32_t build_madt(struct machine *pc, uint32_t *next)
{
	enum cpus_fault fault = pc->opt.faults.cpus;
	struct table t = begin(pc, next, "APIC", 44 + 24 * pc->cpus + 70, 1);
	uint32_t at = 44;

	put(&t, 36, 4, 0xfee00000);
	put(&t, 40, 4, 1); /* 8259s are there */
	for (unsigned i = fault == CPUS_ALIEN; i < pc->cpus; i++) {
		uint8_t id = (uint8_t)pc->cpu[i].apic_id;

		if (fault == CPUS_FAR && i) {
			put_x2apic(&t, &at, pc->cpu[i].apic_id);
			continue;
		}
		put_bytes(&t, &at, (uint8_t[]){ 0, 8, (uint8_t)i, id, 1, 0, 0, 0 }, 8);
		if (fault == CPUS_TWICE)
			put_x2apic(&t, &at, id);
	}
	if (fault == CPUS_TWICE)
		put_x2apic(&t, &at, 100);
	if (fault == CPUS_WIDE)
		put_x2apic(&t, &at, 300);
	put_bytes(&t, &at, (uint8_t[]){ 1, 12, (uint8_t)pc->cpus, 0, 0, 0, 0xc0, 0xfe, 0, 0, 0, 0 },
	          12);
	/* IRQ 0 is at pin 2; IRQ 9, the SCI, is a level */
	put_bytes(&t, &at, (uint8_t[]){ 2, 10, 0, 0, PIN_TIMER, 0, 0, 0, 0, 0 }, 10);
	put_bytes(&t, &at, (uint8_t[]){ 2, 10, 0, 9, 9, 0, 0, 0, 0xd, 0 }, 10);
	if (fault == CPUS_MAILBOX) {
		put_bytes(&t, &at, (uint8_t[16]){ 16, 16 }, 16);
		put(&t, at - 8, 4, ACPI_MAILBOX);
	}
	/* NMI comes to LINT1 of every CPU */
	put_bytes(&t, &at, (uint8_t[]){ 4, 6, 0xff, 0, 0, 1 }, 6);
	put(&t, 4, 4, at);
	t.size = at;
	if (fault == CPUS_GARBAGE)
		t.start[45] = 200; /* the length of the first entry */
	return finish(&t);
}

/* Entry types, and kinds of interrupts: vectored, NMI, ExtINT. */
enum { MP_BUS = 1, MP_IOAPIC = 2, MP_IO_LINE = 3, MP_LOCAL_LINE = 4 };
enum { LINE_INT, LINE_NMI, LINE_EXTINT };

/* An ISA bus, the I/O APIC with its 16 lines, and what LINT0 and LINT1 of every CPU are. */
static unsigned mp_interrupts(const struct machine *pc, struct table *t, uint32_t *at)
{
	uint8_t io = (uint8_t)pc->cpus;
	unsigned entries = 4;

	put_bytes(t, at, (uint8_t[]){ MP_BUS, 0, 'I', 'S', 'A', ' ', ' ', ' ' }, 8);
	put_bytes(t, at, (uint8_t[]){ MP_IOAPIC, io, 0x11, 1, 0, 0, 0xc0, 0xfe }, 8);
	for (unsigned irq = 0; irq < 16; irq++) {
		uint8_t pin = (uint8_t)(irq ? irq : PIN_TIMER);

		if (irq == 2) /* the second 8259 */
			continue;
		put_bytes(t, at,
		          (uint8_t[]){ MP_IO_LINE, LINE_INT, 0, 0, 0, (uint8_t)irq, io, pin }, 8);
		entries++;
	}
	put_bytes(t, at, (uint8_t[]){ MP_LOCAL_LINE, LINE_EXTINT, 0, 0, 0, 0, 0xff, 0 }, 8);
	put_bytes(t, at, (uint8_t[]){ MP_LOCAL_LINE, LINE_NMI, 0, 0, 0, 0, 0xff, 1 }, 8);
	return entries;
}

/* Tables of the MultiProcessor Specification, 1.4: pointer, header, entries. */
static void build_mp(struct machine *pc)
{
	struct table pointer = { pc->ram + MP_AT, MP_AT, 16 };
	struct table t = { pc->ram + MP_TABLE_AT, MP_TABLE_AT, 44 + 20 * pc->cpus + 19 * 8 };
	uint32_t at = 44;

	memset(pointer.start, 0, 16);
	memcpy(pointer.start, "_MP_", 4);
	put(&pointer, 4, 4, t.address);
	pointer.start[8] = 1;
	pointer.start[9] = 4;
	pointer.start[10] = negative_sum(pointer.start, 16);
	memset(t.start, 0, t.size);
	memcpy(t.start, "PCMP", 4);
	put(&t, 4, 2, t.size);
	t.start[6] = 4;
	memcpy(t.start + 8, "CPL0    CPL0SIM     ", 20);
	put(&t, 36, 4, 0xfee00000);
	for (unsigned i = 0; i < pc->cpus; i++, at += 20) {
		uint8_t *p = t.start + at;

		p[1] = (uint8_t)pc->cpu[i].apic_id;
		p[2] = 0x14;
		p[3] = i ? 1 : 3; /* enabled; the first one boots */
	}
	put(&t, 34, 2, pc->cpus + mp_interrupts(pc, &t, &at));
	t.start[7] = negative_sum(t.start, t.size);
	if (pc->opt.faults.cpus == CPUS_GARBAGE)
		t.start[7]++;
}

static uint32_t build_spcr(struct machine *pc, uint32_t *next)
{
	struct table t = begin(pc, next, "SPCR", 80, 2);

	t.start[40] = 1; /* I/O space, 8 bits, byte access */
	t.start[41] = 8;
	t.start[43] = 1;
	put(&t, 44, 8, 0x3f8);
	if (pc->opt.faults.spcr_memory) {
		t.start[40] = 0;
		put(&t, 44, 8, pc->opt.faults.spcr_address);
	}
	t.start[52] = 1; /* IRQ 4 at the 8259 */
	t.start[53] = 4;
	t.start[58] = 7; /* 115200 */
	t.start[60] = 1;
	put(&t, 64, 2, 0xffff); /* no PCI device */
	put(&t, 66, 2, 0xffff);
	return finish(&t);
}

uint32_t acpi_build(struct machine *pc)
{
	uint32_t next = TABLES_AT, tables[4], rsdt, xsdt;
	uint8_t *rsdp = pc->ram + RSDP_AT;
	struct table t;
	unsigned count = 0;

	tables[count++] = build_fadt(pc, &next, build_dsdt(pc, &next));
	if (pc->model->flags & MODEL_APIC && pc->opt.faults.cpus != CPUS_MP)
		tables[count++] = build_madt(pc, &next);
	if (pc->model->flags & MODEL_APIC && pc->opt.faults.cpus != CPUS_MADT)
		build_mp(pc);
	tables[count++] = build_spcr(pc, &next);
	if (pc->opt.hpet)
		tables[count++] = build_hpet(pc, &next);
	t = begin(pc, &next, "RSDT", 36 + 4 * count, 1);
	for (unsigned i = 0; i < count; i++)
		put(&t, 36 + 4 * i, 4, tables[i]);
	rsdt = finish(&t);
	t = begin(pc, &next, "XSDT", 36 + 8 * count, 1);
	for (unsigned i = 0; i < count; i++)
		put(&t, 36 + 8 * i, 8, tables[i]);
	xsdt = finish(&t);
	memset(rsdp, 0, 36);
	memcpy(rsdp, "RSD PTR ", 8);
	memcpy(rsdp + 9, "CPL0  ", 6);
	rsdp[15] = 2;
	memcpy(rsdp + 16, &rsdt, 4);
	rsdp[20] = 36;
	memcpy(rsdp + 24, &xsdt, 4);
	rsdp[8] = negative_sum(rsdp, 20);
	rsdp[32] = negative_sum(rsdp, 36);
	return RSDP_AT;
}
