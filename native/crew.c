/*
 * The CPUs of a process (bench/coherence/crew.h): a thread bound to each.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "bench/coherence/crew.h"
#include "native/native.h"

/* Others run here, too: a thread may be away for a long time. */
const uint32_t crew_patience_ms = 60000;

static unsigned cpus = 1;
static uint16_t names[CREW_MAX];

void native_crew(void)
{
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof(all), &all))
		return;
	cpus = 0;
	for (unsigned i = 0; i < CPU_SETSIZE && cpus < CREW_MAX; i++)
		if (CPU_ISSET(i, &all))
			names[cpus++] = (uint16_t)i;
}

unsigned crew_size(void)
{
	return cpus;
}

uint32_t crew_name(unsigned i)
{
	return names[i];
}

struct member {
	pthread_t thread;
	unsigned number;
	void (*work)(void *data, unsigned member);
	void *data;
};

static void *begin(void *data)
{
	struct member *m = data;

	m->work(m->data, m->number);
	return NULL;
}

/* A thread on one CPU. */
static bool start(struct member *m, unsigned cpu)
{
	pthread_attr_t attributes;
	cpu_set_t one;
	bool good;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pthread_attr_init(&attributes);
	good = !pthread_attr_setaffinity_np(&attributes, sizeof(one), &one) &&
	       !pthread_create(&m->thread, &attributes, begin, m);
	pthread_attr_destroy(&attributes);
	return good;
}

/* Those that were started wait at a gate for the others until their patience ends. */
const char *crew_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                     void *data)
{
	static struct member members[CREW_MAX];
	unsigned started = 0;

	for (; started < n; started++) {
		struct member *m = &members[started];

		*m = (struct member){ .number = started, .work = work, .data = data };
		if (!start(m, names[who[started]]))
			break;
	}
	for (unsigned i = 0; i < started; i++)
		pthread_join(members[i].thread, NULL);
	return started < n ? "the system gives no thread on that CPU" : NULL;
}
