/*
 * What the files of kernel/smp/ share: the block of memory of each CPU, and what differs between
 * the two widths.
 */
#ifndef KERNEL_SMP_INTERNAL_H
#define KERNEL_SMP_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/segments.h"
#include "kernel/cpu/conditions.h"
#include "kernel/cpu/mtrr.h"
#include "kernel/cpu/topology.h"
#include "kernel/smp/smp.h"

enum {
	AP_WAKE = 0xf2, /* vector of the interrupt that ends the wait of a parked CPU */
	AP_DONE = 0xf3, /* ... and of the boot CPU, which waits for the others */
	AP_GDT = 9,     /* entries */
	AP_TSS = 104,   /* bytes, in both widths */
};

/* What a CPU is at; only the CPU itself writes it, but for AP_ABSENT. */
enum ap_state {
	AP_ABSENT, /* has not come yet */
	AP_PARKED, /* waits in HLT or MWAIT for a job */
	AP_BUSY,
	AP_FAULTED, /* had an unexpected trap, and stands still until INIT */
};

/*
 * AP_BLOCK bytes, aligned to as much; the stacks are at its end. The trap handlers find it by the
 * base of the GDT, which no snippet changes.
 */
struct ap {
	uint64_t gdt[AP_GDT];
	uint8_t tss[AP_TSS], df_tss[AP_TSS];
	uint32_t id; /* APIC id; set before the CPU is started */
	volatile uint32_t state;
	void (*volatile job)(void *arg); /* set by the boot CPU, cleared when it has been done */
	void *volatile arg;
	volatile uint32_t nmi;
	volatile bool rings;    /* the CPU is about to send AP_DONE, or sends it */
	struct smp_fault fault; /* AP_FAULTED */
	uint32_t mwait;         /* EAX of MWAIT where it waits for a job; 0: in HLT */
	struct cpu_place place;
	struct conditions_own conditions;
	struct mtrr_difference mtrr;
	unsigned long cr0, cr3, cr4; /* outside of smp_usermode_enter() */
} __attribute__((aligned(64)));

/* The frame of ap_common in boot/ap.S. */
struct ap_frame {
	uintptr_t vector, error, ip, cs, flags;
};

/* ap_32.c, ap_64.c: descriptor tables that all CPUs but the first use. Once, before any starts. */
void ap_build_gates(void);

/* The GDT and TSS in a CPU's own block. */
void ap_build_block(struct ap *ap);

/*
 * Where a trap from CPL 3 begins its frame. The addresses behind it, at most AP_RETURNS bytes, are
 * those where ap_from_init and ap_from_body go on.
 */
const void **ap_user_returns(struct ap *ap);

/* CR3 is `cr3` from now on: for what switches tasks. */
void ap_use_tables(struct ap *ap, uintptr_t cr3);

/*
 * The IDT of all CPUs but the first has a page to itself. Is the address in its gate of `vector`?
 */
const void *ap_gates(void);
bool ap_is_gate(uintptr_t address, unsigned vector);

/* Loads what the two functions above made. */
void ap_load_tables(struct ap *ap);

/*
 * Address where a CPU begins that the firmware's mailbox starts: in 64-bit mode. 0: this kernel
 * cannot run such a CPU.
 */
uint32_t ap_mailbox_entry(void);

/* boot/ap.S */
void ap_closed(void);
void ap_from_init(void);
void ap_from_body(void);
extern const uint8_t ap_page[], ap_page_end[], ap_stubs[][AP_STUB];
extern volatile uint32_t ap_lock;

/* A trap has come since the boot CPU last set this to false. */
extern volatile bool ap_failed;

/* The boot CPU waits, and AP_DONE may be sent to it. */
extern volatile bool ap_awaited;

/* Called by boot/ap.S. */
struct ap *ap_arrive(void);
void ap_main(struct ap *ap);
void ap_trap(struct ap_frame *f);
void ap_double_fault(void);

/* The block of the CPU that asks, which must not be the first. */
struct ap *ap_own(void);

/* ap.c: `n` blocks, which begin at `first`; and number i of them. */
void ap_set_blocks(uintptr_t first, unsigned n);
struct ap *ap_block(unsigned i);

/* ap.c: what the boot CPU's control registers are, for all CPUs. */
void ap_learn(const struct cpu *cpu);

#endif
