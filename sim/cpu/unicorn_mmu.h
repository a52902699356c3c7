/*
 * sim/cpu/unicorn_mmu.h - the paging that Unicorn lacks.
 */
#ifndef SIM_CPU_UNICORN_MMU_H
#define SIM_CPU_UNICORN_MMU_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct machine;

/* Before the first engine executes anything. False: no memory. */
bool unicorn_mmu_open(const struct machine *pc);
/*
 * Sets the processor whose page tables count; NULL: linear addresses are physical. Drops the
 * engine's translations if it has made more than pc->opt.translations.
 */
void unicorn_mmu_run(struct cpu *cpu);
/*
 * Changes to other page tables and drops the engine's TLB; writing the engine's CR3 alone keeps
 * it. The caller drops the model's TLBs.
 */
void unicorn_mmu_set_tables(struct cpu *cpu, uint64_t cr3);
/* Whether the engine has called the functions that this file replaces. */
bool unicorn_mmu_works(void);

#endif
