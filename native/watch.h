/*
 * A parent process that notices when the measuring process ends without a `done` record.
 *
 * The user's code may end its process: by a system call, or by a signal that no handler gets.
 * Nothing in that process can print a record afterwards, so its parent does.
 */
#ifndef NATIVE_WATCH_H
#define NATIVE_WATCH_H

#include <stddef.h>

/*
 * Runs measure(data) in a child process and returns its exit code, 0 to 255. If the child ends
 * before it called watch_done(), or by a signal, the parent prints an `error` record with
 * what=process and the `done` record through `sink`, numbered after the child's last record, and
 * returns 1. Returns 3 if there is no child.
 */
int watch_run(int (*measure)(void *data), void *data, void (*sink)(const char *line, size_t n));

/* In the child: call it after each printed record. */
void watch_record(void);

/* In the child: `name` is the code that runs from now on, the culprit of an end; NULL: none. */
void watch_running(const char *name);

/* In the child: the `done` record was printed. */
void watch_done(void);

#endif
