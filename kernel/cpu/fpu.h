/*
 * x87 and SIMD state for snippets: the kernel itself uses none of it.
 */
#ifndef KERNEL_CPU_FPU_H
#define KERNEL_CPU_FPU_H

#include "kernel/cpu/cpu.h"

/*
 * Enables all the state components that the CPU has: x87, SSE, AVX, AVX-512 (SDM volume 3, "System
 * programming for instruction set extensions"). Exceptions stay masked.
 */
void fpu_init(const struct cpu *cpu);

/* FNINIT, default MXCSR, vector registers zero: the state each benchmark starts in. */
void fpu_reset(void);

#endif
