/* cpl0-log policy: the replacement policies of a machine's caches (docs/datasheet-caches.md). */
#include "tools/result/commands.h"

#include "tools/policy/answer.h"
#include "tools/result/machine.h"
#include "tools/result/runs.h"

static void print_answer(const struct answer *a, FILE *out)
{
	fprintf(out, "%s", a->what);
	if (a->of_set)
		fprintf(out, ", set %lu", a->set);
	if (a->ways)
		fprintf(out, ", %u way%s", a->ways, a->ways == 1 ? "" : "s");
	fprintf(out, ": %s\n", a->text);
	if (a->fits > 1)
		fputs("  the sequences do not tell these apart\n", out);
	if (a->sequences)
		fprintf(out, "  by %u sequence%s\n", a->sequences, a->sequences == 1 ? "" : "s");
}

bool policy_print(const struct log *log, FILE *out)
{
	static struct answer answers[ANSWERS];
	bool any = false;

	for (size_t i = 0; i < log->nruns; i++) {
		struct machine m;
		size_t n = 0;

		if (runs_has(log, i))
			n = answers_read(log, &log->runs[i], answers);
		if (!n)
			continue;
		machine_read(&m, log, &log->runs[i]);
		fprintf(out, "%s%s, %u bits\n", any ? "\n" : "", m.name, m.bits);
		for (size_t j = 0; j < n; j++)
			print_answer(&answers[j], out);
		any = true;
	}
	return any;
}
