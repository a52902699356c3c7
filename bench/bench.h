/*
 * Benchmarks, their sources, and the description of a run.
 *
 * A benchmark is machine code with a name. The engine copies its body into a buffer between two
 * reads of the time stamp counter and of the counters of one pmu_group, runs that many times, and
 * prints one `result` record (docs/log-format.md). See docs/design/measurement.md for the shape of
 * the bracket.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/snippet.h"
#include "kernel/lib/args.h"
#include "kernel/cpu/cpu.h"
#include "pmu/pmu.h"

enum { BENCH_NAME = 48 }; /* bytes of a benchmark's name, with the final 0 */

/* The data areas of a snippet, and the large ones. The addresses stay the same during a run. */
struct bench_area {
	uint8_t *data;     /* BENCH_DATA bytes, 64 KiB-aligned: XSI, XDI and XBX of a snippet */
	uint8_t *stack;    /* the middle of BENCH_STACK bytes: XSP and XBP of a snippet */
	uint8_t *arena;    /* large, physically contiguous; NULL if there is none */
	size_t arena_size; /* bytes, a power of two */
	/*
	 * Memory for data alone, physically contiguous (in a process: as contiguous as the system
	 * makes it), at any address. It has footprint_most() bytes if the machine has so much; else
	 * it is the arena. A benchmark must not touch more of it than it uses.
	 */
	uint8_t *expanse;
	size_t expanse_size;             /* bytes */
	bool arena_small, expanse_small; /* in a process: they are not in pages of 2 MiB */
	/*
	 * All of the naturally aligned GiB around the arena is write-back memory. Only then may one
	 * page map this GiB: the behaviour of a page with several memory types is undefined (SDM
	 * volume 3, "Large Page Size Considerations").
	 */
	bool whole_gib;
};

enum { BENCH_DATA = 196 * 1024, /* 192 KiB and room for data_offset= */ BENCH_STACK = 64 * 1024 };

/* The general registers in encoding order: AX CX DX BX SP BP SI DI R8-R15. */
enum bench_reg { REG_AX, REG_CX, REG_DX, REG_BX, REG_SP, REG_BP, REG_SI, REG_DI, BENCH_REGS = 16 };

struct bench_run;

struct bench {
	char name[BENCH_NAME];
	const char *what;  /* one line for the reader */
	const char *form;  /* instr.*: the form of the tables, "ADD r32, r32"; or NULL */
	const char *kind;  /* ... and "latency" or "throughput" */
	const char *needs; /* features by name, blank-separated; "" for none */
	uint8_t widths;    /* SNIPPET_32, SNIPPET_64 */
	uint8_t flags;     /* SNIPPET_DEFAULT ... */
	const uint8_t *init, *body;
	size_t init_size, body_size; /* bytes */
	uint32_t ops, insns, unroll; /* as in struct snippet_blob */
	uint32_t branches;           /* executed by one copy, taken or not ... */
	bool branches_known;         /* ... if the number is known */
	uint32_t op_bytes;           /* bytes of the first operation, itself a body; 0: not known */
	uint32_t bytes;              /* moved by one operation; 0: none */
	uint32_t loop;               /* 0: the engine chooses */
	uint32_t pass;               /* operations that its samples have at least, of one CPU */
	const struct snippet_expect *expect;
	uint32_t nexpect;
	uint32_t set_mask; /* bit n: register n starts as set[n] instead of the common value */
	uintptr_t set[8];
	/* Prepares memory before the first run of each series of samples. NULL: not needed. */
	void (*setup)(const struct bench *b, const struct bench_area *area);
	uintptr_t arg[2];   /* for setup */
	uint16_t target;    /* offset in the body of the only instruction that misses the cache */
	uint8_t insn_bytes; /* bytes of each instruction of the body; 0: not known */
	bool walk;          /* XSI starts with its value at the end of the last run */
	bool user;          /* given by the user: it may do anything */
	bool ticks_only;    /* no core clock is derived: a sample takes less time */
	bool paged;         /* small pages, as for the user's code at CPL 3 */
	/* Writes the body of generated code, once before the benchmark runs; NULL: not needed. */
	void (*make)(struct bench *b);
	/* Measures and prints records instead of the engine; NULL: the engine measures. */
	void (*perform)(struct bench_run *run, const struct bench *b);
};

/*
 * A source of benchmarks. get(i) fills *b with the i-th benchmark of the source and returns true,
 * or returns false if there are fewer. `cpu` and `area` describe the machine. get() sets *skip to
 * the reason if this benchmark cannot run here, and does not change *skip otherwise.
 */
struct bench_source {
	const char *name;
	const char *prefix; /* all its names begin so; NULL: any name */
	bool (*get)(unsigned i, struct bench *b, const struct cpu *cpu,
	            const struct bench_area *area, const char **skip);
	/*
	 * From now on get() may leave out a benchmark if wanted() is false for a beginning of its
	 * name. wanted() is false if no name with this beginning is wanted. With wanted = NULL
	 * get() leaves out none. NULL: the source has no such function.
	 */
	void (*only)(bool (*wanted)(const char *beginning));
};

/* Puts a source into the list of all sources: a line at the end of the source's file. */
#define BENCH_SOURCE(ident)                      \
	__attribute__((section("bench_sources"), \
	               used)) static const struct bench_source *const ident##_entry = &(ident)

/* Text that a self-relative field of a snippet points to. */
static inline const char *snippet_text(const int32_t *field)
{
	return (const char *)field + *field;
}

struct bench_run {
	const struct cpu *cpu;
	const struct args *args;
	struct bench_area area;
	struct pmu_plan plan;        /* for the built-in benchmarks */
	struct pmu_plan user_plan;   /* for the user's code, which may run at another level */
	uint64_t tsc_hz;             /* 0: unknown */
	uint64_t core_per_tsc;       /* core clocks in 1000 ticks, 0: unknown */
	bool undisturbed;            /* only samples that are as fast as the fastest are used */
	unsigned number;             /* of this run since the start of the program */
	unsigned done, total;        /* benchmarks, for the progress record */
	void (*between)(void);       /* called after each benchmark; NULL: not needed */
	bool (*stop)(void);          /* true: the run shall end here; NULL: it never does */
	bool stopped;                /* stop() was true: the other benchmarks are not measured */
	void *(*alloc)(size_t size); /* zeroed memory, or NULL */
	/* Measures with threads= instead of bench_run_all(); NULL: this program has no threads. */
	void (*threads)(struct bench_run *run);
};

/* The plan of the events that are counted while b runs. */
static inline const struct pmu_plan *bench_plan(const struct bench_run *run, const struct bench *b)
{
	return b->user ? &run->user_plan : &run->plan;
}

/* Runs all benchmarks that the arguments select: `plan`, `skip`, `result`, `series` records. */
void bench_run_all(struct bench_run *run);

/* Prints a `bench` record for each benchmark (argument `list`). */
void bench_list(struct bench_run *run);

#endif
