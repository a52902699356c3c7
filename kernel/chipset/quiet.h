/*
 * A machine without noise: 8259s masked and remapped off the exception vectors, IF = 0, every local
 * APIC LVT entry masked. Needed before anything is measured: on some cores a pending masked
 * interrupt alone slows execution.
 */
#ifndef KERNEL_CHIPSET_QUIET_H
#define KERNEL_CHIPSET_QUIET_H

#include "kernel/cpu/cpu.h"

/* Before traps exist: interrupts off, both 8259s as pic_init() leaves them. */
void quiet_pic(void);

/* After the CPU is known: masks every LVT entry of the local APIC (xAPIC or x2APIC). */
void quiet_apic(const struct cpu *cpu);

/*
 * On another CPU than the first, with its local APIC enabled: INIT has masked the thermal entry. If
 * quiet_apic() left that of the boot CPU to the firmware, this CPU gets the same; firmware wants
 * one value everywhere (Linux, therm_throt.c).
 */
void quiet_follow(void);

/*
 * Before quiet_apic(): the firmware stays alive, and devices go on raising its interrupts. From now
 * on quiet_priority() lets in our own alone.
 */
void quiet_keep(void);

/* The task priority of the local APIC while we measure: 0 if nothing but we raises interrupts. */
uint32_t quiet_priority(void);

/*
 * Around a call of the firmware, with interrupts off: gives the local APIC back as quiet_apic()
 * found it, and takes it again as it was when it was given.
 */
void quiet_give(void);
void quiet_take(void);

/*
 * Prints the `quiet` record: masks as read back if there is an 8259, interrupts pending, the NMIs
 * and machine checks so far, and how many of the `cpus` that firmware lists (0: it does not) were
 * left where it parked them.
 */
void quiet_log(unsigned cpus, uint32_t nmi, uint32_t mce);

#endif
