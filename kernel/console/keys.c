/*
 * Keys (kernel/console/keys.h). Sources: the IBM PS/2 Hardware Interface Technical Reference,
 * "Keyboard and Auxiliary Device Controller" and "Keyboards"; ECMA-48 and the xterm control
 * sequences.
 */
#include "kernel/console/keys.h"
#include "kernel/cpu/x86.h"

enum {
	CTRL_C = 3,
	DATA = 0x60,
	STATUS = 0x64, /* written: commands */
	OUTPUT_FULL = 1 << 0,
	INPUT_FULL = 1 << 1,
	FROM_MOUSE = 1 << 5,
	READ_MODE = 0x20,
	WRITE_MODE = 0x60,
	MODE_INTERRUPTS = 3,      /* keyboard and mouse */
	MODE_KEYBOARD_OFF = 0x10, /* its clock is held */
	MODE_SET_1 = 0x40,        /* translates the keyboard's set 2 */
	START = 0xf4,             /* to the keyboard: send keys */
	PORT_DELAY = 0x80,        /* a read takes about a microsecond */
	PATIENCE = 20000,         /* microseconds: the controller is a slow microcontroller */
	STALE = 32,               /* bytes of what was typed before, at most */
	EXTENDED = 0xe0,
	RELEASED = 0x80,
	SHIFT_LEFT = 0x2a,
	SHIFT_RIGHT = 0x36,
};

/* By scan code, without and with shift; KEY_NONE where the key means nothing here. */
static const char plain[] = "\0\x1b"
			    "1234567890-=\b\0qwertyuiop[]\r\0asdfghjkl;'`\0\\zxcvbnm,./"
			    "\0*\0 \0\0\0\0\0\0\0\0\0\0\0\0\0\5\1\3-\0\0\0+\6\2\4";
static const char upper[] = "\0\x1b"
			    "!@#$%^&*()_+\b\0QWERTYUIOP{}\r\0ASDFGHJKL:\"~\0|ZXCVBNM<>?";

char keys_scan(uint8_t code)
{
	static bool shift, extended;
	bool fake = extended; /* a shift behind E0H is no key that a person presses */
	uint8_t key = code & (RELEASED - 1);

	extended = code == EXTENDED;
	if (key == SHIFT_LEFT || key == SHIFT_RIGHT) {
		if (!fake)
			shift = !(code & RELEASED);
		return KEY_NONE;
	}
	if (code & RELEASED)
		return KEY_NONE;
	if (shift && !fake && key < sizeof(upper) - 1)
		return upper[key];
	return key < sizeof(plain) ? plain[key] : KEY_NONE;
}

char keys_firmware(uint16_t code)
{
	uint8_t ascii = (uint8_t)code, scan = code >> 8;

	if ((ascii >= ' ' && ascii < 0x7f) || ascii == KEY_BACKSPACE || ascii == KEY_ENTER ||
	    ascii == KEY_ESCAPE)
		return (char)ascii;
	return scan < sizeof(plain) ? plain[scan] : KEY_NONE;
}

char keys_terminal(uint8_t byte)
{
	static const char finals[] = "ABHF5614", keys[] = "\1\2\5\6\3\4\5\6";
	static uint8_t before; /* ESC, or [ behind it */
	uint8_t state = before;

	before = 0;
	if (byte == KEY_ESCAPE || (state == KEY_ESCAPE && (byte == '[' || byte == 'O'))) {
		before = byte;
		return KEY_NONE;
	}
	for (unsigned i = 0; state && state != KEY_ESCAPE && i < sizeof(keys) - 1; i++)
		if (byte == finals[i])
			return keys[i];
	if (byte == CTRL_C)
		return KEY_ESCAPE;
	if (byte == '\n')
		return KEY_ENTER;
	if (byte == 0x7f)
		return KEY_BACKSPACE;
	return state || byte >= '~' || (byte < ' ' && byte != '\b' && byte != '\r') ? KEY_NONE
	                                                                            : (char)byte;
}

/* Waits until the bits of `mask` in the status are `want`, but not for ever. */
static bool wait(uint8_t mask, uint8_t want)
{
	unsigned n = PATIENCE;

	while ((x86_inb(STATUS) & mask) != want && n--)
		x86_inb(PORT_DELAY);
	return n + 1;
}

static void send(uint16_t port, uint8_t byte)
{
	if (wait(INPUT_FULL, 0))
		x86_outb(port, byte);
}

bool keys_open(void)
{
	uint8_t code;

	if (x86_inb(STATUS) == 0xff)
		return false;
	for (unsigned n = 0; n < STALE; n++)
		keys_byte(&code);
	send(STATUS, READ_MODE);
	if (wait(OUTPUT_FULL, OUTPUT_FULL)) {
		uint8_t mode = x86_inb(DATA);

		send(STATUS, WRITE_MODE);
		send(DATA, (mode & ~(MODE_INTERRUPTS | MODE_KEYBOARD_OFF)) | MODE_SET_1);
		send(DATA, START); /* its answer, FAH, is no key */
	}
	return true;
}

bool keys_byte(uint8_t *code)
{
	uint8_t status = x86_inb(STATUS);

	if (status == 0xff || !(status & OUTPUT_FULL))
		return false;
	*code = x86_inb(DATA);
	return !(status & FROM_MOUSE);
}
