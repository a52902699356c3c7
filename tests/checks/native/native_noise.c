/*
 * How busy is the machine with other things? Asked without the engine, so that a fault of the
 * engine does not look like noise. Two chains that take the same core clocks, additions and
 * multiplications, run one after the other; where something else uses the core or takes it away,
 * their times differ by more than 1 %. Prints the thousandths of such pairs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAIRS = 200, STEPS = 24 * 840, EVERY_NS = 500000 };

static uint64_t ticks(void)
{
	uint32_t low, high;

	asm volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t additions(void)
{
	uint64_t start = ticks();
	uint32_t x = 1;

	for (int i = 0; i < STEPS / 24; i++)
		asm volatile(".rept 24\n\tadd %0, %0\n\t.endr" : "+r"(x));
	return ticks() - start;
}

/* `clocks` each. */
static uint64_t multiplications(int clocks)
{
	uint64_t start = ticks();
	uint32_t x = 1;

	for (int i = 0; i < STEPS / 24 / clocks; i++)
		asm volatile(".rept 24\n\timul %0, %0\n\t.endr" : "+r"(x));
	return ticks() - start;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	static double ratio[PAIRS];
	int clocks, disturbed = 0;

	for (int i = 0; i < PAIRS; i++)
		ratio[i] = (double)multiplications(1) / (double)additions();
	qsort(ratio, PAIRS, sizeof(ratio[0]), by_value);
	clocks = (int)(ratio[PAIRS / 2] + 0.5);
	if (clocks < 1 || STEPS / 24 % clocks)
		clocks = 1;
	for (int i = 0; i < PAIRS; i++) {
		struct timespec pause = { .tv_nsec = EVERY_NS };
		double r;

		nanosleep(&pause, NULL);
		additions();
		r = (double)multiplications(clocks) / (double)additions();
		disturbed += r < 0.99 || r > 1.01;
	}
	printf("%d\n", disturbed * 1000 / PAIRS);
	return 0;
}
