/*
 * sim/timing/p5.h - pipeline timing model of the Pentium (P54C) and the Pentium MMX (P55C).
 *
 * Follows the pairing and pipeline rules of Intel's Pentium Processor Family Developer's Manual
 * (volume 1, pipeline and instruction flow; optimisation chapter) and Agner Fog's description of
 * the Pentium; clocks of single instructions come from the same two and are checked against the
 * InstLatX64 measurements of a real P54C and P55C (sim/tests/p5-measured.csv).
 *
 * Use: p5_decode() once per instruction address, p5_step() once per retired instruction in program
 * order. The model has no cache, TLB or branch predictor of its own: what those did comes in
 * struct p5_dyn. Time is the sum of p5_result.clocks.
 */
#ifndef SIM_TIMING_P5_H
#define SIM_TIMING_P5_H

#include <stdbool.h>
#include <stdint.h>
#include <Zydis/Zydis.h>

enum p5_kind {
	P5_P54C, /* Pentium, 75 to 200 MHz */
	P5_P55C, /* Pentium MMX */
};

enum p5_pipe_name { P5_PIPE_U, P5_PIPE_V };

/* Facts that p5_step() needs only for few instructions: p5_insn.needs says for which. */
enum p5_needs {
	P5_NEEDS_FPCW = 1,   /* p5_dyn.fpcw: x87 control word, for precision control */
	P5_NEEDS_FPZERO = 2, /* p5_dyn.fp_zero: dividend, radicand or angle is +0 or -0 */
	P5_NEEDS_EAX = 4,    /* p5_dyn.eax: CPUID leaf */
	P5_NEEDS_REP = 8,    /* p5_dyn.rep: iterations of a REP string instruction */
	P5_NEEDS_ANGLE = 16, /* p5_dyn.angle */
};

/* Static attributes of one instruction. Only sim/timing/p5_*.c look inside, except needs. */
struct p5_insn {
	uint16_t clocks;  /* in EX when alone, operands in the cache */
	uint16_t latency; /* x87 and MMX: clocks from EX until the result may be read */
	uint16_t next;    /* x87: clocks until the x87 unit takes the next instruction */
	uint16_t busy;    /* clocks until the unit takes the next instruction of that unit */
	uint16_t flags;   /* P5F_ of sim/timing/p5_table.h */
	uint8_t read;     /* general registers read, bit n = register n (EAX = 0) */
	uint8_t write;    /* general registers written */
	uint8_t address;  /* registers of effective addresses, with implicit ESP */
	uint8_t pair;     /* enum p5_pairing */
	uint8_t shape;    /* enum p5_shape: row and column of the pair time table */
	uint8_t unit;     /* enum p5_unit */
	uint8_t special;  /* enum p5_special: clocks depend on something in struct p5_dyn */
	uint8_t decode;   /* clocks that prefixes add in the decoder */
	uint8_t length;   /* bytes */
	uint8_t needs;    /* enum p5_needs, or-ed */
	uint8_t mm_read;  /* MMX registers */
	uint8_t mm_write;
	uint8_t st_read;  /* x87 registers, bit i = ST(i) before a push */
	uint8_t st_write; /* bit i = ST(i) after a push, before a pop */
	int8_t st_push;   /* 1: pushes; -1, -2: pops */
	uint8_t st_swap;  /* FXCH: the i of ST(i) */
	uint8_t st_zero;  /* P5_NEEDS_FPZERO: the i of the ST(i) to test, before the instruction */
	uint8_t flops;    /* what event 22h counts for it */
};

/* One data access. In the order in which the instruction makes them. */
struct p5_access {
	uint64_t address; /* linear */
	uint8_t size;     /* bytes */
	bool write;
	bool miss; /* not in the data cache when accessed */
	bool tlb_miss;
};

enum { P5_ACCESSES = 4 };

/* What happened when one instruction executed. All zero is a register instruction that hit. */
struct p5_dyn {
	uint64_t rip; /* linear address of the instruction */
	struct p5_access access[P5_ACCESSES];
	uint8_t accesses;        /* used entries; of more than P5_ACCESSES give the first ones */
	uint32_t more_read_miss; /* read misses beyond those in access[] (REP, POPA, FRSTOR) */
	uint32_t more_write_miss;
	uint32_t rep;      /* P5_NEEDS_REP: iterations done; 0 without a prefix */
	uint32_t eax;      /* P5_NEEDS_EAX: before the instruction */
	uint16_t fpcw;     /* P5_NEEDS_FPCW */
	bool fp_zero;      /* P5_NEEDS_FPZERO */
	double angle;      /* P5_NEEDS_ANGLE: ST(0) of FSIN and FCOS */
	bool taken;        /* branch: taken */
	bool mispredicted; /* branch: wrong direction or target, or taken and not in the BTB */
	bool first_run;    /* first execution since its line came into the code cache (P54C) */
	uint8_t code_miss; /* code lines that had to be fetched for it, 0 to 2 */
	uint8_t code_tlb_miss;
	uint8_t cpl; /* privilege level it ran at: 0 to 3 */
};

/* What one p5_step() took and caused. Clocks are TSC clocks. */
struct p5_result {
	uint32_t clocks;    /* added by this instruction; 0 is normal for the second of a pair */
	uint8_t pipe;       /* enum p5_pipe_name. Instructions with P5_PIPE_V make event 17h */
	bool bank_conflict; /* 0Ah: both of the pair want one bank (0Ah counts the pair once) */
	bool both_pipes_memory;  /* 09h: both of the pair access data */
	bool flush;              /* 15h: the pipeline was flushed */
	bool flush_wb;           /* 35h counter 1: by a branch in V, resolved in WB (P55C) */
	uint8_t misaligned;      /* 0Bh: misaligned data accesses */
	uint8_t flops;           /* 22h */
	bool mmx;                /* 2Bh: an MMX instruction, in the pipe given (P55C) */
	uint32_t agi;            /* 1Fh: clocks lost to address generation interlock */
	uint32_t write_stall;    /* 19h: clocks lost with the write buffers full */
	uint32_t read_stall;     /* 1Ah: clocks lost waiting for data reads */
	uint32_t fp_stall;       /* 32h counter 0: clocks lost waiting for the x87 unit (P55C) */
	uint32_t mmx_wait;       /* 38h counter 0: clocks lost waiting for an MMX multiply (P55C) */
	uint32_t mmx_store_wait; /* 38h counter 1: MMX store right after its producer (P55C) */
	uint32_t em_stall;       /* 1Bh: clocks lost by a write hit while write buffers drain */
	uint32_t tlb_stall;      /* 30h counter 1: clocks of data page walks (P55C) */
	uint32_t bus_busy;       /* 18h: clocks of the bus cycles that it started */
	uint32_t prefix;         /* clocks lost decoding prefixes; no event */
	uint32_t code_stall;     /* clocks lost fetching code; no event */
};

/*
 * Clocks of the machine around the core. The defaults of read_miss, write_halves and locked follow
 * from two machines that InstLatX64 measured: 100 MHz P54C and 200 MHz P55C on a 66 MHz bus with a
 * board cache. Those of code_miss, tlb_miss and io are unverified.
 */
struct p5_bus {
	uint16_t read_miss;    /* stall of a data read that misses */
	uint16_t write_halves; /* half clocks of one write to the bus, for which it has a buffer */
	uint16_t code_miss;    /* stall of a code line fill */
	uint16_t tlb_miss;     /* page walk */
	uint16_t locked;       /* added by a locked read and write */
	uint16_t io;           /* added by IN and OUT */
	uint8_t write_buffers; /* P54C: one in each pipe; P55C: four shared */
};

enum { P5_WRITE_BUFFERS = 4 };

/* Units that two instructions may not use at the same time. */
enum p5_unit {
	P5_UNIT_NONE,
	P5_UNIT_X87_MULTIPLY,
	P5_UNIT_X87_DIVIDE,
	P5_UNIT_MMX_MULTIPLY,
	P5_UNIT_MMX_SHIFT,
	P5_UNITS,
};

/*
 * State of one processor's pipeline, private to sim/timing/p5_*.c except kind, bus and now. Times
 * are clocks since reset. "Ready" times are those of the EX stage.
 */
struct p5_pipe {
	enum p5_kind kind;
	struct p5_bus bus;
	uint64_t now;          /* EX is free for the next pair; advances by p5_result.clocks */
	uint64_t start;        /* the current pair entered EX */
	uint64_t enter_d2;     /* the current pair entered D2 and freed the decoder */
	uint64_t enter_d1;     /* the current pair entered D1 */
	uint64_t fetched;      /* P55C: last instruction's length known, it is in the FIFO */
	uint64_t left_fifo[4]; /* P55C: when the last four instructions left the FIFO */
	uint64_t agi_ready[8]; /* general register may be used for an address */
	uint64_t mm_ready[8];
	uint64_t mm_store[8]; /* ready for a store or a move to a general register */
	uint64_t st_ready[8]; /* physical x87 registers */
	uint64_t st_store[8];
	uint64_t x87_free;
	uint64_t unit_free[P5_UNITS];
	uint64_t buffer_free[P5_WRITE_BUFFERS];
	uint64_t bus_free;
	uint8_t bus_half; /* half a clock that the last write ended before bus_free */
	struct p5_insn u; /* the first of the pair, while open */
	struct p5_access u_access[P5_ACCESSES];
	uint64_t u_end;    /* linear address behind it */
	uint32_t u_clocks; /* stalls of it in EX: misses, misalignment */
	uint8_t u_accesses;
	bool open; /* u may get a partner */
	bool u_first_run;
	bool fetch_room; /* P55C: another instruction may leave the length decoder this clock */
	bool fxch_in_v;  /* the last pair had an FXCH in V */
	bool mmx_state;  /* P55C: MMX since the last x87 instruction */
	uint8_t fifo_next;
	uint8_t top; /* x87 stack top */
};

/* Power-up state with default bus clocks; change p->bus afterwards for another board. */
void p5_reset(struct p5_pipe *p, enum p5_kind kind);

/*
 * Static attributes of a decoded instruction (operands: insn->operand_count of them). Never fails:
 * an instruction that the kind lacks gets one clock, not pairable.
 */
struct p5_insn p5_decode(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands,
                         enum p5_kind kind);

/* One retired instruction. Fills all of *out. */
void p5_step(struct p5_pipe *p, const struct p5_insn *insn, const struct p5_dyn *dyn,
             struct p5_result *out);

/*
 * Something outside of the instruction stream (interrupt, exception, SMI, HLT): drains the pipeline
 * and takes that many clocks. The next instruction starts in U. flush: count it in event 15h, as
 * interrupts and exceptions are.
 */
void p5_event(struct p5_pipe *p, uint32_t clocks, bool flush, struct p5_result *out);

/*
 * Text for --trace: pairing class of an instruction, "UV", "PU", "PV", "NP", or "FX" for those in U
 * that pair with an FXCH.
 */
const char *p5_pairing_text(const struct p5_insn *insn);

#endif
