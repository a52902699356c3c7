/*
 * kernel/chipset/power.c on registers of a test: which ports power-off writes, in which order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/power.h"
#include "tests/unit/support/fake_machine.h"

enum { A = 0x404, B = 0x444, SMI = 0xb2, SCI_EN = 1 };

static uint16_t value[2]; /* of PM1a and PM1b */
static struct {
	uint16_t port, v;
} wrote[8];
static unsigned writes, smi;

uint8_t fake_in(uint16_t port)
{
	assert_int_equal(port, 0x80);
	return 0xff;
}

void fake_out(uint16_t port, uint8_t v)
{
	assert_int_equal(port, SMI);
	smi = v;
	value[0] |= SCI_EN;
}

uint16_t fake_in16(uint16_t port)
{
	assert_true(port == A || port == B);
	return value[port == B];
}

void fake_out16(uint16_t port, uint16_t v)
{
	assert_true(writes < sizeof(wrote) / sizeof(wrote[0]));
	wrote[writes].port = port;
	wrote[writes++].v = v;
	value[port == B] = v;
}

static int start(void **state)
{
	(void)state;
	value[0] = SCI_EN | 2 << 10 | 0x200;
	value[1] = 1 << 10;
	writes = smi = 0;
	return 0;
}

static void assert_wrote(unsigned i, uint16_t port, uint16_t v)
{
	assert_int_equal(wrote[i].port, port);
	assert_int_equal(wrote[i].v, v);
}

static void test_one_register(void **state)
{
	const struct acpi acpi = { .pm1a_cnt = A, .slp_typ_s5 = 5, .slp_typ_s5b = 7 };

	(void)state;
	assert_true(power_is_known(&acpi));
	power_off(&acpi);
	assert_int_equal(writes, 2);
	assert_wrote(0, A, 0x201 | 5 << 10);
	assert_wrote(1, A, 0x2201 | 5 << 10);
	assert_int_equal(smi, 0);
}

/*
 * Both parts of a split register, each with a type of its own, and both before either is enabled.
 */
static void test_two_registers(void **state)
{
	struct acpi acpi = { .pm1a_cnt = A, .pm1b_cnt = B, .slp_typ_s5 = 5, .slp_typ_s5b = 0 };

	(void)state;
	power_off(&acpi);
	assert_int_equal(writes, 4);
	assert_wrote(0, A, 0x201 | 5 << 10);
	assert_wrote(1, B, 0);
	assert_wrote(2, A, 0x2201 | 5 << 10);
	assert_wrote(3, B, 0x2000);
	start(NULL);
	acpi.slp_typ_s5b = 0xff; /* the tables name one type */
	power_off(&acpi);
	assert_wrote(3, B, 0x2000 | 5 << 10);
}

static void test_enables_acpi(void **state)
{
	const struct acpi acpi = { .pm1a_cnt = A,
		                   .slp_typ_s5 = 5,
		                   .slp_typ_s5b = 0xff,
		                   .smi_cmd = SMI,
		                   .acpi_enable = 0xa0 };

	(void)state;
	value[0] = 0;
	power_off(&acpi);
	assert_int_equal(smi, 0xa0);
	assert_wrote(1, A, 0x2001 | 5 << 10);
}

static void test_unknown(void **state)
{
	const struct acpi none = { .slp_typ_s5 = 5 },
			  no_type = { .pm1a_cnt = A, .slp_typ_s5 = 0xff };

	(void)state;
	assert_false(power_is_known(NULL));
	assert_false(power_is_known(&none));
	assert_false(power_is_known(&no_type));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_one_register, start),
		cmocka_unit_test_setup(test_two_registers, start),
		cmocka_unit_test_setup(test_enables_acpi, start),
		cmocka_unit_test_setup(test_unknown, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
