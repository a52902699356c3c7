/*
 * sim/boot/linux.h - kernels in Linux' bzImage format, by their 32-bit entry point (Linux,
 * Documentation/arch/x86/boot.rst, "32-bit Boot Protocol").
 */
#ifndef SIM_BOOT_LINUX_H
#define SIM_BOOT_LINUX_H

#include <stdbool.h>
#include <stdint.h>

struct load;
struct loaded;

/* It is a bzImage of protocol 2.02 or later that is loaded at 1 MB. */
bool linux_is_image(const struct load *l);
/*
 * Loads the part for protected mode, and the first module as initial RAM disk. The real-mode part
 * does not run: the memory map, the text screen and the command line are in the parameters. rsdp:
 * physical address of that ACPI pointer, 0 for none. False: l->error says why.
 */
bool linux_load(struct load *l, uint32_t rsdp, struct loaded *out);

#endif
