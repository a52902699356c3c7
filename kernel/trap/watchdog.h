/*
 * The watchdog ends a snippet that does not return.
 *
 * While the watchdog is armed, interrupts are on and exactly one source is unmasked. The source is
 * the timer of the local APIC. Where no local APIC can be reached, the source is channel 0 of the
 * 8254 behind the 8259. A good snippet never sees an interrupt. When the time is up, the watchdog
 * writes a `timeout` record, and the running trap_protect() returns.
 *
 * A stubborn snippet may turn interrupts off. An NMI ends it: the 8254's request goes through the
 * 8259 to LINT0 of the local APIC, which is set to NMI. watchdog_init() tests that the NMI arrives.
 * If it does not, or without a local APIC, the watchdog cannot end such a snippet.
 */
#ifndef KERNEL_TRAP_WATCHDOG_H
#define KERNEL_TRAP_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/trap/trap.h"

/*
 * Finds the timer and its rate. Prints the `watchdog` record. `tsc_hz`: 0 if it is not known.
 * `guest`: an access to the timer leaves the guest.
 */
void watchdog_init(uint64_t tsc_hz, bool guest);

/*
 * Arms the watchdog for about `ms` milliseconds (at most 60000). The record names `what`. In a
 * guest a watch of the same `what` and `ms` that is running may go on instead: it ends up to a
 * sixteenth of its time, and up to 20 ms, too early.
 */
void watchdog_start(uint32_t ms, const char *what, bool stubborn);

void watchdog_stop(void);

/* Timer interrupts so far that ended no snippet. A sample with such an interrupt is disturbed. */
uint32_t watchdog_ticks(void);

#endif
