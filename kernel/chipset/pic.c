/*
 * The two 8259 interrupt controllers (kernel/chipset/pic.h). Source: Intel 8259A data sheet.
 */
#include <stdbool.h>

#include "kernel/chipset/pic.h"
#include "kernel/cpu/x86.h"

enum {
	PIC1 = 0x20,
	PIC2 = 0xa0,
	DATA = 1, /* the second port of a controller: the mask, and ICW2 to ICW4 */
	ICW1_INIT_ICW4 = 0x11,
	ICW4_8086 = 0x01,
	OCW2_EOI = 0x20,
	OCW3_READ_IRR = 0x0a,
	OCW3_POLL = 0x0c, /* the next read takes the request into service and gives its line */
	POLLED = 1 << 7,  /* there was a request */
	POLLED_LINE = 7,
	MASK_ALL = 0xff,
};

/* Real mode (IBM PC/AT Technical Reference): lines 0 to 7 have INT 8 to INT 15. */
enum { BIOS_VECTOR1 = 0x08, BIOS_VECTOR2 = 0x70 };

static uint16_t found; /* the masks before the first initialization */
static bool known, kept;

static void init_one(uint16_t pic, uint8_t vectors, uint8_t cascade, uint8_t mask)
{
	if (kept) {
		x86_outb(pic + DATA, mask);
		return;
	}
	x86_outb(pic, ICW1_INIT_ICW4);
	x86_outb(pic + DATA, vectors);
	x86_outb(pic + DATA, cascade);
	x86_outb(pic + DATA, ICW4_8086);
	x86_outb(pic + DATA, mask);
}

void pic_init(void)
{
	if (!known)
		found = pic_masked();
	known = true;
	init_one(PIC1, PIC_VECTOR, 1 << 2, MASK_ALL);
	init_one(PIC2, PIC_VECTOR + 8, 2, MASK_ALL);
}

void pic_give(void)
{
	init_one(PIC1, BIOS_VECTOR1, 1 << 2, (uint8_t)found);
	init_one(PIC2, BIOS_VECTOR2, 2, (uint8_t)(found >> 8));
}

void pic_keep(void)
{
	kept = true;
}

bool pic_is_kept(void)
{
	return kept;
}

/* Line 2 alone is let in: nothing is on it while the second controller masks all of its lines. */
bool pic_present(void)
{
	bool same;

	pic_allow(1 << 2);
	same = x86_inb(PIC1 + DATA) == (uint8_t) ~(1 << 2);
	pic_allow(0);
	return same;
}

void pic_allow(uint8_t lines)
{
	x86_outb(PIC1 + DATA, (uint8_t)~lines);
}

void pic_end(void)
{
	x86_outb(PIC1, OCW2_EOI);
}

int pic_poll(void)
{
	uint8_t v;

	x86_outb(PIC1, OCW3_POLL);
	v = x86_inb(PIC1);
	return v & POLLED ? v & POLLED_LINE : -1;
}

uint16_t pic_masked(void)
{
	return (uint16_t)(x86_inb(PIC1 + DATA) | x86_inb(PIC2 + DATA) << 8);
}

static uint8_t pending(uint16_t pic)
{
	x86_outb(pic, OCW3_READ_IRR);
	return x86_inb(pic);
}

uint16_t pic_pending(void)
{
	return (uint16_t)(pending(PIC1) | pending(PIC2) << 8);
}
