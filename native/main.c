/*
 * cpl0-native: the engine and its snippets as a Linux process, for a preview without rebooting and
 * as the proof that the snippets measure what they say on real silicon. Same arguments, same log.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bench/accesses.h"
#include "bench/bench.h"
#include "bench/footprint.h"
#include "bench/module.h"
#include "bench/run/table.h"
#include "bench/usercode.h"
#include "kernel/lib/args.h"
#include "kernel/cpu/cpu.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "kernel/lib/version.h"
#include "bench/engine/platform.h"
#include "native/confine.h"
#include "native/identity.h"
#include "native/native.h"
#include "native/watch.h"
#include "tools/asm/assemble.h"
#include "tools/lib/output.h"

enum { ARENA = 64 << 20, LARGE_PAGE = 2 << 20, CLOCK_MS = 50, EXIT_LOST = 2 };

/* What --module names, in memory. */
static struct bootinfo modules;

static const char USAGE[] =
	"usage: cpl0-native [KERNEL-ARGUMENT...]\n"
	"       cpl0-native                            the default set of benchmarks\n"
	"       cpl0-native list                       what there is\n"
	"       cpl0-native bench='alu.*' runs=20      some of them\n"
	"       cpl0-native bench=code code=0fafc0     machine code of yours\n"
	"       cpl0-native bench=code asm='imul eax, eax'   the same\n"
	"       cpl0-native --module f.64.elf bench=sum      a module of `make snippet`\n"
	"       cpl0-native --assemble 32|64 asm=...   prints the code instead\n"
	"       cpl0-native --catalogue                every benchmark, on whatever CPU\n"
	"The log comes on standard output. docs/kernel-arguments.md has all arguments.\n"
	"The features that CPL0_HIDE names in the environment are taken for missing.\n"
	"exit: 0 done status=ok, 1 done status=fail, 2 the log could not be written,\n"
	"      3 no memory, wrong assembly, or no such module\n";

/* A log that does not arrive is no measurement: the run ends. */
static void write_line(const char *line, size_t n)
{
	if (fwrite(line, 1, n, stdout) == n && !fflush(stdout))
		return;
	fprintf(stderr, "cpl0-native: standard output: %s\n", strerror(errno));
	watch_done(); /* the parent has nothing to add */
	_exit(EXIT_LOST);
}

/* In the measuring process. */
static void write_record(const char *line, size_t n)
{
	write_line(line, n);
	if (memchr(line, '#', n))
		watch_record();
}

static void complain(const char *word, const char *why)
{
	log_error("argument", word, why);
}

/* TSC ticks per second against CLOCK_MONOTONIC. */
static uint64_t measure_tsc_hz(void)
{
	struct timespec a, b;
	uint64_t t0, t1, ns;

	clock_gettime(CLOCK_MONOTONIC, &a);
	t0 = x86_rdtsc();
	do {
		clock_gettime(CLOCK_MONOTONIC, &b);
		t1 = x86_rdtsc();
		ns = (uint64_t)(b.tv_sec - a.tv_sec) * 1000000000 + (uint64_t)b.tv_nsec -
		     (uint64_t)a.tv_nsec;
	} while (ns < CLOCK_MS * 1000000ull);
	return (uint64_t)((unsigned __int128)(t1 - t0) * 1000000000 / ns);
}

static void log_start(const char *line)
{
	log_begin("cpl0");
	log_dec("schema", LOG_SCHEMA);
	log_str("version", cpl0_version);
	log_dec("bits", 64);
	log_hex("run_id", x86_rdtsc());
	log_str("ground", "linux");
	log_end();
	log_begin("cmdline");
	log_str("text", line);
	log_end();
}

/* Half of the memory that is free, at most: the system gives more, and then ends some process. */
static uint64_t expanse_want(const struct cpu *cpu)
{
	long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t most = footprint_most(cpu, cpus > 0 ? (unsigned)cpus : 1);
	uint64_t free = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : 0;

	return (most < free ? most : free) & ~(uint64_t)(LARGE_PAGE - 1);
}

/* In large pages if the system has them, as on the bare machine. */
static void find_expanse(struct bench_area *area, const struct cpu *cpu)
{
	uint64_t want = expanse_want(cpu);
	uint8_t *p = mmap(NULL, want + LARGE_PAGE, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	area->expanse = area->arena;
	area->expanse_size = area->arena_size;
	if (want <= area->arena_size || p == MAP_FAILED)
		return;
	area->expanse = p + (LARGE_PAGE - (uintptr_t)p % LARGE_PAGE) % LARGE_PAGE;
	area->expanse_size = want;
	madvise(area->expanse, want, MADV_HUGEPAGE);
}

static void find_memory(struct bench_area *area, const struct cpu *cpu)
{
	int prot = PROT_READ | PROT_WRITE;

	/* A C function of a module runs in the data areas (bench/function.inc). */
	area->data = native_low_memory(BENCH_DATA, 0x10000, prot | PROT_EXEC);
	area->stack = native_low_memory(BENCH_STACK, 4096, prot);
	area->arena = native_shared_memory(ARENA, 4 << 20, prot | PROT_EXEC);
	area->arena_size = area->arena ? ARENA : 0;
	if (area->stack)
		area->stack += BENCH_STACK / 2;
	find_expanse(area, cpu);
}

static void log_clock(struct bench_run *run)
{
	run->tsc_hz = measure_tsc_hz();
	log_begin("clock");
	log_str("source", "monotonic");
	log_dec("tsc_hz", run->tsc_hz);
	log_end();
}

static void refuse_the_rest(const struct args *args)
{
	log_begin("pmu");
	log_str("pmu", "none");
	log_str("reason", "counters need CPL 0, and this is a process");
	log_end();
	if (args->events || args->list_events)
		log_error("events", args->events ? args->events : "list=events",
		          "a process counts nothing; boot the kernel for counters");
	if (args->threads != THREADS_ONE)
		log_error("argument",
		          "threads=", "a process measures on one CPU; boot the kernel for several");
}

/* From here on own code can do nothing to the user's files and processes, or is not run. */
static void take_user_code(struct args *args, const struct bench_area *area)
{
	size_t size;
	const uint8_t *code = platform_code(&size);
	const struct confine_range ranges[] = {
		{ (uint32_t)(uintptr_t)code, (uint32_t)size },
		{ (uint32_t)(uintptr_t)area->arena, (uint32_t)area->arena_size },
		{ (uint32_t)(uintptr_t)area->data, BENCH_DATA },
	};

	if (native_confine(ranges, sizeof(ranges) / sizeof(*ranges))) {
		usercode_init(args);
		args->lost |= modules.nmodules && !module_init(&modules);
	} else if (args->code || modules.nmodules) {
		log_error("process", args->code ? "code" : "module",
		          "Linux refuses the seccomp filter that holds own code here");
		args->lost = true;
	}
}

static int finish(void)
{
	log_done(NULL);
	watch_done();
	return log_status_now() == LOG_OK ? 0 : 1;
}

/* Everything from the first record to the last; `data` is the command line. */
static int measure(void *data)
{
	static struct cpu cpu;
	static struct args args;
	static struct bench_run run = { .cpu = &cpu, .args = &args };
	static char table[1 << 20];

	log_sink(write_record);
	log_start(data);
	args_parse(&args, data, complain);
	quirks_set(args.quirks);
	cpu_identify(&cpu, true, x86_cpuid);
	native_hide(&cpu, getenv("CPL0_HIDE"));
	cpu_log(&cpu);
	log_clock(&run);
	find_memory(&run.area, &cpu);
	native_crew(&cpu);
	native_find_threads();
	native_settle(&run.area);
	native_progress(&run);
	native_catch_signals();
	refuse_the_rest(&args);
	accesses_init(&args);
	take_user_code(&args, &run.area);
	table_room(table, sizeof(table));
	if (args.list && !args.list_events)
		bench_list(&run);
	else if (!args.list)
		bench_run_all(&run);
	return finish();
}

/* The same list on every CPU: docs/catalogue.md is made of it. */
static int catalogue(void *data)
{
	static struct cpu cpu;
	static struct args args = { .list = true };
	static struct bench_run run = { .cpu = &cpu, .args = &args };

	log_sink(write_record);
	log_start(data);
	native_every(&cpu);
	find_memory(&run.area, &cpu);
	bench_list(&run);
	return finish();
}

/* For run-qemu.sh. */
static int print_code(const char *bits, const char *word)
{
	char code[ASSEMBLE_TEXT];
	bool good = assemble_word(word, strcmp(bits, "64") ? 32 : 64, code);

	fprintf(good ? stdout : stderr, "%s\n", code);
	return good ? 0 : 3;
}

/* Takes --module FILE, as often as it comes, off the front of the arguments; NULL: no such file. */
static char **take_modules(char **words)
{
	for (; words[0] && !strcmp(words[0], "--module"); words += 2) {
		if (!words[1]) {
			fputs("cpl0-native: --module needs a file\n", stderr);
			return NULL;
		}
		if (!native_module(&modules, words[1]))
			return NULL;
	}
	return words;
}

static int run_command(int argc, char **argv)
{
	const char *option = argc == 2 ? argv[1] : "";
	char **words, *line;
	int code;

	if (!strcmp(option, "--version")) {
		printf("cpl0-native %s\n", cpl0_version);
		return 0;
	}
	if (!strcmp(option, "--help") || !strcmp(option, "-h")) {
		fputs(USAGE, stdout);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "--assemble"))
		return print_code(argv[2], argv[3]);
	words = take_modules(argv + 1);
	line = words ? assemble_line(words, 64) : NULL;
	if (!line)
		return 3;
	code = watch_run(strcmp(option, "--catalogue") ? measure : catalogue, line, write_line);
	free(line);
	return code;
}

int main(int argc, char **argv)
{
	int code;

	output_begin();
	code = run_command(argc, argv);
	if (code == EXIT_LOST)
		return code;
	return output_close_checked(stdout, "cpl0-native", "standard output") ? code : EXIT_LOST;
}
