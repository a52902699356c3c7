/* The records `sample`, `skid` and `address` of a log, with the sampled code disassembled. */
#ifndef TOOLS_SAMPLES_H
#define TOOLS_SAMPLES_H

#include "tools/result/commands.h"

/*
 * The instruction at the start of the record's `code`, as text. False: the record has no such key,
 * or no instruction begins with these bytes. bits: 32 or 64, of the kernel.
 */
bool sample_instruction(const struct record *r, unsigned bits, char *out, size_t size);

/*
 * All instructions of hex digits, with "; " between them and "..." behind them if bytes are left
 * that are none: the end of the body is not in the log. "" if `hex` is no code.
 */
void code_text(const char *hex, unsigned bits, char *out, size_t size);

/* A table for each benchmark and event of a run that has such records. */
void samples_print(const struct log *log, const struct run *run, const struct globs *benches,
                   unsigned bits, FILE *out);

#endif
