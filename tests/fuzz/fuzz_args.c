/*
 * A command line, and its globs against a name.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/args.h"

static void complain(const char *word, const char *why)
{
	if (!word || !*why || strlen(word) > 80)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1);
	struct args args;

	memcpy(line, data, size);
	line[size] = '\0';
	args_parse(&args, line, complain);
	args_match(args.bench, "instr.lat.add_r32_r32");
	args_match(args.skip, "");
	free(line);
	return 0;
}
