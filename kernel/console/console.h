/*
 * Where the log goes: a 16550 UART (or QEMU's debug port), and the screen.
 *
 * The UART is polled, its FIFO is used, and it cannot hang the run: a UART that is absent, in
 * loopback or never ready is given up after a bounded wait. The screen shows the same lines: VGA
 * text where the firmware left text mode, else the linear framebuffer of the boot loader.
 */
#ifndef KERNEL_CONSOLE_CONSOLE_H
#define KERNEL_CONSOLE_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/board/acpi.h"
#include "kernel/board/bootinfo.h"

/*
 * Finds and opens the outputs. `arg` is the `console=` value or NULL: `comN[,BAUD]`,
 * `port:0xADDR[,BAUD]`, `mmio:0xADDR[,BAUD]`, `debugcon`, `none` (screen only). A value that cannot
 * be used is an `error` record once some output is up, and the search is used instead: the port
 * of the ACPI SPCR table, the ports of the BIOS data area, the four usual ports, QEMU's debug port.
 * Prints the `console` record. `acpi` and `bi` may be NULL.
 */
void console_init(const char *arg, const struct acpi *acpi, const struct bootinfo *bi);

/*
 * Writes to all outputs; the sink of the log. Before console_init() lines are kept, up to 8 KiB,
 * and written as soon as there is an output.
 */
void console_write(const char *text, size_t n);

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
