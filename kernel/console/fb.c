/*
 * Characters on a linear framebuffer. Video memory is only ever written: reading it is slow
 * everywhere, and on some machines it is not possible.
 */
#include "kernel/console/fb.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/ioremap.h"

enum {
	CELL_WIDTH = FONT_COLUMNS + 1,
	CELL_HEIGHT = FONT_ROWS + 3,
	GLYPH_TOP = 2, /* rows of a cell above the glyph */
	COLUMNS_LEAST = 40,
	ROWS_LEAST = 12,   /* no scale leaves fewer, as long as there is a smaller one */
	SCROLL_SHARE = 10, /* the rows scroll by a tenth of them: drawing pixels is dear */
	SIDE_MAX = 16384,  /* keeps all products of sizes in 32 bits */
};

/*
 * Red, green and blue, of 255. A camera and a poor panel can tell them apart, and so can most who
 * see no difference of red and green: they differ in brightness, too.
 */
static const uint8_t paints[SCREEN_COLORS][3] = {
	[SCREEN_TEXT] = { 0xd8, 0xd8, 0xd8 }, [SCREEN_TITLE] = { 0x60, 0xd8, 0xff },
	[SCREEN_GOOD] = { 0x70, 0xe0, 0x70 }, [SCREEN_WARN] = { 0xff, 0xd8, 0x50 },
	[SCREEN_BAD] = { 0xff, 0x70, 0x60 },
};

/*
 * The text's own directions in memory: steps in bytes from a pixel to the one right of it and to
 * the one below it. Turned by 90 degrees clockwise, right is down on the panel and down is left.
 */
static struct {
	uintptr_t origin; /* linear, of the pixel where the text's first row begins */
	intptr_t right, down;
	bool sideways;  /* what lies next to each other in memory stands one below the other */
	uint32_t bytes; /* of a pixel */
	uint32_t inks[SCREEN_COLORS];
	uint32_t ink; /* of the character that is drawn */
	unsigned scale;
} fb;

static void put_pixel(uintptr_t at, uint32_t pixel)
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
}

/* `n` dots, the first one in the highest bit, each `scale` pixels long and one pixel wide. */
static void draw_line(uintptr_t at, intptr_t step, unsigned dots, unsigned n)
{
	for (unsigned mask = 1u << (n - 1); mask; mask >>= 1)
		for (unsigned i = 0; i < fb.scale; i++, at += (uintptr_t)step)
			put_pixel(at, (dots & mask) ? fb.ink : 0);
}

/* The dots of a column from top to bottom; those of a row are a row of the font. */
static unsigned column_of(const unsigned char *glyph, unsigned column)
{
	unsigned dots = 0;

	for (unsigned i = 0; i < FONT_ROWS; i++)
		dots = dots << 1 | (glyph[i] << 1 >> (CELL_WIDTH - 1 - column) & 1u);
	return dots;
}

/*
 * Only the rows that a glyph can touch: the others of the cell have been black since fb_open().
 * Lines follow each other in the order of memory, for writes that are combined.
 */
static void draw(unsigned column, unsigned row, char c, enum screen_color color)
{
	const unsigned char *glyph = font[c - FONT_FIRST];
	uintptr_t at = fb.origin + (uintptr_t)fb.right * (column * CELL_WIDTH * fb.scale) +
	               (uintptr_t)fb.down * ((row * CELL_HEIGHT + GLYPH_TOP) * fb.scale);

	fb.ink = fb.inks[color];
	/* The gap is right of the glyph: one more dot, always black. */
	if (fb.sideways)
		for (unsigned i = 0; i < CELL_WIDTH * fb.scale; i++, at += (uintptr_t)fb.right)
			draw_line(at, fb.down, column_of(glyph, i / fb.scale), FONT_ROWS);
	else
		for (unsigned i = 0; i < FONT_ROWS * fb.scale; i++, at += (uintptr_t)fb.down)
			draw_line(at, fb.right, (unsigned)glyph[i / fb.scale] << 1, CELL_WIDTH);
}

static bool color_fits(const struct bootinfo *bi, uint8_t pos, uint8_t size)
{
	return size >= 1 && size <= 8 && pos + size <= bi->fb.bpp;
}

static uint32_t part(uint8_t level, uint8_t pos, uint8_t size)
{
	return (uint32_t)(level >> (8 - size)) << pos;
}

static void mix_inks(const struct bootinfo *bi)
{
	for (unsigned i = 0; i < SCREEN_COLORS; i++)
		fb.inks[i] = part(paints[i][0], bi->fb.red_pos, bi->fb.red_size) |
		             part(paints[i][1], bi->fb.green_pos, bi->fb.green_size) |
		             part(paints[i][2], bi->fb.blue_pos, bi->fb.blue_size);
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

static void clear(const struct bootinfo *bi, uintptr_t address)
{
	for (uint32_t y = 0; y < bi->fb.height; y++) {
		uintptr_t at = address + (uintptr_t)y * bi->fb.pitch;

		for (uint32_t x = 0; x < bi->fb.width; x++, at += fb.bytes)
			put_pixel(at, 0);
	}
}

static const char out_of_reach[] =
	"framebuffer out of reach: the 32-bit kernel needs it below 4 GiB, the 64-bit kernel "
	"reaches any of at most 1 GiB";

static unsigned at_most(unsigned n, unsigned max)
{
	return n < max ? n : max;
}

/*
 * By the shorter side, which is the height of a panel however it is mounted: 44 rows and more on
 * panels of laptops from 1080 rows of pixels on, 60 rows at 2160 and at 2880.
 */
static unsigned scale_for(unsigned side)
{
	static const unsigned from[] = { 1000, 1800, 2880 };
	unsigned scale = 1;

	for (unsigned i = 0; i < sizeof(from) / sizeof(from[0]); i++)
		scale += side >= from[i];
	return scale;
}

/* How many pixels a row has and how many rows there are, as the text sees it. */
struct side {
	unsigned width, height;
};

static unsigned columns_of(struct side side)
{
	return at_most(side.width / (CELL_WIDTH * fb.scale), SCREEN_COLUMNS);
}

static unsigned rows_of(struct side side)
{
	return at_most(side.height / (CELL_HEIGHT * fb.scale), SCREEN_ROWS);
}

static void choose_scale(struct side side, unsigned wanted)
{
	fb.scale = wanted ? wanted : scale_for(at_most(side.width, side.height));
	while (fb.scale > 1 && (columns_of(side) < COLUMNS_LEAST || rows_of(side) < ROWS_LEAST))
		fb.scale--;
}

/* Where the text begins, and where its right and its bottom are. */
static void turn(const struct bootinfo *bi, uintptr_t address, unsigned degrees)
{
	intptr_t bytes = (intptr_t)fb.bytes, pitch = (intptr_t)bi->fb.pitch;
	uintptr_t last_pixel = (uintptr_t)(bi->fb.width - 1) * fb.bytes;
	uintptr_t last_line = (uintptr_t)(bi->fb.height - 1) * bi->fb.pitch;

	fb.sideways = degrees == 90 || degrees == 270;
	fb.origin = address + (degrees == 90 || degrees == 180 ? last_pixel : 0) +
	            (degrees == 180 || degrees == 270 ? last_line : 0);
	fb.right = degrees == 90    ? pitch
	           : degrees == 180 ? -bytes
	           : degrees == 270 ? -pitch
	                            : bytes;
	fb.down = degrees == 90 ? -bytes : degrees == 180 ? -pitch : degrees == 270 ? bytes : pitch;
}

const char *fb_open(struct screen *s, const struct bootinfo *bi, const struct fb_look *look)
{
	const char *why = unusable(bi);
	struct side side;
	uintptr_t address;

	if (why)
		return why;
	address = ioremap(bi->fb.addr, (uint64_t)bi->fb.pitch * bi->fb.height, IOREMAP_SCREEN);
	if (!address)
		return out_of_reach;
	fb.bytes = (bi->fb.bpp + 7u) / 8;
	mix_inks(bi);
	turn(bi, address, look->rotate);
	side = (struct side){ bi->fb.width, bi->fb.height };
	if (fb.sideways)
		side = (struct side){ bi->fb.height, bi->fb.width };
	choose_scale(side, look->scale);
	clear(bi, address);
	s->columns = columns_of(side);
	s->rows = rows_of(side);
	s->jump = s->rows / SCROLL_SHARE ? s->rows / SCROLL_SHARE : 1;
	s->draw = draw;
	screen_init(s);
	return s->columns && s->rows ? NULL : "framebuffer of an impossible size";
}

unsigned fb_scale(void)
{
	return fb.scale;
}
