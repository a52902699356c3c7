/*
 * sim/step/fetch.h - where instructions come from: pages of code and their lines.
 */
#ifndef SIM_STEP_FETCH_H
#define SIM_STEP_FETCH_H

#include <stdint.h>

struct cpu;
struct insn;

/* OPEN_BUS: no RAM is there, or the host has no memory. NO_PAGE: a page fault. */
enum fetch { FETCH_RAM, FETCH_OPEN_BUS, FETCH_NO_PAGE };

/* Makes the page of this linear address the page that is executed. */
enum fetch fetch_page(struct cpu *cpu, uint64_t linear);
/* Fetches the lines of one instruction. The line that was fetched last costs nothing. */
void fetch_lines(struct cpu *cpu, uint64_t at, const struct insn *insn);

#endif
