/*
 * What the engine needs of the platform. Two implementations: bench/engine/platform.c on
 * the bare machine, native/platform.c as a Linux process.
 */
#ifndef BENCH_ENGINE_PLATFORM_H
#define BENCH_ENGINE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* The instruction that waits for everything before it, and holds everything after it. */
enum platform_fence {
	FENCE_CPUID,     /* every CPU that has CPUID; costs an exit under a hypervisor */
	FENCE_LFENCE,    /* where the vendor guarantees that it waits for all older instructions */
	FENCE_SERIALIZE, /* CPUID.7:EDX[14] */
};

enum { PLATFORM_CODE = 256 * 1024 }; /* bytes for platform_place_code() */

/*
 * The bare machine alone: where generated code will be, at a page boundary below 2 GiB; NULL: there
 * is no memory for it, and nothing can be measured. It is no part of the kernel's file, because
 * GRUB has to hold that beside its own memory on a machine of 4 MiB.
 */
void platform_place_code(uint8_t *room);

/* Before anything else here, but for platform_place_code(). */
void platform_init(const struct cpu *cpu);

enum platform_fence platform_fence(const struct cpu *cpu);

/* Executable memory below 2 GiB for generated code; the same at every call. NULL: there is none. */
uint8_t *platform_code(size_t *size);

/* Runs fn so that a fault costs fn alone; true if it returned. A `trap` record names `what`. */
bool platform_protect(void (*fn)(void *arg), void *arg, const char *what);

/*
 * Inside platform_protect(): `what` is ended if it still runs `ms` milliseconds from now. With
 * `stubborn` it is ended even if it turns interrupts off, where the machine has a way to do so.
 * `ms` = 0: `what` is no longer watched.
 */
void platform_watch(uint32_t ms, const char *what, bool stubborn);

/*
 * The user's code runs at this CPL unless the user says otherwise: 3 on the bare machine; 0, which
 * here means the level of everything else, in a process.
 */
unsigned platform_user_cpl(void);

/*
 * The reason why the user's code cannot be held at CPL 3, where it can touch its own memory only.
 * NULL: it can be held.
 */
const char *platform_user_obstacle(void);

/* What is given to the user's code at CPL 3: memory that it may read, write and execute. */
void platform_open(const void *start, size_t size);

/*
 * Inside platform_protect(), only if platform_user_obstacle() is NULL: until its end CPL 3 has the
 * memory of platform_open(), may read the generated code, and has no access to all else.
 */
void platform_guard(void);

/* Things that happened to the CPU from outside, ever since boot. */
struct platform_noise {
	uint32_t nmi, mce, timer, smi; /* smi stays 0 where the CPU does not count SMIs */
	uint32_t interrupt;            /* on the bare machine only strays get through */
	uint32_t stolen; /* of a KVM guest: changes when the host's scheduler gave the CPU back */
};

struct platform_noise platform_noise(void);

/* Are SMIs among them? If not, an SMI is seen in the figures of its sample alone. */
bool platform_counts_smi(void);

/* May generated code use instructions of CPL 0? */
bool platform_privileged(void);

/* Writes back and invalidates every cache, as far as the platform allows. */
void platform_flush_caches(void);

/*
 * To be called behind platform_flush_caches(): does the same to these bytes alone where a
 * hypervisor ignored that one. False: nothing empties the caches here.
 */
bool platform_flush_bytes(const void *start, size_t size);

/*
 * Does a reading of a counter go to a hypervisor? What it leaves in caches and predictors is there
 * when the measured code begins.
 */
bool platform_counters_exit(void);

/* Puts x87 and SIMD state in its defined start state. */
void platform_reset_fpu(void);

/* How to run code at CPL 3 and come back; cs is 0 where there is no such way. */
struct platform_ring3 {
	uint16_t cs, ss;
	uint16_t data;                /* for the other segment registers, back at CPL 0 */
	uint8_t from_init, from_body; /* vectors of the INT n that come back */
};

struct platform_ring3 platform_ring3(void);

/*
 * INT from CPL 3 goes on at `from_init` or `from_body` at CPL 0, on another stack, with interrupts
 * off and with the data segments of CPL 3. NULL: CPL 3 may not raise the vector.
 */
void platform_ring3_return(const void *from_init, const void *from_body);

#endif
