/*
 * The linear framebuffer that a boot loader hands over: 15, 16, 24 or 32 bits a pixel, RGB in any
 * order, with a font of our own.
 */
#ifndef KERNEL_CONSOLE_FB_H
#define KERNEL_CONSOLE_FB_H

#include "kernel/board/bootinfo.h"
#include "kernel/console/screen.h"

/* A glyph: nine rows, the leftmost of five pixels in bit 4; two rows hang below the base line. */
enum { FONT_FIRST = ' ', FONT_LAST = '~', FONT_ROWS = 9, FONT_COLUMNS = 5 };
extern const unsigned char font[FONT_LAST - FONT_FIRST + 1][FONT_ROWS];

/* Clears the framebuffer and prepares *s. Returns NULL, or why it cannot be used. */
const char *fb_open(struct screen *s, const struct bootinfo *bi);

#endif
