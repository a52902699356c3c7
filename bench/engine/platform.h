/*
 * The functions that the engine needs of the platform. Two implementations: bench/engine/platform.c
 * on the bare machine, native/platform.c in a Linux process.
 */
#ifndef BENCH_ENGINE_PLATFORM_H
#define BENCH_ENGINE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* The instruction that waits for all instructions before it, and holds back all after it. */
enum platform_fence {
	FENCE_CPUID,     /* every CPU that has CPUID; costs an exit under a hypervisor */
	FENCE_LFENCE,    /* where it waits for all older instructions (kernel/cpu/fence.h) */
	FENCE_SERIALIZE, /* CPUID.7:EDX[14] */
};

enum { PLATFORM_CODE = 256 * 1024 }; /* bytes for platform_place_code() */

/*
 * Only on the bare machine: sets the place of generated code, PLATFORM_CODE bytes at a page
 * boundary below 2 GiB. NULL: there is no memory for code, and nothing can be measured. This memory
 * is no part of the kernel's file, because GRUB holds that file beside its own memory on a machine
 * of 4 MiB.
 */
void platform_place_code(uint8_t *room);

/* Call it before all other functions here, except platform_place_code(). */
void platform_init(const struct cpu *cpu);

/* The fence of this machine. */
enum platform_fence platform_fence(const struct cpu *cpu);

/* Executable memory below 2 GiB for generated code, always the same. NULL: there is none. */
uint8_t *platform_code(size_t *size);

/* Runs fn. False: a trap ended fn, and a `trap` record names `what`. */
bool platform_protect(void (*fn)(void *arg), void *arg, const char *what);

/*
 * Inside platform_protect(): ends `what` if it still runs in `ms` milliseconds. With `stubborn`
 * also code that turns interrupts off is ended, where the machine has a way to do so. `ms` = 0 ends
 * the watch.
 */
void platform_watch(uint32_t ms, const char *what, bool stubborn);

/*
 * The default CPL of the user's code: 3 on the bare machine; 0 in a process, where 0 means the
 * level of the process.
 */
unsigned platform_user_cpl(void);

/* The reason why the user's code cannot be confined at CPL 3 to its own memory; NULL: it can be. */
const char *platform_user_obstacle(void);

/* Opens memory to the user's code at CPL 3, to read, write and execute. */
void platform_open(const void *start, size_t size);

/*
 * Call it inside platform_protect(), and only if platform_user_obstacle() is NULL. Until the end of
 * platform_protect() CPL 3 can use the memory of platform_open(), can read the generated code, and
 * has no access to other memory.
 */
void platform_guard(void);

/* Numbers of outside events since boot. */
struct platform_noise {
	uint32_t nmi, mce, timer, smi; /* smi stays 0 where the CPU does not count SMIs */
	uint32_t interrupt;            /* bare machine: spurious interrupts only */
	uint32_t stolen; /* KVM guest: changes when the host's scheduler gives the CPU back */
};

struct platform_noise platform_noise(void);

/* Does platform_noise() count SMIs? If not, only the figures of a sample show its SMI. */
bool platform_counts_smi(void);

/* May generated code use instructions of CPL 0? */
bool platform_privileged(void);

/*
 * May other programs run on another thread of this core while this one measures? On the bare
 * machine that thread is parked; in a guest and in a process nothing parks it.
 */
bool platform_shares_core(const struct cpu *cpu);

/* Writes back and invalidates all caches, as far as the platform allows. */
void platform_flush_caches(void);

/*
 * Call it after platform_flush_caches(). If a hypervisor ignores that flush, it flushes these bytes
 * alone. False: no way empties the caches.
 */
bool platform_flush_bytes(const void *start, size_t size);

/*
 * Does the reading of a counter exit to a hypervisor? The hypervisor then changes caches and
 * predictors before the measured code begins.
 */
bool platform_counters_exit(void);

/*
 * In a guest: samples that a result has dropped because of exits, and because another CPU was away.
 * The log's last record of the guest has the sums of the run.
 */
void platform_dropped(uint32_t exits, uint32_t apart);

/* Sets the x87 and SIMD state to its defined start state. */
void platform_reset_fpu(void);

/* Selectors and vectors to enter CPL 3 and return; cs 0: there is no CPL 3. */
struct platform_ring3 {
	uint16_t cs, ss;
	uint16_t data; /* for the other segment registers, after the return to CPL 0 */
	uint8_t from_init, from_body; /* vectors of the INT n that return */
};

struct platform_ring3 platform_ring3(void);

/*
 * Makes INT from CPL 3 continue at `from_init` or `from_body`, at CPL 0, on another stack, with
 * interrupts off and with the data segments of CPL 3. NULL: CPL 3 may not raise the vector.
 */
void platform_ring3_return(const void *from_init, const void *from_body);

#endif
