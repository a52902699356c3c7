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
	ndefects = 0;
	console_look(0, 0);
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
		assert_in_range(fake.text[row * COLUMNS + c] >> 8, 0x07, 0x0f); /* on black */
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
	say("early line #0:00000000\n");
	console_init(NULL, &acpi_data, &boot);
	say("later\n");
	assert_true(sent(1, "early line #0:00000000\r\n"));
	assert_true(sent(1, "console serial=16550a bus=port address=0xe40 stride=1 baud=115200 "
	                    "clock=1843200 fifo=16 source=bda screen=text columns=80 rows=25 #"));
	assert_true(sent(1, "later\r\n"));
	assert_int_equal(fake.uarts[0].nout, 0);
	assert_false(sent(1, "warn"));
	assert_non_null(strstr(vga_row(0), "log: serial port 0xe40 at 115200"));
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
	assert_true(sent(1, "baud=57600 clock=1843200 fifo=16 source=spcr"));
	assert_int_equal(fake.uarts[1].dll, 2);

	fresh();
	f = add_uart(0, 0xfe032000);
	f->mmio = true;
	f->stride = 4;
	acpi_data.spcr.present = acpi_data.spcr.mmio = true;
	acpi_data.spcr.address = 0xfe032000;
	acpi_data.spcr.width = 4;
	console_init(NULL, &acpi_data, &boot);
	assert_true(sent(0, "bus=mmio address=0xfe032000 stride=4 baud=0 clock=0 "));
}

/* A port in memory has a crystal of its own: its divisor stays, or follows from what is stated. */
static void test_spcr_clock(void **state)
{
	static const struct {
		uint32_t clock, dll, dlm;
		const char *text;
	} rows[] = {
		{ 0, 0x34, 0x12, "baud=0 clock=0 " },
		{ 48000000, 26, 0, "baud=115200 clock=48000000 " },
		{ 1000000, 0x34, 0x12, "baud=0 clock=1000000 " },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake_uart *f;

		fresh();
		f = add_uart(0, 0xfe032000);
		f->mmio = true;
		f->stride = 4;
		f->dll = 0x34;
		f->dlm = 0x12;
		acpi_data.spcr.present = acpi_data.spcr.mmio = true;
		acpi_data.spcr.address = 0xfe032000;
		acpi_data.spcr.width = 4;
		acpi_data.spcr.baud = 115200;
		acpi_data.spcr.clock = rows[i].clock;
		console_init(NULL, &acpi_data, &boot);
		assert_true(sent(0, rows[i].text));
		assert_int_equal(f->dll, rows[i].dll);
		assert_int_equal(f->dlm, rows[i].dlm);
	}
}

/* A table that names nothing usable is told, and the search goes on. */
static void test_garbage_spcr(void **state)
{
	static const struct {
		bool mmio;
		uint64_t address;
	} rows[] = {
		{ false, 0 },
		{ false, 0x12345678 },
		{ true, 0x8000000000 },
		{ true, 0xffffffff },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh();
		add_uart(0, 0x3f8);
		acpi_data.spcr.present = true;
		acpi_data.spcr.mmio = rows[i].mmio;
		acpi_data.spcr.address = rows[i].address;
		console_init(NULL, &acpi_data, &boot);
		assert_true(sent(0, "SPCR"));
		assert_true(sent(0, "source=probe"));
		assert_int_equal(fake.wild_writes, 0);
	}
}

/*
 * An address of RAM, of the kernel or below 1 MiB: nothing is written there, whoever names it, the
 * warning says what lies there, and COM1 has the log.
 */
static void test_port_in_memory(void **state)
{
	static const struct {
		uint32_t address;
		const char *why;
	} rows[] = {
		{ 0x3f8, "its address is below 1 MiB" },
		{ 0xb8000, "its address is below 1 MiB" },
		{ 0xfffe0, "its address is below 1 MiB" },
		{ 0x134d20, "its address is the kernel's" },
		{ 0x17ffff, "its address is the kernel's" },
		{ 0xffff0, "its address is below 1 MiB" },
		{ 0x200000, "its address is that of the boot information" },
		{ 0x300fff, "its address is that of a module" },
		{ 0x500000, "its address is RAM by the memory map" },
		{ 0x3fffff0, "its address is RAM by the memory map" },
		{ 0x5000000, "its address is RAM by the memory map" }, /* ACPI tables */
	};

	(void)state;
	for (unsigned i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned n = i / 2;
		char arg[32], warning[100];

		fresh();
		add_uart(0, 0x3f8);
		boot.kernel_start = 0x100000;
		boot.kernel_end = 0x180000;
		boot.info_start = 0x200000;
		boot.info_end = 0x200100;
		boot.nmodules = 1;
		boot.modules[0] = (struct boot_module){ .start = 0x300000, .end = 0x301000 };
		boot.nregions = 2;
		boot.regions[0] = (struct boot_region){ 0x100000, 0x3f00000, REGION_FREE };
		boot.regions[1] = (struct boot_region){ 0x5000000, 0x1000, REGION_ACPI };
		acpi_data.spcr.present = acpi_data.spcr.mmio = i % 2;
		acpi_data.spcr.address = rows[n].address;
		acpi_data.spcr.width = 1;
		snprintf(arg, sizeof(arg), "mmio:0x%x", rows[n].address);
		snprintf(warning, sizeof(warning), "%s0x%x%s why=\"%s\"", i % 2 ? "\"SPCR " : "",
		         rows[n].address, i % 2 ? "\"" : "", rows[n].why);
		console_init(i % 2 ? NULL : arg, &acpi_data, &boot);
		assert_true(sent(0, warning));
		assert_true(sent(0, "source=probe"));
		assert_int_equal(fake.wild_writes + fake.wild_reads, 0);
	}
}

/* Several ports may be broken: each is told. */
static void test_each_defect(void **state)
{
	(void)state;
	fresh();
	add_uart(0, 0x3f8)->stuck_loop = true;
	add_uart(1, 0x2f8)->never_ready = true;
	add_uart(2, 0x3e8);
	console_init(NULL, &acpi_data, &boot);
	assert_true(sent(2, "culprit=0x3f8 why=\"stuck in loopback\""));
	assert_true(sent(2, "culprit=0x2f8 why=\"never ready to send\""));
	assert_true(sent(2, "address=0x3e8"));
}

/* A card at 0:14h.0 with these base address registers. */
static void add_card(uint32_t class, uint32_t command, const uint32_t *bars)
{
	fake.pci.present = true;
	fake.pci.config[0] = 0x00021b36;
	fake.pci.config[1] = command;
	fake.pci.config[2] = class;
	memcpy(fake.pci.config + 4, bars, 6 * sizeof(*bars));
}

static const struct {
	uint32_t class, command, bars[6], sizes[6];
	uint32_t port;    /* where the UART is */
	unsigned stride;  /* 0: I/O ports */
	uint32_t after;   /* the command register then */
	const char *text; /* NULL: not found */
} cards[] = {
	/* one port; two behind one another of which the second works; the eighth */
	{ 0x07000201,
	  3,
	  { 0xc001 },
	  { 8 },
	  0xc000,
	  0,
	  3,
	  "bus=port address=0xc000 stride=1 device=0xa0 baud=115200 clock=1843200 " },
	{ 0x07000201, 3, { 0xc001 }, { 16 }, 0xc008, 0, 3, "address=0xc008 " },
	{ 0x07028001, 3, { 0xc001 }, { 64 }, 0xc038, 0, 3, NULL }, /* interface 80h */
	{ 0x07020001, 3, { 0xc001 }, { 64 }, 0xc038, 0, 3, "address=0xc038 " },
	/* what lies behind the register's ports is another device */
	{ 0x07000201, 3, { 0xc001 }, { 8 }, 0xc008, 0, 3, NULL },
	/* serial over LAN: ports, and the same in memory */
	{ 0x07000200, 7, { 0xf0a1, 0xfe032000 }, { 8 }, 0xf0a0, 0, 7, "address=0xf0a0 " },
	/* decoding is off: it is switched on, and off again if there is no port */
	{ 0x07000201, 0x140, { 0xc001 }, { 8 }, 0xc000, 0, 0x141, "address=0xc000 " },
	{ 0x07000201, 0x140, { 0xc001 }, { 8 }, 0xd000, 0, 0x140, NULL },
	/* a register for each port; the third has no 8 ports, so it is no serial one */
	{ 0x07000201, 3, { 0xc001, 0xc101, 0xc201 }, { 8, 8, 8 }, 0xc200, 0, 3, "address=0xc200 " },
	{ 0x07000201, 3, { 0xc001, 0xc101, 0xc201 }, { 8, 8, 16 }, 0xc200, 0, 3, NULL },
	/* in memory, bytes or words apart; off; above 4 GiB */
	{ 0x07000201,
	  2,
	  { 0xfe032000 },
	  { 0 },
	  0xfe032000,
	  1,
	  2,
	  "bus=mmio address=0xfe032000 stride=1 device=0xa0 baud=0 clock=0 " },
	{ 0x07000201, 2, { 0xfe032004, 0 }, { 0 }, 0xfe032000, 4, 2, "stride=4 " },
	{ 0x07000201, 0, { 0xfe032000 }, { 0 }, 0xfe032000, 1, 0, NULL },
	{ 0x07000201, 2, { 0xfe032004, 1 }, { 0 }, 0xfe032000, 1, 2, NULL },
	/* no place was given to it; ports of the mainboard; a modem; a network card */
	{ 0x07000201, 3, { 0x0001 }, { 8 }, 0x0000, 0, 3, NULL },
	{ 0x07000201, 3, { 0x0021 }, { 8 }, 0x0020, 0, 3, NULL },
	{ 0x07030201, 3, { 0xc001 }, { 8 }, 0xc000, 0, 3, NULL },
	{ 0x02000001, 3, { 0xc001 }, { 8 }, 0xc000, 0, 3, NULL },
};

/* Cards as they are made, and as they are no serial ports. */
static void test_card(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(cards) / sizeof(cards[0]); i++) {
		struct fake_uart *f;

		fresh();
		boot.efi = true;
		add_card(cards[i].class, cards[i].command, cards[i].bars);
		memcpy(fake.pci.io_size, cards[i].sizes, sizeof(cards[i].sizes));
		f = add_uart(0, cards[i].port);
		f->card = true;
		f->mmio = cards[i].stride;
		f->stride = cards[i].stride ? cards[i].stride : 1;
		console_init(NULL, &acpi_data, &boot);
		if (cards[i].text) {
			assert_true(sent(0, cards[i].text));
			assert_true(sent(0, "source=pci"));
		} else {
			assert_int_equal(f->writes + fake.wild_reads, 0);
		}
		assert_int_equal(fake.pci.config[1], cards[i].after);
		assert_memory_equal(fake.pci.config + 4, cards[i].bars, sizeof(cards[i].bars));
		assert_int_equal(fake.wild_writes + fake.wild_port_writes, 0);
	}
}

/* The mainboard's ports come first; an argument turns that round, and sets the rate. */
static void test_card_order(void **state)
{
	static const uint32_t bars[6] = { 0xc001 };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		fresh();
		boot.efi = true;
		add_card(0x07000201, 3, bars);
		add_uart(0, 0x2f8);
		add_uart(1, 0xc000)->card = true;
		console_init(i ? "pci,14400" : NULL, &acpi_data, &boot);
		assert_true(sent(i, i ? "address=0xc000 stride=1 device=0xa0 baud=14400"
		                      : "address=0x2f8"));
		assert_true(sent(i, i ? "source=argument" : "source=probe"));
		assert_int_equal(fake.uarts[!i].nout, 0);
	}
}

/* A card whose memory register lies in RAM, by a mistake of the firmware. */
static void test_card_in_memory(void **state)
{
	static const uint32_t bars[6] = { 0x500000 };

	(void)state;
	fresh();
	boot.efi = true;
	boot.nregions = 1;
	boot.regions[0] = (struct boot_region){ 0x100000, 0x3f00000, REGION_FREE };
	add_card(0x07000201, 2, bars);
	fake.debugcon = true;
	console_init(NULL, &acpi_data, &boot);
	assert_non_null(strstr(fake.debug_out, "0x500000 why=\"its address is RAM"));
	assert_null(strstr(strstr(fake.debug_out, "0x500000") + 1, "0x500000"));
	assert_int_equal(fake.wild_writes, 0);
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
	say("cpl0 version=1 bits=32 #0:00000000\n");
	console_init(NULL, &acpi_data, &boot);
	assert_string_equal(vga_row(0), "cpl0 1, 32 bits");
	assert_false(on_vga("warn")); /* the medium may take the log */
	console_alone();
	assert_true(on_vga("no serial port and no CPL0.LOG"));
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
	say("save to=none why=asked #2:00000000\n");
	assert_int_equal(fake.uarts[0].nout, 0);
	assert_true(on_vga("log: nowhere but here"));
	console_alone(); /* it was asked for */
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
	say("trap vector=14 #0:00001234\n");
	console_drain();
	assert_string_equal(fake_output(0), "\r\ntrap vector=14 #0:00001234\r\n");
	assert_string_equal(vga_row(8), "trap vector=14");
}

/* From the first look at the keys on the screen says which one stops the run. */
static void test_stop_key_is_shown(void **state)
{
	(void)state;
	fresh();
	add_uart(0, 0x3f8);
	console_init(NULL, &acpi_data, &boot);
	say("plan benches=3 #0:00000000\n");
	assert_false(on_vga("Ctrl-C stops"));
	assert_false(console_stop_key());
	assert_true(on_vga("Ctrl-C stops"));
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
	say("cpl0 version=1 bits=32 #0:00000000\n");
	console_init("none", NULL, &boot);
	assert_int_equal(fake.mono[2] & 0xff, 'l'); /* of cpl0 */
	assert_int_equal(fake.text[0], 0);
	assert_int_equal(fake.cursor, 0x20);
}

static void draw_in(enum screen_color color, const char *text)
{
	screen.pen = color;
	draw_text(text);
	screen.pen = SCREEN_TEXT;
}

/* Each meaning has its colour, which moves with its character; blanks have none. */
static void test_vga_colors(void **state)
{
	static const uint16_t attributes[SCREEN_COLORS] = { 0x7, 0xb, 0xa, 0xe, 0xc };
	static const uint8_t head[] = { SCREEN_BAD, SCREEN_BAD, SCREEN_GOOD };

	(void)state;
	fresh();
	open_plain_screen();
	for (unsigned i = 0; i < SCREEN_COLORS; i++)
		draw_in(i, "a ");
	for (unsigned i = 0; i < SCREEN_COLORS; i++) {
		assert_int_equal(fake.text[2 * i], attributes[i] << 8 | 'a');
		assert_int_equal(fake.text[2 * i + 1], 0x0720);
	}
	for (unsigned i = 0; i < ROWS; i++)
		draw_text("\n");
	draw_text("x");
	assert_int_equal(fake.text[0], 0x0720);
	draw_in(SCREEN_BAD, "\ra");
	draw_text("\n\n");
	draw_text("x");
	assert_int_equal(fake.text[(ROWS - 3) * COLUMNS + 2], 0x0c61);

	/* The same text in another colour. */
	screen_head(&screen, 1, "abc", head);
	assert_int_equal(fake.text[COLUMNS + 1], 0x0c62);
	assert_int_equal(fake.text[COLUMNS + 2], 0x0a63);
	screen_head(&screen, 1, "abc", NULL);
	assert_int_equal(fake.text[COLUMNS + 1], 0x0762);
}

/* Underlined and dim is nothing for a screen without colours. */
static void test_mono_colors(void **state)
{
	(void)state;
	fresh();
	memcpy((uint8_t *)fake.bda + 0x63, "\xb4\x03", 2);
	open_plain_screen();
	for (unsigned i = 0; i < SCREEN_COLORS; i++)
		draw_in(i, "a");
	for (unsigned i = 0; i < SCREEN_COLORS; i++)
		assert_int_equal(fake.mono[i], i == SCREEN_TEXT ? 0x0761 : 0x0f61);
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

/* A pixel where somebody sees it who has turned the panel back. */
static uint32_t pixel(unsigned x, unsigned y)
{
	unsigned bytes = (boot.fb.bpp + 7u) / 8, seen_x = x, seen_y = y;
	uint32_t v = 0;

	if (look.rotate == 90) {
		x = boot.fb.width - 1 - seen_y;
		y = seen_x;
	} else if (look.rotate == 180) {
		x = boot.fb.width - 1 - seen_x;
		y = boot.fb.height - 1 - seen_y;
	} else if (look.rotate == 270) {
		x = seen_y;
		y = boot.fb.height - 1 - seen_x;
	}
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

/* In each order of the colours and each depth; no two are the same, and each can be seen. */
static void test_fb_colors(void **state)
{
	static const uint32_t inks[2][SCREEN_COLORS] = {
		{ 0xd8d8d8, 0x60d8ff, 0x70e070, 0xffd850, 0xff7060 },
		{ 27 << 11 | 54 << 5 | 27, 31 << 11 | 54 << 5 | 12, 14 << 11 | 56 << 5 | 14,
		  10 << 11 | 54 << 5 | 31, 12 << 11 | 28 << 5 | 31 },
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		fresh();
		set_fb(i ? 16 : 32, 640, 200,
		       i ? "\x00\x05\x05\x06\x0b\x05" : "\x10\x08\x08\x08\x00\x08");
		open_plain_screen();
		for (unsigned k = 0; k < SCREEN_COLORS; k++)
			draw_in(k, "#");
		for (unsigned k = 0; k < SCREEN_COLORS; k++)
			assert_int_equal(cell(k, 0, 1, inks[i][k]), '#');
		assert_int_equal(fake.fb_reads + fake.wild_writes, 0);
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

/* Panels as they are sold: the size of the characters follows from the shorter side. */
static void test_fb_scale(void **state)
{
	static const struct {
		uint32_t width, height;
		unsigned wanted, scale, columns, rows;
	} rows[] = {
		{ 640, 480, 0, 1, 106, 40 },   { 1366, 768, 0, 1, 227, 64 },
		{ 1920, 1080, 0, 2, 160, 45 }, { 1200, 1920, 0, 2, 100, 80 },
		{ 2560, 1600, 0, 2, 213, 66 }, { 3200, 1800, 0, 3, 177, 50 },
		{ 3840, 2160, 0, 3, 213, 60 }, { 2160, 3840, 0, 3, 120, 106 },
		{ 5120, 2880, 0, 4, 213, 60 }, { 3840, 2160, 1, 1, 320, 160 },
		{ 3840, 2160, 4, 4, 160, 45 }, { 3840, 2160, 8, 8, 80, 22 },
		{ 640, 480, 8, 2, 53, 20 },    { 100, 100, 8, 1, 16, 8 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[80];

		fresh();
		add_uart(0, 0x3f8);
		set_fb(16, rows[i].width, rows[i].height, "\x0b\x05\x05\x06\x00\x05");
		console_look(rows[i].wanted, 0);
		console_init(NULL, &acpi_data, &boot);
		snprintf(text, sizeof(text),
		         "screen=framebuffer columns=%u rows=%u scale=%u rotate=0 ",
		         rows[i].columns, rows[i].rows, rows[i].scale);
		assert_true(sent(0, text));
		if (rows[i].rows >= 12)
			assert_string_equal(
				fb_row(0, rows[i].columns, rows[i].scale, 27 << 11 | 54 << 5 | 27),
				"   log: ");
		assert_int_equal(fake.wild_writes, 0);
		check_padding();
	}
}

/*
 * Turned by each angle, in each depth: what scrolls and what a page shows stands where it should.
 */
static void test_fb_turned(void **state)
{
	static const uint8_t depths[] = { 16, 24, 32 };
	char text[32];

	(void)state;
	for (unsigned i = 0; i < 4 * sizeof(depths); i++) {
		const uint8_t bpp = depths[i / 4];
		const uint32_t ink = bpp == 16 ? 27 << 11 | 54 << 5 | 27 : 0xd8d8d8;
		const unsigned columns = i % 2 ? 41 : 58, rows = i % 2 ? 29 : 20;
		unsigned last;

		fresh();
		set_fb(bpp, 702, 500,
		       bpp == 16 ? "\x0b\x05\x05\x06\x00\x05" : "\x10\x08\x08\x08\x00\x08");
		console_look(2, i % 4 * 90);
		open_plain_screen();
		assert_int_equal(screen.columns, columns);
		assert_int_equal(screen.rows, rows);
		for (unsigned n = 0; n < 100; n++) {
			snprintf(text, sizeof(text), "line %u\n", n);
			draw_text(text);
		}
		for (last = rows; last > 0; last--)
			if (strcmp(fb_row(last - 1, columns, 2, ink), "line 99") == 0)
				break;
		assert_in_range(last, rows - screen.jump, rows);
		for (unsigned r = 0; r < last; r++) {
			snprintf(text, sizeof(text), "line %u", 100 - last + r);
			assert_string_equal(fb_row(r, columns, 2, ink), text);
		}
		screen_page(&screen, 3, 1, false);
		for (unsigned n = 0; n < 9; n++) {
			snprintf(text, sizeof(text), "%u paged~\n", n);
			draw_text(text);
		}
		assert_int_equal(screen_page_end(&screen), 9);
		assert_string_equal(fb_row(0, columns, 2, ink), "3 paged~");
		assert_string_equal(fb_row(5, columns, 2, ink), "8 paged~");
		for (unsigned r = 6; r < rows; r++)
			assert_string_equal(fb_row(r, columns, 2, ink), "");
		assert_int_equal(fake.fb_reads + fake.wild_writes, 0);
		check_padding();
	}
}

/* A text screen cannot be turned, and says so. */
static void test_look_of_text(void **state)
{
	(void)state;
	fresh();
	add_uart(0, 0x3f8);
	console_look(0, 90);
	console_init(NULL, &acpi_data, &boot);
	assert_true(sent(0, "warn what=console culprit=screen why=\"screen= needs a framebuffer"));
	assert_true(sent(0, "screen=text columns=80 rows=25 #"));
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
	say("warn lost #9:00000000\n");
	assert_int_equal(console_dropped(), 23);
	assert_true(on_vga("warn lost"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_bda),
		cmocka_unit_test(test_search_usual),
		cmocka_unit_test(test_no_bda),
		cmocka_unit_test(test_search_spcr),
		cmocka_unit_test(test_spcr_clock),
		cmocka_unit_test(test_garbage_spcr),
		cmocka_unit_test(test_port_in_memory),
		cmocka_unit_test(test_each_defect),
		cmocka_unit_test(test_card),
		cmocka_unit_test(test_card_order),
		cmocka_unit_test(test_card_in_memory),
		cmocka_unit_test(test_broken_port_is_passed_over),
		cmocka_unit_test(test_no_uart),
		cmocka_unit_test(test_argument),
		cmocka_unit_test(test_argument_other),
		cmocka_unit_test(test_bad_argument),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_stop_key_is_shown),
		cmocka_unit_test(test_vga),
		cmocka_unit_test(test_vga_mono),
		cmocka_unit_test(test_vga_colors),
		cmocka_unit_test(test_mono_colors),
		cmocka_unit_test(test_fb_colors),
		cmocka_unit_test(test_vga_absent),
		cmocka_unit_test(test_fb_formats),
		cmocka_unit_test(test_font),
		cmocka_unit_test(test_fb_scroll),
		cmocka_unit_test(test_fb_scale),
		cmocka_unit_test(test_fb_turned),
		cmocka_unit_test(test_look_of_text),
		cmocka_unit_test(test_fb_high),
		cmocka_unit_test(test_fb_unusable),
		cmocka_unit_test(test_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
