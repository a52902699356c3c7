/*
 * The 8254 timer (kernel/chipset/pit.h). Sources: Intel 8254 data sheet; PC/AT port 61h.
 */
#include "kernel/chipset/pit.h"
#include "kernel/cpu/x86.h"

enum {
	CHANNEL0 = 0x40,
	CHANNEL2 = 0x42,
	CONTROL = 0x43,
	CONTROL_ONE_SHOT =
		0x30,          /* channel 0, both bytes, mode 0: output low until the count ends */
	CONTROL_SQUARE = 0x36, /* channel 0, both bytes, mode 3 */
	CONTROL_RATE = 0xb4,   /* channel 2, low byte then high byte, mode 2, binary */
	CONTROL_LATCH = 0x80,  /* channel 2 */
	PORT_B = 0x61,
	PORT_B_GATE = 1 << 0, /* of channel 2 */
	PORT_B_SPEAKER = 1 << 1,
	SAME_LOOKS = 10000, /* at the count of a timer that stands still */
};

void pit_stop(void)
{
	x86_outb(CONTROL, CONTROL_ONE_SHOT);
}

void pit_count(uint16_t count)
{
	x86_outb(CHANNEL0, (uint8_t)count);
	x86_outb(CHANNEL0, (uint8_t)(count >> 8));
}

void pit_tick(void)
{
	x86_outb(CONTROL, CONTROL_SQUARE);
	pit_count(0);
}

uint8_t pit_begin_periods(void)
{
	uint8_t port_b = x86_inb(PORT_B);

	x86_outb(PORT_B, (port_b & ~PORT_B_SPEAKER) | PORT_B_GATE);
	x86_outb(CONTROL, CONTROL_RATE);
	x86_outb(CHANNEL2, 0);
	x86_outb(CHANNEL2, 0);
	return port_b;
}

void pit_end_periods(uint8_t port_b)
{
	x86_outb(PORT_B, port_b);
}

void pit_hold(void)
{
	x86_outb(CONTROL, CONTROL_LATCH);
}

uint16_t pit_held(void)
{
	uint8_t low = x86_inb(CHANNEL2);

	return (uint16_t)(low | x86_inb(CHANNEL2) << 8);
}

/*
 * A look takes at least three microseconds on a real board, and a fraction of one in an emulator.
 */
void pit_wait(uint16_t counts)
{
	uint8_t port_b = pit_begin_periods();
	unsigned same = 0;
	uint16_t start, now, before;

	pit_hold();
	start = now = pit_held();
	while ((uint16_t)(start - now) < counts && same < SAME_LOOKS) {
		before = now;
		pit_hold();
		now = pit_held();
		same = now == before ? same + 1 : 0;
	}
	pit_end_periods(port_b);
}
