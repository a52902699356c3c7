/*
 * The contract between pmu/ and one family of performance-monitoring hardware.
 *
 * A family is one file of short functions over tables. It exports one const struct pmu_driver,
 * which drivers_32.c and drivers_64.c list. The first driver whose probe() agrees is used; `none`
 * is the last in both lists.
 *
 * The other files of pmu/ know nothing about registers. They parse a request into fields by name,
 * ask the driver for the configurations that count it, place the configurations on counters
 * (solve.c), and hand whole groups to the driver to start. docs/design/adding-a-pmu-family.md says
 * how to write a driver.
 */
#ifndef PMU_DRIVER_H
#define PMU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"
#include "pmu/pmu.h"

/* pmu_kind.flags; each belongs to the event as the manual defines it. */
#define PMU_EV_INV     0x01 /* with cmask: count clocks with fewer than cmask */
#define PMU_EV_EDGE    0x02 /* count rising edges */
#define PMU_EV_ANY     0x04 /* AnyThread is set */
#define PMU_EV_AUX     0x08 /* arch: counts only while an auxiliary event counts too */
#define PMU_EV_SELECT3 0x10 /* NetBurst: CCCR select 3 instead of the unit's */

/* Properties that many events share; -1 in a signed field means "none". */
struct pmu_kind {
	uint32_t counters; /* bit n: counter n can count it; 0: all of them */
	/* arch: `counters` of a core that has 8 counters because HT is off; 0: as above */
	uint32_t alone;
	/* arch: another select, unit mask << 8 | event, for a second filter register */
	uint16_t second;
	uint16_t errata; /* offset in pmu_names[]: the maker's errata about this event, or "" */
	uint8_t cmask;   /* counter mask */
	uint8_t flags;   /* PMU_EV_* */
	int8_t fixed;    /* arch: number of the only counter, a fixed one */
	int8_t bit;      /* arch: the architectural event with this bit in leaf 0AH EBX */
	uint8_t filter;  /* enum pmu_field_id of the register it needs; PMU_FIELDS: none */
	uint8_t unit;    /* NetBurst: place in NETBURST_UNITS */
	uint8_t escrs;   /* NetBurst: bit n: ESCR n of the unit can detect it */
	int8_t metric;   /* NetBurst: place in the metrics of netburst.c */
};

enum { PMU_PARTS = 3 }; /* parts of an event's name */

/* One event with one unit mask, as pmu_event_at() (events.c) reads it out of the tables. */
struct pmu_event {
	const char *part[PMU_PARTS]; /* the name is these with dots between; "": no further part */
	uint16_t code;  /* event select: 6 bits P5 and NetBurst, 8 P6 and arch, 12 AMD */
	uint16_t umask; /* unit mask; NetBurst: the bit of the 16-bit event mask, set */
	const struct pmu_kind *kind;
	bool has_value; /* the event has a value for its filter register */
	uint64_t value; /* that value */
};

/* The events of a family, all its models together: rows [first, first + n) of the tables. */
struct pmu_table {
	unsigned first, n;
};

/*
 * The fields of a request, besides the event's name. A field means the same in all families. Each
 * driver lists the fields that its hardware has.
 */
enum pmu_field_id {
	PMU_USR, /* count at CPL 1-3 (P5: CPL 3); if neither is given, pmu_plan()'s cpl decides */
	PMU_OS,  /* count at CPL 0 (P5: CPL 0-2) */
	PMU_COUNTER, /* the only counter for the event; drivers ignore the field */
	PMU_EVENT,
	PMU_UMASK, /* NetBurst: event_mask, 16 bits */
	PMU_CMASK,
	PMU_INV,
	PMU_EDGE,
	PMU_ANY,
	PMU_PIN,    /* PC: pin signals overflows (P5), or overflow instead of increments (P6) */
	PMU_INT,    /* interrupt on overflow: the bit only; pmu/sampling/ handles interrupts */
	PMU_CLOCKS, /* P5 CC bit 2: clocks while the condition holds instead of occurrences */
	PMU_CC,     /* P5: the whole CC field as the manual has it; raw requests */
	PMU_OFFCORE,
	PMU_LDLAT,
	PMU_FRONTEND,
	PMU_IN_TX,
	PMU_IN_TXCP,
	PMU_EQ, /* arch v6: count clocks with exactly cmask */
	PMU_GUEST,
	PMU_HOST,
	PMU_ESCR, /* NetBurst from here on */
	PMU_T1_USR,
	PMU_T1_OS,
	PMU_TAG, /* tag value; tag enable is set with it */
	PMU_COMPARE,
	PMU_COMPLEMENT,
	PMU_THRESHOLD,
	PMU_THREAD,
	PMU_FORCE_OVF,
	PMU_CASCADE,
	PMU_EXT_CASCADE,
	PMU_METRIC, /* number of a tagging metric: docs/netburst.md */
	PMU_FIELDS
};

/* How a family spells a field. */
struct pmu_field {
	const char *name;          /* in raw requests: cpu/NAME=VALUE/; a lone NAME means 1 */
	const char *modifier;      /* behind an event: EVENT:MODIFIER[=VALUE]; NULL: raw only */
	uint64_t max;              /* largest value */
	uint8_t id;                /* enum pmu_field_id */
	const char *const *values; /* names for 0, 1, 2 ... accepted as values; NULL: numbers */
};

/* One request, taken apart. */
struct pmu_request {
	bool named; /* `event` is set; else the request is raw */
	struct pmu_event event;
	uint16_t umask;             /* all named masks together */
	uint64_t given;             /* bit n: field n was given by the user */
	uint64_t value[PMU_FIELDS]; /* PMU_USR and PMU_OS are always set, given or not */
};

/* Has the user given this field? */
static inline bool pmu_given(const struct pmu_request *rq, enum pmu_field_id f)
{
	return rq->given >> f & 1;
}

/* The user's value if there is one, else the event's own. */
static inline uint64_t pmu_field(const struct pmu_request *rq, enum pmu_field_id f, uint64_t own)
{
	return pmu_given(rq, f) ? rq->value[f] : own;
}

/*
 * One way to count a request: a set of equally good counters, and values that registers besides the
 * counter's own must hold while it counts. Two configurations exclude each other when they need
 * different values in the same register. A number from PMU_CLAIM up is no register: it is never
 * written and only makes configurations exclude each other (NetBurst: the owner of a tag bit).
 */
struct pmu_config {
	uint32_t counters; /* bit n: counter n; the solver takes one */
	uint32_t blocks; /* counters that other events may not use meanwhile (AMD: merged pairs) */
	uint64_t select;
	unsigned nextra;
	struct pmu_write extra[PMU_EXTRA];
	bool conditional; /* as in struct pmu_slot */
};

#define PMU_CLAIM 0xffff0000u

enum {
	PMU_CONFIGS = 64, /* most ways to count one request */
	PMU_REGS = 128,   /* most registers that a family saves and restores */
};

struct pmu_counter {
	const char *name; /* the manual's: "CTR0", "IA32_FIXED_CTR1", "MSR_IQ_COUNTER4" */
	uint32_t msr;     /* the counter's register */
	uint32_t index;   /* operand of `access`: an MSR number, or ECX of RDPMC */
	uint8_t number;   /* the family's own number; fixed counters start at 0 again */
	uint8_t access;   /* enum pmu_access */
	uint8_t width;    /* bits */
	uint8_t load;     /* bits that a write loads; the bits above become copies of bit load-1 */
};

struct pmu_driver;

/* The PMU of this CPU. probe() fills it; only `usable` changes afterwards. */
struct pmu_hw {
	const struct pmu_driver *driver;
	const struct cpu *cpu;
	const char *model; /* as events/models.csv names it, NULL: unknown to us */
	uint64_t models;   /* the bit of the model in the sets of models; or PMU_MODEL_UNKNOWN */
	unsigned ncounters;
	struct pmu_counter counter[PMU_SLOTS];
	uint32_t usable; /* bit n: counter n exists and, after pmu_init(), is proven */
	uint32_t has;    /* features of this CPU, in bits that the family defines */
	const char *why; /* the reason if there are no counters */
};

/* How an event proves a counter. The first row whose event the counter can count is used. */
enum pmu_proof_kind {
	PMU_PROOF_END,
	PMU_PROOF_INSTRUCTIONS, /* must count exactly the instructions of the loop */
	PMU_PROOF_BRANCHES,     /* exactly its branches */
	PMU_PROOF_CLOCKS,       /* at least one per two iterations, at most 1000 per iteration */
	PMU_PROOF_HOLDS,        /* the loop may have none: the counter must hold and stand still */
};

struct pmu_proof {
	enum pmu_proof_kind kind;
	const char *event; /* a request */
};

/* Properties of a control register. */
struct pmu_control {
	uint64_t enables; /* bits that let a counter run; 0: the register alone starts nothing */
	uint64_t moves;   /* bits that the hardware changes while counters run */
	uint64_t arms;    /* bits with which the hardware sets those of `enables` itself */
	/* An erratum may falsify reads: the register stays 0, and reads are compared with reads. */
	bool garbled;
};

struct pmu_driver {
	const char *name;               /* "p6": the `pmu` record, and what aliases.csv uses */
	const char *raw;                /* prefix of raw requests: "cpu" in cpu/event=.../ */
	const struct pmu_table *table;  /* all models together, sorted by name; NULL: none */
	const struct pmu_field *fields; /* up to a row without name */
	const struct pmu_proof *proofs; /* up to PMU_PROOF_END */
	const char *defaults;           /* as for events=, best first; the first that fit one run */

	/*
	 * Is this the CPU's family? Fills *hw (all but driver, cpu) from CPUID alone or, where only
	 * a register tells (NetBurst's MISC_ENABLE), by guarded reads. With no counter left
	 * hw->why says why. Touches no register of another family.
	 */
	bool (*probe)(struct pmu_hw *hw, const struct cpu *cpu);

	/*
	 * MSR number of register i of all that the driver ever writes; 0 past the end. Writing them
	 * back in this order must be safe (global enables last). pmu_init() saves the registers,
	 * pmu_fini() puts them back. Registers that a stepping lacks are left out.
	 */
	uint32_t (*reg)(const struct pmu_hw *hw, unsigned i);

	/* The properties of a register of reg() that is not a counter. */
	struct pmu_control (*control)(const struct pmu_hw *hw, uint32_t msr);

	/*
	 * The MSR that reports counters in use; 0: it reports none. NULL: the family has no such
	 * MSR. Called once, before any write.
	 */
	uint32_t (*in_use)(const struct pmu_hw *hw);

	/* The remedy of an erratum, called once after the registers are saved. NULL: none. */
	void (*wake)(const struct pmu_hw *hw);

	/*
	 * Fills out[] with all ways to count the request on hw->usable counters, best first, at
	 * most PMU_CONFIGS; returns their number. 0: the request cannot be counted, and *why has
	 * the wrong part and the allowed values.
	 */
	unsigned (*encode)(const struct pmu_hw *hw, const struct pmu_request *rq,
	                   struct pmu_config *out, const char **why);

	/*
	 * Changes *hw to the view of the core's other thread, where both share counters. False:
	 * there is no such thread. NULL: threads of this family have counters of their own.
	 */
	bool (*other_thread)(struct pmu_hw *hw);

	/* Sets a stopped counter; false: a fault. NULL: a plain write of its register. */
	bool (*load)(const struct pmu_hw *hw, unsigned counter, uint64_t value);

	/*
	 * Stops all counters, writes the registers of the group in the manual's order, and starts
	 * its counters at slots[].from, as near as possible to the same moment. False: a write
	 * faulted, and all counters are stopped.
	 */
	bool (*start)(const struct pmu_hw *hw, const struct pmu_group *group);

	/* Stops every counter of this PMU, in use or not. Safe at any time. */
	void (*stop)(const struct pmu_hw *hw);
};

#define PMU_MODEL_UNKNOWN (1ull << 63) /* has the events that all models of the family have */

/* Usable counters that can count the request. */
static inline uint32_t pmu_request_counters(const struct pmu_hw *hw, const struct pmu_request *rq)
{
	uint32_t own = rq->named ? rq->event.kind->counters : 0;

	return own ? hw->usable & own : hw->usable;
}

#endif
