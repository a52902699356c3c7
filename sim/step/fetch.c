/*
 * sim/step/fetch.c - instruction fetch.
 */
#include "sim/step/fetch.h"

#include <stdlib.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/step/access.h"
#include "sim/step/translate.h"

enum fetch fetch_page(struct cpu *cpu, uint64_t linear)
{
	struct machine *pc = cpu->pc;
	uint64_t physical, page;

	if (!translate_code(cpu, linear, &physical))
		return FETCH_NO_PAGE;
	page = physical & ~4095ull;
	if (!machine_ram(pc, page, 4096))
		return FETCH_OPEN_BUS;
	if (!cpu->code_pages[page >> 12]) {
		cpu->code_pages[page >> 12] = calloc(1, sizeof(struct code_page));
		if (!cpu->code_pages[page >> 12]) {
			machine_end(pc, END_UNSUPPORTED, "out of memory");
			return FETCH_OPEN_BUS;
		}
	}
	cpu->fetch.code = cpu->code_pages[page >> 12];
	cpu->fetch.page = linear & ~4095ull;
	cpu->fetch.phys = page;
	cpu->fetch.line = NEVER;
	return FETCH_RAM;
}

void fetch_lines(struct cpu *cpu, uint64_t at, const struct insn *insn)
{
	unsigned shift = cpu->mem.l1i->line_shift;
	uint64_t first = at >> shift, last = (at + insn->length - 1) >> shift;

	for (uint64_t line = first; line <= last; line++) {
		uint64_t linear = line << shift, physical;

		if (line == cpu->fetch.line)
			continue;
		cpu->fetch.line = line;
		if ((linear ^ at) & ~4095ull && line != first) {
			struct page page;

			if (!memory_translate(cpu, linear, &page))
				return;
			physical = page.physical + (linear & (page.size - 1));
		} else {
			physical = cpu->fetch.phys + (linear & 4095);
			cpu->fetch.code->ran |= 1ull << (physical >> 6 & 63);
		}
		access_code(cpu, physical);
	}
}
