/* The run of a log that a user names (tools/result/runs.h). */
#include "tools/result/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/output.h"

static bool choose(struct log *log, const char *number, size_t length)
{
	char *end, asked[32];
	unsigned long n = strtoul(number, &end, 10);

	if ((size_t)(end - number) == length && length && n && n <= log->nruns) {
		log->chosen = (unsigned)n;
		return true;
	}
	snprintf(asked, sizeof(asked), "%.*s", (int)length, number);
	fprintf(stderr, "cpl0-log: %s: no run %s: it has %zu\n", output_name(log->name),
	        output_name(asked), log->nruns);
	return false;
}

bool runs_has(const struct log *log, size_t index)
{
	return !log->chosen || log->chosen == index + 1;
}

bool runs_choose(struct log *logs, size_t n, const char *numbers, bool last)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = numbers ? strcspn(numbers, ",") : 0;

		if (last)
			logs[i].chosen = (unsigned)logs[i].nruns;
		if (numbers && !choose(&logs[i], numbers, length))
			return false;
		if (numbers && numbers[length] && i + 1 < n)
			numbers += length + 1;
	}
	if (!numbers || !strchr(numbers, ','))
		return true;
	fprintf(stderr, "cpl0-log: --run has more numbers than there are logs: %s\n",
	        output_name(numbers));
	return false;
}
