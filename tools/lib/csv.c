/* Values of a line of CSV (tools/lib/csv.h). */
#include "tools/lib/csv.h"

#include <stdbool.h>

char *csv_take(char **p)
{
	char *in = *p, *value = in, *to = in;
	bool quoted = *in == '"';

	if (quoted)
		in++;
	while (*in && (quoted || *in != ',')) {
		if (quoted && *in == '"' && *++in != '"') {
			quoted = false;
			continue;
		}
		*to++ = *in++;
	}
	*p = *in ? in + 1 : in;
	*to = 0;
	return value;
}
