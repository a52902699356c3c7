/*
 * kernel/console/console.c, vga.c, fb.c and screen.c on the fake machine. The tests look at which
 * outputs are found, what `console=` does, and what appears where. This file includes console.c,
 * because the state of console.c lives as long as the kernel and each test needs a fresh one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/console/console.c"

enum { COLUMNS = 80, ROWS = 25 };

static struct acpi acpi_data;
static struct bootinfo boot;
static char row_text[SCREEN_COLUMNS + 1];

static void fresh(void)
{
	fake_reset();
	memset(&acpi_data, 0, sizeof(acpi_data));
	memset(&boot, 0, sizeof(boot));
	serial = debugcon = ready = false;
	screen_kind = "none";
	kept.text = early;
	kept.used = 0;
	kept.size = sizeof(early);
	kept.cut = false;
	early_lost = 0;
	port_defect = NULL;
	log_sink(console_write);
}

/* As a BIOS writes it: the port, how many there are, and the size of low memory. */
static void bda_port(unsigned i, uint16_t port)
{
	fake.bda[i] = port;
	fake.bda[0x10 / 2] += 1 << 9;
	memcpy((uint8_t *)fake.bda + 0x13, "\x7f\x02", 2);
}

static struct fake_uart *add_uart(unsigned i, uint32_t address)
{
	fake.uarts[i].present = true;
	fake.uarts[i].address = address;
	fake.uarts[i].latency = 2;
	return &fake.uarts[i];
}

static void say(const char *text)
{
	console_write(text, strlen(text));
}

/* The screen as a driver offers it, without the view's head. */
static void open_plain_screen(void)
{
	assert_null(open_screen(&boot));
	screen_keep(&screen, 0);
}

static void draw_text(const char *text)
{
	screen_write(&screen, text, strlen(text));
}

static bool sent(unsigned i, const char *text)
{
	return strstr(fake_output(i), text) != NULL;
}

/* One row of the VGA screen without trailing blanks. */
static const char *vga_row(unsigned row)
{
	unsigned n = COLUMNS;

	for (unsigned c = 0; c < COLUMNS; c++) {
		row_text[c] = (char)fake.text[row * COLUMNS + c];
		assert_int_equal(fake.text[row * COLUMNS + c] >> 8, 0x07);
	}
	while (n && row_text[n - 1] == ' ')
		n--;
	row_text[n] = '\0';
	return row_text;
}

static bool on_vga(const char *text)
{
	for (unsigned r = 0; r < ROWS; r++)
		if (strstr(vga_row(r), text))
			return true;
	return false;
}

static void test_search_bda(void **state)
{
	(void)state;
	fresh();
	add_uart(0, 0x3f8);
	add_uart(1, 0x1c8 * 8);
	bda_port(0, 0x1c8 * 8); /* what the BIOS calls COM1 */
	say("early line #0:0000\n");
	console_init(NULL, &acpi_data, &boot);
	say("later\n");
	assert_true(sent(1, "early line #0:0000\r\n"));
	assert_true(sent(1, "console serial=16550a bus=port address=0xe40 stride=1 baud=115200 "
	                    "fifo=16 source=bda screen=text columns=80 rows=25 #"));
	assert_true(sent(1, "later\r\n"));
	assert_int_equal(fake.uarts[0].nout, 0);
	assert_false(sent(1, "warn"));
	assert_non_null(strstr(vga_row(0), "log: 16550a at 0xe40, 115200"));
	assert_int_equal(fake.cursor & 0x20, 0x20);
	assert_int_equal(console_dropped(), 0);
}

/* No BIOS data area under UEFI, and none of its garbage is written to. */
static void test_search_usual(void **state)
{
	(void)state;
	fresh();
	boot.efi = true;
	bda_port(0, 0x20); /* the interrupt controller */
	bda_port(1, 0xcf8);
	add_uart(2, 0x3e8);
	add_uart(3, 0xcf8);
	console_init(NULL, &acpi_data, &boot);
	assert_int_equal(fake.uarts[3].writes, 0);
	assert_true(sent(2, "address=0x3e8"));
	assert_true(sent(2, "source=probe screen=none #"));
	assert_int_equal(fake.wild_port_writes, 0);

	/* The same garbage in a BIOS machine: only what can be a serial port is tried. */
	fresh();
	bda_port(0, 0x20);
	bda_port(1, 0x5001);
	add_uart(0, 0x2f8);
	add_uart(1, 0x20);
	add_uart(2, 0x5001);
	console_init(NULL, &acpi_data, &boot);
	assert_int_equal(fake.uarts[1].writes + fake.uarts[2].writes, 0);
	assert_true(sent(0, "source=probe"));
	assert_int_equal(fake.wild_port_writes, 0);
}

/*
 * Multiboot 1 on UEFI does not tell of UEFI, and what stands at 400h is anybody's: even where a
 * word looks like a port, nothing is written to it.
 */
static void test_no_bda(void **state)
{
	static const struct {
		uint16_t equipment, kb;
	} rows[] = {
		{ 0, 639 }, { 2 << 9, 639 }, { 1 << 9, 0 }, { 1 << 9, 0xaf0f }, { 0xaf0f, 0xaf0f }
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh();
		fake.bda[0] = 0xe40;
		fake.bda[0x10 / 2] = rows[i].equipment;
		memcpy((uint8_t *)fake.bda + 0x13, &rows[i].kb, 2);
		add_uart(0, 0x3f8);
		add_uart(1, 0xe40);
		console_init(NULL, &acpi_data, &boot);
		assert_true(sent(0, "address=0x3f8"));
		assert_int_equal(fake.uarts[1].writes, 0);
	}
}

static void test_search_spcr(void **state)
{
	struct fake_uart *f;

	(void)state;
	fresh();
	bda_port(0, 0x3f8);
	add_uart(0, 0x3f8);
	add_uart(1, 0x2f8);
	acpi_data.spcr.present = true;
	acpi_data.spcr.address = 0x2f8;
	acpi_data.spcr.width = 1;
	acpi_data.spcr.baud = 57600;
	console_init(NULL, &acpi_data, &boot);
	assert_true(sent(1, "baud=57600 fifo=16 source=spcr"));
	assert_int_equal(fake.uarts[1].dll, 2);

	fresh();
	f = add_uart(0, 0xfe032000);
	f->mmio = true;
	f->stride = 4;
	acpi_data.spcr.present = acpi_data.spcr.mmio = true;
	acpi_data.spcr.address = 0xfe032000;
	acpi_data.spcr.width = 4;
	console_init(NULL, &acpi_data, &boot);
	assert_true(sent(0, "bus=mmio address=0xfe032000 stride=4 baud=0"));
}

/* A table that names nothing usable is told, and the search goes on. */
static void test_garbage_spcr(void **state)
{
	static const struct {
		uint8_t type;
		bool mmio;
		uint64_t address;
	} rows[] = {
		{ 3, true, 0xfe032000 },   { 0, false, 0 },         { 0, false, 0x12345678 },
		{ 0, true, 0x8000000000 }, { 0, true, 0xffffffff },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh();
		add_uart(0, 0x3f8);
		acpi_data.spcr.present = true;
		acpi_data.spcr.type = rows[i].type;
		acpi_data.spcr.mmio = rows[i].mmio;
		acpi_data.spcr.address = rows[i].address;
		console_init(NULL, &acpi_data, &boot);
		assert_true(sent(0, "SPCR"));
		assert_true(sent(0, "source=probe"));
		assert_int_equal(fake.wild_writes, 0);
	}
}

static void test_broken_port_is_passed_over(void **state)
{
	(void)state;
	fresh();
	bda_port(0, 0x3f8);
	add_uart(0, 0x3f8)->stuck_loop = true;
	add_uart(1, 0x2f8);
	console_init(NULL, &acpi_data, &boot);
	assert_true(sent(1, "0x3f8"));
	assert_true(sent(1, "stuck in loopback"));
	assert_true(sent(1, "address=0x2f8"));
}

static void test_no_uart(void **state)
{
	(void)state;
	fresh();
	say("cpl0 version=1 bits=32 #0:0000\n");
	console_init(NULL, &acpi_data, &boot);
	assert_string_equal(vga_row(0), "cpl0 1, 32 bits   log: nowhere but here");
	assert_true(on_vga("no serial port found"));
	assert_true(on_vga("log: nowhere but here"));
	console_drain();

	fresh();
	fake.debugcon = true;
	console_init(NULL, &acpi_data, &boot);
	assert_non_null(strstr(fake.debug_out, "console serial=debugcon source=probe"));
	assert_null(strstr(fake.debug_out, "\r"));

	/* Nothing at all: it must only not hang. */
	fresh();
	boot.efi = true;
	fake.empty_bus = 0;
	console_init(NULL, &acpi_data, &boot);
	say("into the void\n");
	console_drain();
}

static void test_argument(void **state)
{
	/* clang-format off */
	static const struct {
		const char *arg, *text;
		unsigned uart;
	} rows[] = {
		{ "com1",              "address=0x3f8 stride=1 baud=115200", 0 },
		{ "com2,9600",         "address=0x2f8 stride=1 baud=9600", 1 },
		{ "com3",              "address=0x5000", 3 }, /* as the BIOS data area says */
		{ "port:0x2f8,9600",   "address=0x2f8 stride=1 baud=9600", 1 },
		{ "port:760",          "address=0x2f8 stride=1 baud=115200", 1 },
		{ "mmio:0xfe032000,115200", "bus=mmio address=0xfe032000 stride=4 baud=115200", 2 },
		{ "mmio:0xFE032000",   "bus=mmio address=0xfe032000 stride=4 baud=0", 2 },
	};
	/* clang-format on */

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh();
		add_uart(0, 0x3f8);
		add_uart(1, 0x2f8);
		add_uart(2, 0xfe032000)->mmio = true;
		fake.uarts[2].stride = 4;
		add_uart(3, 0x5000);
		bda_port(2, 0x5000);
		console_init(rows[i].arg, &acpi_data, &boot);
		assert_true(sent(rows[i].uart, rows[i].text));
		assert_true(sent(rows[i].uart, "source=argument"));
		assert_false(sent(rows[i].uart, "error"));
	}
}

static void test_argument_other(void **state)
{
	(void)state;
	fresh();
	add_uart(0, 0x3f8);
	fake.debugcon = true;
	console_init("debugcon", &acpi_data, &boot);
	assert_non_null(strstr(fake.debug_out, "serial=debugcon source=argument"));
	assert_int_equal(fake.uarts[0].nout, 0);

	fresh();
	add_uart(0, 0x3f8);
	console_init("none", &acpi_data, &boot);
	assert_int_equal(fake.uarts[0].nout, 0);
	assert_true(on_vga("log: nowhere but here"));
	assert_false(on_vga("warn"));
}

/* An argument that cannot be used is an error record that quotes it; the search goes on. */
static void test_bad_argument(void **state)
{
	static const char *const form[] = { "",
		                            "com",
		                            "com0",
		                            "com5",
		                            "com1x",
		                            "com1,",
		                            "com1,0",
		                            "com1,7000",
		                            "com1,115200x",
		                            "com12",
		                            "port:",
		                            "port:x",
		                            "port:0xfff9",
		                            "port:0x3f8;9600",
		                            "mmio:0",
		                            "mmio:0xfffffff0",
		                            "mmio:0x100000000",
		                            "debugcon1",
		                            "nonesuch",
		                            "tty0" };
	static const char *const absent[] = { "com2", "port:0x280", "mmio:0xfe032000" };

	(void)state;
	for (unsigned i = 0; i < sizeof(form) / sizeof(form[0]); i++) {
		fresh();
		add_uart(0, 0x3f8);
		console_init(form[i], &acpi_data, &boot);
		assert_true(sent(0, "error what=console"));
		assert_true(sent(0, form[i]));
		assert_true(sent(0, "allowed: comN[,BAUD]"));
		assert_true(sent(0, "source=probe"));
	}
	for (unsigned i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		fresh();
		fake.empty_bus = 0;
		add_uart(0, 0x3f8);
		console_init(absent[i], &acpi_data, &boot);
		assert_true(sent(0, absent[i]));
		assert_true(sent(0, "no usable serial port there"));
		assert_true(sent(0, "source=probe"));
	}
	fresh();
	add_uart(0, 0x3f8);
	console_init("debugcon", &acpi_data, &boot);
	assert_true(sent(0, "0xe9 does not answer"));
}

static void test_early(void **state)
{
	char text[101];

	(void)state;
	memset(text, 'e', 99);
	strcpy(text + 99, "\n");
	fresh();
	add_uart(0, 0x3f8);
	for (unsigned i = 0; i < 200; i++)
		say(text);
	console_init(NULL, &acpi_data, &boot);
	assert_memory_equal(fake.uarts[0].out, "\r\n", 2);
	assert_memory_equal(fake.uarts[0].out + 2, text, 99);
	assert_true(sent(0, "early"));
	assert_true(sent(0, "first lines"));
	assert_int_equal(console_dropped(), 200 * 100 - EARLY_BYTES / 100 * 100);

	/* A run that dies before console_init() still shows its last words. */
	fresh();
	add_uart(0, 0x2f8);
	say("trap vector=14 #0:1234\n");
	console_drain();
	assert_string_equal(fake_output(0), "\r\ntrap vector=14 #0:1234\r\n");
	assert_string_equal(vga_row(5), "trap vector=14");
}

static void test_vga(void **state)
{
	char text[400];

	(void)state;
	fresh();
	memset(fake.text, 0x41, sizeof(fake.text));
	open_plain_screen();
	draw_text("\n\n\n");
	for (unsigned i = 0; i < 30; i++) {
		snprintf(text, sizeof(text), "line %u\n", i);
		draw_text(text);
	}
	assert_string_equal(vga_row(0), "line 5");
	assert_string_equal(vga_row(24), "line 29");
	/* Exactly as wide as the screen, one more, and what no font has. */
	memset(text, 'w', 80);
	strcpy(text + 80, "\n");
	draw_text(text);
	assert_string_equal(vga_row(23), "line 29");
	assert_int_equal(strlen(vga_row(24)), 80);
	strcpy(text + 80, "!\nend\t\xe9\n");
	draw_text(text);
	assert_int_equal(strlen(vga_row(22)), 80);
	assert_string_equal(vga_row(23), "!");
	assert_string_equal(vga_row(24), "end??");
	draw_text("\n\n\n");
	draw_text("x");
	assert_string_equal(vga_row(24), "x");
	assert_string_equal(vga_row(20), "end??");
	assert_int_equal(fake.wild_writes, 0);
}

static void test_vga_mono(void **state)
{
	(void)state;
	fresh();
	memcpy((uint8_t *)fake.bda + 0x63, "\xb4\x03", 2);
	console_init("none", NULL, &boot);
	assert_int_equal(fake.mono[3], 0x076c); /* l of log: */
	assert_int_equal(fake.text[0], 0);
	assert_int_equal(fake.cursor, 0x20);
}

/* Memory at B8000h is no screen if no CRT controller answers. */
static void test_vga_absent(void **state)
{
	static const uint8_t empty[] = { 0xff, 0, 0x66, 0x99 };

	(void)state;
	for (unsigned i = 0; i < sizeof(empty); i++) {
		fresh();
		fake.no_vga = true;
		fake.empty_bus = empty[i];
		console_init("none", NULL, &boot);
		assert_int_equal(fake.text[0], 0);
	}
}

static void set_fb(uint8_t bpp, uint32_t width, uint32_t height, const char *colors)
{
	boot.efi = true;
	boot.fb.kind = FB_RGB;
	boot.fb.addr = fake.fb_address = 0x80000000;
	boot.fb.width = width;
	boot.fb.height = height;
	boot.fb.bpp = bpp;
	boot.fb.pitch = width * ((bpp + 7u) / 8) + 8;
	boot.fb.red_pos = (uint8_t)colors[0];
	boot.fb.red_size = (uint8_t)colors[1];
	boot.fb.green_pos = (uint8_t)colors[2];
	boot.fb.green_size = (uint8_t)colors[3];
	boot.fb.blue_pos = (uint8_t)colors[4];
	boot.fb.blue_size = (uint8_t)colors[5];
	fake.fb_size = boot.fb.pitch * height;
	assert_true(fake.fb_size <= FAKE_FB);
	memset(fake.fb, 0xaa, fake.fb_size);
}

static uint32_t pixel(unsigned x, unsigned y)
{
	unsigned bytes = (boot.fb.bpp + 7u) / 8;
	uint32_t v = 0;

	memcpy(&v, fake.fb + y * boot.fb.pitch + x * bytes, bytes);
	return v;
}

/* Reads the screen back by the shapes of the font: drawing is right if every cell is found. */
static char cell(unsigned column, unsigned row, unsigned scale, uint32_t ink)
{
	unsigned x = column * 6 * scale, y = row * 12 * scale;

	for (int c = FONT_FIRST; c <= FONT_LAST; c++) {
		bool same = true;

		for (unsigned i = 0; i < 12 * scale && same; i++) {
			unsigned line = i / scale;
			unsigned dots = line >= 2 && line < 11 ? font[c - FONT_FIRST][line - 2] : 0;

			for (unsigned j = 0; j < 6 * scale && same; j++)
				same = pixel(x + j, y + i) ==
				       (j / scale < 5 && dots >> (4 - j / scale) & 1 ? ink : 0);
		}
		if (same)
			return (char)c;
	}
	return '\0';
}

static const char *fb_row(unsigned row, unsigned columns, unsigned scale, uint32_t ink)
{
	unsigned n = columns;

	for (unsigned c = 0; c < columns; c++)
		row_text[c] = cell(c, row, scale, ink);
	while (n && row_text[n - 1] == ' ')
		n--;
	row_text[n] = '\0';
	return row_text;
}

static void check_padding(void)
{
	for (unsigned y = 0; y < boot.fb.height; y++)
		for (unsigned i = 0; i < 8; i++)
			assert_int_equal(fake.fb[(y + 1) * boot.fb.pitch - 1 - i], 0xaa);
}

static void test_fb_formats(void **state)
{
	static const struct {
		uint8_t bpp;
		const char *colors;
		uint32_t ink;
	} rows[] = {
		{ 32, "\x10\x08\x08\x08\x00\x08", 0xd8d8d8 },
		{ 32, "\x18\x08\x10\x08\x08\x08", 0xd8d8d800 },
		{ 24, "\x10\x08\x08\x08\x00\x08", 0xd8d8d8 },
		{ 16, "\x0b\x05\x05\x06\x00\x05", 27 << 11 | 54 << 5 | 27 },
		{ 15, "\x0a\x05\x05\x05\x00\x05", 27 << 10 | 27 << 5 | 27 },
		{ 16, "\x00\x05\x05\x06\x0b\x05", 27 << 11 | 54 << 5 | 27 },
	};
	char all[FONT_LAST - FONT_FIRST + 2];

	(void)state;
	for (unsigned i = 0; i < sizeof(all) - 1; i++)
		all[i] = (char)(FONT_FIRST + i);
	all[sizeof(all) - 1] = '\0';
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh();
		set_fb(rows[i].bpp, 640, 200, rows[i].colors);
		open_plain_screen();
		draw_text(all);
		assert_string_equal(fb_row(0, 106, 1, rows[i].ink), all);
		assert_int_equal(fake.wild_writes, 0);
		assert_int_equal(fake.fb_reads, 0);
		check_padding();
	}
}

/* No two characters look the same, and every one but the blank can be seen. */
static void test_font(void **state)
{
	(void)state;
	for (int a = FONT_FIRST; a <= FONT_LAST; a++) {
		for (int b = FONT_FIRST; b < a; b++)
			assert_memory_not_equal(font[a - FONT_FIRST], font[b - FONT_FIRST],
			                        FONT_ROWS);
		for (unsigned r = 0; r < FONT_ROWS; r++)
			assert_true(font[a - FONT_FIRST][r] < 32);
	}
}

static void test_fb_scroll(void **state)
{
	char text[32];
	unsigned at = 0;

	(void)state;
	fresh();
	set_fb(32, 700, 12 * 20 + 5, "\x10\x08\x08\x08\x00\x08");
	open_plain_screen();
	assert_int_equal(screen.rows, 20);
	for (unsigned i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "line %u\n", i);
		draw_text(text);
	}
	/* The last line is there, all lines above it are the ones before it. */
	for (unsigned r = 0; r < 20; r++)
		if (strcmp(fb_row(r, 116, 1, 0xd8d8d8), "line 99") == 0)
			at = r;
	assert_in_range(at, 9, 19);
	for (unsigned r = 0; r < at; r++) {
		snprintf(text, sizeof(text), "line %u", 99 - at + r);
		assert_string_equal(fb_row(r, 116, 1, 0xd8d8d8), text);
	}
	assert_int_equal(fake.fb_reads, 0);
	assert_int_equal(fake.wild_writes, 0);
	check_padding();
}

static void test_fb_large_is_doubled(void **state)
{
	(void)state;
	fresh();
	set_fb(16, 640, 1080, "\x0b\x05\x05\x06\x00\x05");
	console_init("none", NULL, &boot);
	assert_int_equal(screen.columns, 53);
	assert_int_equal(screen.rows, 45);
	assert_string_equal(fb_row(0, 53, 2, 27 << 11 | 54 << 5 | 27), "   log: nowhere but here");
	assert_int_equal(fake.wild_writes, 0);
}

/* Graphics of current laptops have it at 256 GiB. */
static void test_fb_high(void **state)
{
	(void)state;
	fresh();
	set_fb(32, 640, 200, "\x10\x08\x08\x08\x00\x08");
	boot.fb.addr = fake.fb_address = 0x4000000000;
	open_plain_screen();
	draw_text("far away");
	assert_string_equal(fb_row(0, 106, 1, 0xd8d8d8), "far away");
	assert_int_equal(fake.wild_writes, 0);
	assert_int_equal(fake.fb_reads, 0);
}

/* Whatever the loader says about it: named in a record, nothing drawn, nothing hit. */
static void test_fb_unusable(void **state)
{
	static const struct {
		const char *why;
		uint64_t addr;
		uint32_t pitch, width, height;
		uint8_t bpp, red_size, blue_pos;
		enum boot_fb kind;
	} rows[] = {
		{ "unknown format", 0x80000000, 3200, 800, 600, 32, 8, 0, FB_OTHER },
		{ "unknown format", 0xb8000, 264, 132, 50, 16, 8, 0, FB_TEXT },
		{ "unknown depth", 0x80000000, 3200, 800, 600, 8, 8, 0, FB_RGB },
		{ "unknown depth", 0x80000000, 3200, 800, 600, 0, 8, 0, FB_RGB },
		{ "unknown depth", 0x80000000, 8000, 800, 600, 64, 8, 0, FB_RGB },
		{ "colour fields", 0x80000000, 3200, 800, 600, 32, 0, 0, FB_RGB },
		{ "colour fields", 0x80000000, 3200, 800, 600, 32, 9, 0, FB_RGB },
		{ "colour fields", 0x80000000, 3200, 800, 600, 32, 8, 25, FB_RGB },
		{ "impossible size", 0x80000000, 3199, 800, 600, 32, 8, 0, FB_RGB },
		{ "impossible size", 0x80000000, 3200, 0, 600, 32, 8, 0, FB_RGB },
		{ "impossible size", 0x80000000, 3200, 800, 0, 32, 8, 0, FB_RGB },
		{ "impossible size", 0x80000000, 3200, 0x40000001, 600, 32, 8, 0, FB_RGB },
		{ "impossible size", 0x80000000, 0xffffffff, 800, 600, 32, 8, 0, FB_RGB },
		{ "out of reach", 0x100000000, 3200, 800, 600, 32, 8, 0, FB_RGB },
		{ "out of reach", 0x180000000, 3200, 800, 600, 32, 8, 0, FB_RGB },
		{ "out of reach", 0xfffffff0, 3200, 800, 600, 32, 8, 0, FB_RGB },
		{ "address 0", 0, 3200, 800, 600, 32, 8, 0, FB_RGB },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh();
		add_uart(0, 0x3f8);
		set_fb(32, 800, 600, "\x10\x08\x08\x08\x00\x08");
		boot.fb.kind = rows[i].kind;
		boot.fb.addr = rows[i].addr;
		boot.fb.pitch = rows[i].pitch;
		boot.fb.width = rows[i].width;
		boot.fb.height = rows[i].height;
		boot.fb.bpp = rows[i].bpp;
		boot.fb.red_size = rows[i].red_size;
		boot.fb.blue_pos = rows[i].blue_pos;
		fake.narrow = true;
		console_init(NULL, &acpi_data, &boot);
		assert_true(sent(0, rows[i].why));
		assert_true(sent(0, "screen=none"));
		assert_int_equal(fake.wild_writes, 0);
	}
}

/* A port that stalls is reported in bytes, and the screen still gets every line. */
static void test_dropped(void **state)
{
	(void)state;
	fresh();
	add_uart(0, 0x3f8);
	console_init(NULL, &acpi_data, &boot);
	fake.uarts[0].never_ready = true;
	say("warn lost #9:0000\n");
	assert_int_equal(console_dropped(), 19);
	assert_true(on_vga("warn lost"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_bda),
		cmocka_unit_test(test_search_usual),
		cmocka_unit_test(test_no_bda),
		cmocka_unit_test(test_search_spcr),
		cmocka_unit_test(test_garbage_spcr),
		cmocka_unit_test(test_broken_port_is_passed_over),
		cmocka_unit_test(test_no_uart),
		cmocka_unit_test(test_argument),
		cmocka_unit_test(test_argument_other),
		cmocka_unit_test(test_bad_argument),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_vga),
		cmocka_unit_test(test_vga_mono),
		cmocka_unit_test(test_vga_absent),
		cmocka_unit_test(test_fb_formats),
		cmocka_unit_test(test_font),
		cmocka_unit_test(test_fb_scroll),
		cmocka_unit_test(test_fb_large_is_doubled),
		cmocka_unit_test(test_fb_high),
		cmocka_unit_test(test_fb_unusable),
		cmocka_unit_test(test_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
