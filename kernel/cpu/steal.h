/*
 * Stolen time: the time that KVM gave to others while a CPU could run. KVM keeps it in a page for
 * each CPU of a guest that asks for one. Source: Linux, Documentation/virt/kvm/x86/msr.rst,
 * MSR_KVM_STEAL_TIME.
 */
#ifndef KERNEL_CPU_STEAL_H
#define KERNEL_CPU_STEAL_H

#include <stdbool.h>
#include <stdint.h>

/* The page of one CPU, as KVM lays it out (struct kvm_steal_time). */
struct steal_page {
	uint64_t steal_ns;
	uint32_t version; /* odd while the host writes */
	uint32_t flags;
	uint8_t preempted; /* bit 0: the CPU is away at this moment */
	uint8_t rest[47];
} __attribute__((aligned(64)));

/*
 * On the boot CPU: asks for its page. `leaf`: the leaf of KVM's signature; 0: none. False: no page.
 */
bool steal_begin(uint32_t leaf);

/*
 * On another CPU: asks for its page if the boot CPU has one, and ends KVM's use of that page. The
 * boot CPU ends the use of its own page after all others.
 */
void steal_follow(volatile struct steal_page *page);
void steal_leave(void);

/*
 * A number that changes whenever the host's scheduler takes the boot CPU away or gives it back; 0
 * without a page.
 */
uint32_t steal_version(void);

/* The same of the CPU whose page that is. */
uint32_t steal_version_in(const volatile struct steal_page *page);

/*
 * Microseconds that the boot CPU has waited for a CPU of the host since steal_begin(); 0 without a
 * page.
 */
uint64_t steal_us(void);

/* On the boot CPU: ends KVM's use of its page. */
void steal_end(void);

#endif
