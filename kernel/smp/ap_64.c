/*
 * Descriptor tables of CPUs other than the first, 64-bit kernel (kernel/smp/internal.h). Double
 * fault, NMI and machine check have a stack beside that of all other traps.
 */
#include "kernel/smp/internal.h"
#include "kernel/string.h"

enum {
	TSS_AVAILABLE = 0x89,
	GATE = 0x8e00,
	IST = 36, /* where the TSS has the first of its stacks */
	IOMAP = 102,
	STACK = AP_BLOCK / 8, /* of traps; two of them lie below the stack of the jobs */
	JOB_STACK = AP_BLOCK / 2,
};

static struct {
	uint16_t offset0, selector, ist_type, offset16;
	uint32_t offset32, reserved;
} idt[256];

void ap_build_gates(void)
{
	for (unsigned v = 0; v < 256; v++) {
		uintptr_t at = (uintptr_t)ap_stubs[v < 32 ? v : 32];
		unsigned ist = v == 2 || v == 8 || v == 18 ? 2 : 1;

		idt[v].offset0 = (uint16_t)at;
		idt[v].selector = KERNEL_CS;
		idt[v].ist_type = (uint16_t)(GATE | ist);
		idt[v].offset16 = (uint16_t)(at >> 16);
		idt[v].offset32 = (uint32_t)(at >> 32);
	}
}

void ap_build_block(struct ap *ap)
{
	uint64_t base = (uintptr_t)ap->tss, stack = (uintptr_t)ap + AP_BLOCK - JOB_STACK;
	uint16_t end = AP_TSS;

	for (unsigned i = 0; i < 2; i++, stack -= STACK)
		memcpy(ap->tss + IST + 8 * i, &stack, 8);
	memcpy(ap->tss + IOMAP, &end, 2);
	ap->gdt[KERNEL_CS / 8] = 0x00af9b000000ffff;
	ap->gdt[KERNEL_DS / 8] = 0x00cf93000000ffff;
	ap->gdt[MAIN_TSS / 8] = (AP_TSS - 1) | (base & 0xffffff) << 16 |
	                        (uint64_t)TSS_AVAILABLE << 40 | (base >> 24 & 0xff) << 56;
	ap->gdt[MAIN_TSS / 8 + 1] = base >> 32;
}

void ap_load_tables(struct ap *ap)
{
	struct {
		uint16_t limit;
		uintptr_t base;
	} __attribute__((packed)) g = { sizeof(ap->gdt) - 1, (uintptr_t)ap->gdt },
				  i = { sizeof(idt) - 1, (uintptr_t)idt };

	ap_build_block(ap); /* the TSS may be marked busy */
	asm volatile("lgdt %0; lidt %1; ltr %w2" : : "m"(g), "m"(i), "r"(MAIN_TSS) : "memory");
}

void ap_mailbox(void); /* boot/ap.S */

uint32_t ap_mailbox_entry(void)
{
	return (uint32_t)(uintptr_t)ap_mailbox;
}
