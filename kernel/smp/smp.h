/*
 * The other CPUs: found, started, given work, and parked again.
 *
 * Nothing here runs unless smp_start() is called: CPUs that no argument asks for stay where the
 * firmware left them. A started CPU waits in MWAIT or HLT with all interrupts masked but the one
 * that wakes it. It has a stack, a GDT, a TSS and trap entries of its own. Whatever goes wrong on
 * it is told to the boot CPU: it may stay silent, fault, or not come back. INIT then brings it
 * back.
 *
 * CPUs are numbered from 0 here; number 0 is the boot CPU. All functions but smp_barrier() and
 * smp_count_up() are for the boot CPU alone.
 */
#ifndef KERNEL_SMP_SMP_H
#define KERNEL_SMP_SMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/chipset/acpi.h"
#include "kernel/chipset/bootinfo.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/topology.h"
#include "kernel/trap/usermode.h"

enum smp_state {
	SMP_LISTED,      /* not started */
	SMP_READY,       /* parked, or the boot CPU */
	SMP_SILENT,      /* does not answer to INIT and start-up IPI */
	SMP_LATE,        /* did answer, but after it had been given up: it is not used */
	SMP_UNREACHABLE, /* its APIC id is above 254 and the APICs are not in x2APIC mode */
	SMP_NO_MEMORY,
	SMP_LOST, /* did not come back from its work, and INIT did not help */
};

/* How the work of a CPU ended. */
enum smp_end { SMP_DONE, SMP_FAULTED, SMP_TIMEOUT };

/* The trap that ended the work of a CPU. */
struct smp_fault {
	uint32_t vector;
	uintptr_t ip, error, cr2;
};

struct smp_cpu {
	uint32_t id; /* APIC id */
	enum smp_state state;
	struct cpu_place place; /* if ready */
	/*
	 * Its time stamp counter less that of the boot CPU at the same moment, in ticks, and by how
	 * much that may be off: half of the shortest way there and back.
	 * tsc_error 0: it did not answer in time (and for CPU 0).
	 */
	int64_t tsc_offset;
	uint64_t tsc_error;
	/*
	 * By how much that offset changed while both slept, in ticks; 0: no more than the errors.
	 * If it is not 0, the offset was true for a moment only.
	 */
	int64_t tsc_drift;
	enum smp_end end; /* of its last work */
	struct smp_fault fault;
};

struct smp_setup {
	const struct cpu *cpu; /* the boot CPU */
	const struct acpi *acpi;
	const struct bootinfo *bi;
	uint64_t tsc_hz;             /* 0: unknown, 1 GHz is assumed for waiting */
	void *(*alloc)(size_t size); /* gives zeroed memory or NULL */
};

/* Where smp_start() finds the machine. Forgets all CPUs; nothing is touched. */
void smp_setup(const struct smp_setup *setup);

/*
 * Finds and starts all CPUs, and measures the offsets of their time stamp counters. Prints a `cpus`
 * record and a `cpu_entry` record for each. Returns the number of all that are known, those that
 * did not start included; 1 if there is no other CPU, and then the `cpus` record says why. A second
 * call only returns the number.
 */
unsigned smp_start(void);

/*
 * After smp_start(), for a run that wants all CPUs, or that lacks some: an `error` record if the
 * firmware lists CPUs that are not ready; once a run. A machine that lists no other CPU has no
 * error.
 */
void smp_complain(void);

/* CPU number i below smp_count(). */
const struct smp_cpu *smp_cpu(unsigned i);
unsigned smp_count(void);

/*
 * Which of two CPUs share what: true if they are threads of one core; if they have one kind of
 * core.
 */
bool smp_same_core(unsigned a, unsigned b);
bool smp_same_kind(unsigned a, unsigned b);

/* One piece of work. `fn` runs with interrupts off, on a stack of 8 KiB. */
struct smp_job {
	unsigned cpu; /* number */
	void (*fn)(void *arg);
	void *arg;
	const char *what; /* for the record if it fails; NULL: what smp_finish() is told */
};

/*
 * Begins the jobs on all CPUs of jobs[0..n) but the boot CPU, whose job the caller runs. Then
 * smp_finish() waits until all have ended or `ms` milliseconds (0: smp_patience()) have passed, in
 * HLT, and brings those back
 * that did not end. It returns true if all ended well; smp_cpu()->end and ->fault tell of each. A
 * CPU that faulted or did not end also has a record `cpu_fault`, which names `what`.
 */
void smp_begin(const struct smp_job *jobs, unsigned n);
bool smp_finish(const struct smp_job *jobs, unsigned n, uint32_t ms, const char *what);

/* Both in one, with the boot CPU's own job in between: for code that is known to return. */
bool smp_run(const struct smp_job *jobs, unsigned n, uint32_t ms, const char *what);

/*
 * Runs fn on each CPU that is ready but the boot CPU, one after the other. `arg` is NULL where the
 * core is of another kind than the boot CPU's, so that it may lack registers. From then on they
 * wait in HLT: the next run uses their memory, and a store there would end MWAIT.
 */
void smp_everywhere(void (*fn)(void *arg));

/* On any CPU but the boot CPU, at the end: puts back the registers that its start has set. */
void smp_put_back(void);

/*
 * Ends the other CPUs by INIT (SDM 3A 9.4): they wait for the next start, and the memory that they
 * used may be given away. False: they came by the firmware's mailbox, which is used up, and stay.
 */
bool smp_stop(void);

/*
 * Code at CPL 3 on other CPUs than the first: each of the next functions is for the CPU that calls,
 * within its work. A trap of such code ends the work as any trap does.
 *
 * INT from CPL 3 goes on at `from_init` or `from_body`, at CPL 0, as platform_ring3_return() has
 * it.
 */
void smp_ring3_return(const void *from_init, const void *from_body);

/* Turns to the view, and back. */
void smp_usermode_enter(const struct usermode_view *v);
void smp_usermode_leave(void);

/* On the boot CPU, before: what these CPUs need to be closed in the view. False: no memory. */
bool smp_usermode_view(struct usermode_view *v);

/*
 * A place where `n` CPUs wait for each other; any number of times. Begins as { .n = n, .patience =
 * TSC ticks }. One that does not come within that time breaks it, and so does a trap of any CPU.
 */
struct smp_barrier {
	uint64_t patience;
	uint32_t n;
	volatile uint32_t arrived, generation, broken;
} __attribute__((aligned(64)));

/* False: it is broken, now and ever after. All leave within some tens of clocks otherwise. */
bool smp_barrier(struct smp_barrier *b);

/* Has any CPU had a trap since smp_begin()? Then no CPU waits at a barrier any more. */
bool smp_failed(void);

/* TSC ticks that CPUs wait for each other. */
uint64_t smp_patience(void);

/* Adds 1 to *v with a locked access, and returns the new value. */
static inline uint32_t smp_count_up(volatile uint32_t *v)
{
	uint32_t old = 1;

	asm volatile("lock xaddl %0, %1" : "+r"(old), "+m"(*v) : : "memory", "cc");
	return old + 1;
}

/*
 * After the work: CPUs that were silent and have come since are told in `cpu_entry` records with
 * state=late.
 */
void smp_find_late(void);

#endif
