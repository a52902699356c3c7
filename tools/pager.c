/* A pager between standard output and a terminal (tools/pager.h). */
#include "tools/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

/* NULL: none is wanted, or none is there. */
static const char *find_pager(void)
{
	const char *pager = getenv("PAGER");

	if (pager)
		return *pager && strcmp(pager, "cat") ? pager : NULL;
	return system("command -v less >/dev/null 2>&1") ? NULL : "less";
}

static void become(const char *pager, const int ends[2])
{
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	signal(SIGPIPE, SIG_DFL);
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	_exit(127);
}

bool pager_begin(void)
{
	const char *pager = isatty(STDOUT_FILENO) ? find_pager() : NULL;
	int ends[2];

	if (!pager || pipe(ends))
		return false;
	child = fork();
	if (!child)
		become(pager, ends);
	if (child > 0) {
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
		dup2(ends[1], STDOUT_FILENO);
	}
	close(ends[0]);
	close(ends[1]);
	return child > 0;
}

void pager_end(void)
{
	fclose(stdout); /* the user may have left before the end: that is no error */
	fclose(stderr);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
}
