/*
 * The queues of an out-of-order core: reorder buffer, schedulers, load and store queue, buffers of
 * misses.
 *
 * A figure from a filler counts the two loads of the method too where they have an entry of the
 * structure.
 */
#include "bench/datasheet/figure.h"
#include "bench/datasheet/list.h"
#include "bench/datasheet/window.h"

enum {
	LOADS = 2, /* of the method */
	AGREE = 2, /* entries that two fillers may differ by */
};

static const char no_step[] = "the time rises without a step: nothing was full";

/* From one measurement; `more` entries are taken by what is no filler. */
static struct figure figure_of(const char *what, const struct window *w, uint32_t more,
                               const char *filler)
{
	struct figure f = {
		.what = what, .filler = filler, .verdict = "none", .why = w->why, .shared = true
	};

	if (!f.why && w->fits == WINDOW_NO_STEP)
		f.why = no_step;
	if (f.why)
		return f;
	f.value = w->fits + more;
	f.low = w->low + more;
	f.high = w->high + more;
	f.verdict = w->sharp ? "sharp" : "rough";
	return f;
}

/* ---- The reorder buffer ---- */

static bool agree(uint32_t a, uint32_t b)
{
	return (a > b ? a - b : b - a) <= AGREE;
}

/* Of two mixes the one that finds more: the other one had another structure full. */
static bool finds_more(const struct window *a, const struct window *b)
{
	return b->fits == WINDOW_NO_STEP || (a->fits != WINDOW_NO_STEP && a->fits >= b->fits);
}

/*
 * A NOP takes no more than an entry, and what else there is no less than one, so the size lies
 * between the two. It is known where they agree, and where the core packs NOPs in pairs. Without a
 * step of NOPs there is no upper bound.
 */
static void find_rob(struct figure *f, const struct window *nop, const struct window *mix)
{
	const uint32_t least = mix->fits + LOADS, most = nop->fits + LOADS;

	if (mix->fits == WINDOW_NO_STEP) {
		f->why = no_step;
		return;
	}
	f->value = f->low = least;
	f->verdict = "rough";
	if (nop->fits == WINDOW_NO_STEP)
		return;
	if (agree(most, 2 * least) || agree(most, least)) {
		f->value = f->high = agree(most, least) && most > least ? most : least;
		f->verdict = mix->sharp ? "sharp" : "rough";
		return;
	}
	f->low = least < most ? least : most;
	f->high = least < most ? most : least;
	f->value = f->high;
}

void datasheet_rob(struct bench_run *run, const struct bench *b)
{
	const struct window nop = window_measure(run, WINDOW_NOP);
	const struct window mix = window_measure(run, WINDOW_MIX);
	const struct window integer = window_measure(run, WINDOW_MIX_INTEGER);
	const bool vectors = finds_more(&mix, &integer);
	struct figure f = { .what = "rob", .verdict = "none", .shared = true };

	f.why = nop.why ? nop.why : mix.why ? mix.why : integer.why;
	if (!f.why)
		find_rob(&f, &nop, vectors ? &mix : &integer);
	if (f.value)
		f.filler = window_name(vectors ? WINDOW_MIX : WINDOW_MIX_INTEGER);
	figure_log(b->name, &f);
}

/* ---- Queues ---- */

static void measure_one(struct bench_run *run, const struct bench *b, const char *what,
                        enum window_filler filler, uint32_t more)
{
	const struct window w = window_measure(run, filler);
	const struct figure f = figure_of(what, &w, more, window_name(filler));

	figure_log(b->name, &f);
}

/* Is there a figure of `w`, and is it no larger? Else not the queue was full, perhaps. */
static bool confirms(const struct window *w, uint32_t fits)
{
	return !w->why && w->fits != WINDOW_NO_STEP && w->fits <= fits + AGREE;
}

/*
 * Loads that have their data may leave the queue before they retire. Then more of those fit than of
 * loads that wait for a line, and these alone tell the size. Loads into two kinds of registers go
 * on where one kind runs out.
 */
void datasheet_load_queue(struct bench_run *run, const struct bench *b)
{
	const struct window one = window_measure(run, WINDOW_LOAD);
	const struct window both = window_measure(run, WINDOW_LOAD_BOTH);
	const struct window miss = window_measure(run, WINDOW_LOAD_MISS);
	const bool more = !both.why && finds_more(&both, &one) && both.fits > one.fits + AGREE;
	const struct window *all = more ? &both : &one;
	const enum window_filler filler = more ? WINDOW_LOAD_BOTH : WINDOW_LOAD;
	const bool leave = !miss.why && !all->why && miss.fits != WINDOW_NO_STEP &&
	                   (all->fits == WINDOW_NO_STEP || miss.fits + AGREE < all->fits);
	/* Without the loads that wait, more loads than one kind of registers takes say nothing. */
	const bool miss_alone = leave || (more && (miss.why || miss.fits == WINDOW_NO_STEP));
	struct figure f = figure_of("load_queue", miss_alone ? &miss : all, LOADS,
	                            window_name(miss_alone ? WINDOW_LOAD_MISS : filler));

	if (f.value && !miss_alone && !confirms(&miss, all->fits)) {
		f.verdict = "rough";
		f.high = 0;
	}
	figure_log(b->name, &f);
	if (!leave)
		return;
	f = figure_of("load_queue.completed", all, LOADS, window_name(filler));
	if (f.value) { /* what was full is no queue of loads, perhaps */
		f.verdict = "rough";
		f.high = 0;
	}
	figure_log(b->name, &f);
}

void datasheet_store_queue(struct bench_run *run, const struct bench *b)
{
	measure_one(run, b, "store_queue", WINDOW_STORE, 0);
}

/*
 * A load that misses takes an entry of the load queue as well. Where so many fit as the queue has,
 * or where its size is unknown, there may be more buffers.
 */
void datasheet_fill_buffers(struct bench_run *run, const struct bench *b)
{
	const struct window w = window_misses(run);
	const struct window queue = window_measure(run, WINDOW_LOAD_MISS);
	struct figure f = figure_of("fill_buffers", &w, 0, NULL);

	if (f.value && (queue.why || queue.fits == WINDOW_NO_STEP || f.high >= queue.fits)) {
		f.verdict = "rough";
		f.high = 0;
	}
	figure_log(b->name, &f);
}

/* ---- Schedulers ---- */

/* Arithmetic and loads that wait share a scheduler if both in turn find no more room than one. */
static void measure_two_schedulers(struct bench_run *run, const struct bench *b)
{
	const struct window wait = window_measure(run, WINDOW_WAIT);
	const struct window load = window_measure(run, WINDOW_WAIT_LOAD);
	const struct window mixed = window_measure(run, WINDOW_WAIT_MIXED);
	const bool shared = !wait.why && !mixed.why && mixed.fits <= wait.fits + AGREE;
	struct figure f = figure_of(shared ? "scheduler.unified" : "scheduler.math", &wait, 1,
	                            window_name(WINDOW_WAIT));

	figure_log(b->name, &f);
	if (shared)
		return;
	f = figure_of("scheduler.load", &load, 1, window_name(WINDOW_WAIT_LOAD));
	figure_log(b->name, &f);
}

/* NetBurst replays (SDM volume 3, "Replay Tagging for Replay_event"). */
void datasheet_scheduler(struct bench_run *run, const struct bench *b)
{
	static const struct figure replayed = {
		.what = "scheduler.unified",
		.verdict = "cannot",
		.why = "what waits for a miss leaves the scheduler and is executed over and over",
	};

	if (run->cpu->pmu_class == PMU_CLASS_NETBURST)
		figure_log(b->name, &replayed);
	else
		measure_two_schedulers(run, b);
}
