/*
 * CPL0.LOG (kernel/firmware/save.h).
 */
#include "kernel/firmware/save.h"
#include "kernel/firmware/bios.h"
#include "kernel/firmware/disk.h"
#include "kernel/firmware/efi.h"
#include "kernel/cpu/x86.h"
#include "kernel/log.h"
#include "kernel/string.h"

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
	KEPT = 128,        /* sectors that may wait to be written */
	MANY = 32,         /* so many are written at the next occasion */
	ASK_POLLS = 800,   /* of 25 ms */
	PORT_DELAY = 0x80, /* a read takes about a microsecond */
};

static const char magic[] = "~cpl0";
static const char full[] = "CPL0.LOG is full; take it home, and boot with save=new";

static struct {
	bool reachable;   /* the firmware answers for the medium, whatever is wrong with it */
	uint8_t drive;    /* of a BIOS */
	bool unwanted;    /* no line is kept any more */
	bool on;          /* and there is a file for them */
	bool lost;        /* some did not fit */
	uint32_t base;    /* sector of the disk with which the file begins */
	uint32_t sectors; /* of the file */
	uint32_t at;      /* sector of the file that kept[0] will be */
	uint32_t run;
	unsigned n;    /* sectors in use in `kept` */
	unsigned used; /* bytes of the last of them, its tag included */
	bool changed;  /* since the last write */
	uint64_t last; /* when that was, in ticks of the TSC */
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

static bool is_ours(const char *s, uint32_t index)
{
	char kind = s[TAG_KIND];

	return memcmp(s, magic, TAG_KIND) == 0 &&
	       (kind == KIND_TEXT || kind == KIND_MORE || kind == KIND_FREE) &&
	       get_number(s + TAG_RUN, RUN_DIGITS) != UINT32_MAX && s[TAG_INDEX - 1] == ' ' &&
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
	save.changed = true;
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

static const char *transfer(bool write, uint32_t first, unsigned count, void *data)
{
	return efi_alive() ? efi_transfer(write, first, count, data)
	                   : disk_transfer(write, save.base + first, count, data);
}

/* Reads sectors of the file and believes them only if all of them are the file's. */
static const char *read_sectors(uint32_t first, unsigned count)
{
	const char *why = transfer(false, first, count, save.old);

	for (unsigned i = 0; i < count && !why; i++)
		if (!is_ours(save.old[i], first + i))
			why = "CPL0.LOG is not as it should be, or not where logfile= says";
	return why;
}

static const char *write_sectors(uint32_t first, unsigned count, void *data)
{
	const char *why = read_sectors(first, count);

	return why ? why : transfer(true, first, count, data);
}

/* Sectors in use are the first ones of the file: finds how many, and the last one's run. */
static const char *find_end(uint32_t *end)
{
	uint32_t low = 0, high = save.sectors;

	save.run = 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const char *why = read_sectors(middle, 1);

		if (why)
			return why;
		if (save.old[0][TAG_KIND] == KIND_FREE) {
			high = middle;
		} else {
			save.run = get_number(save.old[0] + TAG_RUN, RUN_DIGITS);
			low = middle + 1;
		}
	}
	*end = low;
	return NULL;
}

/* save=new. From the end on, so that the sectors in use are the first ones at any time. */
static const char *clear(uint32_t *end)
{
	const char *why = NULL;

	save.run = 0;
	while (*end && !why) {
		unsigned n = *end < DISK_CHUNK ? *end : DISK_CHUNK;

		*end -= n;
		why = read_sectors(*end, n);
		for (unsigned i = 0; i < n; i++) {
			put_tag(save.old[i], KIND_FREE, 0, *end + i);
			fill(save.old[i], TAG);
		}
		if (!why)
			why = transfer(true, *end, n, save.old);
	}
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
		unsigned n = count - i < DISK_CHUNK ? count - i : DISK_CHUNK;

		why = write_sectors(save.at + i, n, save.kept[i]);
		i += n;
	}
	if (!why && count < save.n)
		return full;
	return why;
}

const char *save_flush(bool may_warn)
{
	const char *why = NULL;

	if (!save.on || !save.changed)
		return NULL;
	why = write_kept();
	if (!why && save.lost)
		why = "lines came faster than they could be written";
	save.last = x86_rdtsc();
	save.changed = false;
	if (why) {
		save.on = false;
		save.unwanted = true;
		if (may_warn)
			log_warn("save", "CPL0.LOG", why);
	} else if (save.n > 1) {
		/* The last sector may have room: it is written again. */
		memcpy(save.kept[0], save.kept[save.n - 1], SECTOR);
		save.at += save.n - 1;
		save.n = 1;
	}
	return why;
}

void save_poll(uint64_t ticks)
{
	if (save.on && (save.n >= MANY || x86_rdtsc() - save.last > ticks))
		save_flush(true);
}

const char *save_needs(void)
{
	if (efi_alive())
		return "usb boot_services";
	return save.reachable ? "usb" : NULL;
}

/* ---- The start ---- */

static bool ask(void)
{
	log_chat("Save the log to CPL0.LOG on this disk? y or n; no key in 20 seconds is no.");
	for (unsigned i = 0; i < ASK_POLLS; i++) {
		char key = (char)(efi_alive() ? efi_key() : bios_key()) | 0x20;

		if (key == 'y' || key == 'n')
			return key == 'y';
		for (unsigned n = 0; n < EFI_KEY_WAIT && !efi_alive(); n++) /* it has waited */
			x86_inb(PORT_DELAY);
	}
	return false;
}

static const char *open_on_disk(const struct args *args, const struct bootinfo *bi)
{
	const char *why = bios_obstacle(bi);

	save.base = args->log_first;
	save.sectors = args->log_sectors;
	if (why)
		return why;
	if (!bi->has_drive)
		return "the boot loader does not name the boot disk";
	save.drive = bi->drive;
	why = disk_open(bi->drive);
	save.reachable = !why;
	return why;
}

static const char *open_file(const struct args *args, const struct bootinfo *bi, uint32_t *end)
{
	const char *why = efi_alive() ? efi_open(&save.sectors) : open_on_disk(args, bi);

	if (!why)
		why = find_end(end);
	if (!why && args->save == SAVE_NEW)
		why = clear(end);
	if (!why && *end == save.sectors)
		why = full;
	return why;
}

static const char *declined(const struct args *args, const struct bootinfo *bi)
{
	if (args->save == SAVE_OFF)
		return "save=off";
	if (!args->log_sectors)
		return "this medium has no CPL0.LOG";
	if (args->save == SAVE_ASK && (efi_alive() || !bios_obstacle(bi)) && !ask())
		return "save=ask: no";
	return NULL;
}

void save_begin(const struct args *args, const struct bootinfo *bi)
{
	const char *no = declined(args, bi), *why = NULL;
	uint32_t end = 0;

	save.reachable = efi_alive();
	if (!no)
		why = open_file(args, bi, &end);
	save.on = !no && !why;
	save.unwanted = !save.on;
	save.at = end;
	save.run = save.run % RUN_MAX + 1;
	log_begin("save");
	log_str("to", !save.on ? "none" : efi_alive() ? "uefi" : "bios");
	if (save.on) {
		log_dec("run", save.run);
		log_dec("sector", save.at);
		log_dec("free_kb", (save.sectors - save.at) / (1024 / SECTOR));
	} else {
		log_str("why", no ? no : why);
	}
	log_end();
	if (why || (no && args->save == SAVE_ON))
		log_warn("save", "CPL0.LOG", no ? no : why);
	save_flush(true); /* a medium that cannot be written says so now */
}

const char *save_again(const char *text, size_t n)
{
	const char *why = "the firmware was not asked to save this run: see the record save";
	uint32_t end = 0;

	if (save.reachable)
		why = efi_alive() ? efi_open(&save.sectors) : disk_open(save.drive);
	if (!why)
		why = find_end(&end);
	if (!why && end == save.sectors)
		why = full;
	save.run = save.run % RUN_MAX + 1;
	save.at = end;
	save.n = 0;
	save.lost = false;
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
			why = save_flush(false);
	}
	return why;
}
