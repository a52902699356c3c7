/*
 * Stolen time: the time that KVM gave to others while this CPU could run. KVM keeps it in a page
 * for a guest that asks for one. All functions act on the calling CPU.
 */
#ifndef KERNEL_CPU_STEAL_H
#define KERNEL_CPU_STEAL_H

#include <stdbool.h>
#include <stdint.h>

/* Asks for the page. `leaf`: the leaf of KVM's signature; 0: none. False: no page. */
bool steal_begin(uint32_t leaf);

/* A number that changes whenever the host's scheduler gives the CPU back; 0 without a page. */
uint32_t steal_version(void);

/* Microseconds that this CPU has waited for a CPU of the host, since before steal_begin(). */
uint64_t steal_us(void);

/* Ends KVM's use of the page. */
void steal_end(void);

#endif
