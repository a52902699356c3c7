/*
 * Runs that save their log (tests/unit/support/saving.h).
 */
#include "tests/unit/support/saving.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernel/firmware/save.c" /* its state begins anew in every run */

enum { ROOM_FOR_LOG = 1 << 20 };

static char said[ROOM_FOR_LOG];
static size_t nsaid;
static unsigned warnings;

static void hear(const char *line, size_t n)
{
	if (nsaid + n >= ROOM_FOR_LOG)
		abort();
	memcpy(said + nsaid, line, n);
	nsaid += n;
	said[nsaid] = '\0';
	warnings += n > 14 && memcmp(line, "warn what=save", 14) == 0;
	save_text(line, n);
}

/* A sector at times, at times a long line. */
static void record(void)
{
	static char value[900];
	unsigned n = (unsigned)rand() % (rand() % 8 ? 200 : sizeof(value));

	memset(value, 'a' + rand() % 26, sizeof(value));
	log_begin("result");
	log_strn("name", value, n);
	log_end();
}

static void begin(const struct saving_plan *p)
{
	struct args args = { .save = p->how, .log_first = p->first, .log_sectors = p->sectors };
	struct bootinfo bi = { .has_drive = true, .drive = p->drive, .nregions = 1 };

	bi.regions[0] = (struct boot_region){ .size = 0x9f000, .type = REGION_FREE };
	log_restart();
	nsaid = 0;
	record();
	save_begin(&args, &bi);
}

/* What main.c does behind save_begin(). */
static void measure(void)
{
	for (unsigned n = (unsigned)rand() % 60; n; n--) {
		saving_pause();
		record();
		if (rand() % 6 == 0)
			save_flush(true);
		else
			save_poll(UINT64_MAX);
	}
	save_flush(true);
	log_done(NULL);
	saving_pause();
	if (save_flush(false))
		warnings++; /* main.c says so behind `done` */
	else if (save.on)
		saving_claim(save.run, said, nsaid);
}

void saving_run(const struct saving_plan *p)
{
	struct saving_plan next = *p;

	memset(&save, 0, sizeof(save));
	warnings = 0;
	log_sink(hear);
	begin(p);
	measure();
	if (p->again && !save_again(said, nsaid))
		saving_claim(save.run, said, nsaid);
	if (!p->another)
		return;
	next.how = SAVE_DEFAULT;
	save_restart();
	begin(&next);
	measure();
}

unsigned saving_warnings(void)
{
	return warnings;
}

const char *saving_log(void)
{
	return said;
}

/* ---- Written from docs/log-format.md ---- */

static bool is_unused(const uint8_t *s, uint32_t index)
{
	char text[DISK_SECTOR + 64];

	snprintf(text, sizeof(text), "~cpl0-000 %05u\n%495s\n", index, "");
	return memcmp(s, text, DISK_SECTOR) == 0;
}

size_t saving_read(const saving_sector *file, uint32_t sectors, uint32_t run, char *text)
{
	size_t n = 0;

	for (uint32_t i = 0; i < sectors; i++) {
		const char *s = (const char *)file[i];
		size_t end = DISK_SECTOR;
		char tag[64];

		snprintf(tag, sizeof(tag), "~cpl0%c%03u %05u\n", s[5], run, i);
		if ((s[5] != ' ' && s[5] != '+') || memcmp(s, tag, 16) != 0)
			continue;
		/* What is left behind the last line: blanks and LF, or LF alone. */
		if (s[end - 1] == '\n' && (s[end - 2] == ' ' || s[end - 2] == '\n'))
			for (end--; end > 16 && s[end - 1] == ' ';)
				end--;
		memcpy(text + n, s + 16, end - 16);
		n += end - 16;
	}
	return n;
}

uint32_t saving_used(const saving_sector *file, uint32_t sectors)
{
	while (sectors && is_unused(file[sectors - 1], sectors - 1))
		sectors--;
	return sectors;
}

bool saving_kept(const saving_sector *before, const saving_sector *after, uint32_t sectors)
{
	for (uint32_t i = 0; i < sectors; i++)
		if (memcmp(before[i], after[i], DISK_SECTOR) != 0 && !is_unused(before[i], i))
			return false;
	return true;
}
