/*
 * Calls of the BIOS (kernel/firmware/bios.h).
 */
#include <stddef.h>

#include "kernel/firmware/bios.h"
#include "kernel/board/phys.h"
#include "kernel/board/pic.h"
#include "kernel/board/pit.h"
#include "kernel/board/quiet.h"
#include "kernel/string.h"

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
	bool whole = false;

	if (bi->efi)
		return "UEFI is gone: only the stick's 64-bit kernel keeps it, on 64-bit UEFI";
	for (unsigned i = 0; i < bi->nregions; i++) {
		const struct boot_region *r = &bi->regions[i];

		if (r->base >= REAL_END || r->base + r->size <= REAL_CODE)
			continue;
		if (r->type != REGION_FREE)
			return "low memory is not free";
		whole |= r->base <= REAL_CODE && r->base + r->size >= REAL_END;
	}
	return whole ? NULL : "low memory is not free";
}

void bios_call(uint8_t vector, struct bios_regs *r)
{
	memcpy(low(REAL_CODE), real_code, (size_t)(real_code_end - real_code));
	memcpy(low(REAL_REGS), r, sizeof(*r));
	phys_write8(REAL_REGS + REAL_INT, vector);
	pit_tick();
	pic_give();
	quiet_give();
	real_call();
	quiet_take();
	pic_init();
	pit_stop();
	memcpy(r, low(REAL_REGS), sizeof(*r));
}

uint8_t *bios_buffer(void)
{
	return low(REAL_BUFFER);
}

uint16_t bios_key(void)
{
	struct bios_regs tick = { 0 }, r = { .eax = 0x0100 };

	bios_call(0x08, &tick);
	bios_call(0x16, &r);
	if (r.flags & BIOS_ZF)
		return 0;
	r.eax = 0;
	bios_call(0x16, &r);
	return (uint16_t)r.eax;
}
