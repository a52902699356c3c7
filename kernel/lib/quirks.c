/*
 * The remedies by name (kernel/lib/quirks.h).
 */
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/quirks.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum { OFF = 1, ON = 2, TOLD = 4 };

/* In the order of enum quirk. */
/* clang-format off */
static const struct {
	const char *name, *what, *source;
} table[QUIRKS] = {
	{ "11ap", "a read stands before each write to the local APIC", "Linux X86_BUG_11AP" },
	{ "5ap", "vector 15 is ignored", "Linux spurious_interrupt_bug" },
	{ "aak100", "the counters are woken by known selects", "AAK100 AAP53 BD53" },
	{ "ae49", "counter 1 runs by the enable bit of counter 0", "AE49 AN49 AF49" },
	{ "apic_version", "a local APIC of version 10h to 1Fh alone is believed",
	  "Linux init_amd_k5" },
	{ "cccr1", "counter 1 is left alone", "NetBurst, Linux p4_counters" },
	{ "cpuid_limit", "CPUID shows the leaves above 3 again", "SDM 4 IA32_MISC_ENABLE" },
	{ "f00f", "the gates are read-only while code of the user runs",
	  "Invalid Instruction Erratum" },
	{ "lfence_rdpmc", "a fence stands before each RDPMC", "SDM 2 RDPMC" },
	{ "lfence_waits", "LFENCE is made to wait", "AMD DE_CFG" },
	{ "lvt_smi", "entries that raise SMIs stay unmasked", "Linux therm_throt.c" },
	{ "n15", "each counter is written twice", "NetBurst N15" },
	{ "tfa", "counter 3 is left to the microcode", "Linux tfa_get_event_constraints" },
	{ "usb", "USB controllers are taken from the firmware", "EHCI 5.1, xHCI 4.22.1" },
};
/* clang-format on */

static uint8_t state[QUIRKS];

static void complain(const char *word, size_t n)
{
	char why[160] = "allowed: + or - before one of";
	size_t at = strlen(why);

	for (unsigned i = 0; i < QUIRKS; i++) {
		why[at++] = ' ';
		memcpy(why + at, table[i].name, strlen(table[i].name) + 1);
		at += strlen(table[i].name);
	}
	log_begin("error");
	log_str("what", "quirks");
	log_strn("culprit", word, n);
	log_str("why", why);
	log_end();
	log_worsen(LOG_FAIL);
}

static int find(const char *name, size_t n)
{
	for (int i = 0; i < QUIRKS; i++)
		if (strlen(table[i].name) == n && memcmp(table[i].name, name, n) == 0)
			return i;
	return -1;
}

void quirks_set(const char *list)
{
	memset(state, 0, sizeof(state));
	while (list && *list) {
		const char *comma = strchr(list, ',');
		size_t n = comma ? (size_t)(comma - list) : strlen(list);
		int q = *list == '+' || *list == '-' ? find(list + 1, n - 1) : -1;

		if (q < 0)
			complain(list, n);
		else
			state[q] = *list == '+' ? ON : OFF;
		list += n + (comma != NULL);
	}
}

bool quirk(enum quirk q, bool needed)
{
	bool applied = state[q] & (ON | OFF) ? state[q] & ON : needed;

	if (!(state[q] & TOLD) && (needed || applied)) {
		state[q] |= TOLD;
		log_begin("quirk");
		log_str("name", table[q].name);
		log_bool("applied", applied);
		log_bool("forced", state[q] & (ON | OFF));
		log_str("what", table[q].what);
		log_str("source", table[q].source);
		log_end();
	}
	return applied;
}

void quirks_end(void)
{
	for (unsigned i = 0; i < QUIRKS; i++)
		if (state[i] == ON || state[i] == OFF)
			log_warn("quirks", table[i].name, "nothing on this machine asked for it");
}
