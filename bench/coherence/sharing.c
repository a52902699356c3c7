/*
 * What CPUs pay for lines that they share: the way of a line from one to another, and operations of
 * several CPUs at the same time.
 *
 * The way is that of a token in a line which two CPUs hand back and forth, half of there and back.
 * It depends on the line: each line has a home, a slice of the last cache or a node of the memory.
 * So several lines are measured, which lie all over the expanse.
 *
 * For the others, every CPU does its operations in steps and counts the steps in a line of its own.
 * The first CPU reads all counts and its TSC, works with the others for a while, and reads them
 * again. All have begun before the first reading and none ends before the last, so the operations
 * between two readings are done while all run. A time is that of an operation of all CPUs together:
 * where they do not disturb each other, two CPUs need half of the time of one.
 */
#include "bench/coherence/cpu_pool.h"
#include "bench/engine/platform.h"
#include "bench/footprint.h"
#include "bench/engine/number.h"
#include "bench/engine/samples.h"
#include "bench/result/report.h"
#include "bench/suite/generated.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	RUNS = 9,
	TRIPS = 200,     /* there and back, in a sample */
	PAIRED = 64,     /* of more CPUs than that, these many are paired */
	LINES = 8,       /* that a pair hands over */
	STEP = 16,       /* operations */
	WINDOW = 100000, /* TSC ticks that a sample takes at least, for each CPU */
	LINE = 64,
	PAGE = 4096,
	LOOKS = 4096, /* steps, after which a CPU looks whether the first one is lost */
	ALL = 8,      /* samples that stand for all */
	MOST = 16,    /* to one that counts: those are too many to be dropped */
};

enum operation { HAND_OVER, ADD, LOCKED_ADD, READ, WRITE };

static const struct kind {
	const char *name, *what;
	uint8_t operation;
	uint8_t apart; /* bytes from what one CPU adds to, to what the next one does */
} kinds[] = {
	{ "sharing.pairs", "the way of a line from one CPU to another, all pairs", HAND_OVER, 0 },
	{ "sharing.add_own", "INC, each CPU in a line of its own", ADD, CPU_POOL_APART },
	{ "sharing.add_line", "INC, each CPU another byte of one line", ADD, 1 },
	{ "sharing.locked_own", "LOCK INC, each CPU in a line of its own", LOCKED_ADD,
	  CPU_POOL_APART },
	{ "sharing.locked_one", "LOCK INC of one word", LOCKED_ADD, 0 },
	{ "sharing.read", "lines read from memory, each CPU elsewhere", READ, 0 },
	{ "sharing.write", "lines written to memory, each CPU elsewhere", WRITE, 0 },
};

struct own {
	volatile uint32_t steps;
} __attribute__((aligned(CPU_POOL_APART)));

static struct {
	struct barrier barrier;
	volatile uint32_t *token;
	volatile bool stop __attribute__((aligned(CPU_POOL_APART)));
	const struct kind *kind __attribute__((aligned(CPU_POOL_APART)));
	uint8_t *base; /* what the first CPU adds to, or the memory */
	struct part {
		uintptr_t from, bytes; /* READ, WRITE: what a member has of the memory */
	} part[CPU_POOL_MAX];
	unsigned runs;
	const uint16_t *who;          /* the members' CPUs */
	uint64_t sample[ENGINE_RUNS]; /* thousandths of a tick */
	unsigned kept;                /* samples that count */
	uint32_t absent;              /* ... that do not, because some CPU did nothing */
	uint32_t stolen;              /* ... because the host gave a CPU to another user */
	bool all_stolen;              /* ... as in most, so that such samples count */
	/*
	 * In the data area: CPU_POOL_MAX entries, CPU_POOL_MAX * CPU_POOL_APART bytes, CPU_POOL_MAX
	 * entries.
	 */
	struct own *own;
	uint8_t *line;
	uint32_t *seen; /* the steps of each when the first CPU looked last */
} all;

_Static_assert(CPU_POOL_MAX *(2 * CPU_POOL_APART + sizeof(uint32_t)) <= BENCH_DATA, "data area");

/* A number that changes whenever the host takes one of the members' CPUs away or gives it back. */
static uint32_t stolen_so_far(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < all.barrier.members; i++)
		sum += cpu_pool_stolen(all.who[i]);
	return sum;
}

/*
 * The first CPU: keeps a sample unless the host took a CPU away since `before`. Where it does so
 * nearly always, all samples are kept from then on.
 */
static void keep(uint64_t milli, uint32_t before)
{
	if (stolen_so_far() != before && !all.all_stolen) {
		all.stolen++;
		all.all_stolen = all.stolen >= ALL && all.stolen >= MOST * all.kept;
		return;
	}
	all.sample[all.kept++] = milli;
}

/* Two CPUs; the first sample is not kept. The first CPU tells the other one when to stop. */
static void hand_over(void *data, unsigned member)
{
	uint32_t passed = 0, token = 0;

	(void)data;
	for (unsigned run = 0; barrier_pass(&all.barrier, &passed) && !all.stop; run++) {
		const uint32_t stolen = member ? 0 : stolen_so_far();
		uint64_t start = x86_rdtsc();

		for (unsigned i = 0; i < TRIPS; i++, token += 2) {
			if (!member)
				*all.token = token + 1;
			if (!barrier_wait(&all.barrier, all.token, token + (member ? 1 : 2)))
				return;
			if (member)
				*all.token = token + 2;
		}
		if (!member && run)
			keep((x86_rdtsc() - start) * 1000 / (2 * TRIPS), stolen);
		if (!member)
			all.stop = all.kept == all.runs;
	}
}

/* One step from *at on; behind the end it begins `bytes` before. */
static void step(uint8_t **at, const uint8_t *end, uintptr_t bytes)
{
	uint8_t *p = *at;

	if (all.kind->operation == ADD) {
		asm volatile(".rept 16\n\tincb %0\n\t.endr" : "+m"(*p) : : "cc");
		return;
	}
	if (all.kind->operation == LOCKED_ADD) {
		asm volatile(".rept 16\n\tlock incl %0\n\t.endr" : "+m"(*(uint32_t *)p) : : "cc");
		return;
	}
	for (unsigned i = 0; i < STEP; i++, p += LINE)
		if (all.kind->operation == READ)
			(void)*(volatile uint32_t *)p;
		else
			*(volatile uint32_t *)p = i;
	*at = p < end ? p : p - bytes;
}

static void steps(unsigned member, uint8_t **at, const uint8_t *end, uint32_t n)
{
	for (; n && !all.stop; n--) {
		step(at, end, all.part[member].bytes);
		all.own[member].steps++;
	}
}

/* The steps of all CPUs since the last call, and the fewest of one. */
static uint32_t new_steps(uint32_t *fewest)
{
	uint32_t sum = 0;

	*fewest = UINT32_MAX;
	for (unsigned i = 0; i < all.barrier.members; i++) {
		uint32_t now = all.own[i].steps, n = now - all.seen[i];

		all.seen[i] = now;
		sum += n;
		if (n < *fewest)
			*fewest = n;
	}
	return sum;
}

/*
 * The first CPU: as many steps as take long enough, and again for each sample. A sample counts if
 * all have worked in it: a process may lose a CPU for a while.
 */
static void measure(uint8_t **at, const uint8_t *end)
{
	uint64_t start = x86_rdtsc();
	uint32_t n = 1, sum, fewest;

	while (all.kept < all.runs && !all.barrier.given_up) {
		const uint32_t stolen = stolen_so_far();
		uint64_t ticks;

		new_steps(&fewest);
		ticks = x86_rdtsc();
		steps(0, at, end, n);
		ticks = x86_rdtsc() - ticks;
		sum = new_steps(&fewest);
		if (ticks < (uint64_t)WINDOW * all.barrier.members)
			n *= 2;
		else if (fewest)
			keep(ticks * 1000 / (STEP * (uint64_t)sum), stolen);
		else
			all.absent++;
		all.barrier.given_up = x86_rdtsc() - start > all.barrier.patience;
	}
	all.stop = true;
}

/* Bytes from `base`. More CPUs than the line has bytes share bytes. */
static uintptr_t place_of(unsigned member)
{
	uintptr_t place = (uintptr_t)member * all.kind->apart;

	return all.kind->apart < LINE ? place % LINE : place;
}

static void work(void *data, unsigned member)
{
	bool memory = all.kind->operation >= READ;
	const struct part *part = &all.part[member];
	uint8_t *at = all.base + (memory ? part->from : place_of(member));
	const uint8_t *end = at + part->bytes;
	uint32_t passed = 0;

	(void)data;
	for (uint8_t *p = at; p < end; p += PAGE)
		*(volatile uint8_t *)p = 0;
	if (memory) {
		platform_flush_caches();
		platform_flush_bytes(at, part->bytes);
	}
	if (!barrier_pass(&all.barrier, &passed))
		return;
	if (!member) {
		measure(&at, end);
		return;
	}
	for (uint64_t start = x86_rdtsc(); x86_rdtsc() - start < all.barrier.patience && !all.stop;)
		steps(member, &at, end, LOOKS);
}

static uint32_t all_steps(void)
{
	uint32_t fewest;

	memset(all.seen, 0, CPU_POOL_MAX * sizeof(*all.seen));
	return new_steps(&fewest);
}

/* False, and an error, if some CPU did not do its part. */
static bool run_crew(struct bench_run *run, const uint16_t *who, unsigned n,
                     void (*part)(void *data, unsigned member))
{
	const char *why;

	barrier_init(&all.barrier, n, run->tsc_hz);
	*all.token = 0;
	all.stop = false;
	all.runs = run->args->runs ? run->args->runs : RUNS;
	all.who = who;
	all.kept = all.absent = all.stolen = 0;
	all.all_stolen = false;
	memset(all.own, 0, CPU_POOL_MAX * (2 * CPU_POOL_APART + sizeof(*all.seen)));
	why = cpu_pool_run(who, n, part, NULL);
	if (!why && all.barrier.given_up)
		why = "a CPU did not come in time";
	if (!why && part == work && all.kind->operation == LOCKED_ADD && !all.kind->apart &&
	    *(uint32_t *)all.line != STEP * all_steps())
		why = "locked increments were lost";
	if (why)
		log_error("sharing", all.kind->name, why);
	return !why;
}

/* Returns whether all samples are equal. */
static bool log_samples(const struct bench_run *run, const struct stats *s)
{
	struct number x = { .value = (int64_t)s->med,
		            .min = (int64_t)s->min,
		            .low = (int64_t)s->low,
		            .high = (int64_t)s->high,
		            .max = (int64_t)s->max,
		            .exact = s->min == s->max };

	log_dec("runs", all.runs);
	if (all.absent)
		log_dec("dropped.absent", all.absent);
	if (all.stolen)
		log_dec("dropped.stolen", all.stolen);
	if (report_nominal(run->cpu))
		log_bool("nominal", true);
	if (cpu_has_host(run->cpu) && platform_privileged())
		log_bool("exits", true); /* short ones leave no trace in these samples */
	number_log("tsc", &x);
	return x.exact;
}

/*
 * Line i: evenly over the expanse, by multiples of the golden ratio, whose low bits differ, too. A
 * machine without memory has one line.
 */
static volatile uint32_t *line_at(const struct bench_area *area, uint32_t i)
{
	uint64_t lines = area->expanse_size / CPU_POOL_APART, part = i * 2654435769u;

	if (!lines)
		return (uint32_t *)all.line;
	return (uint32_t *)(area->expanse + (uintptr_t)(lines * part >> 32) * CPU_POOL_APART);
}

/* Puts the statistics of a line in its place by the median. */
static void insert(struct stats *list, unsigned n, const struct stats *s)
{
	for (; n && list[n - 1].med > s->med; n--)
		list[n] = list[n - 1];
	list[n] = *s;
}

/* The record has the samples of the line in the middle, and the medians of the outermost lines. */
static bool measure_pair(struct bench_run *run, const uint16_t who[2])
{
	static struct stats line[ARGS_LINES];
	unsigned n = run->args->lines ? run->args->lines : LINES;
	uint32_t stolen = 0;

	for (unsigned i = 0; i < n; i++) {
		struct stats s;

		all.token = line_at(&run->area, i);
		if (!run_crew(run, who, 2, hand_over))
			return false;
		stolen += all.stolen;
		s = stats_of(all.sample, all.runs);
		insert(line, i, &s);
	}
	log_begin("pair");
	log_dec("a", cpu_pool_name(who[0]));
	log_dec("b", cpu_pool_name(who[1]));
	log_dec("lines", n);
	all.stolen = stolen; /* of all lines */
	log_samples(run, &line[(n - 1) / 2]);
	log_milli("line.low", line[0].med);
	log_milli("line.high", line[n - 1].med);
	log_end();
	return true;
}

static void measure_pairs(struct bench_run *run)
{
	unsigned size = cpu_pool_size(), n = size < PAIRED ? size : PAIRED;

	if (n < size)
		log_warn("sharing", all.kind->name, "of so many CPUs only 64 are paired");
	for (unsigned i = 1; i < n; i++)
		for (unsigned k = 0; k < i; k++) {
			uint16_t who[2] = { (uint16_t)(k * size / n), (uint16_t)(i * size / n) };

			if (!measure_pair(run, who))
				return;
			if (run->between)
				run->between();
		}
}

/* The name with the number of CPUs behind it. */
static void log_name(unsigned n)
{
	char text[BENCH_NAME];
	struct text t = text_in(text, sizeof(text));

	text_str(&t, all.kind->name);
	text_str(&t, ".");
	text_dec(&t, n);
	log_str("bench", text);
}

/* How many of the first n CPUs share their last cache with CPU i. */
static unsigned sharers(const struct bench_run *run, unsigned n, unsigned i)
{
	unsigned bits = footprint_shared_bits(run->cpu), found = 0;

	for (unsigned k = 0; k < n; k++)
		found += bits > 31 || cpu_pool_apic(k) >> bits == cpu_pool_apic(i) >> bits;
	return found;
}

/*
 * Gives each of the first n CPUs its part of the memory: those that share a last cache have four
 * times of it together, and each one twice its second-level cache. False: there is not so much.
 */
static bool part_memory(const struct bench_run *run, unsigned n)
{
	const struct cpu_cache *second = cpu_data_cache(run->cpu, 2);
	uint64_t least = second ? 2 * (uint64_t)second->size : 0, from = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t bytes = footprint_memory(run->cpu) / sharers(run, n, i);

		bytes = ((bytes > least ? bytes : least) + PAGE - 1) & -(uint64_t)PAGE;
		if (bytes > run->area.expanse_size - from)
			return false;
		all.part[i] = (struct part){ (uintptr_t)from, (uintptr_t)bytes };
		from += bytes;
	}
	return true;
}

static void skip_number(unsigned n)
{
	log_begin("skip");
	log_name(n);
	log_str("why", "there is no piece of memory of four times the last caches");
	log_end();
}

/* The first n CPUs; false if that makes no sense any more, or did not work. */
static bool measure_together(struct bench_run *run, unsigned n)
{
	static uint16_t who[CPU_POOL_MAX];
	bool memory = all.kind->operation >= READ;
	struct stats s;

	for (unsigned i = 0; i < n; i++)
		who[i] = (uint16_t)i;
	memset(all.part, 0, sizeof(all.part));
	all.base = memory ? run->area.expanse : all.line;
	if (memory && !part_memory(run, n)) {
		skip_number(n);
		return false;
	}
	if (!run_crew(run, who, n, work))
		return false;
	s = stats_of(all.sample, all.runs);
	log_begin("result");
	log_name(n);
	log_str("mode", "rate");
	log_dec("cpus", n);
	if (memory)
		log_dec("bytes", LINE);
	log_bool("exact", log_samples(run, &s));
	log_end();
	return true;
}

static void perform(struct bench_run *run, const struct bench *b)
{
	unsigned size = cpu_pool_size(), n = 1;

	if (!cpu_pool_enough(b->name, 2))
		return;
	all.kind = &kinds[b->arg[0]];
	all.own = (struct own *)run->area.data;
	all.line = run->area.data + CPU_POOL_MAX * CPU_POOL_APART;
	all.seen = (uint32_t *)(all.line + CPU_POOL_MAX * CPU_POOL_APART);
	all.token = (uint32_t *)all.line;
	if (all.kind->operation == HAND_OVER) {
		measure_pairs(run);
		return;
	}
	while (measure_together(run, n) && n < size) {
		n = n < 8 ? n + 1 : 2 * n;
		if (n > size)
			n = size;
	}
}

static bool sharing_get(unsigned i, struct bench *b, const struct cpu *cpu,
                        const struct bench_area *area, const char **skip)
{
	if (i >= sizeof(kinds) / sizeof(kinds[0]))
		return false;
	generated_base(b, kinds[i].what, "");
	memcpy(b->name, kinds[i].name, strlen(kinds[i].name) + 1);
	b->perform = perform;
	b->arg[0] = i;
	if (kinds[i].operation >= READ && footprint_memory(cpu) > area->expanse_size)
		*skip = "there is no piece of memory of four times the last cache";
	return true;
}

static const struct bench_source sharing = { .name = "sharing",
	                                     .prefix = "sharing.",
	                                     .get = sharing_get };
BENCH_SOURCE(sharing);
