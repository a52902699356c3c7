/*
 * Time that KVM gave to others while this CPU could have run: its page of stolen time, which it
 * keeps up to date for a guest that asks for it. Only for the CPU that calls.
 */
#ifndef KERNEL_CPU_STEAL_H
#define KERNEL_CPU_STEAL_H

#include <stdbool.h>
#include <stdint.h>

/* Asks for the page. `leaf` is that of KVM's signature; 0: there is none. False: no page. */
bool steal_begin(uint32_t leaf);

/* Changes whenever the CPU comes back from the host's scheduler; 0 without a page. */
uint32_t steal_version(void);

/* Microseconds that this CPU waited for one of the host's, since before steal_begin(). */
uint64_t steal_us(void);

/* The page is ours again. */
void steal_end(void);

#endif
