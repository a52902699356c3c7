/*
 * The page below 1 MiB where other CPUs start.
 */
#ifndef KERNEL_SMP_PAGE_H
#define KERNEL_SMP_PAGE_H

#include <stdint.h>

#include "kernel/chipset/bootinfo.h"

/*
 * Number of the lowest page, from 1 on, that the memory map calls free and that has no data of the
 * loader; 0: there is none. Pages 7 to 10 (7000h to AFFFh) are left out, because calls of the BIOS
 * use them. `bda` is the BIOS data area at 400h, which has the limit of memory that the BIOS took
 * from the top: some memory maps call this memory free (Linux, arch/x86/kernel/ebda.c, names Dell
 * and AMD-768MPX boards). After UEFI only the map counts.
 */
uint32_t smp_find_page(const struct bootinfo *bi, const uint8_t *bda);

#endif
