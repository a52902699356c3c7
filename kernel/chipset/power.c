/*
 * Power-off by ACPI (kernel/chipset/power.h). Source: ACPI 6.5 sections 4.8.3.2 (PM1 control: the
 * register may be split into PM1a and PM1b, and both are written), 4.8.3.2.1 and 7.4.2.
 */
#include "kernel/chipset/power.h"
#include "kernel/cpu/x86.h"

enum {
	SCI_EN = 1 << 0,
	SLP_TYP_SHIFT = 10,
	SLP_TYP_MASK = 7 << SLP_TYP_SHIFT,
	SLP_EN = 1 << 13,
	UNKNOWN = 0xff,
	PORT_DELAY = 0x80, /* one access takes about a microsecond */
	PATIENCE = 3000000,
};

bool power_is_known(const struct acpi *acpi)
{
	return acpi && acpi->pm1a_cnt && acpi->slp_typ_s5 != UNKNOWN;
}

/* The firmware may have left the registers to itself. */
static void enable_acpi(const struct acpi *acpi)
{
	uint16_t port = (uint16_t)acpi->pm1a_cnt;

	if (x86_inw(port) & SCI_EN || !acpi->smi_cmd || !acpi->acpi_enable)
		return;
	x86_outb((uint16_t)acpi->smi_cmd, (uint8_t)acpi->acpi_enable);
	for (unsigned n = 0; n < PATIENCE && !(x86_inw(port) & SCI_EN); n++)
		x86_inb(PORT_DELAY);
}

static uint16_t with_type(uint16_t port, uint32_t type)
{
	return (uint16_t)((x86_inw(port) & ~SLP_TYP_MASK) | type << SLP_TYP_SHIFT);
}

void power_off(const struct acpi *acpi)
{
	uint16_t a = (uint16_t)acpi->pm1a_cnt, b = (uint16_t)acpi->pm1b_cnt, for_a, for_b = 0;

	enable_acpi(acpi);
	for_a = with_type(a, acpi->slp_typ_s5);
	if (b)
		for_b = with_type(b, acpi->slp_typ_s5b == UNKNOWN ? acpi->slp_typ_s5
		                                                  : acpi->slp_typ_s5b);
	x86_outw(a, for_a);
	if (b)
		x86_outw(b, for_b);
	x86_outw(a, for_a | SLP_EN);
	if (b)
		x86_outw(b, for_b | SLP_EN);
	for (unsigned n = 0; n < PATIENCE; n++)
		x86_inb(PORT_DELAY);
}
