/*
 * Several logical CPUs that run one function at the same time. Two implementations:
 * bench/coherence/crew.c on the bare machine, native/crew.c as a Linux process.
 */
#ifndef BENCH_COHERENCE_CREW_H
#define BENCH_COHERENCE_CREW_H

#include <stdbool.h>
#include <stdint.h>

/* CPUs that can be had, the calling one included: 1 to CREW_MAX. The first call may start them. */
enum { CREW_MAX = 512 };
unsigned crew_size(void);

/* Are there n CPUs? If not, prints a `skip` record of the benchmark `bench`. n: 2 or 4. */
bool crew_enough(const char *bench, unsigned n);

/* What records call CPU i: 0 <= i < crew_size(). */
uint32_t crew_name(unsigned i);

/* The APIC id of CPU i, of which caches that CPUs share cut off low bits. */
uint32_t crew_apic(unsigned i);

/*
 * Runs work(data, m) for m = 0 to n - 1 at the same time, on the CPUs who[0] to who[n - 1], and
 * returns when all have come back. The CPUs are different. NULL, or the reason why some CPU did not
 * run its part.
 */
const char *crew_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                     void *data);

/* Milliseconds that a member waits for another one at a gate before it gives up. */
extern const uint32_t crew_patience_ms;

/* Bytes between things that must not share a line; two lines, since lines are fetched in pairs. */
#define CREW_APART 128

/* A place where all members of a crew wait for each other, as often as they like. */
struct gate {
	volatile uint32_t arrived __attribute__((aligned(CREW_APART)));
	volatile bool given_up __attribute__((aligned(CREW_APART)));
	unsigned members;
	uint64_t patience; /* TSC ticks */
};

/* `tsc_hz` as in struct bench_run. Before the crew runs. */
void gate_init(struct gate *g, unsigned members, uint64_t tsc_hz);

/*
 * Waits until every member has come here as often as this one. `*times` is the member's own count,
 * 0 at first. False: a CPU did not come, and no CPU waits here any more.
 */
bool gate_pass(struct gate *g, uint32_t *times);

/*
 * Waits until another member has written `value` into *word, and looks as often as it can. False:
 * as above.
 */
bool gate_wait(struct gate *g, const volatile uint32_t *word, uint32_t value);

#endif
