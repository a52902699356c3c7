/*
 * sim/cpu/unicorn.h - Unicorn as an engine that computes: its registers, its state, its
 * translations.
 */
#ifndef SIM_CPU_UNICORN_H
#define SIM_CPU_UNICORN_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct machine;

/* False: no memory, or a Unicorn whose CPU state is not laid out as struct cpu_image says. */
bool unicorn_open(struct cpu *cpu);
void unicorn_close(struct cpu *cpu);

/*
 * The state at the entry of a kernel: 32-bit protected mode, flat segments, paging off. gdt:
 * address of four descriptors, of which CS has the third and the others the last; 0: none.
 */
void unicorn_flat32(struct cpu *cpu, uint32_t entry, uint32_t gdt);
/* Real mode at vector * 1000h, as after a start-up IPI. */
void unicorn_real(struct cpu *cpu, uint8_t vector);

/* Copies the engine's state to cpu->engine.image and to the mode fields of cpu. */
void unicorn_load(struct cpu *cpu);
/* Writes cpu->engine.image back. It clears the engine's hidden double-fault state too. */
void unicorn_store(struct cpu *cpu);

/* Error code of the exception that the engine reported last. */
uint32_t unicorn_error_code(const struct cpu *cpu);
uint64_t unicorn_flags(const struct cpu *cpu);
void unicorn_set_flags(struct cpu *cpu, uint64_t flags);
/* Continues at this IP, an offset in CS; for use inside a hook. */
void unicorn_jump(struct cpu *cpu, uint64_t ip);
/* reg: REG_AX and so on, 8 to 15 for R8 to R15. */
uint64_t unicorn_reg(const struct cpu *cpu, unsigned reg);
void unicorn_set_reg(struct cpu *cpu, unsigned reg, uint64_t value);

/* Forgets translated code of a physical range in every engine but one; NULL: in every engine. */
void unicorn_forget(struct machine *pc, uint64_t physical, uint64_t size, const struct cpu *but);

/* False: the engine does not know the register. */
bool unicorn_msr_read(const struct cpu *cpu, uint32_t msr, uint64_t *value);
bool unicorn_msr_write(const struct cpu *cpu, uint32_t msr, uint64_t value);
/*
 * Writes EFER. By itself the engine takes LME only, because its CPU announces neither SYSCALL nor
 * NX. With paging on, the caller drops the TLBs.
 */
void unicorn_set_efer(struct cpu *cpu, uint64_t value);

/*
 * Loads a segment register in cpu->engine.image, between unicorn_load() and unicorn_store(), and
 * works out the privilege level and the sizes that follow. A null SS in long mode has the
 * descriptor 0 and the privilege level in its selector.
 */
void unicorn_set_segment(struct cpu *cpu, unsigned seg, uint32_t selector, uint64_t descriptor);

#endif
