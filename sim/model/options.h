/*
 * sim/model/options.h - what the command line asked for: the model, the kernel, the faults.
 */
#ifndef SIM_MODEL_OPTIONS_H
#define SIM_MODEL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model/cache_words.h"
#include "sim/model/guest_words.h"
#include "sim/model/models.h"
#include "sim/model/structure_words.h"
#include "sim/pmu/pmu.h"

enum { MAX_CPUS = 4, MAX_MODULES = 16, MAX_FW_CFG = 8, MAX_CPUID = 8, MAX_MSR = 8 };

/* ABSENT: reads as ones. STUCK: never ready. DROP: loses one byte (uart_drop). */
enum uart_fault { UART_OK, UART_ABSENT, UART_STUCK, UART_DROP };

/*
 * How one MSR is out of order. GP: the register does not exist. LOCKED: a write is #GP.
 * DEAF: a write is ignored. ZERO: it holds 0 at the start. DEAD: both.
 */
enum msr_fault {
	MSR_FAULT_NONE,
	MSR_FAULT_GP,
	MSR_FAULT_LOCKED,
	MSR_FAULT_DEAF,
	MSR_FAULT_ZERO,
	MSR_FAULT_DEAD,
};

/*
 * X2: firmware has switched to x2APIC mode, where the model has it (not a fault, but a world).
 * SMI: firmware gets the overflow interrupt of the counters, as an SMI.
 * 11AP: a write to the local APIC that follows another without a read in between is lost (erratum
 * 11AP of the P54C). PHANTOM: CPUID announces an APIC, but nothing answers (AMD K5, model 0). 1AP:
 * an access to the APIC through a page that may be cached shuts the CPU down (Pentium Pro). AF46:
 * masking an LVT entry still sends its vector once (Core Duo).
 */
enum apic_fault {
	APIC_FAULT_NONE,
	APIC_FAULT_11AP,
	APIC_FAULT_PHANTOM,
	APIC_FAULT_X2,
	APIC_FAULT_SMI,
	APIC_FAULT_1AP,
	APIC_FAULT_AF46,
};

/*
 * What is odd about the other processors and the tables that list them. Tables: MP has no MADT but
 * MP tables, MADT no MP tables but a MADT, GARBAGE has damaged ones of both kinds, TWICE lists
 * each processor by two entries, ALIEN has a MADT without the processor that boots beside good MP
 * tables, WIDE lists one more, with an x2APIC id of 300. The last processor: SILENT never starts,
 * LATE starts half a second late. All but the first: BUSY begins an endless loop of the firmware
 * at the first write to port 80h, MAILBOX waits in 64-bit mode for the ACPI mailbox. MTRR: the last
 * one's memory types are those of reset. STALE: the firmware left lines in caches that it switched
 * off. DROWSY: the last one's TSC stands still while it sleeps. FAR: all but the first have APIC
 * ids from 301 on.
 */
enum cpus_fault {
	CPUS_OK,
	CPUS_MP,
	CPUS_MADT,
	CPUS_GARBAGE,
	CPUS_TWICE,
	CPUS_ALIEN,
	CPUS_WIDE,
	CPUS_SILENT,
	CPUS_LATE,
	CPUS_BUSY,
	CPUS_MAILBOX,
	CPUS_MTRR,
	CPUS_STALE,
	CPUS_DROWSY,
	CPUS_FAR,
};

/*
 * The memory map of the boot loader. NONE: no lines. HOLES: a hole in the middle of RAM and a
 * shorter low part. UNSORTED: not in order, with an empty line. TINY: 7 MiB above 1 MiB at most.
 * OVERLAP: a reserved line inside of RAM, and a line beyond 64 bits.
 */
enum memory_map { MAP_NORMAL, MAP_NONE, MAP_HOLES, MAP_UNSORTED, MAP_TINY, MAP_OVERLAP };

/* What --fault asked for (sim/README.md). */
struct faults {
	uint64_t smi_every;  /* instructions between two SMIs; 0: no SMI */
	uint64_t smi_clocks; /* clocks that one SMI takes */
	uint32_t smi_msr;    /* register of the PMU that each SMI writes; 0: none */
	uint64_t smi_value;  /* what it writes */
	uint64_t smi_after;  /* instructions from some of the guest's writes of smi_msr to an SMI */
	uint64_t nmi_at;     /* an NMI follows the instruction of this number; 0: no NMI */
	enum sim_pmu_fault pmu;
	uint64_t pmu_value;
	bool pmu_set;
	struct sim_lie lie[SIM_LIES_MAX];
	unsigned lies;
	enum uart_fault uart;
	uint64_t uart_drop; /* number of the transmitted byte that is lost, from 1 */
	enum memory_map memory;
	enum cpus_fault cpus;
	bool hypervisor;
	struct guest_words guest; /* of a hypervisor, which then is there, too */
	bool hide_simulator;      /* CPUID does not tell that this is a simulator */
	bool no_pit;              /* the ports of the 8254 answer with ones */
	bool extint;  /* an I/O APIC sends the 8259's interrupts to the first processor */
	uint32_t msr; /* the register that is out of order */
	enum msr_fault msr_fault;
	enum apic_fault apic;
	bool l1_write_through; /* each store goes to the bus, and no line is exclusive (P5) */
	bool pm_glitch;        /* now and then the PM timer reads mixed bits (PIIX4) */
	bool la57;             /* the loader left CR4.LA57 set: five levels in long mode */
	bool invlpg_all;       /* INVLPG empties the TLBs, as the manual allows */
	bool walk_levels;      /* a walk takes its clocks for each entry of the tables it reads */
	bool spcr_memory;      /* the table of the serial port names memory: */
	uint64_t spcr_address;
	bool spurious; /* masking an LVT entry sends vector 15 (erratum 5AP of the Pentium Pro) */
};

/* What CPUID says instead of the model's, in one register of one leaf. */
struct told_cpuid {
	uint32_t leaf, subleaf;
	unsigned reg; /* 0 EAX .. 3 EDX */
	uint32_t value;
};

/* A register that the model has instead of its own, or beside them. */
struct more_msr {
	uint32_t msr;
	uint64_t value, writable;
};

struct module {
	const char *path;
	const char *args;
};

struct options {
	const struct model *model;
	const struct model *other; /* of the second half of the processors; NULL: the same */
	unsigned cpus;
	unsigned threads; /* of one core, for models whose threads have counters of their own */
	unsigned memory_mb;
	uint32_t last_level_kb; /* 0: as the model has it */
	struct cache_words caches[CACHE_WORDS];
	const char *cache_why; /* what is wrong with a --cache */
	struct structure_words structures;
	const char *structure_why; /* what is wrong with a --structure */
	const char *kernel;
	char *command_line; /* after the kernel's name; malloc'ed, main() frees it */
	struct module modules[MAX_MODULES];
	unsigned modules_count;
	struct {
		const char *name; /* that the guest sees */
		const char *path;
	} fw_cfg[MAX_FW_CFG];
	unsigned fw_cfg_count; /* 0: there is no such device */
	struct told_cpuid cpuid[MAX_CPUID];
	unsigned cpuid_count;
	struct more_msr msr[MAX_MSR];
	unsigned msr_count;
	bool hpet;
	const char *log;   /* copy of the serial output; NULL: none */
	const char *trace; /* NULL: no trace; "-": standard error */
	uint64_t trace_from, trace_count;
	uint64_t trace_cpl; /* bit n: what runs at CPL n; 0: all */
	bool stats;
	bool flat; /* every instruction takes one clock */
	bool no_acpi;
	unsigned multiboot; /* 1 or 2: the header to use; 0: header 1 if there is one, else 2 */
	uint64_t max_instructions;
	uint64_t translations; /* instructions translated before all are dropped; at least 1000 */
	unsigned max_seconds;  /* of the host; 0: no limit */
	bool pmi_latency_set;  /* instead of the model's: */
	uint64_t pmi_latency;  /* clocks from a counter's overflow to its interrupt */
	unsigned clock_mhz;    /* of the TSC and the core; 0: the model's */
	uint64_t slice;        /* clocks that a processor runs before the next one has its turn */
	const char *input;     /* file whose bytes arrive on the serial port; NULL: none */
	bool wait_for_input;   /* a guest that looks for keys in vain does not end the run */
	const char *typed;     /* characters to type at the serial line; NULL: none */
	bool serial_real;      /* a byte takes the time that the UART's divisor says */
	struct faults faults;
	struct {
		unsigned width, height; /* pixels; 0: VGA text */
		uint64_t address;       /* physical */
		const char *dump;       /* file for the picture at the end; NULL: none */
	} screen;
};

#endif
