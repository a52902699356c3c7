/*
 * sim/pc/ticks.c - core clocks and the ticks of other clocks.
 */
#include "sim/pc/ticks.h"

#include "sim/cpu/machine.h"
#include "sim/model/models.h"

uint64_t ticks_now(const struct machine *pc)
{
	return pc->current->clock;
}

uint64_t ticks_at(const struct machine *pc, uint64_t clock, uint64_t hz)
{
	return (uint64_t)((unsigned __int128)clock * hz / (pc->model->tsc_khz * 1000ull));
}

uint64_t ticks_clock(const struct machine *pc, uint64_t ticks, uint64_t hz)
{
	unsigned __int128 n = (unsigned __int128)ticks * (pc->model->tsc_khz * 1000ull);

	return (uint64_t)((n + hz - 1) / hz);
}
