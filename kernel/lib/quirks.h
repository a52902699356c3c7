/*
 * Remedies for defects of single machines, and the argument `quirks=`, which switches each remedy
 * off or on (docs/kernel-arguments.md).
 */
#ifndef KERNEL_LIB_QUIRKS_H
#define KERNEL_LIB_QUIRKS_H

#include <stdbool.h>

/* The rows of the table in kernel/lib/quirks.c, which describes each remedy and its source. */
enum quirk {
	QUIRK_11AP,
	QUIRK_5AP,
	QUIRK_AAK100,
	QUIRK_AE49,
	QUIRK_APIC_VERSION,
	QUIRK_CCCR1,
	QUIRK_CPUID_LIMIT,
	QUIRK_F00F,
	QUIRK_LFENCE_RDPMC,
	QUIRK_LFENCE_WAITS,
	QUIRK_LVT_SMI,
	QUIRK_N15,
	QUIRK_TFA,
	QUIRK_USB,
	QUIRKS
};

/*
 * Takes the argument: names separated by commas, each after `-` (off) or `+` (on, if the hardware
 * has the registers of the remedy). NULL: each remedy is on where a machine needs it. Any other
 * word gives an `error` record, which lists the names.
 */
void quirks_set(const char *list);

/*
 * Is this remedy on? `needed`: this machine is known to need it; the argument may override this.
 * The first call for a remedy that is needed or switched on prints a `quirk` record, so no other
 * record may be open.
 */
bool quirk(enum quirk q, bool needed);

/* At the end of a run: prints a `warn` for each remedy of the argument without a `quirk` record. */
void quirks_end(void);

#endif
