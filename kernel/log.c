/*
 * The log: records built in one buffer, closed with sequence number and CRC (docs/log-format.md).
 */
#include "kernel/log.h"

enum {
	TAIL = 32 /* room kept for ` truncated=1 #SEQ:CRC\n` */
};

static struct {
	void (*write)(const char *line, size_t n);
	char line[LOG_LINE];
	size_t len;     /* bytes of the record so far */
	bool truncated; /* a field did not fit */
	uint32_t seq;   /* of the next record */
	enum log_status status;
} out;

static const char digits[] = "0123456789abcdef";

uint16_t log_crc16(const void *data, size_t n)
{
	const uint8_t *p = data;
	uint16_t crc = 0xffff;

	while (n--) {
		crc ^= (uint16_t)(*p++ << 8);
		for (int bit = 0; bit < 8; bit++)
			crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
	}
	return crc;
}

void log_sink(void (*write)(const char *line, size_t n))
{
	out.write = write;
}

/* Appends a byte. When the room for fields is used up, it only notes that the record lost bytes. */
static void put(char c)
{
	if (out.len < LOG_LINE - TAIL)
		out.line[out.len++] = c;
	else
		out.truncated = true;
}

static void put_text(const char *s)
{
	while (*s)
		put(*s++);
}

static void put_dec(uint64_t v)
{
	char buf[20];
	unsigned n = 0;

	do {
		buf[n++] = digits[v % 10];
		v /= 10;
	} while (v);
	while (n)
		put(buf[--n]);
}

static void put_hex(uint64_t v, unsigned min_digits)
{
	unsigned n = 16;

	while (n > min_digits && !(v >> 4 * (n - 1)))
		n--;
	while (n--)
		put(digits[v >> 4 * n & 15]);
}

/* A field that does not fit whole is taken out again, so readers never see half a value. */
static size_t field_begin(const char *key)
{
	size_t mark = out.len;

	put(' ');
	put_text(key);
	put('=');
	return mark;
}

static void field_end(size_t mark)
{
	if (out.truncated)
		out.len = mark;
}

void log_begin(const char *kind)
{
	out.len = 0;
	out.truncated = false;
	put_text(kind);
}

static bool is_token(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] <= ' ' || s[i] > '~' || s[i] == '"' || s[i] == '#' || s[i] == '=')
			return false;
	return n > 0;
}

static void put_quoted(const char *s, size_t n)
{
	put('"');
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)s[i];

		if (c == '"' || c == '\\') {
			put('\\');
			put((char)c);
		} else if (c >= ' ' && c <= '~') {
			put((char)c);
		} else {
			put_text("\\x");
			put_hex(c, 2);
		}
	}
	put('"');
}

void log_strn(const char *key, const char *value, size_t n)
{
	size_t mark = field_begin(key);

	if (is_token(value, n))
		for (size_t i = 0; i < n; i++)
			put(value[i]);
	else
		put_quoted(value, n);
	field_end(mark);
}

void log_str(const char *key, const char *value)
{
	size_t n = 0;

	while (value[n])
		n++;
	log_strn(key, value, n);
}

void log_dec(const char *key, uint64_t value)
{
	size_t mark = field_begin(key);

	put_dec(value);
	field_end(mark);
}

void log_int(const char *key, int64_t value)
{
	size_t mark = field_begin(key);

	if (value < 0)
		put('-');
	put_dec(value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
	field_end(mark);
}

void log_hex(const char *key, uint64_t value)
{
	size_t mark = field_begin(key);

	put_text("0x");
	put_hex(value, 1);
	field_end(mark);
}

void log_milli(const char *key, int64_t thousandths)
{
	uint64_t v = thousandths < 0 ? 0 - (uint64_t)thousandths : (uint64_t)thousandths;
	size_t mark = field_begin(key);
	unsigned frac = (unsigned)(v % 1000);

	if (thousandths < 0)
		put('-');
	put_dec(v / 1000);
	if (frac) {
		put('.');
		for (unsigned unit = 100; frac; unit /= 10) {
			put(digits[frac / unit]);
			frac %= unit;
		}
	}
	field_end(mark);
}

void log_bool(const char *key, bool value)
{
	log_dec(key, value);
}

/* The tail may be written past put()'s limit: the buffer keeps TAIL bytes free for it. */
static void tail_text(const char *s)
{
	while (*s)
		out.line[out.len++] = *s++;
}

static void tail_dec(uint32_t v)
{
	char buf[11];
	char *p = buf + sizeof(buf) - 1;

	*p = 0;
	do {
		*--p = digits[v % 10];
		v /= 10;
	} while (v);
	tail_text(p);
}

void log_end(void)
{
	uint16_t crc;

	if (out.truncated) {
		tail_text(" truncated=1");
		log_worsen(LOG_FAIL);
	}
	crc = log_crc16(out.line, out.len);
	tail_text(" #");
	tail_dec(out.seq++);
	out.line[out.len++] = ':';
	for (int shift = 12; shift >= 0; shift -= 4)
		out.line[out.len++] = digits[crc >> shift & 15];
	out.line[out.len++] = '\n';
	if (out.write)
		out.write(out.line, out.len);
}

void log_chat(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	if (out.write) {
		out.write(text, n);
		out.write("\n", 1);
	}
}

static void remark(const char *kind, const char *what, const char *culprit, const char *why)
{
	log_begin(kind);
	log_str("what", what);
	if (culprit)
		log_str("culprit", culprit);
	log_str("why", why);
	log_end();
}

void log_warn(const char *what, const char *culprit, const char *why)
{
	remark("warn", what, culprit, why);
}

void log_error(const char *what, const char *culprit, const char *why)
{
	log_worsen(LOG_FAIL);
	remark("error", what, culprit, why);
}

void log_worsen(enum log_status status)
{
	if (status > out.status)
		out.status = status;
}

enum log_status log_status_now(void)
{
	return out.status;
}

uint32_t log_records(void)
{
	return out.seq;
}
