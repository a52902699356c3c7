#include "bench/threads/threads.h"
#include "kernel/smp/smp.h"

void threads_run(struct bench_run *run)
{
	(void)run;
	smp_start();
}
