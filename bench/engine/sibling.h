/*
 * Does another thread of the boot CPU's core run, although the run gave it no work?
 */
#ifndef BENCH_ENGINE_SIBLING_H
#define BENCH_ENGINE_SIBLING_H

#include "bench/bench.h"

/*
 * Compares NOPs, which use the full width of a core, with a chain of ADDs, which another thread
 * hardly delays. Prints a `sibling` record, and a `warn` if a part of the core's width is missing.
 * `when`: "start" or "end" of the run, or "during" it, when only a busy thread gets a record. Does
 * nothing in a process, under QEMU's emulator, on models whose width is not in the table, and on a
 * core with one thread. In a guest it runs whatever CPUID says of threads, because the guest does
 * not see the host's threads. True: another thread is busy.
 */
bool sibling_check(const struct bench_run *run, const char *when);

enum sibling {
	SIBLING_QUIET, /* it does not run, or there is none */
	SIBLING_BUSY,
	SIBLING_UNKNOWN, /* others may run there, and nothing shows it */
};

/*
 * What does the other thread of this core do now? A thread that waits for memory takes no part of
 * the width and half of the queues, so only the machine that is this program's own has a quiet one.
 */
enum sibling sibling_look(const struct bench_run *run);

#endif
