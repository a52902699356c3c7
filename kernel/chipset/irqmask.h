/*
 * A machine without noise: 8259s masked and remapped off the exception vectors, IF = 0, every local
 * APIC LVT entry masked except entries that raise SMIs. Needed before anything is measured: on some
 * cores a pending masked interrupt alone slows execution.
 */
#ifndef KERNEL_CHIPSET_IRQMASK_H
#define KERNEL_CHIPSET_IRQMASK_H

#include "kernel/cpu/cpu.h"

/* Before traps exist: interrupts off, both 8259s as pic_init() leaves them. */
void irqmask_pic(void);

/*
 * After the CPU is known: masks the LVT entries of the local APIC (xAPIC or x2APIC). An entry that
 * raises SMIs belongs to the firmware and stays as it is (QUIRK_LVT_SMI).
 */
void irqmask_apic(const struct cpu *cpu);

/*
 * On another CPU than the first, with its local APIC enabled. INIT masks the thermal entry. If
 * irqmask_apic() left the boot CPU's entry to the firmware, this CPU gets the same value, because
 * firmware expects one value on all CPUs (Linux, therm_throt.c).
 */
void irqmask_follow(void);

/*
 * Call it before irqmask_apic() if the firmware stays in use, and its devices raise interrupts.
 * From now on irqmask_priority() lets in the kernel's interrupts only.
 */
void irqmask_keep(void);

/* The task priority of the local APIC during measurements; 0: only the kernel raises interrupts. */
uint32_t irqmask_priority(void);

/*
 * Around a call of the firmware, with interrupts off: irqmask_give() restores the state of the
 * local APIC that irqmask_apic() found, irqmask_take() the state before irqmask_give().
 */
void irqmask_give(void);
void irqmask_take(void);

/*
 * Prints the `quiet` record: masks as read back if there is an 8259, pending interrupts, the NMIs
 * and machine checks so far, and how many of the firmware's `cpus` (0: it lists none) are still
 * parked by the firmware. Prints a `warn` if an LVT entry cannot be masked.
 */
void irqmask_log(unsigned cpus, uint32_t nmi, uint32_t mce);

#endif
