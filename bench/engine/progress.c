/*
 * A sign of life (bench/engine/progress.h).
 */
#include "bench/engine/progress.h"
#include "bench/engine/platform.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"

enum { SILENCE = 2 }; /* seconds */

void progress(const struct bench_run *run, const char *name)
{
	static uint32_t records;
	static uint64_t last;
	uint64_t now;

	if (!run->tsc_hz)
		return;
	now = x86_rdtsc();
	if (log_records() != records) {
		records = log_records();
		last = now;
	}
	if (now - last < SILENCE * run->tsc_hz)
		return;
	platform_watch(0, name,
	               false); /* its timeout record would come in the middle of this one */
	log_begin("progress");
	log_str("bench", name);
	log_dec("done", run->done);
	log_dec("total", run->total);
	log_end();
}
