/*
 * The CPUs of a process (bench/coherence/cpu_pool.h): a thread bound to each.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "bench/coherence/cpu_pool.h"
#include "kernel/cpu/topology.h"
#include "kernel/lib/log.h"
#include "native/native.h"

/* Others run here, too: a thread may be away for a long time. */
const uint32_t cpu_pool_patience_ms = 60000;

static unsigned cpus = 1;
static uint16_t names[CPU_POOL_MAX];
static uint32_t apics[CPU_POOL_MAX];
static const struct cpu *own;

void native_crew(const struct cpu *cpu)
{
	cpu_set_t all;

	own = cpu;
	if (sched_getaffinity(0, sizeof(all), &all))
		return;
	cpus = 0;
	for (unsigned i = 0; i < CPU_SETSIZE && cpus < CPU_POOL_MAX; i++)
		if (CPU_ISSET(i, &all))
			names[cpus++] = (uint16_t)i;
}

uint32_t cpu_pool_name(unsigned i)
{
	return names[i];
}

/* The system does not tell. */
uint32_t cpu_pool_stolen(unsigned i)
{
	(void)i;
	return 0;
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

/* Those that were started wait at a barrier for the others until their patience ends. */
const char *cpu_pool_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                         void *data)
{
	static struct member members[CPU_POOL_MAX];
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

static void find_place(void *place, unsigned member)
{
	(void)member;
	cpu_decode_apic_id(place, own, x86_cpuid);
}

uint32_t cpu_pool_apic(unsigned i)
{
	return apics[i];
}

static void log_place(uint16_t i)
{
	struct cpu_place p;

	if (cpu_pool_run(&i, 1, find_place, &p))
		return;
	apics[i] = p.apic_id;
	log_begin("cpu_entry");
	log_dec("cpu", names[i]);
	log_dec("apic", p.apic_id);
	log_str("state", "ready");
	log_dec("package", p.package);
	log_dec("die", p.die);
	log_dec("module", p.module);
	log_dec("core", p.core);
	log_dec("thread", p.thread);
	if (p.core_type)
		log_hex("type", p.core_type);
	log_str("source", p.source);
	log_end();
}

/* As in the kernel, what is known of the CPUs stands in the log when the first of them is used. */
unsigned cpu_pool_size(void)
{
	static bool told;

	if (told)
		return cpus;
	told = true;
	log_begin("cpus");
	log_str("source", "linux");
	log_dec("listed", cpus);
	log_dec("ready", cpus);
	log_end();
	for (uint16_t i = 0; i < cpus; i++)
		log_place(i);
	return cpus;
}
