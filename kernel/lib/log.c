/*
 * The log: records built in one buffer, closed with sequence number and check value
 * (docs/log-format.md).
 */
#include "kernel/lib/log.h"
#include "kernel/lib/text.h"

enum {
	TAIL = 36,     /* room kept for ` truncated=1 #SEQ:CHECK\n` */
	LOG_QUOTE = 96 /* bytes of an error that `done` quotes */
};

static struct {
	void (*write)(const char *line, size_t n);
	char line[LOG_LINE];
	struct text text; /* the record so far, in `line`; cut: a field did not fit */
	uint32_t seq;     /* of the next record */
	uint32_t check;   /* value of the record before; 0: there is none */
	enum log_status status;
	char error[LOG_QUOTE]; /* what and culprit of the run's first `error`; empty: none yet */
} out;

/* Four bits at a time: of[] has the remainders of the lower four. */
uint32_t log_crc32(uint32_t crc, const void *data, size_t n)
{
	static const uint32_t of[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
		                         0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		                         0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };
	const uint8_t *p = data;

	for (crc = ~crc; n--; p++) {
		crc = crc >> 4 ^ of[(crc ^ *p) & 15];
		crc = crc >> 4 ^ of[(crc ^ *p >> 4) & 15];
	}
	return ~crc;
}

void log_sink(void (*write)(const char *line, size_t n))
{
	out.write = write;
}

/* A field that does not fit whole is taken out again, so readers never see half a value. */
static size_t field_begin(const char *key)
{
	size_t mark = out.text.n;

	text_char(&out.text, ' ');
	text_str(&out.text, key);
	text_char(&out.text, '=');
	return mark;
}

static void field_end(size_t mark)
{
	if (out.text.cut)
		out.text.n = mark;
}

void log_begin(const char *kind)
{
	out.text = text_in(out.line, LOG_LINE - TAIL + 1);
	text_str(&out.text, kind);
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
	text_char(&out.text, '"');
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)s[i];

		if (c == '"' || c == '\\') {
			text_char(&out.text, '\\');
			text_char(&out.text, (char)c);
		} else if (c >= ' ' && c <= '~') {
			text_char(&out.text, (char)c);
		} else {
			text_str(&out.text, "\\x");
			text_hex(&out.text, c, 2);
		}
	}
	text_char(&out.text, '"');
}

void log_strn(const char *key, const char *value, size_t n)
{
	size_t mark = field_begin(key);

	if (is_token(value, n))
		for (size_t i = 0; i < n; i++)
			text_char(&out.text, value[i]);
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

	text_dec(&out.text, value);
	field_end(mark);
}

void log_int(const char *key, int64_t value)
{
	size_t mark = field_begin(key);

	text_int(&out.text, value);
	field_end(mark);
}

void log_hex(const char *key, uint64_t value)
{
	size_t mark = field_begin(key);

	text_str(&out.text, "0x");
	text_hex(&out.text, value, 1);
	field_end(mark);
}

void log_milli(const char *key, int64_t thousandths)
{
	size_t mark = field_begin(key);

	text_milli(&out.text, thousandths, 0);
	field_end(mark);
}

void log_bool(const char *key, bool value)
{
	log_dec(key, value);
}

void log_end(void)
{
	struct text *t = &out.text;
	bool cut = t->cut;

	t->size = LOG_LINE; /* the room that was kept for the tail */
	if (cut) {
		text_str(t, " truncated=1");
		log_worsen(LOG_FAIL);
	}
	text_str(t, " #");
	text_dec(t, out.seq++);
	out.check = log_crc32(out.check, out.line, t->n);
	text_char(t, ':');
	text_hex(t, out.check, 8);
	text_char(t, '\n');
	if (out.write)
		out.write(out.line, t->n);
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
	if (!*out.error) {
		struct text t = text_in(out.error, LOG_QUOTE);

		text_str(&t, what);
		text_str(&t, culprit ? " " : "");
		text_str(&t, culprit ? culprit : "");
	}
}

void log_done(const char *reason)
{
	static const char *const names[] = { "ok", "stopped", "fail" };

	log_begin("done");
	log_str("status", names[out.status]);
	log_dec("records", out.seq + 1);
	if (reason)
		log_str("reason", reason);
	if (*out.error)
		log_str("error", out.error);
	log_end();
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

void log_restart(void)
{
	out.seq = 0;
	out.check = 0;
	out.status = LOG_OK;
	*out.error = '\0';
}

uint32_t log_records(void)
{
	return out.seq;
}

uint32_t log_check_value(void)
{
	return out.check;
}

void log_resume(uint32_t records, uint32_t check)
{
	out.seq = records;
	out.check = check;
}
