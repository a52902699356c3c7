/*
 * Does LFENCE wait until all older instructions are done? Some CPUs promise it. In a guest the
 * promise may be hidden, and CPUID, which always waits, exits. So in a guest the kernel measures
 * LFENCE.
 */
#ifndef KERNEL_CPU_FENCE_H
#define KERNEL_CPU_FENCE_H

#include "kernel/cpu/cpu.h"

/* In a guest with SSE2: measures LFENCE. The state of the FPU must be the kernel's. */
void fence_find(const struct cpu *c);

/* Does LFENCE wait, by the CPU's promise or by fence_find()? */
bool fence_lfence_waits(const struct cpu *c);

/*
 * The rule of the measurement. `ticks_8`, `ticks_16`: ticks of 8 and 16 dependent divisions and an
 * LFENCE behind them; `ticks_1024`: ticks of 1024 divisions. LFENCE waits if the 8 further
 * divisions take at least three quarters of ticks_1024 / 128.
 */
bool fence_has_waited(uint64_t ticks_8, uint64_t ticks_16, uint64_t ticks_1024);

#endif
