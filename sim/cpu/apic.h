/*
 * sim/cpu/apic.h - local APIC (SDM volume 3A, "Advanced Programmable Interrupt Controller").
 */
#ifndef SIM_APIC_H
#define SIM_APIC_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;

enum { LVT_TIMER, LVT_THERMAL, LVT_PERF, LVT_LINT0, LVT_LINT1, LVT_ERROR, LVT_COUNT };

struct apic {
	uint64_t base; /* MSR 1Bh */
	uint32_t irr[8], isr[8], tmr[8];
	uint32_t lvt[LVT_COUNT];
	uint32_t tpr, ldr, dfr, svr, esr, esr_pending;
	uint32_t icr[2];
	uint32_t divide, initial;
	uint64_t timer_start; /* clock */
	uint64_t timer_next;  /* clock of the next expiry, NEVER: none */
	uint64_t deadline;    /* TSC deadline, 0: none */
};

void apic_reset(struct cpu *cpu, bool keep_base);
bool apic_present(const struct cpu *cpu);
uint32_t apic_read(struct cpu *cpu, uint32_t offset);
void apic_write(struct cpu *cpu, uint32_t offset, uint32_t value);
/* x2APIC registers, MSR 800h to 8FFh, and APIC_BASE. false: #GP. */
bool apic_msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value);
bool apic_msr_write(struct cpu *cpu, uint32_t msr, uint64_t value);
bool apic_base_write(struct cpu *cpu, uint64_t value);
void apic_deadline_write(struct cpu *cpu, uint64_t value);
/* Lets the timer of this CPU expire up to its clock. */
void apic_update(struct cpu *cpu);
/* A counter overflowed. */
void apic_pmi(struct cpu *cpu);
/* Vector that would be delivered now, -1: none. */
int apic_pending(const struct cpu *cpu);
void apic_accept(struct cpu *cpu, unsigned vector);
/* The 8259s' line goes to CPUs whose LINT0 is ExtINT, or whose APIC is off. */
bool apic_takes_extint(const struct cpu *cpu);

/* Their line rises: delivered as the LINT0 entry says, unless that is ExtINT. */
void apic_lint0(struct cpu *cpu);
bool apic_lint0_is_nmi(const struct cpu *cpu);

#endif
