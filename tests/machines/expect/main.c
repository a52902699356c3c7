/*
 * Judges a log by what a row of tests/machines expects (tests/machines/README.md):
 *
 *	expect BUILD EXPECTATIONS LOG
 *
 * Prints each expectation that the log does not meet. Exit codes: 0 it meets all; 1 it does not; 2
 * an expectation is malformed, or the log cannot be read.
 */
#include <stdio.h>

#include "tests/machines/expect/judge.h"
#include "tools/lib/output.h"

enum { MET, UNMET, MALFORMED };

int main(int argc, char **argv)
{
	struct spec spec;
	struct log log;
	int code = MALFORMED;

	output_begin();
	if (argc != 4) {
		fputs("usage: expect BUILD EXPECTATIONS LOG\n", stderr);
		return MALFORMED;
	}
	if (spec_read(&spec, argv[2], stderr) && log_open(&log, argv[3])) {
		code = judge(&spec, &log, argv[1], stdout) ? UNMET : MET;
		log_close(&log);
	}
	spec_free(&spec);
	return output_close_checked(stdout, "expect", "stdout") ? code : MALFORMED;
}
