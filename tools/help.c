/* The command table of cpl0-log as text. A command or an option that is not here does not work. */
#include "tools/help.h"

#include <string.h>

static const struct option_help {
	const char *name, *value, *what;
} options[] = {
	{ "machine", NULL, "every record of the machine, too" },
	{ "events", "GLOB", "only these events: names of the manual, or as asked for" },
	{ "run", "N[,N...]", "only this run of several; a number for each log" },
	{ "last", NULL, "only the last run" },
	{ "list", NULL, "which runs there are" },
	{ "color", "WHEN", "auto (the default), always or never" },
	{ "all", NULL, "figures that are the same, too" },
	{ "changed", NULL, "only figures that differ: the default" },
	{ "within", "PERCENT", "medians that are not further apart are the same (2)" },
	{ "reference", "TABLE",
	  "beside this CSV, or the table that is built in; list: its processors" },
	{ "cpu", "NAME", "beside this processor of the table, not the log's own" },
	{ "bench", "GLOB", "with --reference: only these benchmarks" },
	{ "output", "PAGE.html", "where the page goes; also -o" },
	{ "figures", NULL, "the figures of show instead of records" },
	{ "forms", NULL, "a row an instruction form: latency, throughput, ISA set, uops, ports" },
	{ "no-pager", NULL, "print to the terminal itself" },
};

static const struct command_help {
	const char *name, *arguments, *what;
	const char *options[12];
} commands[] = {
	{ "check", "FILE", "tells whether a log is complete and undamaged", { "no-pager" } },
	{ "show",
	  "FILE [GLOB...]",
	  "prints results, a row a benchmark, or the benchmarks of a list",
	  { "machine", "events", "run", "last", "list", "color", "no-pager" } },
	{ "compare",
	  "A B [GLOB...] | LOG --reference [TABLE]",
	  "prints what differs between two logs, or from published figures",
	  { "all", "changed", "within", "reference", "cpu", "bench", "color", "run", "last", "list",
	    "no-pager" } },
	{ "report",
	  "LOG... -o PAGE.html",
	  "writes a page for the browser: tables, plots, verdicts",
	  { "output", "run", "last", "list", "color" } },
	{ "db",
	  "FILE.sqlite LOG...",
	  "writes all logs into an SQLite database",
	  { "run", "last", "list", "color" } },
	{ "json",
	  "FILE | FILE --figures [GLOB...]",
	  "converts everything in a log to JSON, or its figures",
	  { "figures", "run", "last", "list", "color", "no-pager" } },
	{ "csv",
	  "FILE [KIND] | FILE --figures [GLOB...] | FILE --forms [GLOB...]",
	  "converts to CSV: a row a field, a record of KIND, or a benchmark",
	  { "figures", "forms", "run", "last", "list", "color", "no-pager" } },
	{ "datasheet",
	  "FILE",
	  "prints the sizes of a core's structures as a page of Markdown",
	  { "run", "last", "list", "color", "no-pager" } },
	{ "policy",
	  "FILE",
	  "names the replacement policies of the caches",
	  { "run", "last", "list", "color", "no-pager" } },
	{ "events",
	  "[CPU] [WORD]",
	  "prints what events= takes on a CPU, or the names of the CPUs",
	  { "no-pager" } },
};

enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

static const char *const NOTES[] = {
	"FILE may be - for standard input. GLOB is a shell pattern: 'p5pair.*'.",
	"Colours are for a terminal, and none if NO_COLOR is set; --color overrules both. A table "
	"that has a narrow form takes it where the terminal is too narrow.",
	"On a terminal $PAGER shows what is longer than the screen, or less with the options FRX. "
	"An empty PAGER is none.",
	"The exit code is 0 if the log is intact, 1 if it is damaged; what could be read is still "
	"printed. That of compare is 0 if the results are the same, and 1 if they differ. It is 2 "
	"for wrong arguments, no such file, an empty one, no such record, and damaged logs that "
	"were compared.",
};

enum { NOTE_COUNT = sizeof(NOTES) / sizeof(*NOTES), LINE = 80 };

static const struct command_help *find(const char *name)
{
	for (size_t i = 0; name && i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static const struct option_help *option_of(const struct command_help *c, size_t i)
{
	for (size_t k = 0; c->options[i] && k < sizeof(options) / sizeof(*options); k++)
		if (!strcmp(options[k].name, c->options[i]))
			return &options[k];
	return NULL;
}

bool help_takes(const char *command, const char *option)
{
	const struct command_help *c = find(command);

	for (size_t i = 0; c && c->options[i]; i++)
		if (!strcmp(c->options[i], option))
			return true;
	return false;
}

/* At blanks, into lines of a terminal. */
static void print_folded(const char *text, FILE *out)
{
	size_t column = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (column && column + 1 + n > LINE) {
			putc('\n', out);
			column = 0;
		}
		column += (size_t)fprintf(out, "%s%.*s", column ? " " : "", (int)n, text);
		text += n + (text[n] == ' ');
	}
	putc('\n', out);
}

void help_usage(const char *command, FILE *out)
{
	const struct command_help *c = find(command);

	if (c)
		fprintf(out, "usage: cpl0-log %s %s\ncpl0-log %s --help says more\n", c->name,
		        c->arguments, c->name);
	else
		fputs("usage: cpl0-log COMMAND ...\ncpl0-log --help lists the commands\n", out);
}

static void print_command(const struct command_help *c, FILE *out)
{
	const struct option_help *o;
	char left[40];

	fprintf(out, "usage: cpl0-log %s %s\n%s\n", c->name, c->arguments, c->what);
	for (size_t i = 0; (o = option_of(c, i)); i++) {
		snprintf(left, sizeof(left), "--%s%s%s", o->name, o->value ? " " : "",
		         o->value ? o->value : "");
		fprintf(out, "  %-20s  %s\n", left, o->what);
	}
}

bool help_print(const char *command, FILE *out)
{
	const struct command_help *c = find(command);

	if (command && !c)
		return false;
	if (c)
		print_command(c, out);
	else
		fputs("usage: cpl0-log COMMAND ..., or --version, or COMMAND --help\n", out);
	for (size_t i = 0; !c && i < COMMANDS; i++)
		fprintf(out, "  %-8s  %s\n", commands[i].name, commands[i].what);
	for (size_t i = 0; i < NOTE_COUNT; i++)
		print_folded(NOTES[i], out);
	return true;
}

/* roff takes a hyphen for a dash, and a line that begins with `.` or `'` for a request. */
static void print_roff(const char *text, FILE *out)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++)
		fprintf(out, *text == '-' ? "\\-" : *text == '\\' ? "\\e" : "%c", *text);
}

static void man_command(const struct command_help *c, FILE *out)
{
	const struct option_help *o;

	fprintf(out, ".SS %s ", c->name);
	print_roff(c->arguments, out);
	putc('\n', out);
	print_roff(c->what, out);
	putc('\n', out);
	for (size_t i = 0; (o = option_of(c, i)); i++) {
		fprintf(out, ".TP\n.BR \\-\\-%s", o->name);
		if (o->value)
			fprintf(out, " \" %s\"", o->value);
		putc('\n', out);
		print_roff(o->what, out);
		putc('\n', out);
	}
}

void help_man(const char *version, FILE *out)
{
	fprintf(out, ".TH CPL0\\-LOG 1 \"\" \"cpl0 %s\"\n.SH NAME\n", version);
	fputs("cpl0\\-log \\- reads, compares and draws the logs of cpl0\n.SH SYNOPSIS\n", out);
	fputs(".B cpl0\\-log\n.I COMMAND\n\\&...\n.SH COMMANDS\n", out);
	for (size_t i = 0; i < COMMANDS; i++)
		man_command(&commands[i], out);
	fputs(".SH NOTES\n", out);
	for (size_t i = 0; i < NOTE_COUNT; i++) {
		fputs(".PP\n", out);
		print_roff(NOTES[i], out);
		putc('\n', out);
	}
	fputs(".SH SEE ALSO\ndocs/results.md of cpl0\n", out);
}

void help_bash(FILE *out)
{
	fputs("# Completion of cpl0-log for bash.\n_cpl0_log()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} options=\n"
	      "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W '",
	      out);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "%s ", commands[i].name);
	fputs("--help --version' -- \"$word\"))\n\t\treturn\n\tfi\n"
	      "\tcase ${COMP_WORDS[1]} in\n",
	      out);
	for (size_t i = 0; i < COMMANDS; i++) {
		fprintf(out, "\t%s) options='", commands[i].name);
		for (size_t k = 0; commands[i].options[k]; k++)
			fprintf(out, "--%s ", commands[i].options[k]);
		fputs("--help' ;;\n", out);
	}
	fputs("\tesac\n\tcase $word in\n\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) "
	      ";;\n\t*) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n\tesac\n}\n"
	      "complete -o filenames -F _cpl0_log cpl0-log\n",
	      out);
}

/* Within single quotes of a shell; all three shells end the quotes for one of them. */
static void print_quoted(const char *text, FILE *out)
{
	for (; *text; text++)
		fprintf(out, *text == '\'' ? "'\\''" : "%c", *text);
}

/* zsh: an option in front of a description in brackets, which the table's texts have none of. */
static void zsh_options(const struct command_help *c, FILE *out)
{
	const struct option_help *o;

	for (size_t i = 0; (o = option_of(c, i)); i++) {
		fprintf(out, "\t\t'--%s%s[", o->name, o->value ? "=" : "");
		print_quoted(o->what, out);
		fprintf(out, "]%s%s%s' \\\n", o->value ? ":" : "", o->value ? o->value : "",
		        o->value ? ":_files" : "");
	}
	fputs("\t\t'--help[the options of the command]' '*:file:_files' ;;\n", out);
}

void help_zsh(FILE *out)
{
	fputs("#compdef cpl0-log\n# Completion of cpl0-log for zsh.\nlocal -a commands\n"
	      "commands=(\n",
	      out);
	for (size_t i = 0; i < COMMANDS; i++) {
		fprintf(out, "\t'%s:", commands[i].name);
		print_quoted(commands[i].what, out);
		fputs("'\n", out);
	}
	fputs(")\nif (( CURRENT == 2 )); then\n\t_describe command commands\n"
	      "\tcompadd -- --help --version\n\treturn\nfi\nshift words\n(( CURRENT-- ))\n"
	      "case $words[1] in\n",
	      out);
	for (size_t i = 0; i < COMMANDS; i++) {
		fprintf(out, "\t%s) _arguments \\\n", commands[i].name);
		zsh_options(&commands[i], out);
	}
	fputs("esac\n", out);
}

void help_fish(FILE *out)
{
	static const char line[] = "complete -c cpl0-log -n";
	const struct option_help *o;

	fprintf(out, "# Completion of cpl0-log for fish.\n%s __fish_use_subcommand -f\n", line);
	for (size_t i = 0; i < COMMANDS; i++) {
		fprintf(out, "%s __fish_use_subcommand -a %s -d '", line, commands[i].name);
		print_quoted(commands[i].what, out);
		fputs("'\n", out);
		for (size_t k = 0; (o = option_of(&commands[i], k)); k++) {
			fprintf(out, "%s '__fish_seen_subcommand_from %s' -l %s%s -d '", line,
			        commands[i].name, o->name, o->value ? " -r" : "");
			print_quoted(o->what, out);
			fputs("'\n", out);
		}
	}
}
