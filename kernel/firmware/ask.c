/*
 * Yes or no (kernel/firmware/ask.h).
 */
#include "kernel/firmware/ask.h"
#include "kernel/chipset/pit.h"
#include "kernel/firmware/bios.h"
#include "kernel/firmware/efi.h"
#include "kernel/lib/log.h"

enum {
	POLLS = 800, /* of 25 ms, which efi_key() waits by itself */
	WAIT = PIT_HZ / 40,
	SCAN_Y = 0x15, /* set 1 */
	SCAN_N = 0x31,
};

_Static_assert(EFI_KEY_WAIT == 25000, "POLLS");

/* The letter, also where a key has its scan code alone. */
static char letter(uint16_t key)
{
	uint8_t ascii = (uint8_t)key, scan = key >> 8;

	if (!ascii)
		return scan == SCAN_Y ? 'y' : scan == SCAN_N ? 'n' : '\0';
	return (char)(ascii | 0x20);
}

bool ask(const char *question)
{
	log_chat(question);
	for (unsigned i = 0; i < POLLS; i++) {
		char key = letter(efi_alive() ? efi_key() : bios_key());

		if (key == 'y' || key == 'n')
			return key == 'y';
		if (!efi_alive())
			pit_wait(WAIT);
	}
	return false;
}
