/*
 * The clock of the PC (kernel/chipset/rtc.h).
 */
#include "kernel/chipset/rtc.h"
#include "kernel/cpu/x86.h"

enum {
	INDEX = 0x70,
	DATA = 0x71,
	SECOND = 0,
	MINUTE = 2,
	HOUR = 4,
	DAY = 7,
	MONTH = 8,
	YEAR = 9,
	STATUS_A = 10,
	STATUS_B = 11,
	STATUS_D = 13,
	A_UPDATE = 1 << 7, /* the registers are about to change */
	B_HOURS24 = 1 << 1,
	B_BINARY = 1 << 2,
	D_VALID = 1 << 7, /* the battery is good */
	HOUR_PM = 1 << 7,
	LOOKS = 5000, /* an update takes 2 ms, a read a microsecond */
	TRIES = 4,
	FIELDS = 7, /* of struct raw */
};

/* As the registers have it: second, minute, hour, day, month, year, century. */
struct raw {
	uint8_t at[FIELDS];
};

uint8_t rtc_cmos(uint8_t index)
{
	x86_outb(INDEX, index);
	return x86_inb(DATA);
}

static bool is_quiet(uint8_t (*cmos)(uint8_t index))
{
	for (unsigned i = 0; i < LOOKS; i++)
		if (!(cmos(STATUS_A) & A_UPDATE))
			return true;
	return false;
}

static void read_raw(struct raw *r, uint8_t century, uint8_t (*cmos)(uint8_t index))
{
	static const uint8_t registers[] = { SECOND, MINUTE, HOUR, DAY, MONTH, YEAR };

	for (unsigned i = 0; i < sizeof(registers); i++)
		r->at[i] = cmos(registers[i]);
	r->at[FIELDS - 1] = century ? cmos(century) : 0;
}

static bool same(const struct raw *a, const struct raw *b)
{
	for (unsigned i = 0; i < FIELDS; i++)
		if (a->at[i] != b->at[i])
			return false;
	return true;
}

/* False: no number of two digits. */
static bool decode(uint8_t *v, bool binary)
{
	if (!binary) {
		if (*v % 16 > 9 || *v / 16 > 9)
			return false;
		*v = (uint8_t)(*v / 16 * 10 + *v % 16);
	}
	return *v <= 99;
}

static bool to_time(struct rtc_time *t, struct raw *r, uint8_t status, uint8_t century)
{
	const bool pm = !(status & B_HOURS24) && r->at[2] & HOUR_PM;

	if (pm)
		r->at[2] &= (uint8_t)~HOUR_PM;
	for (unsigned i = 0; i < FIELDS; i++)
		if (!decode(&r->at[i], status & B_BINARY))
			return false;
	if (!(status & B_HOURS24)) {
		if (!r->at[2] || r->at[2] > 12)
			return false;
		r->at[2] = (uint8_t)(r->at[2] % 12 + (pm ? 12 : 0));
	}
	if (!century)
		r->at[6] = r->at[5] >= 80 ? 19 : 20;
	*t = (struct rtc_time){ .year = (uint16_t)(r->at[6] * 100 + r->at[5]),
		                .month = r->at[4],
		                .day = r->at[3],
		                .hour = r->at[2],
		                .minute = r->at[1],
		                .second = r->at[0] };
	return t->second < 60 && t->minute < 60 && t->hour < 24 && t->day && t->day <= 31 &&
	       t->month && t->month <= 12;
}

bool rtc_read(struct rtc_time *t, uint8_t century, uint8_t (*cmos)(uint8_t index))
{
	struct raw first, second;

	if (!(cmos(STATUS_D) & D_VALID))
		return false;
	for (unsigned i = 0; i < TRIES; i++) {
		if (!is_quiet(cmos))
			return false;
		read_raw(&first, century, cmos);
		read_raw(&second, century, cmos);
		if (same(&first, &second))
			return to_time(t, &first, cmos(STATUS_B), century);
	}
	return false;
}

static void put(char *to, unsigned v, unsigned digits)
{
	while (digits--) {
		to[digits] = (char)('0' + v % 10);
		v /= 10;
	}
}

void rtc_text(const struct rtc_time *t, char text[RTC_TEXT])
{
	static const char form[RTC_TEXT] = "0000-00-00T00:00:00";

	for (unsigned i = 0; i < RTC_TEXT; i++)
		text[i] = form[i];
	put(text, t->year, 4);
	put(text + 5, t->month, 2);
	put(text + 8, t->day, 2);
	put(text + 11, t->hour, 2);
	put(text + 14, t->minute, 2);
	put(text + 17, t->second, 2);
}
