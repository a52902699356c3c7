/*
 * The few ACPI tables the harness reads: RSDP, RSDT/XSDT, SPCR (console), FADT (PM timer), HPET,
 * MADT (which CPUs exist). Signature, length and checksum of a table are verified before use, and
 * each defect is reported with the table's name. Source: ACPI 6.5 chapter 5; the SPCR and HPET
 * specifications.
 */
#ifndef KERNEL_CHIPSET_ACPI_H
#define KERNEL_CHIPSET_ACPI_H

#include <stdbool.h>
#include <stdint.h>

struct acpi {
	bool present; /* a good RSDP and root table were found */
	struct {
		bool present, mmio; /* a 16550 or one like it: types 0, 1, 12h */
		uint8_t width;      /* register stride in bytes: 1 or 4 */
		uint64_t address;   /* port or physical address */
		uint32_t baud;      /* 0: leave as firmware set it */
		uint32_t clock;     /* Hz of the crystal, 0: not stated */
	} spcr;
	struct {
		uint16_t port; /* PM timer I/O port, 0: none */
		bool bits32;
	} pmtimer;
	uint64_t hpet;                 /* physical address, 0: none */
	uint64_t lapic;                /* physical address of the local APICs, 0: no MADT */
	uint16_t cpus;                 /* enabled logical CPUs the MADT lists */
	const uint8_t *madt;           /* the MADT, length and checksum verified; NULL: none */
	uint32_t madt_size;            /* its bytes */
	uint32_t smi_cmd, acpi_enable; /* FADT, 0 if none */
	bool no_rtc;                   /* FADT: there is no clock at ports 70h and 71h */
	uint8_t century;               /* FADT: the clock's register of the century, 0: none */
	/*
	 * For power-off: ports of PM1 control, 0 if none; SLP_TYP of \_S5 for each, FFh: not found.
	 */
	uint32_t pm1a_cnt, slp_typ_s5;
	uint32_t pm1b_cnt, slp_typ_s5b;
	struct {
		bool present, mmio;
		uint64_t address; /* port, or physical address if mmio */
		uint8_t value;
	} reset; /* FADT reset register: write `value` there, one byte */
};

/*
 * `rsdp`: the boot loader's copy of the RSDP (0: search the EBDA and E0000h-FFFFFh). `base`,
 * `limit`: the place of visible physical memory, as in bootinfo_parse(); tables above it are
 * skipped with a complaint. complain(what, why): `what` is a table's name. A machine without ACPI
 * gives no complaint. The time is bounded: at most 256 tables of at most 64 KiB (AML: 2 MiB) are
 * read.
 */
void acpi_parse(struct acpi *a, uint64_t rsdp, const void *base, uint64_t limit,
                void (*complain)(const char *what, const char *why));

#endif
