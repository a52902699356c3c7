/*
 * A hypervisor under this CPU, as far as it can be seen from inside: what CPUID tells of it, and
 * what it costs to leave the guest. Nothing of this is done on bare metal, nor under QEMU's
 * emulator TCG, whose times are none of a CPU's.
 */
#ifndef KERNEL_CPU_GUEST_H
#define KERNEL_CPU_GUEST_H

#include "kernel/cpu/flush.h"

/* Of a CPU that cpu_is_guest(). Costs are TSC ticks; 0: the access faults, or is not made. */
struct guest {
	bool seen;                  /* what follows is valid */
	char also[13];              /* a second signature, "" without one */
	uint32_t max;               /* highest leaf of the first signature */
	uint32_t tsc_khz;           /* guest_tsc_khz() */
	uint32_t rdpmc, cpuid, msr; /* medians of an access; `msr` is RDMSR of IA32_APIC_BASE */
	enum flush_by flush;
	bool steal;        /* KVM tells the time that it takes (kernel/cpu/steal.h) */
	bool ignores_msrs; /* a register that no CPU has reads without a fault */
};

/*
 * The second signature of a hypervisor, if a leaf at 40000100H, 40000200H ... 40010000H has one:
 * KVM's is there where Hyper-V's comes first (Linux, hypervisor_cpuid_base()). "": there is none.
 */
void guest_second(const struct cpu *c, cpuid_fn cpuid, char name[13]);

/*
 * The leaf of KVM's signature, 40000000H or, where Hyper-V's comes first, one of 40000100H ...
 * 40010000H; 0: the hypervisor is another. Its features are in the next leaf.
 */
uint32_t guest_kvm_leaf(const struct cpu *c, cpuid_fn cpuid);

/*
 * Rate of the time stamp counter, of a CPU with the bit CPU_HYPERVISOR: leaf 40000010H, or the same
 * behind KVM's signature where that is not the first. 0: it is not told.
 */
uint32_t guest_tsc_khz(const struct cpu *c, cpuid_fn cpuid);

/*
 * The kind of guest that this kernel cannot run in, because its memory and its registers are kept
 * from the hypervisor: "sev", "sev-es", "sev-snp", "tdx". NULL: it is none of them.
 */
const char *guest_secret(const struct cpu *c, cpuid_fn cpuid);

/*
 * Measures what leaves the guest and prints the record `guest`; nothing if this is no guest. `room`
 * is lent to flush_find().
 */
void guest_begin(const struct cpu *c, void *room);

/* Do RDPMC and the registers of the PMU leave the guest? False before guest_begin(). */
bool guest_counters_exit(void);

/* Measures again and prints the record with `when=end`. */
void guest_end(const struct cpu *c);

#endif
