/*
 * An address space for the user's code, which runs at CPL 3 in it (SDM volume 3, "Access Rights").
 *
 * Every address means what it means outside. The kernel may use all that it was told of, and CPL 3
 * only what usermode_open() gives to it. A wild access of the user's code is a page fault, which
 * ends the user's code alone. Instructions that could take the machine are of CPL 0, and no segment
 * of CPL 0, no gate but that of the way back, no I/O port and no entry by SYSENTER or SYSCALL is
 * open to CPL 3. So nothing has to be looked for in the code itself.
 *
 * The address space is made with 4 KiB pages, and with large ones where the CPU has them. Every CPU
 * that this kernel runs on has paging, so only memory can be missing.
 */
#ifndef KERNEL_TRAP_USERMODE_H
#define KERNEL_TRAP_USERMODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

enum usermode_rights {
	USERMODE_KERNEL,    /* CPL 0 may read and write, CPL 3 has no access */
	USERMODE_DEVICE,    /* the same, and never cached: registers of a device */
	USERMODE_READ,      /* CPL 0 may read, CPL 3 has no access */
	USERMODE_USER,      /* both may read, write and execute */
	USERMODE_USER_CODE, /* both may read and execute, neither may write */
};

/* Bytes that usermode_init() wants for page tables on this CPU. */
size_t usermode_size(const struct cpu *cpu);

/*
 * Makes the address space, with the kernel and the VGA memory in it. `tables` is usermode_size()
 * bytes at a page boundary, or NULL if there is no memory; then there is no address space. Also
 * closes the entries to CPL 0 by SYSENTER and SYSCALL. Prints the `guard` record, which says
 * whether the address space is ready, and if not, why.
 */
void usermode_init(const struct cpu *cpu, void *tables);

/*
 * Gives the whole pages that hold [start, start + size) these rights, whatever they had before. If
 * the memory for tables does not suffice, the address space is given up with a `warn`.
 */
void usermode_open(const void *start, size_t size, enum usermode_rights rights);

/* NULL if the user's code can be run in the address space; else why not. */
const char *usermode_obstacle(void);

/*
 * Turns to the address space. Call it inside trap_protect(), whose end turns back, and only if
 * usermode_obstacle() is NULL. Until then the kernel, too, cannot write to read-only pages
 * (CR0.WP).
 */
void usermode_enter(void);

/*
 * A view: an address space beside that of usermode_enter(), for one of several CPUs that run the
 * user's code at the same time. It begins as that address space is when usermode_view() is called,
 * and shares its tables; what is opened there later may be missing here.
 */
struct usermode_view {
	uintptr_t *root;
	uintptr_t *free, *end; /* of the memory for its own tables */
};

enum { USERMODE_VIEW = 12 * 4096 }; /* bytes of tables that will do for some ranges */

/* False: there is no address space, or no memory. `tables` is at a page boundary. */
bool usermode_view(struct usermode_view *v, void *tables, size_t size);

/* usermode_open() for one view alone. False: the memory for tables does not suffice. */
bool usermode_view_open(struct usermode_view *v, const void *start, size_t size,
                        enum usermode_rights rights);

/* usermode_enter() with a view, on the boot CPU. */
void usermode_enter_view(const struct usermode_view *v);

/* On any CPU: turns to the view, and nothing else. Descriptors of tasks are the caller's. */
void usermode_load(const struct usermode_view *v);

/*
 * On any CPU: closes the entries to CPL 0 by SYSENTER and SYSCALL. usermode_init() has done it
 * here.
 */
void usermode_close_entries(const struct cpu *cpu);

/* Turns back to the kernel's own address space, if another is in force. For the end of a run. */
void usermode_drop(void);

#endif
