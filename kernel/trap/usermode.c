/*
 * The address space for the user's code (kernel/trap/usermode.h).
 */
#include "kernel/trap/usermode.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/ioremap.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "kernel/lib/string.h"
#include "kernel/trap/internal.h"
#include "kernel/trap/paging.h"

enum {
	CR0_WP = 1 << 16,
	CR4_PSE = 1 << 4,
	MOST_TABLES = 3, /* that one paging_entry() may take */
	VGA_START = 0xa0000,
	VGA_SIZE = 0x20000,
	/*
	 * Tables: of large pages, and of 4 KiB pages for 4 MiB each (64 MiB of arena and what is
	 * beside).
	 */
	TABLES_LARGE = 20,
	TABLES_SMALL = 28,
	MSR_SYSENTER_CS = 0x174, /* SDM volume 4; 0: SYSENTER is #GP */
	EFER_SCE = 1 << 0,       /* APM volume 2; 0: SYSCALL is #UD */
};
#define CR0_PG   0x80000000ul
#define MSR_EFER 0xc0000080

extern uint8_t kernel_start[], kernel_end[]; /* linker.ld */

static struct {
	uintptr_t *root;       /* NULL: there is no such address space */
	const char *why;       /* ... and why */
	uintptr_t *free, *end; /* of the memory for tables */
	uintptr_t outer;       /* CR3 outside */
	uintptr_t inner;       /* ... and inside */
	bool large;            /* the CPU has large pages */
} usermode = { .why = "it was not made" };

static bool has_large(const struct cpu *cpu)
{
	return sizeof(uintptr_t) == 8 || cpu_has(cpu, CPU_PSE);
}

size_t usermode_size(const struct cpu *cpu)
{
	return (size_t)PAGING_TABLE * (has_large(cpu) ? TABLES_LARGE : TABLES_SMALL);
}

/* Firmware may have left an entry to CPL 0 open, which leads nowhere good. */
void usermode_close_entries(const struct cpu *cpu)
{
	uint64_t v;

	if (cpu_has(cpu, CPU_SEP) && msr_read(MSR_SYSENTER_CS, &v) && v)
		msr_write(MSR_SYSENTER_CS, 0);
	if (cpu_has(cpu, CPU_SYSCALL) && msr_read(MSR_EFER, &v) && v & EFER_SCE)
		msr_write(MSR_EFER, v & ~(uint64_t)EFER_SCE);
}

void usermode_init(const struct cpu *cpu, void *tables)
{
	struct trap_table_pointer idt = trap_idt();

	usermode_close_entries(cpu);
	usermode.large = has_large(cpu);
	usermode.why = tables ? NULL : "no memory for page tables";
	if (tables) {
		usermode.root = tables;
		usermode.free = usermode.root + PAGING_ENTRIES;
		usermode.end = usermode.root + usermode_size(cpu) / sizeof(uintptr_t);
		memset(usermode.root, 0, PAGING_TABLE);
		usermode_open(kernel_start, (size_t)(kernel_end - kernel_start), USERMODE_KERNEL);
		if (quirk(QUIRK_F00F, cpu->family == 5))
			usermode_open((const void *)idt.base, idt.limit + 1u, USERMODE_READ);
		usermode_open((const void *)phys_ptr(VGA_START), VGA_SIZE, USERMODE_KERNEL);
		if (ioremap_entry())
			*paging_entry(usermode.root, &usermode.free, (uintptr_t)IOREMAP_START,
			              IOREMAP_SHIFT) = ioremap_entry();
	}
	log_begin("guard");
	log_bool("ready", !usermode.why);
	if (usermode.why)
		log_str("why", usermode.why);
	log_end();
}

/*
 * Opens pages below v->root, in tables that are its own. False: the memory for tables is used up.
 */
static bool open_pages(struct usermode_view *v, const uintptr_t *base, const void *start,
                       size_t size, enum usermode_rights rights)
{
	static const uint8_t bits[] = { [USERMODE_KERNEL] = PAGE_WRITE,
		                        [USERMODE_DEVICE] = PAGE_WRITE | PAGE_PCD | PAGE_PWT,
		                        [USERMODE_READ] = 0,
		                        [USERMODE_USER] = PAGE_USER | PAGE_WRITE,
		                        [USERMODE_USER_CODE] = PAGE_USER };
	const uintptr_t large = (uintptr_t)1 << PAGING_LARGE;
	uintptr_t at = (uintptr_t)start & ~(uintptr_t)4095, end = (uintptr_t)start + size;

	while (at < end) {
		bool whole = usermode.large && !(at & (large - 1)) && end - at >= large;

		if (v->end - v->free < MOST_TABLES * PAGING_ENTRIES)
			return false;
		*paging_own(v->root, base, &v->free, at, whole ? PAGING_LARGE : PAGING_SMALL) =
			at | PAGE_PRESENT | (whole ? PAGE_LARGE : 0) | bits[rights];
		at += whole ? large : 4096;
	}
	return true;
}

void usermode_open(const void *start, size_t size, enum usermode_rights rights)
{
	struct usermode_view v = { usermode.root, usermode.free, usermode.end };

	if (!usermode.root)
		return;
	if (!open_pages(&v, NULL, start, size, rights)) {
		usermode.why = "memory falls into too many pieces";
		log_warn("guard", NULL, usermode.why);
		usermode.root = NULL;
	}
	usermode.free = v.free;
}

bool usermode_view(struct usermode_view *v, void *tables, size_t size)
{
	if (!usermode.root || !tables || size < PAGING_TABLE)
		return false;
	v->root = tables;
	v->free = v->root + PAGING_ENTRIES;
	v->end = v->root + size / sizeof(uintptr_t);
	memcpy(v->root, usermode.root, PAGING_TABLE);
	return true;
}

bool usermode_view_open(struct usermode_view *v, const void *start, size_t size,
                        enum usermode_rights rights)
{
	return open_pages(v, usermode.root, start, size, rights);
}

const char *usermode_obstacle(void)
{
	return usermode.why;
}

void usermode_load(const struct usermode_view *v)
{
	if (sizeof(uintptr_t) == 4 && usermode.large)
		x86_set_cr4(x86_cr4() | CR4_PSE);
	x86_set_cr3((uintptr_t)v->root);
	x86_set_cr0(x86_cr0() | CR0_PG | CR0_WP);
}

void usermode_enter_view(const struct usermode_view *v)
{
	usermode.outer = x86_cr3();
	usermode.inner = (uintptr_t)v->root;
	trap_use_tables(usermode.inner);
	usermode_load(v);
}

void usermode_enter(void)
{
	struct usermode_view v = { .root = usermode.root };

	usermode_enter_view(&v);
}

void usermode_drop(void)
{
	if (!usermode.inner || x86_cr3() != usermode.inner)
		return;
	x86_set_cr0(x86_cr0() & ~(unsigned long)CR0_WP);
	if (sizeof(uintptr_t) == 4)
		x86_set_cr0(x86_cr0() & ~CR0_PG);
	else
		x86_set_cr3(usermode.outer);
}
