/*
 * SMBIOS (kernel/chipset/smbios.h). Sources: DMTF DSP0134 3.7; UEFI specification 2.10, 4.3 and
 * 4.6.
 */
#include <stddef.h>

#include "kernel/chipset/smbios.h"
#include "kernel/lib/string.h"

enum {
	AREA = 0xf0000, /* of a BIOS: entry points lie there at multiples of 16 */
	AREA_SIZE = 0x10000,
	ENTRY2 = 0x1f, /* bytes of an entry point of version 2 */
	ENTRY3 = 0x18,
	HEADER = 4,
	TABLE_MOST = 0x10000,
	STRUCTURES_MOST = 1024,
	EFI_ROWS_MOST = 256,
	END = 127, /* type of the last structure */
};

struct view {
	const uint8_t *base;
	uint64_t limit;
	void (*complain)(const char *what, const char *why);
};

/* Where the strings of a structure are named: a byte that holds the string's number. */
static const struct {
	uint8_t type, offset, name;
} places[] = {
	{ 0, 4, SMBIOS_BIOS_VENDOR },    { 0, 5, SMBIOS_BIOS_VERSION },
	{ 0, 8, SMBIOS_BIOS_DATE },      { 1, 4, SMBIOS_SYSTEM_MAKER },
	{ 1, 5, SMBIOS_SYSTEM_PRODUCT }, { 1, 6, SMBIOS_SYSTEM_VERSION },
	{ 2, 4, SMBIOS_BOARD_MAKER },    { 2, 5, SMBIOS_BOARD_PRODUCT },
	{ 2, 6, SMBIOS_BOARD_VERSION },
};

static const uint8_t *at(const struct view *v, uint64_t address, uint64_t size)
{
	return address && size <= v->limit && address <= v->limit - size ? v->base + (size_t)address
	                                                                 : NULL;
}

static uint64_t number(const uint8_t *p, unsigned bytes)
{
	uint64_t n = 0;

	while (bytes--)
		n = n << 8 | p[bytes];
	return n;
}

static bool sums_to_0(const uint8_t *p, size_t n)
{
	uint8_t sum = 0;

	while (n--)
		sum = (uint8_t)(sum + *p++);
	return !sum;
}

/* Blanks around a name go, and what is no printable ASCII becomes a question mark. */
static void keep(char to[SMBIOS_NAME], const uint8_t *from, size_t n)
{
	size_t kept = 0;

	while (n && from[n - 1] <= ' ')
		n--;
	while (n && *from <= ' ') {
		from++;
		n--;
	}
	for (; kept < n && kept < SMBIOS_NAME - 1; kept++)
		to[kept] = from[kept] >= ' ' && from[kept] < 0x7f ? (char)from[kept] : '?';
	to[kept] = '\0';
}

/* The string with this number, from 1 on; the strings end in an empty one. */
static void take_string(char to[SMBIOS_NAME], const uint8_t *strings, size_t size, unsigned wanted)
{
	for (unsigned i = 1; size; i++) {
		const uint8_t *end = memchr(strings, 0, size);
		size_t n = end ? (size_t)(end - strings) : size;

		if (!n || !end)
			return;
		if (i == wanted) {
			keep(to, strings, n);
			return;
		}
		strings += n + 1;
		size -= n + 1;
	}
}

/* Bytes of the strings behind a structure, with the two zeros that end them; 0: they do not end. */
static size_t strings_size(const uint8_t *p, size_t size)
{
	for (size_t i = 0; i + 2 <= size; i++)
		if (!p[i] && !p[i + 1])
			return i + 2;
	return 0;
}

/* The first structure of a type is the machine's. */
static void take_names(struct smbios *s, const uint8_t *p, const uint8_t *strings, size_t size)
{
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *name = s->name[places[i].name];

		if (places[i].type == p[0] && places[i].offset < p[1] && !*name)
			take_string(name, strings, size, p[places[i].offset]);
	}
}

/* NULL, or what is wrong; names from before the defect stay. */
static const char *take_table(struct smbios *s, const uint8_t *p, size_t size)
{
	for (unsigned i = 0; i < STRUCTURES_MOST && size >= HEADER; i++) {
		size_t length = p[1], behind;

		if (p[0] == END)
			return NULL;
		if (length < HEADER || length > size)
			return "a structure has a length that cannot be";
		behind = strings_size(p + length, size - length);
		if (!behind)
			return "the strings of a structure do not end";
		take_names(s, p, p + length, behind);
		p += length + behind;
		size -= length + behind;
	}
	return NULL;
}

/* False: there is no entry point. */
static bool take_entry(struct smbios *s, const struct view *v, uint64_t address)
{
	const uint8_t *e = at(v, address, ENTRY2), *table;
	const char *why;
	uint64_t size;

	if (!e)
		e = at(v, address, ENTRY3);
	if (!e)
		return false;
	if (!memcmp(e, "_SM3_", 5) && e[6] >= ENTRY3 && at(v, address, e[6]) &&
	    sums_to_0(e, e[6])) {
		size = number(e + 12, 4);
		address = number(e + 16, 8);
	} else if (at(v, address, ENTRY2) && !memcmp(e, "_SM_", 4) && !memcmp(e + 16, "_DMI_", 5) &&
	           sums_to_0(e + 16, 15)) {
		size = number(e + 22, 2);
		address = number(e + 24, 4);
	} else {
		return false;
	}
	size = size < TABLE_MOST ? size : TABLE_MOST;
	table = at(v, address, size);
	why = table ? take_table(s, table, size) : "its table lies where we cannot read";
	if (why)
		v->complain("SMBIOS", why);
	s->present = table;
	return true;
}

static bool from_efi(struct smbios *s, const struct view *v, uint64_t system, unsigned bits)
{
	static const uint8_t guid3[] = { 0x44, 0x15, 0xfd, 0xf2, 0x94, 0x97, 0x2c, 0x4a,
		                         0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3, 0x94 };
	static const uint8_t guid2[] = { 0x31, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11,
		                         0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d };
	const unsigned word = bits / 8, row = 16 + word;
	const uint8_t *p = at(v, system, bits == 64 ? 120 : 72), *rows;
	uint64_t n;

	if (!p || (bits != 32 && bits != 64))
		return false;
	n = number(p + (bits == 64 ? 104 : 64), word);
	n = n < EFI_ROWS_MOST ? n : EFI_ROWS_MOST;
	rows = at(v, number(p + (bits == 64 ? 112 : 68), word), n * row);
	for (uint64_t i = 0; rows && i < n; i++) {
		const uint8_t *r = rows + i * row;

		if ((!memcmp(r, guid3, 16) || !memcmp(r, guid2, 16)) &&
		    take_entry(s, v, number(r + 16, word)))
			return true;
	}
	return false;
}

void smbios_parse(struct smbios *s, uint64_t efi_table, unsigned efi_bits, const void *base,
                  uint64_t limit, void (*complain)(const char *what, const char *why))
{
	const struct view v = { base, limit, complain };

	memset(s, 0, sizeof(*s));
	if (from_efi(s, &v, efi_table, efi_bits))
		return;
	for (uint32_t i = 0; !efi_table && i < AREA_SIZE; i += 16)
		if (take_entry(s, &v, AREA + i))
			return;
}
