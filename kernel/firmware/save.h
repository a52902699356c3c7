/*
 * The log on the medium that we were booted from, in its file CPL0.LOG.
 *
 * The file exists before the first run and never changes its size or its place. Each of its sectors
 * begins with a tag that says what the sector is (docs/log-format.md, "CPL0.LOG"). A run appends
 * its log behind that of the run before.
 *
 * Nothing on the medium is lost: only a sector that reads as a free one of this file is written to,
 * save=new excepted. The sector before it must hold what this run has written there, or what was
 * found there at its start; otherwise the medium was swapped. What was written is read back. On a
 * BIOS the file system must say that the sectors are those of CPL0.LOG (kernel/firmware/fat.h).
 */
#ifndef KERNEL_FIRMWARE_SAVE_H
#define KERNEL_FIRMWARE_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/args.h"
#include "kernel/chipset/bootinfo.h"

/*
 * Takes part of the log: whole lines, newline included. Lines are kept from the start of the run
 * until save_begin() knows where they belong.
 */
void save_text(const char *text, size_t n);

/* Another run begins: its lines are kept from now on. save_begin() must follow. */
void save_restart(void);

/*
 * Finds the file and its first free sector, and prints the `save` record. What stands in the way is
 * a `warn` where the user or the medium asked for saving, and then nothing is saved. A second call
 * finds the file again, if the first one could ask the firmware for it.
 */
void save_begin(const struct args *args, const struct bootinfo *bi);

/* What must be left to the firmware because it writes the log, or NULL: for `conditions`. */
const char *save_needs(void);

/*
 * Between two measurements: writes what is new if there is much of it, or if `ticks` of the TSC
 * have passed since the last write. An error is one `warn`, and ends the saving.
 */
void save_poll(uint64_t ticks);

/*
 * Writes all that is new, and reads it back. Returns NULL, or what went wrong; a `warn` has said so
 * if `may_warn`.
 */
const char *save_flush(bool may_warn);

/*
 * NULL if the medium has all of this run's log, as far as save_flush() knows; else why not, in
 * words. The words may change when save_begin() or save_again() is called.
 */
const char *save_lacks(void);

/*
 * Writes `text` of n bytes, whole lines, as another run behind what the medium has. It finds the
 * file again, so the medium may be another one by now. Returns NULL, or what went wrong. After a
 * success the log goes there again.
 */
const char *save_again(const char *text, size_t n);

#endif
