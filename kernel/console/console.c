/*
 * Which outputs there are, and the lines written before that was known.
 */
#include "kernel/lib/args.h"
#include "kernel/console/console.h"
#include "kernel/console/fb.h"
#include "kernel/console/head.h"
#include "kernel/console/keys.h"
#include "kernel/console/pciport.h"
#include "kernel/lib/log.h"
#include "kernel/chipset/phys.h"
#include "kernel/console/screen.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"
#include "kernel/console/uart.h"
#include "kernel/console/vga.h"
#include "kernel/console/view.h"
#include "kernel/cpu/x86.h"

#define BDA_COM       0x400u /* BIOS data area: four words, ports of COM1 to COM4, 0: none */
#define BDA_EQUIPMENT 0x410u /* bits 11:9: how many of them are not 0 */
#define BDA_MEMORY_KB 0x413u /* size of low memory */
#define BDA_PORT_MIN  0x200  /* the ports below belong to the mainboard */
#define DEBUGCON_PORT 0xe9   /* QEMU isa-debugcon and Bochs: reads back its own number */
#define DEBUGCON_ID   0xe9
#define PORT_MAX      0xfff8u /* eight registers from here on */
#define MMIO_MAX      ((uint32_t)(PHYS_LIMIT - MMIO_SIZE))

enum {
	COM_PORTS = 4,
	MMIO_SIZE = 8 * 4, /* bytes of eight registers, at most */
	LOW_END = 1 << 20, /* no device of this kind lies below: vectors, BIOS data, VGA, ROMs */
	DEFECTS = 8,       /* of ports that are told; there are not many ports */
	EARLY_BYTES = 16384,
	BDA_KB_MIN = 256,
	BDA_KB_MAX = 640,
	KEYS_AT_ONCE = 64,   /* bytes that are looked through for a key */
	FIRMWARE_SHARE = 16, /* looks for a key of which one asks the firmware: it takes its time */
};

static const uint16_t usual_ports[COM_PORTS] = { 0x3f8, 0x2f8, 0x3e8, 0x2e8 };

static struct uart uart;
static struct screen screen;
static bool serial, debugcon, ready; /* serial: `uart` is open */
static const char *screen_kind = "none";
static struct fb_look look;
static bool keyboard, keyboard_left; /* the controller is used; it is the firmware's */
static uint16_t (*firmware_key)(void);
static uint32_t early_lost;

/* The log so far. First it has a room of its own. */
static char early[EARLY_BYTES];
static struct {
	char *text;
	size_t used, size;
	bool cut; /* the rest did not fit */
} kept = { .text = early, .size = sizeof(early) };

/* Why ports that show signs of life were not taken; told when there is an output. */
static struct defect {
	const char *why;
	uint64_t address;
	bool spcr; /* that table names the port */
} defects[DEFECTS];
static unsigned ndefects;

/* NULL, or why nothing may be written at this address, not even to see what is there. */
static const char *memory_conflict(const struct bootinfo *bi, uint32_t address)
{
	if (address < LOW_END)
		return "its address is below 1 MiB";
	return bi ? bootinfo_in_use(bi, address, MMIO_SIZE) : "the memory map is not known yet";
}

/* A port is tried once for each distance of its registers, and told once. */
static void add_defect(const char *why, uint64_t address, bool spcr)
{
	for (unsigned i = 0; i < ndefects; i++)
		if (defects[i].address == address)
			return;
	if (ndefects < DEFECTS)
		defects[ndefects++] = (struct defect){ why, address, spcr };
}

/* Opens *try; a port that answers, but not as it should, is remembered. */
static bool open_uart(const struct uart *try, const struct bootinfo *bi, bool spcr)
{
	const char *why = try->mmio ? memory_conflict(bi, try->address) : NULL;

	uart = *try;
	if (!why)
		why = uart_open(&uart);
	if (why && why != uart_absent)
		add_defect(why, try->address, spcr);
	serial = !why;
	return serial;
}

static bool open_port(uint32_t port, uint32_t baud)
{
	struct uart try = { .stride = 1, .address = port, .baud = baud, .clock = UART_PC_CLOCK };

	return open_uart(&try, NULL, false);
}

/* The register distance cannot be seen from outside: bytes in old designs, words in new ones. */
static bool open_mmio(uint32_t address, uint32_t baud, const struct bootinfo *bi)
{
	struct uart try = {
		.mmio = true, .stride = 1, .address = address, .baud = baud, .clock = UART_PC_CLOCK
	};

	if (open_uart(&try, bi, false))
		return true;
	try.stride = 4;
	return open_uart(&try, bi, false);
}

static const struct bootinfo *card_map; /* while cards are looked for */

static bool open_card(const struct uart *port)
{
	return open_uart(port, card_map, false);
}

/* The first port of a PCI card that can be used. */
static bool open_pci(uint32_t baud, const struct bootinfo *bi)
{
	card_map = bi;
	return pciport_find(baud, open_card);
}

static bool open_debugcon(void)
{
	debugcon = x86_inb(DEBUGCON_PORT) == DEBUGCON_ID;
	return debugcon;
}

/*
 * The port that the firmware itself uses as console. In memory the crystal is anybody's: 48 MHz in
 * AMD's chipsets, 100 or 120 MHz in Intel's. Without a stated clock the firmware's rate stays.
 */
static bool open_spcr(const struct acpi *acpi, const struct bootinfo *bi)
{
	struct uart try = { .mmio = acpi->spcr.mmio,
		            .stride = acpi->spcr.width == 4 ? 4 : 1,
		            .address = (uint32_t)acpi->spcr.address,
		            .baud = acpi->spcr.baud,
		            .clock = acpi->spcr.clock };
	uint64_t limit = try.mmio ? MMIO_MAX : PORT_MAX;

	if (!acpi->spcr.address || acpi->spcr.address > limit) {
		add_defect("the ACPI SPCR table names no port that can be used", acpi->spcr.address,
		           true);
		return false;
	}
	if (!try.clock && !try.mmio)
		try.clock = UART_PC_CLOCK;
	return open_uart(&try, bi, true);
}

/*
 * The BIOS data area is the BIOS's; after UEFI anything may stand there, and a Multiboot 1 loader
 * does not tell of UEFI. So the area is believed only if it is consistent.
 */
static bool has_bda(const struct bootinfo *bi)
{
	unsigned ports = 0, kb = phys_read16(BDA_MEMORY_KB);

	for (unsigned i = 0; i < COM_PORTS; i++)
		ports += phys_read16(BDA_COM + 2 * i) != 0;
	return !(bi && bi->efi) && kb >= BDA_KB_MIN && kb <= BDA_KB_MAX &&
	       (phys_read16(BDA_EQUIPMENT) >> 9 & 7) == ports;
}

static bool open_bda(const struct bootinfo *bi)
{
	if (!has_bda(bi))
		return false;
	for (unsigned i = 0; i < COM_PORTS; i++) {
		uint16_t port = phys_read16(BDA_COM + 2 * i);

		if (port >= BDA_PORT_MIN && port <= PORT_MAX && port % 8 == 0 &&
		    open_port(port, UART_MAX_BAUD))
			return true;
	}
	return false;
}

static bool open_usual(void)
{
	for (unsigned i = 0; i < COM_PORTS; i++)
		if (open_port(usual_ports[i], UART_MAX_BAUD))
			return true;
	return false;
}

/* Returns who named the port, or NULL if there is no output but the screen. */
static const char *search(const struct acpi *acpi, const struct bootinfo *bi)
{
	if (acpi && acpi->spcr.present && open_spcr(acpi, bi))
		return "spcr";
	if (open_bda(bi))
		return "bda";
	if (open_usual())
		return "probe";
	if (open_pci(UART_MAX_BAUD, bi))
		return "pci";
	return open_debugcon() ? "probe" : NULL;
}

/* `,BAUD` or nothing. */
static bool baud(const char *text, uint32_t *value)
{
	if (!*text)
		return true;
	if (*text++ != ',' || !args_number(text, UART_MAX_BAUD, value, &text) || *text)
		return false;
	return *value && UART_MAX_BAUD % *value == 0 && uart_divisor(UART_PC_CLOCK, *value);
}

/* What stands in the BIOS data area for COMn, else where it usually is. */
static uint32_t com_port(unsigned n, const struct bootinfo *bi)
{
	uint16_t port = has_bda(bi) ? phys_read16(BDA_COM + 2 * n) : 0;

	return port >= BDA_PORT_MIN && port <= PORT_MAX && port % 8 == 0 ? port : usual_ports[n];
}

static const char bad_form[] =
	"allowed: comN[,BAUD], port:0xADDR[,BAUD], mmio:0xADDR[,BAUD], pci[,BAUD], debugcon, none; "
	"BAUD a divisor of 115200";
static const char bad_port[] = "no usable serial port there; searching for one";

static const char *take_com(const char *rest, const struct bootinfo *bi)
{
	unsigned n = (unsigned char)*rest - '1';
	uint32_t rate = UART_MAX_BAUD;

	if (n >= COM_PORTS || !baud(rest + 1, &rate))
		return bad_form;
	return open_port(com_port(n, bi), rate) ? NULL : bad_port;
}

static const char *take_port(const char *rest, const struct bootinfo *bi)
{
	uint32_t port, rate = UART_MAX_BAUD;

	(void)bi;
	if (!args_number(rest, PORT_MAX, &port, &rest) || !baud(rest, &rate))
		return bad_form;
	return open_port(port, rate) ? NULL : bad_port;
}

/* Without BAUD as the firmware left it: these ports often have another crystal. */
static const char *take_mmio(const char *rest, const struct bootinfo *bi)
{
	uint32_t address, rate = 0;

	if (!args_number(rest, MMIO_MAX, &address, &rest) || !address || !baud(rest, &rate))
		return bad_form;
	return open_mmio(address, rate, bi) ? NULL : bad_port;
}

static const char *take_pci(const char *rest, const struct bootinfo *bi)
{
	uint32_t rate = UART_MAX_BAUD;

	if (!baud(rest, &rate))
		return bad_form;
	return open_pci(rate, bi) ? NULL : bad_port;
}

static const char *take_debugcon(const char *rest, const struct bootinfo *bi)
{
	(void)bi;
	if (*rest)
		return bad_form;
	return open_debugcon() ? NULL : "port 0xe9 does not answer; searching for a serial port";
}

static const char *take_none(const char *rest, const struct bootinfo *bi)
{
	(void)bi;
	return *rest ? bad_form : NULL;
}

/* clang-format off */
static const struct {
	const char *prefix;
	const char *(*take)(const char *rest, const struct bootinfo *bi);
} forms[] = {
	{ "com",      take_com },
	{ "port:",    take_port },
	{ "mmio:",    take_mmio },
	{ "pci",      take_pci },
	{ "debugcon", take_debugcon },
	{ "none",     take_none },
};
/* clang-format on */

/* Does what `console=` says; NULL, or why it cannot. */
static const char *obey(const char *arg, const struct bootinfo *bi)
{
	for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = strlen(forms[i].prefix);

		if (strncmp(arg, forms[i].prefix, n) == 0)
			return forms[i].take(arg + n, bi);
	}
	return bad_form;
}

/* NULL, or why there is a framebuffer but nothing to see, or not as it was asked for. */
static const char *open_screen(const struct bootinfo *bi)
{
	const char *why;

	if (vga_open(&screen, bi)) {
		screen_kind = "text";
		view_open(&screen);
		return look.scale || look.rotate ? "screen= needs a framebuffer; this is VGA text"
		                                 : NULL;
	}
	/* A text screen of another size than 80 columns is as good as none. */
	if (!bi || bi->fb.kind == FB_NONE || bi->fb.kind == FB_REFUSED)
		return NULL;
	why = fb_open(&screen, bi, &look);
	if (why)
		return why;
	screen_kind = "framebuffer";
	view_open(&screen);
	return NULL;
}

static bool has_screen(void)
{
	return screen_kind[0] != 'n';
}

static void emit(const char *text, size_t n)
{
	if (serial)
		uart_write(&uart, text, n);
	for (size_t i = 0; debugcon && i < n; i++)
		x86_outb(DEBUGCON_PORT, (uint8_t)text[i]);
	if (has_screen())
		view_write(text, n);
}

static void start(void)
{
	ready = true;
	/* A boot loader's menu may have left its last line unfinished: it must not garble ours. */
	if (serial)
		uart_write(&uart, "\n", 1);
	emit(kept.text, kept.used);
}

/* Which table named the serial port; NULL: none did. */
static const char *source;

void console_log(void)
{
	log_begin("console");
	log_str("serial", serial ? uart.kind : debugcon ? "debugcon" : "none");
	if (serial) {
		log_str("bus", uart.mmio ? "mmio" : "port");
		log_hex("address", uart.address);
		log_dec("stride", uart.stride);
		if (uart.pci)
			log_hex("device", uart.pci >> 8);
		log_dec("baud", uart.baud);
		log_dec("clock", uart.clock);
		log_dec("fifo", uart.fifo);
	}
	if (source)
		log_str("source", source);
	log_str("screen", screen_kind);
	if (has_screen()) {
		log_dec("columns", screen.columns);
		log_dec("rows", screen.rows);
	}
	if (screen_kind[0] == 'f') {
		log_dec("scale", fb_scale());
		log_dec("rotate", look.rotate);
	}
	log_end();
}

static void warn_defects(void)
{
	for (unsigned i = 0; i < ndefects; i++) {
		char name[32];
		struct text t = text_in(name, sizeof(name));

		text_str(&t, defects[i].spcr ? "SPCR " : "");
		text_str(&t, "0x");
		text_hex(&t, defects[i].address, 1);
		log_warn("console", name, defects[i].why);
	}
}

void console_look(unsigned scale, unsigned rotate)
{
	look = (struct fb_look){ scale, rotate };
}

void console_init(const char *arg, const struct acpi *acpi, const struct bootinfo *bi)
{
	const char *screen_defect = open_screen(bi);
	const char *arg_defect = arg ? obey(arg, bi) : NULL;

	source = arg ? "argument" : NULL;
	if (!arg || arg_defect)
		source = search(acpi, bi);
	start();
	if (arg_defect)
		log_error("console", arg, arg_defect);
	warn_defects();
	if (screen_defect)
		log_warn("console", "screen", screen_defect);
	if (early_lost)
		log_warn("console", "early", "some of the first lines did not fit the buffer");
	console_log();
}

/* Nothing is kept behind what did not fit: a log with a gap is none. */
static void keep(const char *text, size_t n)
{
	kept.cut |= n > kept.size - kept.used;
	if (kept.cut) {
		early_lost += ready ? 0 : (uint32_t)n;
		return;
	}
	memcpy(kept.text + kept.used, text, n);
	kept.used += n;
}

void console_write(const char *text, size_t n)
{
	keep(text, n);
	if (ready)
		emit(text, n);
}

void console_keep(void *room, size_t size)
{
	memcpy(room, kept.text, kept.used);
	kept.text = room;
	kept.size = size;
}

const char *console_kept(size_t *n, bool *cut)
{
	*n = kept.used;
	*cut = kept.cut;
	return kept.text;
}

struct screen *console_screen(void)
{
	return has_screen() ? &screen : NULL;
}

void console_alone(void)
{
	if (!source)
		log_warn("console", "serial",
		         "no serial port and no CPL0.LOG: this screen has all there is");
}

void console_keys_from(uint16_t (*key)(void), bool alone)
{
	firmware_key = key;
	keyboard_left = alone;
}

bool console_has_keys(void)
{
	keyboard = !keyboard_left && keys_open();
	return keyboard || serial || firmware_key;
}

bool console_has_serial(void)
{
	return serial;
}

/* *any: there was a byte, of which a key may consist together with others. */
static char port_key(bool *any)
{
	uint8_t byte;
	char key = KEY_NONE;

	*any = false;
	if (keyboard && keys_byte(&byte)) {
		*any = true;
		key = keys_scan(byte);
	}
	if (!key && serial && uart_take(&uart, &byte)) {
		*any = true;
		key = keys_terminal(byte);
	}
	return key;
}

char console_key(void)
{
	static unsigned looks;
	bool any;
	char key;

	key = port_key(&any);
	if (key || !firmware_key || ++looks % FIRMWARE_SHARE)
		return key;
	return keys_firmware(firmware_key());
}

bool console_firmware_stop(void)
{
	bool any = firmware_key, stop = false;

	for (unsigned i = 0; i < KEYS_AT_ONCE && any; i++) {
		uint16_t code = firmware_key();

		stop |= keys_firmware(code) == KEY_ESCAPE;
		any = code;
	}
	return stop;
}

bool console_stop_key(void)
{
	static bool open;
	bool any = true, stop = false;

	if (!open && !console_has_keys())
		return false;
	open = true;
	head_stoppable(keyboard || firmware_key ? "Esc stops" : "Ctrl-C stops");
	for (unsigned i = 0; i < KEYS_AT_ONCE && any; i++)
		stop |= port_key(&any) == KEY_ESCAPE;
	return stop;
}

void console_answer(const char *text)
{
	if (serial)
		uart_write(&uart, text, strlen(text));
}

void console_drain(void)
{
	if (!ready) {
		open_screen(NULL);
		search(NULL, NULL);
		start();
	}
	if (serial)
		uart_drain(&uart);
}

uint32_t console_dropped(void)
{
	uint32_t sent = serial ? uart.dropped : 0;

	return early_lost > UINT32_MAX - sent ? UINT32_MAX : early_lost + sent;
}

uint32_t console_page(void)
{
	return uart.mmio ? uart.address : 0;
}
