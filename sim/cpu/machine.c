/*
 * sim/cpu/machine.c - the end of a run, waking a processor, RAM by physical address.
 */
#include "sim/cpu/machine.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

void machine_end(struct machine *pc, enum run_end end, const char *why, ...)
{
	va_list args;

	if (pc->end != END_NONE)
		return;
	pc->end = end;
	va_start(args, why);
	vsnprintf(pc->why, sizeof(pc->why), why, args);
	va_end(args);
	if (pc->current)
		pc->current->pending.attention = true;
}

void machine_check_limits(struct machine *pc)
{
	if (pc->signal == SIGALRM)
		machine_end(pc, END_SIGNAL, "limit of %u seconds reached", pc->opt.max_seconds);
	else if (pc->signal)
		machine_end(pc, END_SIGNAL, "ended by signal %d", pc->signal);
	else if (pc->steps >= pc->opt.max_instructions)
		machine_end(pc, END_LIMIT, "limit of %llu instructions reached",
		            (unsigned long long)pc->opt.max_instructions);
}

void machine_wake(struct machine *pc, struct cpu *cpu)
{
	uint64_t now = pc->current ? pc->current->clock : 0;

	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *c = &pc->cpu[i];

		if (cpu && c != cpu)
			continue;
		c->pending.attention = true;
		c->deadline = 0;
		if (c->halt.wake_at < now)
			c->halt.wake_at = now;
	}
}

void *machine_ram(const struct machine *pc, uint64_t physical, uint64_t size)
{
	bool high = physical >= MACHINE_HIGH;
	uint64_t room = high ? pc->ram_high : pc->ram_size;

	if (size > room || (high ? physical - MACHINE_HIGH : physical) > room - size)
		return NULL;
	return pc->ram + physical;
}

struct cpu *machine_first_thread(const struct cpu *cpu)
{
	return cpu->id % cpu->pc->threads ? &cpu->pc->cpu[cpu->id - 1] : NULL;
}

void machine_cannot(struct machine *pc, const char *what)
{
	if (!pc->cannot)
		pc->cannot = what;
}
