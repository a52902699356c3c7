/*
 * What is measured and how: benchmarks, where they come from, and the engine.
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

enum { BENCH_NAME = 48 };

/* The data areas of a snippet, and the large pieces: addresses are the same for every benchmark. */
struct bench_area {
	uint8_t *data;     /* BENCH_DATA bytes, 64 KiB-aligned: XSI, XDI and XBX of a snippet */
	uint8_t *stack;    /* the middle of BENCH_STACK bytes: XSP and XBP of a snippet */
	uint8_t *arena;    /* large, physically contiguous; NULL if there is none */
	size_t arena_size; /* bytes, a power of two */
	/*
	 * Memory for data alone, physically contiguous: as large as there is use for, if the
	 * machine has so much, and anywhere; else it is the arena. A benchmark must not touch more
	 * of it than it uses. Of a process it is as contiguous as the system gives it.
	 */
	uint8_t *expanse;
	size_t expanse_size; /* bytes */
	/*
	 * All of the naturally aligned GiB around the arena is write-back memory. Only then may one
	 * page map it: of a page that covers several types the behaviour is undefined (SDM volume
	 * 3, "Large Page Size Considerations").
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
	uint32_t branches;           /* that one copy executes, taken or not ... */
	bool branches_known;         /* ... if the number is known */
	uint32_t op_bytes;           /* of the first operation, a body by itself; 0: not known */
	uint32_t bytes;              /* that an operation moves; 0: it moves none */
	uint32_t loop;               /* 0: the engine chooses */
	const struct snippet_expect *expect;
	uint32_t nexpect;
	uint32_t set_mask; /* bit n: register n starts as set[n] instead of the common value */
	uintptr_t set[8];
	/* Prepares memory before the first run of each series of samples. NULL: not needed. */
	void (*setup)(const struct bench *b, const struct bench_area *area);
	uintptr_t arg[2];   /* for setup */
	uint16_t target;    /* byte of the body: the only instruction that misses the cache ... */
	uint8_t insn_bytes; /* ... if the body's instructions are all so long; 0: not known */
	bool walk;          /* XSI starts where the run before left it */
	bool user;          /* given by the user: it may do anything */
	bool paged;         /* small pages, as for the user's code at CPL 3 */
	/* Writes the body of generated code, once before the benchmark runs; NULL: it is there. */
	void (*make)(struct bench *b);
	/* Measures in a way of its own and prints its own records instead; NULL: the common way. */
	void (*perform)(struct bench_run *run, const struct bench *b);
};

/*
 * A source of benchmarks. get(i) fills *b with the i-th benchmark of the source and returns true,
 * or returns false if there are fewer. `cpu` and `area` tell the source what the machine has. get()
 * sets *skip to the reason if this benchmark cannot run here, and else leaves it alone.
 */
struct bench_source {
	const char *name;
	const char *prefix; /* all its names begin so; NULL: any name */
	bool (*get)(unsigned i, struct bench *b, const struct cpu *cpu,
	            const struct bench_area *area, const char **skip);
	/*
	 * NULL, or: from now on get() may leave out benchmarks of which wanted() has said, given
	 * the beginning of their name, that no name is wanted that begins so. wanted NULL: get()
	 * leaves out none.
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
	bool undisturbed;            /* of samples only those count that took as the fastest did */
	unsigned number;             /* of this run since the start, which tells runs apart */
	unsigned done, total;        /* benchmarks, for the progress record */
	void (*between)(void);       /* NULL, or what is done after each benchmark */
	bool (*stop)(void);          /* NULL, or: shall the run end here? */
	bool stopped;                /* it did: what is left is not measured */
	void *(*alloc)(size_t size); /* zeroed memory, or NULL */
	/* What measures with threads= instead of bench_run_all(); NULL: this program has none. */
	void (*threads)(struct bench_run *run);
};

/* The events that are counted while b runs. */
static inline const struct pmu_plan *bench_plan(const struct bench_run *run, const struct bench *b)
{
	return b->user ? &run->user_plan : &run->plan;
}

/* Runs everything that the arguments select: `plan`, `skip`, `result`, `series` records. */
void bench_run_all(struct bench_run *run);

/* Prints a `bench` record for each benchmark there is (argument `list`). */
void bench_list(struct bench_run *run);

#endif
