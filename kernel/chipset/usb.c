/*
 * USB legacy hand-off (kernel/chipset/usb.h).
 */
#include "kernel/chipset/usb.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "kernel/chipset/pci.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/ioremap.h"

enum {
	CLASS_USB = 0x0c03,
	UHCI_LEGSUP = 0xc0,
	UHCI_LEGSUP_QUIET = 0x8f00, /* status bits cleared, every SMI source off */
	OHCI_CONTROL = 0x04,
	OHCI_COMMAND_STATUS = 0x08,
	OHCI_INTERRUPT_ROUTING = 1 << 8, /* set: the firmware owns it by SMI */
	OHCI_OWNERSHIP_CHANGE = 1 << 3,
	EHCI_HCCPARAMS = 0x08,
	XHCI_HCCPARAMS1 = 0x10,
	LEGACY_ID = 1,
	LEGACY_BIOS_OWNED = 1 << 16,
	LEGACY_OS_OWNED = 1 << 24,
	XHCI_SIZE = 1 << 16, /* bytes of registers that are looked at */
	EHCI_SIZE = 4096,
	WAIT_READS = 100000,
	CAPABILITIES = 64, /* more than any list has: a list that loops ends */
};
#define XHCI_ASLEEP  0xffffffffu
#define XHCI_SMI_OFF 0xe0000000u /* enables off, status bits cleared */

/*
 * Linear address of the first `size` bytes of registers; 0 if they are no memory, not switched on,
 * or out of reach. Current machines have them above 4 GiB.
 */
static uintptr_t memory_bar(uint32_t device, uint32_t size)
{
	bool io;
	uint64_t base = pci_bar(device, 0, &io);

	if (io || !(pci_read(device, PCI_COMMAND) & PCI_MEMORY_SPACE))
		return 0;
	return base ? ioremap(base, size, IOREMAP_DEVICE) : 0;
}

static const char *take_uhci(uint32_t device)
{
	pci_write(device, UHCI_LEGSUP, UHCI_LEGSUP_QUIET);
	return "done";
}

static const char *take_ohci(uint32_t device)
{
	uintptr_t base = memory_bar(device, EHCI_SIZE);

	if (!base)
		return "unreachable";
	if (!(phys_read32(base + OHCI_CONTROL) & OHCI_INTERRUPT_ROUTING))
		return "free";
	phys_write32(base + OHCI_COMMAND_STATUS, OHCI_OWNERSHIP_CHANGE);
	for (unsigned i = 0; i < WAIT_READS; i++)
		if (!(phys_read32(base + OHCI_CONTROL) & OHCI_INTERRUPT_ROUTING))
			return "done";
	return "refused";
}

/* EHCI: the legacy capability is in PCI configuration space. */
static const char *take_ehci(uint32_t device)
{
	uintptr_t base = memory_bar(device, EHCI_SIZE);
	uint32_t at = base ? phys_read32(base + EHCI_HCCPARAMS) >> 8 & 0xff : 0;

	if (!base)
		return "unreachable";
	for (unsigned n = 0; at >= 0x40 && n < CAPABILITIES; n++) {
		uint32_t cap = pci_read(device, at);

		if ((cap & 0xff) == LEGACY_ID) {
			if (!(cap & LEGACY_BIOS_OWNED))
				return "free";
			pci_write(device, at, cap | LEGACY_OS_OWNED);
			for (unsigned i = 0; i < WAIT_READS; i++)
				if (!(pci_read(device, at) & LEGACY_BIOS_OWNED))
					break;
			cap = pci_read(device, at);
			pci_write(device, at + 4, 0); /* USBLEGCTLSTS: no SMI from anything */
			return cap & LEGACY_BIOS_OWNED ? "refused" : "done";
		}
		at = cap >> 8 & 0xff;
	}
	return "free";
}

/* The legacy support capability at `at`, which has just been read as `cap`. */
static const char *take_xhci_legacy(uintptr_t at, uint32_t cap)
{
	if (!(cap & LEGACY_BIOS_OWNED))
		return "free";
	phys_write32(at, cap | LEGACY_OS_OWNED);
	for (unsigned i = 0; i < WAIT_READS; i++)
		if (!(phys_read32(at) & LEGACY_BIOS_OWNED))
			break;
	cap = phys_read32(at);
	phys_write32(at + 4, XHCI_SMI_OFF);
	return cap & LEGACY_BIOS_OWNED ? "refused" : "done";
}

/*
 * xHCI: extended capabilities lie behind the registers, linked by distances in dwords. A controller
 * that sleeps, or is gone, reads as all ones.
 */
static const char *take_xhci(uint32_t device)
{
	uintptr_t base = memory_bar(device, XHCI_SIZE);
	uint32_t at = 0, link = base ? phys_read32(base + XHCI_HCCPARAMS1) : XHCI_ASLEEP;

	if (link == XHCI_ASLEEP)
		return "unreachable";
	link >>= 16;
	for (unsigned n = 0; link && n < CAPABILITIES; n++) {
		uint32_t cap;

		at += link * 4;
		if (at > XHCI_SIZE - 8)
			return "unreachable";
		cap = phys_read32(base + at);
		if (cap == XHCI_ASLEEP)
			return "unreachable";
		if ((cap & 0xff) == LEGACY_ID)
			return take_xhci_legacy(base + at, cap);
		link = cap >> 8 & 0xff;
	}
	return "free";
}

static const struct {
	uint8_t interface; /* PCI programming interface of class 0C03h */
	const char *name;
	const char *(*take)(uint32_t device);
} kinds[] = {
	{ 0x00, "uhci", take_uhci },
	{ 0x10, "ohci", take_ohci },
	{ 0x20, "ehci", take_ehci },
	{ 0x30, "xhci", take_xhci },
};

static bool take(uint32_t device, uint32_t class)
{
	if (class >> 16 != CLASS_USB || !quirk(QUIRK_USB, true))
		return false;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if ((class >> 8 & 0xff) != kinds[i].interface)
			continue;
		log_begin("usb");
		log_str("kind", kinds[i].name);
		log_hex("device", device >> 8);
		log_str("handoff", kinds[i].take(device));
		log_end();
	}
	return false;
}

void usb_take_over(void)
{
	pci_find(take);
}
