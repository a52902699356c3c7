/*
 * kernel/firmware/efi.c on the fake UEFI, and what the rest of the kernel must leave alone while
 * that UEFI is alive.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/apic.h"
#include "kernel/chipset/memory.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/cpu/cpu.h"
#include "kernel/firmware/efi.h"
#include "kernel/lib/log.h"
#include "kernel/trap/trap.h"
#include "kernel/trap/watchdog.h"
#include "tests/unit/support/fake_efi.h"
#include "tests/unit/support/fake_machine.h"

enum { BUFFER = 4096, SEEDS = 500 };

static const uint64_t MIB = 1 << 20, GIB = 1 << 30;

static struct bootinfo bi;
static struct cpu cpu;
static char told[4096];
static uint8_t data[BUFFER];
static trap_fn handlers[TRAP_VECTORS];

/* ---- What watchdog.c asks of the rest of the kernel ---- */

trap_fn trap_on_vector(uint8_t vector, trap_fn handler)
{
	trap_fn before = handlers[vector];

	handlers[vector] = handler;
	return before;
}

struct trap_hooks *trap_hooks(void)
{
	static struct trap_hooks hooks;

	return &hooks;
}

bool trap_abandon(struct trap_frame *f)
{
	(void)f;
	return false;
}

/* The kernel's STI: the highest vector that waits and is not kept out goes to its handler. */
static void let_in(void)
{
	for (unsigned v = TRAP_VECTORS; v-- > 32;) {
		uint32_t *irr = &fake.apic.regs[APIC_IRR / 16 + v / 32];
		struct trap_frame f = { .vector = v };

		if (!(*irr >> v % 32 & 1) || fake.apic.regs[APIC_TASK_PRIORITY / 16] >> 4 >= v >> 4)
			continue;
		*irr &= ~(1u << v % 32);
		fake.apic.regs[APIC_ISR / 16 + v / 32] |= 1u << v % 32;
		assert_non_null(handlers[v]);
		handlers[v](&f);
		return;
	}
}

/* ---- Help ---- */

static void complain(const char *what, const char *why)
{
	assert_string_equal(what, "uefi");
	assert_true(strlen(told) + strlen(why) + 2 < sizeof(told));
	strcat(told, why);
	strcat(told, "\n");
}

static void accept(const char *what, const char *why)
{
	(void)what;
	(void)why;
}

static void boot(void)
{
	fake_efi_boot();
	memset(&bi, 0, sizeof(bi));
	told[0] = '\0';
	efi_memory(&bi, complain);
}

static bool says(const char *words)
{
	return strstr(told, words) != NULL;
}

static void no_misuse(void)
{
	if (fake_efi.misuse)
		fail_msg("%u times misused: %s", fake_efi.misuse, fake_efi.why);
}

static const struct boot_region *largest_free(uint64_t from, uint64_t to)
{
	const struct boot_region *best = NULL;

	for (unsigned i = 0; i < bi.nregions; i++) {
		const struct boot_region *r = &bi.regions[i];

		if (r->type == REGION_FREE && r->base >= from && r->base + r->size <= to &&
		    (!best || r->size > best->size))
			best = r;
	}
	return best;
}

/* Two blocks that lie side by side are one region. */
static bool was_given(uint64_t start, uint64_t end)
{
	for (unsigned i = 0; i < fake_efi.ngiven; i++) {
		const struct fake_memory *g = &fake_efi.given[i];
		uint64_t last = g->start + (g->pages << 12);

		if (start >= g->start && start < last)
			return end <= last || was_given(last, end);
	}
	return false;
}

/* While the firmware is there, nothing is free but what it gave; the map is in order. */
static void check_regions(void)
{
	for (unsigned i = 0; i < bi.nregions; i++) {
		const struct boot_region *r = &bi.regions[i];

		assert_true(!i || r[-1].base + r[-1].size <= r->base);
		if (r->type == REGION_FREE && !fake_efi.exited)
			assert_true(was_given(r->base, r->base + r->size));
	}
}

/* Bytes of conventional memory that are left to the firmware below 4 GiB. */
static uint64_t left_below_4g(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < fake_efi.nmap; i++)
		if (fake_efi.map[i].type == 7 && fake_efi.map[i].start < 4 * GIB)
			sum += fake_efi.map[i].pages << 12;
	return sum;
}

static int reset(void **state)
{
	(void)state;
	fake_efi_reset();
	memset(handlers, 0, sizeof(handlers));
	fake.sti = let_in;
	return 0;
}

static void know_apic(void)
{
	memset(&cpu, 0, sizeof(cpu));
	cpu.family = 6;
	cpu.features[CPU_APIC / 32] |= 1u << CPU_APIC % 32;
	cpu.features[CPU_MSR / 32] |= 1u << CPU_MSR % 32;
	irqmask_apic(&cpu);
}

/* ---- Memory ---- */

/* M1, M2: pages below 1 MiB for other CPUs, work memory below 2 GiB, the rest above 4 GiB. */
static void memory_for_all(void **state)
{
	const struct boot_region *low, *work, *large;

	(void)state;
	boot();
	assert_true(efi_alive());
	assert_string_equal(told, "");
	low = largest_free(0x1000, 0x9f000);
	work = largest_free(MIB, 2 * GIB);
	large = largest_free(4 * GIB, UINT64_MAX);
	assert_non_null(low);
	assert_true(low->size > 4 * 4096); /* more than 7000h to AFFFh */
	assert_non_null(work);
	assert_int_equal(work->size, 384 * MIB);
	assert_non_null(large);
	assert_int_equal(large->size, 1536 * MIB); /* of 2 GiB */
	check_regions();
	no_misuse();
}

static void one_page_below_1m(void **state)
{
	(void)state;
	fake_efi.map[1].pages = 3;
	boot();
	assert_int_equal(largest_free(0, MIB)->size, 4096);
	no_misuse();
}

/* Small machines, and a firmware that needs memory for its own drivers. */
static void a_rest_for_the_firmware(void **state)
{
	static const struct {
		unsigned mib, work, large, rest; /* rest: at least */
	} rows[] = {
		{ 64, 12, 0, 8 },     { 128, 48, 0, 32 },      { 256, 96, 0, 64 },
		{ 512, 96, 280, 64 }, { 3072, 96, 2048, 600 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t sum = 0;

		reset(state);
		fake_efi_memory(rows[i].mib * MIB, 0);
		boot();
		assert_true(efi_alive());
		for (unsigned k = 0; k < bi.nregions; k++)
			if (bi.regions[k].type == REGION_FREE && bi.regions[k].base >= MIB)
				sum += bi.regions[k].size;
		assert_true(sum >= (rows[i].work + rows[i].large / 2) * MIB);
		assert_true(left_below_4g() >= rows[i].rest * MIB);
		no_misuse();
	}
}

/* M2: only where there is none below 2 GiB does it lie above, and the log says so. */
static void nothing_below_2g(void **state)
{
	(void)state;
	fake_efi_memory(3 * GIB, 5 * GIB);
	fake_efi.nothing_below = 2 * GIB;
	boot();
	assert_true(efi_alive());
	assert_true(says("below 2 GiB"));
	assert_int_equal(largest_free(2 * GIB, 4 * GIB)->size, 384 * MIB);
	assert_null(largest_free(0, MIB));
	check_regions();
	no_misuse();

	reset(state);
	fake_efi.nothing_below = 4 * GIB;
	boot();
	assert_false(efi_alive());
	assert_true(says("no memory to spare"));
	assert_true(fake_efi.exited);
	no_misuse();
}

static void limits_ignored(void **state)
{
	(void)state;
	fake_efi.ignores_limit = true;
	boot();
	assert_true(says("gave other memory than"));
	check_regions();
	no_misuse();
}

/* Special memory (HBM, CXL) and what cannot be cached is no memory for data. */
static void special_memory(void **state)
{
	(void)state;
	for (unsigned i = 0; i < fake_efi.nmap; i++)
		if (fake_efi.map[i].start == 4 * GIB)
			fake_efi.map[i].attributes |= 1 << 18;
	boot();
	assert_null(largest_free(4 * GIB, UINT64_MAX));
	no_misuse();
}

/* ---- M5: the map ---- */

static void long_maps(void **state)
{
	for (unsigned rows = 600; rows <= 1800; rows += 300)
		for (unsigned step = 48; step <= 56; step += 8) {
			reset(state);
			fake_efi.step = step;
			fake_efi_long_map(rows);
			boot();
			assert_true(efi_alive());
			assert_string_equal(told, ""); /* what is the firmware's merges */
			assert_non_null(largest_free(MIB, 2 * GIB));
			assert_non_null(largest_free(4 * GIB, UINT64_MAX));
			check_regions();
			no_misuse();

			reset(state);
			fake_efi.step = step;
			fake_efi.cmdline = "logfile=100+512 save=off";
			fake_efi_long_map(rows);
			boot();
			assert_false(efi_alive());
			assert_true(fake_efi.exited);
			assert_true(says("more than 128 pieces"));
			assert_int_equal(bi.nregions, BOOT_REGIONS);
			assert_int_equal(largest_free(4 * GIB, UINT64_MAX)->size, 2 * GIB);
			assert_true(largest_free(MIB, 4 * GIB)->size > GIB);
			check_regions();
			no_misuse();
		}
}

static void map_grows(void **state)
{
	(void)state;
	fake_efi_long_map(670);
	fake_efi.grows = 40;
	fake_efi.cmdline = "";
	boot();
	assert_true(fake_efi.exited);
	check_regions();
	no_misuse();
}

/* A firmware that never says how long its map is, and one whose pool is empty. */
static void no_map(void **state)
{
	(void)state;
	fake_efi.fail[FAKE_GET_MEMORY_MAP] =
		(struct fake_fail){ 0, FAKE_FOREVER, FAKE_TOO_SMALL, 0 };
	boot();
	assert_false(efi_alive());
	assert_true(says("cannot be read"));
	assert_true(says("cannot be ended"));
	assert_non_null(largest_free(MIB, 2 * GIB));
	check_regions();
	no_misuse();

	reset(state);
	fake_efi_long_map(800);
	fake_efi.fail[FAKE_ALLOCATE_POOL] =
		(struct fake_fail){ 0, FAKE_FOREVER, FAKE_OUT_OF_MEMORY, 0 };
	boot();
	assert_false(efi_alive());
	assert_non_null(largest_free(MIB, 2 * GIB));
	check_regions();
	no_misuse();

	reset(state);
	fake_efi.step = 16; /* a row that is shorter than UEFI's */
	boot();
	assert_true(says("cannot be read"));
	check_regions();
	no_misuse();
}

/* The key is refused n times: a few are no news, and else what the firmware has stays its own. */
static void exit_refused(void **state)
{
	for (unsigned n = 0; n < 8; n++) {
		reset(state);
		fake_efi.cmdline = "save=off";
		fake_efi.fail[FAKE_EXIT] = (struct fake_fail){ 0, n, FAKE_INVALID, 0 };
		boot();
		assert_true(fake_efi.exited);
		assert_string_equal(told, "");
		no_misuse();
	}
	reset(state);
	fake_efi.cmdline = "save=off";
	fake_efi.fail[FAKE_EXIT] = (struct fake_fail){ 0, FAKE_FOREVER, FAKE_INVALID, 0 };
	boot();
	assert_false(fake_efi.exited);
	assert_false(efi_alive());
	assert_true(says("cannot be ended"));
	assert_int_equal(largest_free(MIB, 2 * GIB)->size, 384 * MIB);
	check_regions();
	no_misuse();
}

/* M19: rows behind the others are no fault, and memory.c has nothing to say of such a map. */
static void appended_rows(void **state)
{
	static struct memory m;

	(void)state;
	boot();
	assert_true(memory_init(&m, &bi, MIB, 2 * MIB, complain));
	assert_string_equal(told, "");
}

static void five_levels(void **state)
{
	(void)state;
	fake_efi.la57 = true;
	boot();
	assert_false(efi_alive());
	assert_true(fake_efi.exited);
	assert_true(says("five levels"));
	no_misuse();
}

static void not_called(void)
{
	boot();
	assert_false(efi_alive());
	assert_false(fake_efi.exited);
	for (unsigned i = 0; i < FAKE_SERVICES; i++)
		assert_int_equal(fake_efi.calls[i], 0);
}

/* A firmware of the other width cannot be called: not even to be ended. */
static void other_width(void **state)
{
	(void)state;
	fake_efi.bits = 32;
	not_called();
}

/* No MSR is read that the CPU does not have. */
static void no_pat(void **state)
{
	(void)state;
	fake_efi.no_pat = true;
	boot();
	assert_true(efi_alive());
	assert_int_equal(efi_key(), 0);
	no_misuse();
}

static void ended_services(void **state)
{
	(void)state;
	fake_efi.ended = true;
	not_called();
}

extern const uint8_t kernel_start[];

static void set_kernel_type(uint32_t type)
{
	for (unsigned i = 0; i < fake_efi.nmap; i++)
		if (fake_efi.map[i].start == (uintptr_t)kernel_start)
			fake_efi.map[i].type = type;
}

/* M4: what is allocated for the kernel's code can be executed. */
static void place_of_the_kernel(void **state)
{
	(void)state;
	fake_efi.nx_data = true;
	set_kernel_type(7);
	boot();
	assert_true(efi_alive());
	assert_int_equal(fake_efi.given[0].start, (uintptr_t)kernel_start);
	assert_false(fake_efi.kernel_is_nx);
	no_misuse();

	reset(state);
	set_kernel_type(6); /* of the firmware */
	boot();
	assert_false(efi_alive());
	assert_true(says("the kernel lies in its memory"));
	no_misuse();
}

/* ---- The file ---- */

static void reasons(void **state)
{
	static const struct {
		enum fake_service service;
		uint64_t status;
		const char *why;
	} rows[] = {
		{ FAKE_OPEN, FAKE_NOT_FOUND, "this medium has no CPL0.LOG" },
		{ FAKE_OPEN, FAKE_WRITE_PROTECTED, "the medium is write-protected" },
		{ FAKE_OPEN_VOLUME, FAKE_NO_MEDIA, "the medium is missing or not ready" },
		{ FAKE_HANDLE_PROTOCOL, FAKE_MEDIA_CHANGED, "the medium was changed" },
		{ FAKE_GET_POSITION, FAKE_DEVICE_ERROR,
		  "the firmware reports an error of the medium" },
	};
	uint32_t sectors;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		reset(state);
		fake_efi.fail[rows[i].service] =
			(struct fake_fail){ 0, FAKE_FOREVER, rows[i].status, 0 };
		boot();
		assert_true(efi_alive());
		assert_string_equal(efi_open(&sectors), rows[i].why);
		no_misuse();
	}
	reset(state);
	fake_efi.media[0].size = 511;
	boot();
	assert_string_equal(efi_open(&sectors),
	                    "CPL0.LOG is empty: it must be as the image of the stick has it");
}

static void transfers(void **state)
{
	uint32_t sectors;

	(void)state;
	boot();
	know_apic();
	assert_null(efi_open(&sectors));
	assert_int_equal(sectors, FAKE_FILE / 512);
	memset(data, 'x', sizeof(data));
	assert_null(efi_transfer(true, 3, 2, data));
	assert_int_equal(fake_efi.media[0].bytes[3 * 512 - 1], 0);
	assert_int_equal(fake_efi.media[0].bytes[3 * 512], 'x');
	assert_int_equal(fake_efi.media[0].bytes[5 * 512 - 1], 'x');
	assert_int_equal(fake_efi.media[0].bytes[5 * 512], 0);
	assert_null(efi_transfer(false, 2, 2, data));
	assert_int_equal(data[0], 0);
	assert_int_equal(data[512], 'x');
	assert_int_equal(fake_efi.calls[FAKE_FLUSH], 1);

	/* The file was cut meanwhile. */
	fake_efi.media[0].size = 4 * 512;
	assert_string_equal(efi_transfer(false, 3, 2, data), "CPL0.LOG is shorter than it was");
	fake_efi.media[0].size = FAKE_FILE;
	fake_efi.short_transfers = true;
	assert_string_equal(efi_transfer(true, 3, 2, data),
	                    "the firmware wrote less than it was told to");
	fake_efi.short_transfers = false;
	fake_efi.fail[FAKE_FLUSH] = (struct fake_fail){ 1, 1, FAKE_DEVICE_ERROR, 100 };
	assert_null(efi_transfer(true, 3, 2, data));
	assert_string_equal(efi_transfer(true, 3, 2, data),
	                    "the firmware reports an error of the medium");
	assert_null(efi_transfer(true, 3, 2, data));
	no_misuse();
}

/* Pulled and put back: old handles are stale, and the file is opened again. */
static void pulled(void **state)
{
	uint32_t sectors;

	(void)state;
	boot();
	know_apic();
	assert_null(efi_open(&sectors));
	assert_null(efi_transfer(true, 0, 1, data));
	fake_efi_pull(0);
	assert_string_equal(efi_transfer(true, 0, 1, data), "the medium is missing or not ready");
	assert_string_equal(efi_open(&sectors), "the medium is missing or not ready");
	fake_efi_plug(0);
	assert_string_equal(efi_transfer(true, 0, 1, data), "the medium is missing or not ready");
	assert_null(efi_open(&sectors));
	assert_null(efi_transfer(true, 0, 1, data));

	/* Another one that has the file is as good. */
	fake_efi_pull(0);
	fake_efi.media[1].has_file = true;
	fake_efi.media[1].size = 4096;
	fake_efi_plug(1);
	assert_null(efi_open(&sectors));
	assert_int_equal(sectors, 8);
	no_misuse();
}

/* The boot medium is opened again while it is there, wherever others stand in the list. */
static void boot_medium_first(void **state)
{
	uint32_t first, sectors;

	(void)state;
	fake_efi.media[1].has_file = true;
	fake_efi.media[1].size = 4096;
	fake_efi_plug(1);
	boot();
	know_apic();
	assert_null(efi_open(&first));
	for (unsigned i = 0; i < 3; i++) {
		assert_null(efi_open(&sectors));
		assert_int_equal(sectors, first);
	}
	assert_int_not_equal(first, 8);
	no_misuse();
}

/* ---- Interrupts and keys ---- */

/* M3: the one-shot timer's interrupt waits while the kernel measures, and nobody swallows it. */
static void one_shot_timer(void **state)
{
	(void)state;
	boot();
	fake_efi_pass(20000); /* before the kernel has its own tables */
	know_apic();
	assert_int_equal(fake.apic.regs[APIC_TASK_PRIORITY / 16], irqmask_priority());
	watchdog_init(0, false);
	assert_true(apic_bit(APIC_IRR, FAKE_VECTOR));
	fake_efi_press(0, 'q');
	assert_int_equal(efi_key(), 'q');
	fake_efi_pass(3600000000);
	fake_efi_press(0x01, 0);
	assert_int_equal(efi_key(), 0x4800);
	fake_efi_press(0x17, 0);
	assert_int_equal(efi_key(), 27);
	assert_int_equal(efi_key(), 0);
	assert_true(fake_efi.ticks > 3);
	assert_int_equal(fake.apic.regs[APIC_TASK_PRIORITY / 16], irqmask_priority());
	no_misuse();
}

/* What the firmware has not ended would keep our timer out. */
static void in_service(void **state)
{
	(void)state;
	boot();
	know_apic();
	fake.apic.regs[APIC_ISR / 16 + FAKE_VECTOR / 32] = 1u << FAKE_VECTOR % 32;
	watchdog_init(0, false);
	assert_false(apic_bit(APIC_ISR, FAKE_VECTOR));
}

/* A letter that ASCII lacks is not the one with the same low bits: ù is not y. */
static void other_letters(void **state)
{
	(void)state;
	boot();
	know_apic();
	fake_efi_press(0, 0xf9);
	assert_int_equal(efi_key(), 0);
	fake_efi_press(0, 'y');
	assert_int_equal(efi_key(), 'y');
	fake_efi_press(0x48, 0); /* no key of ours */
	assert_int_equal(efi_key(), 0);
}

static void no_keyboard(void **state)
{
	(void)state;
	fake_efi.no_console = true;
	boot();
	know_apic();
	assert_int_equal(efi_key(), 0);
	no_misuse();
}

/* ---- Any faults ---- */

static bool wanted_to_stay(void)
{
	return strstr(fake_efi.cmdline, "logfile") && !strstr(fake_efi.cmdline, "save=off");
}

/* What the firmware refuses has a reason, and a reason has a refusal or bytes that are missing. */
static const char *transfer(bool write, uint32_t first, unsigned count)
{
	unsigned refused = fake_efi.refused;
	const char *why = efi_transfer(write, first, count, data);

	assert_int_equal(why != NULL, fake_efi.refused != refused || fake_efi.short_transfers);
	return why;
}

/* A file that is used once it is open, until the first error. */
static void use_file(void)
{
	uint32_t sectors;
	const char *why = efi_open(&sectors);

	for (uint32_t i = 0; !why && i < 20 && i + 8 <= sectors; i++) {
		memset(data, (int)i, sizeof(data));
		why = transfer(true, i, 1 + i % 8);
		if (!why)
			why = transfer(false, i, 1);
		if (!why)
			assert_int_equal(data[0], i);
	}
	for (unsigned tries = 0; why && tries < 2; tries++)
		why = efi_open(&sectors);
	efi_key();
}

static void any_faults(void **state)
{
	static struct memory m;

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		reset(state);
		fake_efi_draw(seed);
		boot();
		check_regions();
		assert_true(!efi_alive() || !fake_efi.exited);
		assert_true(efi_alive() || fake_efi.exited || says("cannot be ended"));
		assert_true(efi_alive() || !wanted_to_stay() || says("nothing is saved"));
		memory_init(&m, &bi, MIB, 2 * MIB, accept);
		know_apic();
		if (efi_alive())
			use_file();
		if (fake_efi.misuse)
			fail_msg("seed %u: %s", seed, fake_efi.why);
	}
}

static void forget(const char *line, size_t n)
{
	(void)line;
	(void)n;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(memory_for_all, reset),
		cmocka_unit_test_setup(one_page_below_1m, reset),
		cmocka_unit_test_setup(a_rest_for_the_firmware, reset),
		cmocka_unit_test_setup(nothing_below_2g, reset),
		cmocka_unit_test_setup(limits_ignored, reset),
		cmocka_unit_test_setup(special_memory, reset),
		cmocka_unit_test_setup(long_maps, reset),
		cmocka_unit_test_setup(map_grows, reset),
		cmocka_unit_test_setup(no_map, reset),
		cmocka_unit_test_setup(exit_refused, reset),
		cmocka_unit_test_setup(appended_rows, reset),
		cmocka_unit_test_setup(five_levels, reset),
		cmocka_unit_test_setup(other_width, reset),
		cmocka_unit_test_setup(ended_services, reset),
		cmocka_unit_test_setup(no_pat, reset),
		cmocka_unit_test_setup(place_of_the_kernel, reset),
		cmocka_unit_test_setup(reasons, reset),
		cmocka_unit_test_setup(transfers, reset),
		cmocka_unit_test_setup(pulled, reset),
		cmocka_unit_test_setup(boot_medium_first, reset),
		cmocka_unit_test_setup(one_shot_timer, reset),
		cmocka_unit_test_setup(in_service, reset),
		cmocka_unit_test_setup(other_letters, reset),
		cmocka_unit_test_setup(no_keyboard, reset),
		cmocka_unit_test_setup(any_faults, reset),
	};

	log_sink(forget);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
