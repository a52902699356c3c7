/*
 * sim/boot/load.h - what every kind of kernel needs of its loader: the file, its segments, modules,
 * room for the boot information, the memory map.
 *
 * The file is not trusted: every offset, size and address is checked before use.
 */
#ifndef SIM_BOOT_LOAD_H
#define SIM_BOOT_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/model/options.h"

struct machine;

/* A file in memory. */
struct blob {
	uint8_t *data;
	size_t size;
};

struct load {
	struct machine *pc;
	struct blob file;
	char *error;
	size_t error_size;
	uint64_t low, high; /* what the kernel occupies */
	uint32_t entry;
	uint64_t free; /* next byte for modules */
	uint64_t info, info_end;
	struct {
		uint32_t start, end;
	} modules[MAX_MODULES];
};

/* A line of the memory map. */
struct region {
	uint64_t base, size;
	uint32_t type; /* 1 RAM, 2 reserved, 3 ACPI */
};

enum { MAX_REGIONS = 16 };

/* Says why in l->error. Always false. */
bool load_fail(struct load *l, const char *why, ...) __attribute__((format(printf, 2, 3)));
/* A whole file, malloc'ed. False: it cannot be read. */
bool load_read(const char *path, struct blob *b);
/* `size` bytes, up to 8, at this offset; 0 if they lie outside. */
uint64_t load_get(const struct blob *b, uint64_t at, unsigned size);

/*
 * Copies `size` bytes at file offset `from` to the address `at`, where `memory` bytes are taken.
 * False: l->error says why, also after load_elf() and load_raw().
 */
bool load_place(struct load *l, uint64_t at, uint64_t from, uint64_t size, uint64_t memory);
bool load_is_elf(const struct load *l);
bool load_elf(struct load *l);
/*
 * Loads by addresses in the header instead of ELF. header: file offset of the Multiboot header. a:
 * its header_addr, load_addr, load_end_addr and bss_end_addr.
 */
bool load_raw(struct load *l, uint64_t header, const uint32_t a[4]);

/* Loads the modules behind the kernel and finds room for the boot information. */
bool load_modules(struct load *l);
/* Takes room there, zeroed; NULL when it is used up. address: NULL, or for where it is. */
uint8_t *load_take(struct load *l, uint64_t size, uint64_t align, uint32_t *address);
/* Two words with a blank between them; their address, 0 no room. */
uint32_t load_string(struct load *l, const char *first, const char *second);

/* The memory map, as --fault memory= has it. Returns its number of lines. */
unsigned load_map(const struct machine *pc, struct region r[MAX_REGIONS]);
/* Memory above 1 MB, KB. */
uint32_t load_upper_kb(const struct machine *pc);

#endif
