/*
 * sim/cpu/operand.h - where a memory operand lies, by the registers as they are now.
 */
#ifndef SIM_CPU_OPERAND_H
#define SIM_CPU_OPERAND_H

#include <stdint.h>

#include <Zydis/Zydis.h>

struct cpu;

/*
 * Linear address of an operand of type ZYDIS_OPERAND_TYPE_MEMORY. next: linear address behind the
 * instruction. Segment bases are those of the last unicorn_load().
 */
uint64_t operand_address(const struct cpu *cpu, const ZydisDecodedInstruction *zi,
                         const ZydisDecodedOperand *op, uint64_t next);

/* All bits of the general register that this is a part of; 0 for any other register. */
uint64_t operand_register(const struct cpu *cpu, ZydisRegister reg);

#endif
