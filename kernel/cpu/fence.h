/*
 * Does LFENCE wait until everything before it is done? Some CPUs promise it. In a guest the promise
 * may be hidden, and CPUID, which always waits, leaves the guest. There it is measured.
 */
#ifndef KERNEL_CPU_FENCE_H
#define KERNEL_CPU_FENCE_H

#include "kernel/cpu/cpu.h"

/* Measures, in a guest on CPUs with SSE2. The state of the FPU must be the kernel's. */
void fence_find(const struct cpu *c);

/* LFENCE waits: it is promised, or was found by fence_find(). */
bool fence_lfence_waits(const struct cpu *c);

/*
 * The rule of the measurement: ticks to behind an LFENCE that has 8 dependent divisions before it,
 * 16 of them, and ticks of 1024 in a row. It waits if 8 more take three quarters of their time.
 */
bool fence_has_waited(uint64_t ticks_8, uint64_t ticks_16, uint64_t ticks_1024);

#endif
