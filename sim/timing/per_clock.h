/*
 * sim/timing/per_clock.h - what happens in each clock of a core, for counters that compare clock by
 * clock.
 *
 * The core says what it does in which clock, out of order and ahead of its time. A clock is final
 * when no instruction that comes later can do anything in it: then core_per_clock_take() gives it.
 * A core without such a counter does nothing of this.
 */
#ifndef SIM_TIMING_PER_CLOCK_H
#define SIM_TIMING_PER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/signal.h"
#include "sim/timing/core.h"

/* Conditions that last. SPAN_STALL and up: why rename stands still, by enum core_stall. */
enum core_span {
	SPAN_WAITING,   /* uops in the scheduler */
	SPAN_LOADS,     /* loads that have begun and have no data */
	SPAN_L1,        /* of these, misses of the first level */
	SPAN_L2,        /* of the second */
	SPAN_L3,        /* of the last */
	SPAN_OWNERSHIP, /* stores that missed the second level */
	SPAN_BUFFERS,   /* loads that wait for a line-fill buffer */
	SPAN_INT_DIVIDER,
	SPAN_FP_DIVIDER,
	SPAN_RECOVERY,  /* a wrong branch has executed, the code behind it is not there */
	SPAN_LOAD_WALK, /* page walks */
	SPAN_STORE_WALK,
	SPAN_CODE_WALK,
	SPAN_CODE_TLB,    /* fetch waits for a translation */
	SPAN_CODE_LINE,   /* and for a line */
	SPAN_CODE_L2,     /* of these, lines that L2 does not have */
	SPAN_SWITCH,      /* from the uop cache to the decoders */
	SPAN_READ_PORTS,  /* rename waits for ports of the register file */
	SPAN_HEAD_WALK,   /* the oldest load waits for a walk */
	SPAN_HEAD_MISS,   /* or for its line */
	SPAN_HEAD_TLB,    /* or for the second TLB */
	SPAN_HEAD_BUFFER, /* or for a line-fill buffer */
	SPAN_RETIRE_WALK, /* and retirement does, too */
	SPAN_RETIRE_TLB,
	SPAN_RETIRE_BUFFER,
	SPAN_RETIRE_L2, /* for a line that L2 has */
	SPAN_RETIRE_LLC,
	SPAN_RETIRE_MEMORY,
	SPAN_HEAD_STORE, /* the oldest load waits for a store */
	SPAN_LOCK,       /* a locked instruction has a line */
	SPAN_BUS_LOCK,   /* or the bus */
	SPAN_PAUSE,
	SPAN_CODE, /* why rename waits for code: by enum core_code */
	SPAN_STALL = SPAN_CODE + 8,
	CORE_SPANS = SPAN_STALL + 6
};

/*
 * One clock. CORE_WATCHED of them are remembered; what lies further ahead is counted in the last.
 */
struct core_clock {
	uint8_t issued, cached, microcode; /* uops of the fused domain that were renamed */
	uint8_t microcode_cached;          /* of the microcode, from the uop cache */
	uint8_t decoders, decoder0;        /* decoded instructions; uops of the first decoder */
	uint8_t switches;                  /* from the uop cache to the decoders */
	uint8_t bogus, bogus_executed;     /* uops of the wrong path */
	uint8_t executed, retired;         /* uops */
	uint8_t slow_lea;                  /* uops renamed of a slow LEA */
	uint8_t heavy;                     /* retired, and not the last one of its instruction */
	uint8_t instructions, uops;        /* retired, as the signals of these names count */
	bool spans;                        /* some of change is not 0 */
	uint16_t ports;                    /* bit n: port n took a uop */
	int16_t change[CORE_SPANS];
};

enum { CORE_WATCHED = 65536 };

struct core_per_clock {
	uint64_t from;             /* the first clock that has not been given */
	uint64_t last;             /* nothing is known of what comes behind this clock */
	uint64_t asleep, awake;    /* clocks [asleep, awake) were slept and do not count */
	uint64_t fetched;          /* fetch waited last until this clock */
	int32_t level[CORE_SPANS]; /* before `from` */
	struct sim_run *run;       /* given last */
	unsigned runs, room;
	struct core_clock clock[CORE_WATCHED];
};

/* Watches the core from its present clock on, or no longer. False: no memory. */
bool core_per_clock(struct core *c, bool on);
void core_per_clock_free(struct core *c);

/*
 * The place to note something that happens in this clock: the first clock that has not been given
 * if it lies before that, the last remembered clock if it lies behind that.
 */
struct core_clock *core_per_clock_at(struct core_per_clock *w, uint64_t clock);

/* The condition holds n times more in the clocks [from, until). */
void core_per_clock_span(struct core_per_clock *w, enum core_span span, uint64_t from,
                         uint64_t until, unsigned n);

/*
 * The code of the next instruction is waited for. The front end may be far behind the clocks that
 * are final: then it waits from the first one that is not.
 */
void core_per_clock_fetch(struct core *c, const struct core_dyn *dyn);

/* Fetch asks for the next instruction; core_per_clock_code() needs to know from *out when. */
void core_per_clock_asked(const struct core *c, struct core_result *out);

/*
 * Rename waits in these clocks for the code of an instruction. Sets out->code_waits, in which the
 * clocks of a wrong branch have no cause, and out->code_clocks; this works without a request, too.
 * Something may have been renamed in the first of the clocks. If that filled it, it has no cause.
 */
void core_per_clock_code(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn,
                         uint64_t from, uint64_t until, struct core_result *out);

/* Code comes no longer from the uop cache, which costs so many clocks of fetch. */
void core_per_clock_switch(struct core *c, unsigned clocks);

/* The instruction of the last core_step() has retired; its signals are those of the step. */
void core_per_clock_retired(struct core *c, const struct sim_step *step);

/* A uop of the fused domain has retired; last: of its instruction. */
void core_per_clock_retired_uop(struct core *c, bool last);

/* A uop was renamed in this clock, first: of its instruction. */
void core_per_clock_renamed(struct core *c, const struct core_insn *insn, uint64_t clock,
                            bool first);

/* Rename waits longer than until its next clock, for ports of the register file. */
void core_per_clock_ports(struct core *c, uint64_t from, uint64_t until);

/*
 * A load. Ticks: asked: when it could have begun, begun: when it had a line-fill buffer, done: when
 * its data is there.
 */
void core_per_clock_load(struct core *c, const struct core_access *a, uint64_t asked,
                         uint64_t begun, uint64_t done);

/* A store that has a line-fill buffer in this clock. */
void core_per_clock_store(struct core *c, const struct core_access *a, uint64_t asked);

/* The divider works for an instruction, from one tick on and until another. */
void core_per_clock_divider(struct core *c, const struct core_insn *insn, uint64_t from,
                            uint64_t until);

/* The same of any unit that a uop of an instruction occupies. */
void core_per_clock_unit(struct core *c, const struct core_insn *insn, const struct core_uop *u,
                         uint64_t from, uint64_t until);

/*
 * A locked instruction has its line, or the bus, from the tick of its read until that of its
 * write. It works without a request, too.
 */
void core_per_clock_lock(struct core *c, const struct core_access *a, uint64_t from,
                         uint64_t until);

/*
 * A load took its port in the tick `from` and had its line, or a line-fill buffer and all clocks
 * beyond those of a hit, in the tick `until`; missed: its line is under way. Says in *out whether
 * the last older store that seems to have some of its bytes, by the low 12 bits of the address, is
 * another one's. That works without a request, too.
 */
void core_note_begun(const struct core *c, const struct core_access *a, uint64_t from,
                     uint64_t until, bool missed, struct core_result *out);

/* The same if out is not NULL. */
static inline void core_per_clock_begun(const struct core *c, const struct core_access *a,
                                        uint64_t from, uint64_t until, bool missed,
                                        struct core_result *out)
{
	if (out)
		core_note_begun(c, a, from, until, missed, out);
}

/* From this tick on a load waits for a store: for its data, or until the cache has it. */
void core_note_blocked(struct core *c, const struct core_access *a, const struct core_store *s,
                       uint64_t from);

/* The same if clocks are requested. */
static inline void core_per_clock_blocked(struct core *c, const struct core_access *a,
                                          const struct core_store *s, uint64_t from)
{
	if (c->per_clock)
		core_note_blocked(c, a, s, from);
}

/* The data of that load is there in this tick, which is returned. out may be NULL. */
static inline uint64_t core_loaded(struct core_result *out, uint64_t done)
{
	if (out && out->loads < CORE_ACCESSES)
		out->load_ticks[out->loads++] = (uint32_t)(done - out->load_from);
	return done;
}

/* The clocks that became final are put into the step. They stay until the next call. */
void core_per_clock_take(struct core *c, struct sim_step *step);

#endif
