/*
 * sim/pc/output.c - what the guest sends goes to standard output and to the --log file. The last
 * line that begins with `done` decides the exit code.
 */
#include "sim/pc/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/output.h"

struct output {
	FILE *log;
	char line[256];
	size_t length;
	int status;
};

struct output *output_open(const char *log)
{
	struct output *out = calloc(1, sizeof(*out));

	if (!out)
		return NULL;
	out->status = NO_DONE;
	if (log) {
		out->log = fopen(log, "wb");
		if (!out->log) {
			free(out);
			return NULL;
		}
	}
	return out;
}

static void end_line(struct output *out)
{
	out->line[out->length] = 0;
	if (!strncmp(out->line, "done ", 5))
		out->status = !strstr(out->line, " status=ok");
	out->length = 0;
	/* whoever kills the simulator shall find every line */
	fflush(stdout);
	if (out->log)
		fflush(out->log);
}

void output_byte(struct output *out, uint8_t byte)
{
	putchar(byte);
	if (out->log)
		fputc(byte, out->log);
	if (byte == '\n')
		end_line(out);
	else if (byte != '\r' && out->length < sizeof(out->line) - 1)
		out->line[out->length++] = (char)byte;
}

int output_status(const struct output *out)
{
	return out->status;
}

bool output_close(struct output *out, const char *log)
{
	bool whole = true;

	if (out && out->log)
		whole = output_close_checked(out->log, "cpl0-sim", log);
	free(out);
	return whole;
}
