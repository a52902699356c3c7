/*
 * An address space for code that is not ours: the user's snippets.
 *
 * Everything is where it is without it, but only the kernel and what guard_open() was told is there at
 * all; and little of that can be written to, at CPL 0 as well (CR0.WP). A wild access is a page fault then, which
 * costs the snippet alone, and everything that the kernel knows and has measured stays. (SDM volume 3,
 * "Access Rights".)
 *
 * What no page table prevents at CPL 0 - another LGDT, an OUT that resets the machine - is looked for in a
 * first run in single steps.
 */
#ifndef KERNEL_GUARD_H
#define KERNEL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"
#include "kernel/trap/trap.h"

enum { GUARD_TABLES = 20 * 4096 /* bytes for the page tables */ };

enum guard_rights {
	GUARD_READ,   /* the code: CPL 3 may read it, and nobody write to it */
	GUARD_WRITE,  /* both may write to it */
	GUARD_KERNEL, /* CPL 0 may write to it, and CPL 3 not even read it */
	GUARD_KEEP,   /* CPL 0 may read it, and the kernel write to it (guard_release()) */
};

/*
 * Makes the tables in GUARD_TABLES bytes at a page boundary (NULL: there is no memory for them), and
 * prints the `guard` record: whether there is such an address space, and if not, why.
 */
void guard_init(const struct cpu *cpu, void *tables);

/* Opens the whole pages that hold [start, start + size). */
void guard_open(const void *start, size_t size, enum guard_rights rights);

bool guard_ready(void);

/* Inside trap_protect(), whose end leaves it again: into the address space. Nothing is closed yet. */
void guard_enter(void);

/* Between guard_enter() and the end: closes at CPL 0 what is closed, and opens it for the kernel. */
void guard_close(void);
void guard_release(void);

/*
 * After guard_enter(): calls the routine in single steps, and ends the trap_protect() with a `trap`
 * record before an instruction that would take the machine away: OUT but to port 80h, IN from the port in
 * DX, INS, OUTS, LGDT, LIDT, LLDT, LTR, WRMSR, INVD, INT 2 and INT 18, SKINIT, an HLT or MWAIT that nothing
 * ends, a MOV to SS from memory (behind which one could hide), one to a debug register, or one to CR0, CR3
 * or CR4 that changes it; and before any in the kernel. After some ten thousand steps the routine goes on by
 * itself.
 */
void guard_try(void (*routine)(void));

/* After trap_protect(): the first run is over, however it ended. */
void guard_leave(void);

/* Out of the address space for good, wherever execution is: the run ends. */
void guard_drop(void);

#endif
