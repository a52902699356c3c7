/*
 * sim/cpu/memory.h - guest memory by linear address, as the page tables say, for reading.
 */
#ifndef SIM_CPU_MEMORY_H
#define SIM_CPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpu;

struct page {
	uint64_t linear, physical; /* of its first byte */
	uint64_t size;             /* 4K, 2M, 4M or 1G */
	bool writable;             /* for CPL 3, and for every level with CR0.WP */
	bool user;                 /* CPL 3 may access it */
	bool uncached;             /* PCD of its own entry */
	bool global;               /* of its own entry; means nothing without CR4.PGE */
};

/* Walks the page tables without checking permissions. False: not present. */
bool memory_translate(const struct cpu *cpu, uint64_t linear, struct page *page);
/* Reads as CPL 0 does. Where no RAM is, every bit is 1. False: a page is not present. */
bool memory_read(struct cpu *cpu, uint64_t linear, void *to, size_t size);
/*
 * The part of a range that lies in its first page: n bytes at *physical, in the simulator's memory
 * at *at, or NULL if no RAM is there. False: the page is not present.
 */
bool memory_chunk(struct cpu *cpu, uint64_t linear, size_t size, size_t *n, uint64_t *physical,
                  uint8_t **at);

/* Are the bits above those that are translated all as the highest of them? */
bool memory_canonical(const struct cpu *cpu, uint64_t linear);

#endif
