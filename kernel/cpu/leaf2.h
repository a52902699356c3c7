/*
 * The descriptors of CPUID leaf 2 as tables, ended by a row with descriptor 0.
 */
#ifndef KERNEL_CPU_LEAF2_H
#define KERNEL_CPU_LEAF2_H

#include "kernel/cpu/cpu.h"

struct leaf2_cache {
	uint8_t descriptor, level, type; /* enum cache_type */
	uint16_t size_k;                 /* KiB; 1024 uops of a trace cache */
	uint8_t ways, line;              /* bytes */
};

struct leaf2_tlb {
	uint8_t descriptor, level, type, pages; /* as in struct cpu_tlb */
	uint16_t ways, entries;
};

extern const struct leaf2_cache leaf2_caches[];
extern const struct leaf2_tlb leaf2_tlbs[];

#endif
