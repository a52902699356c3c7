/* cpl0-log db: logs as tables of an SQLite database (docs/comparing.md, "Keep"). */
#include <sqlite3.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/result/commands.h"
#include "tools/result/figures.h"
#include "tools/isa/isa.h"
#include "tools/lib/output.h"
#include "tools/result/ports.h"
#include "tools/result/runs.h"

static const char SCHEMA[] =
	"PRAGMA foreign_keys = ON;"
	"BEGIN;"
	"CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, file TEXT NOT NULL,"
	" number INTEGER NOT NULL, machine TEXT NOT NULL, signature INTEGER, bits INTEGER,"
	" version TEXT, pmu TEXT, status TEXT, intact INTEGER NOT NULL, emulated TEXT,"
	" tsc_hz INTEGER, core_per_tsc REAL, guest TEXT, UNIQUE (file, number));"
	"CREATE TABLE IF NOT EXISTS result (id INTEGER PRIMARY KEY,"
	" run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, bench TEXT NOT NULL, mode TEXT,"
	" cpl TEXT, form TEXT, kind TEXT, marks TEXT, clocks REAL, clocks_low REAL,"
	" clocks_high REAL, ns REAL, bytes_per_clock REAL, gb_per_s REAL, insns REAL,"
	" isa TEXT);"
	"CREATE TABLE IF NOT EXISTS quantity (result INTEGER NOT NULL REFERENCES result"
	" ON DELETE CASCADE, name TEXT NOT NULL, value REAL, min REAL, low REAL, high REAL,"
	" max REAL, withdrawn INTEGER);"
	"CREATE TABLE IF NOT EXISTS field (run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
	" seq INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL);"
	"CREATE TABLE IF NOT EXISTS ports (id INTEGER PRIMARY KEY,"
	" run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, bench TEXT, form TEXT, isa TEXT,"
	" uops INTEGER, ports TEXT, \"left\" TEXT, by TEXT, clocks REAL, withdrawn INTEGER);"
	"CREATE INDEX IF NOT EXISTS ports_form ON ports (form);"
	"CREATE INDEX IF NOT EXISTS result_run ON result (run);"
	"CREATE INDEX IF NOT EXISTS result_bench ON result (bench);"
	"CREATE INDEX IF NOT EXISTS quantity_result ON quantity (result);"
	"CREATE INDEX IF NOT EXISTS field_run ON field (run, kind);";

/*
 * A row a form and run. Ports are those that the run measured, else the last of a run of the same
 * machine (tools/result/ports.h).
 */
static const char VIEW[] =
	"DROP VIEW IF EXISTS forms;"
	"CREATE VIEW forms AS WITH times AS ("
	"SELECT t.run, t.form, t.isa, substr(t.bench, 10) AS name, t.mode, t.cpl,"
	" l.clocks AS latency, t.clocks AS throughput,"
	" l.ns AS latency_ns, t.ns AS throughput_ns, l.marks AS latency_marks,"
	" t.marks AS throughput_marks"
	" FROM result t LEFT JOIN result l ON l.run = t.run AND l.mode IS t.mode"
	" AND l.cpl IS t.cpl AND l.bench = 'instr.lat.' || substr(t.bench, 10)"
	" WHERE t.bench GLOB 'instr.tp.*' UNION ALL"
	" SELECT l.run, l.form, l.isa, substr(l.bench, 11), l.mode, l.cpl, l.clocks, NULL, l.ns,"
	" NULL, l.marks, NULL FROM result l WHERE l.bench GLOB 'instr.lat.*' AND NOT EXISTS"
	" (SELECT 1 FROM result t WHERE t.run = l.run AND t.mode IS l.mode AND t.cpl IS l.cpl"
	" AND t.bench = 'instr.tp.' || substr(l.bench, 11)) UNION ALL"
	" SELECT p.run, p.form, p.isa, substr(p.bench, instr(substr(p.bench, 7), '.') + 7),"
	" NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM ports p WHERE p.form IS NOT NULL"
	" AND NOT EXISTS (SELECT 1 FROM result r WHERE r.run = p.run AND r.form = p.form)"
	" GROUP BY p.run, p.form),"
	" joined AS (SELECT times.*, (SELECT p.id FROM ports p JOIN run b ON b.id = p.run"
	" JOIN run a ON a.id = times.run WHERE p.form = times.form AND (b.id = a.id OR"
	" (b.machine = a.machine AND b.signature IS a.signature AND b.emulated IS a.emulated"
	" AND b.guest IS a.guest))"
	" ORDER BY b.id = a.id DESC, p.id DESC LIMIT 1) AS port FROM times)"
	" SELECT joined.run, joined.form, name, mode, cpl, joined.isa, latency, throughput,"
	" latency_ns, throughput_ns, latency_marks, throughput_marks, p.uops, p.ports,"
	" p.\"left\" AS ports_left, p.by AS ports_by, p.clocks AS ports_clocks,"
	" p.withdrawn AS ports_withdrawn, p.run AS ports_run"
	" FROM joined LEFT JOIN ports p ON p.id = joined.port;";

/* Columns that databases of older versions lack. */
static const char *const added[][3] = {
	{ "result", "bytes_per_clock", "REAL" },
	{ "result", "gb_per_s", "REAL" },
	{ "result", "insns", "REAL" },
	{ "quantity", "withdrawn", "INTEGER" },
	{ "run", "guest", "TEXT" },
	{ "result", "isa", "TEXT" },
};

enum statement { FORGET, RUN, RESULT, QUANTITY, PORTS, FIELD, STATEMENTS };

static const char *const sql[] = {
	[FORGET] = "DELETE FROM run WHERE file = ?1 AND ?2 IN (0, number)",
	[RUN] = ("INSERT INTO run"
	         " (file, number, machine, signature, bits, version, pmu, status, intact,"
	         " emulated, tsc_hz, core_per_tsc, guest)"
	         " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
	[RESULT] =
		("INSERT INTO result (run, bench, mode, cpl, form, kind, marks, clocks, clocks_low,"
	         " clocks_high, ns, bytes_per_clock, gb_per_s, insns, isa)"
	         " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
	[QUANTITY] = ("INSERT INTO quantity (result, name, value, min, low, high, max, withdrawn)"
	              " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
	[PORTS] = ("INSERT INTO ports (run, bench, form, isa, uops, ports, \"left\", by, clocks,"
	           " withdrawn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
	[FIELD] = "INSERT INTO field VALUES (?, ?, ?, ?, ?)",
};

struct db {
	sqlite3 *file;
	sqlite3_stmt *statement[STATEMENTS];
	bool failed;
};

/* Values of a statement, bound one after another; an empty text and an unknown figure are NULL. */
struct row {
	struct db *db;
	sqlite3_stmt *s;
	int n;
};

static struct row row_of(struct db *db, enum statement which)
{
	return (struct row){ db, db->statement[which], 0 };
}

/* A database holds UTF-8: bytes above 7Eh become the code point of the same number, as in JSON. */
static void put_text(struct row *r, const char *text, size_t n)
{
	char *utf8 = allocate(2 * n + 1);
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c > 0x7f)
			utf8[used++] = (char)(0xc0 | c >> 6);
		utf8[used++] = (char)(c > 0x7f ? 0x80 | (c & 0x3f) : c);
	}
	sqlite3_bind_text(r->s, ++r->n, utf8, (int)used, SQLITE_TRANSIENT);
	release(utf8);
}

/* A name that the user gave stays as it is: SQL of his finds it. */
static void put_name(struct row *r, const char *text)
{
	sqlite3_bind_text(r->s, ++r->n, text, -1, SQLITE_TRANSIENT);
}

static void put_word(struct row *r, const char *text)
{
	if (*text)
		put_text(r, text, strlen(text));
	else
		r->n++;
}

static void put_int(struct row *r, sqlite3_int64 v)
{
	sqlite3_bind_int64(r->s, ++r->n, v);
}

static void put_real(struct row *r, bool known, double v)
{
	r->n++;
	if (known)
		sqlite3_bind_double(r->s, r->n, v);
}

/* NULL where it is not told apart from 0, too. */
static void put_figure(struct row *r, struct figure f)
{
	put_real(r, f.known && !f.below, f.value);
}

/* Writes the row; its id, for rows that belong to it. */
static sqlite3_int64 put_row(struct row *r)
{
	r->db->failed |= sqlite3_step(r->s) != SQLITE_DONE;
	sqlite3_reset(r->s);
	sqlite3_clear_bindings(r->s);
	return sqlite3_last_insert_rowid(r->db->file);
}

static void put_quantities(struct db *db, sqlite3_int64 id, const struct result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct figure f = figure_quantity(r, r->quantity[i].name);
		struct row row = row_of(db, QUANTITY);

		put_int(&row, id);
		put_word(&row, r->quantity[i].name);
		put_real(&row, !f.below, f.value);
		put_real(&row, true, f.min);
		put_real(&row, true, f.low);
		put_real(&row, true, f.high);
		put_real(&row, true, f.max);
		put_int(&row, f.withdrawn);
		put_row(&row);
	}
}

static void put_result(struct db *db, sqlite3_int64 run, const struct machine *m,
                       const struct result *r)
{
	struct figure clocks = figure_of(m, r, FIGURE_CLOCKS);
	struct row row = row_of(db, RESULT);
	char marks[8];

	put_int(&row, run);
	put_word(&row, r->bench);
	put_word(&row, r->mode);
	put_word(&row, r->cpl);
	put_word(&row, r->form);
	put_word(&row, r->kind);
	put_word(&row, figure_marks(m, r, marks));
	put_figure(&row, clocks);
	put_real(&row, clocks.known, clocks.low);
	put_real(&row, clocks.known, clocks.high);
	put_figure(&row, figure_of(m, r, FIGURE_NS));
	put_figure(&row, figure_of(m, r, FIGURE_BYTES_PER_CLOCK));
	put_figure(&row, figure_of(m, r, FIGURE_GB_PER_S));
	put_figure(&row, figure_of(m, r, FIGURE_INSNS));
	put_word(&row, isa_of(r->form));
	put_quantities(db, put_row(&row), r);
}

static void put_ports(struct db *db, sqlite3_int64 run, const struct ports *p)
{
	struct row row = row_of(db, PORTS);

	put_int(&row, run);
	put_word(&row, p->bench);
	put_word(&row, p->form);
	put_word(&row, isa_of(p->form));
	if (p->counted)
		put_int(&row, (sqlite3_int64)p->uops);
	else
		row.n++;
	put_word(&row, p->ports);
	put_word(&row, p->left);
	put_word(&row, p->by_time ? "time" : "");
	put_real(&row, p->clocks >= 0, (double)p->clocks / 1000);
	put_int(&row, p->withdrawn);
	put_row(&row);
}

static void put_fields(struct db *db, sqlite3_int64 run, const struct record *r)
{
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		struct row row = row_of(db, FIELD);
		char *text = allocate(f->raw.n + 1);

		put_int(&row, run);
		put_int(&row, r->seq);
		put_text(&row, r->kind.p, r->kind.n);
		put_text(&row, f->key.p, f->key.n);
		put_text(&row, text, field_text(f, text, f->raw.n + 1));
		put_row(&row);
		release(text);
	}
}

static sqlite3_int64 put_run(struct db *db, const struct log *log, size_t index,
                             const struct machine *m)
{
	struct row row = row_of(db, RUN);

	put_name(&row, log->name);
	put_int(&row, (sqlite3_int64)index + 1);
	put_text(&row, m->name, strlen(m->name));
	put_int(&row, m->signature);
	put_int(&row, m->bits);
	put_word(&row, m->version);
	put_word(&row, m->pmu);
	put_word(&row, m->status);
	put_int(&row, log->runs[index].intact);
	put_word(&row, m->emulated ? m->emulated : "");
	put_int(&row, (sqlite3_int64)m->tsc_hz);
	put_real(&row, m->core_per_tsc, (double)m->core_per_tsc / 1000);
	put_word(&row, m->guest);
	return put_row(&row);
}

/* The chosen run or all of them; what the database had of them by a file of this name goes. */
static void put_log(struct db *db, const struct log *log)
{
	struct row old = row_of(db, FORGET);
	struct ports_list ports;
	struct results rs;

	put_name(&old, log->name);
	put_int(&old, log->chosen);
	put_row(&old);
	results_read(&rs, log);
	ports_read(&ports, log);
	for (size_t i = 0; i < log->nruns; i++) {
		const struct run *run = &log->runs[i];
		struct machine m;
		sqlite3_int64 id;

		if (!runs_has(log, i))
			continue;
		machine_read(&m, log, run);
		id = put_run(db, log, i, &m);
		for (size_t k = 0; k < rs.n; k++)
			if (rs.row[k].run == i + 1)
				put_result(db, id, &m, &rs.row[k]);
		for (size_t k = 0; k < ports.n; k++)
			if (ports.row[k].run == i + 1)
				put_ports(db, id, &ports.row[k]);
		for (size_t k = run->first; k < run->end; k++)
			if (line_is_whole(&log->lines[k]))
				put_fields(db, id, &log->lines[k].rec);
	}
	ports_free(&ports);
	results_free(&rs);
}

/* Adds a column to a table that an older version made. */
static bool add_column(struct db *db, const char *table, const char *column, const char *type)
{
	char text[160];
	sqlite3_stmt *s;
	bool there;

	snprintf(text, sizeof(text), "SELECT 1 FROM pragma_table_info('%s') WHERE name = '%s'",
	         table, column);
	if (sqlite3_prepare_v2(db->file, text, -1, &s, NULL) != SQLITE_OK)
		return false;
	there = sqlite3_step(s) == SQLITE_ROW;
	sqlite3_finalize(s);
	snprintf(text, sizeof(text), "ALTER TABLE %s ADD COLUMN %s %s", table, column, type);
	return there || sqlite3_exec(db->file, text, NULL, NULL, NULL) == SQLITE_OK;
}

static bool open_db(struct db *db, const char *path)
{
	if (sqlite3_open(path, &db->file) != SQLITE_OK ||
	    sqlite3_exec(db->file, SCHEMA, NULL, NULL, NULL) != SQLITE_OK)
		return false;
	for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++)
		if (!add_column(db, added[i][0], added[i][1], added[i][2]))
			return false;
	if (sqlite3_exec(db->file, VIEW, NULL, NULL, NULL) != SQLITE_OK)
		return false;
	for (int i = 0; i < STATEMENTS; i++)
		if (sqlite3_prepare_v2(db->file, sql[i], -1, &db->statement[i], NULL) != SQLITE_OK)
			return false;
	return true;
}

bool db_write(const char *path, const struct log *logs, size_t n)
{
	struct db db = { .failed = false };

	db.failed = !open_db(&db, path);
	for (size_t i = 0; i < n && !db.failed; i++)
		put_log(&db, &logs[i]);
	if (!db.failed)
		db.failed = sqlite3_exec(db.file, "COMMIT", NULL, NULL, NULL) != SQLITE_OK;
	if (db.failed)
		fprintf(stderr, "%s: %s\n", output_name(path), sqlite3_errmsg(db.file));
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(db.statement[i]);
	sqlite3_close(db.file);
	return !db.failed;
}
