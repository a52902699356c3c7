/*
 * sim/pc/output.h - what the guest sends through the serial port.
 */
#ifndef SIM_PC_OUTPUT_H
#define SIM_PC_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

struct output;

/* log: a file for a copy, or NULL. Returns NULL when it cannot be written. */
struct output *output_open(const char *log);
void output_byte(struct output *out, uint8_t byte);
enum { NO_DONE = 2 };

/* 0: the guest's last `done` line said ok; 1: it said something else; NO_DONE: there was none. */
int output_status(const struct output *out);
/* `log` as for output_open(). False after a message on stderr if the copy is not whole. */
bool output_close(struct output *out, const char *log);

#endif
