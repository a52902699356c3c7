/* cpl0-log report: one page with everything in it (tools/report/), which needs no network. */
#include <stdlib.h>
#include <inttypes.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/result/commands.h"
#include "tools/lib/embedded.h"
#include "tools/result/figures.h"
#include "tools/isa/isa.h"
#include "tools/result/ports.h"
#include "tools/samples/samples.h"
#include "tools/result/summary.h"

enum { TITLE_NAMES = 3 };

static void json_text(FILE *out, const char *text)
{
	json_string(out, text, strlen(text));
}

/* [value, low, high, below, minimum, maximum, withdrawn] */
static void json_limits(FILE *out, const struct figure *f)
{
	fprintf(out, "[%.6g,%.6g,%.6g,%s,%.6g,%.6g,%s]", f->value, f->low, f->high,
	        f->below ? "true" : "false", f->min, f->max, f->withdrawn ? "true" : "false");
}

/* "key": its limits or null, and a comma. */
static void json_figure(FILE *out, const char *key, const struct figure *f)
{
	fprintf(out, "\"%s\":", key);
	if (f->known)
		json_limits(out, f);
	else
		fputs("null", out);
	putc(',', out);
}

/* "titles": events whose title is not their name. */
static void json_titles(FILE *out, const struct log *log, const struct run *run)
{
	char name[QUANTITY_NAME], title[2 * QUANTITY_NAME];
	bool first = true;

	fputs(",\"titles\":{", out);
	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;

		if (!line_is_whole(&log->lines[i]) || !span_is(r->kind, "event") ||
		    !record_field(r, "alias") || !record_text(r, "name", name, sizeof(name)))
			continue;
		fputs(first ? "" : ",", out);
		first = false;
		json_text(out, name);
		putc(':', out);
		json_text(out, event_title(title, sizeof(title), log, run, name));
	}
	putc('}', out);
}

static void json_events(FILE *out, const struct result *r)
{
	bool first = true;

	fputs("\"events\":{", out);
	for (size_t i = 0; i < r->n; i++) {
		const char *name = r->quantity[i].name;
		struct figure f = figure_quantity(r, name);

		if (!quantity_is_event(name))
			continue;
		fputs(first ? "" : ",", out);
		first = false;
		json_text(out, name);
		putc(':', out);
		json_limits(out, &f);
	}
	fputs("}}", out);
}

/* What stands in the log of the body; more of it may follow there. */
static void json_code(FILE *out, const struct machine *m, const struct result *r)
{
	char hex[64] = "", text[1024];
	uint64_t bytes = 0;

	record_text(&r->line->rec, "code", hex, sizeof(hex));
	record_dec(&r->line->rec, "code_bytes", &bytes);
	code_text(hex, m->bits, text, sizeof(text));
	fputs(",\"code\":", out);
	json_text(out, text);
	fprintf(out, ",\"code_bytes\":%" PRIu64, bytes);
}

/* Of the row's time, in per cent; null where it has none. */
static void json_spread(FILE *out, const struct machine *m, const struct result *r)
{
	struct figure time = figure_time(m, r);
	double spread = figure_spread(&time);

	if (spread < 0)
		fputs(",\"spread\":null", out);
	else
		fprintf(out, ",\"spread\":%.17g", spread);
}

static void json_result(FILE *out, const struct machine *m, const struct result *r)
{
	char marks[8];

	fputs("{\"bench\":", out);
	json_text(out, r->bench);
	fputs(",\"form\":", out);
	json_text(out, r->form);
	fputs(",\"isa\":", out);
	json_text(out, isa_of(r->form));
	fputs(",\"kind\":", out);
	json_text(out, r->kind);
	fputs(",\"mode\":", out);
	json_text(out, r->mode);
	fputs(",\"cpl\":", out);
	json_text(out, r->cpl);
	fputs(",\"marks\":", out);
	json_text(out, figure_marks(m, r, marks));
	fprintf(out, ",\"exits\":%s", r->exits ? "true" : "false");
	json_spread(out, m, r);
	json_code(out, m, r);
	putc(',', out);
	for (int i = 0; i < FIGURES; i++) {
		struct figure f = figure_of(m, r, (enum figure_kind)i);

		json_figure(out, FIGURE_NAMES[i].key, &f);
	}
	json_events(out, r);
}

/* The way of a line between two CPUs, as the page draws it. */
static void json_pair(FILE *out, const struct record *r, const struct machine *m)
{
	static const char *const keys[] = { "tsc", "tsc.low", "tsc.high", "line.low", "line.high" };
	double way = figure_record_time(m, r, "tsc", 0);

	fputs(",[\"way\",[", out);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		fprintf(out, "%s%.6g", i ? "," : "", figure_record_time(m, r, keys[i], way));
	fputs("]]", out);
}

static void json_fields(FILE *out, const struct record *r, const struct machine *m)
{
	char instruction[96];

	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		char *text = allocate(f->raw.n + 1);
		size_t n = field_text(f, text, f->raw.n + 1);

		fputs(i ? ",[" : "[", out);
		json_string(out, f->key.p, f->key.n);
		putc(',', out);
		json_string(out, text, n);
		putc(']', out);
		release(text);
	}
	if (span_is(r->kind, "pair"))
		json_pair(out, r, m);
	if (sample_instruction(r, m->bits, instruction, sizeof(instruction))) {
		fputs(",[\"instruction\",", out);
		json_text(out, instruction);
		putc(']', out);
	}
}

/* Every other record: machine, conditions, verdicts, trouble. */
static void json_records(FILE *out, const struct log *log, const struct run *run,
                         const struct machine *m)
{
	static const char *const left_out[] = { "result", "progress", "bench", "known", "zero" };
	bool first = true;

	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;
		bool wanted = line_is_whole(&log->lines[i]);

		for (size_t k = 0; wanted && k < sizeof(left_out) / sizeof(*left_out); k++)
			wanted = !span_is(r->kind, left_out[k]);
		if (!wanted)
			continue;
		fputs(first ? "\n[" : ",\n[", out);
		first = false;
		json_string(out, r->kind.p, r->kind.n);
		fputs(",[", out);
		json_fields(out, r, m);
		fputs("]]", out);
	}
}

/* What is known of the ports of forms, for their rows: "uops" is null where ports came by time. */
static void json_ports(FILE *out, const struct log *log, unsigned number)
{
	const char *between = "";
	char text[PORTS_TEXT];
	struct ports_list ports;

	ports_read(&ports, log);
	fputs(",\"ports\":[", out);
	for (size_t i = 0; i < ports.n; i++) {
		const struct ports *p = &ports.row[i];

		if (ports_find(&ports, number, p->form) != p)
			continue;
		fprintf(out, "%s{\"run\":%u,\"form\":", between, p->run);
		json_text(out, p->form);
		fputs(",\"isa\":", out);
		json_text(out, isa_of(p->form));
		fputs(",\"ports\":", out);
		json_text(out, ports_text(p, text));
		fputs(",\"uops\":", out);
		if (p->counted)
			fprintf(out, "%" PRIu64 "}", p->uops);
		else
			fputs("null}", out);
		between = ",\n";
	}
	putc(']', out);
	ports_free(&ports);
}

static void json_head(FILE *out, const struct log *log, unsigned number, const struct machine *m)
{
	const char *name = strrchr(log->name, '/');

	fputs("{\"file\":", out);
	json_text(out, name ? name + 1 : log->name);
	fputs(",\"name\":", out);
	json_text(out, m->name);
	fputs(",\"version\":", out);
	json_text(out, m->version);
	fputs(",\"pmu\":", out);
	json_text(out, m->pmu);
	fputs(",\"status\":", out);
	json_text(out, m->status);
	fputs(",\"emulated\":", out);
	json_text(out, m->emulated ? m->emulated : "");
	fputs(",\"guest\":", out);
	json_text(out, m->guest);
	fprintf(out, ",\"run\":%u,\"runs\":%zu,\"bits\":%u,\"tsc_hz\":%.0f,\"core_per_tsc\":%.3f",
	        number, log->nruns, m->bits, (double)m->tsc_hz, (double)m->core_per_tsc / 1000);
	fprintf(out, ",\"way_unit\":\"%s\"", figure_record_unit(m));
	fprintf(out, ",\"intact\":%s,\"findings\":%zu", log_intact(log) ? "true" : "false",
	        log->nfindings);
}

/* Of the run that counts, or of the last if none has results. Its number; 0: the log has no run. */
static unsigned read_machine(struct machine *m, const struct log *log, const struct results *rs)
{
	static const struct run none;
	unsigned number = rs->counts ? rs->counts : (unsigned)log->nruns;

	machine_read(m, log, number ? &log->runs[number - 1] : &none);
	return number;
}

/* "summary": the lines above the table of `cpl0-log show`. */
static void json_summary(FILE *out, const struct log *log, unsigned number, const struct machine *m,
                         const struct results *rs)
{
	char *text;
	size_t size;
	FILE *lines = open_memstream(&text, &size);

	if (!lines) {
		perror("cpl0-log");
		exit(EXIT_USAGE);
	}
	summary_print(log, &log->runs[number - 1], number, m, rs, lines);
	fclose(lines);
	fputs(",\"summary\":", out);
	json_text(out, text);
	free(text);
}

static void json_log(FILE *out, const struct log *log)
{
	struct results rs;
	struct machine m;
	unsigned number;
	bool first = true;

	results_read(&rs, log);
	number = read_machine(&m, log, &rs);
	json_head(out, log, number, &m);
	if (number) {
		json_titles(out, log, &log->runs[number - 1]);
		json_ports(out, log, number);
		json_summary(out, log, number, &m, &rs);
	}
	fputs(",\"results\":[", out);
	for (size_t i = 0; i < rs.n; i++)
		if (rs.row[i].run == number) {
			fputs(first ? "\n" : ",\n", out);
			first = false;
			json_result(out, &m, &rs.row[i]);
		}
	fputs("],\"records\":[", out);
	if (number)
		json_records(out, log, &log->runs[number - 1], &m);
	fputs("]}", out);
	results_free(&rs);
}

/* JSON inside of HTML: `<` could end the element, and stands in strings only. */
static void write_data(const struct log *logs, size_t n, FILE *out)
{
	char *text;
	size_t size;
	FILE *json = open_memstream(&text, &size);

	if (!json) {
		perror("cpl0-log");
		exit(EXIT_USAGE);
	}
	fputs("{\"marks\":", json);
	json_text(json, FIGURE_MARKS);
	fputs(",\"logs\":[", json);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ",\n" : "", json);
		json_log(json, &logs[i]);
	}
	fputs("]}", json);
	fclose(json);
	for (size_t i = 0; i < size; i++)
		if (text[i] == '<')
			fputs("\\u003c", out);
		else
			putc(text[i], out);
	free(text);
}

static void html_text(FILE *out, const char *p)
{
	for (; *p; p++)
		if (*p == '&' || *p == '<')
			fputs(*p == '&' ? "&amp;" : "&lt;", out);
		else
			putc(*p >= ' ' && *p <= '~' ? *p : '?', out);
}

/* The names of the CPUs, for tabs and bookmarks; the page itself leaves equal ones out. */
static void write_title(const struct log *logs, size_t n, FILE *out)
{
	struct machine m, last = { .name = "" };

	fputs("<title>cpl0 report", out);
	for (size_t i = 0; i < n && i < TITLE_NAMES; i++) {
		struct results rs;

		results_read(&rs, &logs[i]);
		read_machine(&m, &logs[i], &rs);
		results_free(&rs);
		if (!strcmp(m.name, last.name))
			continue;
		fputs(i ? ", " : ": ", out);
		html_text(out, m.name);
		last = m;
	}
	fputs(n > TITLE_NAMES ? " ...</title>\n" : "</title>\n", out);
}

void report_print(const struct log *logs, size_t n, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n",
	      out);
	write_title(logs, n, out);
	fprintf(out, "<style>\n%s\n%s</style>\n</head>\n<body>\n%s", embedded_plots_style,
	        embedded_style, embedded_page);
	fputs("<script type=\"application/json\" id=\"data\">", out);
	write_data(logs, n, out);
	fprintf(out,
	        "</script>\n<script>\n%s\n</script>\n<script>\n%s</script>\n"
	        "<script>\n%s</script>\n<script>\n%s</script>\n</body>\n</html>\n",
	        embedded_plots, embedded_cores, embedded_sheet, embedded_script);
}

bool report_has_plots(void)
{
	return *embedded_plots;
}
