/*
 * sim/boot/loader.h - loads a Multiboot kernel or a bzImage.
 */
#ifndef SIM_BOOT_LOADER_H
#define SIM_BOOT_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;

/*
 * What the kernel gets in EIP, EAX, EBX and ESI. gdt: its descriptors 10h and 18h are flat code and
 * data, which CS and the others hold; 0: there is no GDT, and CS and the others are flat.
 */
struct loaded {
	uint32_t entry, magic, info, parameters, gdt;
};

/* Loads opt.kernel and its modules. False: `error` says why. */
bool loader_load(struct machine *pc, struct loaded *out, char *error, size_t size);

#endif
