/*
 * Descriptor tables of the 32-bit kernel (SDM volume 3, "Protected-Mode Exceptions and
 * Interrupts", "Task Management").
 *
 * A trap in ring 0 pushes its frame on whatever ESP points to. Where that is no memory of ours the
 * stub goes on with the emergency stack; where the push itself faults, or an NMI or machine check
 * comes in such a moment, a task gate switches to a machine state of its own.
 */
#include "kernel/lib/string.h"
#include "kernel/trap/internal.h"

enum {
	GDT_ENTRIES = 10,
	TSS_AVAILABLE = 0x89,
	GATE_INTERRUPT = 0x8e00,
	GATE_TASK = 0x8500,
	GATE_RING3 = 0x6000,
};

struct tss {
	uint16_t link, reserved0;
	uint32_t esp0, ss0, esp1, ss1, esp2, ss2;
	uint32_t cr3, eip, eflags, eax, ecx, edx, ebx, esp, ebp, esi, edi;
	uint32_t es, cs, ss, ds, fs, gs, ldt;
	uint16_t debug, iomap;
};

_Static_assert(sizeof(struct tss) == 104, "SDM volume 3, figure \"32-Bit TSS\"");

struct gate {
	uint16_t offset0, selector, type, offset16;
};

/* boot/trap_32.S: where the tasks begin; also the end of the emergency stack. */
void trap_task_df(void);
void trap_task_nmi(void);
void trap_task_mc(void);

#define STACK(name, size) \
	static uint8_t name[size] __attribute__((aligned(64), section(TRAP_STACKS)))

STACK(ring0_stack, TRAP_STACK);
STACK(df_stack, TRAP_STACK);
STACK(nmi_stack, TRAP_STACK);
STACK(mc_stack, TRAP_STACK);

static struct tss main_tss, df_tss, nmi_tss, mc_tss;
static volatile bool task_switched; /* CR0.TS is set since, and no #NM came yet */
static union {
	struct gate gate[TRAP_VECTORS];
	uint8_t page[4096]; /* nothing else lies in it: kernel/trap/usermode.c closes it */
} idt __attribute__((aligned(4096)));
static uint64_t gdt[GDT_ENTRIES] __attribute__((aligned(8)));
static const uint64_t segments[] = {
	0,
	0x00cf9b000000ffff, /* KERNEL_CS: flat 32-bit code, ring 0 */
	0x00cf93000000ffff, /* KERNEL_DS */
	0x00cffb000000ffff, /* USER_CS */
	0x00cff3000000ffff, /* USER_DS */
};

/* clang-format off */
static const struct {
	uint16_t selector;
	uint8_t vector;
	struct tss *tss;
	void (*start)(void);
	uint8_t *stack;
} tasks[] = {
	{ MAIN_TSS, 0,        &main_tss, NULL,          ring0_stack },
	{ DF_TSS,   TRAP_DF,  &df_tss,   trap_task_df,  df_stack },
	{ NMI_TSS,  TRAP_NMI, &nmi_tss,  trap_task_nmi, nmi_stack },
	{ MC_TSS,   TRAP_MC,  &mc_tss,   trap_task_mc,  mc_stack },
};

const struct trap_register trap_width_registers[] = {
	TRAP_REGISTER(ds), TRAP_REGISTER(es), TRAP_REGISTER(fs), TRAP_REGISTER(gs),
	{ NULL, 0 },
};
/* clang-format on */

enum { TASKS = sizeof(tasks) / sizeof(tasks[0]) };

static void set_gate(unsigned vector, unsigned extra, const void *target)
{
	uint32_t at = (uint32_t)target;

	idt.gate[vector] =
		(struct gate){ (uint16_t)at, KERNEL_CS, (uint16_t)(GATE_INTERRUPT | extra),
		               (uint16_t)(at >> 16) };
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

static void build_task(unsigned i)
{
	struct tss *t = tasks[i].tss;

	memset(t, 0, sizeof(*t));
	t->iomap = sizeof(*t);
	t->ss0 = KERNEL_DS;
	t->esp0 = (uint32_t)tasks[i].stack + TRAP_STACK;
	t->esp = t->esp0;
	t->eip = (uint32_t)tasks[i].start;
	t->eflags = TRAP_FLAGS;
	t->cs = KERNEL_CS;
	t->ss = t->ds = t->es = t->fs = t->gs = KERNEL_DS;
	if (tasks[i].start)
		idt.gate[tasks[i].vector] = (struct gate){ 0, tasks[i].selector, GATE_TASK, 0 };
}

void trap_build_tables(void)
{
	for (unsigned v = 0; v < TRAP_VECTORS; v++)
		set_gate(v, 0, trap_stubs[v]);
	trap_open_gate(TRAP_BP, trap_stubs[TRAP_BP]);
	trap_open_gate(TRAP_OF, trap_stubs[TRAP_OF]);
	for (unsigned i = 0; i < TASKS; i++)
		build_task(i);
}

/* The CPU loads it with each task that it switches to, and saves none. */
void trap_use_tables(uintptr_t cr3)
{
	for (unsigned i = 0; i < TASKS; i++)
		tasks[i].tss->cr3 = cr3;
}

static uint64_t descriptor(const struct tss *tss)
{
	uint64_t base = (uint32_t)tss;

	return (sizeof(*tss) - 1) | (base & 0xffffff) << 16 | (uint64_t)TSS_AVAILABLE << 40 |
	       (base >> 24 & 0xff) << 56;
}

/*
 * LTR wants a TSS that is not marked busy, and the IRET that ends the task of an NMI wants that the
 * interrupted one is marked so. An NMI may come at any moment. So TR has a spare descriptor of the
 * same TSS while the others are written anew.
 */
void trap_load_tables(void)
{
	struct trap_table_pointer g = { sizeof(gdt) - 1, (uintptr_t)gdt };
	struct trap_table_pointer t = trap_idt();

	memcpy(gdt, segments, sizeof(segments));
	gdt[SPARE_TSS / 8] = descriptor(&main_tss);
	trap_use_tables(x86_cr3());
	asm volatile("lgdt %0" : : "m"(g));
	asm volatile("ltr %w0" : : "r"(SPARE_TSS));
	for (unsigned i = 0; i < TASKS; i++)
		gdt[tasks[i].selector / 8] = descriptor(tasks[i].tss);
	asm volatile("lidt %0" : : "m"(t));
	asm volatile("lldt %w0" : : "r"(0));
	asm volatile("ltr %w0" : : "r"(MAIN_TSS));
}

void trap_set_resume(struct trap_frame *f, uintptr_t ip, uintptr_t sp)
{
	f->ip = ip;
	f->cs = KERNEL_CS;
	f->flags = TRAP_FLAGS;
	f->sp = sp;
	f->ss = f->ds = f->es = f->fs = f->gs = KERNEL_DS;
}

bool trap_forgive_nm(void)
{
	bool forgiven = task_switched;

	task_switched = false;
	if (forgiven)
		asm volatile("clts");
	return forgiven;
}

void trap_width_save(struct trap_width_state *s)
{
	task_switched = false;
	s->cr8 = 0;
}

void trap_width_restore(const struct trap_width_state *s)
{
	(void)s;
}

static struct tss *find(uint16_t selector)
{
	for (unsigned i = 0; i < TASKS; i++)
		if (tasks[i].selector == selector)
			return tasks[i].tss;
	return &main_tss;
}

/* The task of `vector`. */
static const struct tss *task_of(uint32_t vector)
{
	return vector == TRAP_DF ? &df_tss : vector == TRAP_MC ? &mc_tss : &nmi_tss;
}

void trap_task_begin(uint32_t vector, uint32_t error, struct trap_frame *f)
{
	const struct tss *t = find(task_of(vector)->link);

	*f = (struct trap_frame){
		.gs = t->gs,
		.fs = t->fs,
		.es = t->es,
		.ds = t->ds,
		.di = t->edi,
		.si = t->esi,
		.bp = t->ebp,
		.bx = t->ebx,
		.dx = t->edx,
		.cx = t->ecx,
		.ax = t->eax,
		.vector = vector,
		.error = error,
		.ip = t->eip,
		.cs = t->cs,
		.flags = t->eflags,
		.sp = t->esp,
		.ss = t->ss,
	};
}

void trap_task_end(uint32_t vector, const struct trap_frame *f)
{
	struct tss *t = find(task_of(vector)->link);

	t->gs = f->gs;
	t->fs = f->fs;
	t->es = f->es;
	t->ds = f->ds;
	t->edi = f->di;
	t->esi = f->si;
	t->ebp = f->bp;
	t->ebx = f->bx;
	t->edx = f->dx;
	t->ecx = f->cx;
	t->eax = f->ax;
	t->eip = f->ip;
	t->cs = f->cs;
	t->eflags = f->flags;
	t->esp = f->sp;
	t->ss = f->ss;
	task_switched = true;
}
