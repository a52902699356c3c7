/*
 * KVM's clock for guests. Its page says by what factor KVM makes nanoseconds of TSC ticks, so it
 * tells the rate of the TSC where no CPUID leaf does.
 */
#ifndef KERNEL_CPU_KVMCLOCK_H
#define KERNEL_CPU_KVMCLOCK_H

#include <stdint.h>

/*
 * Returns the rate of the TSC in kHz, or 0 if KVM has no such clock or did not fill its page.
 * `leaf` is the leaf of KVM's signature, or 0 if there is none (guest_kvm_leaf()). KVM uses the
 * page only while this function runs.
 */
uint32_t kvmclock_khz(uint32_t leaf);

/*
 * The rate in kHz by the fields of the page: a tick is 2^shift * mul / 2^32 ns. 0: no legal rate,
 * or `shift` is not from -10 to 10. Source: Linux, Documentation/virt/kvm/x86/msr.rst.
 */
uint32_t kvmclock_khz_of(uint32_t mul, int shift);

#endif
