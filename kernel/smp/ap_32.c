/*
 * Descriptor tables of CPUs other than the first, 32-bit kernel (kernel/smp/internal.h). A trap
 * pushes its frame where ESP is; where that is no memory, the double fault is a task.
 */
#include "kernel/cpu/x86.h"
#include "kernel/smp/internal.h"
#include "kernel/lib/string.h"
#include "kernel/trap/trap.h"

enum {
	TSS_AVAILABLE = 0x89,
	GATE = 0x8e00,
	GATE_RING3 = 0xee00,
	GATE_TASK = 0x8500,
	DF_STACK = 2048, /* below the stack of the jobs; below it, that of traps from CPL 3 */
	JOB_STACK = AP_BLOCK / 2,
};

/* Offsets in a 32-bit TSS (SDM volume 3, figure "32-Bit Task-State Segment"), in words of 4. */
enum { ESP0 = 1, SS0, CR3 = 7, EIP, EFLAGS, ESP = 14, ES = 18, CS, GS = 23, IOMAP = 25 };

static union {
	struct gate {
		uint16_t offset0, selector, type, offset16;
	} gate[256];
	uint8_t page[4096]; /* nothing else lies in it */
} idt __attribute__((aligned(4096)));

void ap_task_df(void);

static void set_gate(unsigned v, unsigned type, const void *target)
{
	uintptr_t at = (uintptr_t)target;

	idt.gate[v] =
		(struct gate){ (uint16_t)at, KERNEL_CS, (uint16_t)type, (uint16_t)(at >> 16) };
}

void ap_build_gates(void)
{
	for (unsigned v = 0; v < 256; v++)
		set_gate(v, GATE, ap_stubs[v < 32 ? v : 32]);
	set_gate(TRAP_BP, GATE_RING3, ap_stubs[TRAP_BP]);
	set_gate(TRAP_OF, GATE_RING3, ap_stubs[TRAP_OF]);
	set_gate(TRAP_FROM_INIT, GATE_RING3, (const void *)(uintptr_t)ap_from_init);
	set_gate(TRAP_FROM_BODY, GATE_RING3, (const void *)(uintptr_t)ap_from_body);
	idt.gate[TRAP_DF] = (struct gate){ 0, DF_TSS, GATE_TASK, 0 };
}

const void *ap_gates(void)
{
	return &idt;
}

bool ap_is_gate(uintptr_t address, unsigned vector)
{
	return address - (uintptr_t)&idt.gate[vector] < sizeof(idt.gate[vector]);
}

const void **ap_user_returns(struct ap *ap)
{
	return (const void **)((uintptr_t)ap + AP_BLOCK - JOB_STACK - DF_STACK - AP_RETURNS);
}

void ap_use_tables(struct ap *ap, uintptr_t cr3)
{
	((uint32_t *)(void *)ap->df_tss)[CR3] = (uint32_t)cr3;
}

static uint64_t descriptor(const uint8_t *tss)
{
	uint64_t base = (uintptr_t)tss;

	return (AP_TSS - 1) | (base & 0xffffff) << 16 | (uint64_t)TSS_AVAILABLE << 40 |
	       (base >> 24 & 0xff) << 56;
}

void ap_build_block(struct ap *ap)
{
	uint32_t tss[AP_TSS / 4] = { 0 };

	tss[IOMAP] = (uint32_t)AP_TSS << 16;
	tss[ESP0] = (uint32_t)ap_user_returns(ap);
	tss[SS0] = KERNEL_DS;
	memcpy(ap->tss, tss, AP_TSS);
	tss[CR3] = (uint32_t)x86_cr3();
	tss[EIP] = (uint32_t)ap_task_df;
	tss[EFLAGS] = 2;
	tss[ESP] = (uint32_t)ap + AP_BLOCK - JOB_STACK;
	for (unsigned i = ES; i <= GS; i++)
		tss[i] = i == CS ? KERNEL_CS : KERNEL_DS;
	memcpy(ap->df_tss, tss, AP_TSS);
	ap->gdt[KERNEL_CS / 8] = 0x00cf9b000000ffff;
	ap->gdt[KERNEL_DS / 8] = 0x00cf93000000ffff;
	ap->gdt[USER_CS / 8] = 0x00cffb000000ffff;
	ap->gdt[USER_DS / 8] = 0x00cff3000000ffff;
	ap->gdt[MAIN_TSS / 8] = descriptor(ap->tss);
	ap->gdt[DF_TSS / 8] = descriptor(ap->df_tss);
}

void ap_load_tables(struct ap *ap)
{
	struct {
		uint16_t limit;
		uintptr_t base;
	} __attribute__((packed)) g = { sizeof(ap->gdt) - 1, (uintptr_t)ap->gdt },
				  i = { sizeof(idt.gate) - 1, (uintptr_t)&idt };

	ap_build_block(ap); /* the TSS may be marked busy */
	asm volatile("lgdt %0; lidt %1; ltr %w2" : : "m"(g), "m"(i), "r"(MAIN_TSS) : "memory");
}

uint32_t ap_mailbox_entry(void)
{
	return 0;
}
