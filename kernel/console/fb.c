/*
 * Characters on a linear framebuffer. Video memory is only ever written: reading it is slow
 * everywhere, and on some machines it is not possible.
 */
#include "kernel/console/fb.h"
#include "kernel/board/phys.h"
#include "kernel/board/window.h"

enum {
	CELL_WIDTH = FONT_COLUMNS + 1,
	CELL_HEIGHT = FONT_ROWS + 3,
	GLYPH_TOP = 2,       /* rows of a cell above the glyph */
	ROOMY_HEIGHT = 1000, /* pixels; from here on each dot of the font is 2 x 2 */
	SCROLL_SHARE = 10,   /* the rows scroll by a tenth of them: drawing pixels is dear */
	SIDE_MAX = 16384,    /* keeps all products of sizes in 32 bits */
	INK = 0xd8,          /* each colour of the text, of 255 */
};

static struct {
	uintptr_t address; /* linear, of the first pixel */
	uint32_t pitch;
	uint32_t bytes; /* of a pixel */
	uint32_t ink;
	unsigned scale;
} fb;

static uintptr_t put_pixel(uintptr_t at, uint32_t pixel)
{
	switch (fb.bytes) {
	case 4:
		phys_write32(at, pixel);
		break;
	case 3:
		phys_write8(at + 2, (uint8_t)(pixel >> 16));
		/* fall through */
	default:
		phys_write16(at, (uint16_t)pixel);
	}
	return at + fb.bytes;
}

/* One row of a glyph, each dot `scale` pixels wide. */
static void draw_row(uintptr_t at, unsigned dots)
{
	for (unsigned mask = 1u << (CELL_WIDTH - 1); mask; mask >>= 1)
		for (unsigned i = 0; i < fb.scale; i++)
			at = put_pixel(at, (dots & mask) ? fb.ink : 0);
}

/* Only the rows that a glyph can touch: the others of the cell have been black since fb_open(). */
static void draw(unsigned column, unsigned row, char c)
{
	const unsigned char *glyph = font[c - FONT_FIRST];
	uintptr_t at = fb.address + column * CELL_WIDTH * fb.scale * fb.bytes +
	               (row * CELL_HEIGHT + GLYPH_TOP) * fb.scale * fb.pitch;

	/* The gap is right of the glyph: one more dot, always black. */
	for (unsigned i = 0; i < FONT_ROWS * fb.scale; i++, at += fb.pitch)
		draw_row(at, (unsigned)glyph[i / fb.scale] << 1);
}

static bool color_fits(const struct bootinfo *bi, uint8_t pos, uint8_t size)
{
	return size >= 1 && size <= 8 && pos + size <= bi->fb.bpp;
}

static uint32_t color(uint8_t pos, uint8_t size)
{
	return (uint32_t)(INK >> (8 - size)) << pos;
}

static const char *unusable(const struct bootinfo *bi)
{
	uint32_t bytes = (bi->fb.bpp + 7u) / 8;

	if (bi->fb.kind != FB_RGB)
		return "framebuffer of an unknown format; allowed: RGB";
	if (bi->fb.bpp != 15 && bi->fb.bpp != 16 && bi->fb.bpp != 24 && bi->fb.bpp != 32)
		return "framebuffer of an unknown depth; allowed: 15, 16, 24, 32 bits";
	if (!color_fits(bi, bi->fb.red_pos, bi->fb.red_size) ||
	    !color_fits(bi, bi->fb.green_pos, bi->fb.green_size) ||
	    !color_fits(bi, bi->fb.blue_pos, bi->fb.blue_size))
		return "framebuffer with impossible colour fields";
	if (bi->fb.width > SIDE_MAX || bi->fb.height > SIDE_MAX || bi->fb.width < CELL_WIDTH ||
	    bi->fb.height < CELL_HEIGHT || bi->fb.pitch < bi->fb.width * bytes ||
	    bi->fb.pitch > 2 * SIDE_MAX * 4)
		return "framebuffer of an impossible size";
	return bi->fb.addr ? NULL : "framebuffer at address 0";
}

static void clear(const struct bootinfo *bi)
{
	for (uint32_t y = 0; y < bi->fb.height; y++) {
		uintptr_t at = fb.address + (uintptr_t)y * fb.pitch;

		for (uint32_t x = 0; x < bi->fb.width; x++)
			at = put_pixel(at, 0);
	}
}

static const char out_of_reach[] =
	"framebuffer out of reach: the 32-bit kernel needs it below 4 GiB, the 64-bit kernel "
	"reaches any of at most 1 GiB";

static unsigned at_most(unsigned n, unsigned max)
{
	return n < max ? n : max;
}

const char *fb_open(struct screen *s, const struct bootinfo *bi)
{
	const char *why = unusable(bi);

	if (why)
		return why;
	fb.address = window_map(bi->fb.addr, (uint64_t)bi->fb.pitch * bi->fb.height, WINDOW_SCREEN);
	if (!fb.address)
		return out_of_reach;
	fb.pitch = bi->fb.pitch;
	fb.bytes = (bi->fb.bpp + 7u) / 8;
	fb.ink = color(bi->fb.red_pos, bi->fb.red_size) |
	         color(bi->fb.green_pos, bi->fb.green_size) |
	         color(bi->fb.blue_pos, bi->fb.blue_size);
	fb.scale = bi->fb.height >= ROOMY_HEIGHT ? 2 : 1;
	clear(bi);
	s->columns = at_most(bi->fb.width / (CELL_WIDTH * fb.scale), SCREEN_COLUMNS);
	s->rows = at_most(bi->fb.height / (CELL_HEIGHT * fb.scale), SCREEN_ROWS);
	s->jump = s->rows / SCROLL_SHARE ? s->rows / SCROLL_SHARE : 1;
	s->draw = draw;
	screen_init(s);
	return s->columns && s->rows ? NULL : "framebuffer of an impossible size";
}
