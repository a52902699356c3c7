/*
 * kernel/console/keys.c: what a keyboard and a terminal send, as keys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/console/keys.h"
#include "tests/unit/support/fake_machine.h"

/* The keys that `n` bytes make, one after the other. */
static const char *keys_of(char (*take)(uint8_t), const char *bytes, size_t n)
{
	static char keys[64];
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		char key = take((uint8_t)bytes[i]);

		if (key)
			keys[used++] = key;
	}
	keys[used] = '\0';
	return keys;
}

#define SCAN(bytes) keys_of(keys_scan, bytes, sizeof(bytes) - 1)
#define TERM(bytes) keys_of(keys_terminal, bytes, sizeof(bytes) - 1)

static void test_escape(void **state)
{
	(void)state;
	assert_string_equal(SCAN("\x01\x81"), "\x1b");
	assert_string_equal(TERM("a\x03"), "a\x1b"); /* Ctrl-C */
}

static void test_scan(void **state)
{
	(void)state;
	/* a l u . a, pressed and released; the answer of the keyboard to a command */
	assert_string_equal(SCAN("\x1e\x9e\x26\xa6\x16\x96\x34\xb4\x1e\x9e\xfa"), "alu.a");
	/* shift: * ? _ A; then without */
	assert_string_equal(SCAN("\x2a\x09\x89\x35\xb5\x0c\x8c\x1e\x9e\xaa\x09\x35\x0c"),
	                    "*?_A8/-");
	assert_string_equal(SCAN("\x36\x0d\xb6\x0d"), "+=");
	assert_string_equal(SCAN("\x39\x1c\x0e\x01\x37"), " \r\b\x1b*");
	/* the last keys of each row, and none that has no meaning: F1, Caps Lock, Alt, Num Lock */
	assert_string_equal(SCAN("\x0b\x19\x1b\x28\x29\x2b\x2c\x33\x3a\x3b\x38\x45\x58\x7f"),
	                    "0p]'`\\z,");
}

/* The keys between, with the shift that some keyboards send around them, and those of the pad. */
static void test_scan_extended(void **state)
{
	static const char moves[] = { KEY_HOME, KEY_UP,        KEY_PAGE_UP, KEY_END,
		                      KEY_DOWN, KEY_PAGE_DOWN, '\0' };

	(void)state;
	assert_string_equal(SCAN("\xe0\x47\xe0\xc7\xe0\x48\xe0\x49\xe0\x4f\xe0\x50\xe0\x51"),
	                    moves);
	assert_string_equal(SCAN("\x47\x48\x49\x4f\x50\x51"), moves);
	assert_string_equal(SCAN("\xe0\x2a\xe0\x49\xe0\xc9\x1e\xe0\xaa"), "\3"
	                                                                  "a");
	/* With shift held the pad's keys stay what they are. */
	assert_string_equal(SCAN("\x2a\xe0\x51\xaa"), "\4");
}

static void test_terminal(void **state)
{
	static const char moves[] = { KEY_UP,   KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN,
		                      KEY_HOME, KEY_END,  '\0' };

	(void)state;
	assert_string_equal(TERM("ralu.add*\r"), "ralu.add*\r");
	assert_string_equal(TERM("\x1b[A\x1b[B\x1b[5~\x1b[6~\x1b[1~\x1b[4~"), moves);
	assert_string_equal(TERM("\x1bOA\x1bOB\x1b[5~\x1b[6~\x1b[H\x1bOF"), moves);
	assert_string_equal(TERM("a\x7f"
	                         "b\b\n"),
	                    "a\bb\b\r");
	/* Nothing of a sequence that is not known, and no byte that is no character. */
	assert_string_equal(TERM("\x1b[Cx\x01\x80\xff\x1bx"), "x");
}

/* Scan code and character, as INT 16h has them; what has no character has 0 or E0H. */
static void test_firmware(void **state)
{
	(void)state;
	assert_int_equal(keys_firmware(0), KEY_NONE);
	assert_int_equal(keys_firmware(0x1372), 'r');
	assert_int_equal(keys_firmware(0x1c0d), KEY_ENTER);
	assert_int_equal(keys_firmware(0x0e08), KEY_BACKSPACE);
	assert_int_equal(keys_firmware(0x011b), KEY_ESCAPE);
	assert_int_equal(keys_firmware(0x4900), KEY_PAGE_UP);
	assert_int_equal(keys_firmware(0x51e0), KEY_PAGE_DOWN);
	assert_int_equal(keys_firmware(0x4800), KEY_UP);
	assert_int_equal(keys_firmware(0x4d00), KEY_NONE); /* right */
	assert_int_equal(keys_firmware(0x5300), KEY_NONE); /* Delete */
	assert_int_equal(keys_firmware(0xff00), KEY_NONE);
	/* Ctrl-A is no arrow key, though its number is that of one. */
	assert_int_equal(keys_firmware(0x1e01), 'a');
}

/* A bus where nothing answers has no keyboard, and costs no waiting. */
static void test_absent(void **state)
{
	uint8_t byte;

	(void)state;
	fake_reset();
	fake.empty_bus = 0xff;
	assert_false(keys_open());
	assert_false(keys_byte(&byte));
	fake.empty_bus = 0;
	assert_true(keys_open());
	assert_false(keys_byte(&byte));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape),        cmocka_unit_test(test_scan),
		cmocka_unit_test(test_scan_extended), cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_firmware),      cmocka_unit_test(test_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
