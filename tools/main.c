/* cpl0-log: checks, shows, converts and compares logs (docs/log-format.md). */
#include <stdio.h>
#include <string.h>

#include "tools/commands.h"
#include "tools/results.h"

static const char USAGE[] =
	"usage: cpl0-log check FILE                        is it complete and undamaged?\n"
	"       cpl0-log show FILE                         a summary for people\n"
	"       cpl0-log json FILE                         everything in it, as JSON\n"
	"       cpl0-log csv FILE [KIND]                   a row a field, or a row a record of KIND\n"
	"       cpl0-log compare A B                       the results of two logs side by side\n"
	"       cpl0-log compare LOG --reference CSV [--cpu NAME]\n"
	"                                                  a log beside a table of known figures\n"
	"FILE may be - for standard input.\n"
	"exit: 0 intact, 1 damaged (what could be read is still printed),\n"
	"      2 usage, or no such file, or no record of KIND in it\n";

/* What is wrong with the arguments, and with which; NULL: none of them in particular. */
static int usage(const char *why, const char *culprit)
{
	fprintf(stderr, "cpl0-log: %s%s%s\n", why, culprit ? ": " : "", culprit ? culprit : "");
	fputs(USAGE, stderr);
	return EXIT_USAGE;
}

static int verdict(const struct log *log)
{
	return log_intact(log) ? EXIT_INTACT : EXIT_DAMAGED;
}

/* Conversions say on stderr what they could not convert: stdout is for the converted log. */
static void note_damage(const struct log *log)
{
	if (!log_intact(log))
		check_print(log, stderr);
}

/* The commands that take one file and nothing else. */
static int with_file(int argc, char **argv, void (*print)(const struct log *log, FILE *out))
{
	struct log log;
	int code;

	if (argc < 1)
		return usage("FILE is missing", NULL);
	if (argc > 1)
		return usage("more than one FILE", argv[1]);
	if (!log_open(&log, argv[0]))
		return EXIT_USAGE;
	print(&log, stdout);
	if (print != check_print)
		note_damage(&log);
	code = verdict(&log);
	log_close(&log);
	return code;
}

static int check(int argc, char **argv)
{
	return with_file(argc, argv, check_print);
}

static int show(int argc, char **argv)
{
	return with_file(argc, argv, show_print);
}

static int json(int argc, char **argv)
{
	return with_file(argc, argv, json_print);
}

static int csv(int argc, char **argv)
{
	struct log log;
	int code;

	if (argc < 1)
		return usage("FILE is missing", NULL);
	if (argc > 2)
		return usage("more than FILE and KIND", argv[2]);
	if (!log_open(&log, argv[0]))
		return EXIT_USAGE;
	if (argc == 2 && !log_first(&log, argv[1])) {
		fprintf(stderr, "%s: no record of kind %s\n", log.name, argv[1]);
		code = EXIT_USAGE;
	} else {
		csv_print(&log, argc == 2 ? argv[1] : NULL, stdout);
		code = verdict(&log);
	}
	note_damage(&log);
	log_close(&log);
	return code;
}

static int compare_two(const char *a_path, const char *b_path)
{
	struct log a, b;
	int code;

	if (!log_open(&a, a_path))
		return EXIT_USAGE;
	if (!log_open(&b, b_path)) {
		log_close(&a);
		return EXIT_USAGE;
	}
	compare_logs(&a, &b, stdout);
	code = verdict(&a) | verdict(&b);
	log_close(&a);
	log_close(&b);
	return code;
}

static int compare_table(const char *path, const char *table, const char *cpu)
{
	struct log log;
	int code;

	if (!log_open(&log, path))
		return EXIT_USAGE;
	code = compare_reference(&log, table, cpu, stdout) ? verdict(&log) : EXIT_USAGE;
	log_close(&log);
	return code;
}

static int compare(int argc, char **argv)
{
	const char *table = NULL, *cpu = NULL;

	if (argc < 2)
		return usage("nothing to compare: two logs, or a log and a table", NULL);
	if (strncmp(argv[1], "--", 2))
		return argc > 2 ? usage("more than two logs", argv[2])
		                : compare_two(argv[0], argv[1]);
	for (int i = 1; i < argc; i += 2) {
		const char **value = !strcmp(argv[i], "--reference") ? &table
		                     : !strcmp(argv[i], "--cpu")     ? &cpu
		                                                     : NULL;

		if (!value)
			return usage("unknown option", argv[i]);
		if (i + 1 == argc)
			return usage("a value is missing", argv[i]);
		*value = argv[i + 1];
	}
	if (!table)
		return usage("--cpu goes with --reference", NULL);
	return compare_table(argv[0], table, cpu);
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "check", check }, { "show", show },       { "json", json },
	{ "csv", csv },     { "compare", compare },
};

int main(int argc, char **argv)
{
	if (argc < 2)
		return usage("a command is missing", NULL);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		fputs(USAGE, stdout);
		return EXIT_INTACT;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 2, argv + 2);
	return usage("unknown command", argv[1]);
}
