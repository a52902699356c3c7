#include "bench/datasheet/figure.h"
#include "bench/engine/sibling.h"
#include "kernel/lib/log.h"

static const struct bench_run *measured;
static unsigned number;  /* of the run */
static enum sibling saw; /* the worst of all looks of the run */

static void look(void)
{
	const enum sibling now = measured ? sibling_look(measured) : SIBLING_QUIET;

	if (saw == SIBLING_BUSY || now == SIBLING_QUIET)
		return;
	saw = now;
}

void figure_begin(const struct bench_run *run)
{
	if (!measured || number != run->number)
		saw = SIBLING_QUIET;
	measured = run;
	number = run->number;
	look();
}

/* What has half of a structure finds half of its size. */
static struct figure doubted(const struct figure *f)
{
	struct figure d = *f;

	if (!f->shared || !f->value)
		return d;
	look();
	if (saw == SIBLING_QUIET)
		return d;
	d.verdict = "rough";
	d.low = f->low ? f->low : f->value;
	d.high = 0;
	if (f->why)
		return d;
	d.why = saw == SIBLING_BUSY ? "a busy thread of the core has a part of it"
	                            : "another thread of the core may have a part of it";
	return d;
}

void figure_log(const char *bench, const struct figure *found)
{
	const struct figure d = doubted(found), *f = &d;

	log_begin("datasheet");
	log_str("bench", bench);
	log_str("what", f->what);
	if (f->is)
		log_str("is", f->is);
	if (f->value)
		log_dec("value", f->value);
	if (f->low)
		log_dec("low", f->low);
	if (f->high)
		log_dec("high", f->high);
	log_str("unit", f->unit ? f->unit : "entries");
	if (f->told)
		log_dec("told", f->told);
	log_str("by", "time");
	log_str("verdict", f->verdict);
	if (f->filler)
		log_str("filler", f->filler);
	if (f->why)
		log_str("why", f->why);
	log_end();
}
