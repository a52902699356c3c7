/*
 * Date and time of the clock of the PC (MC146818, ports 70h and 71h; PC/AT technical reference).
 */
#ifndef KERNEL_CHIPSET_RTC_H
#define KERNEL_CHIPSET_RTC_H

#include <stdbool.h>
#include <stdint.h>

struct rtc_time {
	uint16_t year;
	uint8_t month, day, hour, minute, second; /* from 1, from 1, 0 to 23, 0 to 59, 0 to 59 */
};

/*
 * Fills *t. False: there is no such clock, its battery is empty, its update does not end, or its
 * registers are no date. cmos(index) reads a register. `century` is the register of the century as
 * the FADT has it; 0: none, then years from 80 on are of the last century. The function reads at
 * most some twenty thousand times.
 */
bool rtc_read(struct rtc_time *t, uint8_t century, uint8_t (*cmos)(uint8_t index));

/* A register of the clock of this machine. */
uint8_t rtc_cmos(uint8_t index);

/* Writes the time as text, like "2026-11-26T17:09:00", with the final 0. */
enum { RTC_TEXT = 20 };
void rtc_text(const struct rtc_time *t, char text[RTC_TEXT]);

#endif
