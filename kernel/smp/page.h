/*
 * The page below 1 MiB where other CPUs start.
 */
#ifndef KERNEL_SMP_PAGE_H
#define KERNEL_SMP_PAGE_H

#include <stdint.h>

#include "kernel/chipset/bootinfo.h"

/*
 * Number of the lowest page, from 1 on, that the memory map calls free and that holds nothing of
 * the loader's; 0: there is none. Calls of the BIOS use 7000h to AFFFh, which is left out. `bda` is
 * the BIOS data area at 400h, which lists memory that the BIOS took from the top: some memory maps
 * call that free (Linux, arch/x86/kernel/ebda.c, names Dell and AMD-768MPX boards). After UEFI the
 * map alone is believed.
 */
uint32_t smp_find_page(const struct bootinfo *bi, const uint8_t *bda);

#endif
