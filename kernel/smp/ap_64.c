/*
 * Descriptor tables of CPUs other than the first, 64-bit kernel (kernel/smp/internal.h). Double
 * fault, NMI and machine check have a stack beside that of all other traps.
 */
#include "kernel/smp/internal.h"
#include "kernel/lib/string.h"
#include "kernel/trap/trap.h"

enum {
	TSS_AVAILABLE = 0x89,
	GATE = 0x8e00,
	GATE_RING3 = 0xee00,
	IST = 36, /* where the TSS has the first of its stacks */
	IOMAP = 102,
	STACK = AP_BLOCK / 8, /* of traps; two of them lie below the stack of the jobs */
	JOB_STACK = AP_BLOCK / 2,
};

static struct gate {
	uint16_t offset0, selector, ist_type, offset16;
	uint32_t offset32, reserved;
} idt[256] __attribute__((aligned(4096)));

_Static_assert(sizeof(idt) == 4096, "nothing else lies in its page");

static void set_gate(unsigned v, unsigned type, const void *target)
{
	uintptr_t at = (uintptr_t)target;
	unsigned ist = v == 2 || v == 8 || v == 18 ? 2 : 1;

	idt[v] = (struct gate){ .offset0 = (uint16_t)at,
		                .selector = KERNEL_CS,
		                .ist_type = (uint16_t)(type | ist),
		                .offset16 = (uint16_t)(at >> 16),
		                .offset32 = (uint32_t)(at >> 32) };
}

void ap_build_gates(void)
{
	for (unsigned v = 0; v < 256; v++)
		set_gate(v, GATE, ap_stubs[v < 32 ? v : 32]);
	set_gate(TRAP_BP, GATE_RING3, ap_stubs[TRAP_BP]);
	set_gate(TRAP_OF, GATE_RING3, ap_stubs[TRAP_OF]);
	set_gate(TRAP_FROM_INIT, GATE_RING3, (const void *)(uintptr_t)ap_from_init);
	set_gate(TRAP_FROM_BODY, GATE_RING3, (const void *)(uintptr_t)ap_from_body);
}

const void *ap_gates(void)
{
	return idt;
}

bool ap_is_gate(uintptr_t address, unsigned vector)
{
	return address - (uintptr_t)&idt[vector] < sizeof(idt[vector]);
}

const void **ap_user_returns(struct ap *ap)
{
	return (const void **)((uintptr_t)ap + AP_BLOCK - JOB_STACK - AP_RETURNS);
}

void ap_use_tables(struct ap *ap, uintptr_t cr3)
{
	(void)ap;
	(void)cr3;
}

void ap_build_block(struct ap *ap)
{
	uint64_t base = (uintptr_t)ap->tss, stack = (uintptr_t)ap_user_returns(ap);
	uint16_t end = AP_TSS;

	for (unsigned i = 0; i < 2; i++, stack -= STACK)
		memcpy(ap->tss + IST + 8 * i, &stack, 8);
	memcpy(ap->tss + IOMAP, &end, 2);
	ap->gdt[KERNEL_CS / 8] = 0x00af9b000000ffff;
	ap->gdt[KERNEL_DS / 8] = 0x00cf93000000ffff;
	ap->gdt[USER_CS / 8] = 0x00affb000000ffff;
	ap->gdt[USER_DS / 8] = 0x00cff3000000ffff;
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
