/*
 * Power-off by APM (kernel/firmware/apm.h). Source: APM BIOS Interface Specification 1.2; Ralf
 * Brown's Interrupt List, INT 15, AX = 53xxh.
 */
#include "kernel/firmware/apm.h"
#include "kernel/firmware/bios.h"

enum {
	INT_SYSTEM = 0x15,
	SIGNATURE = 0x504d, /* PM */
	VERSION_1_1 = 0x0101,
	BIOS = 0, /* devices, in BX */
	ALL = 1,
	ENABLE = 1,
	OFF = 3,
};

/* Functions, in AX. */
enum {
	CHECK = 0x5300,
	CONNECT = 0x5301, /* for calls in real mode */
	DISCONNECT = 0x5304,
	SET_STATE = 0x5307, /* CX */
	MANAGE = 0x5308,    /* CX: on or off */
	DRIVER_VERSION = 0x530e,
};

static bool call(uint16_t function, uint16_t device, uint16_t value, struct bios_regs *r)
{
	*r = (struct bios_regs){ .eax = function, .ebx = device, .ecx = value };
	bios_call(INT_SYSTEM, r);
	return !(r->flags & BIOS_CF);
}

/*
 * Another driver's connection goes first. The version opens what is newer than APM 1.0, and power
 * management may have been switched off; a BIOS that refuses either may still take the last call.
 */
const char *apm_power_off(const struct bootinfo *bi)
{
	struct bios_regs r;

	if (bios_obstacle(bi))
		return "the machine has no ACPI, and its BIOS cannot be called";
	if (!call(CHECK, BIOS, 0, &r) || (r.ebx & 0xffff) != SIGNATURE)
		return "the machine has neither ACPI nor APM";
	call(DISCONNECT, BIOS, 0, &r);
	if (!call(CONNECT, BIOS, 0, &r))
		return "the BIOS refuses APM calls";
	call(DRIVER_VERSION, BIOS, VERSION_1_1, &r);
	call(MANAGE, ALL, ENABLE, &r);
	call(SET_STATE, ALL, OFF, &r);
	return "APM does not switch it off";
}
