/*
 * An address space for the user's code, which runs at CPL 3 in it (SDM volume 3, "Access Rights").
 *
 * Every address maps the same memory as in the kernel's address space. CPL 3 may use only the
 * memory of usermode_open(). A wild access of the user's code is a page fault, which ends only the
 * user's code. Instructions that could take over the machine need CPL 0. No segment of CPL 0, no
 * gate except that of the return, no I/O port and no entry by SYSENTER or SYSCALL is open to CPL 3.
 * So the kernel need not inspect the code.
 *
 * The address space has 4 KiB pages, and large pages where the CPU has them. Every CPU that this
 * kernel runs on has paging, so only memory can be missing.
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

/* Bytes of page tables that usermode_init() needs on this CPU. */
size_t usermode_size(const struct cpu *cpu);

/*
 * Makes the address space, with the kernel and the VGA memory in it. `tables` is usermode_size()
 * bytes at a page boundary, or NULL if there is no memory; then there is no address space. Also
 * closes the entries to CPL 0 by SYSENTER and SYSCALL. Prints the `guard` record, which says that
 * the address space is ready, or the reason why not.
 */
void usermode_init(const struct cpu *cpu, void *tables);

/*
 * Gives these rights to each page that has a byte of [start, start + size), in place of earlier
 * rights. If there is not enough memory for tables, a `warn` is printed and the address space is
 * given up.
 */
void usermode_open(const void *start, size_t size, enum usermode_rights rights);

/* The reason why the user's code cannot run in the address space; NULL: it can. */
const char *usermode_obstacle(void);

/*
 * Switches to the address space. Call it inside trap_protect(), whose end switches back, and only
 * if usermode_obstacle() is NULL. Until the end the kernel, too, cannot write to read-only pages
 * (CR0.WP).
 */
void usermode_enter(void);

/*
 * A view: an address space beside that of usermode_enter(), for one of several CPUs that run the
 * user's code at the same time. It begins as a copy of that address space when usermode_view() is
 * called, and shares its tables. Memory that is opened there later may be missing in the view.
 */
struct usermode_view {
	uintptr_t *root;
	uintptr_t *free, *end; /* of the memory for its own tables */
};

enum { USERMODE_VIEW = 12 * 4096 }; /* bytes of tables, enough for some ranges */

/* False: there is no address space, or no memory. `tables` is at a page boundary. */
bool usermode_view(struct usermode_view *v, void *tables, size_t size);

/* usermode_open() for one view. False: not enough memory for tables. */
bool usermode_view_open(struct usermode_view *v, const void *start, size_t size,
                        enum usermode_rights rights);

/* usermode_enter() with a view, on the boot CPU. */
void usermode_enter_view(const struct usermode_view *v);

/* On any CPU: only switches to the view. The caller must set CR3 in task state segments. */
void usermode_load(const struct usermode_view *v);

/*
 * On any CPU: closes the entries to CPL 0 by SYSENTER and SYSCALL. usermode_init() has done it
 * here.
 */
void usermode_close_entries(const struct cpu *cpu);

/* Switches back to the kernel's address space, if another is active. For the end of a run. */
void usermode_drop(void);

#endif
