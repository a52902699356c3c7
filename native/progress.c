/*
 * How far the run is, on a terminal that does not show the log (native/native.h).
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "native/native.h"

enum { INTERVAL_MS = 500 };

static const struct bench_run *shown;
static uint64_t last_ms;
static bool dirty; /* the line is not empty */

static void show(void)
{
	struct timespec t;
	uint64_t ms;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
	if (dirty && shown->done == shown->total) {
		fputs("\r\033[K", stderr);
		dirty = false;
	} else if (ms - last_ms >= INTERVAL_MS && shown->done < shown->total) {
		fprintf(stderr, "\rcpl0-native: %u of %u benchmarks", shown->done, shown->total);
		last_ms = ms;
		dirty = true;
	}
}

void native_progress(struct bench_run *run)
{
	if (!isatty(STDERR_FILENO) || isatty(STDOUT_FILENO))
		return;
	shown = run;
	run->between = show;
}
