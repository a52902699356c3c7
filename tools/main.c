/* cpl0-log: checks, shows, converts and compares logs (docs/results.md, docs/log-format.md). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/alloc.h"
#include "tools/commands.h"
#include "tools/results.h"

extern const char cpl0_version[]; /* made by the Makefile */

static const char USAGE[] =
	"usage: cpl0-log COMMAND ..., or --help, or --version\n"
	"  check FILE             tells whether the log is complete and undamaged\n"
	"  show FILE [GLOB...]    prints results, a row a benchmark, or the benchmarks of a list\n"
	"       --machine           every record of the machine, too\n"
	"       --events GLOB       only these events as columns\n"
	"  compare A B [GLOB...]  prints what changed by more than the spread of the samples\n"
	"       --all               what did not change, too (--changed: the default)\n"
	"  compare LOG --reference [TABLE]\n"
	"                         prints which latencies and throughputs differ from measured "
	"ones\n"
	"       --cpu NAME          beside this processor of the table, not the log's own\n"
	"       --bench GLOB        only these benchmarks\n"
	"       --all               figures that agree, too\n"
	"  report LOG... -o PAGE.html\n"
	"                         writes a page for the browser: tables, plots, verdicts\n"
	"  db FILE.sqlite LOG...  writes all logs into an SQLite database\n"
	"  json FILE              converts everything in the log to JSON\n"
	"  csv FILE [KIND]        converts to CSV: a row a field, or a row a record of KIND\n"
	"FILE may be - for standard input. GLOB is a shell pattern: 'p5pair.*'.\n"
	"--color=auto|always|never: colours in the output of show and compare.\n"
	"The exit code is 0 if the log is intact, 1 if it is damaged (what could be read is still\n"
	"printed). That of compare is 0 if the results are the same, and 1 if they differ. It "
	"is 2\n"
	"for wrong arguments, no such file, no such record, and damaged logs that were compared.\n";

/* What is wrong with the arguments, and with which; NULL: none of them in particular. */
static int usage(const char *why, const char *culprit)
{
	fprintf(stderr, "cpl0-log: %s%s%s\n", why, culprit ? ": " : "", culprit ? culprit : "");
	fputs(USAGE, stderr);
	return EXIT_USAGE;
}

/* Options of all commands; which command takes which is in `commands` below. */
struct options {
	bool machine, all, changed, reference;
	const char *events, *cpu, *bench, *table, *colour, *output;
};

enum option_code { MACHINE = 256, ALL, CHANGED, REFERENCE, EVENTS, CPU, BENCH, COLOUR, OUTPUT };

static const struct option long_options[] = {
	{ "machine", no_argument, NULL, MACHINE },
	{ "all", no_argument, NULL, ALL },
	{ "changed", no_argument, NULL, CHANGED },
	{ "reference", optional_argument, NULL, REFERENCE },
	{ "events", required_argument, NULL, EVENTS },
	{ "cpu", required_argument, NULL, CPU },
	{ "bench", required_argument, NULL, BENCH },
	{ "color", required_argument, NULL, COLOUR },
	{ "output", required_argument, NULL, OUTPUT },
	{ NULL, 0, NULL, 0 },
};

static const char *option_name(int code)
{
	for (size_t i = 0; long_options[i].name; i++)
		if (long_options[i].val == code)
			return long_options[i].name;
	return "";
}

static bool set_option(struct options *o, int code)
{
	switch (code) {
	case MACHINE:
		o->machine = true;
		return true;
	case ALL:
		o->all = true;
		return true;
	case CHANGED:
		o->changed = true;
		return true;
	case REFERENCE:
		o->reference = true;
		o->table = optarg;
		return true;
	case EVENTS:
		o->events = optarg;
		return true;
	case CPU:
		o->cpu = optarg;
		return true;
	case BENCH:
		o->bench = optarg;
		return true;
	case COLOUR:
		o->colour = optarg;
		return true;
	case OUTPUT:
	case 'o':
		o->output = optarg;
		return true;
	default:
		return false;
	}
}

/*
 * Takes the options out of the arguments: those that are left stand in argv[1] onwards, and their
 * number is returned; -1 after a message. `allowed` ends in 0.
 */
static int parse_options(struct options *o, int argc, char **argv, const int *allowed)
{
	int code;

	*o = (struct options){ .colour = "auto" };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":o:", long_options, NULL)) != -1) {
		if (code == ':') {
			usage("a value is missing", argv[optind - 1]);
			return -1;
		}
		if (!set_option(o, code)) {
			usage("unknown option", argv[optind - 1]);
			return -1;
		}
		if (code == 'o')
			code = OUTPUT;
		for (const int *a = allowed; *a != code; a++)
			if (!*a) {
				usage("this command has no option", option_name(code));
				return -1;
			}
	}
	memmove(argv + 1, argv + optind, (size_t)(argc - optind + 1) * sizeof(*argv));
	if (strcmp(o->colour, "auto") && strcmp(o->colour, "always") &&
	    strcmp(o->colour, "never")) {
		usage("--color must be auto, always or never", o->colour);
		return -1;
	}
	return argc - optind;
}

static bool wants_colour(const struct options *o)
{
	if (strcmp(o->colour, "auto"))
		return !strcmp(o->colour, "always");
	return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
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
static int with_file(int n, char **file, void (*print)(const struct log *log, FILE *out))
{
	struct log log;
	int code;

	if (n < 1)
		return usage("FILE is missing", NULL);
	if (n > 1)
		return usage("more than one FILE", file[1]);
	if (!log_open(&log, file[0]))
		return EXIT_USAGE;
	print(&log, stdout);
	if (print != check_print)
		note_damage(&log);
	code = verdict(&log);
	log_close(&log);
	return code;
}

static int check(int n, char **file, const struct options *o)
{
	(void)o;
	return with_file(n, file, check_print);
}

static int json(int n, char **file, const struct options *o)
{
	(void)o;
	return with_file(n, file, json_print);
}

static int show(int n, char **argument, const struct options *o)
{
	struct show_options how = { .events = o->events,
		                    .machine = o->machine,
		                    .colour = wants_colour(o) };
	struct log log;
	int code;

	if (n < 1)
		return usage("FILE is missing", NULL);
	how.benches = (struct globs){ argument + 1, (size_t)n - 1 };
	if (!log_open(&log, argument[0]))
		return EXIT_USAGE;
	show_print(&log, &how, stdout);
	note_damage(&log);
	code = verdict(&log);
	log_close(&log);
	return code;
}

static int csv(int n, char **argument, const struct options *o)
{
	struct log log;
	int code;

	(void)o;
	if (n < 1)
		return usage("FILE is missing", NULL);
	if (n > 2)
		return usage("more than FILE and KIND", argument[2]);
	if (!log_open(&log, argument[0]))
		return EXIT_USAGE;
	if (n == 2 && !log_first(&log, argument[1])) {
		fprintf(stderr, "%s: no record of kind %s\n", log.name, argument[1]);
		code = EXIT_USAGE;
	} else {
		csv_print(&log, n == 2 ? argument[1] : NULL, stdout);
		code = verdict(&log);
	}
	note_damage(&log);
	log_close(&log);
	return code;
}

static int compare_two(int n, char **argument, const struct options *o)
{
	struct compare_options how = { .all = o->all, .colour = wants_colour(o) };
	struct log a, b;
	int code;

	if (o->cpu || o->bench)
		return usage("--cpu and --bench go with --reference", NULL);
	how.benches = (struct globs){ argument + 2, (size_t)n - 2 };
	if (!log_open(&a, argument[0]))
		return EXIT_USAGE;
	if (!log_open(&b, argument[1])) {
		log_close(&a);
		return EXIT_USAGE;
	}
	code = compare_logs(&a, &b, &how, stdout) ? EXIT_SAME : EXIT_DIFFERS;
	note_damage(&a);
	note_damage(&b);
	if (!log_intact(&a) || !log_intact(&b))
		code = EXIT_USAGE;
	log_close(&a);
	log_close(&b);
	return code;
}

/* `--reference TABLE` is `--reference=TABLE`: the table is then the second argument. */
static int compare_table(int n, char **argument, const struct options *o)
{
	struct reference_options how = { .table = o->table, .cpu = o->cpu, .all = o->all };
	char *bench = (char *)o->bench;
	struct log log;
	int code;

	if (n > (o->table ? 1 : 2))
		return usage("more than one log and one table", argument[n - 1]);
	if (n == 2)
		how.table = argument[1];
	how.benches = (struct globs){ &bench, bench ? 1 : 0 };
	if (!log_open(&log, argument[0]))
		return EXIT_USAGE;
	code = compare_reference(&log, &how, stdout);
	note_damage(&log);
	if (!log_intact(&log))
		code = EXIT_USAGE;
	log_close(&log);
	return code;
}

static int compare(int n, char **argument, const struct options *o)
{
	if (o->all && o->changed)
		return usage("--all and --changed exclude each other", NULL);
	if (o->reference && n >= 1)
		return compare_table(n, argument, o);
	if (n < 2)
		return usage("nothing to compare: two logs, or a log and --reference", NULL);
	return compare_two(n, argument, o);
}

static int close_logs(struct log *logs, size_t n, int code)
{
	for (size_t i = 0; i < n; i++)
		log_close(&logs[i]);
	release(logs);
	return code;
}

/* Opens all, or none after a message. */
static struct log *open_logs(size_t n, char **path)
{
	struct log *logs = allocate(n * sizeof(*logs));

	for (size_t i = 0; i < n; i++)
		if (!log_open(&logs[i], path[i])) {
			close_logs(logs, i, 0);
			return NULL;
		}
	return logs;
}

/* Says what is wrong with them, and returns the exit code of the worst. */
static int verdict_of_all(const struct log *logs, size_t n)
{
	int code = EXIT_INTACT;

	for (size_t i = 0; i < n; i++) {
		note_damage(&logs[i]);
		code |= verdict(&logs[i]);
	}
	return code;
}

static int report(int n, char **path, const struct options *o)
{
	struct log *logs;
	FILE *out;
	int code;

	if (n < 1)
		return usage("LOG is missing", NULL);
	if (!o->output)
		return usage("-o PAGE.html is missing", NULL);
	logs = open_logs((size_t)n, path);
	if (!logs)
		return EXIT_USAGE;
	out = fopen(o->output, "w");
	if (!out) {
		perror(o->output);
		return close_logs(logs, (size_t)n, EXIT_USAGE);
	}
	report_print(logs, (size_t)n, out);
	code = verdict_of_all(logs, (size_t)n);
	if (fclose(out)) {
		perror(o->output);
		code = EXIT_USAGE;
	}
	if (!report_has_plots())
		fputs("cpl0-log: built without uPlot, so the page has no plots\n", stderr);
	return close_logs(logs, (size_t)n, code);
}

static int db(int n, char **path, const struct options *o)
{
	struct log *logs;
	int code;

	(void)o;
	if (n < 2)
		return usage(n < 1 ? "FILE.sqlite is missing" : "LOG is missing", NULL);
	logs = open_logs((size_t)n - 1, path + 1);
	if (!logs)
		return EXIT_USAGE;
	code = verdict_of_all(logs, (size_t)n - 1);
	if (!db_write(path[0], logs, (size_t)n - 1))
		code = EXIT_USAGE;
	return close_logs(logs, (size_t)n - 1, code);
}

static const struct {
	const char *name;
	int (*run)(int n, char **argument, const struct options *o);
	int options[8];
} commands[] = {
	{ "check", check, { 0 } },
	{ "show", show, { MACHINE, EVENTS, COLOUR, 0 } },
	{ "report", report, { OUTPUT, 0 } },
	{ "db", db, { 0 } },
	{ "json", json, { 0 } },
	{ "csv", csv, { 0 } },
	{ "compare", compare, { ALL, CHANGED, REFERENCE, CPU, BENCH, COLOUR, 0 } },
};

int main(int argc, char **argv)
{
	struct options o;
	int n;

	if (argc < 2)
		return usage("a command is missing", NULL);
	if (!strcmp(argv[1], "--version")) {
		printf("cpl0-log %s\n", cpl0_version);
		return EXIT_INTACT;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		fputs(USAGE, stdout);
		return EXIT_INTACT;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		n = parse_options(&o, argc - 1, argv + 1, commands[i].options);
		return n < 0 ? EXIT_USAGE : commands[i].run(n, argv + 2, &o);
	}
	return usage("unknown command", argv[1]);
}
