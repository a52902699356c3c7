/*
 * CPL0.LOG (kernel/firmware/save.h).
 */
#include "kernel/firmware/save.h"
#include "kernel/firmware/ask.h"
#include "kernel/firmware/bios.h"
#include "kernel/firmware/disk.h"
#include "kernel/firmware/efi.h"
#include "kernel/firmware/fat.h"
#include "kernel/firmware/medium.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

/* `~cpl0 003 00007\n`: a sector with text, of run 3, the seventh behind the file's first. */
enum {
	SECTOR = DISK_SECTOR,
	TAG_KIND = 5, /* one of the three: */
	KIND_TEXT = ' ',
	KIND_MORE = '+', /* goes on with the line that fills the sector before */
	KIND_FREE = '-',
	TAG_RUN = 6,
	RUN_DIGITS = 3,
	RUN_MAX = 999,
	TAG_INDEX = 10,
	INDEX_DIGITS = 5,
	TAG = 16, /* bytes; the text is behind it */
	ROOM = SECTOR - TAG,
	KEPT = 128,             /* sectors that may wait to be written */
	CHUNK = DISK_CHUNK - 1, /* so many are written at once; the one before them is read, too */
	BAD_MOST = 16, /* so many bad sectors are passed over in a row: each takes seconds */
	MANY = 32,     /* so many are written at the next occasion */
};

static const char magic[] = "~cpl0";
static const char question[] =
	"Save the log to CPL0.LOG on this disk? y or n; no key in 20 seconds is no.";
static const char full[] = "CPL0.LOG is full; take it home, and boot with save=new";
static const char foreign[] = "CPL0.LOG is not as it should be: copy the file from the image";
static const char swapped[] = "this medium does not hold what the run has written: was it swapped?";
static const char in_use[] = "sectors of CPL0.LOG behind its end are in use";
static const char not_kept[] = "the medium does not hold what was just written";

static struct {
	bool begun;       /* save_begin() was called */
	bool reachable;   /* the firmware answers for the medium, whatever is wrong with it */
	uint8_t drive;    /* of a BIOS */
	bool refused;     /* the answer to the last question was no */
	bool unwanted;    /* no line is kept any more */
	bool on;          /* and there is a file for them */
	bool lost;        /* some did not fit */
	const char *why;  /* there is no file, or it takes no more */
	uint32_t base;    /* sector of the disk with which the file begins */
	uint32_t want;    /* sectors that the file must have, by logfile= */
	uint32_t sectors; /* that it has */
	uint32_t at;      /* sector of the file that kept[0] will be */
	uint32_t run;
	unsigned n;    /* sectors in use in `kept` */
	unsigned used; /* bytes of the last of them, its tag included */
	uint64_t when; /* the last write was, in ticks of the TSC */
	bool knows_last;
	char last[SECTOR]; /* what stands in the sector before `at`, if it has a tag */
	char kept[KEPT][SECTOR];
	char old[DISK_CHUNK][SECTOR];
} save;

static void put_number(char *to, uint32_t v, unsigned digits)
{
	while (digits--) {
		to[digits] = (char)('0' + v % 10);
		v /= 10;
	}
}

/* A number of `digits` digits; UINT32_MAX if there is none. */
static uint32_t get_number(const char *from, unsigned digits)
{
	uint32_t v = 0;

	for (; digits--; from++) {
		if (*from < '0' || *from > '9')
			return UINT32_MAX;
		v = v * 10 + (uint32_t)(*from - '0');
	}
	return v;
}

static void put_tag(char *s, char kind, uint32_t run, uint32_t index)
{
	memcpy(s, magic, TAG_KIND);
	s[TAG_KIND] = kind;
	put_number(s + TAG_RUN, run, RUN_DIGITS);
	s[TAG_INDEX - 1] = ' ';
	put_number(s + TAG_INDEX, index, INDEX_DIGITS);
	s[TAG - 1] = '\n';
}

static uint32_t run_of(const char *s)
{
	return get_number(s + TAG_RUN, RUN_DIGITS);
}

static bool is_ours(const char *s, uint32_t index)
{
	char kind = s[TAG_KIND];

	return memcmp(s, magic, TAG_KIND) == 0 &&
	       (kind == KIND_TEXT || kind == KIND_MORE || kind == KIND_FREE) &&
	       run_of(s) != UINT32_MAX && s[TAG_INDEX - 1] == ' ' &&
	       get_number(s + TAG_INDEX, INDEX_DIGITS) == index && s[TAG - 1] == '\n';
}

/* ---- Lines into sectors ---- */

static bool open_sector(char kind)
{
	if (save.n == KEPT) {
		save.lost = true;
		return false;
	}
	put_tag(save.kept[save.n++], kind, 0, 0);
	save.used = TAG;
	return true;
}

static void put(const char *text, size_t n)
{
	memcpy(save.kept[save.n - 1] + save.used, text, n);
	save.used += (unsigned)n;
}

/* What is left of the last sector becomes blanks and a newline. */
static void fill(char *s, unsigned used)
{
	if (used == SECTOR)
		return;
	memset(s + used, ' ', SECTOR - used);
	s[SECTOR - 1] = '\n';
}

/* A line that fits into a sector stands in a single one. A longer one takes what is there. */
void save_text(const char *text, size_t n)
{
	unsigned room = save.n ? SECTOR - save.used : 0;
	char kind = KIND_TEXT;

	if (save.unwanted || save.lost)
		return;
	if (n > room && n <= ROOM) {
		if (save.n)
			fill(save.kept[save.n - 1], save.used);
		room = 0;
	}
	for (;;) {
		size_t part = n < room ? n : room;

		if (part) {
			put(text, part);
			kind = KIND_MORE;
		}
		text += part;
		n -= part;
		if (!n || !open_sector(kind))
			return;
		room = ROOM;
	}
}

/* ---- The file ---- */

enum state {
	FREE, /* byte for byte as a free sector is: the only kind that is ever written to */
	TEXT, /* of some run */
	BAD,  /* unreadable, torn or foreign: in use */
};

/* Does the reason speak of the medium as a whole? If not, other sectors may be good. */
static bool is_hopeless(const char *why)
{
	return strcmp(why, MEDIUM_PROTECTED) == 0 || strcmp(why, MEDIUM_MISSING) == 0 ||
	       strcmp(why, MEDIUM_CHANGED) == 0;
}

static const char *transfer(bool write, uint32_t first, unsigned count, void *data)
{
	return efi_alive() ? efi_transfer(write, first, count, data)
	                   : disk_transfer(write, save.base + first, count, data);
}

/* No access for a while. */
static void rest(void)
{
	if (save.reachable && !efi_alive())
		disk_rest();
}

/* Into save.old. A read that brings nothing leaves sectors there whose tags have other numbers. */
static const char *read_sectors(uint32_t first, unsigned count)
{
	return transfer(false, first, count, save.old);
}

/* What save.old[i] is as sector `index` of the file. */
static enum state state_of(unsigned i, uint32_t index)
{
	const char *s = save.old[i];
	char free[SECTOR];

	put_tag(free, KIND_FREE, 0, index);
	fill(free, TAG);
	if (memcmp(s, free, SECTOR) == 0)
		return FREE;
	return is_ours(s, index) && s[TAG_KIND] != KIND_FREE && run_of(s) ? TEXT : BAD;
}

/* Reads one sector. Fails only if the medium as a whole does. */
static const char *probe(uint32_t index, enum state *state)
{
	const char *why = read_sectors(index, 1);

	*state = why ? BAD : state_of(0, index);
	if (*state == TEXT)
		save.run = run_of(save.old[0]);
	return why && is_hopeless(why) ? why : NULL;
}

/* Whatever else is torn, the first or the last sector has the file's tag. */
static const char *check_tags(void)
{
	const uint32_t places[] = { 0, save.sectors - 1 };
	const char *why = NULL;

	for (unsigned i = 0; i < 2; i++) {
		const char *trouble = read_sectors(places[i], 1);

		if (trouble && is_hopeless(trouble))
			return trouble;
		if (!trouble && is_ours(save.old[0], places[i]))
			return NULL;
		if (trouble)
			why = trouble;
	}
	return why ? why : foreign;
}

/* Is a sector in use? A bad one is if the sector before it is. */
static const char *is_used(uint32_t at, bool *used)
{
	enum state state = BAD;
	const char *why = NULL;

	for (unsigned i = 0; i <= at && i < BAD_MOST && state == BAD && !why; i++)
		why = probe(at - i, &state);
	*used = state != FREE;
	return why;
}

/* The end, if the sectors in use are those from `low` on, without a gap. */
static const char *search(uint32_t low, uint32_t *end)
{
	uint32_t high = save.sectors;
	const char *why = NULL;

	while (low < high && !why) {
		uint32_t middle = low + (high - low) / 2;
		bool used;

		why = is_used(middle, &used);
		if (used)
			low = middle + 1;
		else
			high = middle;
	}
	*end = low;
	return why;
}

/*
 * A flush that lost power may have left any of its sectors free, and others behind them in use.
 * *behind: one more than the last sector in use of those that a flush from `end` on may have
 * written; 0 if all of them are free.
 */
static const char *look_behind(uint32_t end, uint32_t *behind)
{
	uint32_t rest = save.sectors - end, stop = end + (rest < KEPT ? rest : KEPT);
	const char *why = NULL;
	enum state state;

	*behind = 0;
	for (uint32_t at = end; at < stop && !why;) {
		unsigned n = stop - at < DISK_CHUNK ? stop - at : DISK_CHUNK;
		const char *trouble = read_sectors(at, n);

		if (trouble && is_hopeless(trouble))
			return trouble;
		for (unsigned i = 0; i < n && !why; i++) {
			state = trouble ? BAD : state_of(i, at + i);
			if (trouble)
				why = probe(at + i, &state);
			if (state != FREE)
				*behind = at + i + 1;
		}
		at += n;
	}
	if (why || stop == save.sectors)
		return why;
	why = probe(save.sectors - 1, &state);
	if (state == TEXT) /* a last sector that is bad hides nothing */
		*behind = save.sectors;
	return why;
}

/*
 * Reads back from the end. save.run becomes that of the last sector with a tag, or of the one
 * before: digits of a tag that lost power are the new ones or 0, so such a number is too low. A
 * flush that failed may have left free and bad sectors behind them.
 */
static const char *know_last(uint32_t end)
{
	const char *why = NULL;
	uint32_t last = 0;
	enum state state;

	save.knows_last = false;
	for (uint32_t i = end, tags = 0, bad = 0;
	     i && end - i < 2 * KEPT && bad < BAD_MOST && tags < 2 && !why;) {
		why = probe(--i, &state);
		if (i + 1 == end) {
			save.knows_last = state == TEXT;
			memcpy(save.last, save.old[0], SECTOR);
		}
		bad += state == BAD;
		if (state != TEXT)
			continue;
		if (!tags++)
			last = save.run;
		else if (save.run < last || (save.run == RUN_MAX && last == 1))
			save.run = last;
	}
	return why;
}

/* Finds the sector behind which nothing is in use, and the run of the last one in use. */
static const char *find_end(uint32_t *end)
{
	const char *why = check_tags();
	uint32_t behind = 0;

	save.run = 0;
	do {
		if (!why)
			why = search(behind, end);
		if (!why)
			why = look_behind(*end, &behind);
	} while (!why && behind);
	return why ? why : know_last(*end);
}

static const char *free_sectors(uint32_t first, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		put_tag(save.old[i], KIND_FREE, 0, first + i);
		fill(save.old[i], TAG);
	}
	return transfer(true, first, n, save.old);
}

/* Sectors without a tag are made free only beside sectors that have it: they were torn. */
static bool has_tag(uint32_t first, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (is_ours(save.old[i], first + i))
			return true;
	return false;
}

/* Sectors of which some are bad. What can be read must have its tag; what fails stays in use. */
static const char *clear_each(uint32_t first, unsigned n)
{
	const char *why = NULL;

	for (uint32_t at = first; at < first + n && !why; at++) {
		why = read_sectors(at, 1);
		if (why ? !is_hopeless(why) : has_tag(at, 1))
			why = free_sectors(at, 1);
		if (why && !is_hopeless(why))
			why = NULL;
	}
	return why;
}

/* save=new. From the end on, so that the sectors in use are the first ones at any time. */
static const char *clear(uint32_t *end)
{
	const char *why = NULL;

	for (uint32_t at = *end; at && !why;) {
		unsigned n = at < CHUNK ? at : CHUNK;
		bool last = at == *end && at < save.sectors; /* a free one follows */

		at -= n;
		why = read_sectors(at, n + last);
		if (!why && has_tag(at, n + last))
			why = free_sectors(at, n);
		if (why && !is_hopeless(why))
			why = clear_each(at, n);
	}
	if (!why)
		why = find_end(end);
	if (!why && *end)
		log_warn("save", "save=new", "some sectors of CPL0.LOG could not be emptied");
	return why;
}

/*
 * Writes sectors behind what this run has written, if that still stands there and if they are free.
 * Reads them back.
 */
static const char *write_sectors(uint32_t first, unsigned n, char (*data)[SECTOR])
{
	unsigned lead = save.knows_last;
	const char *why = read_sectors(first - lead, n + lead);

	if (why)
		return why;
	if (lead && memcmp(save.old[0], save.last, SECTOR) != 0)
		return swapped;
	for (unsigned i = 0; i < n; i++)
		if (state_of(lead + i, first + i) != FREE)
			return in_use;
	why = transfer(true, first, n, data);
	if (!why)
		why = read_sectors(first - lead, n + lead);
	if (!why && lead && memcmp(save.old[0], save.last, SECTOR) != 0)
		why = swapped; /* before the write, and no change line says so */
	if (!why && memcmp(save.old[lead], data, n * SECTOR) != 0)
		why = not_kept;
	memcpy(save.last, data[n - 1], SECTOR);
	save.knows_last = true;
	return why;
}

static const char *write_kept(void)
{
	const char *why = NULL;
	unsigned count = save.n;

	if (count > save.sectors - save.at)
		count = save.sectors - save.at;
	for (unsigned i = 0; i < save.n; i++)
		put_tag(save.kept[i], save.kept[i][TAG_KIND], save.run, save.at + i);
	if (save.used < SECTOR)
		fill(save.kept[save.n - 1], save.used);
	for (unsigned i = 0; i < count && !why;) {
		unsigned n = count - i < CHUNK ? count - i : CHUNK;

		why = write_sectors(save.at + i, n, save.kept + i);
		i += n;
	}
	if (!why && count < save.n)
		return full;
	return why;
}

/* A sector that was written is never written again: what comes later begins a new one. */
static const char *flush(bool may_warn)
{
	const char *why = NULL;

	if (!save.on || !save.n)
		return NULL;
	why = write_kept();
	if (!why && save.lost)
		why = "lines came faster than they could be written";
	save.when = x86_rdtsc();
	save.at += save.n;
	save.n = 0;
	if (why) {
		save.on = false;
		save.unwanted = true;
		save.why = why;
		if (may_warn)
			log_warn("save", "CPL0.LOG", why);
	}
	return why;
}

const char *save_flush(bool may_warn)
{
	const char *why = flush(may_warn);

	rest();
	return why;
}

const char *save_lacks(void)
{
	if (save.on && !save.n)
		return NULL;
	return save.on || !save.why ? "lines wait to be written" : save.why;
}

void save_poll(uint64_t ticks)
{
	if (save.on && (save.n >= MANY || x86_rdtsc() - save.when > ticks))
		save_flush(true);
}

const char *save_needs(void)
{
	if (efi_alive())
		return "usb boot_services";
	return save.reachable ? "usb" : NULL;
}

/* ---- The start ---- */

static const char *read_disk(uint32_t first, unsigned count, void *data)
{
	return disk_transfer(false, first, count, data);
}

/* The disk, and the file on it. A medium that cannot be had now may be there later. */
static const char *open_on_disk(void)
{
	const char *why = disk_open(save.drive);

	if (why)
		return why;
	save.reachable = true;
	save.sectors = save.want;
	return fat_check(read_disk, save.base, save.want);
}

static const char *open_by_uefi(void)
{
	static char words[96];
	struct text t = text_in(words, sizeof(words));
	const char *why = efi_open(&save.sectors);

	if (why || save.sectors == save.want)
		return why;
	text_str(&t, "CPL0.LOG has ");
	text_dec(&t, save.sectors);
	text_str(&t, " sectors and not ");
	text_dec(&t, save.want);
	text_str(&t, ": copy the file from the image");
	return words;
}

static const char *open_file(uint32_t *end)
{
	const char *why = efi_alive() ? open_by_uefi() : open_on_disk();

	return why ? why : find_end(end);
}

/* NULL, or why no firmware can be asked for the file. */
static const char *obstacle(const struct bootinfo *bi)
{
	const char *why = efi_alive() ? NULL : bios_obstacle(bi);

	if (!why && !efi_alive() && !bi->has_drive)
		why = "the boot loader does not name the boot disk";
	if (!why && save.begun && !save.reachable)
		why = "the firmware was given up when the first run began";
	save.begun = true;
	save.drive = bi->drive;
	save.reachable |= efi_alive();
	return why;
}

/* Why there is no file: some loaders come over the network alone, and say their name. */
static const char *no_file(const struct bootinfo *bi)
{
	return strncmp(bi->loader, "iPXE", 4) == 0 || strncmp(bi->loader, "PXELINUX", 8) == 0
	               ? "booted over the network, which has no CPL0.LOG"
	               : "this medium has no CPL0.LOG";
}

/*
 * NULL, or why the user wants no log on the medium. The answer matters without `trouble` alone. A
 * no holds for later runs that say nothing about saving.
 */
static const char *declined(const struct args *args, const struct bootinfo *bi, const char *trouble)
{
	if (args->save == SAVE_OFF)
		return "save=off";
	if (!save.want)
		return no_file(bi);
	if (args->save == SAVE_ASK && !trouble)
		save.refused = !ask(question);
	else if (args->save != SAVE_ASK && args->save != SAVE_DEFAULT)
		save.refused = false;
	return save.refused ? "save=ask: no" : NULL;
}

void save_restart(void)
{
	save.on = false;
	save.unwanted = false;
	save.lost = false;
	save.n = 0;
}

void save_begin(const struct args *args, const struct bootinfo *bi)
{
	const char *trouble = obstacle(bi), *no, *why = NULL;
	uint32_t end = 0;

	if (args->log_sectors) { /* a run that was typed has no logfile= */
		save.base = args->log_first;
		save.want = args->log_sectors;
	}
	no = declined(args, bi, trouble);
	if (!no)
		why = trouble ? trouble : open_file(&end);
	if (!no && !why && args->save == SAVE_NEW)
		why = clear(&end);
	if (!no && !why && end == save.sectors)
		why = full;
	save.on = !no && !why;
	save.unwanted = !save.on;
	save.why = no ? no : why;
	save.at = end;
	save.run = save.run % RUN_MAX + 1;
	log_begin("save");
	log_str("to", !save.on ? "none" : efi_alive() ? "uefi" : "bios");
	if (save.on) {
		log_dec("run", save.run);
		log_dec("sector", save.at);
		log_dec("free_kb", (save.sectors - save.at) / (1024 / SECTOR));
	} else {
		log_str("why", save.why);
	}
	log_end();
	if (why || (no && args->save == SAVE_ON))
		log_warn("save", "CPL0.LOG", save.why);
	flush(true); /* a medium that cannot be written says so now */
	rest();
}

const char *save_again(const char *text, size_t n)
{
	const char *why = save.why ? save.why : "no run has looked for CPL0.LOG";
	uint32_t end = 0;

	if (save.reachable)
		save.why = why = open_file(&end);
	if (!why && end == save.sectors)
		save.why = why = full;
	save_restart();
	save.run = save.run % RUN_MAX + 1;
	save.at = end;
	save.on = !why;
	save.unwanted = !save.on;
	while (n && save.on) {
		size_t line = 1;

		while (line < n && text[line - 1] != '\n')
			line++;
		save_text(text, line);
		text += line;
		n -= line;
		if (!n || save.n >= MANY)
			why = flush(false);
	}
	rest();
	return why;
}
