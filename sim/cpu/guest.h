/*
 * sim/cpu/guest.h - the hypervisor under the simulated processors (--fault guest=).
 *
 * The processor's clock is the host's, and with it the TSC and all devices. While the hypervisor
 * runs, that clock goes on, and what belongs to the guest stands still: counters, APERF, MPERF.
 */
#ifndef SIM_CPU_GUEST_H
#define SIM_CPU_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/pmu.h"

struct cpu;
struct insn;

/* Of one processor. */
struct guest {
	uint64_t random;
	uint64_t exit_next;       /* instruction number */
	uint64_t preempt_next;    /* clock; UINT64_MAX: never */
	uint64_t stolen;          /* ticks that it was preempted for */
	uint64_t steal_page;      /* KVM's MSR 4B564D03H */
	uint64_t time_page;       /* KVM's MSR 4B564D01H */
	uint64_t overflow_ms;     /* millisecond of the last overflow */
	uint64_t overflows;       /* in it */
	uint64_t stand_until;     /* clock */
	struct sim_pmu_model pmu; /* with `vpmu` */
};

/* The model of the processor's counters: the hypervisor may show a part of them. */
const struct sim_pmu_model *guest_pmu(struct cpu *cpu);

/* To be called once, when the processor and its PMU are there. */
void guest_begin(struct cpu *cpu);

/* An exit that no instruction caused, if its time has come. Between two instructions only. */
void guest_order(struct cpu *cpu);

/* The same for a preemption of the processor. */
void guest_attend(struct cpu *cpu);

/* The instruction has executed, perhaps by way of the hypervisor. */
void guest_executed(struct cpu *cpu, const struct insn *insn);

/* Do the counters see the step? insn: what retires, NULL: nothing. */
bool guest_counts(struct cpu *cpu, const struct insn *insn);

/* A counter has overflowed. */
void guest_overflow(struct cpu *cpu);

/* True: the register is the hypervisor's. *ok: no #GP. */
bool guest_msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value);
bool guest_msr_write(struct cpu *cpu, uint32_t msr, uint64_t value, bool *ok);

/* An access that would be #GP is none: the hypervisor ignores registers that it does not know. */
bool guest_ignores_msrs(const struct cpu *cpu);

/* What CPUID says of the hypervisor, in place of the model's. */
void guest_cpuid(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4]);

#endif
