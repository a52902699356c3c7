/*
 * Descriptor tables of the 64-bit kernel (SDM volume 3, "64-Bit Mode Interrupt Handling").
 *
 * Every vector switches to a known-good stack. One IST stack serves all but three: the stubs move
 * its pointer down by TRAP_STACK while a handler runs, so a trap inside a handler (a guarded MSR
 * access) does not overwrite the frame of the one outside. Double fault, NMI and machine check,
 * which may come between those two instructions, have their own.
 */
#include "kernel/lib/string.h"
#include "kernel/trap/internal.h"

enum {
	TSS_AVAILABLE = 0x89,
	GATE_INTERRUPT = 0x8e00,
	GATE_RING3 = 0x6000,
	IST_COMMON = 1,
	IST_DF = 2,
	IST_NMI = 3,
	IST_MC = 4,
};

struct tss {
	uint32_t reserved0;
	uint64_t rsp[3];
	uint64_t reserved1;
	uint64_t ist[7]; /* ist[0] is IST1 */
	uint64_t reserved2;
	uint16_t reserved3, iomap;
} __attribute__((packed));

struct gate {
	uint16_t offset0, selector, ist_type[2];
	uint32_t offset32, reserved;
};

_Static_assert(offsetof(struct tss, ist) == TSS64_IST1, "boot/trap_64.S moves IST1");

struct tss trap_tss __attribute__((aligned(16)));
static union {
	struct gate gate[TRAP_VECTORS];
	uint8_t page[4096]; /* nothing else lies in it: kernel/trap/usermode.c closes it */
} idt __attribute__((aligned(4096)));
static const uint64_t segments[] = {
	0,
	0x00af9b000000ffff, /* KERNEL_CS: 64-bit code, ring 0 */
	0x00cf93000000ffff, /* KERNEL_DS */
	0x00affb000000ffff, /* USER_CS */
	0x00cff3000000ffff, /* USER_DS */
};
static struct {
	uint64_t segment[sizeof(segments) / sizeof(*segments)];
	uint64_t tss, tss_high; /* the halves of its descriptor */
} gdt __attribute__((aligned(16)));

_Static_assert(offsetof(typeof(gdt), tss) == MAIN_TSS, "MAIN_TSS selects the TSS");

#define STACK(name, size) \
	static uint8_t name[size] __attribute__((aligned(64), section(TRAP_STACKS)))

STACK(common_stack, TRAP_STACK *TRAP_LEVELS);
STACK(df_stack, TRAP_STACK);
STACK(nmi_stack, TRAP_STACK);
STACK(mc_stack, TRAP_STACK);

/* clang-format off */
const struct trap_register trap_width_registers[] = {
	TRAP_REGISTER(r8), TRAP_REGISTER(r9), TRAP_REGISTER(r10), TRAP_REGISTER(r11),
	TRAP_REGISTER(r12), TRAP_REGISTER(r13), TRAP_REGISTER(r14), TRAP_REGISTER(r15),
	{ NULL, 0 },
};
/* clang-format on */

static unsigned ist_of(unsigned vector)
{
	switch (vector) {
	case TRAP_DF:
		return IST_DF;
	case TRAP_NMI:
		return IST_NMI;
	case TRAP_MC:
		return IST_MC;
	default:
		return IST_COMMON;
	}
}

static void set_gate(unsigned vector, unsigned extra, const void *target)
{
	uintptr_t at = (uintptr_t)target;

	idt.gate[vector] = (struct gate){
		.offset0 = (uint16_t)at,
		.selector = KERNEL_CS,
		.ist_type = { (uint16_t)(GATE_INTERRUPT | extra | ist_of(vector)),
		              (uint16_t)(at >> 16) },
		.offset32 = (uint32_t)(at >> 32),
	};
}

void trap_open_gate(uint8_t vector, const void *target)
{
	set_gate(vector, GATE_RING3, target);
}

void trap_close_gate(uint8_t vector)
{
	set_gate(vector, 0, trap_stubs[vector]);
}

struct trap_table_pointer trap_idt(void)
{
	return (struct trap_table_pointer){ sizeof(idt.gate) - 1, (uintptr_t)idt.gate };
}

bool trap_is_gate(uintptr_t address, unsigned vector)
{
	return address - (uintptr_t)&idt.gate[vector] < sizeof(idt.gate[vector]);
}

void trap_build_tables(void)
{
	trap_tss.rsp[0] = (uintptr_t)(common_stack + sizeof(common_stack));
	trap_tss.ist[IST_COMMON - 1] = (uintptr_t)(common_stack + sizeof(common_stack));
	trap_tss.ist[IST_DF - 1] = (uintptr_t)(df_stack + sizeof(df_stack));
	trap_tss.ist[IST_NMI - 1] = (uintptr_t)(nmi_stack + sizeof(nmi_stack));
	trap_tss.ist[IST_MC - 1] = (uintptr_t)(mc_stack + sizeof(mc_stack));
	trap_tss.iomap = sizeof(trap_tss);
	for (unsigned v = 0; v < TRAP_VECTORS; v++)
		set_gate(v, 0, trap_stubs[v]);
	trap_open_gate(TRAP_BP, trap_stubs[TRAP_BP]);
	trap_open_gate(TRAP_OF, trap_stubs[TRAP_OF]);
}

void trap_use_tables(uintptr_t cr3)
{
	(void)cr3;
}

void trap_load_tables(void)
{
	struct trap_table_pointer g = { sizeof(gdt) - 1, (uintptr_t)&gdt };
	struct trap_table_pointer i = trap_idt();
	uint64_t base = (uintptr_t)&trap_tss;

	memcpy(gdt.segment, segments, sizeof(segments));
	/* LTR wants a TSS that is not marked busy, so the descriptor is written anew. */
	gdt.tss = (sizeof(trap_tss) - 1) | (base & 0xffffff) << 16 | (uint64_t)TSS_AVAILABLE << 40 |
	          (base >> 24 & 0xff) << 56;
	gdt.tss_high = base >> 32;
	asm volatile("lgdt %0" : : "m"(g));
	asm volatile("lidt %0" : : "m"(i));
	asm volatile("lldt %w0" : : "r"(0));
	asm volatile("ltr %w0" : : "r"(MAIN_TSS));
}

void trap_set_resume(struct trap_frame *f, uintptr_t ip, uintptr_t sp)
{
	f->ip = ip;
	f->cs = KERNEL_CS;
	f->flags = TRAP_FLAGS;
	f->sp = sp;
	f->ss = KERNEL_DS;
}

bool trap_forgive_nm(void)
{
	return false;
}

void trap_width_save(struct trap_width_state *s)
{
	asm volatile("mov %%cr8, %0" : "=r"(s->cr8));
}

void trap_width_restore(const struct trap_width_state *s)
{
	asm volatile("mov %0, %%cr8" : : "r"(s->cr8));
}
