/*
 * Emptying the caches. WBINVD empties them on every real machine. KVM ignores WBINVD unless the
 * guest has a device without coherence (Linux, kvm_emulate_wbinvd()), so in a guest WBINVD is
 * measured.
 */
#ifndef KERNEL_CPU_FLUSH_H
#define KERNEL_CPU_FLUSH_H

#include <stddef.h>

#include "kernel/cpu/cpu.h"

/* The instruction that empties the caches: WBINVD; only CLFLUSH; none known. */
enum flush_by { FLUSH_WBINVD, FLUSH_CLFLUSH, FLUSH_NOTHING };

/* Lines of 64 bytes that flush_find() walks through, and their bytes. */
enum { FLUSH_LINES = 384, FLUSH_ROOM = FLUSH_LINES * 64 };

/*
 * In a guest: measures which instruction empties the caches. `room`: FLUSH_ROOM bytes at a page
 * boundary, which it overwrites. Before this call WBINVD is used. If no instruction empties the
 * caches a `warn` has `what=cache`.
 */
enum flush_by flush_find(const struct cpu *c, void *room);

/* Writes back and invalidates all caches of this CPU, if WBINVD empties them. */
void flush_caches(void);

/*
 * With FLUSH_CLFLUSH: writes back and invalidates these bytes, in all caches. With FLUSH_WBINVD it
 * does nothing, because flush_caches() empties the caches. False: no instruction empties them.
 */
bool flush_bytes(const void *start, size_t size);

const char *flush_name(enum flush_by by); /* "wbinvd", "clflush", "none" */

#endif
