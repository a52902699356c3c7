/*
 * Runs of a kernel that does nothing but save its log, for tests of kernel/firmware/save.c on a
 * firmware with faults, and what must be true of CPL0.LOG behind each of them.
 *
 * saving.c has save.c in it. The firmware is the test's.
 */
#ifndef TESTS_UNIT_SUPPORT_SAVING_H
#define TESTS_UNIT_SUPPORT_SAVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/args.h"

typedef uint8_t saving_sector[512];

struct saving_plan {
	enum args_save how;
	uint32_t first, sectors; /* logfile= */
	uint8_t drive;           /* of a BIOS */
	bool again;              /* the key s at the end */
	bool another;            /* the key r, and a second run */
};

/*
 * From power-on to the end, with records, flushes and lengths drawn by rand(). Each time that the
 * kernel says that its log is on the medium, it calls saving_claim(), which is the test's.
 */
void saving_run(const struct saving_plan *p);
void saving_claim(uint32_t run, const char *text, size_t n);

/* The test's, too: a benchmark runs, and the firmware is not called. */
void saving_pause(void);

/* Of the last run: how many warnings about saving it gave, and the whole log. */
unsigned saving_warnings(void);
const char *saving_log(void);

/* The text of run `run` of a file, as a reader has it; `text` has room. Returns its length. */
size_t saving_read(const saving_sector *file, uint32_t sectors, uint32_t run, char *text);

/* How many sectors are in use, the free ones among them included. */
uint32_t saving_used(const saving_sector *file, uint32_t sectors);

/* Is each sector that was in use `before` the same `after`? */
bool saving_kept(const saving_sector *before, const saving_sector *after, uint32_t sectors);

#endif
