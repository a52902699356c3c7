/* cpl0-log: checks, shows, converts and compares logs (docs/results.md, docs/log-format.md). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/alloc.h"
#include "tools/result/commands.h"
#include "tools/events/events.h"
#include "tools/help.h"
#include "tools/lib/near.h"
#include "tools/lib/output.h"
#include "tools/pager.h"
#include "tools/result/results.h"
#include "tools/result/runs.h"
#include "tools/result/table.h"

extern const char cpl0_version[]; /* made by the Makefile */

static const char *command; /* that is being executed, for usage() */

/* What is wrong with the arguments, and with which; NULL: none of them in particular. */
static int usage(const char *why, const char *culprit)
{
	fprintf(stderr, "cpl0-log: %s%s%s\n", why, culprit ? ": " : "",
	        culprit ? output_name(culprit) : "");
	help_usage(command, stderr);
	return EXIT_USAGE;
}

/* The same for a word that is none of the names that were tried. */
static int misspelt(const char *why, struct near *near)
{
	fprintf(stderr, "cpl0-log: %s: %s%s\n", why, output_name(near->word), near_text(near));
	help_usage(command, stderr);
	return EXIT_USAGE;
}

/* Options of all commands; which command takes which: tools/help.c. */
struct options {
	bool help, machine, all, changed, reference, last, list, figures, forms, no_pager;
	const char *events, *cpu, *bench, *table, *colour, *output, *within, *run;
};

enum option_code {
	HELP = 256,
	MACHINE,
	ALL,
	CHANGED,
	REFERENCE,
	EVENTS,
	CPU,
	BENCH,
	COLOUR,
	OUTPUT,
	WITHIN,
	RUN,
	LAST,
	LIST,
	FIGURES_OF,
	FORMS,
	NO_PAGER
};

static const struct option long_options[] = {
	{ "help", no_argument, NULL, HELP },
	{ "machine", no_argument, NULL, MACHINE },
	{ "all", no_argument, NULL, ALL },
	{ "changed", no_argument, NULL, CHANGED },
	{ "reference", optional_argument, NULL, REFERENCE },
	{ "events", required_argument, NULL, EVENTS },
	{ "cpu", required_argument, NULL, CPU },
	{ "bench", required_argument, NULL, BENCH },
	{ "color", required_argument, NULL, COLOUR },
	{ "output", required_argument, NULL, OUTPUT },
	{ "within", required_argument, NULL, WITHIN },
	{ "run", required_argument, NULL, RUN },
	{ "last", no_argument, NULL, LAST },
	{ "list", no_argument, NULL, LIST },
	{ "figures", no_argument, NULL, FIGURES_OF },
	{ "forms", no_argument, NULL, FORMS },
	{ "no-pager", no_argument, NULL, NO_PAGER },
	{ NULL, 0, NULL, 0 },
};

static void try_commands(struct near *near);

static void unknown_option(const char *word)
{
	char name[64];
	struct near near = { .word = name };

	snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
	name[strcspn(name, "=")] = '\0';
	for (size_t i = 0; long_options[i].name; i++)
		if (long_options[i].val == HELP || help_takes(command, long_options[i].name))
			near_try(&near, long_options[i].name);
	if (!near.n)
		try_commands(&near);
	near.word = word;
	misspelt("unknown option", &near);
}

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
	case HELP:
		o->help = true;
		return true;
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
	case WITHIN:
		o->within = optarg;
		return true;
	case RUN:
		o->run = optarg;
		return true;
	case LAST:
		o->last = true;
		return true;
	case LIST:
		o->list = true;
		return true;
	case FIGURES_OF:
		o->figures = true;
		return true;
	case FORMS:
		o->forms = true;
		return true;
	case NO_PAGER:
		o->no_pager = true;
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
 * number is returned; -1 after a message.
 */
static int parse_options(struct options *o, int argc, char **argv)
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
			unknown_option(argv[optind - 1]);
			return -1;
		}
		if (code == 'o')
			code = OUTPUT;
		if (code != HELP && !help_takes(command, option_name(code))) {
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

/* Where the output goes, as it was before a pager took it. */
static struct {
	bool is;
	unsigned width; /* 0: a file and a pipe have lines of any length */
} terminal;

static void look_at_terminal(void)
{
	struct winsize size;

	terminal.is = isatty(STDOUT_FILENO);
	if (terminal.is && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		terminal.width = size.ws_col;
}

static bool wants_colour(const struct options *o)
{
	if (strcmp(o->colour, "auto"))
		return !strcmp(o->colour, "always");
	return terminal.is && !getenv("NO_COLOR");
}

/* An input into which standard output goes would change while it is read; says so. */
static bool is_output(const char *path)
{
	if (!output_is_same("/dev/stdout", strcmp(path, "-") ? path : "/dev/stdin"))
		return false;
	fprintf(stderr, "cpl0-log: %s: standard output goes there, so it is not read\n",
	        output_name(path));
	return true;
}

static bool open_log(struct log *log, const char *path)
{
	return !is_output(path) && log_open(log, path);
}

static int verdict(const struct log *log)
{
	if (log->empty) /* no damage, but no log either */
		return EXIT_USAGE;
	return log_intact(log) ? EXIT_INTACT : EXIT_DAMAGED;
}

/* Conversions say on stderr what they could not convert: stdout is for the converted log. */
static void note_damage(const struct log *log)
{
	if (!log_intact(log))
		check_print(log, stderr);
}

static int close_logs(struct log *logs, size_t n, int code)
{
	for (size_t i = 0; i < n; i++)
		log_close(&logs[i]);
	release(logs);
	return code;
}

/* Opens all and chooses their runs, or none after a message. */
static struct log *open_logs(size_t n, char **path, const struct options *o)
{
	struct log *logs = allocate(n * sizeof(*logs));

	for (size_t i = 0; i < n; i++)
		if (!open_log(&logs[i], path[i])) {
			close_logs(logs, i, 0);
			return NULL;
		}
	if (o->run && o->last)
		usage("--run and --last exclude each other", NULL);
	else if (runs_choose(logs, n, o->run, o->last))
		return logs;
	close_logs(logs, n, 0);
	return NULL;
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

/* The commands that take one file and nothing else. */
static int with_file(int n, char **file, const struct options *o,
                     void (*print)(const struct log *log, FILE *out))
{
	struct log *log;
	int code;

	if (n < 1)
		return usage("FILE is missing", NULL);
	if (n > 1)
		return usage("more than one FILE", file[1]);
	log = open_logs(1, file, o);
	if (!log)
		return EXIT_USAGE;
	print(log, stdout);
	if (print != check_print)
		note_damage(log);
	code = verdict(log);
	return close_logs(log, 1, code);
}

static int check(int n, char **file, const struct options *o)
{
	return with_file(n, file, o, check_print);
}

static int show_logs(size_t n, char **path, const struct show_options *how, const struct options *o)
{
	struct log *logs = open_logs(n, path, o);
	int code;

	if (!logs)
		return EXIT_USAGE;
	for (size_t i = 0; i < n; i++) {
		if (n > 1)
			printf("%s%s:\n", i ? "\n" : "", logs[i].name);
		show_print(&logs[i], how, stdout);
	}
	code = verdict_of_all(logs, n);
	return close_logs(logs, n, code);
}

/* --list: which runs there are, instead of what the command does with them. */
static int list_runs(size_t n, char **path, const struct options *o)
{
	struct show_options how = { .list = true, .colour = wants_colour(o) };

	return show_logs(n, path, &how, o);
}

static int show(int n, char **argument, const struct options *o)
{
	struct show_options how = { .events = o->events,
		                    .machine = o->machine,
		                    .list = o->list,
		                    .width = terminal.width,
		                    .colour = wants_colour(o) };

	if (n < 1)
		return usage("FILE is missing", NULL);
	how.benches = (struct globs){ argument + 1, (size_t)n - 1 };
	return show_logs(1, argument, &how, o);
}

/* Figures of a log instead of its records: csv or json, with the GLOBs behind FILE. */
static int figures(int n, char **argument, const struct options *o, bool json)
{
	struct globs benches = { argument + 1, (size_t)n - 1 };
	struct log *log;
	int code;

	if (o->figures && o->forms)
		return usage("--figures and --forms exclude each other", NULL);
	log = open_logs(1, argument, o);
	if (!log)
		return EXIT_USAGE;
	if (json)
		json_figures(log, &benches, stdout);
	else
		csv_figures(log, &benches, o->forms, stdout);
	code = verdict_of_all(log, 1);
	return close_logs(log, 1, code);
}

static int json(int n, char **argument, const struct options *o)
{
	if (o->list && n >= 1)
		return list_runs(1, argument, o);
	if (o->figures && n >= 1)
		return figures(n, argument, o, true);
	return with_file(n, argument, o, json_print);
}

/* Of the runs that are wanted. */
static bool has_kind(const struct log *log, const char *kind)
{
	for (size_t i = 0; i < log->nruns; i++)
		if (runs_has(log, i) && run_first(log, &log->runs[i], kind))
			return true;
	return false;
}

/* A command of one FILE, and what is missing if it prints nothing. */
static int print_page(int n, char **argument, const struct options *o,
                      bool (*print)(const struct log *log, FILE *out), const char *missing)
{
	struct log *log;
	int code;

	if (n < 1)
		return usage("FILE is missing", NULL);
	if (n > 1)
		return usage("more than one FILE", argument[1]);
	if (o->list)
		return list_runs(1, argument, o);
	log = open_logs(1, argument, o);
	if (!log)
		return EXIT_USAGE;
	code = verdict(log);
	if (!print(log, stdout)) {
		fprintf(stderr, "%s: %s\n", output_name(log->name), missing);
		code = EXIT_USAGE;
	}
	note_damage(log);
	return close_logs(log, 1, code);
}

static int datasheet(int n, char **argument, const struct options *o)
{
	return print_page(n, argument, o, datasheet_print,
	                  "no record datasheet: boot with bench=datasheet.*");
}

static int policy(int n, char **argument, const struct options *o)
{
	return print_page(n, argument, o, policy_print,
	                  "no record sequence: boot with bench=datasheet.policy.* or seq=");
}

static int csv_records(int n, char **argument, const struct options *o)
{
	struct log *log;
	int code;

	if (n > 2)
		return usage("more than FILE and KIND", argument[2]);
	log = open_logs(1, argument, o);
	if (!log)
		return EXIT_USAGE;
	if (n == 2 && !has_kind(log, argument[1])) {
		fprintf(stderr, "%s: no record of kind %s\n", output_name(log->name),
		        output_name(argument[1]));
		code = EXIT_USAGE;
	} else {
		csv_print(log, n == 2 ? argument[1] : NULL, stdout);
		code = verdict(log);
	}
	note_damage(log);
	return close_logs(log, 1, code);
}

static int csv(int n, char **argument, const struct options *o)
{
	if (n < 1)
		return usage("FILE is missing", NULL);
	if (o->list)
		return list_runs(1, argument, o);
	if (o->figures || o->forms)
		return figures(n, argument, o, false);
	return csv_records(n, argument, o);
}

static bool is_percent(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && *value >= 0 && *value <= 100;
}

/* Damaged logs are no basis for a verdict. */
static int close_compared(struct log *logs, size_t n, int code)
{
	if (verdict_of_all(logs, n) != EXIT_INTACT)
		code = EXIT_USAGE;
	return close_logs(logs, n, code);
}

static int compare_two(int n, char **argument, const struct options *o)
{
	struct compare_options how = { .all = o->all,
		                       .colour = wants_colour(o),
		                       .width = terminal.width,
		                       .within = COMPARE_WITHIN };
	struct log *logs;
	bool same;

	if (o->cpu || o->bench)
		return usage("--cpu and --bench go with --reference", NULL);
	if (o->within && !is_percent(o->within, &how.within))
		return usage("--within must be a number from 0 to 100", o->within);
	how.benches = (struct globs){ argument + 2, (size_t)n - 2 };
	logs = open_logs(2, argument, o);
	if (!logs)
		return EXIT_USAGE;
	same = compare_logs(&logs[0], &logs[1], &how, stdout);
	return close_compared(logs, 2, same ? EXIT_SAME : EXIT_DIFFERS);
}

/* `--reference list`: the processors of the table that is built in. */
static int list_processors(void)
{
	struct table table;

	if (!table_read(&table, NULL))
		return EXIT_USAGE;
	table_print_processors(&table, stdout);
	table_free(&table);
	return EXIT_SAME;
}

/* `--reference TABLE` is `--reference=TABLE`: the table is then the second argument. */
static int compare_table(int n, char **argument, const struct options *o)
{
	struct reference_options how = { .table = o->table, .cpu = o->cpu, .all = o->all };
	char *bench = (char *)o->bench;
	struct log *log;

	if (o->within)
		return usage("--within goes with two logs", NULL);
	if (n > (o->table ? 1 : 2))
		return usage("more than one log and one table", argument[n - 1]);
	if (n == 2)
		how.table = argument[1];
	if (how.table && is_output(how.table))
		return EXIT_USAGE;
	how.benches = (struct globs){ &bench, bench ? 1 : 0 };
	log = open_logs(1, argument, o);
	if (!log)
		return EXIT_USAGE;
	return close_compared(log, 1, compare_reference(log, &how, stdout));
}

static int compare(int n, char **argument, const struct options *o)
{
	if (o->all && o->changed)
		return usage("--all and --changed exclude each other", NULL);
	if (o->list && n >= 1)
		return list_runs(n > 1 && !o->reference ? 2 : 1, argument, o);
	if (o->reference && !strcmp(o->table ? o->table : n ? argument[n - 1] : "", "list"))
		return list_processors();
	if (o->reference && n >= 1)
		return compare_table(n, argument, o);
	if (n < 2)
		return usage("nothing to compare: two logs, or a log and --reference", NULL);
	return compare_two(n, argument, o);
}

/* A regular file that is there already may only be a page that this command wrote. */
static bool is_report(const char *path)
{
	static const char mark[] = "<!DOCTYPE html>", title[] = "<title>cpl0";
	char head[1024] = "";
	struct stat st;
	FILE *f;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return true;
	f = fopen(path, "r");
	if (!f)
		return true; /* fopen() for writing has the message */
	head[fread(head, 1, sizeof(head) - 1, f)] = 0;
	fclose(f);
	return !strncmp(head, mark, sizeof(mark) - 1) && strstr(head, title);
}

/* Of a log with several runs a page has one, and which of them is no secret. */
static void say_which(const struct log *logs, size_t n)
{
	struct results rs;

	for (size_t i = 0; i < n; i++) {
		if (logs[i].nruns < 2 || logs[i].chosen)
			continue;
		results_read(&rs, &logs[i]);
		print_which("cpl0-log: the page has", &logs[i], &rs, stderr);
		putc('\n', stderr);
		results_free(&rs);
	}
}

static int report(int n, char **path, const struct options *o)
{
	struct log *logs;
	FILE *out;
	int code;

	if (n < 1)
		return usage("LOG is missing", NULL);
	if (o->list)
		return list_runs((size_t)n, path, o);
	if (!o->output)
		return usage("-o PAGE.html is missing", NULL);
	if (!is_report(o->output))
		return usage("-o names a file that is no report, so it stays as it is", o->output);
	logs = open_logs((size_t)n, path, o);
	if (!logs)
		return EXIT_USAGE;
	out = fopen(o->output, "w");
	if (!out) {
		perror(output_name(o->output));
		return close_logs(logs, (size_t)n, EXIT_USAGE);
	}
	report_print(logs, (size_t)n, out);
	say_which(logs, (size_t)n);
	code = verdict_of_all(logs, (size_t)n);
	if (!output_close_checked(out, "cpl0-log", o->output))
		code = EXIT_USAGE;
	if (!report_has_plots())
		fputs("cpl0-log: built without dygraphs, so the page has no plots\n", stderr);
	return close_logs(logs, (size_t)n, code);
}

static int db(int n, char **path, const struct options *o)
{
	struct log *logs;
	int code;

	if (n < 2)
		return usage(n < 1 ? "FILE.sqlite is missing" : "LOG is missing", NULL);
	if (o->list)
		return list_runs((size_t)n - 1, path + 1, o);
	logs = open_logs((size_t)n - 1, path + 1, o);
	if (!logs)
		return EXIT_USAGE;
	code = verdict_of_all(logs, (size_t)n - 1);
	if (!db_write(path[0], logs, (size_t)n - 1))
		code = EXIT_USAGE;
	return close_logs(logs, (size_t)n - 1, code);
}

static int events(int n, char **argument, const struct options *o)
{
	(void)o;
	if (n > 2)
		return usage("more than CPU and WORD", argument[2]);
	if (n)
		return events_print(argument[0], n > 1 ? argument[1] : NULL, stdout) ? EXIT_INTACT
		                                                                     : EXIT_USAGE;
	events_models(stdout);
	return EXIT_INTACT;
}

static const struct {
	const char *name;
	int (*run)(int n, char **argument, const struct options *o);
	bool paged; /* it may print more than a screen */
} commands[] = {
	{ "check", check, true },     { "show", show, true },     { "report", report, false },
	{ "db", db, false },          { "json", json, true },     { "csv", csv, true },
	{ "compare", compare, true }, { "events", events, true }, { "datasheet", datasheet, true },
	{ "policy", policy, true },
};

/* Who writes --jsn or --json means the command. */
static void try_commands(struct near *near)
{
	static char text[NEAR_NAMES][32];

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		near_try(near, commands[i].name);
	for (unsigned i = 0; i < near->n; i++) {
		snprintf(text[i], sizeof(text[i]), "the command %s", near->name[i]);
		near->name[i] = text[i];
	}
}

static bool paging; /* a pager has the output */

static int run_command(int argc, char **argv)
{
	struct near near = { .word = argc > 1 ? argv[1] : "" };
	struct options o;
	int n;

	if (argc < 2)
		return usage("a command is missing", NULL);
	if (!strcmp(argv[1], "--version")) {
		printf("cpl0-log %s\n", cpl0_version);
		return EXIT_INTACT;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		help_print(NULL, stdout);
		return EXIT_INTACT;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		near_try(&near, commands[i].name);
		if (strcmp(argv[1], commands[i].name))
			continue;
		command = commands[i].name;
		n = parse_options(&o, argc - 1, argv + 1);
		if (n >= 0 && o.help)
			return help_print(command, stdout) ? EXIT_INTACT : EXIT_USAGE;
		if (n < 0)
			return EXIT_USAGE;
		paging = commands[i].paged && !o.no_pager && pager_begin();
		return commands[i].run(n, argv + 2, &o);
	}
	return misspelt("unknown command", &near);
}

int main(int argc, char **argv)
{
	int code;

	output_begin();
	look_at_terminal();
	code = run_command(argc, argv);
	if (paging) {
		pager_end();
		return code;
	}
	return output_close_checked(stdout, "cpl0-log", "standard output") ? code : EXIT_USAGE;
}
