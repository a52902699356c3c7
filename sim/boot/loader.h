/*
 * sim/boot/loader.h - loads a Multiboot kernel.
 */
#ifndef SIM_BOOT_LOADER_H
#define SIM_BOOT_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;

/* The registers that the kernel gets: EIP, EAX, EBX. */
struct loaded {
	uint32_t entry, magic, info;
};

/* Loads opt.kernel and its modules. False: `error` says why. */
bool loader_load(struct machine *pc, struct loaded *out, char *error, size_t size);

#endif
