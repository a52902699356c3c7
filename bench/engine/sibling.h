/*
 * Does another thread of the boot CPU's core run, although the run gave it no work?
 */
#ifndef BENCH_ENGINE_SIBLING_H
#define BENCH_ENGINE_SIBLING_H

#include "bench/bench.h"

/*
 * Holds NOPs, of which a core takes as many a clock as it is wide, against a chain of ADDs, which
 * another thread hardly delays. Prints a `sibling` record, and a `warn` if a part of the core's
 * width is missing. In a guest this is asked whatever CPUID says of threads, because the host's
 * threads are not the guest's. Does nothing elsewhere where a core has one thread, under QEMU's
 * emulator, and on models whose width is not in the table. `when`: "start" or "end" of the run;
 * "during" it, when only a busy thread is told.
 */
bool sibling_check(const struct bench_run *run, const char *when);

#endif
