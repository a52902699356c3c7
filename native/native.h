/*
 * What the parts of cpl0-native share.
 */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/bench.h"
#include "kernel/chipset/bootinfo.h"
#include "kernel/cpu/cpu.h"

/* Memory in the low 2 GiB with the given protection (PROT_*); NULL if there is none. */
void *native_low_memory(size_t size, size_t align, int prot);

/* The same, and its pages can have further mappings (native/pages.c). */
void *native_shared_memory(size_t size, size_t align, int prot);

/*
 * Adds the file `path` to to->modules, in low memory. False, with a message on stderr: it cannot be
 * read, or BOOT_MODULES are there.
 */
bool native_module(struct bootinfo *to, const char *path);

/*
 * Binds the process to one CPU, raises its priority, locks its memory and asks for large pages of
 * the arena and the expanse, as far as the user's rights and the system allow. Sets arena_small and
 * expanse_small of *area. Prints a `process` record with the outcome. Takes up to PROCESS_MS
 * milliseconds, and the time to find memory. Before native_confine(), because it reads a file.
 */
enum { PROCESS_MS = 50 };
void native_settle(struct bench_area *area);

/*
 * Where standard error is a terminal and standard output is none, the terminal shows the number of
 * benchmarks that have run, twice a second at most, and an empty line at the end. Called before
 * native_confine(), because it asks what the two are.
 */
void native_progress(struct bench_run *run);

/*
 * Remembers the CPUs that the process may use: before native_settle(), which leaves it one. All are
 * taken to be of the kind of *cpu, which must stay valid.
 */
void native_crew(const struct cpu *cpu);

/* Before native_confine(), because it reads a file: asks Linux whether cores have two threads. */
void native_find_threads(void);

/* Has an interrupt come since the last call? The first call's answer means nothing. */
bool native_interrupted(void);

/* From here on a fault or an alarm inside platform_protect() ends only that call. */
void native_catch_signals(void);

#endif
