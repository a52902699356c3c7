/*
 * sim/step/retire.h - the end of an instruction: its clocks, its signals, what the counters see.
 */
#ifndef SIM_STEP_RETIRE_H
#define SIM_STEP_RETIRE_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct insn;

/* Fetched, and about to execute: values that the pipeline models need from that moment. */
void retire_prepare(struct cpu *cpu, const struct insn *insn);
/* The instruction in flight has ended; execution goes on at linear address `next`. */
void retire_instruction(struct cpu *cpu, uint64_t next);
/* The same for an instruction in flight that is easy, while no signals are collected. */
void retire_easy(struct cpu *cpu);
/* A step that is no instruction: an interrupt, or exception `vector`, taken at linear `from`. */
void retire_event(struct cpu *cpu, bool hardware, unsigned vector, uint64_t from);
/* Drops the instruction in flight: it faulted, and will be executed again or not at all. */
void retire_nothing(struct cpu *cpu);
/* Works out anew whether anybody looks at the steps. */
void retire_watch(struct cpu *cpu);

#endif
