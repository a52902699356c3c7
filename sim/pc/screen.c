/*
 * sim/pc/screen.c - a linear framebuffer of 32 bits a pixel, as firmware leaves it (--screen).
 *
 * It is memory of its own unless its address lies in RAM. What the guest draws lands in RAM then,
 * as with a boot loader that reports a wrong framebuffer.
 */
#include "sim/pc/screen.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"
#include "tools/lib/output.h"

enum { BYTES = 4, PAGE = 4096 };

static uint64_t size_of(const struct machine *pc)
{
	uint64_t bytes = (uint64_t)pc->opt.screen.width * pc->opt.screen.height * BYTES;

	return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static bool in_ram(const struct machine *pc)
{
	return machine_has(pc, pc->opt.screen.address);
}

bool screen_init(struct machine *pc)
{
	void *p;

	if (!pc->opt.screen.width || in_ram(pc))
		return true;
	p = mmap(NULL, size_of(pc), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return false;
	pc->screen = p;
	pc->screen_size = size_of(pc);
	return true;
}

bool screen_attach(struct cpu *cpu)
{
	const struct machine *pc = cpu->pc;

	return !pc->screen || !uc_mem_map_ptr(cpu->engine.uc, pc->opt.screen.address,
	                                      pc->screen_size, UC_PROT_ALL, pc->screen);
}

/* A PPM picture: three bytes a pixel, red first. */
bool screen_dump(const struct machine *pc)
{
	size_t pixels = (size_t)pc->opt.screen.width * pc->opt.screen.height;
	FILE *f;

	if (!pc->screen) {
		fprintf(stderr, "cpl0-sim: --screenshot needs --screen\n");
		return false;
	}
	f = fopen(pc->opt.screen.dump, "wb");
	if (!f) {
		perror(output_name(pc->opt.screen.dump));
		return false;
	}
	fprintf(f, "P6\n%u %u\n255\n", pc->opt.screen.width, pc->opt.screen.height);
	for (size_t i = 0; i < pixels; i++) {
		const uint8_t *p = pc->screen + i * BYTES; /* blue, green, red, unused */

		fputc(p[2], f);
		fputc(p[1], f);
		fputc(p[0], f);
	}
	return output_close_checked(f, "cpl0-sim", pc->opt.screen.dump);
}

void screen_free(struct machine *pc)
{
	if (pc->screen)
		munmap(pc->screen, pc->screen_size);
}
