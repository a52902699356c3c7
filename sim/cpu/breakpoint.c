/*
 * sim/cpu/breakpoint.c - the debug registers. The engine does not know them: an enabled breakpoint
 * would make it throw away the code that it is running.
 */
#include "sim/cpu/breakpoint.h"

#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"

enum { CR4_DE = 8 };
enum { ON_CODE, ON_WRITE, ON_PORT, ON_ACCESS };

/* DR7: two enable bits for each, from bit 0; kind and length, from bit 16. */
static bool enabled(const struct cpu *cpu, unsigned n)
{
	return cpu->debug.dr[7] >> 2 * n & 3;
}

static unsigned kind(const struct cpu *cpu, unsigned n)
{
	return cpu->debug.dr[7] >> (16 + 4 * n) & 3;
}

static uint64_t length(const struct cpu *cpu, unsigned n)
{
	static const uint8_t lengths[] = { 1, 2, 8, 4 };

	return lengths[cpu->debug.dr[7] >> (18 + 4 * n) & 3];
}

/* A Pentium's counters see matches of breakpoints that are not enabled, too. */
static void set_watched(struct cpu *cpu)
{
	bool counts = cpu->model->flags & MODEL_PIPELINE;

	cpu->debug.watched = false;
	for (unsigned n = 0; n < 4; n++)
		cpu->debug.watched |= enabled(cpu, n) || (counts && cpu->debug.dr[n]);
}

void breakpoint_write(struct cpu *cpu, unsigned dr, uint64_t value)
{
	if (dr == 6)
		value = (value & 0xe00f) | 0xffff0ff0;
	if (dr == 7)
		value = (value & 0xffff2fff) | 0x400;
	cpu->debug.dr[dr] = value;
	cpu->debug.resume_flag = false;
	set_watched(cpu);
}

void breakpoint_reset(struct cpu *cpu)
{
	for (unsigned i = 0; i < 8; i++)
		breakpoint_write(cpu, i, 0);
	cpu->debug.traps = cpu->debug.matches = 0;
}

/* A mask of the breakpoints of two kinds of which a byte lies in this range. */
static unsigned matching(const struct cpu *cpu, unsigned kind_1, unsigned kind_2, uint64_t from,
                         uint64_t size)
{
	unsigned mask = 0;

	for (unsigned n = 0; n < 4; n++) {
		uint64_t at = cpu->debug.dr[n] & ~(length(cpu, n) - 1);

		if ((kind(cpu, n) == kind_1 || kind(cpu, n) == kind_2) && at < from + size &&
		    from < at + length(cpu, n))
			mask |= 1u << n;
	}
	return mask;
}

static unsigned those_enabled(const struct cpu *cpu, unsigned mask)
{
	for (unsigned n = 0; n < 4; n++)
		if (!enabled(cpu, n))
			mask &= ~(1u << n);
	return mask;
}

void breakpoint_raise(struct cpu *cpu, uint32_t bits)
{
	cpu->debug.dr[6] = (cpu->debug.dr[6] & ~15ull) | bits;
}

bool breakpoint_code(struct cpu *cpu, uint64_t linear)
{
	bool resume = cpu->debug.resume_flag;
	unsigned mask;

	cpu->debug.matches = matching(cpu, ON_CODE, ON_CODE, linear, 1);
	mask = those_enabled(cpu, cpu->debug.matches);
	cpu->debug.resume_flag = false;
	if (!mask || resume)
		return false;
	breakpoint_raise(cpu, mask);
	return true;
}

static void trap(struct cpu *cpu, unsigned mask)
{
	cpu->debug.matches |= mask;
	mask = those_enabled(cpu, mask);
	cpu->debug.traps |= mask;
	if (mask)
		cpu->pending.attention = true;
}

void breakpoint_data(struct cpu *cpu, uint64_t linear, uint64_t size, bool write)
{
	if (cpu->debug.watched)
		trap(cpu, matching(cpu, write ? ON_WRITE : ON_ACCESS, ON_ACCESS, linear, size));
}

void breakpoint_port(struct cpu *cpu, uint16_t port, unsigned size)
{
	if (cpu->debug.watched && cpu->cr4 & CR4_DE)
		trap(cpu, matching(cpu, ON_PORT, ON_PORT, port, size));
}

/* A breakpoint on execution that is not enabled is not seen in the V pipe (SDM 3B, event 23H). */
void breakpoint_signals(struct cpu *cpu, bool v_pipe)
{
	for (unsigned n = 0; n < 4; n++)
		if (cpu->debug.matches >> n & 1 &&
		    (enabled(cpu, n) || kind(cpu, n) != ON_CODE || !v_pipe))
			sim_step_add(&cpu->flight.step, (enum sim_signal)(SIG_BREAKPOINT_0 + n), 1);
	cpu->debug.matches = 0;
}
