#include "bench/datasheet/figure.h"
#include "kernel/lib/log.h"

void figure_log(const char *bench, const struct figure *f)
{
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
