/*
 * The fake machine. The UART follows the register descriptions of the PC16550D data sheet, not the
 * driver: divisor latch, loopback, FIFO of 16, FIFO bits of the first 16550, no scratch in the
 * 8250.
 */
#include <string.h>

#include "kernel/chipset/ioremap.h"
#include "tests/unit/support/fake_machine.h"

struct fake_machine fake;

void fake_reset(void)
{
	memset(&fake, 0, offsetof(struct fake_machine, fb) + fake.fb_size);
	fake.empty_bus = 0xff;
	for (unsigned i = 0; i < FAKE_UARTS; i++) {
		fake.uarts[i].stride = 1;
		fake.uarts[i].model = FAKE_16550A;
		fake.uarts[i].lcr = 0x80; /* firmware may leave the divisor latch open */
		fake.uarts[i].dll = 0x55;
	}
}

const char *fake_output(unsigned uart)
{
	fake.uarts[uart].out[fake.uarts[uart].nout] = '\0';
	return fake.uarts[uart].out;
}

static void transmit(struct fake_uart *u, uint8_t v)
{
	unsigned room = u->model == FAKE_16550A && (u->fcr & 1) ? 16 : 1;

	if (u->mcr & 0x10)
		return; /* goes to the receiver */
	if (u->queued >= room) {
		u->overruns++;
		return;
	}
	u->queued++;
	u->countdown = u->latency;
	if (u->nout < FAKE_OUTPUT - 1)
		u->out[u->nout++] = (char)v;
}

static uint8_t line_status(struct fake_uart *u)
{
	u->status_reads++;
	if (u->never_ready)
		return 0;
	if (u->countdown)
		u->countdown--;
	else
		u->queued = 0;
	return u->queued ? 0 : 0x60;
}

static uint8_t modem_status(const struct fake_uart *u)
{
	uint8_t m = u->mcr;

	if (u->no_modem)
		return 0;
	if (!(m & 0x10))
		return 0xb0;
	return (uint8_t)((m & 2) << 3 | (m & 1) << 5 | (m & 4) << 4 | (m & 8) << 4);
}

static uint8_t fifo_bits(const struct fake_uart *u)
{
	if (!(u->fcr & 1) || u->model < FAKE_16550)
		return 0;
	return u->model == FAKE_16550 ? 0x80 : 0xc0;
}

static uint8_t uart_read(struct fake_uart *u, unsigned reg)
{
	bool dlab = u->lcr & 0x80;

	switch (reg) {
	case 0:
		return dlab ? u->dll : 0;
	case 1:
		return dlab ? u->dlm : u->ier;
	case 2:
		return 0x01 | fifo_bits(u);
	case 3:
		return u->lcr;
	case 4:
		return u->mcr;
	case 5:
		return line_status(u);
	case 6:
		return modem_status(u);
	default:
		return u->model == FAKE_8250 ? 0xff : u->scr;
	}
}

static void uart_write_register(struct fake_uart *u, unsigned reg, uint8_t v)
{
	bool dlab = u->lcr & 0x80;

	u->writes++;
	switch (reg) {
	case 0:
		if (dlab)
			u->dll = v;
		else
			transmit(u, v);
		break;
	case 1:
		if (dlab)
			u->dlm = v;
		else if (!u->no_interrupts)
			u->ier = v & 0x0f;
		break;
	case 2:
		u->fcr = v;
		break;
	case 3:
		u->lcr = v;
		break;
	case 4:
		u->mcr = (v & 0x1f) | (u->stuck_loop ? 0x10 : 0);
		break;
	case 7:
		u->scr = v;
		break;
	}
}

/* Does the PCI function decode I/O ports, or memory, as its command register says? */
static bool decodes(bool mmio)
{
	return fake.pci.present && fake.pci.config[1] >> mmio & 1;
}

static struct fake_uart *find(bool mmio, uint64_t at, unsigned size, unsigned *reg)
{
	for (unsigned i = 0; i < FAKE_UARTS; i++) {
		struct fake_uart *u = &fake.uarts[i];

		if (!u->present || u->mmio != mmio || (u->card && !decodes(mmio)) ||
		    at < u->address || at >= u->address + 8 * u->stride || size != u->stride)
			continue;
		*reg = (at - u->address) / u->stride;
		return u;
	}
	return NULL;
}

uint8_t fake_in(uint16_t port)
{
	unsigned reg;
	struct fake_uart *u = find(false, port, 1, &reg);

	if (u)
		return uart_read(u, reg);
	if (port == 0xe9 && fake.debugcon)
		return 0xe9;
	if (!fake.no_vga &&
	    ((port == 0x3d5 && fake.crtc[0] == 0x0f) || (port == 0x3b5 && fake.crtc[1] == 0x0f)))
		return fake.position;
	return fake.empty_bus;
}

void fake_out(uint16_t port, uint8_t v)
{
	unsigned reg;
	struct fake_uart *u = find(false, port, 1, &reg);

	if (u)
		uart_write_register(u, reg, v);
	else if (port == 0xe9 && fake.debugcon)
		fake.debug_out[fake.ndebug++] = (char)v;
	else if (port == 0x3d4 || port == 0x3b4)
		fake.crtc[port == 0x3b4] = v;
	else if ((port == 0x3d5 && fake.crtc[0] == 0x0a) || (port == 0x3b5 && fake.crtc[1] == 0x0a))
		fake.cursor = v;
	else if ((port == 0x3d5 && fake.crtc[0] == 0x0f) || (port == 0x3b5 && fake.crtc[1] == 0x0f))
		fake.position = v;
	else
		fake.wild_port_writes++;
}

/* The memory behind an address: one of the arrays, or NULL. */
static uint8_t *memory(uint64_t at, unsigned size)
{
	const struct {
		uint64_t address;
		size_t size;
		void *bytes;
	} rows[] = {
		{ 0x400, sizeof(fake.bda), fake.bda },
		{ 0xb8000, sizeof(fake.text), fake.text },
		{ 0xb0000, sizeof(fake.mono), fake.mono },
		{ fake.fb_address, fake.fb_size, fake.fb },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (at >= rows[i].address && at - rows[i].address + size <= rows[i].size)
			return (uint8_t *)rows[i].bytes + (at - rows[i].address);
	return NULL;
}

/* The register of the APIC at `at`, or NULL. */
static uint32_t *apic_register(uint64_t at, unsigned size)
{
	if (!fake.apic.present || at < fake.apic.address || at - fake.apic.address >= 4096)
		return NULL;
	if (size != 4 || at % 16) {
		fake.wild_writes++;
		return NULL;
	}
	return &fake.apic.regs[(at - fake.apic.address) / 16];
}

/* A write to the register at B0h ends the interrupt of the highest vector in service. */
static void end_interrupt(const uint32_t *written)
{
	uint32_t *isr = fake.apic.regs + 0x10;

	if (written != fake.apic.regs + 0xb)
		return;
	for (unsigned v = 256; v--;)
		if (isr[v / 32] >> v % 32 & 1) {
			isr[v / 32] &= ~(1u << v % 32);
			return;
		}
}

static uint8_t *pci_register(uint64_t at, unsigned size)
{
	if (!fake.pci.present || at < fake.pci.bar ||
	    at - fake.pci.bar > sizeof(fake.pci.regs) - size)
		return NULL;
	return fake.pci.regs + (at - fake.pci.bar);
}

/*
 * The firmware answers a request of the legacy support capability: bit 24 asks, bit 16 is its own.
 */
static void hand_off(uint32_t *cap)
{
	if ((*cap & 0xff) == 1 && *cap >> 24 & 1 && !fake.pci.refuses)
		*cap &= ~(1u << 16);
}

uint32_t fake_in32(uint16_t port)
{
	uint32_t function = fake.pci.address & 0x7fffff00;

	if (port == 0xcf8)
		return fake.pci.present ? fake.pci.address : UINT32_MAX;
	if (port != 0xcfc || !fake.pci.present || function != 0x14 << 11)
		return UINT32_MAX;
	return fake.pci.config[(fake.pci.address & 0xff) / 4];
}

/* The low bits of a base address register of I/O ports do not hold, as many as it has ports. */
static void write_config(unsigned reg, uint32_t v)
{
	unsigned bar = reg - 4;

	if (bar < 6 && fake.pci.io_size[bar])
		v = (v & ~(fake.pci.io_size[bar] - 1) & 0xffff) | 1;
	fake.pci.config[reg] = v;
}

void fake_out32(uint16_t port, uint32_t v)
{
	if (port == 0xcf8)
		fake.pci.address = v;
	else if (port == 0xcfc)
		write_config((fake.pci.address & 0xff) / 4, v);
}

uint32_t fake_read(uint64_t at, unsigned size)
{
	uint32_t *apic = apic_register(at, size);
	uint8_t *pci = pci_register(at, size);
	unsigned reg;
	struct fake_uart *u = find(true, at, size, &reg);
	uint8_t *m = memory(at, size);
	uint32_t v = 0;

	if (apic) {
		fake.apic.written = false;
		return *apic;
	}
	if (pci) {
		memcpy(&v, pci, size);
		return v;
	}
	if (u)
		return uart_read(u, reg);
	fake.wild_reads += !m;
	if (!m)
		return fake.empty_bus ? UINT32_MAX : 0;
	if (fake.fb_size && at >= fake.fb_address && at - fake.fb_address < fake.fb_size)
		fake.fb_reads++;
	memcpy(&v, m, size);
	return v;
}

void fake_write(uint64_t at, unsigned size, uint32_t v)
{
	unsigned reg;
	struct fake_uart *u = find(true, at, size, &reg);
	uint8_t *m = memory(at, size), *pci = pci_register(at, size);
	uint32_t *apic = apic_register(at, size);

	if (apic) {
		bool lost = fake.apic.loses && fake.apic.written;

		fake.apic.lost += lost;
		fake.apic.written = true;
		if (!lost)
			*apic = v;
		end_interrupt(apic);
	} else if (pci) {
		memcpy(pci, &v, size);
		hand_off((uint32_t *)(void *)pci);
	} else if (u)
		uart_write_register(u, reg, (uint8_t)v);
	else if (m)
		memcpy(m, &v, size);
	else
		fake.wild_writes++;
}

/* No memory in one piece: the test program's own. */
volatile void *fake_ptr(uintptr_t address)
{
	return (volatile void *)address;
}

/* Linear addresses are physical ones here. */
uintptr_t ioremap(uint64_t address, uint64_t size, enum ioremap_kind kind)
{
	(void)kind;
	if (size > UINT64_MAX - address || (fake.narrow && address + size > UINT64_C(1) << 32))
		return 0;
	return (uintptr_t)address;
}
