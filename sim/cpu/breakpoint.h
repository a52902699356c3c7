/*
 * sim/cpu/breakpoint.h - the debug registers (SDM volume 3B, "Debug Registers", "Debug
 * Exceptions"): breakpoints on execution, data and ports, and the general-detect condition.
 */
#ifndef SIM_CPU_BREAKPOINT_H
#define SIM_CPU_BREAKPOINT_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;

/* Bits of DR6. */
enum { DR6_DETECT = 1 << 13, DR6_STEP = 1 << 14 };

/* Writes a debug register; reserved bits of DR6 and DR7 stay as they are. */
void breakpoint_write(struct cpu *cpu, unsigned dr, uint64_t value);
/* All as after RESET. */
void breakpoint_reset(struct cpu *cpu);
/*
 * A #DB is due, with these bits of DR6: B0 to B3 are those of the latest one, as on real parts and
 * as the SDM permits; the others stay until software clears them.
 */
void breakpoint_raise(struct cpu *cpu, uint32_t bits);
/*
 * An instruction is about to execute here. True: a breakpoint stops it, DR6 says which, and a #DB
 * is due. To be asked if cpu->debug.watched is set.
 */
bool breakpoint_code(struct cpu *cpu, uint64_t linear);
/* The instruction in flight accesses memory, or ports. It traps behind it if there is a match. */
void breakpoint_data(struct cpu *cpu, uint64_t linear, uint64_t size, bool write);
void breakpoint_port(struct cpu *cpu, uint16_t port, unsigned size);
/* The instruction in flight retires, in a Pentium's V pipe or not: matches become signals. */
void breakpoint_signals(struct cpu *cpu, bool v_pipe);

#endif
