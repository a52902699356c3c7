/*
 * The functions that kernel/trap/trap.c needs of the file of its width (trap_32.c, trap_64.c):
 * descriptor tables, gates, and the rows of the `trap` record.
 */
#ifndef KERNEL_TRAP_INTERNAL_H
#define KERNEL_TRAP_INTERNAL_H

#include <stddef.h>

#include "boot/segments.h"
#include "kernel/trap/trap.h"
#include "kernel/cpu/x86.h"

#define TRAP_STACKS ".bss.stacks" /* section of all stacks, between stacks_start and stacks_end */

enum {
	TRAP_FLAGS = 2 /* EFLAGS with only the bit that is always set */
};

struct trap_register {
	const char *key;
	size_t offset; /* into struct trap_frame */
};

#define TRAP_REGISTER(name)                              \
	{                                                \
#name, offsetof(struct trap_frame, name) \
	}

/* The registers of this width alone, for the record; ends with key NULL. */
extern const struct trap_register trap_width_registers[];

/* Builds TSS and IDT. */
void trap_build_tables(void);

/* Builds the GDT and loads all tables; also after a snippet may have changed them. */
void trap_load_tables(void);

/* Until trap_load_tables() CR3 is `cr3`: sets it in the task state segments. */
void trap_use_tables(uintptr_t cr3);

/* Open the gate of `vector` to CPL 3, with the target `target`; close it, with its stub. */
void trap_open_gate(uint8_t vector, const void *target);
void trap_close_gate(uint8_t vector);

/* Is the address within the IDT's gate of `vector`? */
bool trap_is_gate(uintptr_t address, unsigned vector);

/* Makes the frame continue at `ip` at CPL 0, with the kernel's segments and stack pointer `sp`. */
void trap_set_resume(struct trap_frame *f, uintptr_t ip, uintptr_t sp);

/*
 * If only CR0.TS, which a task switch has set, caused the device-not-available exception: clears TS
 * and returns true.
 */
bool trap_forgive_nm(void);

/* State that only this width can change and must put back. */
struct trap_width_state {
	uintptr_t cr8;
};
void trap_width_save(struct trap_width_state *s);
void trap_width_restore(const struct trap_width_state *s);

/* boot/trap_*.S */
extern const uint8_t trap_stubs[TRAP_VECTORS][STUB_SIZE];
int trap_call(void (*fn)(void *arg), void *arg); /* -1, or AX at the entry of trap_resume */
void trap_resume(void);
extern uintptr_t trap_saved_sp; /* of the caller of trap_call(): some room below it is free */

struct trap_table_pointer { /* operand of LGDT and LIDT */
	uint16_t limit;
	uintptr_t base;
} __attribute__((packed));

/* The place of the IDT, which fills whole pages. */
struct trap_table_pointer trap_idt(void);

/* Called by the stubs of boot/trap_*.S, which load the state in *f afterwards. */
void trap_handler(struct trap_frame *f);

/*
 * 32-bit kernel, in the task of `vector`: fills the frame from the state that the task interrupted,
 * and writes the frame back for the task's IRET.
 */
void trap_task_begin(uint32_t vector, uint32_t error, struct trap_frame *f);
void trap_task_end(uint32_t vector, const struct trap_frame *f);

#endif
