/* The keys at the end of a run: they page through the table, choose the next run, or leave. */
#ifndef KERNEL_CONSOLE_PAGER_H
#define KERNEL_CONSOLE_PAGER_H

#include <stddef.h>

#include "kernel/console/events.h"

enum pager_wish {
	PAGER_NOBODY, /* there is no source of keys */
	PAGER_RUN,    /* another run, with the arguments in `line` */
	PAGER_REBOOT,
	PAGER_OFF,
};

/* Writes `text` of n bytes to the medium; returns NULL, or the error. */
typedef const char *pager_save(const char *text, size_t n);
typedef const char *pager_lacks(void);

/*
 * Shows the last page of the log that the console keeps, and obeys the keys until a key gives a
 * value of enum pager_wish. `line` of `size` bytes, at least 64, is written only for PAGER_RUN. The
 * key `s` gives the kept log to save_log(). The last row says where the log is: lacks() returns
 * NULL if the medium has all of it, else the reason why not. The key `e` shows the events of
 * next_event().
 */
enum pager_wish pager_ask(char *line, size_t size, pager_save *save_log, pager_lacks *lacks,
                          events_next *next_event);

#endif
