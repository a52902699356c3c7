/* Output that arrived, or a message (tools/output/output.h). */
#include "tools/output/output.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

void output_no_signals(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

bool output_close_checked(FILE *f, const char *program, const char *name)
{
	bool lost = ferror(f);
	int why = 0;

	errno = 0;
	if (fflush(f))
		why = errno;
	errno = 0;
	if (fclose(f) && !why)
		why = errno;
	if (!lost && !why)
		return true;
	fprintf(stderr, "%s: %s: %s\n", program, name,
	        why ? strerror(why) : "some of the output could not be written");
	return false;
}
