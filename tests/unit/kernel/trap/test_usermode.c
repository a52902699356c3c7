/*
 * kernel/trap/usermode.c: the entries of its page tables, as the CPU walks them (SDM volume 3A,
 * "4-Level Paging"; the host is 64-bit).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/ioremap.h"
#include "kernel/lib/log.h"
#include "kernel/trap/usermode.h"
#include "kernel/trap/internal.h"

/* Bits of an entry, as the manual has them and not as kernel/trap/paging.h has them. */
enum { P = 1, RW = 2, US = 4, PWT = 8, PCD = 16, PS = 128, RIGHTS = P | RW | US | PWT | PCD };

static const uintptr_t APIC = 0xfee00000, LARGE = 2 << 20;

/* The kernel's own pages, which the linker script names. */
__asm__(".data\n.balign 4096\n.globl kernel_start, kernel_end\n"
        "kernel_start: .skip 8192\nkernel_end: .byte 0\n.text");

extern uint8_t kernel_start[];

static uintptr_t *root;

struct trap_table_pointer trap_idt(void)
{
	return (struct trap_table_pointer){ 0 };
}

void trap_use_tables(uintptr_t cr3)
{
	(void)cr3;
}

uintptr_t ioremap_entry(void)
{
	return 0;
}

bool msr_read(uint32_t msr, uint64_t *value)
{
	(void)msr;
	(void)value;
	return false;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	(void)msr;
	(void)value;
	return false;
}

static int make(void **state)
{
	static const struct cpu cpu = { .vendor = VENDOR_INTEL, .family = 6, .model = 1 };

	(void)state;
	root = aligned_alloc(4096, usermode_size(&cpu));
	usermode_init(&cpu, root);
	return !root || usermode_obstacle();
}

static int drop(void **state)
{
	(void)state;
	free(root);
	return 0;
}

/* The last entry of the walk for `linear`; 0 if nothing is there. */
static uintptr_t walk_from(const uintptr_t *table, uintptr_t linear)
{
	for (unsigned shift = 39;; shift -= 9) {
		uintptr_t entry = table[linear >> shift & 511];

		if (!(entry & P) || shift == 12 || (shift < 39 && entry & PS))
			return entry;
		table = (const uintptr_t *)(entry & ~(uintptr_t)4095);
	}
}

static uintptr_t walk(uintptr_t linear)
{
	return walk_from(root, linear);
}

static void page_is(uintptr_t linear, uintptr_t rights)
{
	assert_int_equal(walk(linear) & RIGHTS, rights);
	assert_int_equal(walk(linear) & ~(uintptr_t)4095, linear);
}

/* The Pentium Pro's erratum 1AP, and a Pentium without MTRRs: the APIC's page is never cached. */
static void device(void **state)
{
	(void)state;
	usermode_open((const void *)APIC, 4096, USERMODE_DEVICE);
	page_is(APIC, P | RW | PWT | PCD);
	assert_int_equal(walk(APIC - 4096), 0);
	assert_int_equal(walk(APIC + 4096), 0);
}

/* A device in the middle of a large page of memory: what is beside stays cached. */
static void device_in_memory(void **state)
{
	(void)state;
	usermode_open((const void *)(4 * LARGE), LARGE, USERMODE_KERNEL);
	assert_int_equal(walk(4 * LARGE), 4 * LARGE | PS | P | RW);
	usermode_open((const void *)(4 * LARGE + 8192), 4096, USERMODE_DEVICE);
	page_is(4 * LARGE + 4096, P | RW);
	page_is(4 * LARGE + 8192, P | RW | PWT | PCD);
	page_is(4 * LARGE + 12288, P | RW);
	assert_int_equal(walk(4 * LARGE + 8192) & PS, 0);
}

static void others(void **state)
{
	(void)state;
	usermode_open((const void *)0x1000, 4096, USERMODE_KERNEL);
	usermode_open((const void *)0x2000, 4096, USERMODE_READ);
	usermode_open((const void *)0x3fff, 2, USERMODE_USER);
	usermode_open((const void *)0x5000, 1, USERMODE_USER_CODE);
	page_is(0x1000, P | RW);
	page_is(0x2000, P);
	page_is(0x3000, P | RW | US);
	page_is(0x4000, P | RW | US);
	page_is(0x5000, P | US);
	assert_int_equal(walk(0x6000), 0);
}

/* Each CPU has a view of its own: what one opens or closes, the others do not see. */
static void views(void **state)
{
	uint8_t *tables = aligned_alloc(4096, 2 * USERMODE_VIEW);
	struct usermode_view a, b;

	(void)state;
	usermode_open((const void *)(4 * LARGE), 4 * LARGE, USERMODE_USER);
	assert_true(usermode_view(&a, tables, USERMODE_VIEW));
	assert_true(usermode_view(&b, tables + USERMODE_VIEW, USERMODE_VIEW));
	assert_true(usermode_view_open(&a, (const void *)(4 * LARGE), 4 * LARGE, USERMODE_KERNEL));
	assert_true(usermode_view_open(&b, (const void *)(4 * LARGE), 4 * LARGE, USERMODE_KERNEL));
	assert_true(usermode_view_open(&a, (const void *)(5 * LARGE + 4096), 4096, USERMODE_USER));
	assert_true(
		usermode_view_open(&b, (const void *)(5 * LARGE + 8192), 4096, USERMODE_USER_CODE));
	assert_int_equal(walk(5 * LARGE + 4096), 5 * LARGE | PS | P | RW | US);
	assert_int_equal(walk(5 * LARGE + 8192), 5 * LARGE | PS | P | RW | US);
	assert_int_equal(walk_from(a.root, 5 * LARGE + 4096), (5 * LARGE + 4096) | P | RW | US);
	assert_int_equal(walk_from(a.root, 5 * LARGE + 8192), (5 * LARGE + 8192) | P | RW);
	assert_int_equal(walk_from(b.root, 5 * LARGE + 4096), (5 * LARGE + 4096) | P | RW);
	assert_int_equal(walk_from(b.root, 5 * LARGE + 8192), (5 * LARGE + 8192) | P | US);
	assert_int_equal(walk_from(a.root, 4 * LARGE), 4 * LARGE | PS | P | RW);
	assert_int_equal(walk_from(b.root, (uintptr_t)kernel_start) & RIGHTS, P | RW);
	free(tables);
}

/* Memory for tables that does not suffice is no view. */
static void view_without_memory(void **state)
{
	uint8_t *tables = aligned_alloc(4096, 2 * 4096);
	struct usermode_view v;

	(void)state;
	assert_false(usermode_view(&v, NULL, 0));
	assert_true(usermode_view(&v, tables, 2 * 4096));
	assert_false(usermode_view_open(&v, (const void *)(4 * LARGE), 4096, USERMODE_USER));
	free(tables);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(device, make, drop),
		cmocka_unit_test_setup_teardown(device_in_memory, make, drop),
		cmocka_unit_test_setup_teardown(others, make, drop),
		cmocka_unit_test_setup_teardown(views, make, drop),
		cmocka_unit_test_setup_teardown(view_without_memory, make, drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
