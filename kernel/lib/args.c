/*
 * Kernel arguments (docs/kernel-arguments.md): one row per key, one parser per kind of value.
 */
#include <stddef.h>

#include "kernel/lib/args.h"
#include "kernel/lib/nearest.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

/* Larger than any count that the engine uses. The product of two such numbers fits 64 bits. */
#define COUNT_MAX   1000000u
#define SECTORS_MAX 99999u /* a sector's number has five digits: docs/log-format.md */

enum {
	QUOTE = 64,   /* characters of a word that a complaint quotes */
	VALUES = 128, /* of the values that an argument may have, with a few words */
};

struct key {
	const char *name;
	bool (*parse)(struct args *a, const struct key *k, char *value);
	size_t field;       /* offset in struct args */
	const char *values; /* that are allowed; < and > stand for min and max; NULL: the choices */
	const char *const *choices;
	uint32_t min, max;
	const char *meaning; /* in a line */
	const char *absent;  /* what holds without the argument */
};

#define AT(member) offsetof(struct args, member)

static void *field(struct args *a, const struct key *k)
{
	return (char *)a + k->field;
}

/* Blanks are everything that a boot loader's menu editor may leave between words. */
static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool args_number(const char *text, uint32_t max, uint32_t *value, const char **end)
{
	int base = 10;
	uint64_t v = 0;
	bool any = false;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	for (; hex_digit(*text) >= 0 && hex_digit(*text) < base; text++) {
		v = v * (unsigned)base + (unsigned)hex_digit(*text);
		if (v > max)
			return false;
		any = true;
	}
	*value = (uint32_t)v;
	*end = text;
	return any;
}

/* A number and nothing after it. */
static bool parse_number(const char *s, uint32_t max, uint32_t *out)
{
	return args_number(s, max, out, &s) && !*s;
}

static bool parse_flag(struct args *a, const struct key *k, char *value)
{
	if (value)
		return false;
	*(bool *)field(a, k) = true;
	return true;
}

static bool parse_list(struct args *a, const struct key *k, char *value)
{
	(void)k;
	if (value && strcmp(value, "benchmarks") != 0 && strcmp(value, "events") != 0 &&
	    strcmp(value, "arguments") != 0)
		return false;
	a->list = true;
	a->list_events = value && value[0] == 'e';
	a->list_arguments = value && value[0] == 'a';
	return true;
}

static bool parse_text(struct args *a, const struct key *k, char *value)
{
	if (!value || !*value)
		return false;
	*(const char **)field(a, k) = value;
	return true;
}

static bool parse_count(struct args *a, const struct key *k, char *value)
{
	uint32_t v;

	if (!value || !parse_number(value, k->max, &v) || v < k->min)
		return false;
	*(uint32_t *)field(a, k) = v;
	return true;
}

static bool parse_warmup(struct args *a, const struct key *k, char *value)
{
	a->warmup_set = parse_count(a, k, value);
	return a->warmup_set;
}

static bool parse_code_offset(struct args *a, const struct key *k, char *value)
{
	a->code_offset_set = parse_count(a, k, value);
	return a->code_offset_set;
}

/* FIRST+COUNT, in sectors of the disk. */
static bool parse_extent(struct args *a, const struct key *k, char *value)
{
	const char *rest = value;
	uint32_t first, n;

	if (!value || !args_number(value, UINT32_MAX, &first, &rest) || *rest != '+' ||
	    !parse_number(rest + 1, k->max, &n) || n < k->min || first > UINT32_MAX - n)
		return false;
	a->log_first = first;
	a->log_sectors = n;
	return true;
}

static bool parse_cpl(struct args *a, const struct key *k, char *value)
{
	uint32_t v;

	if (!value || !parse_number(value, 3, &v) || (v != 0 && v != 3))
		return false;
	*(uint32_t *)field(a, k) = v;
	a->cpl_set = true;
	return true;
}

/* The last comma parts event and period: a raw event has commas of its own. */
static bool parse_sample(struct args *a, const struct key *k, char *value)
{
	bool more = k->field == AT(sample);
	struct args_event *e = (struct args_event *)field(a, k) + (more ? a->nsample : 0);
	char *comma = NULL;

	for (char *c = value; c && *c; c++)
		if (*c == ',')
			comma = c;
	if (!comma || comma == value || (more && a->nsample == ARGS_SAMPLES) ||
	    !parse_number(comma + 1, k->max, &e->count) || e->count < k->min)
		return false;
	*comma = '\0';
	e->event = value;
	a->nsample += more;
	return true;
}

/* `scale:N` and `rotate:DEGREES`, one of them or both with a comma between. */
static bool parse_screen(struct args *a, const struct key *k, char *value)
{
	uint32_t scale = 0, turn = 0, *n;
	const char *rest = value;

	for (bool more = true; more; more = *rest++ == ',') {
		bool is_scale = rest && strncmp(rest, "scale:", 6) == 0;

		if (!rest || (!is_scale && strncmp(rest, "rotate:", 7) != 0))
			return false;
		n = is_scale ? &scale : &turn;
		if (*n ||
		    !args_number(rest + (is_scale ? 6 : 7), is_scale ? k->max : 270, n, &rest) ||
		    !*n || (!is_scale && *n % 90) || (*rest && *rest != ','))
			return false;
	}
	a->scale = scale;
	a->rotate = turn;
	return true;
}

/* Machine code: pairs of hex digits, blanks between pairs allowed and taken out here. */
static bool parse_hex(struct args *a, const struct key *k, char *value)
{
	char *out = value;
	unsigned digits = 0;

	if (!value)
		return false;
	for (const char *in = value; *in; in++) {
		if (is_blank(*in) && digits % 2 == 0)
			continue;
		if (hex_digit(*in) < 0)
			return false;
		*out++ = *in;
		digits++;
	}
	*out = '\0';
	if (digits == 0 || digits % 2)
		return false;
	*(const char **)field(a, k) = value;
	return true;
}

static int find_choice(const struct key *k, const char *value)
{
	for (int i = 0; value && k->choices[i]; i++)
		if (strcmp(k->choices[i], value) == 0)
			return i;
	return -1;
}

/* The enumerators stand in the order of the words; `min` is the first. */
static bool parse_choice(struct args *a, const struct key *k, char *value)
{
	int i = find_choice(k, value);

	if (i < 0)
		return false;
	*(unsigned *)field(a, k) = k->min + (unsigned)i;
	return true;
}

static const char *const clocks_names[] = { "steady", "keep", NULL };
static const char *const on_off[] = { "on", "off", NULL };
static const char *const branches_names[] = { "all", "calls", NULL };
static const char *const mode_names[] = { "total", "rate", NULL };
static const char *const save_names[] = { "on", "off", "ask", "new", NULL };
static const char *const threads_names[] = { "1", "core", "cores", "hybrid", "all", NULL };
static const char *const exit_names[] = { "halt", "reboot", "poweroff", "debug", NULL };

#define GLOBS    "names or globs with * and ?, separated by commas"
#define HEX_CODE "machine code as pairs of hex digits, such as 0fafc0"

_Static_assert(ARGS_SAMPLES == 16, "the row of sample= says so");

/* clang-format off */
static const struct key keys[] = {
	{ "list",    parse_list,   AT(list),
	  "benchmarks, events, arguments, or no value", NULL, 0, 0,
	  "print the benchmarks, or events or arguments, and measure nothing",
	  "the benchmarks are measured" },
	{ "bench",   parse_text,   AT(bench),   GLOBS, NULL, 0, 0,
	  "the benchmarks that are measured", "the default set" },
	{ "skip",    parse_text,   AT(skip),    GLOBS, NULL, 0, 0,
	  "benchmarks that are left out", "nothing is skipped" },
	{ "events",  parse_text,   AT(events),
	  "default, all, or event names and raw events separated by commas", NULL, 0, 0,
	  "what the counters count", "default" },
	{ "mode",    parse_choice, AT(mode),    NULL, mode_names, MODE_TOTAL, 0,
	  "total: one run less an empty one; rate: a long run less a short one",
	  "chosen by benchmark and CPU" },
	{ "runs",    parse_count,  AT(runs),    "a number from < to >", NULL, 1, ARGS_RUNS,
	  "samples of a benchmark", "until the minimum is stable, at most 64" },
	{ "warmup",  parse_warmup, AT(warmup),  "a number from < to >", NULL, 0, COUNT_MAX,
	  "runs before the samples that are thrown away", "3" },
	{ "unroll",  parse_count,  AT(unroll),  "a number from < to >", NULL, 1, COUNT_MAX,
	  "copies of the body in a row", "the benchmark's, or chosen by the engine" },
	{ "loop",    parse_count,  AT(loop),    "a number from < to >", NULL, 1, COUNT_MAX,
	  "how often the copies are run through in a sample",
	  "the benchmark's, or chosen by the engine" },
	{ "lines",   parse_count,  AT(lines),   "a number from < to >", NULL, 1, ARGS_LINES,
	  "cache lines that a pair of CPUs hands over", "8 lines a pair of CPUs" },
	{ "series",  parse_count,  AT(series),  "a number from < to >", NULL, 1, ARGS_SERIES,
	  "single runs from flushed caches, each with its ticks",
	  "the benchmark's: most have no series" },
	{ "sample",  parse_sample, AT(sample),
	  "an event, a comma, and the period from < to >; 16 times", NULL, 1, 1 << 30,
	  "record where the code is, each time the event has come so often",
	  "no samples" },
	{ "after",   parse_sample, AT(after),
	  "an event, a comma, and a count from < to >", NULL, 1, 1 << 30,
	  "samples begin when the event has come so often", "samples begin at once" },
	{ "samples", parse_count,  AT(samples), "a number from < to >", NULL, 1, COUNT_MAX,
	  "how many samples are wanted", "800" },
	{ "watermark", parse_count, AT(watermark), "bytes from < to >", NULL, 1, 15872,
	  "bytes of PEBS records that are read at once",
	  "half the buffer of PEBS records fills, then they are read" },
	{ "random",  parse_count,  AT(random),  "bits from < to >", NULL, 0, 16,
	  "low bits of the sampling period that are left to chance",
	  "every period has the given length" },
	{ "trace",   parse_text,   AT(trace),
	  "event names and raw events separated by commas", NULL, 0, 0,
	  "events that are followed clock by clock", "no event is followed clock by clock" },
	{ "ports",   parse_text,   AT(ports),   GLOBS, NULL, 0, 0,
	  "benchmarks whose ports are found out", "there are no ports records" },
	{ "skid",    parse_flag,   AT(skid),    NULL, NULL, 0, 0,
	  "how far samples lie behind their cause", "there are no skid records" },
	{ "addresses", parse_flag, AT(addresses), NULL, NULL, 0, 0,
	  "which data the sampled accesses touch", "addresses of data are not recorded" },
	{ "branches", parse_choice, AT(branches), NULL, branches_names, BRANCHES_ALL, 0,
	  "which branches came before each sample",
	  "branches before the samples are not recorded" },
	{ "code_offset", parse_code_offset, AT(code_offset), "bytes from < to >", NULL, 0, 4095,
	  "where the code begins in its page", "a multiple of 64" },
	{ "data_offset", parse_count, AT(data_offset), "bytes from < to >", NULL, 0, 4095,
	  "where the data begins in its page", "0" },
	{ "timeout", parse_count,  AT(timeout), "milliseconds from < to >", NULL, 1, 60000,
	  "how long one run may take", "2000; less for your own code in the simulator" },
	{ "cpl",     parse_cpl,    AT(cpl),     "0, 3", NULL, 0, 0,
	  "privilege level of the code that is measured", "0, and 3 for your own code" },
	{ "code",    parse_hex,    AT(code),    HEX_CODE, NULL, 0, 0,
	  "machine code of your own that is measured", "none" },
	{ "init",    parse_hex,    AT(init),    HEX_CODE, NULL, 0, 0,
	  "machine code that runs before it and is not measured", "none" },
	{ "seq",     parse_text,   AT(seq),
	  "blocks A to Z and a to z; ? behind a block measures it, ! flushes it", NULL, 0, 0,
	  "accesses of your own to one set of a cache", "none" },
	{ "seq_level", parse_text, AT(seq_level), "1, 2", NULL, 0, 0,
	  "the level whose hits seq= measures", "1" },
	{ "seq_sets", parse_text,  AT(seq_sets), "sets such as 0,5,64-80", NULL, 0, 0,
	  "the sets in which seq= runs", "a set that nothing else uses" },
	{ "threads", parse_choice, AT(threads), NULL, threads_names, THREADS_ONE, 0,
	  "which CPUs measure at the same time", "1" },
	{ "clocks",  parse_choice, AT(clocks),  NULL, clocks_names, CLOCKS_STEADY, 0,
	  "keep: the clocks and modes of the firmware stay", "steady" },
	{ "prefetch", parse_choice, AT(prefetch), NULL, on_off, PREFETCH_ON, 0,
	  "switch the prefetchers on or off", "as the firmware left them" },
	{ "console", parse_text,   AT(console),
	  "comN[,BAUD], port:0xADDR[,BAUD], mmio:0xADDR[,BAUD], pci[,BAUD], debugcon, none",
	  NULL, 0, 0,
	  "where the log goes besides the screen", "it is searched for" },
	{ "screen",  parse_screen, AT(scale),
	  "scale:< to scale:>, rotate:90, rotate:180, rotate:270, or one of each with a comma "
	  "between", NULL, 1, 8,
	  "size and direction of the text on the screen", "by the screen's size" },
	{ "quirks",  parse_text,   AT(quirks),  "+NAME or -NAME, separated by commas", NULL, 0, 0,
	  "remedies for known defects that are forced on or off",
	  "each remedy where a machine needs it" },
	{ "note",    parse_text,   AT(note),    "text, in double quotes if it has blanks",
	  NULL, 0, 0,
	  "words of yours that the log keeps", "no note record" },
	{ "anonymous", parse_flag, AT(anonymous), NULL, NULL, 0, 0,
	  "leave the date and the names of the machine out of the log",
	  "the log has the date and the names of system, board and BIOS" },
	{ "exit",    parse_choice, AT(exit),    NULL, exit_names, EXIT_HALT, 0,
	  "what is done at the end", "keys decide" },
	{ "save",    parse_choice, AT(save),    NULL, save_names, SAVE_ON, 0,
	  "whether the log is written to the boot medium", "on with logfile=, else off" },
	{ "logfile", parse_extent, AT(log_first),
	  "FIRST+COUNT, sectors of the boot disk, COUNT up to >", NULL, 1, SECTORS_MAX,
	  "where CPL0.LOG lies on the boot disk", "none" },
};
/* clang-format on */

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

_Static_assert(KEYS <= 64, "which keys were given is a mask of 64 bits");

static void put_values(struct text *t, const struct key *k)
{
	for (unsigned i = 0; k->choices && k->choices[i]; i++) {
		text_str(t, i ? ", " : "");
		text_str(t, k->choices[i]);
	}
	for (const char *c = k->values; c && *c; c++)
		if (*c == '<' || *c == '>')
			text_dec(t, *c == '<' ? k->min : k->max);
		else
			text_char(t, *c);
}

bool args_help(unsigned i, struct args_help *h)
{
	static char buffer[VALUES];
	struct text values = text_in(buffer, sizeof(buffer));

	if (i >= KEYS)
		return false;
	put_values(&values, &keys[i]);
	*h = (struct args_help){ keys[i].name, keys[i].meaning, buffer, keys[i].absent };
	return true;
}

/* The complaint when the value is missing or unusable. */
static const char *allowed(const struct key *k)
{
	static char buffer[VALUES];
	struct text t = text_in(buffer, sizeof(buffer));

	if (k->parse == parse_flag)
		return "it takes no value";
	text_str(&t, "allowed: ");
	put_values(&t, k);
	return buffer;
}

/* Bytes of a key's name at most, with what stands around it; of the words before and behind. */
enum { NAME = 15, WORDS = 96 };

/* The complaint about a word that is no key: it names all of them, and the nearest last. */
static const char *unknown(const char *word)
{
	static char buffer[KEYS * NAME + WORDS];
	struct text t = text_in(buffer, sizeof(buffer));
	struct nearest near = nearest_to(word, strlen(word));

	text_str(&t, "unknown argument; allowed");
	for (int i = 0; i < KEYS; i++) {
		text_str(&t, i ? ", " : ": ");
		text_str(&t, keys[i].name);
		text_str(&t, keys[i].parse == parse_flag ? "" : "=");
		nearest_try(&near, keys[i].name);
	}
	nearest_put(&near, &t);
	return buffer;
}

/* The start of a word, for a complaint: the word itself is about to be cut up. */
static void quote(char *to, const char *word)
{
	size_t n = 0;

	while (n < QUOTE && word[n]) {
		to[n] = word[n];
		n++;
	}
	memcpy(to + n, word[n] ? "..." : "", word[n] ? 4 : 1);
}

/* Ends the word at *p, where blanks inside double quotes do not count, and steps over it. */
static char *next_word(char **p)
{
	char *word, *end = *p;
	bool quoted = false;

	while (*end && is_blank(*end))
		end++;
	word = end;
	for (; *end && (quoted || !is_blank(*end)); end++)
		if (*end == '"')
			quoted = !quoted;
	*p = *end ? end + 1 : end;
	*end = '\0';
	return *word ? word : NULL;
}

/* Takes the quotes off a value: they stand around all of it or there are none. */
static bool unquote(char **value)
{
	char *v = *value, *mark = strchr(v, '"');

	if (!mark)
		return true;
	if (mark != v || !(mark = strchr(v + 1, '"')) || mark[1])
		return false;
	*mark = '\0';
	*value = v + 1;
	return true;
}

/* GRUB puts the quotes around the whole word: "code=0f af c0". */
static char *unquote_word(char *word)
{
	char *end = word[0] == '"' ? strchr(word + 1, '"') : NULL;

	if (!end || end[1])
		return word;
	*end = '\0';
	return word + 1;
}

/*
 * QEMU's -kernel and GRUB Legacy put the kernel's file name before the arguments,
 * GRUB 2 does not. A first word that is a path, or ends in .elf, is that name.
 */
static bool is_kernel_name(const char *word)
{
	static const char suffix[] = ".elf";
	size_t n = strlen(word), s = sizeof(suffix) - 1;

	for (const char *c = word; *c && *c != '='; c++)
		if (*c == '/' || *c == '\\')
			return true;
	if (n < s)
		return false;
	for (size_t i = 0; i < s; i++)
		if ((word[n - s + i] | 0x20) != (suffix[i] | 0x20))
			return false;
	return true;
}

static int find_key(const char *name)
{
	for (int i = 0; i < KEYS; i++)
		if (strcmp(keys[i].name, name) == 0)
			return i;
	return -1;
}

/* May a defect of this key, -1: of no key, have hidden what is to be measured? */
static bool is_choice(int key)
{
	return key < 0 || keys[key].parse == parse_flag || keys[key].parse == parse_list ||
	       keys[key].field == AT(bench) || keys[key].field == AT(code) ||
	       keys[key].field == AT(seq) || keys[key].field == AT(seq_level) ||
	       keys[key].field == AT(seq_sets);
}

/* NULL, or what is wrong with this key and its value. */
static const char *take(struct args *a, int key, char *value, uint64_t *seen)
{
	if (*seen >> key & 1 && keys[key].field != AT(sample))
		return "given twice; the first one counts";
	*seen |= 1ull << key;
	if (value && !unquote(&value))
		return "allowed: double quotes around the whole value, or none";
	return keys[key].parse(a, &keys[key], value) ? NULL : allowed(&keys[key]);
}

/* NULL, or what is wrong with this word. */
static const char *parse_word(struct args *a, char *word, uint64_t *seen)
{
	char *value = strchr(word, '=');
	const char *why;
	int key;

	if (value)
		*value++ = '\0';
	key = find_key(word);
	why = key < 0 ? unknown(word) : take(a, key, value, seen);
	a->lost |= why && is_choice(key);
	return why;
}

/*
 * skid and addresses are about programs that were made for them. Like branches=, they are about
 * counts that the handler of the interrupt has no part in.
 */
static void profile_defaults(struct args *a)
{
	if (a->ports && !a->bench)
		a->bench = a->ports;
	if (a->seq && !a->bench)
		a->bench = "seq";
	if (!a->skid && !a->addresses && !a->branches)
		return;
	if (!a->bench)
		a->bench = !a->addresses ? "sprunt.figure5"
		           : !a->skid    ? "sprunt.table1"
		                         : "sprunt.figure5,sprunt.table1";
	if (!a->cpl_set)
		a->cpl = 3;
}

unsigned args_parse(struct args *a, char *line, void (*complain)(const char *word, const char *why))
{
	char excerpt[QUOTE + 4];
	unsigned defects = 0;
	uint64_t seen = 0;
	bool first = true;
	char *word;

	memset(a, 0, sizeof(*a));
	while ((word = next_word(&line)) != NULL) {
		const char *why;

		if (first && is_kernel_name(word)) {
			first = false;
			continue;
		}
		first = false;
		quote(excerpt, word);
		why = parse_word(a, unquote_word(word), &seen);
		if (why) {
			complain(excerpt, why);
			defects++;
		}
	}
	profile_defaults(a);
	return defects;
}

/* Remembers the last star only: time is n * m at worst. */
bool args_match_first(const char *glob, const char *name)
{
	const char *star = NULL, *retry = NULL;

	for (;;) {
		bool end = *glob == '\0' || *glob == ',';

		if (!end && *glob == '*') {
			star = glob++;
			retry = name;
		} else if (!end && *name && (*glob == '?' || *glob == *name)) {
			glob++;
			name++;
		} else if (end && !*name) {
			return true;
		} else if (star && *retry) {
			glob = star + 1;
			name = ++retry;
		} else {
			return false;
		}
	}
}

bool args_match(const char *globs, const char *name)
{
	if (!globs)
		return false;
	for (;;) {
		if (args_match_first(globs, name))
			return true;
		globs = strchr(globs, ',');
		if (!globs)
			return false;
		globs++;
	}
}
