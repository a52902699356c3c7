/*
 * kernel/console/uart.c on a fake 16550 and its relatives, healthy and broken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/console/uart.h"
#include "tests/unit/support/fake_machine.h"

#define LINE "result bench=x tsc=100000 #7:1a2b\n"
#define SENT "result bench=x tsc=100000 #7:1a2b\r\n"

static struct uart port(uint32_t baud)
{
	return (struct uart){ .stride = 1, .address = 0x3f8, .baud = baud, .clock = UART_PC_CLOCK };
}

static struct fake_uart *com1(enum fake_model model)
{
	struct fake_uart *f = &fake.uarts[0];

	fake_reset();
	f->present = true;
	f->address = 0x3f8;
	f->model = model;
	f->latency = 3;
	return f;
}

static void test_kinds(void **state)
{
	static const struct {
		enum fake_model model;
		const char *kind;
		unsigned fifo;
	} rows[] = {
		{ FAKE_8250, "8250", 1 },
		{ FAKE_16450, "16450", 1 },
		{ FAKE_16550, "16550", 1 },
		{ FAKE_16550A, "16550a", 16 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake_uart *f = com1(rows[i].model);
		struct uart u = port(9600);

		assert_null(uart_open(&u));
		assert_string_equal(u.kind, rows[i].kind);
		assert_int_equal(u.fifo, rows[i].fifo);
		assert_int_equal(f->dll | f->dlm << 8, 12);
		assert_int_equal(f->lcr, 0x03);
		assert_int_equal(f->ier, 0);
		assert_int_equal(f->mcr, 0x03);
		assert_int_equal(f->fcr & 1, rows[i].model == FAKE_16550A);
		for (unsigned n = 0; n < 10; n++)
			uart_write(&u, LINE, strlen(LINE));
		uart_drain(&u);
		assert_int_equal(f->queued, 0);
		assert_int_equal(f->nout, 10 * strlen(SENT));
		assert_memory_equal(f->out, SENT SENT, 2 * strlen(SENT));
		assert_int_equal(f->overruns, 0);
		assert_int_equal(u.dropped, 0);
	}
}

/* The FIFO must be used: 16 bytes a wait, not one. */
static void test_fifo_is_used(void **state)
{
	struct fake_uart *f = com1(FAKE_16550A);
	struct uart u = port(115200);
	unsigned before;

	(void)state;
	assert_null(uart_open(&u));
	uart_drain(&u);
	before = f->status_reads;
	uart_write(&u, "0123456789abcdef0123456789abcdef", 32);
	assert_true(f->status_reads - before <= 1 + f->latency + 1);
	assert_int_equal(f->overruns, 0);
}

static void test_baud_left_alone(void **state)
{
	struct fake_uart *f = com1(FAKE_16550A);
	struct uart u = port(0);

	(void)state;
	f->lcr = 0x9b; /* with the divisor latch open */
	f->dll = 0x34;
	f->dlm = 0x12;
	assert_null(uart_open(&u));
	assert_int_equal(f->dll, 0x34);
	assert_int_equal(f->dlm, 0x12);
	assert_int_equal(f->lcr, 0x03);
}

static void test_absent(void **state)
{
	struct uart u = port(115200);

	(void)state;
	fake_reset();
	assert_ptr_equal(uart_open(&u), uart_absent);
	assert_int_equal(fake.wild_port_writes, 0);
	fake.empty_bus = 0;
	assert_ptr_equal(uart_open(&u), uart_absent);
}

/* Scratch register or loopback: either is enough, neither is not. */
static void test_signs_of_life(void **state)
{
	struct uart u = port(115200);

	(void)state;
	com1(FAKE_16450)->no_modem = true;
	assert_null(uart_open(&u));
	com1(FAKE_8250)->no_modem = true;
	assert_non_null(uart_open(&u));
	assert_ptr_not_equal(uart_open(&u), uart_absent);
}

static void test_stuck_loopback(void **state)
{
	struct uart u = port(115200);

	(void)state;
	com1(FAKE_16550A)->stuck_loop = true;
	assert_string_equal(uart_open(&u), "stuck in loopback");
}

static void test_never_ready(void **state)
{
	struct fake_uart *f = com1(FAKE_16550A);
	struct uart u = port(115200);

	(void)state;
	f->never_ready = true;
	assert_string_equal(uart_open(&u), "never ready to send");
	assert_true(f->status_reads < 1000000);
}

/* A port that dies in the middle costs one wait, counts what is lost, and comes back clean. */
static void test_stall(void **state)
{
	struct fake_uart *f = com1(FAKE_16550A);
	struct uart u = port(115200);
	unsigned after_one;

	(void)state;
	assert_null(uart_open(&u));
	uart_write(&u, LINE, strlen(LINE));
	uart_drain(&u);
	f->never_ready = true;
	uart_write(&u, LINE, strlen(LINE));
	assert_true(u.stalled);
	assert_int_equal(u.dropped, strlen(SENT));
	after_one = f->status_reads;
	for (unsigned i = 0; i < 100; i++)
		uart_write(&u, LINE, strlen(LINE));
	uart_drain(&u);
	assert_int_equal(u.dropped, 101 * strlen(SENT));
	assert_true(f->status_reads - after_one <= 100);

	f->never_ready = false;
	uart_write(&u, LINE, strlen(LINE));
	assert_false(u.stalled);
	assert_string_equal(fake_output(0), SENT "\r\n" SENT);
	assert_int_equal(u.dropped, 101 * strlen(SENT));
}

static void test_dropped_saturates(void **state)
{
	struct fake_uart *f = com1(FAKE_16550A);
	struct uart u = port(115200);

	(void)state;
	assert_null(uart_open(&u));
	f->never_ready = true;
	u.stalled = true;
	u.dropped = UINT32_MAX - 1;
	uart_write(&u, LINE, strlen(LINE));
	assert_int_equal(u.dropped, UINT32_MAX);
}

static void test_mmio(void **state)
{
	(void)state;
	for (unsigned stride = 1; stride <= 4; stride += 3) {
		struct fake_uart *f = com1(FAKE_16550A);
		struct uart u = { .mmio = true,
			          .stride = (uint8_t)stride,
			          .address = 0xfe032000,
			          .baud = 115200,
			          .clock = UART_PC_CLOCK };

		f->mmio = true;
		f->stride = stride;
		f->address = 0xfe032000;
		assert_null(uart_open(&u));
		uart_write(&u, LINE, strlen(LINE));
		assert_string_equal(fake_output(0), SENT);
		assert_int_equal(f->dll | f->dlm << 8, 1);
		assert_int_equal(fake.wild_writes, 0);
	}
}

/* Divisors as the data sheets of the chips have them; 0 where a rate would be off by more. */
static void test_divisor(void **state)
{
	static const struct {
		uint32_t clock, baud;
		uint16_t divisor;
	} rows[] = {
		{ 1843200, 115200, 1 },
		{ 1843200, 9600, 12 },
		{ 1843200, 300, 384 },
		{ 1843200, 2, 57600 },
		{ 48000000, 115200, 26 },
		{ 100000000, 115200, 54 },
		{ 14745600, 115200, 8 },
		{ 14745600, 921600, 1 },
		{ 120000000, 3000000, 0 },
		{ 48000000, 3000000, 1 },
		{ 48000000, 2000000, 0 },
		{ 1843200, 230400, 0 },
		{ 1843200, 7000, 0 },
		{ 1843200, 31250, 0 },
		{ 1843200, 1, 0 },
		{ 1843200, 0, 0 },
		{ 0, 115200, 0 },
		{ 1843200, UINT32_MAX, 0 },
		{ UINT32_MAX, 115200, 2330 },
		{ 15, 1, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(uart_divisor(rows[i].clock, rows[i].baud), rows[i].divisor);
}

/* A crystal of another frequency, an unknown one, and a rate that it cannot make. */
static void test_clock(void **state)
{
	static const struct {
		uint32_t clock, baud;
		unsigned divisor; /* 1234h: as the firmware left it */
		uint32_t told;
	} rows[] = {
		{ 48000000, 115200, 26, 115200 },
		{ 0, 115200, 0x1234, 0 },
		{ 48000000, 2000000, 0x1234, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake_uart *f = com1(FAKE_16550A);
		struct uart u = port(rows[i].baud);

		f->dll = 0x34;
		f->dlm = 0x12;
		u.clock = rows[i].clock;
		assert_null(uart_open(&u));
		assert_int_equal(f->dll | f->dlm << 8, rows[i].divisor);
		assert_int_equal(u.baud, rows[i].told);
		assert_int_equal(f->lcr, 0x03);
	}
}

/* A port that is not taken is as it was, whatever was found out last. */
static void test_put_back(void **state)
{
	enum { ABSENT, NO_SIGN, LOOP, BUSY, DEFECTS };

	(void)state;
	for (unsigned i = 0; i < 2 * DEFECTS; i++) {
		struct fake_uart *f = com1(i % DEFECTS == NO_SIGN ? FAKE_8250 : FAKE_16550A), was;
		struct uart u = port(9600);

		f->lcr = i < DEFECTS ? 0x1b : 0x9b; /* even parity; divisor latch closed, open */
		f->ier = 0x05;
		f->mcr = i % DEFECTS == LOOP ? 0x1b : 0x0b;
		f->fcr = i < DEFECTS;
		f->scr = f->model == FAKE_8250 ? 0xff : 0x77; /* the 8250 has none */
		f->dll = 0x34;
		f->dlm = 0x12;
		f->no_interrupts = i % DEFECTS == ABSENT;
		f->no_modem = i % DEFECTS == NO_SIGN;
		f->stuck_loop = i % DEFECTS == LOOP;
		f->never_ready = i % DEFECTS == BUSY;
		was = *f;
		assert_non_null(uart_open(&u));
		assert_true(f->writes > was.writes);
		assert_int_equal(f->lcr, was.lcr);
		assert_int_equal(f->ier, was.ier);
		assert_int_equal(f->mcr, was.mcr);
		assert_int_equal(f->fcr & 1, was.fcr & 1);
		assert_int_equal(f->scr, was.scr);
		assert_int_equal(f->dll, was.dll);
		assert_int_equal(f->dlm, was.dlm);
		assert_int_equal(f->nout, 0);
	}
}

/* Memory of any content is not taken for a port, and is as it was. */
static void test_memory(void **state)
{
	uint32_t seed = 23;
	uint8_t was[sizeof(fake.text)];

	(void)state;
	fake_reset();
	for (unsigned n = 0; n < 2000; n++) {
		struct uart u = { .mmio = true,
			          .stride = n % 2 ? 4 : 1,
			          .address = 0xb8000,
			          .baud = 115200,
			          .clock = UART_PC_CLOCK };

		for (unsigned i = 0; i < 64; i++) {
			seed = seed * 1664525 + 1013904223;
			((uint8_t *)fake.text)[i] = (uint8_t)(seed >> 24);
		}
		memcpy(was, fake.text, sizeof(was));
		assert_non_null(uart_open(&u));
		assert_memory_equal(fake.text, was, sizeof(was));
	}
	assert_int_equal(fake.wild_writes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_fifo_is_used),
		cmocka_unit_test(test_baud_left_alone),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_signs_of_life),
		cmocka_unit_test(test_stuck_loopback),
		cmocka_unit_test(test_never_ready),
		cmocka_unit_test(test_stall),
		cmocka_unit_test(test_dropped_saturates),
		cmocka_unit_test(test_mmio),
		cmocka_unit_test(test_divisor),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_put_back),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
