/*
 * The watching parent (native/watch.h).
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "kernel/lib/log.h"
#include "native/watch.h"

enum { NO_MEMORY = 3 }; /* exit code */

/* What the child tells; both have it. */
static struct shared {
	uint32_t records, check; /* where the chain of the log stands */
	bool done;
	char running[BENCH_NAME];
} * shared;

void watch_record(void)
{
	shared->records = log_records();
	shared->check = log_check_value();
}

void watch_running(const char *name)
{
	snprintf(shared->running, sizeof(shared->running), "%s", name ? name : "");
}

void watch_done(void)
{
	shared->done = true;
}

static void complain(int status)
{
	char why[80];

	if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "SIG%s ended the process",
		         sigabbrev_np(WTERMSIG(status)));
	else
		snprintf(why, sizeof(why), "the code ended the process with exit code %d",
		         WEXITSTATUS(status));
	log_error("process", *shared->running ? shared->running : NULL, why);
	log_begin("done");
	log_str("status", "fail");
	log_dec("records", log_records() + 1);
	log_end();
}

int watch_run(int (*measure)(void *data), void *data, void (*sink)(const char *line, size_t n))
{
	pid_t child;
	int status;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	              0);
	if (shared == MAP_FAILED)
		return NO_MEMORY;
	child = fork();
	if (child < 0)
		return NO_MEMORY;
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* a parent that is gone reads no results */
		_exit(measure(data));
	}
	while (waitpid(child, &status, 0) < 0)
		;
	if (shared->done && WIFEXITED(status))
		return WEXITSTATUS(status);
	log_sink(sink);
	log_resume(shared->records, shared->check);
	complain(status);
	return 1;
}
