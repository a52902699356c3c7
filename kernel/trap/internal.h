/*
 * What kernel/trap/trap.c needs from the file of its width (trap_32.c, trap_64.c): descriptor
 * tables, gates, and the rows of the `trap` record.
 */
#ifndef KERNEL_TRAP_INTERNAL_H
#define KERNEL_TRAP_INTERNAL_H

#include <stddef.h>

#include "boot/segments.h"
#include "kernel/trap/trap.h"
#include "kernel/cpu/x86.h"

#define TRAP_STACKS ".bss.stacks" /* section of all stacks, between stacks_start and stacks_end */

enum {
	TRAP_FLAGS = 2 /* EFLAGS with nothing but the bit that is always set */
};

struct trap_register {
	const char *key;
	size_t offset; /* into struct trap_frame */
};

#define TRAP_REGISTER(name)                              \
	{                                                \
#name, offsetof(struct trap_frame, name) \
	}

/* Registers beyond those that both widths have, for the record; ends with key NULL. */
extern const struct trap_register trap_width_registers[];

/* Builds TSS and IDT. */
void trap_build_tables(void);

/* Builds the GDT and loads all; also after a snippet may have changed or loaded others. */
void trap_load_tables(void);

/* CR3 is `cr3` from now on until trap_load_tables(): for what switches tasks. */
void trap_use_tables(uintptr_t cr3);

/* Opens the gate of `vector` to CPL 3, leading to `target`; or closes it, leading to its stub. */
void trap_open_gate(uint8_t vector, const void *target);
void trap_close_gate(uint8_t vector);

/* Is the address within the IDT's gate of `vector`? */
bool trap_is_gate(uintptr_t address, unsigned vector);

/* Makes the frame go on at `ip` in ring 0 with the kernel's segments and stack `sp`. */
void trap_set_resume(struct trap_frame *f, uintptr_t ip, uintptr_t sp);

/*
 * A device-not-available exception that only comes from a task switch having set CR0.TS: clears it
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
int trap_call(void (*fn)(void *arg), void *arg); /* -1, or what trap_resume is entered with in AX */
void trap_resume(void);
extern uintptr_t trap_saved_sp; /* of the caller of trap_call(): some room below it is free */

struct trap_table_pointer { /* operand of LGDT and LIDT */
	uint16_t limit;
	uintptr_t base;
} __attribute__((packed));

/* Where the IDT is: it has whole pages to itself. */
struct trap_table_pointer trap_idt(void);

/* Called by the stubs of boot/trap_*.S; goes on with what it leaves in *f. */
void trap_handler(struct trap_frame *f);

/*
 * 32-bit kernel, in the task of `vector`: the state that the task interrupted, as a frame, and back
 * from the frame to where the task's IRET takes it.
 */
void trap_task_begin(uint32_t vector, uint32_t error, struct trap_frame *f);
void trap_task_end(uint32_t vector, const struct trap_frame *f);

#endif
