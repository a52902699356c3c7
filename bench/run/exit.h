/*
 * How a run ends (argument `exit=`). Each way falls back to the next weaker one, and at last to a
 * halt: nothing returns.
 */
#ifndef BENCH_RUN_EXIT_H
#define BENCH_RUN_EXIT_H

#include <stdbool.h>

#include "kernel/chipset/acpi.h"
#include "kernel/chipset/bootinfo.h"
#include "kernel/lib/args.h"

enum {
	EXIT_DEBUG_PORT = 0xf4, /* QEMU isa-debug-exit at its usual place; sim has it too */
	EXIT_DEBUG_OK = 0x10,   /* QEMU's exit code is 2 * value + 1 */
	EXIT_DEBUG_FAIL = 0x11,
	EXIT_BOCHS_PORT = 0x8900, /* Bochs ends when the string "Shutdown" is written here */
};

/*
 * Sets what exit_now() does; without this call it halts. Power-off is ACPI's, or else APM's where
 * the BIOS can be called; if neither does it, lines for people say so.
 */
void exit_configure(enum args_exit how, const struct acpi *acpi, const struct bootinfo *bi);

/*
 * Puts the CPU's settings back, waits for the UART to drain, and ends the run. exit=debug tells
 * `ok` to the emulator.
 */
_Noreturn void exit_now(bool ok);

#endif
