/*
 * Where the log goes: a 16550 UART (or QEMU's debug port), and the screen.
 *
 * The UART is polled, its FIFO is used, and it cannot hang the run: a UART that is absent, in
 * loopback or never ready is given up after a bounded wait. The screen shows the same lines: VGA
 * text where the firmware left text mode, else the linear framebuffer of the boot loader.
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
 * What characters on a framebuffer look like: each dot is `scale` pixels wide and high, 0 chooses
 * by its size; turned by `rotate` degrees clockwise (0, 90, 180, 270). Comes before console_init().
 */
void console_look(unsigned scale, unsigned rotate);

/*
 * Finds and opens the outputs. `arg` is the `console=` value or NULL: `comN[,BAUD]`,
 * `port:0xADDR[,BAUD]`, `mmio:0xADDR[,BAUD]`, `pci[,BAUD]`, `debugcon`, `none` (screen only). A
 * value that cannot be used is an `error` record once some output is up, and the search is used
 * instead: the port of the ACPI SPCR table, the ports of the BIOS data area, the four usual ports,
 * the first one on a PCI card, QEMU's debug port. Prints the `console` record. `acpi` and `bi` may
 * be NULL.
 */
void console_init(const char *arg, const struct acpi *acpi, const struct bootinfo *bi);

/* Prints the `console` record again, for a run after the first one. */
void console_log(void);

/*
 * The log goes to no medium: a `warn` if it goes to no serial line either, though one was wanted.
 */
void console_alone(void);

/*
 * Writes to all outputs and keeps what was written; the sink of the log. Before console_init()
 * lines are only kept, up to 16 KiB, and written as soon as there is an output.
 */
void console_write(const char *text, size_t n);

/*
 * Gives `room` of `size` bytes, more than 16 KiB, for keeping the log. What is kept so far is
 * copied into it.
 */
void console_keep(void *room, size_t size);

/* The log so far, *n bytes. *cut: it became longer than the room, and the rest is missing. */
const char *console_kept(size_t *n, bool *cut);

/* The screen; NULL if there is none. */
struct screen *console_screen(void);

/*
 * Where keys come from beside the keyboard controller and the serial line: `key` returns what
 * keys_firmware() takes. `alone`: the firmware has the keyboard controller too, so it is left.
 */
void console_keys_from(uint16_t (*key)(void), bool alone);

/* Switches the keyboard on. False if there is nothing that could have keys. */
bool console_has_keys(void);

/* Does the log go to a serial port? */
bool console_has_serial(void);

/* The next key of the keyboard or of the serial line (keys.h); KEY_NONE if there is none now. */
char console_key(void);

/*
 * Was Escape pressed (on the serial line: Ctrl-C) since it was asked last? Other keys are
 * thrown away. The first call switches the keyboard on.
 */
bool console_stop_key(void);

/* The same of the keys that wait in the firmware. It takes milliseconds. */
bool console_firmware_stop(void);

/* Writes to the serial line alone: questions to a person who types there. */
void console_answer(const char *text);

/*
 * Waits (bounded) until the last byte has left the UART. Before console_init() it opens what the
 * search finds, so that the last words of a run that dies early are not lost.
 */
void console_drain(void);

/* Bytes that no serial line got because it was not ready in time, or that were not kept early. */
uint32_t console_dropped(void);

/* Where the registers of the serial port lie in memory; 0: nowhere. */
uint32_t console_page(void);

#endif
