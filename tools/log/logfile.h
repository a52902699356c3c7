/*
 * A captured log: its lines, the runs in it (a machine that reboots starts a new one), and what
 * is wrong with it. The rules are docs/log-format.md, "What a reader checks".
 */
#ifndef TOOLS_LOG_LOGFILE_H
#define TOOLS_LOG_LOGFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/log/record.h"

enum line_class {
	LINE_CHATTER, /* no tail: for humans, or noise */
	LINE_RECORD,  /* a tail and the right CRC */
	LINE_GARBLED, /* a tail and the wrong CRC */
	LINE_LOOSE,   /* schema 2: the record before it is lost, so nothing proves its CRC */
};

enum line_end { END_NONE, END_LF, END_CRLF };

struct line {
	struct span text; /* without line end; for the first record also without what precedes it */
	size_t offset;    /* of `text` in the file, bytes */
	unsigned number;  /* from 1 */
	enum line_class class;
	enum line_end end;
	struct record rec; /* valid for records, its tail also for damaged lines */
};

struct run {
	size_t first, end; /* lines [first, end) of the log; the last run owns what follows it */
	size_t records;    /* whole and damaged */
	const struct line *done; /* its `done` record, NULL if it has none */
	bool intact;
};

enum finding_kind {
	FOUND_NOTHING,      /* no record in the whole file */
	FOUND_NO_START,     /* the first record is not `cpl0` */
	FOUND_SCHEMA,       /* a schema this reader does not know */
	FOUND_GARBLED,      /* wrong CRC */
	FOUND_LOOSE,        /* the record before it is lost */
	FOUND_TAIL,         /* a record whose tail is damaged */
	FOUND_RENUMBERED,   /* right CRC, damaged SEQ */
	FOUND_MISSING,      /* SEQ jumps */
	FOUND_OUT_OF_ORDER, /* a record that comes late */
	FOUND_DUPLICATE,
	FOUND_MALFORMED,  /* right CRC, breaks the grammar */
	FOUND_SORT,       /* right CRC, a value that is not of its key's sort */
	FOUND_CUT,        /* truncated=1: outgrew the writer's buffer */
	FOUND_LINE_END,   /* not the line end of the records before it */
	FOUND_COUNT,      /* done records=N is wrong */
	FOUND_STATUS,     /* done without status=ok|fail */
	FOUND_NO_DONE,    /* did not finish, or the end is lost */
	FOUND_AFTER_DONE, /* a record behind `done` */
	FOUND_FOLDED,     /* a terminal broke its lines */
	FOUND_TAG_NUMBER, /* of a sector of CPL0.LOG */
};

struct finding {
	enum finding_kind kind;
	unsigned run; /* from 1; 0: the whole file */
	unsigned line;
	size_t offset;     /* of the byte or line where it shows, in the file */
	uint32_t expected; /* the SEQ that should have come */
	char text[160];    /* what is wrong, for people */
};

/* What this program does not know of a log that another release wrote: no damage. */
struct note {
	unsigned line; /* the first of several alike */
	char text[120];
};

enum { LOG_NOTES = 20 };

struct log {
	const char *name;
	char *data;
	size_t size;
	struct line *lines;
	size_t nlines;
	struct run *runs;
	size_t nruns;
	struct finding *findings; /* in the order of the file */
	size_t nfindings;
	struct note notes[LOG_NOTES];
	size_t nnotes;
	bool more_notes; /* there were others */
	bool empty; /* nothing but blanks and line ends: no run yet, so neither whole nor damaged */
	bool unused;     /* a CPL0.LOG that no run has been saved in */
	unsigned chosen; /* the run that the user named, from 1; 0: none. Set by the program */
};

/* Is the line a tag of CPL0.LOG, or blank: what fills sectors and says nothing? */
bool line_is_padding(const struct line *line);

/* Takes over `data` (from allocate()) and reads it; never fails, whatever the bytes. */
void log_read(struct log *log, const char *name, char *data, size_t size);

/*
 * The most that a log may have. CPL0.LOG ends at 99,999 sectors of 512 bytes, which is 49 MiB, so
 * this is five of the longest; an input without an end stops here.
 */
enum { LOG_BYTES = 256 << 20 };

/*
 * Reads a file, `-` for standard input. False with a message on stderr if it cannot be read or has
 * more than LOG_BYTES.
 */
bool log_open(struct log *log, const char *path);

void log_close(struct log *log);

/*
 * One run, one `cpl0`, every record there, `done` at the end; true for several such runs too, and
 * for a CPL0.LOG without any.
 */
bool log_intact(const struct log *log);

#endif
