/*
 * VGA text mode (IBM VGA; registers as in the PS/2 Hardware Interface Technical Reference,
 * "Video Subsystem"). The BIOS has set mode 3, or 7 on a monochrome adapter.
 */
#include "kernel/chipset/phys.h"
#include "kernel/console/vga.h"
#include "kernel/cpu/x86.h"

#define VGA_COLOR     0xb8000u
#define VGA_MONO      0xb0000u
#define BDA_CRTC      0x463u /* BIOS data area: port of the CRT controller */
#define CRTC_COLOR    0x3d4
#define CRTC_MONO     0x3b4
#define CRTC_CURSOR   0x0a /* cursor start register */
#define CRTC_POSITION 0x0f /* low byte of the cursor's place */
#define CRTC_HIDDEN   0x20 /* its bit 5: no cursor */
#define TEXT_COLUMNS  80
#define TEXT_ROWS     25

/* Attributes on black. Monochrome adapters know normal and bright, and underline what is 1. */
static const uint8_t attributes[SCREEN_COLORS] = {
	[SCREEN_TEXT] = 0x07, [SCREEN_TITLE] = 0x0b, [SCREEN_GOOD] = 0x0a,
	[SCREEN_WARN] = 0x0e, [SCREEN_BAD] = 0x0c,
};

enum { MONO_NORMAL = 0x07, MONO_BRIGHT = 0x0f };

static uint32_t cells;

static void draw(unsigned column, unsigned row, char c, enum screen_color color)
{
	uint8_t attribute = attributes[color];

	if (cells == VGA_MONO)
		attribute = color == SCREEN_TEXT ? MONO_NORMAL : MONO_BRIGHT;
	phys_write16(cells + 2 * (row * TEXT_COLUMNS + column),
	             (uint16_t)(attribute << 8 | (uint8_t)c));
}

/*
 * Is there a CRT controller? Its cursor register keeps what is written (Linux, mda_detect()). The
 * memory tells nothing: without an adapter, chipsets may leave RAM there. An empty bus may keep
 * the last byte, so another one is written in between.
 */
static bool keeps(uint16_t crtc, uint8_t pattern)
{
	x86_outb(crtc, CRTC_POSITION);
	x86_outb(crtc + 1, pattern);
	x86_outb(crtc, CRTC_POSITION);
	return x86_inb(crtc + 1) == pattern;
}

static bool is_text(const struct bootinfo *bi)
{
	if (!bi || bi->fb.kind == FB_NONE)
		return !bi || !bi->efi;
	return bi->fb.kind == FB_TEXT && bi->fb.width == TEXT_COLUMNS;
}

bool vga_open(struct screen *s, const struct bootinfo *bi)
{
	bool mono = phys_read16(BDA_CRTC) == CRTC_MONO;
	uint16_t crtc = mono ? CRTC_MONO : CRTC_COLOR;

	if (!is_text(bi) || !keeps(crtc, 0x66) || !keeps(crtc, 0x99))
		return false;
	cells = mono ? VGA_MONO : VGA_COLOR;
	x86_outb(crtc, CRTC_CURSOR);
	x86_outb(crtc + 1, CRTC_HIDDEN);
	for (unsigned i = 0; i < TEXT_COLUMNS * TEXT_ROWS; i++)
		draw(i, 0, ' ', SCREEN_TEXT);
	s->columns = TEXT_COLUMNS;
	s->rows = TEXT_ROWS;
	s->jump = 1;
	s->draw = draw;
	screen_init(s);
	return true;
}
