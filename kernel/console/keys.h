/*
 * Keys, from what a keyboard or a terminal sends.
 *
 * A keyboard is the PS/2 one behind the 8042, or what the firmware shows there for a USB keyboard.
 * It is polled, as the serial line is. Its letters are those of the US layout.
 */
#ifndef KERNEL_CONSOLE_KEYS_H
#define KERNEL_CONSOLE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* What is not a printable ASCII character. KEY_NONE: no key, or not the whole of it yet. */
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
 * Takes a byte from a terminal, VT100 or xterm. Escape alone is no key, because others begin with
 * it; Ctrl-C stands for it.
 */
char keys_terminal(uint8_t byte);

/* Takes what a firmware says: scan code of set 1 in bits 15:8, ASCII code or 0 or E0H in 7:0. */
char keys_firmware(uint16_t code);

/*
 * Switches the keyboard on: no interrupts, scan code set 1. False if there is no 8042 at all: its
 * status reads as all ones.
 */
bool keys_open(void);

/* The next byte of the keyboard; false if there is none now. A mouse's bytes are thrown away. */
bool keys_byte(uint8_t *code);

#endif
