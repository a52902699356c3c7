/*
 * The watchdog ends a snippet that does not return.
 *
 * While the watchdog is armed, interrupts are on and exactly one source is unmasked, besides the
 * NMI below. The source is the timer of the local APIC. Where no local APIC can be reached, the
 * source is channel 0 of the 8254 behind the 8259. A good snippet never sees an interrupt of the
 * APIC. When the time is up, the watchdog writes a `timeout` record, and the running trap_protect()
 * returns.
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
 * Arms the watchdog for about `ms` milliseconds (at most 60000), and turns interrupts on. The
 * record names `what`. `stubborn`: the snippet may turn interrupts off, so the NMI is armed too. In
 * a guest a watch of the same `what` and `ms` that is running may go on instead. It then ends too
 * early, by at most a sixteenth of its time and at most 20 ms. Without a timer the call does
 * nothing.
 */
void watchdog_start(uint32_t ms, const char *what, bool stubborn);

/* Disarms the watchdog, and turns interrupts off. */
void watchdog_stop(void);

/* Interrupts of the 8254 so far, which comes every 55 ms. They disturb a sample. */
uint32_t watchdog_ticks(void);

#endif
