/*
 * The linear framebuffer that a boot loader hands over: 15, 16, 24 or 32 bits a pixel, RGB in any
 * order, with the kernel's own font.
 */
#ifndef KERNEL_CONSOLE_FB_H
#define KERNEL_CONSOLE_FB_H

#include "kernel/chipset/bootinfo.h"
#include "kernel/console/screen.h"

/* A glyph: nine rows, the leftmost of five pixels in bit 4; two rows hang below the base line. */
enum { FONT_FIRST = ' ', FONT_LAST = '~', FONT_ROWS = 9, FONT_COLUMNS = 5 };
extern const unsigned char font[FONT_LAST - FONT_FIRST + 1][FONT_ROWS];

/* The values of screen=; 0 is the default. */
struct fb_look {
	unsigned scale;  /* pixels that a dot of the font is wide and high; 0: by the size */
	unsigned rotate; /* degrees clockwise: 0, 90, 180, 270 */
};

/*
 * Clears the framebuffer and prepares *s. Returns NULL, or the reason why the framebuffer cannot be
 * used. A scale that leaves less than 40 columns or 12 rows is made smaller.
 */
const char *fb_open(struct screen *s, const struct bootinfo *bi, const struct fb_look *look);

/* The scale that fb_open() chose. */
unsigned fb_scale(void);

#endif
