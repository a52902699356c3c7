/*
 * A machine without noise: 8259s masked and remapped off the exception vectors, IF = 0, every local
 * APIC LVT entry masked. Needed before anything is measured: on some cores a pending masked
 * interrupt alone slows execution.
 */
#ifndef KERNEL_CHIPSET_IRQMASK_H
#define KERNEL_CHIPSET_IRQMASK_H

#include "kernel/cpu/cpu.h"

/* Before traps exist: interrupts off, both 8259s as pic_init() leaves them. */
void irqmask_pic(void);

/* After the CPU is known: masks every LVT entry of the local APIC (xAPIC or x2APIC). */
void irqmask_apic(const struct cpu *cpu);

/*
 * On another CPU than the first, with its local APIC enabled: INIT has masked the thermal entry. If
 * irqmask_apic() left that of the boot CPU to the firmware, this CPU gets the same; firmware wants
 * one value everywhere (Linux, therm_throt.c).
 */
void irqmask_follow(void);

/*
 * Before irqmask_apic(): the firmware stays alive, and devices go on raising its interrupts. From
 * now on irqmask_priority() lets in our own alone.
 */
void irqmask_keep(void);

/* The task priority of the local APIC while we measure: 0 if nothing but we raises interrupts. */
uint32_t irqmask_priority(void);

/*
 * Around a call of the firmware, with interrupts off: gives the local APIC back as irqmask_apic()
 * found it, and takes it again as it was when it was given.
 */
void irqmask_give(void);
void irqmask_take(void);

/*
 * Prints the `quiet` record: masks as read back if there is an 8259, interrupts pending, the NMIs
 * and machine checks so far, and how many of the `cpus` that firmware lists (0: it does not) were
 * left where it parked them.
 */
void irqmask_log(unsigned cpus, uint32_t nmi, uint32_t mce);

#endif
