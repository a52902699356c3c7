/*
 * In a guest a watch goes on for the next samples. The machine of these tests counts the accesses
 * to its timer, and its time moves on order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/apic.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/chipset/pic.h"
#include "kernel/chipset/pit.h"
#include "kernel/lib/log.h"
#include "kernel/trap/watchdog.h"
#include "tests/unit/support/fake_machine.h"

#define TSC_HZ 1000000000ull
#define MS     (TSC_HZ / 1000)

struct fake_machine fake;
static unsigned starts; /* of the 8254 */
static struct trap_hooks hooks;

/* ---- The machine ---- */

void pit_count(uint16_t count)
{
	(void)count;
	starts++;
}

void pit_stop(void)
{
}

static bool no_pic;

bool pic_present(void)
{
	return !no_pic;
}

enum apic_mode apic_mode(void)
{
	return APIC_OFF;
}

struct trap_hooks *trap_hooks(void)
{
	return &hooks;
}

const char *apic_mode_name(void)
{
	return "off";
}

trap_fn trap_on_vector(uint8_t vector, trap_fn handler)
{
	(void)vector;
	return handler;
}

bool trap_abandon(struct trap_frame *f)
{
	(void)f;
	return false;
}

bool pic_is_kept(void)
{
	return false;
}

int pic_poll(void)
{
	return -1;
}

void pic_init(void)
{
}

void pic_end(void)
{
}

void pic_allow(uint8_t lines)
{
	(void)lines;
}

bool apic_bit(uint32_t bits, unsigned vector)
{
	(void)bits;
	(void)vector;
	return false;
}

uint32_t apic_read(uint32_t offset)
{
	(void)offset;
	return 0;
}

void apic_write(uint32_t offset, uint32_t v)
{
	(void)offset;
	(void)v;
}

uint32_t irqmask_priority(void)
{
	return 0;
}

void log_begin(const char *kind)
{
	(void)kind;
}

void log_end(void)
{
}

void log_str(const char *key, const char *value)
{
	(void)key;
	(void)value;
}

void log_dec(const char *key, uint64_t value)
{
	(void)key;
	(void)value;
}

void log_hex(const char *key, uint64_t value)
{
	(void)key;
	(void)value;
}

void log_bool(const char *key, bool value)
{
	(void)key;
	(void)value;
}

void log_warn(const char *what, const char *culprit, const char *why)
{
	(void)what;
	(void)culprit;
	(void)why;
}

/* ---- Claims ---- */

static const char *const code = "code", *const other = "other";

static void begin(bool guest)
{
	no_pic = false;
	watchdog_stop();
	watchdog_init(TSC_HZ, guest);
	fake.tsc = 1000;
	starts = 0;
	watchdog_start(1000, code, false);
	assert_int_equal(starts, 1);
}

/* How often the timer starts for a sample that begins `ms` behind the one before. */
static unsigned again(unsigned ms, uint32_t limit, const char *what, bool stubborn)
{
	fake.tsc += ms * MS;
	starts = 0;
	watchdog_start(limit, what, stubborn);
	return starts;
}

static unsigned let_in;

static void count_sti(void)
{
	let_in++;
}

static void goes_on_in_a_guest(void **state)
{
	(void)state;
	begin(true);
	assert_int_equal(again(1, 1000, code, false), 0);
	assert_int_equal(again(18, 1000, code, false), 0);
	assert_int_equal(again(1, 1000, code, false), 1); /* 20 ms */
	let_in = 0;
	fake.sti = count_sti;
	assert_int_equal(again(19, 1000, code, false), 0);
	assert_int_equal(let_in, 1); /* the code may have turned interrupts off */
	fake.sti = NULL;
	assert_int_equal(again(0, 70000, code, false), 1);
	assert_int_equal(again(1, 70000, code, false), 0); /* a limit that is cut, too */
}

static void ends_by_a_sixteenth_early_at_most(void **state)
{
	(void)state;
	begin(true);
	assert_int_equal(again(0, 160, code, false), 1);
	assert_int_equal(again(9, 160, code, false), 0);
	assert_int_equal(again(1, 160, code, false), 1);
	assert_int_equal(again(0, 15, code, false), 1); /* no sixteenth that is a millisecond */
	assert_int_equal(again(0, 15, code, false), 1);
}

static void other_code_has_its_own(void **state)
{
	(void)state;
	begin(true);
	assert_int_equal(again(1, 1000, other, false), 1);
	assert_int_equal(again(1, 999, other, false), 1);
	assert_int_equal(again(1, 999, other, true), 1);
	assert_int_equal(again(1, 999, other, true), 1); /* stubborn: never goes on */
	assert_int_equal(again(1, 999, other, false), 1);
	watchdog_stop();
	assert_int_equal(again(1, 999, other, false), 1);
}

static void starts_each_time_elsewhere(void **state)
{
	(void)state;
	begin(false);
	assert_int_equal(again(1, 1000, code, false), 1);
	assert_int_equal(again(0, 1000, code, false), 1);
}

/* Without a timer nothing goes on, and interrupts stay out. */
static void no_timer(void **state)
{
	(void)state;
	no_pic = true;
	watchdog_init(TSC_HZ, true);
	let_in = 0;
	fake.tsc = 1000;
	fake.sti = count_sti;
	watchdog_start(1000, code, false);
	watchdog_start(1000, code, false);
	assert_int_equal(let_in, 0);
	fake.sti = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_timer), /* the first: a timer that is found stays */
		cmocka_unit_test(goes_on_in_a_guest),
		cmocka_unit_test(ends_by_a_sixteenth_early_at_most),
		cmocka_unit_test(other_code_has_its_own),
		cmocka_unit_test(starts_each_time_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
