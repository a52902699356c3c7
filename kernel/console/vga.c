/*
 * VGA text mode (IBM VGA; registers as in the PS/2 Hardware Interface Technical Reference,
 * "Video Subsystem"). The BIOS has set mode 3, or 7 on a monochrome adapter.
 */
#include "kernel/board/phys.h"
#include "kernel/console/vga.h"
#include "kernel/cpu/x86.h"

#define VGA_COLOR     0xb8000u
#define VGA_MONO      0xb0000u
#define VGA_GRAY      0x0700 /* attribute: light grey on black; normal on monochrome */
#define BDA_CRTC      0x463u /* BIOS data area: port of the CRT controller */
#define CRTC_COLOR    0x3d4
#define CRTC_MONO     0x3b4
#define CRTC_CURSOR   0x0a /* cursor start register */
#define CRTC_POSITION 0x0f /* low byte of the cursor's place */
#define CRTC_HIDDEN   0x20 /* its bit 5: no cursor */
#define TEXT_COLUMNS  80
#define TEXT_ROWS     25

static uint32_t cells;

static void draw(unsigned column, unsigned row, char c)
{
	phys_write16(cells + 2 * (row * TEXT_COLUMNS + column), VGA_GRAY | (uint8_t)c);
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
		draw(i, 0, ' ');
	s->columns = TEXT_COLUMNS;
	s->rows = TEXT_ROWS;
	s->jump = 1;
	s->draw = draw;
	screen_init(s);
	return true;
}
