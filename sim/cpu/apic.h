/*
 * sim/cpu/apic.h - local APIC (SDM volume 3A, "Advanced Programmable Interrupt Controller").
 */
#ifndef SIM_CPU_APIC_H
#define SIM_CPU_APIC_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct machine;

#define APIC_DEFAULT_BASE 0xfee00000ull

/* What an I/O APIC or an MSI sends. mode: as in an LVT entry, bits 10:8. */
struct apic_message {
	uint8_t destination; /* APIC id, FFh: all; or bits of logical ids */
	bool logical;
	uint8_t mode, vector;
	bool level; /* its end is told to the bus (struct bus) */
};

/*
 * State after RESET, and what a BIOS makes of the first processor: virtual wire mode. keep_base:
 * INIT, or the enable bit of APIC_BASE; the register stays then.
 */
void apic_reset(struct cpu *cpu, bool keep_base);
/* The model has a local APIC, and APIC_BASE enables it. */
bool apic_present(const struct cpu *cpu);

/* Do its registers answer at this physical address? Not while it is off, nor in x2APIC mode. */
bool apic_has_page(const struct cpu *cpu, uint64_t at);

/* Memory-mapped registers; offset: 0 to FF0h, a multiple of 16. */
uint32_t apic_read(struct cpu *cpu, uint32_t offset);
void apic_write(struct cpu *cpu, uint32_t offset, uint32_t value);
/* x2APIC registers, MSR 800h to 8FFh, and APIC_BASE. False: #GP. */
bool apic_msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value);
bool apic_msr_write(struct cpu *cpu, uint32_t msr, uint64_t value);
bool apic_base_write(struct cpu *cpu, uint64_t value);
/* IA32_TSC_DEADLINE. Outside of deadline mode the write is ignored. */
void apic_deadline_write(struct cpu *cpu, uint64_t value);

/* Lets everything of this processor's APIC happen that is due by its clock: timer, overflow. */
void apic_update(struct cpu *cpu);
/* The clock at which apic_update() has something to do again; NEVER: it has not. */
uint64_t apic_next(const struct cpu *cpu);
/*
 * A counter overflowed in the instruction that will have ended `clocks` from now. The interrupt
 * arrives the model's latency later (costs.pmi, --pmi-latency) and is delivered as the performance
 * counter entry says then.
 */
void apic_pmi(struct cpu *cpu, uint32_t clocks);

/*
 * A message from a device. Of several destinations lowest priority takes the one whose processor
 * priority is lowest. Nothing happens where the model has no APIC.
 */
void apic_message(struct machine *pc, const struct apic_message *m);

/* AMD: IBS has a sample, which comes through the first extended entry at once. */
void apic_ibs(struct cpu *cpu);
/* The vector that would be delivered now; -1: none. */
int apic_pending(const struct cpu *cpu);
/* The processor takes this vector: it is in service until its end of interrupt. */
void apic_accept(struct cpu *cpu, unsigned vector);

/* The 8259s' line reaches processors whose LINT0 is ExtINT, or whose APIC is off. */
bool apic_takes_extint(const struct cpu *cpu);
/* The 8259s' line rises: delivered as the LINT0 entry says, unless the entry is ExtINT. */
void apic_lint0(struct cpu *cpu);
bool apic_lint0_is_nmi(const struct cpu *cpu);

#endif
