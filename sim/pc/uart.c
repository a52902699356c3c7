/*
 * sim/pc/uart.c - 16550A serial port at 3F8h, IRQ 4 (National Semiconductor PC16550D data sheet).
 *
 * A byte takes FAST_CLOCKS processor clocks to leave, however the divisor is set: a log at 115200
 * baud would cost seconds of simulation. --serial real takes the time that the divisor says.
 */
#include "sim/pc/uart.h"

#include <string.h>

#include "sim/cpu/machine.h"
#include "sim/model/models.h"
#include "sim/pc/output.h"
#include "sim/pc/pic.h"
#include "sim/pc/state.h"
#include "sim/pc/ticks.h"

enum { FAST_CLOCKS = 16, BASE = 0x3f8, IRQ = 4, LOOKS = 100 };

enum { REG_DATA, REG_IER, REG_IIR, REG_LCR, REG_MCR, REG_LSR, REG_MSR, REG_SCR };
enum { LCR_DLAB = 0x80, MCR_OUT2 = 8, MCR_LOOP = 16 };
enum { LSR_DATA = 1, LSR_OVERRUN = 2, LSR_THRE = 0x20, LSR_TEMT = 0x40 };
enum { IER_RX = 1, IER_TX = 2, IER_LINE = 4 };

static uint64_t byte_clocks(const struct machine *pc)
{
	const struct uart *u = &pc->dev->uart;
	unsigned bits = 7 + (u->lcr & 3) + (u->lcr >> 2 & 1) + (u->lcr >> 3 & 1);
	uint64_t divisor = u->divisor ? u->divisor : 65536;

	if (!pc->opt.serial_real)
		return FAST_CLOCKS;
	return divisor * 16 * bits * pc->model->tsc_khz * 1000 / 1843200;
}

void uart_reset(struct machine *pc)
{
	struct uart *u = &pc->dev->uart;

	u->divisor = 12; /* 9600 baud, as a BIOS leaves it */
	u->lcr = 3;
	u->rx_next = u->input_size ? 0 : NEVER;
}

static bool tx_empty(const struct machine *pc)
{
	return ticks_now(pc) >= pc->dev->uart.tx_busy && pc->opt.faults.uart != UART_STUCK;
}

/* The holding register or FIFO is empty; the last byte may still be in the shift register. */
static bool tx_ready(const struct machine *pc)
{
	return ticks_now(pc) + byte_clocks(pc) >= pc->dev->uart.tx_busy &&
	       pc->opt.faults.uart != UART_STUCK;
}

static uint8_t interrupt_id(const struct machine *pc)
{
	const struct uart *u = &pc->dev->uart;
	uint8_t fifo = u->fifo ? 0xc0 : 0;

	if (u->ier & IER_LINE && u->overrun)
		return fifo | 6;
	if (u->ier & IER_RX && u->rx_count)
		return fifo | 4;
	if (u->ier & IER_TX && u->thre_interrupt)
		return fifo | 2;
	return fifo | 1;
}

static void update_irq(struct machine *pc)
{
	bool on = !(interrupt_id(pc) & 1) && pc->dev->uart.mcr & MCR_OUT2;

	if (on)
		pic_raise(pc, IRQ);
	else
		pic_lower(pc, IRQ);
}

static void receive(struct uart *u, uint8_t byte)
{
	unsigned room = u->fifo ? UART_FIFO : 1;

	if (u->rx_count >= room) {
		u->overrun = true;
		return;
	}
	u->rx[u->rx_count++] = byte;
}

void uart_update(struct machine *pc)
{
	struct uart *u = &pc->dev->uart;
	bool full = u->rx_count >= (u->fifo ? UART_FIFO : 1);

	while (u->rx_next <= ticks_now(pc) && !full) {
		receive(u, u->input[u->input_at++]);
		u->rx_next = u->input_at < u->input_size ? u->rx_next + byte_clocks(pc) : NEVER;
		full = u->rx_count >= (u->fifo ? UART_FIFO : 1);
	}
	/* The sender of the input honours the receiver: nothing is lost while it does not look. */
	if (full && u->rx_next <= ticks_now(pc))
		u->rx_next = ticks_now(pc) + byte_clocks(pc);
	if (u->ier & (IER_RX | IER_TX | IER_LINE))
		update_irq(pc);
}

uint64_t uart_next(const struct machine *pc)
{
	return pc->dev->uart.ier & IER_RX ? pc->dev->uart.rx_next : NEVER;
}

static void transmit(struct machine *pc, uint8_t byte)
{
	struct uart *u = &pc->dev->uart;
	uint64_t clocks = byte_clocks(pc), room = (u->fifo ? UART_FIFO : 1) + 1;

	u->looks = 0;
	u->thre_interrupt = true;
	if (u->mcr & MCR_LOOP) {
		receive(u, byte);
		return;
	}
	if (pc->opt.faults.uart == UART_STUCK)
		return;
	if (u->tx_busy < ticks_now(pc))
		u->tx_busy = ticks_now(pc);
	if (u->tx_busy - ticks_now(pc) > (room - 1) * clocks)
		return; /* FIFO full: the byte is lost, as on the real thing */
	u->tx_busy += clocks;
	if (++u->sent == pc->opt.faults.uart_drop && pc->opt.faults.uart == UART_DROP)
		return;
	output_byte(pc->out, byte);
}

/*
 * A guest that looks again and again, has nothing to send and nothing to read waits for somebody
 * who types. --type is that person, who takes a while; behind the last character nobody is there.
 */
static void wait_for_person(struct machine *pc)
{
	struct uart *u = &pc->dev->uart;

	if (u->rx_count || u->rx_next != NEVER || !tx_empty(pc)) {
		u->looks = 0;
	} else if (++u->looks == LOOKS) {
		u->looks = 0;
		if (u->typed && *u->typed)
			receive(u, (uint8_t)*u->typed++);
		else if (!pc->opt.wait_for_input)
			machine_end(pc, END_IDLE, "the guest waits for keys, and nobody types");
	}
}

static uint8_t line_status(struct machine *pc)
{
	struct uart *u = &pc->dev->uart;
	uint8_t lsr = 0;

	wait_for_person(pc);

	if (u->rx_count)
		lsr |= LSR_DATA;
	if (u->overrun)
		lsr |= LSR_OVERRUN;
	if (tx_ready(pc))
		lsr |= LSR_THRE;
	if (tx_empty(pc))
		lsr |= LSR_TEMT;
	u->overrun = false;
	return lsr;
}

static uint8_t modem_status(const struct uart *u)
{
	if (u->mcr & MCR_LOOP) /* RTS to CTS, DTR to DSR, OUT1 to RI, OUT2 to DCD */
		return (uint8_t)((u->mcr << 3 & 0x10) | (u->mcr << 5 & 0x20) |
		                 (u->mcr << 4 & 0xc0));
	return 0xb0; /* DCD, DSR, CTS: a terminal is connected */
}

static uint8_t take_byte(struct uart *u)
{
	uint8_t byte = u->rx[0];

	if (u->rx_count)
		memmove(u->rx, u->rx + 1, --u->rx_count);
	return byte;
}

static uint8_t read_register(struct machine *pc, unsigned reg)
{
	struct uart *u = &pc->dev->uart;
	bool dlab = u->lcr & LCR_DLAB;
	uint8_t id;

	switch (reg) {
	case REG_DATA:
		return dlab ? (uint8_t)u->divisor : take_byte(u);
	case REG_IER:
		return dlab ? (uint8_t)(u->divisor >> 8) : u->ier;
	case REG_IIR:
		id = interrupt_id(pc);
		if ((id & 15) == 2)
			u->thre_interrupt = false;
		return id;
	case REG_LCR:
		return u->lcr;
	case REG_MCR:
		return u->mcr;
	case REG_LSR:
		return line_status(pc);
	case REG_MSR:
		return modem_status(u);
	default:
		return u->scr;
	}
}

static void write_fifo(struct uart *u, uint8_t value)
{
	u->fcr = value;
	if (u->fifo != (value & 1) || value & 2)
		u->rx_count = 0;
	u->fifo = value & 1;
}

static void write_register(struct machine *pc, unsigned reg, uint8_t value)
{
	struct uart *u = &pc->dev->uart;
	bool dlab = u->lcr & LCR_DLAB;

	switch (reg) {
	case REG_DATA:
		if (dlab)
			u->divisor = (uint16_t)((u->divisor & 0xff00) | value);
		else
			transmit(pc, value);
		break;
	case REG_IER:
		if (dlab) {
			u->divisor = (uint16_t)((u->divisor & 0xff) | value << 8);
			break;
		}
		if (value & ~u->ier & IER_TX)
			u->thre_interrupt = true;
		u->ier = value & 15;
		break;
	case REG_IIR:
		write_fifo(u, value);
		break;
	case REG_LCR:
		u->lcr = value;
		break;
	case REG_MCR:
		u->mcr = value & 0x1f;
		break;
	case REG_SCR:
		u->scr = value;
		break;
	default:
		break;
	}
}

uint8_t uart_read(struct machine *pc, uint16_t port)
{
	uint8_t value;

	if (pc->opt.faults.uart == UART_ABSENT)
		return 0xff;
	uart_update(pc);
	value = read_register(pc, port - BASE);
	update_irq(pc);
	return value;
}

void uart_write(struct machine *pc, uint16_t port, uint8_t value)
{
	if (pc->opt.faults.uart == UART_ABSENT)
		return;
	uart_update(pc);
	write_register(pc, port - BASE, value);
	update_irq(pc);
	machine_wake(pc, pc->current);
}
