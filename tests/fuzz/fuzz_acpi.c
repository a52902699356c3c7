/*
 * ACPI tables. Random bytes would stop at the first checksum, so the input is a list of tables: a
 * byte that chooses the signature and whether the checksum is made right, two bytes of length, and
 * the contents behind the header.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/chipset/acpi.h"

enum { MEMORY = 1 << 16, ROOT = 0x100, TABLES = 0x1000, HEADER = 36, MOST = 40, COMPLAINTS = 2048 };

static uint8_t memory[MEMORY];
static unsigned complaints;

static void complain(const char *what, const char *why)
{
	if (!what || !why || ++complaints > COMPLAINTS)
		abort();
}

static void put(uint32_t at, uint64_t v, unsigned bytes)
{
	memcpy(memory + at, &v, bytes);
}

/* Makes the sum of a table 0 by the byte at `where`. */
static void seal(uint32_t at, uint32_t size, uint32_t where)
{
	uint8_t sum = 0;

	memory[at + where] = 0;
	for (uint32_t i = 0; i < size; i++)
		sum += memory[at + i];
	memory[at + where] = (uint8_t)-sum;
}

/* Takes one table from the input, puts it at `at`, and returns its size. */
static uint32_t put_table(uint32_t at, const uint8_t **data, size_t *size)
{
	static const char *const names[] = {
		"FACP", "SPCR", "HPET", "APIC", "SSDT", "DSDT", "XXXX"
	};
	const uint8_t *p = *data;
	uint32_t n = p[1] | (uint32_t)(p[2] & 7) << 8;

	if (n > *size - 3)
		n = (uint32_t)*size - 3;
	memcpy(memory + at, names[(p[0] & 0x7f) % 7], 4);
	put(at + 4, p[0] & 0x80 && n >= 4 ? p[3] : HEADER + n, 4); /* a length that may lie */
	memcpy(memory + at + HEADER, p + 3, n);
	seal(at, HEADER + n, 9);
	*data += 3 + n;
	*size -= 3 + n;
	return HEADER + n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t at = TABLES, n = 0;
	struct acpi acpi;
	uint8_t *exact;

	memset(memory, 0, sizeof(memory));
	complaints = 0;
	while (size > 3 && n < MOST && at < MEMORY - 4096) {
		put(ROOT + HEADER + 4 * n++, at, 4);
		at += put_table(at, &data, &size);
	}
	memcpy(memory + 16, "RSD PTR ", 8);
	put(16 + 16, ROOT, 4);
	seal(16, 20, 8);
	memcpy(memory + ROOT, "RSDT", 4);
	put(ROOT + 4, HEADER + 4 * n, 4);
	seal(ROOT, HEADER + 4 * n, 9);
	exact = malloc(at); /* which ends with the last table */
	memcpy(exact, memory, at);
	acpi_parse(&acpi, 16, exact, at, complain);
	if (!acpi.present)
		abort();
	free(exact);
	return 0;
}
