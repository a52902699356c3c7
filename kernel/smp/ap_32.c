/*
 * Descriptor tables of CPUs other than the first, 32-bit kernel (kernel/smp/internal.h). A trap
 * pushes its frame where ESP is; where that is no memory, the double fault is a task.
 */
#include "kernel/cpu/x86.h"
#include "kernel/smp/internal.h"
#include "kernel/string.h"

enum {
	TSS_AVAILABLE = 0x89,
	GATE = 0x8e00,
	GATE_TASK = 0x8500,
	JOB_STACK = AP_BLOCK / 2,
};

/* Offsets in a 32-bit TSS (SDM volume 3, figure "32-Bit Task-State Segment"), in words of 4. */
enum { CR3 = 7, EIP, EFLAGS, ESP = 14, ES = 18, CS, GS = 23, IOMAP = 25 };

static struct {
	uint16_t offset0, selector, type, offset16;
} idt[256];

void ap_task_df(void);

void ap_build_gates(void)
{
	for (unsigned v = 0; v < 256; v++) {
		uintptr_t at = (uintptr_t)ap_stubs[v < 32 ? v : 32];

		idt[v].offset0 = (uint16_t)at;
		idt[v].selector = KERNEL_CS;
		idt[v].type = GATE;
		idt[v].offset16 = (uint16_t)(at >> 16);
	}
	idt[8].selector = DF_TSS;
	idt[8].type = GATE_TASK;
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
	ap->gdt[MAIN_TSS / 8] = descriptor(ap->tss);
	ap->gdt[DF_TSS / 8] = descriptor(ap->df_tss);
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

uint32_t ap_mailbox_entry(void)
{
	return 0;
}
