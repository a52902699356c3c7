/*
 * Calls of the BIOS (kernel/firmware/bios.h).
 */
#include <stddef.h>

#include "kernel/firmware/bios.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/pic.h"
#include "kernel/chipset/pit.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"

enum {
	INT_TICK = 0x08,
	INT_KEYBOARD = 0x09, /* what IRQ 1 calls */
	INT_SYSTEM = 0x15,
	INT_KEYS = 0x16,
	KBC_DATA = 0x60,
	KBC_STATUS = 0x64,
	KBC_OUTPUT_FULL = 1 << 0,
	KBC_FROM_MOUSE = 1 << 5,
	NOTHING = 0xff, /* reads as all ones where there is no controller */
	KEY_RELEASED = 0x80,
};

#define CHECK(member, offset) \
	_Static_assert(offsetof(struct bios_regs, member) == (offset), "real.h")

CHECK(eax, REAL_EAX);
CHECK(ebp, REAL_EBP);
CHECK(flags, REAL_FLAGS);
CHECK(ds, REAL_DS);
CHECK(es, REAL_ES);

/* boot/real.S and boot/real_*.S */
extern const uint8_t real_code[], real_code_end[];
void real_call(void);

static void *low(uintptr_t address)
{
	return (void *)(uintptr_t)phys_ptr(address);
}

const char *bios_obstacle(const struct bootinfo *bi)
{
	if (bi->efi)
		return "UEFI is gone: only the stick's kernel of the firmware's own width keeps it";
	if (!phys_read32(INT_SYSTEM * 4 /* of the table at 0 */))
		return "there is no BIOS: its table of interrupts is empty";
	return bootinfo_taken(bi, REAL_CODE, REAL_END);
}

void bios_call(uint8_t vector, struct bios_regs *r)
{
	memcpy(low(REAL_CODE), real_code, (size_t)(real_code_end - real_code));
	memcpy(low(REAL_REGS), r, sizeof(*r));
	phys_write8(REAL_REGS + REAL_INT, vector);
	pit_tick();
	pic_give();
	irqmask_give();
	real_call();
	irqmask_take();
	pic_init();
	pit_stop();
	memcpy(r, low(REAL_REGS), sizeof(*r));
}

uint8_t *bios_buffer(void)
{
	return low(REAL_BUFFER);
}

static bool byte_waits(void)
{
	uint8_t status = x86_inb(KBC_STATUS);

	return status != NOTHING && status & KBC_OUTPUT_FULL;
}

/*
 * A key that was pressed between two calls has raised IRQ 1, and pic_give() has forgotten the edge:
 * ICW1 does. The line stays high until the byte is read, so no other edge will come. The
 * BIOS's own INT 9 reads it. A byte that it leaves there is taken, and returned if it is a key.
 */
static uint16_t take_byte(void)
{
	struct bios_regs r = { 0 };
	uint8_t byte;

	if (x86_inb(KBC_STATUS) & KBC_FROM_MOUSE) { /* it is in the way */
		x86_inb(KBC_DATA);
		return 0;
	}
	bios_call(INT_KEYBOARD, &r);
	if (!byte_waits())
		return 0;
	byte = x86_inb(KBC_DATA);
	return byte & KEY_RELEASED ? 0 : (uint16_t)(byte << 8);
}

uint16_t bios_key(void)
{
	struct bios_regs tick = { 0 }, r = { .eax = 0x0100 };
	uint16_t key = byte_waits() ? take_byte() : 0;

	if (key)
		return key;
	bios_call(INT_TICK, &tick);
	bios_call(INT_KEYS, &r);
	if (r.flags & BIOS_ZF)
		return 0;
	r.eax = 0;
	bios_call(INT_KEYS, &r);
	return (uint16_t)r.eax;
}
