/*
 * sim/pc/acpi.c - the tables that a BIOS leaves in the F segment (ACPI 6.4, chapter 5): RSDP, RSDT,
 * XSDT, FADT for the PM timer and power-off, MADT for the CPUs, SPCR for the serial port, and a
 * DSDT with nothing but \_S5.
 */
#include "sim/pc/acpi.h"

#include <string.h>

#include "sim/cpu/machine.h"
#include "sim/model/models.h"

enum { TABLES_AT = 0xf1000, RSDP_AT = 0xf0000 };

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

static uint32_t build_fadt(struct machine *pc, uint32_t *next, uint32_t dsdt)
{
	struct table t = begin(pc, next, "FACP", 116, 1);

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
	put(&t, 109, 2, 3); /* legacy devices, 8042 */
	put(&t, 112, 4, 1); /* WBINVD works; the timer has 24 bits */
	return finish(&t);
}

static uint32_t build_madt(struct machine *pc, uint32_t *next)
{
	struct table t = begin(pc, next, "APIC", 44 + 8 * pc->cpus + 6, 1);

	put(&t, 36, 4, 0xfee00000);
	put(&t, 40, 4, 1); /* 8259s are there */
	for (unsigned i = 0; i < pc->cpus; i++) {
		uint8_t entry[8] = { 0, 8, (uint8_t)i, (uint8_t)pc->cpu[i].apic_id, 1, 0, 0, 0 };

		memcpy(t.start + 44 + 8 * i, entry, 8);
	}
	/* NMI comes to LINT1 of every CPU */
	memcpy(t.start + 44 + 8 * pc->cpus, (uint8_t[]){ 4, 6, 0xff, 0, 0, 1 }, 6);
	return finish(&t);
}

static uint32_t build_spcr(struct machine *pc, uint32_t *next)
{
	struct table t = begin(pc, next, "SPCR", 80, 2);

	t.start[40] = 1; /* I/O space, 8 bits, byte access */
	t.start[41] = 8;
	t.start[43] = 1;
	put(&t, 44, 8, 0x3f8);
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
	uint32_t next = TABLES_AT, tables[3], rsdt, xsdt;
	uint8_t *rsdp = pc->ram + RSDP_AT;
	struct table t;
	unsigned count = 0;

	tables[count++] = build_fadt(pc, &next, build_dsdt(pc, &next));
	if (pc->model->flags & MODEL_APIC)
		tables[count++] = build_madt(pc, &next);
	tables[count++] = build_spcr(pc, &next);
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
