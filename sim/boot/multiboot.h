/*
 * sim/boot/multiboot.h - kernels with a Multiboot header.
 */
#ifndef SIM_BOOT_MULTIBOOT_H
#define SIM_BOOT_MULTIBOOT_H

#include <stdbool.h>
#include <stdint.h>

struct load;
struct loaded;

/* The file offset of the header of version 1 or 2. False: there is none. */
bool multiboot_find_1(const struct load *l, uint64_t *header);
bool multiboot_find_2(const struct load *l, uint64_t *header);
/* Loads the kernel and its modules, and writes the boot information. False: l->error says why. */
bool multiboot_1(struct load *l, uint64_t header, struct loaded *out);
/* rsdp: physical address of that ACPI pointer, 0 for none. */
bool multiboot_2(struct load *l, uint64_t header, uint32_t rsdp, struct loaded *out);

#endif
