/*
 * Kernel arguments: the command line, taken apart (docs/kernel-arguments.md).
 *
 * The line is words separated by blanks; a word is `key` or `key=value`; a value may be in double
 * quotes. args_parse() knows every key. It ignores an unknown word, a bad value and a repeated key
 * (except sample=), and calls `complain` with the word and the allowed values.
 */
#ifndef KERNEL_LIB_ARGS_H
#define KERNEL_LIB_ARGS_H

#include <stdbool.h>
#include <stdint.h>

/* The values of arguments (docs/kernel-arguments.md). MODE_DEFAULT: by benchmark and CPU. */
enum args_mode { MODE_DEFAULT, MODE_TOTAL, MODE_RATE };
enum args_clocks { CLOCKS_STEADY, CLOCKS_KEEP };
enum args_prefetch { PREFETCH_AS_FOUND, PREFETCH_ON, PREFETCH_OFF };
enum args_branches { BRANCHES_NONE, BRANCHES_ALL, BRANCHES_CALLS };

enum args_threads {
	THREADS_ONE,    /* the boot CPU alone; no other is touched */
	THREADS_CORE,   /* two threads of one core */
	THREADS_CORES,  /* two cores of one kind */
	THREADS_HYBRID, /* two cores of different kinds */
	THREADS_ALL,    /* all CPUs at once */
};
enum args_save { SAVE_DEFAULT, SAVE_ON, SAVE_OFF, SAVE_ASK, SAVE_NEW };
/* EXIT_ASK, the default: waits for a key if there are keys, else halts. */
enum args_exit { EXIT_ASK, EXIT_HALT, EXIT_REBOOT, EXIT_POWEROFF, EXIT_DEBUG };

enum {
	ARGS_RUNS = 128,   /* most samples of one code */
	ARGS_SERIES = 64,  /* most runs of one series */
	ARGS_LINES = 64,   /* most lines that a pair of CPUs hands over */
	ARGS_SAMPLES = 16, /* most sampled events of a run */
};

struct args {
	bool list;           /* measures nothing, and prints the names of the benchmarks */
	bool list_events;    /* ... or of the counters' events */
	bool list_arguments; /* ... or of these arguments */
	/*
	 * The run may lack benchmarks that the user wants: a word is no argument, a flag, bench=,
	 * code= or seq= is bad, or (set by the caller) the user's code, accesses or modules give
	 * no benchmark.
	 */
	bool lost;
	const char *bench;      /* comma-separated globs, NULL: the default set */
	const char *skip;       /* comma-separated globs, NULL: none */
	const char *events;     /* comma-separated, NULL: default */
	const char *code;       /* hex, NULL: none */
	const char *init;       /* hex, NULL: none */
	const char *seq;        /* accesses to one set of a cache, NULL: none */
	const char *seq_level;  /* the level, NULL: the first */
	const char *seq_sets;   /* the sets, NULL: a set that nothing else uses */
	const char *console;    /* NULL: search for a port */
	bool anonymous;         /* the log has neither the date nor the names of the machine */
	const char *note;       /* text for the log, NULL: none */
	uint32_t scale, rotate; /* screen=: pixels of a dot, 0: by the size; degrees clockwise */
	const char *quirks;     /* +NAME and -NAME, comma-separated, NULL: none */
	enum args_mode mode;
	uint32_t lines; /* of a pair of CPUs; 0: the benchmark's choice */
	uint32_t runs, warmup, unroll, loop, series; /* 0: the snippet's or the engine's choice */
	struct args_event {
		const char *event;
		uint32_t count; /* 1 to 1 << 30 */
	} sample[ARGS_SAMPLES]; /* sampled events, with their periods */
	unsigned nsample;
	uint32_t samples;        /* wanted samples; 0: 800 */
	uint32_t watermark;      /* bytes of the PEBS buffer, 0: half of it */
	uint32_t random;         /* random low bits of a sampling period */
	const char *ports;       /* benchmarks whose ports are measured: globs, NULL: none */
	const char *trace;       /* events counted clock by clock, comma-separated, NULL: none */
	struct args_event after; /* samples begin after `count` of this event; NULL: at once */
	enum args_branches branches; /* recorded branches before each sample */
	bool skid, addresses; /* record the distance of samples from their cause; data addresses */
	uint32_t code_offset,
		data_offset; /* bytes into a page; code_offset counts if code_offset_set */
	bool code_offset_set;
	uint32_t timeout; /* ms that one run may take, 0: the engine's choice */
	bool warmup_set;  /* warmup= was given: then 0 means none */
	uint32_t cpl;     /* 0 or 3 */
	bool cpl_set;     /* cpl= was given: the user's code runs at that level too */
	enum args_threads threads;
	enum args_clocks clocks;
	enum args_prefetch prefetch;
	enum args_exit exit;
	enum args_save save;
	uint32_t log_first, log_sectors; /* logfile=: CPL0.LOG on the boot disk; 0: not given */
};

/*
 * `line` is modified (cut into words) and the strings of *a point into it.
 * complain(word, why) is called for each defect; returns their number.
 */
unsigned args_parse(struct args *a, char *line,
                    void (*complain)(const char *word, const char *why));

/* An argument, for people. */
struct args_help {
	const char *name, *meaning;
	const char *values; /* that it may have, good until the next call; "": it takes none */
	const char *absent; /* what holds without it */
};

/* That of argument number i; false past the last. */
bool args_help(unsigned i, struct args_help *h);

/*
 * Reads a number, decimal or 0x hexadecimal, from the start of `text`; *end points behind it.
 * False: there is no number, or it is above `max`.
 */
bool args_number(const char *text, uint32_t max, uint32_t *value, const char **end);

/* Does `name` match one of the comma-separated globs (`*` and `?`)? NULL matches nothing. */
bool args_match(const char *globs, const char *name);

/* Does `name` match the first of the globs? That glob ends at a comma or with the text. */
bool args_match_first(const char *globs, const char *name);

#endif
