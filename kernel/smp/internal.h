/*
 * Shared by the files of kernel/smp/: the block of memory of each CPU, and the functions that
 * differ between the two widths.
 */
#ifndef KERNEL_SMP_INTERNAL_H
#define KERNEL_SMP_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/segments.h"
#include "kernel/cpu/conditions.h"
#include "kernel/cpu/mtrr.h"
#include "kernel/cpu/steal.h"
#include "kernel/cpu/topology.h"
#include "kernel/smp/smp.h"

enum {
	AP_WAKE = 0xf2, /* vector of the interrupt that ends the wait of a parked CPU */
	AP_DONE = 0xf3, /* ... and of the boot CPU, which waits for the others */
	AP_GDT = 9,     /* entries */
	AP_TSS = 104,   /* bytes, in both widths */
};

/* The state of a CPU. Only the CPU itself writes it, except AP_ABSENT. */
enum ap_state {
	AP_ABSENT, /* has not come yet */
	AP_PARKED, /* waits in HLT or MWAIT for a job */
	AP_BUSY,
	AP_FAULTED, /* had an unexpected trap, and is stopped until INIT */
};

/*
 * AP_BLOCK bytes, aligned to AP_BLOCK; the stacks are at the end. The trap handlers find the block
 * by the base of the GDT, which no snippet changes.
 */
struct ap {
	uint64_t gdt[AP_GDT];
	uint8_t tss[AP_TSS], df_tss[AP_TSS];
	uint32_t id; /* APIC id; set before the CPU is started */
	volatile uint32_t state;
	void (*volatile job)(void *arg); /* set by the boot CPU, cleared at the end of the job */
	void *volatile arg;
	volatile uint32_t nmi;
	volatile bool rings;    /* the CPU is about to send AP_DONE, or sends it */
	struct smp_fault fault; /* AP_FAULTED */
	uint32_t mwait;         /* EAX of MWAIT where it waits for a job; 0: in HLT */
	struct cpu_place place;
	struct conditions_own conditions;
	struct mtrr_difference mtrr;
	unsigned long cr0, cr3, cr4;       /* outside of smp_usermode_enter() */
	volatile struct steal_page stolen; /* KVM writes it */
} __attribute__((aligned(64)));

/* The frame of ap_common in boot/ap.S. */
struct ap_frame {
	uintptr_t vector, error, ip, cs, flags;
};

/*
 * ap_32.c, ap_64.c: makes the descriptor tables of all CPUs but the first, once, before any starts.
 */
void ap_build_gates(void);

/* The GDT and TSS in a CPU's own block. */
void ap_build_block(struct ap *ap);

/*
 * The place of the frame of a trap from CPL 3. Behind the frame, in at most AP_RETURNS bytes, are
 * the addresses at which ap_from_init and ap_from_body continue.
 */
const void **ap_user_returns(struct ap *ap);

/* CR3 is `cr3` from now on: sets it in the task state segments of the 32-bit kernel. */
void ap_use_tables(struct ap *ap, uintptr_t cr3);

/*
 * The IDT of all CPUs but the first has a page to itself. Is the address in its gate of `vector`?
 */
const void *ap_gates(void);
bool ap_is_gate(uintptr_t address, unsigned vector);

/* Loads the tables of ap_build_gates() and ap_build_block(). */
void ap_load_tables(struct ap *ap);

/*
 * The address where a CPU begins if the firmware's mailbox starts it in 64-bit mode. 0: this kernel
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

/* The block of the calling CPU, which must not be the first. */
struct ap *ap_own(void);

/* ap.c: sets `n` blocks that begin at `first`; returns block number i. */
void ap_set_blocks(uintptr_t first, unsigned n);
struct ap *ap_block(unsigned i);

/* ap.c: remembers the boot CPU's control registers for all CPUs. */
void ap_learn(const struct cpu *cpu);

#endif
