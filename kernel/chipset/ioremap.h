/*
 * Access to physical memory at any address, also above 4 GiB.
 *
 * The 64-bit kernel maps the low 4 GiB onto themselves. Higher memory is reached through a window
 * of 1 GiB of linear addresses, which begins at 256 GiB. Only the kernel has access to its pages.
 * Below the window, memory for benchmarks is mapped onto itself, in large pages. The 32-bit kernel
 * has no paging and reaches the low 4 GiB only.
 */
#ifndef KERNEL_CHIPSET_IOREMAP_H
#define KERNEL_CHIPSET_IOREMAP_H

#include <stddef.h>
#include <stdint.h>

enum ioremap_kind {
	/* Registers: never cached, in order. Below 4 GiB the MTRRs of the firmware see to that. */
	IOREMAP_DEVICE,
	/* Video memory: writes may be combined, and are in the 64-bit kernel with a PAT. */
	IOREMAP_SCREEN,
};

/*
 * First linear address of the window, and the logarithm of its size. Only the 64-bit kernel has it.
 */
#define IOREMAP_START 0x4000000000ull
enum { IOREMAP_SHIFT = 30 };

/*
 * Returns the linear address of the byte at physical `address`, with `size` bytes accessible from
 * there, or 0 if the kernel cannot reach them: they lie above 4 GiB in the 32-bit kernel, the
 * window is used up, or `size` is 0. Mappings stay until the end of the run.
 */
uintptr_t ioremap(uint64_t address, uint64_t size, enum ioremap_kind kind);

/*
 * Maps the part of [base, base + size) above 4 GiB onto itself, write-back if the MTRRs say so, for
 * every CPU and every CPL. The range has 2 MiB boundaries and lies below ioremap_memory_limit().
 * `tables` is ioremap_memory_tables() bytes at a page boundary, or NULL if these are 0.
 */
void ioremap_memory(uint64_t base, uint64_t size, void *tables);
size_t ioremap_memory_tables(uint64_t base, uint64_t size);

/* First physical address that ioremap_memory() cannot map onto itself. */
uint64_t ioremap_memory_limit(void);

/*
 * The page-directory-pointer entry of the window, for page tables other than the kernel's own; 0:
 * the window has no mapping.
 */
uintptr_t ioremap_entry(void);

#endif
