/*
 * Lists of CPUs in tables of firmware: good ones, contradictory ones, garbage, and thousands of
 * damaged ones. Memory is a heap block of exactly the size told, so the address sanitizer sees
 * every read beyond it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/smp/list.h"

enum { SIZE = 0x100000, POINTER = 0xf0000, TABLE = 0xf0100, ENTRIES = 44 };

static uint8_t *image;
static uint8_t madt[16384];
static struct acpi acpi;
static struct smp_list list;
static char complaints[4096];

static void complain(const char *what, const char *why)
{
	size_t n = strlen(complaints);

	snprintf(complaints + n, sizeof(complaints) - n, "%s %s\n", what, why);
}

static void find(uint32_t own)
{
	complaints[0] = 0;
	memset(&list, 0xa5, sizeof(list));
	smp_list(&list, &acpi, own, image, SIZE, complain);
}

static void fix_sum(uint8_t *p, uint32_t size, uint32_t where)
{
	uint8_t s = 0;

	p[where] = 0;
	for (uint32_t i = 0; i < size; i++)
		s += p[i];
	p[where] = (uint8_t)-s;
}

static void empty_madt(void)
{
	acpi = (struct acpi){ .madt = madt, .madt_size = ENTRIES };
}

static void local_apic(uint8_t id, uint32_t flags)
{
	memcpy(madt + acpi.madt_size, (uint8_t[]){ 0, 8, id, id, (uint8_t)flags, 0, 0, 0 }, 8);
	acpi.madt_size += 8;
}

static void local_x2apic(uint32_t id, uint8_t flags)
{
	uint8_t *p = madt + acpi.madt_size;

	memset(p, 0, 16);
	p[0] = 9;
	p[1] = 16;
	memcpy(p + 4, &id, 4);
	p[8] = flags;
	acpi.madt_size += 16;
}

/* A table with `n` processors, ids from 0, each behind an entry of a bus. */
static void mp_table(unsigned n)
{
	uint8_t *p = image + POINTER, *t = image + TABLE, *e = t + ENTRIES;

	memset(p, 0, 0x10000);
	memcpy(p, "_MP_\0\1\xf\0\1\4", 10);
	memcpy(p + 4, &(uint32_t){ TABLE }, 4);
	fix_sum(p, 16, 10);
	memcpy(t, "PCMP", 4);
	for (unsigned i = 0; i < n; i++) {
		memcpy(e, (uint8_t[]){ 0, (uint8_t)i, 0x14, i ? 1 : 3 }, 4);
		e[20] = 1;
		e += 28;
	}
	memcpy(t + 4, &(uint16_t){ (uint16_t)(e - t) }, 2);
	t[34] = (uint8_t)(2 * n);
	fix_sum(t, (uint32_t)(e - t), 7);
}

static int setup(void **state)
{
	(void)state;
	image = calloc(1, SIZE);
	acpi = (struct acpi){ .madt = NULL };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(image);
	return 0;
}

static void madt_lists_cpus(void **state)
{
	(void)state;
	empty_madt();
	local_apic(4, 1);
	local_apic(0, 1);
	local_apic(7, 0);
	local_apic(0xff, 1);
	local_x2apic(300, 1);
	find(0);
	assert_string_equal(complaints, "");
	assert_string_equal(list.source, "madt");
	assert_int_equal(list.n, 3);
	assert_int_equal(list.id[0], 0);
	assert_int_equal(list.id[1], 4);
	assert_int_equal(list.id[2], 300);
	assert_int_equal(list.disabled, 1);
	assert_int_equal(list.mailbox, 0);
}

static void madt_contradicts_itself(void **state)
{
	(void)state;
	empty_madt();
	local_apic(0, 1);
	local_apic(1, 1);
	local_apic(1, 1);
	find(0);
	assert_int_equal(list.n, 2);
	assert_string_equal(complaints, "APIC lists an APIC id twice: it is one CPU\n");
	find(5);
	assert_int_equal(list.n, 1);
	assert_int_equal(list.id[0], 5);
	assert_string_equal(list.source, "none");
	assert_non_null(strstr(complaints, "APIC does not list the CPU that booted"));
}

/* Ivy Bridge-EP: x2APIC entries of ids below 255 list CPUs that do not exist. */
static void madt_with_phantoms(void **state)
{
	(void)state;
	empty_madt();
	local_apic(0, 1);
	local_apic(2, 1);
	local_x2apic(0, 1);
	local_x2apic(2, 1);
	local_x2apic(9, 1);
	local_x2apic(10, 0);
	local_x2apic(254, 1);
	local_x2apic(255, 1);
	local_x2apic(256, 1);
	local_x2apic(0xffffffff, 1);
	find(0);
	assert_int_equal(list.n, 4);
	assert_int_equal(list.id[1], 2);
	assert_int_equal(list.id[2], 255);
	assert_int_equal(list.id[3], 256);
	assert_int_equal(list.disabled, 0);

	/* without a usable local APIC entry they are the CPUs */
	empty_madt();
	local_apic(0, 0);
	local_apic(255, 1);
	local_x2apic(0, 1);
	local_x2apic(9, 1);
	local_x2apic(300, 1);
	find(0);
	assert_string_equal(complaints, "");
	assert_int_equal(list.n, 3);
	assert_int_equal(list.id[1], 9);
	assert_int_equal(list.id[2], 300);

	/* the CPU that asks exists */
	empty_madt();
	local_apic(1, 1);
	local_x2apic(0, 1);
	find(0);
	assert_string_equal(complaints, "");
	assert_int_equal(list.n, 2);
}

static void too_many_cpus(void **state)
{
	(void)state;
	empty_madt();
	for (uint32_t id = 0; id < 513 && acpi.madt_size + 16 <= sizeof(madt); id++)
		if (id < 300)
			local_apic((uint8_t)id, 1);
	find(0);
	assert_int_equal(list.n, 255); /* id 255 means all of them, and the rest comes twice */
	assert_string_equal(complaints, "APIC lists an APIC id twice: it is one CPU\n");
	empty_madt();
	for (uint32_t id = 0; id < SMP_CPUS; id++)
		local_x2apic(id + 1000, 1);
	find(1000);
	assert_int_equal(list.n, SMP_CPUS);
	assert_int_equal(list.id[SMP_CPUS - 1], 1511);
	assert_string_equal(complaints, "");
	local_x2apic(1512, 1);
	find(1000);
	assert_int_equal(list.n, SMP_CPUS);
	assert_non_null(strstr(complaints, "APIC lists more than 512 CPUs"));
}

static void madt_with_mailbox(void **state)
{
	(void)state;
	empty_madt();
	local_apic(0, 1);
	memcpy(madt + acpi.madt_size,
	       (uint8_t[]){ 16, 16, 0, 0, 0, 0, 0, 0, 0, 0x30, 0x12, 0, 0, 0, 0, 0 }, 16);
	acpi.madt_size += 16;
	find(0);
	assert_int_equal(list.mailbox, 0x123000);
}

static void mp_table_without_madt(void **state)
{
	(void)state;
	mp_table(4);
	find(0);
	assert_string_equal(complaints, "");
	assert_string_equal(list.source, "mp");
	assert_int_equal(list.n, 4);
	/* a MADT that does not list the boot CPU is left for it */
	empty_madt();
	local_apic(9, 1);
	find(0);
	assert_string_equal(list.source, "mp");
	assert_int_equal(list.n, 4);
	assert_non_null(strstr(complaints, "APIC does not list"));
}

static void mp_default_configuration(void **state)
{
	(void)state;
	mp_table(4);
	image[POINTER + 11] = 5;
	fix_sum(image + POINTER, 16, 10);
	find(0);
	assert_string_equal(list.source, "mp default");
	assert_int_equal(list.n, 2);
	assert_int_equal(list.id[1], 1);
}

static void mp_garbage(void **state)
{
	(void)state;
	mp_table(4);
	image[TABLE + 50]++; /* the checksum is wrong now */
	find(0);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.source, "none");
	assert_non_null(strstr(complaints, "wrong length or checksum"));
	mp_table(4);
	memset(image + TABLE, 0xff, 4);
	find(0);
	assert_int_equal(list.n, 1);
	assert_non_null(strstr(complaints, "no configuration table"));
	mp_table(4);
	memcpy(image + POINTER + 4, &(uint32_t){ 0xffffffff }, 4);
	fix_sum(image + POINTER, 16, 10);
	find(0);
	assert_int_equal(list.n, 1);
}

/* Whatever the bytes: no read beyond them, and the boot CPU is the first. */
static void damage(void **state)
{
	(void)state;
	srand(13);
	for (unsigned round = 0; round < 3000; round++) {
		uint32_t size;

		mp_table(3);
		empty_madt();
		for (uint8_t i = 0; i < 6; i++)
			local_apic(i, 1);
		size = acpi.madt_size;
		for (unsigned i = 0; i < 4; i++)
			madt[ENTRIES + (unsigned)rand() % (size - ENTRIES)] = (uint8_t)rand();
		image[TABLE + (unsigned)rand() % 120] = (uint8_t)rand();
		fix_sum(image + TABLE, image[TABLE + 4] | image[TABLE + 5] << 8, 7);
		if (round & 1)
			acpi.madt = NULL;
		else if (round & 2)
			acpi.madt_size = ENTRIES + (unsigned)rand() % (size - ENTRIES);
		find(0);
		assert_true(list.n >= 1 && list.n <= SMP_CPUS);
		assert_int_equal(list.id[0], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(madt_lists_cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(madt_contradicts_itself, setup, teardown),
		cmocka_unit_test_setup_teardown(madt_with_phantoms, setup, teardown),
		cmocka_unit_test_setup_teardown(too_many_cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(madt_with_mailbox, setup, teardown),
		cmocka_unit_test_setup_teardown(mp_table_without_madt, setup, teardown),
		cmocka_unit_test_setup_teardown(mp_default_configuration, setup, teardown),
		cmocka_unit_test_setup_teardown(mp_garbage, setup, teardown),
		cmocka_unit_test_setup_teardown(damage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
