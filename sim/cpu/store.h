/*
 * sim/cpu/store.h - writes to guest memory, and the decoded code that they make stale.
 */
#ifndef SIM_CPU_STORE_H
#define SIM_CPU_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpu;
struct machine;

/* Writes as CPL 0 does. False: a page may not be written; nothing was written then. */
bool store_write(struct cpu *cpu, uint64_t linear, const void *from, size_t size);
/* May CPL 0 write the byte? If not, *error is the error code of the #PF. */
bool store_may_write(const struct cpu *cpu, uint64_t linear, uint32_t *error);
/*
 * Why store_write() failed for words that were pushed, the last word to `linear`. Returns the
 * address of the first push that was not allowed, and the error code of that #PF.
 */
uint64_t store_push_fault(struct cpu *cpu, uint64_t linear, size_t size, size_t word,
                          uint32_t *error);
/*
 * Tells every decoder that RAM changed. `by`: the processor whose engine wrote, and which has
 * noticed by itself; NULL: the simulator wrote. True: there was decoded code.
 */
bool store_changed(struct machine *pc, uint64_t physical, uint64_t size, const struct cpu *by);

/*
 * MONITOR arms the line of 64 bytes around the address for this processor; NEVER: it has none any
 * more. A store of another processor into the line disarms it, and ends the MWAIT.
 */
void store_monitor(struct cpu *cpu, uint64_t physical);

#endif
