/*
 * The firmware's lists of CPUs, read with suspicion (kernel/smp/list.h).
 */
#include <stddef.h>

#include "kernel/smp/list.h"
#include "kernel/lib/string.h"

enum {
	MADT_ENTRIES = 44, /* where the entries begin */
	MP_POINTER = 16,   /* bytes of the floating pointer */
	MP_HEADER = 44,
	MP_PROCESSOR = 20, /* bytes of this entry; all others have 8 */
	MP_TYPES = 5,
	ENABLED = 1,
	LOCAL_APIC = 0, /* types of entries of the MADT */
	LOCAL_X2APIC = 9,
	WAKEUP = 16,
	ID_OF_ALL = 255,
};
#define ID_OF_ALL_X2 0xffffffffu

struct reader {
	struct smp_list *list;
	const uint8_t *base;
	uint64_t limit;
	void (*complain)(const char *what, const char *why);
	const char *table;
	bool own_listed, twice, full;
	uint32_t own;
};

static const uint8_t *at(const struct reader *r, uint64_t address, uint64_t size)
{
	if (address > r->limit || size > r->limit - address)
		return NULL;
	return r->base + (uintptr_t)address;
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint8_t sum(const uint8_t *p, uint32_t n)
{
	uint8_t s = 0;

	while (n--)
		s += *p++;
	return s;
}

static void add(struct reader *r, uint32_t id)
{
	struct smp_list *l = r->list;

	for (unsigned i = 0; i < l->n; i++)
		if (l->id[i] == id) {
			r->twice |= i || r->own_listed;
			r->own_listed |= !i;
			return;
		}
	if (l->n < SMP_CPUS)
		l->id[l->n++] = id;
	else
		r->full = true;
}

static void begin(struct reader *r, const char *table)
{
	r->table = table;
	r->own_listed = r->twice = r->full = false;
	r->list->n = 1;
	r->list->id[0] = r->own;
	r->list->disabled = 0;
}

/* Does the table list any CPU? Says what is odd about it. */
static bool end(struct reader *r)
{
	if (r->twice)
		r->complain(r->table, "lists an APIC id twice: it is one CPU");
	if (r->full)
		r->complain(r->table, "lists more than 512 CPUs: the rest is left out");
	if (r->own_listed)
		return true;
	r->complain(r->table, "does not list the CPU that booted: its CPUs are not believed");
	r->list->n = 1;
	r->list->disabled = 0;
	return false;
}

/* The entry of the MADT behind `p`, or the first one; NULL: there is none. */
static const uint8_t *next_entry(const struct acpi *acpi, const uint8_t *p)
{
	const uint8_t *stop = acpi->madt + acpi->madt_size;

	p = p ? p + p[1] : acpi->madt + MADT_ENTRIES;
	/* acpi_parse() has told of an entry with an impossible length, where both stop. */
	return stop - p >= 2 && p[1] >= 2 && p[1] <= stop - p ? p : NULL;
}

static bool is_x2apic(const uint8_t *p)
{
	return p[0] == LOCAL_X2APIC && p[1] >= 16;
}

static bool is_xapic(const uint8_t *p)
{
	return p[0] == LOCAL_APIC && p[1] >= 8;
}

/* Does any local APIC entry list a CPU that can be used? */
static bool has_xapic(const struct acpi *acpi)
{
	for (const uint8_t *p = NULL; (p = next_entry(acpi, p));)
		if (is_xapic(p) && p[4] & ENABLED && p[3] != ID_OF_ALL)
			return true;
	return false;
}

/*
 * CPUs with ids below 255 stand in local APIC entries. Firmware of Ivy Bridge-EP lists CPUs that do
 * not exist in x2APIC entries beside them (Linux, ec9aedb2aa1a).
 */
static bool is_phantom(const struct reader *r, bool xapic, uint32_t id)
{
	return xapic && id < ID_OF_ALL && (id != r->own || r->own_listed);
}

static bool read_madt(struct reader *r, const struct acpi *acpi)
{
	bool xapic = has_xapic(acpi);

	begin(r, "APIC");
	r->list->mailbox = 0;
	for (const uint8_t *p = NULL; (p = next_entry(acpi, p));) {
		bool x2 = is_x2apic(p);
		uint32_t id;

		if (p[0] == WAKEUP && p[1] >= 16 && !get32(p + 12))
			r->list->mailbox = get32(p + 8);
		if (!x2 && !is_xapic(p))
			continue;
		id = x2 ? get32(p + 4) : p[3];
		if (x2 && is_phantom(r, xapic, id))
			continue;
		if (!(p[x2 ? 8 : 4] & ENABLED))
			r->list->disabled++;
		else if (id != (x2 ? ID_OF_ALL_X2 : ID_OF_ALL))
			add(r, id);
	}
	return end(r);
}

static bool read_mp_table(struct reader *r, uint64_t address)
{
	static const uint8_t sizes[MP_TYPES] = { MP_PROCESSOR, 8, 8, 8, 8 };
	const uint8_t *p = at(r, address, MP_HEADER), *stop;
	uint32_t size, entries;

	if (!p || memcmp(p, "PCMP", 4)) {
		r->complain("MP", "the pointer leads to no configuration table");
		return false;
	}
	size = p[4] | p[5] << 8;
	if (size < MP_HEADER || !at(r, address, size) || sum(p, size)) {
		r->complain("MP", "the configuration table has a wrong length or checksum");
		return false;
	}
	stop = p + size;
	entries = p[34] | p[35] << 8;
	begin(r, "MP");
	for (p += MP_HEADER; entries-- && p < stop; p += sizes[*p]) {
		if (*p >= MP_TYPES || sizes[*p] > stop - p) {
			r->complain("MP", "an entry has an unknown type or does not fit");
			break;
		}
		if (*p)
			continue;
		if (p[3] & ENABLED)
			add(r, p[1]);
		else
			r->list->disabled++;
	}
	return end(r);
}

/* The floating pointer on a paragraph border of [start, end), or 0. */
static uint64_t find_mp(const struct reader *r, uint64_t start, uint64_t end_at)
{
	for (uint64_t a = start & ~15ull; a + MP_POINTER <= end_at; a += 16) {
		const uint8_t *p = at(r, a, MP_POINTER);

		if (p && !memcmp(p, "_MP_", 4) && p[8] == 1 && !sum(p, MP_POINTER))
			return a;
	}
	return 0;
}

/* Feature byte 1 is the number of a default configuration: two CPUs with the ids 0 and 1. */
static bool read_mp(struct reader *r)
{
	const uint8_t *bda = at(r, 0x400, 0x100), *p;
	uint64_t ebda = bda ? (uint64_t)(bda[0x0e] | bda[0x0f] << 8) << 4 : 0;
	uint64_t top = bda ? (uint64_t)(bda[0x13] | bda[0x14] << 8) << 10 : 0, pointer = 0;

	if (ebda >= 0x80000 && ebda < 0xa0000)
		pointer = find_mp(r, ebda, ebda + 1024);
	if (!pointer && top >= 0x80000 && top <= 0xa0000)
		pointer = find_mp(r, top - 1024, top);
	if (!pointer)
		pointer = find_mp(r, 0xf0000, 0x100000);
	if (!pointer)
		return false;
	p = at(r, pointer, MP_POINTER);
	if (get32(p + 4) && !p[11]) {
		r->list->source = "mp";
		return read_mp_table(r, get32(p + 4));
	}
	r->list->source = "mp default";
	begin(r, "MP");
	add(r, 0);
	add(r, 1);
	return end(r);
}

void smp_list(struct smp_list *list, const struct acpi *acpi, uint32_t own, const void *base,
              uint64_t limit, void (*complain)(const char *what, const char *why))
{
	struct reader r = {
		.list = list, .base = base, .limit = limit, .complain = complain, .own = own
	};

	begin(&r, "none");
	list->mailbox = 0;
	list->source = "madt";
	if (acpi->madt && read_madt(&r, acpi))
		return;
	if (read_mp(&r))
		return;
	begin(&r, "none");
	list->source = "none";
}
