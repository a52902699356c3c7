/*
 * The watchdog: ends a snippet that does not come back.
 *
 * While it is armed interrupts are on and exactly one source is unmasked: the timer of the local APIC
 * or, where there is none that can be reached, channel 0 of the 8254 behind the 8259. A good snippet
 * never sees it. When the time is up a `timeout` record is written and the trap_protect() that is
 * running returns. A snippet that turns interrupts off by itself cannot be ended this way.
 */
#ifndef KERNEL_WATCHDOG_H
#define KERNEL_WATCHDOG_H

#include <stdint.h>

/* Finds the timer and how fast it runs; prints the `watchdog` record. Needs the TSC rate. */
void watchdog_init(uint64_t tsc_hz);

/* Arms it for about `ms` milliseconds (at most 60000); `what` is named in the record. */
void watchdog_start(uint32_t ms, const char *what);

void watchdog_stop(void);

/* Timer interrupts so far that did not end anything: a sample that saw one is disturbed. */
uint32_t watchdog_ticks(void);

#endif
