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
#include "bench/usercode.h"
#include "kernel/args.h"
#include "kernel/cpu/cpu.h"
#include "kernel/log.h"
#include "kernel/version.h"
#include "native/native.h"

enum { ARENA = 64 << 20, CLOCK_MS = 50 };

static const char USAGE[] =
	"usage: cpl0-native [KERNEL-ARGUMENT...]\n"
	"       cpl0-native                            the default set of benchmarks\n"
	"       cpl0-native list                       what there is\n"
	"       cpl0-native bench='alu.*' runs=20      some of them\n"
	"       cpl0-native bench=code code=0fafc0     machine code of yours\n"
	"The log comes on standard output. docs/kernel-arguments.md has all arguments.\n"
	"exit: 0 done status=ok, 1 done status=fail, 3 no memory\n";

static void write_line(const char *line, size_t n)
{
	fwrite(line, 1, n, stdout);
	fflush(stdout);
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

/* The words of the command line as one string, as a boot loader hands it over. */
static char *join(int argc, char **argv)
{
	size_t n = 1;
	char *line;

	for (int i = 1; i < argc; i++)
		n += strlen(argv[i]) + 1;
	line = calloc(1, n);
	for (int i = 1; line && i < argc; i++) {
		strcat(line, argv[i]);
		strcat(line, " ");
	}
	return line;
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

int main(int argc, char **argv)
{
	static struct cpu cpu;
	static struct args args;
	static struct bench_run run = { .cpu = &cpu, .args = &args };
	int prot = PROT_READ | PROT_WRITE;
	char *line;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(USAGE, stdout);
		return 0;
	}
	line = join(argc, argv);
	if (!line)
		return 3;
	log_sink(write_line);
	log_start(line);
	args_parse(&args, line, complain);
	cpu_identify(&cpu, true, x86_cpuid);
	cpu_log(&cpu);
	run.tsc_hz = measure_tsc_hz();
	log_begin("clock");
	log_str("source", "monotonic");
	log_dec("tsc_hz", run.tsc_hz);
	log_end();
	run.area.data = native_low_memory(BENCH_DATA, 0x10000, prot);
	run.area.stack = native_low_memory(BENCH_STACK, 4096, prot);
	run.area.arena = native_low_memory(ARENA, 4 << 20, prot | PROT_EXEC);
	run.area.arena_size = run.area.arena ? ARENA : 0;
	if (run.area.stack)
		run.area.stack += BENCH_STACK / 2;
	native_settle();
	native_catch_signals();
	log_begin("pmu");
	log_str("pmu", "none");
	log_str("reason", "counters need CPL 0, and this is a process");
	log_end();
	if (args.events)
		log_error("events", args.events,
		          "a process counts nothing; boot the kernel for counters");
	usercode_init(&args);
	if (args.list)
		bench_list(&run);
	else
		bench_run_all(&run);
	log_begin("done");
	log_str("status", log_status_now() == LOG_OK ? "ok" : "fail");
	log_dec("records", log_records() + 1);
	log_end();
	free(line);
	return log_status_now() == LOG_OK ? 0 : 1;
}
