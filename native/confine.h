/*
 * System calls of the measuring process.
 *
 * The user's code runs inside of the process, so it could do whatever the user may do: a few bytes
 * of `code=` that came from a fuzzer or a paste may start processes without end, or remove files.
 * In the kernel the page tables hold such code. Here a filter does: no system call is made from the
 * memory in which generated code runs, and from elsewhere none that reaches a file, another process
 * or the network.
 *
 * Code that finds and jumps to a system call instruction of the C library can still map memory,
 * start and end threads of this process, end it, and write to standard output and standard error.
 */
#ifndef NATIVE_CONFINE_H
#define NATIVE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Memory below 4 GiB that holds generated code; bytes. */
struct confine_range {
	uint32_t start, size;
};

/*
 * Holds the process from now on; this cannot be taken back. A call that the filter refuses raises
 * SIGSYS, and the process leaves no core file. False if Linux has no seccomp filters or refuses
 * them here.
 */
bool native_confine(const struct confine_range *ranges, unsigned n);

#endif
