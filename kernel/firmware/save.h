/*
 * The log on the boot medium, in its file CPL0.LOG.
 *
 * The file exists before the first run and never changes its size or its place. Each of its sectors
 * begins with a tag that says what the sector is (docs/log-format.md, "CPL0.LOG"). A run appends
 * its log behind that of the run before.
 *
 * No data on the medium is lost: the kernel writes only to a sector that reads as a free sector of
 * this file (except with save=new). The sector before it must still hold the bytes that this run
 * wrote or found there; otherwise the medium was swapped. Each write is read back. On a BIOS the
 * file system must say that the sectors are those of CPL0.LOG (kernel/firmware/fat.h).
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
 * until save_begin() finds the file.
 */
void save_text(const char *text, size_t n);

/* Another run begins: its lines are kept from now on. save_begin() must follow. */
void save_restart(void);

/*
 * Finds the file and its first free sector, and prints the `save` record. If that fails, nothing is
 * saved, and a `warn` has the reason if the user or the medium asked for saving. A second call
 * finds the file again, if the first call could use the firmware.
 */
void save_begin(const struct args *args, const struct bootinfo *bi);

/* The devices that stay with the firmware because it writes the log, for `conditions`; or NULL. */
const char *save_needs(void);

/*
 * Between two measurements: writes the new lines if there are many, or if `ticks` of the TSC have
 * passed since the last write. An error gives one `warn`, and ends the saving.
 */
void save_poll(uint64_t ticks);

/*
 * Writes all new lines, and reads them back. Returns NULL, or the error, which is also a `warn` if
 * `may_warn`.
 */
const char *save_flush(bool may_warn);

/*
 * The reason why the medium lacks a part of this run's log; NULL: save_flush() has written all of
 * it. The text is valid until save_begin() or save_again() is called.
 */
const char *save_lacks(void);

/*
 * Appends `text` of n bytes, whole lines, to the file as another run. Finds the file again, so the
 * medium may be another one by now. Returns NULL, or the error. After a success the log is saved
 * there again.
 */
const char *save_again(const char *text, size_t n);

#endif
