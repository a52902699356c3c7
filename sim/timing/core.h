/*
 * sim/timing/core.h - clocks of every processor but the Pentium: one superscalar core, whose
 * parameters are rows of sim/timing/rows/ (sim/docs/clocks.md).
 *
 * The model is a scoreboard. It does not step through clocks: each retired instruction gets the
 * times at which it is fetched, renamed, executed and retired, from the times of the instructions
 * before it. core_machine() reads the rows of one processor, core_decode() finds the class of an
 * instruction, core_step() is called once per retired instruction in program order.
 */
#ifndef SIM_TIMING_CORE_H
#define SIM_TIMING_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <Zydis/Zydis.h>

/* Times are in quarters of a clock. */
enum { CORE_TICKS = 4, CORE_SLOPE = 64, CORE_CASES = 6 };

/*
 * Parameters of a processor, a line of sim/timing/rows/machines.csv each. Sizes and widths are
 * numbers, latencies are clocks (kept in ticks) and may have a fraction.
 */
/* clang-format off */
#define CORE_PARAMETERS(SIZE, TIME) \
	SIZE(in_use,           "1: the simulator takes the clocks of this model from here") \
	/* front end */ \
	SIZE(fetch_bytes,      "bytes of code that the decoders take a clock, aligned; a power of" \
			       " two") \
	SIZE(decode_width,     "instructions decoded a clock") \
	SIZE(decode_uops,      "fewest uops of instructions that only the first decoder takes") \
	SIZE(prefixes,         "prefixes that decode at once; with more each takes a clock") \
	SIZE(prefix_clocks,    "clocks of such an instruction beyond one for each prefix") \
	SIZE(prefix_group,     "0: as above; else prefixes and escape bytes decoded at a time. A" \
			       " group takes 3 clocks and an instruction one more, in each of two" \
			       " clusters of decoders") \
	SIZE(prefix_block,     "0: as above; else aligned bytes of code: all that hold prefixes" \
			       " of such instructions take a clock each") \
	SIZE(prefix_free,      "while each of their prefixes beyond so many") \
	SIZE(prefix_eighths,   "takes so many eighths of a clock") \
	SIZE(prefix_width,     "instructions with a prefix that are decoded a clock; 0: any") \
	SIZE(whole_blocks,     "1: decoders take fetch_bytes of whole instructions at a time") \
	SIZE(microcode_waits,  "1: decoders stand still while an instruction with the flag `ms`" \
			       " executes, for as many clocks as its row says") \
	SIZE(decode_window,    "aligned bytes out of which all instructions of a clock come, an" \
			       " instruction across two of them alone; 0: any") \
	TIME(lcp_stall,        "clocks that a length-changing prefix costs the decoders") \
	SIZE(lcp_lines,        "1: once for each fetch_bytes, however many are in them") \
	SIZE(lcp_f7,           "1: 66H before opcode F7H is taken for one, whether an immediate" \
			       " follows or not; 2: only 14 bytes into fetch_bytes") \
	SIZE(uop_cache_sets,   "sets of the uop cache (trace cache); 0: none") \
	SIZE(uop_cache_ways,   "its ways") \
	SIZE(uop_cache_line,   "uops of one of its lines") \
	SIZE(uop_cache_lines,  "most lines of one window; more code is decoded each time") \
	SIZE(uop_cache_window, "bytes of code that one window covers, a power of two") \
	SIZE(uop_cache_width,  "uops it delivers a clock") \
	SIZE(wide_immediates,  "1: an immediate beyond 16 bits takes the place of a uop" \
			       " there, unless the instruction before has no such immediate") \
	TIME(taken_bubble,     "clocks without code behind a taken branch") \
	TIME(mispredict,       "clocks from a wrong branch's execution to the code behind it") \
	SIZE(decode_queue,     "instructions between decoders and rename") \
	SIZE(macro_fusion,     "1: CMP and TEST fuse with a conditional branch; 2: ADD, SUB, AND," \
			       " INC, DEC too") \
	SIZE(nop_fusion,       "1: a NOP is one uop with the instruction before it, but for a NOP" \
			       " that is so already") \
	/* rename and retirement */ \
	SIZE(rename_width,     "uops renamed a clock, fused ones count one") \
	SIZE(register_reads,   "registers that nothing under way writes, read for the uops of a" \
			       " clock of rename; 0: any") \
	SIZE(rob,              "uops in the reorder buffer") \
	SIZE(scheduler,        "uops waiting for their operands") \
	SIZE(alu_queues,       "1: each port of port.alu has a queue. A renamed uop goes into" \
			       " that of the uop it waits for, else into the shortest of those" \
			       " that the fewest uops of this clock have chosen") \
	SIZE(replay_loop,      "clocks of a round of what was sent to a port before its operands" \
			       " were there, because a load was taken for a hit; 0: nothing is") \
	SIZE(replay_rounds,    "most rounds of a uop, which then waits elsewhere; 0: any") \
	SIZE(load_queue,       "loads between rename and retirement") \
	SIZE(store_queue,      "stores between rename and their write to the cache") \
	SIZE(retire_width,     "uops retired a clock") \
	SIZE(zero_idioms,      "1: rows with the flag `zero` hold") \
	SIZE(move_elimination, "1: rows with the flag `move` hold") \
	SIZE(fuse_load,        "1: a load and the uop that uses it are one until they execute") \
	SIZE(fuse_store,       "1: so are address and data of a store") \
	SIZE(partial_merge,    "1: writing 8 or 16 bits of a register waits for the other bits") \
	TIME(high_byte,        "more for an instruction that reads AH, BH, CH or DH") \
	SIZE(flags_merge,      "1: writing some of the arithmetic flags waits for the others") \
	TIME(partial_stall,    "more to read 32 bits of a register after a write of fewer") \
	SIZE(stack_engine,     "1: PUSH, POP, CALL and RET do not wait for the stack pointer") \
	/* memory */ \
	TIME(load,             "clocks from address to result of a load that hits L1") \
	TIME(load_indexed,     "more with an index register") \
	TIME(load_chase,       "less when the address is the result of a load, without index") \
	TIME(load_vector,      "as `load`, into a vector register") \
	TIME(load_x87,         "the same, into an x87 register") \
	TIME(load_narrow,      "more for 8 and 16 bits") \
	TIME(forward,          "from a store's data to the result of a load of it") \
	TIME(forward_narrow,   "more for 8 and 16 bits") \
	TIME(forward_part,     "more into a part of a general register") \
	TIME(forward_vector,   "as `forward`, for vector registers") \
	TIME(forward_fail,     "from the store's write to the cache, if bytes are missing") \
	SIZE(forward_start,    "1: or if the store begins at another address than the load") \
	SIZE(fill_buffers,     "misses of the first level that are under way at a time") \
	SIZE(fill_buffers_two, "the same for each of two threads while both run") \
	TIME(locked,           "more for a locked instruction, which none can overlap") \
	TIME(locked_near,      "the same, if the one before it was in the same line; 0: no other") \
	TIME(store_commit,     "clocks between two stores' writes to different lines") \
	TIME(store_near,       "the same to one line, if that is less") \
	SIZE(split_load,       "more clocks of the port of a load across a line") \
	TIME(split_store,      "more clocks of the write of a store across a line")
/* clang-format on */

struct core_parameters {
#define CORE_PARAMETER(name, text) uint16_t name;
	CORE_PARAMETERS(CORE_PARAMETER, CORE_PARAMETER)
#undef CORE_PARAMETER
	/* sets of ports, bit n = port n */
	uint16_t port_load, port_load_vector, port_address, port_data, port_data_vector;
	uint16_t port_double; /* these begin a uop in the middle of a clock too; 0: all do */
	uint16_t port_queues; /* these have a queue each, see alu_queues */
};

/* The registers of the scoreboard. */
enum core_register {
	CORE_GPR = 0,
	CORE_CF = 16,
	CORE_FLAGS = 17, /* SF, ZF, PF, AF, OF */
	CORE_DF = 18,
	CORE_ST = 19, /* 8; of a decoded instruction: relative to the top of the stack */
	CORE_MM = 27,
	CORE_XMM = 35, /* 32 */
	CORE_FPSW = 67,
	CORE_FPCW = 68,
	CORE_MXCSR = 69,
	CORE_SYSTEM = 70,  /* segment, control and debug registers */
	CORE_NOTHING = 71, /* always there: what fills src and address of a decoded instruction */
	CORE_NOWHERE = 72, /* never read: what fills its dst */
	CORE_REGISTERS = 73,
};

enum core_flags {
	CORE_ZERO = 1,       /* same source registers: the result does not depend on them */
	CORE_MOVE = 2,       /* done by renaming */
	CORE_FENCE = 4,      /* starts when everything before it has completed */
	CORE_SERIAL = 8,     /* and nothing behind it is fetched before it retires */
	CORE_COMPLEX = 16,   /* the first decoder only */
	CORE_MICROCODE = 32, /* nothing else is decoded in its clock */
	CORE_BRANCH = 64,    /* set from the instruction, not by a row */
	CORE_TEST = 128,     /* fuses with a conditional branch, as `macro_fusion` says */
	CORE_COND = 256,     /* a conditional branch that may fuse: from the instruction */
	CORE_LCP = 512,      /* has a length-changing prefix: from the instruction */
	CORE_STACK = 1024,   /* moves the stack pointer as PUSH and POP do: from the instruction */
	CORE_SWAP = 2048,    /* FXCH or XCHG of two registers by renaming */
	CORE_BREAKS = 8192,  /* executes, but does not wait for its sources */
	CORE_LOCK = 16384,   /* locked: from the instruction */
	CORE_F7 = 32768,     /* 66H and opcode F7H, without an immediate: from the instruction */
	CORE_CARRY = 4096,   /* CF is there after one clock, whatever the latency of the rest */
};

enum { CORE_UOPS = 6, CORE_PORTS = 16, CORE_UNITS = 4 };

/* A group of equal uops. */
struct core_uop {
	uint16_t ports; /* bit n: port n can take it; 0: it occupies a unit and is no uop */
	uint8_t count;
	uint8_t busy; /* whole clocks for which it occupies port or unit */
	uint8_t unit;
	bool divides; /* what it occupies is the divider */
};

/*
 * What is known of one decoded instruction. Only sim/timing/core*.c look inside. The last group
 * follows from the others: core_step() would find it out each time.
 */
struct core_insn {
	uint8_t src[8], address[4], dst[8];
	uint8_t srcs, addresses, dsts;
	uint8_t loads, stores;
	uint8_t load_kind; /* enum core_load */
	bool indexed;      /* the address has an index register */
	bool narrow;       /* memory operand of 8 or 16 bits */
	uint8_t fused;     /* uops as rename counts them */
	uint8_t length;
	uint8_t prefixes;    /* of the old kind, such as 66H; with escape bytes if prefix_group */
	uint8_t uops;        /* used entries of uop */
	bool occupies;       /* some of them are units */
	int8_t push;         /* x87: 1 pushes, -1 and -2 pop */
	uint8_t swap;        /* x87: the i of FXCH ST(i) */
	uint8_t moves;       /* bit n: dst[n] is a pointer that moves on, ready after the address */
	uint8_t second;      /* index in dst of the result with latency[1] */
	uint16_t latency[2]; /* ticks, from the last source to the result */
	uint16_t slope;      /* that one unit of core_dyn.quantity adds, CORE_SLOPE to a tick */
	uint8_t quotient;    /* bits of the operand that a division gives its quotient; else 0 */
	bool negative;       /* the quotient may be */
	bool precision;      /* x87: takes as long as the control word demands digits */
	uint8_t kind;        /* enum core_cases: what core_dyn.quantity is, if the row has cases */
	uint8_t cases;       /* how many the row has; 0: none */
	uint8_t operand[2];  /* i of the ST(i) that is divided, and by which; 8: memory */
	uint16_t wide;       /* bit n: reads 32 bits or more of general register n */
	uint16_t part;       /* bit n: writes less */
	uint16_t more[CORE_CASES]; /* ticks of each beyond latency[0] */
	uint16_t flags;            /* enum core_flags */
	struct core_uop uop[CORE_UOPS];
	bool plain;          /* few registers; no fence, lock, unit, x87, or time by operands */
	bool one_latency;    /* latency[0] after the start all its results are there */
	bool chases;         /* a load from what a load gave may be faster */
	bool wide_immediate; /* an immediate beyond 16 bits, and `wide_immediates` is 1 */
	bool pauses;         /* PAUSE */
	bool slow_lea;       /* LEA with base, index and displacement, of RIP or of 16 bits */
	bool nop;            /* neither executes nor writes */
	bool first;          /* only the first decoder takes it */
	bool slow_decode;    /* decoding it is more: prefixes, a changed length, microcode */
	uint16_t single;     /* ports of its only uop, which takes them for a clock; 0: not so */
	uint16_t general;    /* bit n: writes general register n */
	uint16_t loaded;     /* the same, if it is nothing but a load */
	uint16_t bases;      /* bit n: general register n is in its address */
	uint16_t reads;      /* bit n: general register n is there or in src */
	uint16_t load_time;  /* ticks from an address to what is loaded from there */
	uint16_t longest;    /* of latency, and the clock of a uop */
};

/* Registers of an instruction that is plain. */
enum { PLAIN_SOURCES = 3, PLAIN_ADDRESSES = 2, PLAIN_RESULTS = 3 };

/* Where the time of an instruction depends on its operands: what the cases of a row are. */
enum core_cases {
	CORE_NO_CASES,
	CORE_DIVISION, /* enum core_division */
	CORE_ROOT,     /* the same */
	CORE_SINE,     /* as core_angle() tells */
	CORE_COSINE,
	CORE_QUOTIENT, /* DIV and IDIV, as core_quotient() tells */
};

/* Cases of FDIV and FSQRT. A power of two is what the divisor or the operand of the root is. */
enum core_division {
	CORE_DIVIDE_ZERO,
	CORE_DIVIDE_POWER,
	CORE_DIVIDE_SINGLE, /* the precision that the control word demands */
	CORE_DIVIDE_DOUBLE,
	CORE_DIVIDE_EXTENDED,
};

/*
 * The case of FSIN or FCOS, fitted to the lists of InstLatX64: 0 zero; 1 and 2 a sine is computed
 * after the argument was reduced to a quarter of pi, of a small angle (below 1/4) and of another;
 * 3 and 4 the same of a cosine. 8 more beyond 3/4 pi: a row that has six cases takes the last.
 */
unsigned core_angle(double angle, bool cosine);

/* The case of a division: 0 a quotient of zero, 1 to 4 one of at most 8, 16, 32 or 64 bits. */
unsigned core_quotient(unsigned bits);

enum core_load { CORE_LOAD_GPR, CORE_LOAD_VECTOR, CORE_LOAD_X87 };

/* One row of a table, as the build made it from the CSV file. */
struct core_row_text {
	const char *table; /* name of the file */
	unsigned line;
	const char *mnemonics, *operands, *uops, *latency, *flags, *source;
};

struct core_parameter_text {
	const char *machine;
	unsigned line;
	const char *name, *value, *source;
};

/* The rows of all tables, in the order of their files. A program may put others here. */
extern const struct core_row_text *core_row_texts;
extern size_t core_row_text_count;
extern const struct core_parameter_text core_parameter_texts[];
extern const size_t core_parameter_text_count;

/* A line of sim/timing/measured.csv: `good` of the `figures` figures held out are good. */
struct core_share {
	const char *machine;
	unsigned figures, good;
};

extern const struct core_share core_shares[];
extern const size_t core_share_count;

struct core_row;

/* One processor: its parameters and rows, those it inherits behind its own. */
struct core_machine {
	const char *name;  /* as in machines.csv */
	const char *table; /* whose rows it has: its own name, or the nearest that has any */
	struct core_parameters p;
	uint8_t fetch_shift, window_shift; /* log2 of fetch_bytes and uop_cache_window */
	struct core_row *row;
	size_t rows;
	int32_t first[ZYDIS_MNEMONIC_MAX_VALUE + 1]; /* first row of a mnemonic; -1: none */
};

/*
 * Reads the rows of a processor. NULL: machines.csv does not have it, or there is no memory; or a
 * row is wrong, and then *why says where and what (static storage).
 */
struct core_machine *core_machine(const char *name, const char **why);
void core_machine_free(struct core_machine *m);

/*
 * The class of an instruction and what it reads and writes. ops: zi->operand_count of them. Never
 * fails: an instruction without a row takes the row of the mnemonic `*`.
 */
struct core_insn core_decode(const struct core_machine *m, const ZydisDecodedInstruction *zi,
                             const ZydisDecodedOperand *ops);

/*
 * *loads: the number of its loads that are one uop with a computation. *stores: the number of its
 * stores whose address and data are one uop.
 */
void core_fused(const struct core_machine *m, const struct core_insn *insn, unsigned *loads,
                unsigned *stores);

/* One data access of an instruction, in the order in which it makes them. */
struct core_access {
	uint64_t address; /* linear */
	uint32_t extra;   /* clocks beyond those of a hit in the first level */
	uint8_t size;     /* bytes */
	uint8_t level;    /* that has the data: 0 the first, 1 the second, 2 the last, 3 none */
	uint8_t walk;     /* of `extra`, clocks of page walks; 255: that many or more */
	uint8_t stlb;     /* and before those, clocks of hits of the second TLB; the same */
	bool uncached;
	bool write;
};

enum { CORE_ACCESSES = 6 };

/* What happened when one instruction executed. All zero is a register instruction that hit. */
struct core_dyn {
	uint64_t rip; /* linear */
	struct core_access access[CORE_ACCESSES];
	uint8_t accesses;
	uint32_t more;  /* clocks that accesses beyond these lost */
	uint32_t fetch; /* clocks that its code was waited for */
	/*
	 * Of these, first those of the code TLB, whose last are walks; last those beyond L2, whose
	 * last are those of lines that no cache has.
	 */
	uint32_t fetch_tlb, fetch_walk, fetch_l2, fetch_memory;
	uint32_t wait; /* clocks for which the processor did nothing else, such as a bus cycle */
	uint32_t quantity; /* of what core_insn.slope is for; the case if core_insn.cases */
	bool taken;        /* branch */
	bool mispredicted;
};

/* Why rename stood still. */
enum core_stall {
	CORE_STALL_CODE,
	CORE_STALL_ROB,
	CORE_STALL_SCHEDULER,
	CORE_STALL_LOADS,
	CORE_STALL_STORES,
	CORE_STALL_BARRIER,
	CORE_STALLS
};

/* Why rename waits for code. */
enum core_code {
	CORE_CODE_JUMP,      /* fetch begins anew behind a taken branch */
	CORE_CODE_TLB,       /* a translation */
	CORE_CODE_L2,        /* a line that L2 has, */
	CORE_CODE_LLC,       /* that the last level has, */
	CORE_CODE_MEMORY,    /* that no cache has */
	CORE_CODE_MICROCODE, /* an instruction of microcode is decoded */
	CORE_CODE_DECODE,    /* another one is */
	CORE_CODE_OTHER,
	CORE_CODES
};

/* What one core_step() took and caused. */
struct core_result {
	uint32_t clocks; /* between the retirement of the instruction before it and its own */
	uint32_t stall[CORE_STALLS]; /* clocks in which rename did nothing, by cause */
	uint8_t issued;              /* uops of the fused domain */
	uint16_t executed;           /* uops of the unfused domain, each time anew */
	uint16_t port[CORE_PORTS];   /* of these, by port */
	bool uop_cache;              /* its uops came from the uop cache */
	bool microcode;              /* they are microcode */
	bool complex;                /* the decoders decoded it, and only the first one can */
	bool macro_fused;            /* one uop with the instruction before it */
	bool eliminated;             /* a move or idiom that did not execute */
	bool forwarded;              /* a load took its data from a store in flight */
	bool forward_waited;         /* and the store had no data when the load began */
	uint8_t aliases;             /* loads that seem to hit another address's store */
	uint32_t code_clocks;        /* in which nothing was renamed for want of its code */
	uint8_t code_waits; /* bit n: rename waited for code, because of enum core_code n */
	uint8_t loads;      /* entries in load_ticks */
	uint32_t load_ticks[CORE_ACCESSES]; /* of each load, from its port to its data */
	uint64_t load_from;                 /* tick in which the last load took its port */
	uint8_t buffer_waits;               /* loads that waited for a line-fill buffer */
	uint8_t fill_hits;      /* loads that waited for a line which another one asked for */
	uint8_t prefix_stall;   /* clocks that a length-changing prefix cost the decoders */
	bool forward_failed;    /* a load waited for a store that has not all its bytes */
	bool forward_unaligned; /* or that has them, but begins at another address */
	bool fetch_jumped;      /* the instruction before it was a taken branch */
	uint64_t fetch_began;   /* clock */
	uint64_t renamed;       /* in this clock */
	uint64_t done;          /* first clock in which everything that it does is done */
};

enum {
	CORE_WINDOW = 4096,
	CORE_BLOCKS = CORE_WINDOW / 64,
	CORE_STORES = 128,
	CORE_QUEUE = 1024,
	CORE_FILLS = 32,
	CORE_FULL = 61
};

/* In no clock of [from, until) was a port of this set free. */
struct core_full {
	uint64_t from, until;
	unsigned ports;
};

/* The queues of port_queues. Clocks. */
struct core_queues {
	uint8_t given[CORE_PORTS]; /* uops renamed in `clock` that waited for none and chose it */
	uint64_t clock;
	/* until when the ports are busy: now, as before `clock`, and as two clocks before it */
	uint64_t until[CORE_PORTS], before[CORE_PORTS], seen[CORE_PORTS];
};

/* What two threads of a core have together: the clocks around now, in blocks of 64, and units. */
struct core_shared {
	uint64_t block_of[CORE_BLOCKS]; /* which block of clocks it is */
	uint16_t busy[CORE_WINDOW];     /* bit n: port n has a uop in this clock */
	uint16_t freed[CORE_WINDOW][2]; /* places in the scheduler, by thread */
	uint8_t renamed[CORE_WINDOW];   /* uops of both threads, while both run */
	uint8_t retired[CORE_WINDOW];
	struct core_full full[CORE_FULL];
	uint64_t unit[CORE_UNITS];
	uint64_t pressure[CORE_PORTS]; /* clocks of work, * CORE_PORTS + number of the port */
	uint64_t pressed;              /* the most of them, without the number */
	struct core_queues queues;
};

struct core_store {
	uint64_t address, data, commit; /* data, commit: ticks */
	uint8_t size;
};

/*
 * State of one processor, private to sim/timing/core*.c and per_clock.c except machine and running.
 * Clocks since reset. Two processors that are threads of one core have one struct core_shared.
 * While both run, each has half of the reorder buffer, of the scheduler and of the load and store
 * queues.
 */
struct core {
	const struct core_machine *machine;
	struct core_shared *shared; /* own, or that of thread 0 */
	unsigned thread;            /* 0 or 1 */
	unsigned running;           /* threads of this core that are not halted; the caller's */
	/* front end, clocks */
	uint64_t fetch_clock;  /* in which the next uops come */
	uint64_t resumed;      /* there was code again behind the last wrong branch */
	uint64_t fetch_end;    /* linear address behind the last instruction */
	uint64_t block;        /* fetched last by the decoders */
	uint64_t whole;        /* address of the first instruction of what the decoders hold */
	uint64_t lcp_line;     /* the last one with a length-changing prefix */
	uint64_t block_clock;  /* in which its bytes came */
	uint64_t window;       /* of the uop cache; NONE */
	uint64_t *cached;      /* windows in the uop cache, latest first in each set */
	uint8_t *cached_lines; /* lines of each */
	uint32_t window_uops;
	uint16_t slots;          /* instructions or uops left in fetch_clock */
	bool hit;                /* the window is in the uop cache */
	bool jumped;             /* the last instruction was a taken branch */
	bool decoder0;           /* the first decoder took what was decoded last */
	bool last_fuses;         /* the last instruction may fuse with a branch */
	bool nop_fused;          /* it is a NOP that did with the one before it */
	bool wide_before;        /* the instruction before has a wide immediate */
	uint8_t prefix_ticks;    /* that instructions with many prefixes cost beyond whole clocks */
	uint64_t prefix_block;   /* the last that held prefixes of such an instruction */
	uint64_t prefix_until;   /* eighths of a clock: when those read so far are done */
	uint64_t left_queue[64]; /* clock in which the last instructions were renamed */
	uint64_t instructions;
	/* rename and retirement, clocks */
	uint64_t rename_clock;
	uint64_t barrier; /* rename waits until then */
	uint64_t retire_clock;
	uint16_t renamed, retired; /* uops in these clocks */
	uint64_t written[CORE_CF]; /* clock from which on it is read from the register file */
	uint32_t read_now;         /* bit n: register n, of the uops renamed in this clock */
	uint64_t rob[CORE_QUEUE], loads[CORE_QUEUE], stores[CORE_QUEUE];
	uint64_t uops, load_count, store_count;
	uint64_t scheduler_clock;
	uint32_t waiting; /* uops in the scheduler */
	/* execution, ticks */
	uint64_t reg[CORE_REGISTERS];
	uint32_t late[CORE_REGISTERS]; /* by which that is later than the scheduler takes it, */
	uint64_t late_until;           /* until then; later on nothing is */
	uint16_t part;      /* general registers of which less than 32 bits were written last */
	uint16_t from_load; /* general registers that a load wrote last, bit n = register n */
	uint64_t last_result;
	uint64_t complete;    /* everything so far */
	uint64_t unlocked;    /* the store of the last locked instruction has been written */
	uint64_t locked_line; /* of the last locked instruction */
	uint64_t commit;      /* of the last store */
	uint64_t commit_line;
	uint64_t fill[CORE_FILLS];
	uint64_t fill_line[CORE_FILLS];
	bool fill_missed[CORE_FILLS]; /* the first level lacked it */
	uint64_t fill_until;
	uint32_t fills;
	uint8_t top; /* of the x87 stack */
	/* port of port_queues whose uop writes the register; CORE_PORTS: none of them */
	uint8_t queue_of[CORE_REGISTERS];
	struct core_store store[CORE_STORES];
	struct core_per_clock *per_clock; /* NULL: no counter asks what happens in which clock */
	struct core_per_clock *watched;   /* its memory */
	uint32_t store_at[256];           /* number of the last store to these 8 bytes */
	struct core_shared own;
};

/*
 * Power-up state. first: NULL, or thread 0 of the core of which this is thread 1, which must
 * outlive it. False: no memory.
 */
bool core_reset(struct core *c, const struct core_machine *m, struct core *first);

/* Other code has run: the uop cache is empty. */
void core_forget_code(struct core *c);
void core_free(struct core *c);

/*
 * One retired instruction. Fills all of *out, unless that is NULL. Returns the clocks between the
 * retirement of the instruction before it and its own.
 */
uint32_t core_step(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn,
                   struct core_result *out);

/* The uop cache loses everything that it has. */
void core_forget(struct core *c);

/*
 * Something outside of the instruction stream: the pipeline drains and loses `clocks` clocks.
 * Returns `clocks`.
 */
uint32_t core_event(struct core *c, uint32_t clocks);

/* The processor slept: nothing happens before this clock. */
void core_sleep(struct core *c, uint64_t until);

#endif
