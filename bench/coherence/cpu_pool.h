/*
 * Several logical CPUs that run one function at the same time. Two implementations:
 * bench/coherence/cpu_pool.c on the bare machine, native/cpu_pool.c as a Linux process.
 */
#ifndef BENCH_COHERENCE_CPU_POOL_H
#define BENCH_COHERENCE_CPU_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* CPUs that can be had, this one too: 1 to CPU_POOL_MAX. The first call may start them. */
enum { CPU_POOL_MAX = 512 };
unsigned cpu_pool_size(void);

/* Are there n CPUs? If not, prints a `skip` record of the benchmark `bench`. n: 2 or 4. */
bool cpu_pool_enough(const char *bench, unsigned n);

/* The number of CPU i in records: 0 <= i < cpu_pool_size(). */
uint32_t cpu_pool_name(unsigned i);

/* The APIC id of CPU i. CPUs share a cache if their ids are equal without some low bits. */
uint32_t cpu_pool_apic(unsigned i);

/*
 * Runs work(data, m) for m = 0 to n - 1 at the same time, on the CPUs who[0] to who[n - 1], and
 * returns when all have come back. The CPUs are different. NULL, or the reason why some CPU did not
 * run its part.
 */
const char *cpu_pool_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                         void *data);

/*
 * A number that changes whenever the host's scheduler takes CPU i of a KVM guest away or gives it
 * back, if KVM says so; else 0.
 */
uint32_t cpu_pool_stolen(unsigned i);

/* Milliseconds that a member waits for another one at a barrier before it gives up. */
extern const uint32_t cpu_pool_patience_ms;

/* Bytes between things that must not share a line; two lines, since lines are fetched in pairs. */
#define CPU_POOL_APART 128

/* A place where all members of a pool wait for each other, as often as they like. */
struct barrier {
	volatile uint32_t arrived __attribute__((aligned(CPU_POOL_APART)));
	volatile bool given_up __attribute__((aligned(CPU_POOL_APART)));
	unsigned members;
	uint64_t patience; /* TSC ticks */
};

/* `tsc_hz` as in struct bench_run. Before the pool runs. */
void barrier_init(struct barrier *b, unsigned members, uint64_t tsc_hz);

/*
 * Waits until every member has come here as often as this one. `*times` is the member's own count,
 * 0 at first. False: a CPU did not come, and no CPU waits here any more.
 */
bool barrier_pass(struct barrier *b, uint32_t *times);

/*
 * Waits until another member has written `value` into *word, and looks as often as it can. False:
 * as above.
 */
bool barrier_wait(struct barrier *b, const volatile uint32_t *word, uint32_t value);

#endif
