/*
 * sim/pc/cmos.c - clock and configuration memory (MC146818).
 */
#include "sim/pc/cmos.h"

#include "sim/cpu/machine.h"
#include "sim/pc/state.h"
#include "sim/pc/ticks.h"

static uint8_t bcd(unsigned n)
{
	return (uint8_t)(n / 10 * 16 + n % 10);
}

static uint8_t cmos_clock(const struct machine *pc, uint8_t index)
{
	uint64_t seconds = ticks_at(pc, ticks_now(pc), 1);
	uint64_t days = seconds / 86400;
	unsigned hour = (unsigned)(seconds / 3600 % 24);
	unsigned value;

	switch (index) {
	case 0:
		value = (unsigned)(seconds % 60);
		break;
	case 2:
		value = (unsigned)(seconds / 60 % 60);
		break;
	case 4:
		value = hour;
		break;
	case 6:
		value = (unsigned)((days + 6) % 7 + 1); /* it was a Saturday */
		break;
	case 7:
		value = (unsigned)(days % 31 + 1);
		break;
	default:
		return index == 8 ? 1 : 0; /* January 2000: a run is never longer */
	}
	return pc->dev->cmos_b & 4 ? (uint8_t)value : bcd(value);
}

static uint8_t cmos_data(const struct machine *pc)
{
	uint64_t in_second = ticks_at(pc, ticks_now(pc), 1000000) % 1000000;
	uint64_t kb = pc->ram_size / 1024 - 1024;

	switch (pc->dev->cmos_index) {
	case 0x0a: /* update in progress: the last 2.2 ms of a second */
		return 0x26 | (in_second >= 997772 ? 0x80 : 0);
	case 0x0b:
		return pc->dev->cmos_b;
	case 0x0c:
		return 0;
	case 0x0d:
		return 0x80;
	case 0x15:
		return 640 & 0xff;
	case 0x16:
		return 640 >> 8;
	case 0x17:
	case 0x30:
		return (uint8_t)(kb > 65535 ? 255 : kb);
	case 0x18:
	case 0x31:
		return (uint8_t)((kb > 65535 ? 65535 : kb) >> 8);
	case 0x32:
		return 0x20;
	default:
		return pc->dev->cmos_index < 10 ? cmos_clock(pc, pc->dev->cmos_index) : 0;
	}
}

uint8_t cmos_read(struct machine *pc, uint16_t port)
{
	return port & 1 ? cmos_data(pc) : 0xff;
}

void cmos_write(struct machine *pc, uint16_t port, uint8_t value)
{
	if (!(port & 1))
		pc->dev->cmos_index = value & 0x7f;
	else if (pc->dev->cmos_index == 0x0b)
		pc->dev->cmos_b = value;
}
