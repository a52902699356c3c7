/*
 * The text screen that a PC has after its BIOS: 80 x 25 cells of character and colour.
 */
#ifndef KERNEL_CONSOLE_VGA_H
#define KERNEL_CONSOLE_VGA_H

#include <stdbool.h>

#include "kernel/chipset/bootinfo.h"
#include "kernel/console/screen.h"

/*
 * Clears the text screen, hides the cursor and prepares *s. False if there is no CRT controller, or
 * if the display is not in text mode: another kind of framebuffer was handed over, or UEFI has left
 * the hardware alone.
 */
bool vga_open(struct screen *s, const struct bootinfo *bi);

#endif
