/*
 * cpl0-native: the engine and its snippets as a Linux process, for a preview without rebooting and
 * as the proof that the snippets measure what they say on real silicon. Same arguments, same log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/table.h"
#include "bench/usercode.h"
#include "kernel/args.h"
#include "kernel/cpu/cpu.h"
#include "kernel/log.h"
#include "kernel/quirks.h"
#include "kernel/version.h"
#include "native/host.h"
#include "native/native.h"
#include "native/watch.h"
#include "tools/asm/assemble.h"

enum { ARENA = 64 << 20, CLOCK_MS = 50 };

static const char USAGE[] =
	"usage: cpl0-native [KERNEL-ARGUMENT...]\n"
	"       cpl0-native                            the default set of benchmarks\n"
	"       cpl0-native list                       what there is\n"
	"       cpl0-native bench='alu.*' runs=20      some of them\n"
	"       cpl0-native bench=code code=0fafc0     machine code of yours\n"
	"       cpl0-native bench=code asm='imul eax, eax'   the same\n"
	"       cpl0-native --assemble 32|64 asm=...   prints the code instead\n"
	"       cpl0-native --catalogue                every benchmark, on whatever CPU\n"
	"The log comes on standard output. docs/kernel-arguments.md has all arguments.\n"
	"The features that CPL0_HIDE names in the environment are taken for missing.\n"
	"exit: 0 done status=ok, 1 done status=fail, 3 no memory or wrong assembly\n";

static void write_line(const char *line, size_t n)
{
	fwrite(line, 1, n, stdout);
	fflush(stdout);
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
	log_dec("schema", 1);
	log_str("version", cpl0_version);
	log_dec("bits", 64);
	log_str("ground", "linux");
	log_end();
	log_begin("cmdline");
	log_str("text", line);
	log_end();
}

static void find_memory(struct bench_area *area)
{
	int prot = PROT_READ | PROT_WRITE;

	area->data = native_low_memory(BENCH_DATA, 0x10000, prot);
	area->stack = native_low_memory(BENCH_STACK, 4096, prot);
	area->arena = native_low_memory(ARENA, 4 << 20, prot | PROT_EXEC);
	area->arena_size = area->arena ? ARENA : 0;
	if (area->stack)
		area->stack += BENCH_STACK / 2;
}

static void log_clock(struct bench_run *run)
{
	run->tsc_hz = measure_tsc_hz();
	log_begin("clock");
	log_str("source", "monotonic");
	log_dec("tsc_hz", run->tsc_hz);
	log_end();
}

static void no_counters(const struct args *args)
{
	log_begin("pmu");
	log_str("pmu", "none");
	log_str("reason", "counters need CPL 0, and this is a process");
	log_end();
	if (args->events)
		log_error("events", args->events,
		          "a process counts nothing; boot the kernel for counters");
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
	find_memory(&run.area);
	native_crew(&cpu);
	native_settle();
	native_catch_signals();
	no_counters(&args);
	usercode_init(&args);
	table_room(table, sizeof(table));
	if (args.list)
		bench_list(&run);
	else
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
	find_memory(&run.area);
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

int main(int argc, char **argv)
{
	const char *option = argc == 2 ? argv[1] : "";
	char *line;
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
	line = assemble_line(argv + 1, 64);
	if (!line)
		return 3;
	code = watch_run(strcmp(option, "--catalogue") ? measure : catalogue, line, write_line);
	free(line);
	return code;
}
