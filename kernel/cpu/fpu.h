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

/*
 * The state in which each benchmark starts: FNINIT; with SSE the default MXCSR; with AVX zeros in
 * vector registers 0 to 15 (0 to 7 in 32-bit mode). Other vector registers do not change.
 */
void fpu_reset(void);

#endif
