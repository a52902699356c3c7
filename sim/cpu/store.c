/*
 * sim/cpu/store.c - writes to guest memory, for what the simulator does itself.
 */
#include "sim/cpu/store.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/unicorn.h"

enum { CR0_WP = 1 << 16 };

static bool may_write(const struct cpu *cpu, uint64_t linear, bool *present)
{
	struct page page;

	*present = memory_translate(cpu, linear, &page);
	return *present && (page.writable || !(cpu->cr0 & CR0_WP));
}

bool store_may_write(const struct cpu *cpu, uint64_t linear, uint32_t *error)
{
	bool present, may = may_write(cpu, linear, &present);

	*error = present ? 3 : 2; /* a write; 1: of a page that is there */
	return may;
}

static bool closed(const struct cpu *cpu, uint64_t linear, size_t size)
{
	bool present;

	for (uint64_t at = linear; at < linear + size; at = (at | 4095) + 1)
		if (!may_write(cpu, at, &present))
			return true;
	return false;
}

uint64_t store_push_fault(struct cpu *cpu, uint64_t linear, size_t size, size_t word,
                          uint32_t *error)
{
	uint64_t at = linear + size;
	bool present;

	do
		at -= word;
	while (at > linear && may_write(cpu, at, &present));
	store_may_write(cpu, at, error);
	return at;
}

bool store_write(struct cpu *cpu, uint64_t linear, const void *from, size_t size)
{
	const uint8_t *in = from;

	if (closed(cpu, linear, size))
		return false;
	while (size) {
		size_t n;
		uint64_t physical;
		uint8_t *to;

		if (!memory_chunk(cpu, linear, size, &n, &physical, &to))
			return false;
		if (to) {
			memcpy(to, in, n);
			store_changed(cpu->pc, physical, n, NULL);
		}
		in += n;
		linear += n;
		size -= n;
	}
	return true;
}

static bool has_code(const struct machine *pc, uint64_t physical, uint64_t size)
{
	uint64_t last = physical + size - 1;

	for (uint64_t p = physical & ~63ull; p <= last && p < pc->ram_end; p += 64) {
		for (unsigned k = 0; k < KINDS && pc->code_pages[k]; k++) {
			const struct code_page *code = pc->code_pages[k][p >> 12];

			if (code && code->used >> (p >> 6 & 63) & 1)
				return true;
		}
	}
	return false;
}

void store_monitor(struct cpu *cpu, uint64_t physical)
{
	cpu->pc->monitors -= cpu->halt.monitored != NEVER;
	cpu->halt.monitored = physical == NEVER ? NEVER : physical & ~63ull;
	cpu->pc->monitors += cpu->halt.monitored != NEVER;
}

/* What the simulator writes itself, it writes for the processor that executes. */
static void wake_monitors(struct machine *pc, uint64_t physical, uint64_t size)
{
	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *cpu = &pc->cpu[i];

		if (cpu == pc->current || cpu->halt.monitored == NEVER ||
		    physical >= cpu->halt.monitored + 64 || physical + size <= cpu->halt.monitored)
			continue;
		store_monitor(cpu, NEVER);
		machine_wake(pc, cpu);
	}
}

/* The engine that wrote notices by itself; the others keep what they have translated. */
bool store_changed(struct machine *pc, uint64_t physical, uint64_t size, const struct cpu *by)
{
	if (pc->monitors)
		wake_monitors(pc, physical, size);
	if (!has_code(pc, physical, size))
		return false;
	decode_forget(pc, physical, size);
	unicorn_forget(pc, physical, size, by);
	return true;
}
