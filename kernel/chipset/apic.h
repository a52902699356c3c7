/*
 * The local APIC's registers, memory-mapped or as MSRs (SDM volume 3, "Advanced Programmable
 * Interrupt Controller (APIC)"; of AMD's extended registers: APM volume 2, chapter of the same
 * name).
 */
#ifndef KERNEL_CHIPSET_APIC_H
#define KERNEL_CHIPSET_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

/*
 * NONE: the CPU has no local APIC, or its version is impossible. OFF: IA32_APIC_BASE disables it.
 * XAPIC: its registers are in memory. X2APIC: they are MSRs. UNREACHABLE: they are in memory that
 * the kernel cannot map.
 */
enum apic_mode { APIC_NONE, APIC_OFF, APIC_XAPIC, APIC_X2APIC, APIC_UNREACHABLE };

/* Register offsets of the memory-mapped form; x2APIC MSRs are 800h + offset / 16. */
enum {
	APIC_ID = 0x20,
	APIC_VERSION = 0x30, /* bits 23:16: number of the last LVT entry; bit 31: extended space */
	APIC_TASK_PRIORITY = 0x80,
	APIC_EOI = 0xb0,
	APIC_SPURIOUS = 0xf0,
	APIC_ISR = 0x100,      /* in service: 256 bits, 32 in each of eight registers 10h apart */
	APIC_IRR = 0x200,      /* requested */
	APIC_LVT_CMCI = 0x2f0, /* corrected machine checks */
	APIC_ICR_LOW = 0x300,  /* the write that sends; as an MSR it has 64 bits */
	APIC_ICR_HIGH = 0x310,
	APIC_LVT_TIMER = 0x320,
	APIC_LVT_THERMAL = 0x330,
	APIC_LVT_PERF = 0x340,
	APIC_LVT_LINT0 = 0x350,
	APIC_LVT_LINT1 = 0x360,
	APIC_LVT_ERROR = 0x370,
	APIC_TIMER_INITIAL = 0x380,
	APIC_TIMER_CURRENT = 0x390,
	APIC_TIMER_DIVIDE = 0x3e0,
	APIC_EXT_FEATURES = 0x400, /* AMD: bits 23:16 = number of extended LVT entries */
	APIC_EXT_LVT = 0x500,      /* AMD: the first extended LVT entry; they are 10h apart */
};

/* Bits of an LVT entry and of registers above. */
enum {
	LVT_MODE = 7 << 8, /* delivery mode; two of its values: */
	LVT_SMI = 2 << 8,
	LVT_NMI = 4 << 8,
	LVT_MASKED = 1 << 16,
	APIC_SPURIOUS_ENABLE = 1 << 8,
};

/* Searches for the local APIC. True: its registers can be accessed. */
bool apic_find(const struct cpu *cpu);

/* The mode that apic_find() found. */
enum apic_mode apic_mode(void);

/* Linear address of the page of its registers; 0: they are MSRs, or cannot be accessed. */
uintptr_t apic_page(void);
const char *apic_mode_name(void); /* "none", "off", "xapic", "x2apic", "unreachable" */

/* `offset` is a register above. Only after apic_find() returned true. */
uint32_t apic_read(uint32_t offset);
void apic_write(uint32_t offset, uint32_t v);

/* Values for `command` of apic_send() (SDM volume 3, "Interrupt Command Register (ICR)"). */
enum {
	IPI_FIXED = 0x4000,    /* with the vector */
	IPI_INIT = 0xc500,     /* level-triggered, assert */
	IPI_INIT_END = 0x8500, /* de-assert, for local APICs before the Pentium 4 */
	IPI_STARTUP = 0x4600,  /* with the number of the page of the start-up code */
};

/*
 * Sends an interrupt to the CPU with this APIC id, and waits until the local APIC has taken it, for
 * a bounded time. False: nothing was sent, because the id does not fit the mode of this APIC (above
 * 254 without x2APIC mode), or because the write faulted.
 */
bool apic_send(uint32_t id, uint32_t command);

/* The APIC id of the calling CPU. */
uint32_t apic_own_id(void);

/*
 * On a CPU that has just started: sets its local APIC to the mode of the boot CPU's. False: this is
 * not possible.
 */
bool apic_follow(void);

/* The bit of a vector in APIC_ISR or APIC_IRR. */
bool apic_bit(uint32_t bitmap, unsigned vector);

/* Ends the interrupt if the APIC has delivered it. False: INT n or the 8259 raised the vector. */
bool apic_end_interrupt(unsigned vector);

#endif
