/*
 * Keys, from the bytes of a keyboard or a terminal.
 *
 * A keyboard is a PS/2 keyboard behind the 8042, or a USB keyboard that the firmware shows there.
 * It is polled, as the serial line is. Its letters are those of the US layout.
 */
#ifndef KERNEL_CONSOLE_KEYS_H
#define KERNEL_CONSOLE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* Keys without a printable ASCII character. KEY_NONE: no key, or only a part of its bytes. */
enum key {
	KEY_NONE,
	KEY_UP,
	KEY_DOWN,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_BACKSPACE = 8,
	KEY_ENTER = 13,
	KEY_ESCAPE = 27,
};

/* Takes a byte of scan code set 1, and returns the key that it completes: enum key, or ASCII. */
char keys_scan(uint8_t code);

/*
 * Takes a byte from a terminal, VT100 or xterm. Escape alone is no key, because other keys begin
 * with Escape; Ctrl-C stands for it.
 */
char keys_terminal(uint8_t byte);

/* Takes a code of bios_key() or efi_key(): scan code of set 1 in 15:8, ASCII, 0 or E0H in 7:0. */
char keys_firmware(uint16_t code);

/*
 * Switches the keyboard on: no interrupts, scan code set 1. False: there is no 8042, because its
 * status reads as all ones.
 */
bool keys_open(void);

/* The next byte of the keyboard; false if there is none now. A mouse's bytes are thrown away. */
bool keys_byte(uint8_t *code);

#endif
