/*
 * UEFI and the 32-bit kernel. GRUB has kept the boot services, and left nothing of the firmware's
 * registers but IDTR and CR4: paging is off, GDT and stack are GRUB's. The gates of the IDT tell
 * which selectors the firmware's code runs by. All other selectors become flat data.
 */
#include <stdbool.h>
#include <stddef.h>

#include "kernel/firmware/efi_internal.h"

enum {
	GDT_ENTRIES = 64,
	SELECTOR_LDT = 4,
	GATE_INTERRUPT = 0x8e, /* present, ring 0, 32 bits; a trap gate has one bit more */
	GATE_TRAP = 0x8f,
	STACK_PAGES = 32, /* 128 KiB, as UEFI 2.10 section 2.3.2 asks */
	LOADER_DATA = 2,
	ALLOCATE_ANY = 0,
	TABLE_BOOT_SERVICES = 60,
	BOOT_ALLOCATE_PAGES = 32,
};

/* SDM volume 3, "Segment Descriptors": flat, ring 0. */
#define FLAT_CODE 0x00cf9b000000ffff
#define FLAT_DATA 0x00cf93000000ffff

struct table {
	uint16_t limit;
	uint32_t base;
} __attribute__((packed));

struct gate {
	uint16_t offset0, selector;
	uint8_t zero, type;
	uint16_t offset16;
};

/* boot/efi_32.S: what it loads for the firmware. */
extern struct table efi_gdtr, efi_idtr;
extern uint32_t efi_cs, efi_ds, efi_stack;

void efi_start(uint32_t magic, uint32_t info);

static uint64_t gdt[GDT_ENTRIES] __attribute__((aligned(8)));
static const char *why;

const char *efi_obstacle(void)
{
	return why;
}

/* The firmware's code runs by each selector that a gate has. */
static void take_gates(void)
{
	const struct gate *gate = (const struct gate *)(uintptr_t)efi_idtr.base;
	unsigned n = (efi_idtr.limit + 1u) / sizeof(*gate);

	for (unsigned i = 0; i < n; i++) {
		unsigned selector = gate[i].selector, entry = selector >> 3;

		if (gate[i].type != GATE_INTERRUPT && gate[i].type != GATE_TRAP)
			continue;
		if (!entry || entry >= GDT_ENTRIES || selector & SELECTOR_LDT) {
			why = "UEFI is ended and nothing is saved: its interrupts use a strange "
			      "segment";
			continue;
		}
		gdt[entry] = FLAT_CODE;
		efi_cs = selector;
	}
	if (!efi_cs && !why)
		why = "UEFI is ended and nothing is saved: it has no interrupts";
}

static void make_segments(void)
{
	__asm__ volatile("sidt %0" : "=m"(efi_idtr));
	take_gates();
	for (unsigned i = 1; i < GDT_ENTRIES; i++) {
		if (gdt[i])
			continue;
		gdt[i] = FLAT_DATA;
		efi_ds = efi_ds ? efi_ds : i << 3;
	}
	if (!efi_cs) { /* to be ended, the firmware needs one all the same */
		efi_cs = (GDT_ENTRIES - 1) << 3;
		gdt[GDT_ENTRIES - 1] = FLAT_CODE;
	}
	efi_gdtr = (struct table){ sizeof(gdt) - 1, (uint32_t)(uintptr_t)gdt };
}

/* The first call has only the kernel's stack, which is smaller than a service may need. */
static void take_stack(uintptr_t table)
{
	uintptr_t services = *(uintptr_t *)(table + TABLE_BOOT_SERVICES);
	uint64_t stack = 0;
	const void *allocate = *(const void **)(services + BOOT_ALLOCATE_PAGES);

	if (efi_call(allocate, (efi_arguments){ ALLOCATE_ANY, LOADER_DATA, STACK_PAGES,
	                                        (uintptr_t)&stack }) != 0)
		why = "UEFI is ended and nothing is saved: it has no memory for a stack";
	else
		efi_stack = (uint32_t)stack + STACK_PAGES * 4096;
}

/* Before kmain(), on whatever machine. */
void efi_start(uint32_t magic, uint32_t info)
{
	uintptr_t table = efi_offered(magic, info);

	if (!table)
		return;
	make_segments();
	take_stack(table);
	efi_call((const void *)efi_enter, (efi_arguments){ magic, info });
}
