/*
 * What the engine needs of the ground it stands on. Two implementations: bench/engine/ground.c on the bare
 * machine, native/ground.c as a Linux process.
 */
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* Which instruction makes sure that everything before it is done before anything after it begins. */
enum host_fence {
	FENCE_CPUID,     /* every CPU that has CPUID; costs an exit under a hypervisor */
	FENCE_LFENCE,    /* where the vendor guarantees that it waits for all older instructions */
	FENCE_SERIALIZE, /* CPUID.7:EDX[14] */
};

/* Before anything else here. */
void host_init(const struct cpu *cpu);

enum host_fence host_fence(const struct cpu *cpu);

/* Executable memory below 2 GiB for generated code; the same at every call. */
uint8_t *host_code(size_t *size);

/* Runs fn so that a fault costs fn alone; true if it returned. A `trap` record names `what`. */
bool host_protect(void (*fn)(void *arg), void *arg, const char *what);

/*
 * Inside host_protect(): if `what` has not ended `ms` milliseconds from now it is ended; `stubborn`: also
 * if it turns interrupts off, where the machine has a way. 0: it is no longer watched.
 */
void host_watch(uint32_t ms, const char *what, bool stubborn);

/*
 * Guarded code may write to nothing but what host_open() was told of before. host_guard() readies that
 * for the rest of the host_protect() that is running, only if host_can_guard().
 */
bool host_can_guard(void);
void host_open(const void *start, size_t size);
void host_guard(void);

/* After host_guard(): calls it in single steps, and ends the host_protect() before it takes the machine away. */
void host_try(void (*routine)(void));

/* Calls the routine, guarded or not. */
void host_run(void (*routine)(void), bool guarded);

/* Things that happened to the CPU from outside, ever since boot. */
struct host_noise {
	uint32_t nmi, mce, timer, smi; /* smi stays 0 where the CPU does not count SMIs */
	uint32_t interrupt;            /* on the bare machine only strays get through */
};

struct host_noise host_noise(void);

/* May generated code use instructions of CPL 0? */
bool host_privileged(void);

/* Writes back and invalidates every cache, as far as the ground allows. */
void host_flush_caches(void);

/* Puts x87 and SIMD state in its defined start state. */
void host_reset_fpu(void);

/* How to run code at CPL 3 and come back; cs is 0 where there is no such way. */
struct host_ring3 {
	uint16_t cs, ss;
	uint16_t data;  /* for the other segment registers, back at CPL 0 */
	uint8_t vector; /* INT n at CPL 3 goes on where host_ring3_return() said */
};

struct host_ring3 host_ring3(void);

/*
 * INT from CPL 3 goes on at `target` at CPL 0, on another stack and with the data segments of CPL 3. NULL: there is no way
 * back, and the vector is a trap like others.
 */
void host_ring3_return(const void *target);

#endif
