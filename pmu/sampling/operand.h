/*
 * Which memory an instruction accesses: its address, from the encoding and the registers (SDM
 * volume 2, chapter 2 and appendix A; XOP: AMD APM volume 6).
 */
#ifndef PMU_SAMPLING_OPERAND_H
#define PMU_SAMPLING_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The offset of the memory operand of the instruction at `code`, of which 15 bytes can be read, in
 * 64-bit code or 32-bit code, in flat segments. regs: AX CX DX BX SP BP SI DI R8-R15, as they are
 * before the instruction. With `after` they are as they are behind it; then there is only an
 * address if the instruction leaves the registers of its address alone, as far as ModRM says. An
 * instruction with two operands in memory gives the explicit one, or the source.
 *
 * False: no operand in memory (LEA, NOP), FS or GS, an index in a vector register, or an EVEX
 * displacement of 8 bits, whose factor depends on the instruction.
 */
bool operand_address(uint64_t *address, const uint8_t *code, bool wide, const uintptr_t regs[16],
                     bool after);

/* What an instruction may be followed by. */
struct operand_flow {
	unsigned length;  /* bytes of the instruction */
	uintptr_t target; /* where a relative branch goes, else 0 */
	bool falls;       /* the next instruction in memory may follow */
	bool anywhere;    /* nothing is known: an indirect branch, a return, a far transfer */
};

/*
 * Of the instruction at `code`, of which 15 bytes can be read. Exceptions and interrupts, INT among
 * them, are left out: what they lead to comes back behind it. EXTRQ and INSERTQ (SSE4a) with
 * immediates have two bytes more than `length` says.
 */
struct operand_flow operand_flow(const uint8_t *code, bool wide);

#endif
