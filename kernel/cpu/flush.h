/*
 * Emptying the caches. WBINVD does it on every machine of its own. KVM ignores it unless the guest
 * has a device without coherence (Linux, kvm_emulate_wbinvd()), so in a guest it is measured.
 */
#ifndef KERNEL_CPU_FLUSH_H
#define KERNEL_CPU_FLUSH_H

#include <stddef.h>

#include "kernel/cpu/cpu.h"

/* What empties caches here: WBINVD; CLFLUSH alone; nothing that we know. */
enum flush_by { FLUSH_WBINVD, FLUSH_CLFLUSH, FLUSH_NOTHING };

enum { FLUSH_LINES = 384, FLUSH_ROOM = FLUSH_LINES * 64 };

/*
 * Measures, in a guest, what empties them. `room`: FLUSH_ROOM bytes at a page's beginning, free to
 * be written until it returns. Until it is called it is WBINVD. A `warn` with `what=cache` says
 * that nothing does.
 */
enum flush_by flush_find(const struct cpu *c, void *room);

/* Writes back and invalidates all caches of this CPU, if WBINVD does that here. */
void flush_caches(void);

/*
 * Writes back and invalidates these bytes, in all caches, where it is CLFLUSH that empties them.
 * Does nothing elsewhere: flush_caches() did it all. False: nothing empties them here.
 */
bool flush_bytes(const void *start, size_t size);

const char *flush_name(enum flush_by by); /* "wbinvd", "clflush", "none" */

#endif
