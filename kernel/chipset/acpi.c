/*
 * ACPI tables, read with suspicion: every byte is fetched through at(), which knows where memory
 * ends, and every table is used only if its length is sane and its checksum right.
 * Source: ACPI 6.5 chapter 5 (tables), chapter 20 (AML, for \_S5); Microsoft's SPCR document;
 * the IA-PC HPET specification.
 */
#include <stddef.h>

#include "kernel/chipset/acpi.h"

enum {
	HEADER = 36,          /* bytes of the header every table but the RSDP has */
	MAX_TABLES = 256,     /* entries of the root table that are looked at */
	MAX_TABLE = 64 << 10, /* bytes; a MADT of 4096 x2APIC entries fits */
	MAX_AML = 2 << 20,
	SPACE_MEMORY = 0, /* address spaces of a generic address */
	SPACE_IO = 1,
};

struct view {
	struct acpi *acpi;
	const uint8_t *base;
	uint64_t limit;
	void (*complain)(const char *what, const char *why);
};

/* One table, or a part of one: reading beyond the end gives 0, as fields added later default to. */
struct table {
	const uint8_t *p;
	uint32_t size;
};

struct address {
	uint8_t space, width, access;
	uint64_t address;
};

static const uint8_t *at(const struct view *v, uint64_t address, uint64_t size)
{
	if (address > v->limit || size > v->limit - address)
		return NULL;
	return v->base + (uintptr_t)address;
}

static uint64_t get(struct table t, uint32_t offset, unsigned bytes)
{
	uint64_t v = 0;

	if (offset > t.size || bytes > t.size - offset)
		return 0;
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)t.p[offset + i] << 8 * i;
	return v;
}

static uint8_t get8(struct table t, uint32_t offset)
{
	return get(t, offset, 1);
}

static uint32_t get32(struct table t, uint32_t offset)
{
	return get(t, offset, 4);
}

/* Generic address structure, 12 bytes. */
static struct address get_address(struct table t, uint32_t offset)
{
	return (struct address){ .space = get8(t, offset),
		                 .width = get8(t, offset + 1),
		                 .access = get8(t, offset + 3),
		                 .address = get(t, offset + 4, 8) };
}

static uint8_t sum(struct table t)
{
	uint8_t s = 0;

	for (uint32_t i = 0; i < t.size; i++)
		s += t.p[i];
	return s;
}

static bool is(const uint8_t *p, const char *signature, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (p[i] != (uint8_t)signature[i])
			return false;
	return true;
}

/* The table at `address` if its length and checksum hold, else size 0 and a complaint. */
static struct table open_table(const struct view *v, uint64_t address, const char *name,
                               uint32_t min, uint32_t max)
{
	struct table t = { at(v, address, HEADER), HEADER };
	const struct table none = { NULL, 0 };

	if (!t.p) {
		v->complain(name, "lies outside the memory that can be read");
		return none;
	}
	t.size = get32(t, 4);
	if (t.size < min || t.size > max) {
		v->complain(name, "has an impossible length");
		return none;
	}
	t.p = at(v, address, t.size);
	if (!t.p) {
		v->complain(name, "ends outside the memory that can be read");
		return none;
	}
	if (sum(t)) {
		v->complain(name, "has a wrong checksum");
		return none;
	}
	return t;
}

/* An integer of AML (ACPI 6.5, 20.2.3) and the place behind it; FFh if there is another object. */
static uint8_t small_integer(struct table aml, uint32_t *p)
{
	enum { ZERO_OP = 0, ONE_OP = 1, BYTE_PREFIX = 0x0a, WORD_PREFIX, DWORD_PREFIX };
	uint8_t op = get8(aml, *p);
	uint32_t at = *p + 1;

	if (at >= aml.size)
		return 0xff;
	if (op >= BYTE_PREFIX && op <= DWORD_PREFIX) {
		*p = at + (1u << (op - BYTE_PREFIX));
		return get8(aml, at) & 7;
	}
	*p = at;
	return op == ZERO_OP || op == ONE_OP ? op : 0xff;
}

/*
 * Size of an AML name's value is told by PkgLength: bits 7:6 of the first byte are the number of
 * bytes that follow. The first elements of \_S5 are SLP_TYPa and SLP_TYPb (ACPI 6.5, 7.3.4).
 */
static void read_s5(struct view *v, struct table aml, uint32_t offset)
{
	enum { PACKAGE = 0x12 };
	uint32_t p = offset + 4;
	uint8_t elements;

	if (get8(aml, p) != PACKAGE)
		return;
	p += 2 + (get8(aml, p + 1) >> 6);
	elements = get8(aml, p++);
	if (elements)
		v->acpi->slp_typ_s5 = small_integer(aml, &p);
	if (elements > 1)
		v->acpi->slp_typ_s5b = small_integer(aml, &p);
}

/* No AML interpreter: NameOp, perhaps a root prefix, then the name itself. */
static void find_s5(struct view *v, struct table aml)
{
	const uint8_t name_op = 0x08;

	for (uint32_t i = HEADER + 2; i + 4 < aml.size; i++) {
		if (v->acpi->slp_typ_s5 != 0xff)
			return;
		if (!is(aml.p + i, "_S5_", 4))
			continue;
		if (aml.p[i - 1] == name_op || (aml.p[i - 1] == '\\' && aml.p[i - 2] == name_op))
			read_s5(v, aml, i);
	}
}

/* The 64-bit form of a block if the table has it and it is a port, else the old 32-bit one. */
static uint16_t port_of(struct table t, uint32_t old, uint32_t new)
{
	struct address a = get_address(t, new);
	uint32_t port = get32(t, old);

	if (a.space == SPACE_IO && a.address && a.address <= 0xffff)
		return a.address;
	return port <= 0xffff ? port : 0;
}

static void read_fadt(struct view *v, struct table t)
{
	enum { FLAG_TIMER_32 = 1 << 8, FLAG_RESET = 1 << 10, BOOT_NO_RTC = 1 << 5 };
	struct acpi *a = v->acpi;
	uint32_t flags = get32(t, 112);
	struct address reset = get_address(t, 116);
	uint64_t dsdt = get(t, 140, 8);

	a->smi_cmd = get32(t, 48);
	a->acpi_enable = get8(t, 52);
	a->century = get8(t, 108);
	a->no_rtc = get8(t, 109) & BOOT_NO_RTC;
	a->pm1a_cnt = port_of(t, 64, 172);
	a->pm1b_cnt = port_of(t, 68, 184);
	if (get8(t, 91) == 4) {
		a->pmtimer.port = port_of(t, 76, 208);
		a->pmtimer.bits32 = flags & FLAG_TIMER_32;
	}
	if ((flags & FLAG_RESET) && reset.address && reset.space <= SPACE_IO) {
		a->reset.present = reset.space == SPACE_MEMORY || reset.address <= 0xffff;
		a->reset.mmio = reset.space == SPACE_MEMORY;
		a->reset.address = reset.address;
		a->reset.value = get8(t, 128);
	}
	if (!dsdt)
		dsdt = get32(t, 40);
	if (dsdt) {
		struct table aml = open_table(v, dsdt, "DSDT", HEADER, MAX_AML);

		if (aml.p && is(aml.p, "DSDT", 4))
			find_s5(v, aml);
	}
}

/* Bits per second by the code at offset 58. */
static uint32_t spcr_baud(uint8_t code)
{
	static const uint32_t rates[] = { 0, 0, 0, 9600, 19200, 0, 57600, 115200 };

	return code < sizeof(rates) / sizeof(rates[0]) ? rates[code] : 0;
}

static void read_spcr(struct view *v, struct table t)
{
	enum { FULL_16550 = 0, LIKE_16550 = 1, GAS_16550 = 0x12, DWORD_ACCESS = 3 };
	enum { UART_CLOCK = 3, PRECISE_BAUD = 4 }; /* revisions that have these fields */
	struct acpi *a = v->acpi;
	struct address port = get_address(t, 40);
	uint8_t type = get8(t, 36), revision = get8(t, 8);

	if (!port.address) /* firmware: console redirection is off */
		return;
	if (type != FULL_16550 && type != LIKE_16550 && type != GAS_16550) {
		v->complain("SPCR", "the console is no 16550");
		return;
	}
	if (port.space > SPACE_IO || (port.space == SPACE_IO && port.address > 0xfff8)) {
		v->complain("SPCR", "the console is neither a port nor in memory");
		return;
	}
	a->spcr.present = true;
	a->spcr.mmio = port.space == SPACE_MEMORY;
	a->spcr.width = port.access == DWORD_ACCESS || port.width == 32 ? 4 : 1;
	a->spcr.address = port.address;
	a->spcr.baud = spcr_baud(get8(t, 58));
	if (revision >= PRECISE_BAUD && get32(t, 80))
		a->spcr.baud = get32(t, 80);
	if (revision >= UART_CLOCK)
		a->spcr.clock = get32(t, 76);
}

static void read_hpet(struct view *v, struct table t)
{
	struct address block = get_address(t, 40);

	if (block.space != SPACE_MEMORY || block.address & 7)
		v->complain("HPET", "its registers are not in memory");
	else
		v->acpi->hpet = block.address;
}

static void read_madt(struct view *v, struct table t)
{
	enum { LOCAL_APIC = 0, ADDRESS_OVERRIDE = 5, LOCAL_X2APIC = 9, ENABLED = 1 };
	struct acpi *a = v->acpi;

	a->lapic = get32(t, 36);
	a->madt = t.p;
	a->madt_size = t.size;
	for (uint32_t p = 44; p + 2 <= t.size; p += get8(t, p + 1)) {
		uint8_t length = get8(t, p + 1);

		if (length < 2 || length > t.size - p) {
			v->complain("APIC", "an entry has an impossible length");
			return;
		}
		if (get8(t, p) == LOCAL_APIC && length >= 8)
			a->cpus += get32(t, p + 4) & ENABLED;
		else if (get8(t, p) == LOCAL_X2APIC && length >= 16)
			a->cpus += get32(t, p + 8) & ENABLED;
		else if (get8(t, p) == ADDRESS_OVERRIDE && length >= 12)
			a->lapic = get(t, p + 4, 8);
	}
}

struct reader {
	char signature[5];
	uint32_t min, max; /* lengths that make sense */
	void (*read)(struct view *v, struct table t);
};

static const struct reader readers[] = {
	{ "FACP", 116, MAX_TABLE, read_fadt }, { "SPCR", 76, MAX_TABLE, read_spcr },
	{ "HPET", 56, MAX_TABLE, read_hpet },  { "APIC", 44, MAX_TABLE, read_madt },
	{ "SSDT", HEADER, MAX_AML, find_s5 },
};

enum { READERS = sizeof(readers) / sizeof(readers[0]) };

/* Of several tables with one name the first good one counts; only SSDTs may come in numbers. */
static void read_table(struct view *v, uint64_t address, unsigned *seen)
{
	const uint8_t *p = at(v, address, HEADER);
	struct table t;

	if (!p) {
		v->complain("ACPI", "a table lies outside the memory that can be read");
		return;
	}
	for (unsigned i = 0; i < READERS; i++) {
		const struct reader *r = &readers[i];

		if (!is(p, r->signature, 4) || (*seen >> i & 1))
			continue;
		t = open_table(v, address, r->signature, r->min, r->max);
		if (!t.p)
			continue;
		r->read(v, t);
		if (r->read != find_s5)
			*seen |= 1u << i;
	}
}

static bool read_root(struct view *v, uint64_t address, const char *name, unsigned pointer)
{
	struct table root = open_table(v, address, name, HEADER, MAX_TABLE);
	unsigned seen = 0, n;

	if (!root.p)
		return false;
	if (!is(root.p, name, 4)) {
		v->complain(name, "has a wrong signature");
		return false;
	}
	n = (root.size - HEADER) / pointer;
	if (n > MAX_TABLES) {
		v->complain(name, "lists more tables than are looked at");
		n = MAX_TABLES;
	}
	for (unsigned i = 0; i < n; i++) {
		uint64_t entry = get(root, HEADER + i * pointer, pointer);

		if (entry)
			read_table(v, entry, &seen);
	}
	return true;
}

static bool good_rsdp(const struct view *v, uint64_t address)
{
	struct table t = { at(v, address, 20), 20 };

	return t.p && is(t.p, "RSD PTR ", 8) && !sum(t);
}

/* The first KiB of the EBDA, then the BIOS area, on paragraph borders (ACPI 6.5, 5.2.5.1). */
static uint64_t search_rsdp(const struct view *v)
{
	const uint8_t *bda = at(v, 0x40e, 2);
	uint64_t ebda = bda ? (uint64_t)(bda[0] | bda[1] << 8) << 4 : 0;
	const struct {
		uint64_t start, end;
	} areas[] = { { ebda, ebda + 1024 }, { 0xe0000, 0x100000 } };

	for (unsigned i = 0; i < 2; i++) {
		if (areas[i].start < 0x80000)
			continue;
		for (uint64_t p = areas[i].start; p < areas[i].end; p += 16)
			if (good_rsdp(v, p))
				return p;
	}
	return 0;
}

/* Revision 2 has a second checksum and the 64-bit root table; with either bad, the old one. */
static bool read_rsdp(struct view *v, uint64_t address)
{
	struct table t = { at(v, address, 20), 20 };
	bool v2 = get8(t, 15) >= 2;
	uint64_t xsdt = 0;

	if (v2) {
		struct table whole = { at(v, address, 36), 36 };

		if (whole.p && get32(whole, 20) == 36 && !sum(whole))
			xsdt = get(whole, 24, 8);
		else
			v->complain("RSDP", "has a wrong extended checksum or length");
	}
	if (xsdt && read_root(v, xsdt, "XSDT", 8))
		return true;
	return get32(t, 16) && read_root(v, get32(t, 16), "RSDT", 4);
}

void acpi_parse(struct acpi *a, uint64_t rsdp, const void *base, uint64_t limit,
                void (*complain)(const char *what, const char *why))
{
	struct view v = { .acpi = a, .base = base, .limit = limit, .complain = complain };

	*a = (struct acpi){ .slp_typ_s5 = 0xff, .slp_typ_s5b = 0xff };
	if (rsdp && !good_rsdp(&v, rsdp)) {
		complain("RSDP", "the boot loader's copy has a wrong signature or checksum");
		rsdp = 0;
	}
	if (!rsdp)
		rsdp = search_rsdp(&v);
	if (rsdp)
		a->present = read_rsdp(&v, rsdp);
}
