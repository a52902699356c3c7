/*
 * sim/step/access.h - what a memory access meets: the caches, with their costs and signals.
 */
#ifndef SIM_STEP_ACCESS_H
#define SIM_STEP_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/signal.h"

struct cpu;
struct insn;

/* Keeps a data access of the instruction in flight, as the engine reported it. */
void access_note(struct cpu *cpu, uint64_t linear, uint64_t size, bool write);
/*
 * Sends the accesses since the last call through TLBs and caches. They are all known when the
 * instruction, or one round of a repeated instruction, has ended.
 */
void access_flush(struct cpu *cpu, const struct insn *insn);
/* The line of code at a physical address goes through the caches. */
void access_code(struct cpu *cpu, uint64_t physical);
/* Brings the line of an address into the caches. It is no access; nothing waits for it. */
void access_prefetch(struct cpu *cpu, uint64_t linear);
/*
 * The level in which a read of this byte would find it. Nothing changes; what no cache may hold, or
 * has no page, counts as found.
 */
enum sim_level access_peek(const struct cpu *cpu, uint64_t linear);
/* The line of this physical address leaves every cache; modified data are not written back. */
void access_drop(struct cpu *cpu, uint64_t physical);
/* Empties every cache. */
void access_empty(struct cpu *cpu);

#endif
