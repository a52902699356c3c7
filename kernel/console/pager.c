/*
 * Keys at the end of a run (kernel/console/pager.h).
 */
#include "kernel/console/pager.h"
#include "kernel/console/console.h"
#include "kernel/console/keys.h"
#include "kernel/console/view.h"
#include "kernel/cpu/x86.h"
#include "kernel/string.h"
#include "kernel/text.h"

enum {
	PORT_DELAY = 0x80, /* a read takes about a microsecond */
	POLL = 1000,       /* of them between two looks: a core that waits for ports stays cool */
	QUIET = 50,        /* looks without a byte: what came before was typed for somebody else */
	STALE = 5000,      /* looks until then at most */
	TYPED = 200,       /* characters of a filter or of arguments */
};

static struct {
	struct screen *screen;       /* NULL: keys of the serial line alone */
	unsigned first, lines, rows; /* of the table: row on top, all rows, rows of a page */
	char filter[TYPED + 2];      /* "": everything */
	bool cut;
	pager_save *save;
} pager;

/* With the rows before it, it fits into 80 columns. */
static const char keys_help[] = "PgUp/Dn /:filter r:run s:save b:reboot o:off You may switch off.";

/* ---- The screen ---- */

static void show_foot(const char *text)
{
	if (pager.screen)
		screen_head(pager.screen, pager.screen->rows, text);
}

static unsigned draw_page(unsigned first)
{
	size_t n;
	const char *log = console_kept(&n, &pager.cut);

	return view_page(log, n, *pager.filter ? pager.filter : NULL, first);
}

/* The last row of the screen, which no page has: where we are, and what can be done. */
static void describe(void)
{
	char buffer[SCREEN_COLUMNS];
	struct text t = text_in(buffer, sizeof(buffer));
	unsigned last = pager.first + pager.rows;

	text_dec(&t, pager.first + (pager.lines != 0));
	text_char(&t, '-');
	text_dec(&t, last < pager.lines ? last : pager.lines);
	text_str(&t, " of ");
	text_dec(&t, pager.lines);
	text_str(&t, pager.cut ? " (no memory for the rest)" : "");
	if (*pager.filter) {
		text_str(&t, " with ");
		text_str(&t, pager.filter);
	}
	text_str(&t, "  ");
	text_str(&t, keys_help);
	show_foot(buffer);
}

/* Goes to row `first`, but not so far that the last page is not full. */
static void go(unsigned first)
{
	unsigned most;

	if (!pager.screen)
		return;
	pager.lines = draw_page(UINT32_MAX);
	most = pager.lines > pager.rows ? pager.lines - pager.rows : 0;
	pager.first = first < most ? first : most;
	draw_page(pager.first);
	describe();
}

static void open_page(void)
{
	pager.screen = console_screen();
	if (pager.screen && pager.screen->rows < pager.screen->head + 2)
		pager.screen = NULL;
	*pager.filter = '\0';
	if (!pager.screen)
		return;
	pager.screen->rows--;
	pager.rows = pager.screen->rows - pager.screen->head;
	go(UINT32_MAX);
}

/* What is written next stands below the last page. */
static void close_page(void)
{
	*pager.filter = '\0';
	go(UINT32_MAX);
	show_foot("");
	if (pager.screen)
		pager.screen->rows++;
}

/* ---- Keys ---- */

static char look(void)
{
	for (unsigned n = 0; n < POLL; n++)
		x86_inb(PORT_DELAY);
	return console_key();
}

static char wait_key(void)
{
	char key;

	while (!(key = look()))
		;
	return key;
}

/* A terminal that echoes our log, or a key that was pressed during the run, must decide nothing. */
static void forget_keys(void)
{
	for (unsigned quiet = 0, n = 0; quiet < QUIET && n < STALE; n++)
		quiet = look() ? 0 : quiet + 1;
}

/*
 * Asks for a line of at most TYPED characters. False if Escape was pressed, or nothing was typed.
 */
static bool ask(const char *question, char *answer)
{
	char buffer[TYPED + 100];
	size_t n = 0;

	console_answer("\n");
	console_answer(question);
	for (;;) {
		struct text t = text_in(buffer, sizeof(buffer));
		char key;

		answer[n] = '\0';
		text_str(&t, question);
		text_str(&t, answer);
		text_char(&t, '_');
		show_foot(buffer);
		key = wait_key();
		if (key == KEY_ENTER || key == KEY_ESCAPE) {
			console_answer("\n");
			return key == KEY_ENTER && n;
		}
		if (key == KEY_BACKSPACE && n) {
			n--;
			console_answer("\b \b");
		} else if (key >= ' ' && n < TYPED) {
			answer[n++] = key;
			console_answer((char[]){ key, '\0' });
		}
	}
}

static void ask_filter(void)
{
	char answer[TYPED + 1];
	struct text t = text_in(pager.filter, sizeof(pager.filter));
	bool glob = false;

	if (ask("Show only (part of the name, or a glob with * and ?): ", answer)) {
		glob = strchr(answer, '*') || strchr(answer, '?') || strchr(answer, ',');
		text_str(&t, glob ? "" : "*");
		text_str(&t, answer);
		text_str(&t, glob ? "" : "*");
	}
	go(0);
}

/* A line with `=` is arguments, another one names benchmarks. */
static bool ask_run(char *line, size_t size)
{
	char answer[TYPED + 1];
	struct text t = text_in(line, size);

	if (!ask("Run (benchmarks by name or glob, or arguments): ", answer)) {
		describe();
		return false;
	}
	text_str(&t, strchr(answer, '=') || strcmp(answer, "list") == 0 ? "" : "bench=");
	text_str(&t, answer);
	return true;
}

/* The answer stands there until the next key. */
static void save(void)
{
	size_t n;
	const char *log = console_kept(&n, &pager.cut), *why;

	show_foot("Saving ...");
	why = pager.save(log, n);
	if (!why)
		why = pager.cut ? "Saved, as far as there was memory." : "Saved to CPL0.LOG.";
	console_answer(why);
	console_answer("\n");
	show_foot(why);
}

static bool sure(const char *question)
{
	char key;

	console_answer("\n");
	console_answer(question);
	show_foot(question);
	key = wait_key();
	describe();
	return key == 'y' || key == 'Y';
}

static enum pager_wish obey(char key, char *line, size_t size)
{
	unsigned up = pager.first > pager.rows ? pager.first - pager.rows : 0;

	switch (key) {
	case KEY_UP:
		go(pager.first ? pager.first - 1 : 0);
		break;
	case KEY_DOWN:
		go(pager.first + 1);
		break;
	case KEY_PAGE_UP:
	case 'p':
		go(up);
		break;
	case KEY_PAGE_DOWN:
	case ' ':
		go(pager.first + pager.rows);
		break;
	case KEY_HOME:
		go(0);
		break;
	case KEY_END:
		go(UINT32_MAX);
		break;
	case '/':
		ask_filter();
		break;
	case 'r':
		return ask_run(line, size) ? PAGER_RUN : PAGER_NOBODY;
	case 's':
		save();
		break;
	case 'b':
		return sure("Reboot? y: yes, any other key: no") ? PAGER_REBOOT : PAGER_NOBODY;
	case 'o':
		return sure("Switch off? y: yes, any other key: no") ? PAGER_OFF : PAGER_NOBODY;
	}
	return PAGER_NOBODY;
}

enum pager_wish pager_ask(char *line, size_t size, pager_save *save_log)
{
	enum pager_wish wish = PAGER_NOBODY;

	pager.save = save_log;
	if (!console_has_keys()) {
		open_page();
		show_foot("The machine may be switched off.");
		return PAGER_NOBODY;
	}
	console_answer(keys_help);
	console_answer("\n");
	open_page();
	forget_keys();
	while (!wish)
		wish = obey(wait_key(), line, size);
	close_page();
	return wish;
}
