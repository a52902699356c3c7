/*
 * The outputs of the log: a 16550 UART (or QEMU's debug port), and the screen. The UART is polled,
 * its FIFO is used, and it cannot hang the run: a UART that is absent, in loopback or never ready
 * is given up after a bounded wait. The screen shows the same lines: VGA text where the firmware
 * left text mode, else the linear framebuffer of the boot loader.
 */
#ifndef KERNEL_CONSOLE_CONSOLE_H
#define KERNEL_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/chipset/acpi.h"
#include "kernel/chipset/bootinfo.h"
#include "kernel/console/screen.h"

/*
 * Sets the look of characters on a framebuffer: each dot is `scale` pixels wide and high (0: by the
 * size of the framebuffer), turned by `rotate` degrees clockwise (0, 90, 180, 270). Call it before
 * console_init().
 */
void console_look(unsigned scale, unsigned rotate);

/*
 * Finds and opens the outputs. `arg` is the `console=` value or NULL: `comN[,BAUD]`,
 * `port:0xADDR[,BAUD]`, `mmio:0xADDR[,BAUD]`, `pci[,BAUD]`, `debugcon`, `none` (screen only). A bad
 * value gives an `error` record once there is an output, and a search as with NULL: the port of the
 * ACPI SPCR table, the ports of the BIOS data area, the four usual ports, the first port on a PCI
 * card, QEMU's debug port. Prints the `console` record. `acpi` and `bi` may be NULL.
 */
void console_init(const char *arg, const struct acpi *acpi, const struct bootinfo *bi);

/* Prints the `console` record again, for a run after the first one. */
void console_log(void);

/*
 * Call it if the log goes to no medium: prints a `warn` if it goes to no serial line either, unless
 * the user wants none.
 */
void console_alone(void);

/*
 * The sink of the log: writes the text to all outputs, and keeps it. Before console_init() lines
 * are only kept, up to 16 KiB, and written as soon as there is an output.
 */
void console_write(const char *text, size_t n);

/*
 * Keeps the log in `room` of `size` bytes, more than 16 KiB, from now on. The kept lines are copied
 * into it.
 */
void console_keep(void *room, size_t size);

/* The log so far, *n bytes. *cut: it is longer than the room, and its end is missing. */
const char *console_kept(size_t *n, bool *cut);

/* The screen; NULL if there is none. */
struct screen *console_screen(void);

/*
 * Adds the firmware as a source of keys: key() returns a code for keys_firmware(). `alone`: the
 * firmware also uses the keyboard controller, so the kernel does not.
 */
void console_keys_from(uint16_t (*key)(void), bool alone);

/* Switches the keyboard on. False: there is no source of keys. */
bool console_has_keys(void);

/* Does the log go to a serial port? */
bool console_has_serial(void);

/* The next key of the keyboard or of the serial line (keys.h); KEY_NONE if there is none now. */
char console_key(void);

/*
 * Was Escape pressed (on the serial line: Ctrl-C) since the last call? Other keys are discarded.
 * The first call switches the keyboard on.
 */
bool console_stop_key(void);

/* The same for the keys that wait in the firmware. The call takes milliseconds. */
bool console_firmware_stop(void);

/* Writes to the serial line alone: questions to a person who types there. */
void console_answer(const char *text);

/*
 * Waits (bounded) until the last byte has left the UART. Before console_init() it opens the port
 * that the search finds, so that the last lines of a run that dies early are not lost.
 */
void console_drain(void);

/* Bytes that no serial line got because it was not ready in time, or that were not kept early. */
uint32_t console_dropped(void);

/* Physical address of the serial port's registers in memory; 0: it has none. */
uint32_t console_page(void);

#endif
