/*
 * Samples of a guest (bench/engine/guest.h).
 */
#include "bench/engine/guest.h"
#include "kernel/lib/string.h"

enum {
	ALL = 8,             /* samples that stand for all */
	MOST = 16,           /* to one without an exit: those with one are too many to be dropped */
	EXIT_PART = 1 << 11, /* of a long sample: what it may be longer for another reason */
};

/* Keys of events; "": this CPU does not count them. */
static char instructions[PMU_KEY], reference[PMU_KEY];

/* The last group of guest_group(), and what it became. */
static struct {
	unsigned cpl;
	struct pmu_group of, more;
} watched;

static void find(const char *alias, char key[PMU_KEY])
{
	static struct pmu_group g;

	key[0] = 0;
	if (pmu_single(&g, alias, 0))
		memcpy(key, g.slots[0].key, PMU_KEY);
}

void guest_init(void)
{
	watched.of.n = 0;
	find("instructions", instructions);
	find("ref-cycles", reference);
}

static int slot_of(const struct pmu_group *group, const char *key)
{
	for (unsigned i = 0; group && *key && i < group->n; i++)
		if (!strcmp(group->slots[i].key, key) && !group->slots[i].still)
			return (int)i;
	return GUEST_NONE;
}

int guest_slot(const struct pmu_group *group)
{
	return slot_of(group, instructions);
}

const struct pmu_group *guest_group(const struct cpu *cpu, const struct pmu_group *group,
                                    unsigned cpl)
{
	if (!group || !cpu_has_host(cpu))
		return group;
	if (watched.cpl == cpl && watched.of.n && !memcmp(&watched.of, group, sizeof(watched.of)))
		return &watched.more;
	watched.of = watched.more = *group;
	watched.cpl = cpl;
	pmu_add(&watched.more, "instructions", cpl);
	pmu_add(&watched.more, "ref-cycles", cpl);
	return &watched.more;
}

uint32_t guest_late(const uint64_t *ticks, uint32_t n, uint32_t part, bool *late)
{
	uint64_t least = ~(uint64_t)0;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		least = ticks[i] < least ? ticks[i] : least;
	for (uint32_t i = 0; i < n; i++) {
		late[i] = ticks[i] - least > GUEST_EXIT_TICKS + least / part;
		sum += late[i];
	}
	return sum;
}

const struct pmu_slot *guest_outer(const struct cpu *cpu, const struct pmu_group *group)
{
	const int slot = cpu_is_guest(cpu) ? guest_slot(group) : GUEST_NONE;

	return slot == GUEST_NONE ? NULL : &group->slots[slot];
}

int guest_reference(const struct pmu_group *group)
{
	return slot_of(group, reference);
}

uint64_t guest_most(const uint64_t *v, uint32_t n)
{
	uint32_t best = 0, times = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t alike = 0;

		for (uint32_t k = 0; k < n; k++)
			alike += v[k] == v[i];
		if (alike > times) {
			times = alike;
			best = i;
		}
	}
	return v[best];
}

bool guest_exited(uint64_t ticks, uint64_t ref, int64_t ahead)
{
	const int64_t slack = GUEST_EXIT_TICKS + (int64_t)(ticks / EXIT_PART);
	const int64_t over = (int64_t)(ticks - ref);

	return over > slack || over > ahead + slack;
}

/* May the sample stay although the host came in between, or did it not? */
static bool stays(struct guest_watch *w, uint64_t insns, uint64_t ticks, uint64_t ref)
{
	const bool exited = (w->insns != GUEST_NONE && insns > w->expected) ||
	                    (w->ref != GUEST_NONE &&
	                     guest_exited(ticks - w->around, ref, w->ahead - (int64_t)w->around));

	if (exited && !w->exits) {
		w->exited++;
		w->exits = w->exited >= ALL && w->exited >= MOST * w->kept;
		return false;
	}
	w->kept++;
	return true;
}

bool guest_keeps(struct guest_watch *w, uint64_t insns, uint64_t ticks, uint64_t ref)
{
	if (w->insns == GUEST_NONE || insns >= w->expected)
		return stays(w, insns, ticks, ref);
	w->same = (!w->stood || (w->same && insns == w->last)) && insns && insns >= w->bracket;
	w->last = insns;
	w->stood++;
	if (w->kept || w->stood < ALL || !w->same)
		return false;
	w->stood = 0;
	w->insns = GUEST_NONE;
	return false;
}
