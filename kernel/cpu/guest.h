/*
 * The hypervisor under this CPU, as the guest sees it: its CPUID leaves, and the costs of exits. On
 * bare metal, and under QEMU's emulator TCG, nothing is measured.
 */
#ifndef KERNEL_CPU_GUEST_H
#define KERNEL_CPU_GUEST_H

#include "kernel/cpu/flush.h"

/* Of a CPU that cpu_is_guest(). Costs are TSC ticks; 0: the access faults, or is not made. */
struct guest {
	bool seen;                  /* the other fields are valid */
	char also[13];              /* a second signature, "" without one */
	uint32_t max;               /* highest leaf of the first signature */
	uint32_t tsc_khz;           /* guest_tsc_khz() */
	uint32_t rdpmc, cpuid, msr; /* medians of an access; `msr` is RDMSR of IA32_APIC_BASE */
	enum flush_by flush;
	bool steal;        /* KVM reports stolen time (kernel/cpu/steal.h) */
	bool ignores_msrs; /* a register that no CPU has reads without a fault */
};

/*
 * The second signature of a hypervisor, if a leaf at 40000100H, 40000200H ... 40010000H has one:
 * KVM's is there where Hyper-V's comes first (Linux, hypervisor_cpuid_base()). "": there is none.
 */
void guest_second(const struct cpu *c, cpuid_fn cpuid, char name[13]);

/*
 * The leaf of KVM's signature, 40000000H or, where Hyper-V's comes first, one of 40000100H ...
 * 40010000H; 0: the hypervisor is not KVM. KVM's features are in the next leaf.
 */
uint32_t guest_kvm_leaf(const struct cpu *c, cpuid_fn cpuid);

/*
 * Rate of the time stamp counter in kHz, on a CPU with CPU_HYPERVISOR: leaf 40000010H, or the leaf
 * 10H above KVM's signature if that is not the first. 0: unknown.
 */
uint32_t guest_tsc_khz(const struct cpu *c, cpuid_fn cpuid);

/*
 * The kind of a guest whose memory and registers are hidden from the hypervisor: "sev", "sev-es",
 * "sev-snp", "tdx". This kernel cannot run in such a guest. NULL: none of these.
 */
const char *guest_secret(const struct cpu *c, cpuid_fn cpuid);

/*
 * In a guest: measures the instructions that exit, asks KVM for a page of stolen time, and prints
 * the record `guest`. flush_find() uses the memory at `room`.
 */
void guest_begin(const struct cpu *c, void *room);

/* Do RDPMC and accesses to registers of the PMU exit? False before guest_begin(). */
bool guest_counters_exit(void);

/*
 * Adds to what guest_end() says of all samples: how many were dropped because the guest exited to
 * its host, and how many because another CPU was away.
 */
void guest_dropped(uint32_t exits, uint32_t apart);

/* In a guest: measures again, prints the record with `when=end`, and gives the page back. */
void guest_end(const struct cpu *c);

#endif
