/*
 * The PC with a BIOS (tests/unit/support/fake_bios.h). Sources: Ralf Brown's Interrupt List,
 * release 61; Enhanced Disk Drive specification 3.0; Intel 8259A and 8254 data sheets; IBM PC/AT
 * Technical Reference (BIOS data area, INT 8, INT 9).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/pit.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/firmware/bios.h"
#include "tests/unit/support/fake_bios.h"
#include "tests/unit/support/fake_machine.h"

enum {
	BDA = 0x400,
	BDA_EBDA = BDA + 0x0e,
	BDA_BASE_KB = BDA + 0x13,
	BDA_KEY_HEAD = BDA + 0x1a,
	BDA_KEY_TAIL = BDA + 0x1c,
	BDA_KEYS = 0x1e, /* 16 words */
	BDA_KEYS_END = 0x3e,
	BDA_CALIBRATED = BDA + 0x3e,
	BDA_MOTOR = BDA + 0x3f,
	BDA_COUNTDOWN = BDA + 0x40,
	BDA_TICKS = BDA + 0x6c,
	EBDA = 0x9fc00,
	MOTOR_TICKS = 37,
	DOR_RUN = 0x0c,
	DOR_MOTOR = 0x10,
	TICK_US = 54925,
	CALL_US = 100,
	ACCESS_US = 20000,
	SPIN_UP_US = 500000,
	KEY_EVENTS = 64,
	TSC_PER_US = 100,
};

struct fake_machine fake;
struct fake_bios fake_bios;

/* boot/real.S is not entered: its copy may be anything. */
asm(".section .rodata\n\t.globl real_code, real_code_end\n"
    "real_code:\n\t.skip 64, 0x90\nreal_code_end:\n\t.previous");

void real_call(void);

struct pic {
	uint8_t mask, requests, service, vectors, lines; /* lines: as the edge sense knows them */
	unsigned icw;                                    /* the next initialization word */
	bool read_service;
};

struct key_event {
	uint64_t us;
	uint8_t byte;
};

static struct {
	enum fake_drive kind;
	struct pic pic[2];
	bool ticking;     /* channel 0 */
	uint64_t tick_us; /* the next tick */
	struct key_event key[KEY_EVENTS];
	unsigned keys,
		next_key; /* those that have not reached the controller are behind next_key */
	bool full;        /* port 60h has a byte */
	uint8_t byte;
	uint16_t by_tick[4];
	unsigned nby_tick, next_by_tick;
	bool from_mouse;
	uint16_t latch; /* of channel 2 */
	bool high;
	bool changed;               /* the change line */
	bool turning;               /* the floppy does */
	unsigned transfers, failed; /* of the transfer that is being tried */
	uint32_t failed_at;
	bool apm_connected, apm_enabled;
	struct fake_medium *first;
	bool may_die;
	jmp_buf death;
	uint8_t bda[0x100], ebda[0x400]; /* as the BIOS left them */
} pc;

/* ---- Memory, media, keys ---- */

void fake_medium_init(struct fake_medium *m, uint32_t sectors)
{
	*m = (struct fake_medium){ .sectors = sectors,
		                   .data = malloc((size_t)sectors * FAKE_SECTOR),
		                   .bad = calloc(sectors, 1) };
	assert_true(m->data && m->bad);
	memset(m->data, 0xe5, (size_t)sectors * FAKE_SECTOR);
}

void fake_medium_free(struct fake_medium *m)
{
	free(m->data);
	free(m->bad);
	*m = (struct fake_medium){ 0 };
}

static void put16(uint32_t at, uint16_t v)
{
	memcpy(fake_bios.low + at, &v, 2);
}

static uint16_t get16(uint32_t at)
{
	uint16_t v;

	memcpy(&v, fake_bios.low + at, 2);
	return v;
}

/* The BIOS's own memory, for the next call to find it as it is now. */
static void remember(void)
{
	memcpy(pc.bda, fake_bios.low + BDA, sizeof(pc.bda));
	memcpy(pc.ebda, fake_bios.low + EBDA, sizeof(pc.ebda));
}

void fake_bios_reset(enum fake_drive drive)
{
	memset(&pc, 0, sizeof(pc));
	memset(&fake_bios, 0, sizeof(fake_bios));
	fake.tsc = 0;
	pc.kind = drive;
	pc.pic[0].vectors = 0x08;
	pc.pic[1].vectors = 0x70;
	pc.pic[0].mask = 0xb8; /* timer, keyboard, second controller and floppy */
	pc.pic[1].mask = 0x8e;
	pc.ticking = true;
	pc.tick_us = TICK_US;
	put16(0x15 * 4 + 2, 0xf000); /* INT 15h */
	put16(BDA_EBDA, EBDA >> 4);
	put16(BDA_BASE_KB, EBDA >> 10);
	put16(BDA_KEY_HEAD, BDA_KEYS);
	put16(BDA_KEY_TAIL, BDA_KEYS);
	memset(fake_bios.low + EBDA, 0x5a, sizeof(pc.ebda));
	fake_bios.dor = DOR_RUN;
	fake_bios.cylinders = drive == FAKE_FLOPPY ? 80 : 1023;
	fake_bios.heads = drive == FAKE_FLOPPY ? 2 : 255;
	fake_bios.track = drive == FAKE_FLOPPY ? 18 : 63;
	remember();
}

void fake_bios_insert(struct fake_medium *m)
{
	fake_bios.medium = m;
	pc.changed = true;
}

void fake_bios_after_grub(void)
{
	fake_bios.faults.held_in_reset = true;
	fake_bios.dor = 0;
	pc.turning = false;
	pc.changed = false;
	fake_bios.low[BDA_CALIBRATED] |= 1;
	fake_bios.low[BDA_MOTOR] |= 1;
	fake_bios.low[BDA_COUNTDOWN] = MOTOR_TICKS;
	remember();
}

bool fake_bios_motor(void)
{
	return fake_bios.dor & DOR_MOTOR;
}

bool fake_bios_run(void (*run)(void *arg), void *arg)
{
	bool alive = !setjmp(pc.death);

	pc.may_die = alive;
	if (alive)
		run(arg);
	pc.may_die = false;
	return alive;
}

static void die(void)
{
	if (!pc.may_die)
		fail_msg("the power dies outside of fake_bios_run()");
	longjmp(pc.death, 1);
}

/* Keys repeat after half a second, 30 times a second (IBM PS/2 reference, "Keyboards"). */
void fake_bios_press(uint8_t scan, uint64_t at_us, uint64_t for_us)
{
	uint64_t t = at_us, repeat = 500000;

	do {
		if (pc.keys == KEY_EVENTS - 1)
			break;
		pc.key[pc.keys++] = (struct key_event){ t, scan };
		t += repeat;
		repeat = 33000;
	} while (t < at_us + for_us);
	pc.key[pc.keys++] = (struct key_event){ at_us + for_us, scan | 0x80 };
}

void fake_bios_key_by_tick(uint16_t key)
{
	assert_true(pc.nby_tick < sizeof(pc.by_tick) / sizeof(pc.by_tick[0]));
	pc.by_tick[pc.nby_tick++] = key;
}

/* ---- Interrupt controllers and time ---- */

/* A request is a line that rises; initialization forgets requests and edges (8259A, ICW1). */
static void set_line(unsigned line, bool high)
{
	struct pic *p = &pc.pic[line / 8];
	uint8_t bit = (uint8_t)(1 << line % 8);

	if (high && !(p->lines & bit))
		p->requests |= bit;
	if (!high)
		p->requests &= (uint8_t)~bit;
	p->lines = high ? p->lines | bit : p->lines & (uint8_t)~bit;
}

static void pic_out(struct pic *p, bool data, uint8_t v)
{
	if (!data && v & 0x10) { /* ICW1: a line that is high now has had its edge */
		*p = (struct pic){ .lines = p->lines, .icw = 2, .mask = 0 };
	} else if (!data) {
		if (v & 0x08)
			p->read_service = v & 1;
		else
			p->service &= (uint8_t)(p->service - 1); /* non-specific EOI */
	} else if (p->icw) {
		if (p->icw == 2)
			p->vectors = v;
		p->icw = p->icw == 4 ? 0 : p->icw + 1;
	} else {
		p->mask = v;
	}
}

/* Bytes of the keyboard that were sent until now reach the controller one after the other. */
static void pass(uint64_t us)
{
	fake_bios.us += us;
	fake.tsc = fake_bios.us * TSC_PER_US;
	if (!pc.full && fake_bios.faults.mouse_at_us &&
	    fake_bios.us >= fake_bios.faults.mouse_at_us) {
		fake_bios.faults.mouse_at_us = 0;
		pc.full = pc.from_mouse = true;
		pc.byte = FAKE_KEY_N; /* it would be this key if it came from the keyboard */
	}
	if (!pc.full && pc.next_key < pc.keys && pc.key[pc.next_key].us <= fake_bios.us) {
		pc.byte = pc.key[pc.next_key++].byte;
		pc.full = true;
		set_line(1, true);
	}
}

uint8_t fake_in(uint16_t port)
{
	uint8_t v = 0xff;

	pass(1);
	switch (port) {
	case 0x20:
	case 0xa0:
		v = pc.pic[port >> 7].read_service ? pc.pic[port >> 7].service
		                                   : pc.pic[port >> 7].requests;
		break;
	case 0x21:
	case 0xa1:
		v = pc.pic[port >> 7].mask;
		break;
	case 0x60:
		v = pc.byte;
		pc.full = pc.from_mouse = false;
		set_line(1, false);
		pass(0);
		break;
	case 0x64:
		v = 0x14 | pc.full | (pc.full && pc.from_mouse ? 0x20 : 0);
		break;
	case 0x42:
		v = (uint8_t)(pc.latch >> (pc.high ? 8 : 0));
		pc.high = !pc.high;
		break;
	case 0x3f2:
		v = fake_bios.dor;
		break;
	}
	return v;
}

void fake_out(uint16_t port, uint8_t v)
{
	pass(1);
	switch (port) {
	case 0x20:
	case 0x21:
	case 0xa0:
	case 0xa1:
		pic_out(&pc.pic[port >> 7], port & 1, v);
		break;
	case 0x43:
		if (v >> 6 == 0)
			pc.ticking = (v & 0x0e) == 0x06;
		else if (!fake_bios.faults.no_timer) /* latches channel 2, which counts down */
			pc.latch = (uint16_t) - (fake_bios.us * PIT_HZ / 1000000);
		break;
	case 0x40:
		pc.tick_us = fake_bios.us + TICK_US;
		break;
	case 0x3f2:
		fake_bios.dor = v;
		break;
	}
}

uint32_t fake_in32(uint16_t port)
{
	(void)port;
	return UINT32_MAX;
}

void fake_out32(uint16_t port, uint32_t v)
{
	(void)port;
	(void)v;
}

volatile void *fake_ptr(uintptr_t address)
{
	assert_true(address < FAKE_LOW);
	return fake_bios.low + address;
}

uint32_t fake_read(uint64_t address, unsigned size)
{
	uint32_t v = 0;

	assert_true(address + size <= FAKE_LOW);
	memcpy(&v, fake_bios.low + address, size);
	return v;
}

void fake_write(uint64_t address, unsigned size, uint32_t v)
{
	assert_true(address + size <= FAKE_LOW);
	memcpy(fake_bios.low + address, &v, size);
}

void irqmask_give(void)
{
}

void irqmask_take(void)
{
}

/* ---- The BIOS ---- */

static void put_key(uint16_t key)
{
	uint16_t tail = get16(BDA_KEY_TAIL), next = tail + 2 == BDA_KEYS_END ? BDA_KEYS : tail + 2;

	if (next == get16(BDA_KEY_HEAD))
		return;
	put16(BDA + tail, key);
	put16(BDA_KEY_TAIL, next);
}

/* INT 8: time of day, and the motor that nobody has used for two seconds. */
static void tick(void)
{
	uint8_t *count = &fake_bios.low[BDA_COUNTDOWN];

	put16(BDA_TICKS, get16(BDA_TICKS) + 1);
	if (!--*count) {
		fake_bios.low[BDA_MOTOR] &= 0xf0;
		fake_bios.dor = DOR_RUN;
		pc.turning = false;
	}
	if (pc.next_by_tick < pc.nby_tick)
		put_key(pc.by_tick[pc.next_by_tick++]);
	fake_out(0x20, 0x20);
}

static void keyboard(void)
{
	uint8_t scan;

	if (!fake_bios.faults.no_int9) {
		scan = fake_in(0x60); /* or what was read last, if nothing is there */
		fake_bios.heard += !(scan & 0x80);
		if (scan == FAKE_KEY_Y)
			put_key(FAKE_KEY_Y << 8 | 'y');
		else if (scan == FAKE_KEY_N)
			put_key(FAKE_KEY_N << 8 | 'n');
	}
	fake_out(0x20, 0x20);
}

/* Interrupts are on: what is requested and not masked comes. */
static void interrupts(void)
{
	if (pc.ticking && fake_bios.us >= pc.tick_us) {
		pc.tick_us += TICK_US;
		set_line(0, false);
		set_line(0, true);
	}
	for (unsigned line = 0; line < 2; line++) {
		struct pic *p = &pc.pic[0];

		if (!(p->requests & ~p->mask & 1 << line) || p->vectors != 0x08)
			continue;
		p->requests &= (uint8_t) ~(1 << line);
		p->service |= (uint8_t)(1 << line);
		(line ? keyboard : tick)();
	}
}

static void spend(uint64_t us)
{
	for (uint64_t n = 0; n < us; n += CALL_US) {
		pass(CALL_US);
		interrupts();
	}
}

static void set_status(struct bios_regs *r, uint8_t status)
{
	r->eax = (r->eax & 0xffff00ff) | (uint32_t)status << 8;
	r->flags = status ? r->flags | BIOS_CF : r->flags & ~(uint32_t)BIOS_CF;
}

/* Motor and controller of a floppy; 0 if the disk turns. */
static uint8_t spin(void)
{
	uint8_t *low = fake_bios.low;
	bool believed = low[BDA_MOTOR] & 1;

	low[BDA_COUNTDOWN] = MOTOR_TICKS;
	if (fake_bios.faults.held_in_reset)
		return 0x80;
	fake_bios.dor = DOR_RUN | DOR_MOTOR;
	low[BDA_MOTOR] |= 1;
	if (!believed) {
		spend(SPIN_UP_US);
		low[BDA_COUNTDOWN] = MOTOR_TICKS;
		pc.turning = true;
	} else if (!pc.turning) { /* it begins to turn, and will do so the next time */
		pc.turning = true;
		return 0x80;
	}
	return 0;
}

static void write_sector(struct fake_medium *m, uint32_t at, const uint8_t *from)
{
	const struct fake_faults *f = &fake_bios.faults;

	if (++fake_bios.written == f->power_dies_at) {
		if (f->torn == FAKE_TORN_MIX)
			memcpy(m->data[at], from, f->torn_bytes % FAKE_SECTOR);
		else
			memset(m->data[at], 0x96 + (int)at, FAKE_SECTOR);
		if (f->torn == FAKE_TORN_UNREADABLE)
			m->bad[at] = 0x10;
		die();
	}
	memcpy(m->data[at], from, FAKE_SECTOR);
	if (!(m->bad[at] & FAKE_BAD_STAYS))
		m->bad[at] = 0;
}

/* The sectors themselves, one after the other as a drive has them. */
static uint8_t move(bool write, uint32_t first, uint32_t count, uint8_t *buffer)
{
	struct fake_medium *m = fake_bios.medium;
	const struct fake_faults *f = &fake_bios.faults;

	if (write && m->is_protected)
		return 0x03;
	for (uint32_t i = 0; i < count; i++, buffer += FAKE_SECTOR) {
		uint32_t at = first + i;

		if (at >= m->sectors)
			return 0x04;
		if (write && f->write_nothing_from && fake_bios.writes >= f->write_nothing_from)
			continue;
		if (write) {
			write_sector(m, at, buffer);
			continue;
		}
		if (m->bad[at])
			return m->bad[at] & 0x7f;
		if (fake_bios.reads != f->read_nothing_at)
			memcpy(buffer, m->data[at], FAKE_SECTOR);
	}
	return 0;
}

/* What goes wrong before a sector moves. */
static uint8_t obstacle(uint32_t first)
{
	const struct fake_faults *f = &fake_bios.faults;
	uint8_t status = pc.kind == FAKE_FLOPPY ? spin() : 0;

	pc.transfers++;
	if (status)
		return status;
	if (!fake_bios.medium)
		return pc.kind == FAKE_FLOPPY ? 0x80 : 0x31;
	if (pc.changed) {
		pc.changed = false;
		if (!f->no_line && pc.kind == FAKE_FLOPPY)
			return 0x06;
	}
	if (pc.transfers <= f->first_fail)
		return f->first_status ? f->first_status : 0x80;
	if (f->fail_from && pc.transfers >= f->fail_from)
		return f->fail_status ? f->fail_status : 0x20;
	if (first != pc.failed_at)
		pc.failed = 0;
	pc.failed_at = first;
	if (pc.failed < f->each_fails) {
		pc.failed++;
		return 0x04;
	}
	pc.failed = 0;
	return 0;
}

static uint8_t transfer(bool write, uint32_t first, uint32_t count, uint32_t buffer)
{
	uint8_t status;

	*(write ? &fake_bios.writes : &fake_bios.reads) += 1;
	if (!count || buffer / 0x10000 != (buffer + count * FAKE_SECTOR - 1) / 0x10000 ||
	    buffer < REAL_BUFFER || buffer + count * FAKE_SECTOR > REAL_END)
		fail_msg("%u sectors at %xh", count, buffer);
	spend(ACCESS_US);
	status = obstacle(first);
	return status ? status : move(write, first, count, fake_bios.low + buffer);
}

static uint8_t by_geometry(bool write, const struct bios_regs *r)
{
	uint32_t heads = fake_bios.true_heads ? fake_bios.true_heads : fake_bios.heads;
	uint32_t track = fake_bios.true_track ? fake_bios.true_track : fake_bios.track;
	uint32_t cylinder = (r->ecx >> 8 & 0xff) | (r->ecx << 2 & 0x300);
	uint32_t head = r->edx >> 8 & 0xff, sector = r->ecx & 63, count = r->eax & 0xff;

	if (!sector || sector + count - 1 > track || head >= heads)
		return 0x04;
	return transfer(write, (cylinder * heads + head) * track + sector - 1, count,
	                r->es * 16u + (r->ebx & 0xffff));
}

static uint8_t extended(bool write, const struct bios_regs *r)
{
	const uint8_t *packet = fake_bios.low + r->ds * 16u + (r->esi & 0xffff);
	uint16_t count, offset, segment;
	uint64_t first;

	if (pc.kind != FAKE_DISK || packet[0] < 16)
		return 0x01;
	memcpy(&count, packet + 2, 2);
	memcpy(&offset, packet + 4, 2);
	memcpy(&segment, packet + 6, 2);
	memcpy(&first, packet + 8, 8);
	fake_bios.edd_transfers++;
	if (fake_bios.faults.edd_status)
		return fake_bios.faults.edd_status;
	if (!write && fake_bios.faults.edd_reads_nothing)
		return 0;
	return transfer(write, (uint32_t)first, count, segment * 16u + offset);
}

static uint8_t geometry(struct bios_regs *r)
{
	uint32_t last = fake_bios.cylinders - 1;

	r->ecx = (last & 0xff) << 8 | (last >> 2 & 0xc0) | fake_bios.track;
	r->edx = (fake_bios.heads - 1) << 8 | 1;
	r->es = 0xf000;
	r->edi = 0xefc7;
	return 0;
}

static uint8_t reset(void)
{
	fake_bios.resets++;
	fake_bios.faults.held_in_reset = false;
	fake_bios.low[BDA_CALIBRATED] &= 0xf0;
	fake_bios.dor = DOR_RUN | (fake_bios.low[BDA_MOTOR] & 1 ? DOR_MOTOR : 0);
	return 0;
}

/* The medium of the drive changes hands. */
static void swap(void)
{
	const struct fake_faults *f = &fake_bios.faults;

	fake_bios.calls++;
	if (fake_bios.calls == f->swap_at) {
		pc.first = fake_bios.medium;
		fake_bios_insert(f->other);
	} else if (f->back_at && fake_bios.calls == f->back_at) {
		fake_bios_insert(pc.first);
	}
}

static void disk(struct bios_regs *r)
{
	uint8_t ah = r->eax >> 8 & 0xff, drive = pc.kind == FAKE_FLOPPY ? 0 : 0x80, status = 0x01;

	swap();
	if ((r->edx & 0xff) != drive)
		status = 0x01;
	else if (ah == 0x00)
		status = reset();
	else if (ah == 0x02 || ah == 0x03)
		status = by_geometry(ah == 0x03, r);
	else if (ah == 0x08)
		status = geometry(r);
	else if (ah == 0x42 || ah == 0x43)
		status = extended(ah == 0x43, r);
	if (ah == 0x41 && pc.kind == FAKE_DISK && (r->ebx & 0xffff) == 0x55aa) {
		set_status(r, 0);
		r->eax = 0x3000;
		r->ebx = 0xaa55;
		r->ecx = 7;
		r->edx = 0; /* as the AST BIOS 1.04 does */
		return;
	}
	set_status(r, status);
}

/* AH = 00h takes the key, AH = 01h looks at it. */
static void keys(struct bios_regs *r)
{
	uint16_t head = get16(BDA_KEY_HEAD);
	bool none = head == get16(BDA_KEY_TAIL), take = !(r->eax >> 8 & 0xff);

	r->flags = none ? r->flags | BIOS_ZF : r->flags & ~(uint32_t)BIOS_ZF;
	if (none && take)
		fail_msg("INT 16h waits for a key for ever");
	if (none)
		return;
	r->eax = get16(BDA + head) | (r->eax & 0xffff0000);
	if (take)
		put16(BDA_KEY_HEAD, head + 2 == BDA_KEYS_END ? BDA_KEYS : head + 2);
}

static void apm(struct bios_regs *r)
{
	uint16_t function = (uint16_t)r->eax;

	if (!fake_bios.apm) {
		set_status(r, 0x86);
		return;
	}
	set_status(r, 0);
	switch (function) {
	case 0x5300:
		r->ebx = 0x504d;
		r->eax = 0x0102;
		pc.apm_connected = pc.apm_enabled = false;
		return;
	case 0x5301:
		pc.apm_connected = true;
		return;
	case 0x530e:
		pc.apm_enabled = pc.apm_connected;
		return;
	case 0x5307:
		if (pc.apm_enabled && (r->ebx & 0xffff) == 1 && (r->ecx & 0xffff) == 3) {
			fake_bios.off = true;
			die();
		}
		set_status(r, 0x0b);
		return;
	}
	set_status(r, 0x86);
}

/* Floppy bytes and keys of the data area may be written by the kernel; all else is the BIOS's. */
static void check_memory(void)
{
	for (unsigned i = 0; i < sizeof(pc.bda); i++)
		if (fake_bios.low[BDA + i] != pc.bda[i] && !(i >= 0x3e && i <= 0x40))
			fail_msg("byte 40:%02x of the BIOS data area was written", i);
	assert_memory_equal(fake_bios.low + EBDA, pc.ebda, sizeof(pc.ebda));
}

void real_call(void)
{
	struct bios_regs r;
	uint8_t vector = fake_bios.low[REAL_REGS + REAL_INT];

	memcpy(&r, fake_bios.low + REAL_REGS, sizeof(r));
	check_memory();
	spend(CALL_US);
	if (vector == 0x08)
		tick();
	else if (vector == 0x09)
		keyboard();
	else if (vector == 0x13)
		disk(&r);
	else if (vector == 0x15)
		apm(&r);
	else if (vector == 0x16)
		keys(&r);
	else
		fail_msg("INT %02xh", vector);
	memcpy(fake_bios.low + REAL_REGS, &r, sizeof(r));
	remember();
}
