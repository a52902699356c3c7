/*
 * Quiet for cpl0-native, as far as a process can have it: what the kernel has by being alone.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "kernel/lib/log.h"
#include "native/native.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* linux/mman.h from Linux 6.1 on */
#endif

/* The datasheet uses no more of the expanse in large pages than EXPANSE_USED bytes. */
enum { NICE = -20, SMALL_PAGE = 4096, EXPANSE_USED = 64 << 20 };

/* Binds the process to the CPU that it runs on. Returns -1 if the system refuses. */
static int pin(void)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	if (cpu < 0)
		return -1;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) ? -1 : cpu;
}

static int64_t milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * Waits for the scheduler's tick. A kernel or CPU that hides interrupts must not look like a quiet
 * one.
 */
static bool interrupts_show(void)
{
	int64_t end = milliseconds() + PROCESS_MS;

	native_interrupted();
	while (milliseconds() < end)
		if (native_interrupted())
			return true;
	return false;
}

/* What the system says of the mapping with this address: is it in large pages? */
static bool is_large(const uint8_t *at)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	size_t from, to, kb, here = 0, large = 0;
	bool mine = false;
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%zx-%zx ", &from, &to) == 2)
			mine = (uintptr_t)at >= from && (uintptr_t)at < to;
		else if (mine && sscanf(line, "Rss: %zu", &kb) == 1)
			here += kb << 10;
		else if (mine && (sscanf(line, "AnonHugePages: %zu", &kb) == 1 ||
		                  sscanf(line, "ShmemPmdMapped: %zu", &kb) == 1))
			large += kb << 10;
	}
	if (f)
		fclose(f);
	return large && large >= here;
}

/*
 * Without the right to lock memory none of it is there yet. MADV_COLLAPSE (Linux 6.1) makes large
 * pages of shared memory, which has none by default.
 */
static void find_large_pages(struct bench_area *area)
{
	const bool one = area->expanse == area->arena;
	const size_t n = area->expanse_size < EXPANSE_USED ? area->expanse_size : EXPANSE_USED;

	for (size_t i = 0; i < area->arena_size; i += SMALL_PAGE)
		*(volatile uint8_t *)(area->arena + i) = 0;
	if (area->arena)
		madvise(area->arena, area->arena_size, MADV_COLLAPSE);
	for (size_t i = 0; !one && i < n; i += SMALL_PAGE)
		*(volatile uint8_t *)(area->expanse + i) = 0;
	area->arena_small = !is_large(area->arena);
	area->expanse_small = one ? area->arena_small : !is_large(area->expanse);
}

void native_settle(struct bench_area *area)
{
	int cpu = pin();
	bool first = !setpriority(PRIO_PROCESS, 0, NICE), locked = !mlockall(MCL_CURRENT);

	find_large_pages(area);
	log_begin("process");
	log_int("cpu", cpu);
	log_bool("priority", first);
	log_bool("locked", locked);
	log_bool("arena_large", !area->arena_small);
	log_bool("expanse_large", !area->expanse_small);
	log_bool("sees_interrupts", interrupts_show());
	log_end();
}
