/*
 * p5_table.c - instruction timing of the Pentium and Pentium MMX, one row an instruction form.
 *
 * Sources: see p5_table.h. "measured" is InstLatX64, P54C and P55C alike
 * (sim/tests/p5-measured.csv).
 */
#include "sim/timing/p5_table.h"

#define M(name)      ZYDIS_MNEMONIC_##name
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* clang-format off */
const struct p5_row p5_rows[] = {
	/* mnemonic, form, clocks, pairing, flags, special, flops */
	/* moves */
	{ M(MOV), P5_CONTROL, 12, P5_NP, 0, P5_SP_NONE, 0 }, /* 4 to 22 by register and direction */
	{ M(MOV), P5_DEBUG, 11, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(MOV), P5_SEGMENT, 2, P5_NP, 0, P5_SP_NONE, 0 }, /* 2 or 3 */
	{ M(MOV), 0, 1, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(LEA), 0, 1, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(NOP), 0, 1, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(PUSH), P5_SEGMENT, 1, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(PUSH), P5_MEM, 2, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(PUSH), 0, 1, P5_UV, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(POP), P5_SEGMENT, 3, P5_NP, P5F_POP, P5_SP_NONE, 0 },
	{ M(POP), P5_MEM, 3, P5_NP, P5F_POP, P5_SP_NONE, 0 },
	{ M(POP), 0, 1, P5_UV, P5F_POP, P5_SP_NONE, 0 },
	{ M(PUSHA), 0, 9, P5_NP, P5F_PUSH, P5_SP_NONE, 0 }, /* 16-bit: 9 for each */
	{ M(POPA), 0, 9, P5_NP, P5F_PUSH, P5_SP_NONE, 0 }, /* 16-bit: 9 for each */
	{ M(PUSHAD), 0, 5, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(POPAD), 0, 5, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(PUSHF), 0, 3, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(PUSHFD), 0, 3, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(POPF), 0, 4, P5_NP, P5F_POP, P5_SP_NONE, 0 },
	{ M(POPFD), 0, 4, P5_NP, P5F_POP, P5_SP_NONE, 0 },
	{ M(MOVSX), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(MOVZX), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(XCHG), P5_MEM, 3, P5_NP, P5F_LOCKED, P5_SP_NONE, 0 }, /* and the locked bus cycles */
	{ M(XCHG), 0, 3, P5_NP, 0, P5_SP_NONE, 0 }, /* with EAX too: Intel has 2, measured 3 */
	{ M(XLAT), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BSWAP), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LDS), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LES), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LFS), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LGS), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LSS), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LAHF), 0, 3, P5_NP, 0, P5_SP_NONE, 0 }, /* Agner Fog has 2, measured 3 */
	{ M(SAHF), 0, 3, P5_NP, 0, P5_SP_NONE, 0 }, /* Agner Fog has 2, measured 3 */
	{ M(CBW), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CWDE), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CWD), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CDQ), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SALC), 0, 2, P5_NP, 0, P5_SP_NONE, 0 }, /* unverified */
	/* arithmetic and logic */
	{ M(ADD), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(SUB), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(AND), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(OR), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(XOR), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(CMP), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(INC), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(DEC), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(TEST), P5_MEM | P5_IMM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(TEST), P5_IMM | P5_ACC, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(TEST), P5_IMM, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(TEST), 0, 0, P5_UV, 0, P5_SP_NONE, 0 },
	{ M(ADC), 0, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(SBB), 0, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(NEG), 0, 0, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(NOT), 0, 0, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(MUL), P5_S8, 11, P5_NP, P5F_INTEGER_MULTIPLY, P5_SP_NONE, 1 },
	{ M(MUL), P5_S16, 11, P5_NP, P5F_INTEGER_MULTIPLY, P5_SP_NONE, 1 },
	{ M(MUL), 0, 9, P5_NP, P5F_INTEGER_MULTIPLY, P5_SP_NONE, 1 }, /* Intel has 10, measured 9 */
	{ M(IMUL), P5_ONE_OPERAND | P5_S8, 11, P5_NP, P5F_INTEGER_MULTIPLY, P5_SP_NONE, 1 },
	{ M(IMUL), P5_ONE_OPERAND | P5_S16, 11, P5_NP, P5F_INTEGER_MULTIPLY, P5_SP_NONE, 1 },
	/* Intel has 10, measured 9 */
	{ M(IMUL), 0, 9, P5_NP, P5F_INTEGER_MULTIPLY, P5_SP_NONE, 1 },
	{ M(DIV), P5_S8, 17, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(DIV), P5_S16, 25, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(DIV), 0, 41, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(IDIV), P5_S8, 22, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(IDIV), P5_S16, 30, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(IDIV), 0, 46, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(AAA), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(AAS), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(DAA), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(DAS), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(AAD), 0, 5, P5_NP, 0, P5_SP_NONE, 0 }, /* Intel has 10, measured 5 */
	{ M(AAM), 0, 9, P5_NP, 0, P5_SP_NONE, 0 }, /* Intel has 18, measured 9 */
	{ M(XADD), P5_DEST_MEM, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(XADD), 0, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CMPXCHG), 0, 6, P5_NP, 0, P5_SP_NONE, 0 }, /* Intel has 5 for registers, measured 6 */
	{ M(CMPXCHG8B), 0, 9, P5_NP, 0, P5_SP_NONE, 0 }, /* Intel has 10, measured 9 */
	/* shifts and bits */
	{ M(SHL), P5_BY_CL | P5_DEST_MEM, 5, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SHR), P5_BY_CL | P5_DEST_MEM, 5, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SAR), P5_BY_CL | P5_DEST_MEM, 5, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(ROL), P5_BY_CL | P5_DEST_MEM, 5, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(ROR), P5_BY_CL | P5_DEST_MEM, 5, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SHL), P5_BY_CL, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SHR), P5_BY_CL, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SAR), P5_BY_CL, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(ROL), P5_BY_CL, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(ROR), P5_BY_CL, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCL), P5_BY_CL | P5_DEST_MEM, 9, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCR), P5_BY_CL | P5_DEST_MEM, 9, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCL), P5_BY_CL, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCR), P5_BY_CL, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(ROL), P5_BY_ONE, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(ROR), P5_BY_ONE, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(RCL), P5_BY_ONE, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(RCR), P5_BY_ONE, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(ROL), 0, 0, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(ROR), 0, 0, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCL), P5_DEST_MEM, 10, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCR), P5_DEST_MEM, 10, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCL), 0, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RCR), 0, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SHL), 0, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(SHR), 0, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(SAR), 0, 0, P5_PU, 0, P5_SP_NONE, 0 },
	{ M(SHLD), P5_DEST_MEM, 5, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SHRD), P5_DEST_MEM, 5, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SHLD), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SHRD), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BT), P5_DEST_MEM | P5_IMM, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BT), P5_DEST_MEM, 9, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BT), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BTC), P5_DEST_MEM | P5_IMM, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BTC), P5_DEST_MEM, 14, P5_NP, 0, P5_SP_NONE, 0 }, /* Intel has 13, Agner Fog 14 */
	{ M(BTC), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BTR), P5_DEST_MEM | P5_IMM, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BTR), P5_DEST_MEM, 14, P5_NP, 0, P5_SP_NONE, 0 }, /* Intel has 13, Agner Fog 14 */
	{ M(BTR), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BTS), P5_DEST_MEM | P5_IMM, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BTS), P5_DEST_MEM, 14, P5_NP, 0, P5_SP_NONE, 0 }, /* Intel has 13, Agner Fog 14 */
	{ M(BTS), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	/* grows with the bit's position, which is not modelled */
	{ M(BSF), 0, 6, P5_NP, 0, P5_SP_NONE, 0 },
	/* grows with the distance from the top, not modelled */
	{ M(BSR), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETB), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETB), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETBE), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETBE), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETL), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETL), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETLE), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETLE), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNB), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNB), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNBE), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNBE), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNL), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNL), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNLE), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNLE), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNO), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNO), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNP), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNP), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNS), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNS), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNZ), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETNZ), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETO), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETO), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETP), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETP), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETS), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETS), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETZ), P5_DEST_MEM, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SETZ), 0, 1, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CLC), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(STC), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CMC), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CLD), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(STD), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CLI), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(STI), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(BOUND), 0, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(ARPL), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	/* branches: 1 clock when predicted */
	{ M(CALL), P5_FAR, 4, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(JMP), P5_FAR, 3, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CALL), P5_IMM, 1, P5_PV, P5F_BRANCH | P5F_PUSH, P5_SP_NONE, 0 },
	{ M(JMP), P5_IMM, 1, P5_PV, P5F_BRANCH, P5_SP_NONE, 0 },
	{ M(CALL), 0, 2, P5_NP, P5F_BRANCH | P5F_PUSH, P5_SP_NONE, 0 },
	{ M(JMP), 0, 2, P5_NP, P5F_BRANCH, P5_SP_NONE, 0 },
	{ M(JB), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JBE), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JL), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JLE), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNB), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNBE), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNL), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNLE), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNO), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNP), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNS), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JNZ), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JO), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JP), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JS), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JZ), 0, 1, P5_PV, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JCXZ), 0, 5, P5_NP, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(JECXZ), 0, 5, P5_NP, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(LOOP), 0, 5, P5_NP, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(LOOPE), 0, 7, P5_NP, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(LOOPNE), 0, 7, P5_NP, P5F_BRANCH | P5F_CONDITIONAL, P5_SP_NONE, 0 },
	{ M(RET), P5_FAR, 4, P5_NP, P5F_POP, P5_SP_NONE, 0 },
	/* the one stack instruction with an AGI */
	{ M(RET), P5_IMM, 3, P5_NP, P5F_BRANCH, P5_SP_NONE, 0 },
	{ M(RET), 0, 2, P5_NP, P5F_BRANCH | P5F_POP, P5_SP_NONE, 0 },
	{ M(ENTER), 0, 11, P5_NP, P5F_PUSH, P5_SP_NONE, 0 },
	{ M(LEAVE), 0, 3, P5_NP, P5F_POP, P5_SP_NONE, 0 },
	{ M(INT), 0, 16, P5_NP, 0, P5_SP_NONE, 0 }, /* real mode; gates take longer */
	{ M(INT3), 0, 16, P5_NP, 0, P5_SP_NONE, 0 }, /* real mode; gates take longer */
	{ M(INTO), 0, 16, P5_NP, 0, P5_SP_NONE, 0 }, /* real mode; gates take longer */
	{ M(IRET), 0, 10, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 }, /* same privilege */
	{ M(IRETD), 0, 10, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 }, /* same privilege */
	/* strings: the repeated forms are in p5_pipe.c */
	{ M(LODSB), 0, 2, P5_NP, P5F_STRING, P5_SP_REP_LODS, 0 },
	{ M(LODSW), 0, 2, P5_NP, P5F_STRING, P5_SP_REP_LODS, 0 },
	{ M(LODSD), 0, 2, P5_NP, P5F_STRING, P5_SP_REP_LODS, 0 },
	{ M(STOSB), 0, 3, P5_NP, P5F_STRING, P5_SP_REP_STOS, 0 },
	{ M(STOSW), 0, 3, P5_NP, P5F_STRING, P5_SP_REP_STOS, 0 },
	{ M(STOSD), 0, 3, P5_NP, P5F_STRING, P5_SP_REP_STOS, 0 },
	{ M(MOVSB), 0, 4, P5_NP, P5F_STRING, P5_SP_REP_MOVS, 0 },
	{ M(MOVSW), 0, 4, P5_NP, P5F_STRING, P5_SP_REP_MOVS, 0 },
	{ M(MOVSD), 0, 4, P5_NP, P5F_STRING, P5_SP_REP_MOVS, 0 },
	{ M(SCASB), 0, 4, P5_NP, P5F_STRING, P5_SP_REP_SCAS, 0 },
	{ M(SCASW), 0, 4, P5_NP, P5F_STRING, P5_SP_REP_SCAS, 0 },
	{ M(SCASD), 0, 4, P5_NP, P5F_STRING, P5_SP_REP_SCAS, 0 },
	{ M(CMPSB), 0, 5, P5_NP, P5F_STRING, P5_SP_REP_CMPS, 0 },
	{ M(CMPSW), 0, 5, P5_NP, P5F_STRING, P5_SP_REP_CMPS, 0 },
	{ M(CMPSD), 0, 5, P5_NP, P5F_STRING, P5_SP_REP_CMPS, 0 },
	{ M(INSB), 0, 9, P5_NP, P5F_IO | P5F_STRING, P5_SP_REP_IO, 0 },
	{ M(INSW), 0, 9, P5_NP, P5F_IO | P5F_STRING, P5_SP_REP_IO, 0 },
	{ M(INSD), 0, 9, P5_NP, P5F_IO | P5F_STRING, P5_SP_REP_IO, 0 },
	{ M(OUTSB), 0, 13, P5_NP, P5F_IO | P5F_STRING, P5_SP_REP_IO, 0 },
	{ M(OUTSW), 0, 13, P5_NP, P5F_IO | P5F_STRING, P5_SP_REP_IO, 0 },
	{ M(OUTSD), 0, 13, P5_NP, P5F_IO | P5F_STRING, P5_SP_REP_IO, 0 },
	/* system: Intel's figures for protected mode at CPL 0, most of them unchecked */
	{ M(IN), 0, 7, P5_NP, P5F_IO, P5_SP_NONE, 0 },
	{ M(OUT), 0, 12, P5_NP, P5F_IO, P5_SP_NONE, 0 },
	{ M(CPUID), 0, 15, P5_NP, P5F_SERIALIZE, P5_SP_CPUID, 0 },
	{ M(RDTSC), 0, 6, P5_NP, 0, P5_SP_RDTSC, 0 },
	{ M(RDMSR), 0, 20, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(WRMSR), 0, 30, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(RDPMC), 0, 20, P5_NP, 0, P5_SP_NONE, 0 }, /* unverified */
	{ M(HLT), 0, 12, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(CLTS), 0, 10, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(INVD), 0, 15, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(WBINVD), 0, 2000, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(INVLPG), 0, 25, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(LGDT), 0, 6, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(LIDT), 0, 6, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(SGDT), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SIDT), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LLDT), 0, 9, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(LTR), 0, 10, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
	{ M(SLDT), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(STR), 0, 2, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LMSW), 0, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(SMSW), 0, 4, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LAR), 0, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(LSL), 0, 8, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(VERR), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(VERW), 0, 7, P5_NP, 0, P5_SP_NONE, 0 },
	{ M(RSM), 0, 83, P5_NP, P5F_SERIALIZE, P5_SP_NONE, 0 },
};
const size_t p5_row_count = COUNT(p5_rows);

const struct p5_x87_row p5_x87_rows[] = {
	/*
	 * mnemonic, form, pairing, clocks, latency, next, unit, busy, push, special, flops, flags
	 */
	/* simple: FXCH may go with them */
	{ M(FLD), P5_S80, P5_NP, 3, 3, 3, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FLD), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FADD), 0, P5_FX, 1, 3, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FSUB), 0, P5_FX, 1, 3, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FSUBR), 0, P5_FX, 1, 3, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FADDP), 0, P5_FX, 1, 3, 1, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 1, 0 },
	{ M(FSUBP), 0, P5_FX, 1, 3, 1, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 1, 0 },
	{ M(FSUBRP), 0, P5_FX, 1, 3, 1, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 1, 0 },
	{ M(FMUL), 0, P5_FX, 1, 3, 1, P5_UNIT_X87_MULTIPLY, 2, 0, P5_SP_NONE, 1, 0 },
	{ M(FMULP), 0, P5_FX, 1, 3, 1, P5_UNIT_X87_MULTIPLY, 2, -1, P5_SP_NONE, 1, 0 },
	/* by precision, p5_pipe.c */
	{ M(FDIV), 0, P5_FX, 1, 39, 37, P5_UNIT_X87_DIVIDE, 38, 0, P5_SP_FDIV, 1, 0 },
	/* by precision, p5_pipe.c */
	{ M(FDIVR), 0, P5_FX, 1, 39, 37, P5_UNIT_X87_DIVIDE, 38, 0, P5_SP_FDIV, 1, 0 },
	{ M(FDIVP), 0, P5_FX, 1, 39, 37, P5_UNIT_X87_DIVIDE, 38, -1, P5_SP_FDIV, 1, 0 },
	{ M(FDIVRP), 0, P5_FX, 1, 39, 37, P5_UNIT_X87_DIVIDE, 38, -1, P5_SP_FDIV, 1, 0 },
	{ M(FCHS), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FABS), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FCOM), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FUCOM), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FTST), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FCOMP), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, 0 },
	{ M(FUCOMP), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, 0 },
	{ M(FCOMPP), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, -2, P5_SP_NONE, 0, 0 },
	{ M(FUCOMPP), 0, P5_FX, 1, 1, 1, P5_UNIT_NONE, 0, -2, P5_SP_NONE, 0, 0 },
	/* in V only behind one of the above */
	{ M(FXCH), 0, P5_PV, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, P5F_FXCH },
	/* the others never pair */
	{ M(FST), P5_S80, P5_NP, 3, 3, 3, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, P5F_STORES },
	{ M(FSTP), P5_S80, P5_NP, 3, 3, 3, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, P5F_STORES },
	{ M(FST), P5_MEM, P5_NP, 2, 2, 2, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, P5F_STORES },
	{ M(FSTP), P5_MEM, P5_NP, 2, 2, 2, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, P5F_STORES },
	{ M(FST), 0, P5_NP, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FSTP), 0, P5_NP, 1, 1, 1, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, 0 },
	{ M(FILD), 0, P5_NP, 1, 3, 1, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FIST), 0, P5_NP, 6, 6, 6, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, P5F_STORES },
	{ M(FISTP), 0, P5_NP, 6, 6, 6, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, P5F_STORES },
	{ M(FLD1), 0, P5_NP, 2, 2, 2, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FLDZ), 0, P5_NP, 2, 2, 2, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FLDPI), 0, P5_NP, 5, 5, 5, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FLDL2E), 0, P5_NP, 5, 5, 5, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FLDL2T), 0, P5_NP, 5, 5, 5, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FLDLG2), 0, P5_NP, 5, 5, 5, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FLDLN2), 0, P5_NP, 5, 5, 5, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	{ M(FBLD), 0, P5_NP, 48, 48, 48, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 }, /* to 58 */
	/* to 154 */
	{ M(FBSTP), 0, P5_NP, 148, 148, 148, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, P5F_STORES },
	{ M(FIADD), 0, P5_NP, 4, 6, 4, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FISUB), 0, P5_NP, 4, 6, 4, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FISUBR), 0, P5_NP, 4, 6, 4, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FIMUL), 0, P5_NP, 4, 6, 4, P5_UNIT_X87_MULTIPLY, 5, 0, P5_SP_NONE, 1, 0 },
	{ M(FICOM), 0, P5_NP, 4, 4, 4, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FICOMP), 0, P5_NP, 4, 4, 4, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 0, 0 },
	{ M(FIDIV), 0, P5_NP, 4, 42, 40, P5_UNIT_X87_DIVIDE, 41, 0, P5_SP_FIDIV, 1, 0 },
	{ M(FIDIVR), 0, P5_NP, 4, 42, 40, P5_UNIT_X87_DIVIDE, 41, 0, P5_SP_FIDIV, 1, 0 },
	{ M(FSQRT), 0, P5_NP, 1, 70, 68, P5_UNIT_X87_DIVIDE, 69, 0, P5_SP_FSQRT, 1, 0 },
	{ M(FXAM), 0, P5_NP, 13, 17, 17, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 }, /* 17 to 21 */
	/*
	 * how long these take depends on the operand: the shortest documented time, FSIN and FCOS
	 * below
	 */
	{ M(FPREM), 0, P5_NP, 14, 16, 14, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FPREM1), 0, P5_NP, 18, 20, 18, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FRNDINT), 0, P5_NP, 9, 9, 9, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FSCALE), 0, P5_NP, 20, 20, 20, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FXTRACT), 0, P5_NP, 12, 12, 12, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 0, 0 },
	/* 16 to 98 by angle: sim/timing/p5_pipe.c */
	{ M(FSIN), 0, P5_NP, 72, 72, 72, P5_UNIT_NONE, 0, 0, P5_SP_ANGLE, 1, 0 },
	{ M(FCOS), 0, P5_NP, 72, 72, 72, P5_UNIT_NONE, 0, 0, P5_SP_ANGLE, 1, 0 },
	{ M(FSINCOS), 0, P5_NP, 89, 89, 89, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 1, 0 },
	{ M(FPTAN), 0, P5_NP, 120, 120, 120, P5_UNIT_NONE, 0, 1, P5_SP_NONE, 1, 0 },
	{ M(FPATAN), 0, P5_NP, 112, 112, 112, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 1, 0 },
	{ M(F2XM1), 0, P5_NP, 53, 53, 53, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 1, 0 },
	{ M(FYL2X), 0, P5_NP, 103, 103, 103, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 1, 0 },
	{ M(FYL2XP1), 0, P5_NP, 105, 105, 105, P5_UNIT_NONE, 0, -1, P5_SP_NONE, 1, 0 },
	/* control */
	/* Intel has 2 for the stack pointer, measured 1 */
	{ M(FNOP), 0, P5_NP, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	/* Intel has 2 for the stack pointer, measured 1 */
	{ M(FINCSTP), 0, P5_NP, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	/* Intel has 2 for the stack pointer, measured 1 */
	{ M(FDECSTP), 0, P5_NP, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FFREE), 0, P5_NP, 2, 2, 2, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FNSTSW), 0, P5_NP, 6, 6, 6, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FLDCW), 0, P5_NP, 8, 8, 8, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FNSTCW), 0, P5_NP, 2, 2, 2, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FNCLEX), 0, P5_NP, 6, 6, 6, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 }, /* 6 to 9 */
	{ M(FNINIT), 0, P5_NP, 12, 12, 12, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 }, /* 12 to 22 */
	/* 124 to 300 */
	{ M(FNSAVE), 0, P5_NP, 124, 124, 124, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FRSTOR), 0, P5_NP, 70, 70, 70, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 }, /* 70 to 95 */
	{ M(FLDENV), 0, P5_NP, 32, 32, 32, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FNSTENV), 0, P5_NP, 48, 48, 48, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
	{ M(FWAIT), 0, P5_NP, 1, 1, 1, P5_UNIT_NONE, 0, 0, P5_SP_NONE, 0, 0 },
};
const size_t p5_x87_row_count = COUNT(p5_x87_rows);

/*
 * All take one clock in EX. EMMS: Intel says up to 50 with the x87 instruction behind it, measured
 * 1.
 */
const struct p5_mmx_row p5_mmx_rows[] = {
	/* mnemonic, unit, latency, flags */
	{ M(MOVD), P5_UNIT_NONE, 1, 0 },
	{ M(MOVQ), P5_UNIT_NONE, 1, 0 },
	{ M(PADDB), P5_UNIT_NONE, 1, 0 },
	{ M(PADDW), P5_UNIT_NONE, 1, 0 },
	{ M(PADDD), P5_UNIT_NONE, 1, 0 },
	{ M(PADDSB), P5_UNIT_NONE, 1, 0 },
	{ M(PADDSW), P5_UNIT_NONE, 1, 0 },
	{ M(PADDUSB), P5_UNIT_NONE, 1, 0 },
	{ M(PADDUSW), P5_UNIT_NONE, 1, 0 },
	{ M(PSUBB), P5_UNIT_NONE, 1, 0 },
	{ M(PSUBW), P5_UNIT_NONE, 1, 0 },
	{ M(PSUBD), P5_UNIT_NONE, 1, 0 },
	{ M(PSUBSB), P5_UNIT_NONE, 1, 0 },
	{ M(PSUBSW), P5_UNIT_NONE, 1, 0 },
	{ M(PSUBUSB), P5_UNIT_NONE, 1, 0 },
	{ M(PSUBUSW), P5_UNIT_NONE, 1, 0 },
	{ M(PCMPEQB), P5_UNIT_NONE, 1, 0 },
	{ M(PCMPEQW), P5_UNIT_NONE, 1, 0 },
	{ M(PCMPEQD), P5_UNIT_NONE, 1, 0 },
	{ M(PCMPGTB), P5_UNIT_NONE, 1, 0 },
	{ M(PCMPGTW), P5_UNIT_NONE, 1, 0 },
	{ M(PCMPGTD), P5_UNIT_NONE, 1, 0 },
	{ M(PAND), P5_UNIT_NONE, 1, 0 },
	{ M(PANDN), P5_UNIT_NONE, 1, 0 },
	{ M(POR), P5_UNIT_NONE, 1, 0 },
	{ M(PXOR), P5_UNIT_NONE, 1, 0 },
	{ M(PMULHW), P5_UNIT_MMX_MULTIPLY, 3, 0 },
	{ M(PMULLW), P5_UNIT_MMX_MULTIPLY, 3, 0 },
	{ M(PMADDWD), P5_UNIT_MMX_MULTIPLY, 3, 0 },
	{ M(PSLLW), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PSLLD), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PSLLQ), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PSRAW), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PSRAD), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PSRLW), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PSRLD), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PSRLQ), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PUNPCKHBW), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PUNPCKHWD), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PUNPCKHDQ), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PUNPCKLBW), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PUNPCKLWD), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PUNPCKLDQ), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PACKSSWB), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PACKSSDW), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(PACKUSWB), P5_UNIT_MMX_SHIFT, 1, 0 },
	{ M(EMMS), P5_UNIT_NONE, 1, P5F_EMMS },
};
const size_t p5_mmx_row_count = COUNT(p5_mmx_rows);
/* clang-format on */
