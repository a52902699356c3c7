/*
 * sim/tests/fuzz.c - files that a fuzzing run feeds to cpl0-sim: `fuzz KIND SEED [FILE] >OUTPUT`.
 *
 *	bytes	random bytes as code
 *	system	random instructions, most of them privileged
 *	msr	random register writes, numbers near those that exist
 *	elf	FILE with some bytes changed, cut or grown
 *	header	a Multiboot 1 or 2 header with right checksum and random fields
 *
 * The same seed gives the same bytes everywhere.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* xorshift64* */
static uint32_t rnd(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)(state * 0x2545f4914f6cdd1d >> 32);
}

static void put32(uint32_t value)
{
	fwrite(&value, 1, 4, stdout);
}

static void bytes(void)
{
	for (unsigned i = 0; i < 2000; i++)
		putchar((int)(rnd() & 0xff));
}

/* Beginnings of instructions worth trying; random bytes follow. */
static const char *const starts[] = {
	"\x0f\x01", "\x0f\x20", "\x0f\x22", "\x0f\x30", "\x0f\x32", "\x0f\x31", "\x0f\x33",
	"\x0f\xa2", "\x0f\x05", "\x0f\x07", "\x0f\x34", "\x0f\x35", "\xcd",     "\xcc",
	"\xce",     "\xcf",     "\xec",     "\xed",     "\xee",     "\xef",     "\xf4",
	"\xfa",     "\xfb",     "\x9c",     "\x9d",     "\x8e",     "\xea",     "\x9a",
	"\x0f\x09", "\x0f\xae", "\x0f\x18", "\xf3\xa4", "\xf3\xab", "\xf2\xae", "\x66\xf3\xa5",
	"\x67\xf3", "\xf0\x0f", "\xd9",     "\xdd",     "\xdf",     "\x0f\x6f", "\x66\x0f",
	"\xf3\x0f", "\xf2\x0f", "\xc8",     "\xc9",     "\x60",     "\x61",     "\x0f\x0b",
	"\xe4",     "\xe6",     "\x6c",     "\xf3\x6c", "\xf3\x6e", "\x0f\xb2", "\x0f\x23",
};

static void system_code(void)
{
	for (unsigned i = 0; i < 400; i++) {
		const char *start = starts[rnd() % (sizeof(starts) / sizeof(starts[0]))];

		fputs(start, stdout);
		for (unsigned n = rnd() % 5; n; n--)
			putchar((int)(rnd() & 0xff));
	}
}

static void msr(void)
{
	static const uint32_t bases[] = {
		0,          0x10,       0x170,      0x186,      0xc0,       0x198,
		0x1a0,      0x1d8,      0x200,      0x268,      0x300,      0x360,
		0x380,      0x3a0,      0x3e0,      0x4c0,      0x600,      0x680,
		0x800,      0x830,      0x14c0,     0x1900,     0x1200,     0xc0000080,
		0xc0000100, 0xc0000300, 0xc0010000, 0xc0010200, 0xc0010060, 0xc0011020
	};

	for (unsigned i = 0; i < 500; i++) {
		put32(bases[rnd() % (sizeof(bases) / sizeof(bases[0]))] + rnd() % 48);
		put32(rnd() & rnd());
		put32(rnd() % 3 ? 0 : rnd() & rnd());
		put32(0);
	}
}

static int elf(const char *path)
{
	static uint8_t file[1 << 20];
	FILE *f = path ? fopen(path, "rb") : NULL;
	size_t size, n;

	if (!f)
		return 1;
	size = fread(file, 1, sizeof(file), f);
	fclose(f);
	if (!size)
		return 1;
	for (n = 1 + rnd() % 8; n; n--) {
		/* mostly in the headers */
		size_t at = rnd() % (rnd() % 4 ? (size < 256 ? size : 256) : size);

		file[at] = (uint8_t)(rnd() % 2 ? rnd() : rnd() % 2 ? 0xff : 0);
	}
	if (rnd() % 8 == 0)
		size = rnd() % size;
	fwrite(file, 1, size, stdout);
	return 0;
}

static uint32_t address(void)
{
	switch (rnd() % 4) {
	case 0:
		return rnd();
	case 1:
		return 0x100000 + rnd() % 64;
	case 2:
		return 0x100000;
	default:
		return rnd() % 0x8000000;
	}
}

static void header(void)
{
	uint32_t flags = rnd() % 2 ? 0x10000 | (rnd() & 7) : rnd() & rnd() & 0x1ffff;

	if (rnd() % 2) {
		put32(0x1badb002);
		put32(flags);
		put32(0u - 0x1badb002 - flags);
		for (unsigned i = 0; i < 5; i++)
			put32(address());
	} else {
		uint32_t size = 16 + 8 * (rnd() % 12);

		put32(0xe85250d6);
		put32(0);
		put32(size);
		put32(0u - 0xe85250d6 - size);
		for (uint32_t i = 16; i < size; i += 8) {
			put32(rnd() % 12 | (rnd() & 1) << 16);
			put32(rnd() % 4 ? 8 + rnd() % 24 : rnd());
		}
	}
	bytes();
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	state = strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15 + 1;
	if (!strcmp(argv[1], "bytes"))
		bytes();
	else if (!strcmp(argv[1], "system"))
		system_code();
	else if (!strcmp(argv[1], "msr"))
		msr();
	else if (!strcmp(argv[1], "elf"))
		return elf(argc > 3 ? argv[3] : NULL);
	else if (!strcmp(argv[1], "header"))
		header();
	else
		return 2;
	return 0;
}
