/*
 * Remedies for what single machines do wrong, and the argument `quirks=`, which switches each of
 * them off or on for those who investigate (docs/kernel-arguments.md).
 */
#ifndef KERNEL_LIB_QUIRKS_H
#define KERNEL_LIB_QUIRKS_H

#include <stdbool.h>

/* The rows of the table in kernel/lib/quirks.c, which says what each remedy does and its source. */
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
 * Takes the argument: names separated by commas, each with `-` (off) or `+` (on, where the hardware
 * has what the remedy needs) before it. NULL: every remedy where a machine needs it. A word that
 * is none of these is an `error` record, which lists the names.
 */
void quirks_set(const char *list);

/*
 * Is this remedy to be applied? `needed`: this machine is known to want it. The argument decides
 * otherwise. The first answer about a remedy that is needed or forced is a `quirk` record. So this
 * must not be called while another record is open.
 */
bool quirk(enum quirk q, bool needed);

/* At the end of a run: a `warn` for each remedy that was forced and that nothing asked for. */
void quirks_end(void);

#endif
