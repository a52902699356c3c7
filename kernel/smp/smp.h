/*
 * The other CPUs: found, started, given work, and parked again.
 *
 * Before smp_start() no other CPU is touched. A started CPU waits in MWAIT or HLT, with all
 * interrupts masked except the interrupt that wakes it. It has its own stack, GDT, TSS and trap
 * entries. The boot CPU sees each failure: a CPU may stay silent, fault, or not return from its
 * work. INIT then restarts the CPU.
 *
 * CPUs are numbered from 0 here; number 0 is the boot CPU. A function is for the boot CPU alone
 * unless its comment names other CPUs.
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
	SMP_SILENT,      /* does not answer INIT and start-up IPI */
	SMP_LATE,        /* answered after the end of the wait: not used */
	SMP_UNREACHABLE, /* its APIC id is above 254 and the APICs are not in x2APIC mode */
	SMP_NO_MEMORY,
	SMP_LOST, /* did not return from its work, and INIT did not restart it */
};

/* How the work of a CPU ended. SMP_TIMEOUT: it did not end in time, or the CPU was not ready. */
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
	 * Its time stamp counter less that of the boot CPU at the same moment, and the largest
	 * error of this offset, both in ticks: half of the shortest round trip. tsc_error 0: CPU 0,
	 * or a CPU that did not answer in time.
	 */
	int64_t tsc_offset;
	uint64_t tsc_error;
	/*
	 * Change of that offset while both CPUs slept, in ticks; 0: not more than the errors. If it
	 * is not 0, the offset was valid for a moment only.
	 */
	int64_t tsc_drift;
	enum smp_end end; /* of its last work */
	struct smp_fault fault;
};

struct smp_setup {
	const struct cpu *cpu; /* the boot CPU */
	const struct acpi *acpi;
	const struct bootinfo *bi;
	uint64_t tsc_hz;             /* 0: unknown; waits then assume 1 GHz */
	void *(*alloc)(size_t size); /* gives zeroed memory or NULL */
};

/*
 * Sets the description of the machine for smp_start(), and forgets all CPUs. Accesses no hardware.
 */
void smp_setup(const struct smp_setup *setup);

/*
 * Finds and starts all CPUs, and measures the offsets of their time stamp counters. Prints a `cpus`
 * record and a `cpu_entry` record for each. Returns the number of known CPUs, including those that
 * did not start; 1 if there is no other CPU, and then the `cpus` record has the reason. A second
 * call only returns the number.
 */
unsigned smp_start(void);

/*
 * After smp_start(), for a run that needs all CPUs or lacks some: prints an `error` record, once a
 * run, if the firmware lists CPUs that are not ready. A firmware that lists no other CPU is no
 * error.
 */
void smp_complain(void);

/* CPU number i below smp_count(). */
const struct smp_cpu *smp_cpu(unsigned i);
unsigned smp_count(void);

/* Are the two CPUs threads of one core? Are their cores of one kind? */
bool smp_same_core(unsigned a, unsigned b);
bool smp_same_kind(unsigned a, unsigned b);

/*
 * On any CPU: a number that changes whenever the host's scheduler takes CPU i away or gives it
 * back, in a KVM guest that is told so (kernel/cpu/steal.h); else 0.
 */
uint32_t smp_stolen(unsigned i);

/* One piece of work. `fn` runs with interrupts off, on a stack of 8 KiB. */
struct smp_job {
	unsigned cpu; /* number */
	void (*fn)(void *arg);
	void *arg;
	const char *what; /* name in the record of a failure; NULL: that of smp_finish() */
};

/*
 * smp_begin() starts the jobs of jobs[0..n), except that of the boot CPU, which the caller runs.
 * Then smp_finish() waits in HLT until all jobs have ended or `ms` milliseconds (0: smp_patience())
 * have passed, and restarts the CPUs whose jobs did not end. It returns true if all jobs ended
 * well; smp_cpu()->end and ->fault have the outcome of each. A CPU that faulted or did not end also
 * gets a `cpu_fault` record, which names `what`.
 */
void smp_begin(const struct smp_job *jobs, unsigned n);
bool smp_finish(const struct smp_job *jobs, unsigned n, uint32_t ms, const char *what);

/* smp_begin(), the boot CPU's job, smp_finish(): for code that always returns. */
bool smp_run(const struct smp_job *jobs, unsigned n, uint32_t ms, const char *what);

/*
 * Runs fn on each ready or late CPU except the boot CPU, one after the other. `arg` is NULL on a
 * core of another kind than the boot CPU's, which may lack registers, and else not NULL. From then
 * on the CPUs wait in HLT: the next run uses their memory, and a store there would end MWAIT.
 */
void smp_everywhere(void (*fn)(void *arg));

/* On any CPU except the boot CPU, at the end: puts back the registers that its start has set. */
void smp_put_back(void);

/*
 * Stops the other CPUs by INIT (SDM 3A 9.4). They wait for the next start, and their memory is
 * free. False: the firmware's mailbox started them, and works only once, so they keep running.
 */
bool smp_stop(void);

/*
 * Code at CPL 3 on other CPUs than the first: the next functions act on the calling CPU, within its
 * work. A trap of such code ends the work as any trap does.
 *
 * INT from CPL 3 continues at `from_init` or `from_body`, at CPL 0, as in platform_ring3_return().
 */
void smp_ring3_return(const void *from_init, const void *from_body);

/* Switch to the address space of the view, and back. */
void smp_usermode_enter(const struct usermode_view *v);
void smp_usermode_leave(void);

/*
 * On the boot CPU, before the others use the view: on a Pentium, makes their IDT read-only, so that
 * the instruction F0 0F C7 C8 does not lock up the CPU (Intel, "Invalid Instruction Erratum").
 * False: no memory.
 */
bool smp_usermode_view(struct usermode_view *v);

/*
 * A place where `n` CPUs wait for each other; any number of times. Begins as { .n = n, .patience =
 * TSC ticks }. A CPU that does not come within that time breaks it, and so does a trap of any CPU.
 */
struct smp_barrier {
	uint64_t patience;
	uint32_t n;
	volatile uint32_t arrived, generation, broken;
} __attribute__((aligned(64)));

/*
 * On any CPU: waits. True: all CPUs have come, and leave within some tens of clocks. False: the
 * barrier is broken for ever, or a CPU had a trap.
 */
bool smp_barrier(struct smp_barrier *b);

/* On any CPU: had a CPU except the boot CPU a trap since smp_begin()? It ends all barriers. */
bool smp_failed(void);

/* On any CPU: the longest time that CPUs wait for each other, in ticks of the TSC. */
uint64_t smp_patience(void);

/* On any CPU: adds 1 to *v with a locked access, and returns the new value. */
static inline uint32_t smp_count_up(volatile uint32_t *v)
{
	uint32_t old = 1;

	asm volatile("lock xaddl %0, %1" : "+r"(old), "+m"(*v) : : "memory", "cc");
	return old + 1;
}

/*
 * After the work: prints `cpu_entry` records with state=late for silent CPUs that have come since.
 */
void smp_find_late(void);

#endif
