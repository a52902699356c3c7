/*
 * The 8254 timer of a PC (Intel 8254 data sheet; PC/AT port 61h). Nothing else in the kernel
 * touches its ports.
 *
 * Channel 0 drives line 0 of the interrupt controller (kernel/chipset/pic.h). Channel 2 drives the
 * speaker and is free for counting. Both count down from a 16-bit value; 0 stands for 65536.
 */
#ifndef KERNEL_CHIPSET_PIT_H
#define KERNEL_CHIPSET_PIT_H

#include <stdint.h>

enum {
	PIT_HZ = 1193182,   /* counts a second */
	PIT_PERIOD_MS = 55, /* 65536 counts take 54.9 ms */
};

/* Channel 0: stops, with its output low. A request that it made before stays with the 8259. */
void pit_stop(void);

/* Channel 0, after pit_stop(): counts `count` down once and raises its output at the end. */
void pit_count(uint16_t count);

/* Channel 0: ticks 18.2 times a second, as a BIOS has it. */
void pit_tick(void);

/*
 * Channel 2: counts 65536 down again and again, with the speaker off. Returns the value of port 61h
 * before, for pit_end_periods().
 */
uint8_t pit_begin_periods(void);
void pit_end_periods(uint8_t port_b);

/*
 * Waits for `counts` counts of channel 2, at most 60000, for a bounded time. No other code may use
 * the channel meanwhile.
 */
void pit_wait(uint16_t counts);

/* Channel 2: holds the count of this moment for pit_held(), which reads it once. */
void pit_hold(void);
uint16_t pit_held(void);

#endif
