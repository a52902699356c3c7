/*
 * Which ports of the core the instructions of a benchmark use (argument `ports=`). Prints a
 * `blocker` record for each set of ports that some instruction uses alone, and a `ports` record for
 * each benchmark. docs/ports.md has the method. The 64-bit kernel alone can do it: no CPU without
 * 64-bit mode counts uops by port.
 */
#ifndef BENCH_PORTS_PORTS_H
#define BENCH_PORTS_PORTS_H

#include "bench/bench.h"

/*
 * Readies counters and blocking instructions. Where no event counts uops by port, ports are found
 * by time. False: no event counts clocks either, or nothing could be measured; an `error` record
 * has said so.
 */
bool ports_init(const struct bench_run *run);

/* The `ports` record of b. Returns NULL, or why there is none. */
const char *ports_bench(const struct bench_run *run, const struct bench *b);

#endif
