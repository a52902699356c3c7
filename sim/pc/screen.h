/*
 * sim/pc/screen.h - the framebuffer of --screen.
 */
#ifndef SIM_PC_SCREEN_H
#define SIM_PC_SCREEN_H

#include <stdbool.h>

struct cpu;
struct machine;

/* Allocates the pixels, if a screen was asked for. False: no memory. */
bool screen_init(struct machine *pc);
/* Makes them visible to a processor. */
bool screen_attach(struct cpu *cpu);
/*
 * Writes the picture to the file that --screenshot names. False: the file cannot be written, or the
 * pixels lie in RAM.
 */
bool screen_dump(const struct machine *pc);
void screen_free(struct machine *pc);

#endif
