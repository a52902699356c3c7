/*
 * Makes the instruction tables of one kernel from bench/instr/forms/: a host program, run by
 * bench/instr/instr.mk.
 *
 *     instr-tables FILE... > tables.c
 *
 * The rows of all files of one kind follow each other in the order of the arguments, which is the
 * order of the benchmarks. A defect in a file ends the build, with file and line.
 * docs/adding-a-form.md says what the columns mean.
 */
#include <stdio.h>

#include "bench/instr/gen/csv.h"
#include "bench/instr/gen/gen.h"

static const struct {
	const char *column; /* a column that only this kind of file has */
	void (*read)(void);
} kinds[] = {
	{ "operands", gen_read_forms },
	{ "code", gen_read_sequences },
	{ "dividend", gen_read_divisions },
	{ "address", gen_read_leas },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void read_file(const char *path)
{
	unsigned i = 0;

	csv_open(path);
	while (i < KINDS && !csv_has(kinds[i].column))
		i++;
	if (i == KINDS)
		csv_die("columns of no known kind of file");
	kinds[i].read();
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: instr-tables FILE...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++)
		read_file(argv[i]);
	printf("/* Made by bench/instr/gen/ from bench/instr/forms/. */\n"
	       "#include \"bench/instr/tables.h\"\n");
	gen_print_needs();
	gen_print_forms();
	gen_print_sequences();
	gen_print_special();
	if (fflush(stdout) || ferror(stdout)) {
		perror("instr-tables: standard output");
		return 1;
	}
	return 0;
}
