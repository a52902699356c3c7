/*
 * sim/step/translate.h - the TLBs: linear to physical addresses, with the costs and signals of it.
 */
#ifndef SIM_STEP_TRANSLATE_H
#define SIM_STEP_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/cpu/cpu.h"

enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_CODE };

/* Adds to a signal of the step in flight, if anybody looks at the step. */
static inline void step_signal(struct cpu *cpu, enum sim_signal sig, uint32_t n)
{
	if (cpu->flight.collect)
		sim_step_add(&cpu->flight.step, sig, n);
}

/* Physical address of data. *tlb_miss becomes true if the first level missed. False: no page. */
bool translate_data(struct cpu *cpu, uint64_t linear, enum access_kind kind, bool *tlb_miss,
                    uint64_t *physical);
/* Physical address of code, when execution enters a page. False: no page. */
bool translate_code(struct cpu *cpu, uint64_t linear, uint64_t *physical);
/* Empties the TLBs: the page tables are others. */
void translate_flush(struct cpu *cpu);
/*
 * CR3 gets a value with this process-context identifier, 0 without CR4.PCIDE. The identifier's
 * translations leave, apart from those of global pages; with `keep` they stay (SDM 3A, 4.10.4.1).
 */
void translate_switch(struct cpu *cpu, uint16_t pcid, bool keep);
/* The translations of all identifiers leave, apart from those of global pages. */
void translate_flush_contexts(struct cpu *cpu);
/*
 * The page of this address leaves every TLB: the identifier's own translation, and with `globals` a
 * global one. All that the paging-structure caches have of the identifier leaves, too (SDM 3A,
 * 4.10.4.1).
 */
void translate_drop(struct cpu *cpu, uint64_t linear, bool globals);

#endif
