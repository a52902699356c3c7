/*
 * sim/cpu/decode.h - what the simulator keeps of a decoded instruction, by physical address.
 */
#ifndef SIM_CPU_DECODE_H
#define SIM_CPU_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

#include "sim/timing/core.h"
#include "sim/timing/p5.h"
#include "sim/pmu/signal.h"

/* Instructions that the simulator executes itself, or looks at before the engine does. */
enum insn_kind {
	K_PLAIN,
	K_UNDEFINED, /* the model lacks it */
	K_F00F,      /* undefined, and the processor may lock up (system.c) */
	K_CPUID,
	K_RDTSC,
	K_RDTSCP,
	K_RDMSR,
	K_WRMSR,
	K_RDPMC,
	K_IN,
	K_OUT,
	K_INS,
	K_OUTS,
	K_HLT,
	K_INT,
	K_INT1,
	K_INT3,
	K_INTO,
	K_MONITOR,
	K_MWAIT,
	K_WBINVD,
	K_CR_WRITE,
	K_CR8_READ,
	K_DR,
	K_INVLPG,
	K_CLFLUSH,
	K_PREFETCH,
	K_IRET,
	K_RETF,
	K_SYSCALL,
	K_POPCNT,
	K_TABLE,    /* LGDT, LIDT */
	K_SELECTOR, /* LLDT, LTR */
	K_SMSW,
	K_MXCSR,   /* LDMXCSR, FXRSTOR */
	K_ALIGNED, /* #GP if its operand in memory is not a multiple of 16 */
};

enum insn_flags {
	I_REP = 1,     /* repeated string instruction */
	I_MODE = 2,    /* re-read the processor's mode after it */
	I_FLUSH = 4,   /* address translation may change */
	I_SHADOW = 8,  /* STI, MOV SS, POP SS: one instruction without interrupts */
	I_ALWAYS = 16, /* unconditional: taken even to the next address */
	I_MMX = 32,
	I_X87 = 64,
	I_LOOSE = 128, /* makes more data accesses than it has operands: do not join them */
	I_ADDRESS16 = 256,
	I_ADDRESS32 = 512,
	I_EMMS = 1024,
	I_SEGMENT = 2048, /* writes a segment register: its base may be another */
};

enum { INSN_SIGNALS = 18 };

struct insn {
	uint64_t physical; /* of its first byte */
	uint32_t fill;     /* code_page.fills of its line when it last executed (P5) */
	uint16_t flags;
	uint8_t kind;
	uint8_t branch; /* enum sim_branch */
	uint8_t length;
	uint8_t mode;
	uint8_t loads, stores;
	uint8_t imm;     /* INT n, port number */
	uint16_t offset; /* of a read at a register + 1 to 2047, without index; else 0 */
	uint8_t width;   /* I/O: bytes */
	bool imm_port;
	bool easy;       /* to retire it means nothing but clocks and accesses (core_machine) */
	uint8_t signals; /* used entries */
	uint8_t signal[INSN_SIGNALS];
	uint8_t count[INSN_SIGNALS];
	struct {
		int8_t base, index; /* general registers; -1: none */
		uint8_t scale, segment;
		bool rip;
		int32_t displacement;
	} memory;       /* K_ALIGNED */
	int64_t target; /* direct branch: relative to the next instruction */
	union {
		struct p5_insn p5;
		struct core_insn core;
	};
};

enum { CODE_LINES = 4096 / 32 };

/* Decoded instructions of one physical page. */
struct code_page {
	uint64_t used; /* bit n: something decoded that touches bytes 64n .. 64n + 63 */
	uint64_t ran;  /* bit n: something there was fetched since these bytes were written */
	uint32_t fills[CODE_LINES];
	struct insn *insn[4096];
};

struct cpu;
struct machine;
struct insn_pool;

/*
 * The instruction at this linear address, decoded now or before. cpu->fetch is that of its page
 * (fetch_page()). NULL: no memory for it.
 */
struct insn *decode_at(struct cpu *cpu, uint64_t linear);
/* Drops what was decoded from these bytes. */
void decode_forget(struct machine *pc, uint64_t physical, uint64_t size);
/* Frees every decoded instruction. */
void decode_free(struct machine *pc);
/* Reads up to 15 bytes at a linear address; returns how many are present. */
size_t decode_fetch(struct cpu *cpu, uint64_t linear, uint8_t bytes[15]);
/* The instruction there is undefined, and the engine's translator would not survive it. */
bool decode_upsets_engine(struct cpu *cpu, uint64_t linear);
/*
 * mode: 16, 32 or 64; ops: ZYDIS_MAX_OPERAND_COUNT of them. False: undefined, or longer than `size`
 * bytes.
 */
bool decode_bytes(unsigned mode, const uint8_t *bytes, size_t size, ZydisDecodedInstruction *zi,
                  ZydisDecodedOperand *ops);

#endif
