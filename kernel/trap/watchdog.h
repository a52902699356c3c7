/*
 * The watchdog: ends a snippet that does not come back.
 *
 * While it is armed interrupts are on and exactly one source is unmasked: the timer of the local
 * APIC or, where there is none that can be reached, channel 0 of the 8254 behind the 8259. A good
 * snippet never sees it. When the time is up a `timeout` record is written and the trap_protect()
 * that is running returns.
 *
 * A stubborn snippet, which may turn interrupts off, is ended by an NMI: the 8254's, through the
 * 8259 to a LINT0 of the local APIC that makes an NMI of it. watchdog_init() tries whether that
 * works; where it does not, as where there is no local APIC, such a snippet cannot be ended.
 */
#ifndef KERNEL_TRAP_WATCHDOG_H
#define KERNEL_TRAP_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/trap/trap.h"

/* Finds the timer and how fast it runs; prints the `watchdog` record. Needs the TSC rate. */
void watchdog_init(uint64_t tsc_hz);

/* Arms it for about `ms` milliseconds (at most 60000); `what` is named in the record. */
void watchdog_start(uint32_t ms, const char *what, bool stubborn);

void watchdog_stop(void);

/* Timer interrupts so far that did not end anything: a sample that saw one is disturbed. */
uint32_t watchdog_ticks(void);

#endif
