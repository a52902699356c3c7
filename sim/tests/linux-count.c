/*
 * sim/tests/linux-count.c - as `perf stat -e instructions:u,cycles:u,branches:u true`, twice, in
 * one static program: a line with the three counts for each child.
 *
 *	linux-count PROGRAM
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EVENTS = 3, RUNS = 2, EXIT_NO_PROGRAM = 127 };

static const struct {
	const char *name;
	uint64_t config;
} events[EVENTS] = {
	{ "instructions:u", PERF_COUNT_HW_INSTRUCTIONS },
	{ "cycles:u", PERF_COUNT_HW_CPU_CYCLES },
	{ "branches:u", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
};

/* Counts `child` from its exec on, with its own children; -1 and a message: it cannot. */
static int open_event(unsigned i, pid_t child)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = events[i].config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int file = (int)syscall(SYS_perf_event_open, &attr, child, -1, -1, 0);

	if (file < 0)
		perror(events[i].name);
	return file;
}

/* The child waits for a byte, so that the events are there when it becomes the program. */
static pid_t begin(const char *program, int *go)
{
	int pipes[2];
	pid_t child;
	char byte;

	if (pipe(pipes))
		return -1;
	child = fork();
	if (child) {
		close(pipes[0]);
		*go = pipes[1];
		return child;
	}
	close(pipes[1]);
	if (read(pipes[0], &byte, 1) == 1)
		execl(program, program, (char *)NULL);
	_exit(EXIT_NO_PROGRAM);
}

/* " name=count"; a counter that had to share its time is no count. */
static int print_count(unsigned i, int file)
{
	uint64_t got[3] = { 0 }; /* count, time enabled, time running */

	if (read(file, got, sizeof(got)) != sizeof(got) || !got[2] || got[1] != got[2]) {
		printf(" %s=not-counted", events[i].name);
		return 1;
	}
	printf(" %s=%llu", events[i].name, (unsigned long long)got[0]);
	return 0;
}

static int count(const char *program)
{
	int go, status, file[EVENTS], failed = 0;
	pid_t child = begin(program, &go);

	if (child < 0)
		return 1;
	for (unsigned i = 0; i < EVENTS; i++)
		failed |= (file[i] = open_event(i, child)) < 0;
	if (write(go, "", 1) != 1 || waitpid(child, &status, 0) != child || status)
		failed = 1;
	printf("counted");
	for (unsigned i = 0; i < EVENTS; i++) {
		failed |= print_count(i, file[i]);
		close(file[i]);
	}
	printf(" failed=%d\n", failed);
	close(go);
	return failed;
}

int main(int argc, char **argv)
{
	int failed = argc != 2;

	for (unsigned i = 0; i < RUNS && !failed; i++)
		failed = count(argv[1]);
	return failed;
}
