/*
 * The ends of a run (kernel/exit.h). Sources: ACPI 6.5 sections 4.8.3.2 (PM1 control), 4.8.3.6
 * (reset register) and 7.4.2 (sleep states); QEMU's isa-debug-exit device; the Bochs manual.
 */
#include <stddef.h>

#include "kernel/cpu/conditions.h"
#include "kernel/console/console.h"
#include "kernel/exit.h"
#include "kernel/board/phys.h"
#include "kernel/trap/internal.h"
#include "kernel/cpu/x86.h"

enum {
	PM1_SCI_EN = 1 << 0,
	PM1_SLP_TYP_SHIFT = 10,
	PM1_SLP_EN = 1 << 13,
	SLP_TYP_UNKNOWN = 0xff,
	KBC_STATUS = 0x64,
	KBC_INPUT_FULL = 1 << 1,
	KBC_PULSE_RESET = 0xfe,
	PORT_DELAY = 0x80, /* one access takes about a microsecond */
	PATIENCE = 3000000,
};

static enum args_exit how_to_end = EXIT_HALT;
static const struct acpi *tables;

void exit_configure(enum args_exit how, const struct acpi *acpi)
{
	how_to_end = how;
	tables = acpi;
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

static void power_off(void)
{
	uint16_t port, control;

	if (!tables || !tables->pm1a_cnt || tables->slp_typ_s5 == SLP_TYP_UNKNOWN)
		return;
	port = (uint16_t)tables->pm1a_cnt;
	control = x86_inw(port);
	if (!(control & PM1_SCI_EN) && tables->smi_cmd && tables->acpi_enable) {
		x86_outb((uint16_t)tables->smi_cmd, (uint8_t)tables->acpi_enable);
		for (unsigned n = 0; n < PATIENCE && !(x86_inw(port) & PM1_SCI_EN); n++)
			delay(1);
		control = x86_inw(port);
	}
	control &= (uint16_t) ~(7 << PM1_SLP_TYP_SHIFT);
	control |= (uint16_t)(tables->slp_typ_s5 << PM1_SLP_TYP_SHIFT);
	x86_outw(port, control);
	x86_outw(port, control | PM1_SLP_EN);
	delay(PATIENCE);
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
		power_off();
	if (how_to_end == EXIT_REBOOT) {
		reset_by_acpi();
		reset_by_keyboard_controller();
		reset_by_triple_fault();
	}
	halt();
}
