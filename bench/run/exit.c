/*
 * The ends of a run (bench/run/exit.h). Sources: ACPI 6.5 section 4.8.3.6 (reset register); QEMU's
 * isa-debug-exit device; the Bochs manual.
 */
#include <stddef.h>

#include "kernel/cpu/conditions.h"
#include "kernel/console/console.h"
#include "bench/run/exit.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/power.h"
#include "kernel/firmware/apm.h"
#include "kernel/lib/log.h"
#include "kernel/trap/internal.h"
#include "kernel/cpu/x86.h"

enum {
	KBC_STATUS = 0x64,
	KBC_INPUT_FULL = 1 << 1,
	KBC_PULSE_RESET = 0xfe,
	PORT_DELAY = 0x80, /* one access takes about a microsecond */
	PATIENCE = 3000000,
};

static enum args_exit how_to_end = EXIT_HALT;
static const struct acpi *tables;
static const struct bootinfo *loader;

void exit_configure(enum args_exit how, const struct acpi *acpi, const struct bootinfo *bi)
{
	how_to_end = how;
	tables = acpi;
	loader = bi;
}

static _Noreturn void halt(void)
{
	x86_cli();
	for (;;)
		x86_hlt();
}

/* About n microseconds. */
static void delay(unsigned n)
{
	while (n--)
		x86_inb(PORT_DELAY);
}

static void end_emulator(bool ok)
{
	x86_outb(EXIT_DEBUG_PORT, ok ? EXIT_DEBUG_OK : EXIT_DEBUG_FAIL);
	for (const char *s = "Shutdown"; *s; s++)
		x86_outb(EXIT_BOCHS_PORT, (uint8_t)*s);
}

/* Behind the last record: a person waits for the machine, and should not wait in vain. */
static void switch_off(void)
{
	const char *why = "ACPI does not switch it off";

	if (power_is_known(tables))
		power_off(tables);
	else if (loader)
		why = apm_power_off(loader);
	log_chat("This machine is still on and halts:");
	log_chat(why);
	console_drain();
}

static void reset_by_acpi(void)
{
	if (!tables || !tables->reset.present)
		return;
	if (!tables->reset.mmio)
		x86_outb((uint16_t)tables->reset.address, tables->reset.value);
	else if (tables->reset.address < PHYS_LIMIT)
		phys_write8((uint32_t)tables->reset.address, tables->reset.value);
	delay(PATIENCE / 10);
}

static void reset_by_keyboard_controller(void)
{
	for (unsigned n = 0; n < PATIENCE / 10 && x86_inb(KBC_STATUS) & KBC_INPUT_FULL; n++)
		delay(1);
	x86_outb(KBC_STATUS, KBC_PULSE_RESET);
	delay(PATIENCE / 10);
}

/* With no IDT any exception becomes a shutdown of the CPU, which boards turn into a reset. */
static void reset_by_triple_fault(void)
{
	struct trap_table_pointer none = { 0, 0 };

	asm volatile("lidt %0\n\tint3" : : "m"(none));
}

_Noreturn void exit_now(bool ok)
{
	conditions_restore();
	console_drain();
	if (how_to_end == EXIT_DEBUG)
		end_emulator(ok);
	if (how_to_end == EXIT_POWEROFF)
		switch_off();
	if (how_to_end == EXIT_REBOOT) {
		reset_by_acpi();
		reset_by_keyboard_controller();
		reset_by_triple_fault();
	}
	halt();
}
