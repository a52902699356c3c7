/*
 * Quiet for cpl0-native, as far as a process can have it: what the kernel has by being alone.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "kernel/lib/log.h"
#include "native/native.h"

enum { NICE = -20 };

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

void native_settle(void)
{
	int cpu = pin();
	bool first = !setpriority(PRIO_PROCESS, 0, NICE);

	log_begin("process");
	log_int("cpu", cpu);
	log_bool("priority", first);
	log_bool("locked", !mlockall(MCL_CURRENT));
	log_bool("sees_interrupts", interrupts_show());
	log_end();
}
