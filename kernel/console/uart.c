/*
 * Polled serial port, 8250 to 16550A (PC16550D data sheet, section 8).
 *
 * Nothing here waits without a bound. The bounds count register reads, because no clock is known
 * yet when the console is opened: a read takes about 1 us on ISA and LPC, never less than some
 * 50 ns on any machine seen, emulators included.
 */
#include "kernel/console/uart.h"
#include "kernel/chipset/phys.h"
#include "kernel/cpu/x86.h"

enum uart_register {
	REG_DATA = 0, /* transmit holding, receive buffer; divisor low with LCR_DLAB */
	REG_IER = 1,  /* interrupt enable; divisor high with LCR_DLAB */
	REG_FCR = 2,  /* FIFO control, write only */
	REG_IIR = 2,  /* interrupt identification, read only */
	REG_LCR = 3,  /* line control */
	REG_MCR = 4,  /* modem control */
	REG_LSR = 5,  /* line status */
	REG_MSR = 6,  /* modem status */
	REG_SCR = 7,  /* scratch; the 8250 has none */
};

#define IER_ALL        0x0f
#define FCR_ENABLE     0x07 /* FIFOs on, both cleared */
#define FCR_ON         0x01 /* FIFOs on, nothing cleared */
#define IIR_FIFO       0xc0 /* both bits: a FIFO that works; bit 7 alone: the first 16550 */
#define IIR_FIFO_WORKS 0xc0
#define LCR_8N1        0x03
#define LCR_DLAB       0x80
#define MCR_DTR_RTS    0x03 /* OUT2 clear: it gates the interrupt line of a PC */
#define MCR_LOOP       0x10
#define LSR_DATA       0x01
#define LSR_ERRORS     0x1c /* parity, framing, break: what came is no byte */
#define LSR_THRE       0x20
#define LSR_TEMT       0x40
#define FIFO_BYTES     16
#define CLOCKS_A_BIT   16 /* of the crystal, at a divisor of 1 */
#define TOLERANCE      50 /* a rate may be off by its 50th part */

#define OPEN_SPINS (1u << 16) /* 16 bytes at 9600 baud take 17 ms */
#define SEND_SPINS (1u << 20) /* then the port counts as stalled */

const char uart_absent[] = "nothing answers there";

/* A register with all the bytes that an access to it reads. */
static uint32_t read_whole(const struct uart *u, enum uart_register reg)
{
	uint32_t at = u->address + reg * u->stride;

	if (!u->mmio)
		return x86_inb((uint16_t)at);
	return u->stride == 4 ? phys_read32(at) : phys_read8(at);
}

static void write_whole(const struct uart *u, enum uart_register reg, uint32_t v)
{
	uint32_t at = u->address + reg * u->stride;

	if (!u->mmio)
		x86_outb((uint16_t)at, (uint8_t)v);
	else if (u->stride == 4)
		phys_write32(at, v);
	else
		phys_write8(at, (uint8_t)v);
}

static uint8_t get(const struct uart *u, enum uart_register reg)
{
	return (uint8_t)read_whole(u, reg);
}

static void put(const struct uart *u, enum uart_register reg, uint8_t v)
{
	write_whole(u, reg, v);
}

/* Waits until a line status bit is set; false if it never was. */
static bool wait(const struct uart *u, uint8_t bit, uint32_t spins)
{
	for (; spins; spins--) {
		if (get(u, REG_LSR) & bit)
			return true;
		x86_pause();
	}
	return false;
}

/* The interrupt enable register holds four bits in every model; an empty bus holds none. */
static bool ier_holds(const struct uart *u)
{
	uint8_t off, on;

	put(u, REG_IER, 0);
	off = get(u, REG_IER);
	put(u, REG_IER, IER_ALL);
	on = get(u, REG_IER);
	put(u, REG_IER, 0);
	return (off & IER_ALL) == 0 && (on & IER_ALL) == IER_ALL;
}

static bool scratch_holds(const struct uart *u)
{
	static const uint8_t patterns[] = { 0x5a, 0xa5 };
	uint32_t old = read_whole(u, REG_SCR);
	bool holds = true;

	for (unsigned i = 0; i < sizeof(patterns); i++) {
		put(u, REG_SCR, patterns[i]);
		holds = holds && get(u, REG_SCR) == patterns[i];
	}
	write_whole(u, REG_SCR, old);
	return holds;
}

/* In loopback the four modem outputs appear as the four modem inputs (section 8.6). */
static bool loopback_works(const struct uart *u)
{
	/* DTR, RTS, OUT1, OUT2 in MCR 0-3; CTS, DSR, RI, DCD in MSR 4-7. */
	static const struct {
		uint8_t mcr, msr;
	} rows[] = {
		{ 0x0a, 0x90 }, /* RTS and OUT2: CTS and DCD */
		{ 0x05, 0x60 }, /* DTR and OUT1: DSR and RI */
	};
	bool works = true;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put(u, REG_MCR, MCR_LOOP | rows[i].mcr);
		works = works && (get(u, REG_MSR) & 0xf0) == rows[i].msr;
	}
	put(u, REG_MCR, MCR_DTR_RTS);
	return works;
}

/* A FIFO that announces itself broken is switched off again. */
static uint8_t fifo_state(const struct uart *u)
{
	uint8_t state;

	put(u, REG_FCR, FCR_ENABLE);
	state = get(u, REG_IIR) & IIR_FIFO;
	if (state != IIR_FIFO_WORKS)
		put(u, REG_FCR, 0);
	return state;
}

static void classify(struct uart *u, bool scratch)
{
	uint8_t fifo = fifo_state(u);

	u->fifo = fifo == IIR_FIFO_WORKS ? FIFO_BYTES : 1;
	if (fifo == IIR_FIFO_WORKS)
		u->kind = "16550a";
	else if (fifo)
		u->kind = "16550";
	else
		u->kind = scratch ? "16450" : "8250";
}

uint16_t uart_divisor(uint32_t clock, uint32_t baud)
{
	uint32_t most = clock / CLOCKS_A_BIT, divisor, made;

	if (!baud || baud > most + most / TOLERANCE)
		return 0;
	divisor = (most + baud / 2) / baud;
	divisor += !divisor;
	made = most / divisor;
	if (divisor > 0xffff || made > baud + baud / TOLERANCE || made < baud - baud / TOLERANCE)
		return 0;
	return (uint16_t)divisor;
}

/* What the registers held before anything was written; in the order in which they are put back. */
struct before {
	uint32_t dll, dlm, ier, mcr, iir, lcr;
	bool divisor, fifo; /* these were changed */
	bool memory;        /* register 2 is one register, not FCR and IIR */
};

/*
 * The divisor latch lies behind LCR_DLAB; where there is none, the two are those of data and IER.
 */
static void set_line(struct uart *u, struct before *b)
{
	uint16_t divisor = uart_divisor(u->clock, u->baud);

	if (!divisor)
		u->baud = 0;
	if (divisor) {
		put(u, REG_LCR, LCR_DLAB | LCR_8N1);
		b->dll = read_whole(u, REG_DATA);
		b->dlm = read_whole(u, REG_IER);
		b->divisor = true;
		put(u, REG_DATA, (uint8_t)divisor);
		put(u, REG_IER, (uint8_t)(divisor >> 8));
	}
	put(u, REG_LCR, LCR_8N1);
	put(u, REG_IER, 0);
}

/* FCR cannot be read: IIR tells whether the FIFO was on. */
static void put_back(const struct uart *u, const struct before *b)
{
	if (b->divisor) {
		put(u, REG_LCR, LCR_DLAB | LCR_8N1);
		write_whole(u, REG_DATA, b->dll);
		write_whole(u, REG_IER, b->dlm);
		put(u, REG_LCR, LCR_8N1);
	}
	write_whole(u, REG_IER, b->ier);
	write_whole(u, REG_MCR, b->mcr);
	if (b->memory)
		write_whole(u, REG_FCR, b->iir);
	else if (b->fifo)
		put(u, REG_FCR, b->iir & IIR_FIFO ? FCR_ON : 0);
	write_whole(u, REG_LCR, b->lcr);
}

/*
 * Memory passes for a UART whose modem lines are not wired. But register 2 of a UART reads as
 * something else than what is written there: without interrupts it says that there is none.
 */
static bool is_memory(const struct uart *u, struct before *b)
{
	b->fifo = true;
	put(u, REG_FCR, 0);
	b->memory = u->mmio && get(u, REG_IIR) == 0;
	return b->memory;
}

/* With the registers in *b; they have been changed whatever this returns. */
static const char *try_open(struct uart *u, struct before *b)
{
	bool scratch;

	/* With the divisor latch left open, IER would be half of the divisor. */
	put(u, REG_LCR, (uint8_t)b->lcr & (uint8_t)~LCR_DLAB);
	b->ier = read_whole(u, REG_IER);
	if (!ier_holds(u))
		return uart_absent;

	/* Some virtual UARTs do not wire the modem lines, the 8250 has no scratch register. */
	scratch = scratch_holds(u);
	if (!loopback_works(u) && !scratch)
		return "not a UART: neither loopback nor scratch register work";
	if (get(u, REG_MCR) & MCR_LOOP)
		return "stuck in loopback";
	if (is_memory(u, b))
		return "not a UART: it reads as memory does";
	set_line(u, b);
	classify(u, scratch);
	return wait(u, LSR_THRE, OPEN_SPINS) ? NULL : "never ready to send";
}

const char *uart_open(struct uart *u)
{
	struct before b = { .divisor = false };
	const char *why;

	u->stalled = false;
	u->dropped = 0;
	/* The boot loader's last line is still on its way out; an empty bus reads as all ones. */
	wait(u, LSR_TEMT, OPEN_SPINS);
	if (get(u, REG_LSR) == 0xff)
		return uart_absent;
	b.lcr = read_whole(u, REG_LCR);
	b.mcr = read_whole(u, REG_MCR);
	b.iir = read_whole(u, REG_IIR);
	why = try_open(u, &b);
	if (why)
		put_back(u, &b);
	return why;
}

/* Is there room now? A port that has stalled is asked once per write, and costs no more waits. */
static bool ready(struct uart *u)
{
	if (u->stalled)
		return false;
	u->stalled = !wait(u, LSR_THRE, SEND_SPINS);
	return !u->stalled;
}

static void drop(struct uart *u, size_t n)
{
	u->dropped = n > UINT32_MAX - u->dropped ? UINT32_MAX : u->dropped + (uint32_t)n;
}

/* Sends raw bytes by the FIFO-full; false if some were dropped. */
static bool send(struct uart *u, const char *bytes, size_t n)
{
	while (n) {
		size_t burst = n < u->fifo ? n : u->fifo;

		if (!ready(u)) {
			drop(u, n);
			return false;
		}
		n -= burst;
		while (burst--)
			put(u, REG_DATA, (uint8_t)*bytes++);
	}
	return true;
}

/* After a stall the broken line is ended first, so that the next one is whole. */
static void recover(struct uart *u)
{
	if (u->stalled && (get(u, REG_LSR) & LSR_THRE)) {
		u->stalled = false;
		send(u, "\r\n", 2);
	}
}

void uart_write(struct uart *u, const char *text, size_t n)
{
	recover(u);
	while (n) {
		size_t run = 0;

		while (run < n && text[run] != '\n')
			run++;
		send(u, text, run);
		if (run < n) {
			send(u, "\r\n", 2);
			run++;
		}
		text += run;
		n -= run;
	}
}

bool uart_take(struct uart *u, uint8_t *byte)
{
	uint8_t status = get(u, REG_LSR);

	if (status == 0xff || !(status & LSR_DATA))
		return false;
	*byte = get(u, REG_DATA);
	return !(status & LSR_ERRORS);
}

void uart_drain(struct uart *u)
{
	if (!u->stalled)
		wait(u, LSR_TEMT, SEND_SPINS);
}
