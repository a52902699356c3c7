/*
 * sim/step/trace.h - --trace and --stats: what execution did, for people to read.
 */
#ifndef SIM_STEP_TRACE_H
#define SIM_STEP_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct insn;
struct machine;
struct trace;

/* File NULL: only statistics. Instructions from number `from`, `count` of them (0: all). */
struct trace *trace_open(const char *file, uint64_t from, uint64_t count);
/* One step, complete in cpu->flight.step; insn NULL: an interrupt or exception. */
void trace_step(struct trace *trace, const struct cpu *cpu, const struct insn *insn);
/* Totals of every signal that occurred, to standard error. */
void trace_stats(const struct trace *trace, const struct machine *pc);
/* `file` as for trace_open(). False after a message on stderr if the file is not whole. */
bool trace_close(struct trace *trace, const char *file);

#endif
