/*
 * sim/cpu/machine.h - what the processors of one machine share: memory, the bus, the end of the
 * run.
 */
#ifndef SIM_CPU_MACHINE_H
#define SIM_CPU_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/cpu/cpu.h"
#include "sim/model/models.h"
#include "sim/model/options.h"

struct code_page;
struct devices;
struct insn_pool;
struct machine;
struct output;
struct trace;

/*
 * How a processor reaches the devices, which lie above it (sim/pc/devices.c fills it in). Every
 * device acts at the clock of pc->current.
 */
struct bus {
	/* size: 1, 2 or 4 bytes */
	uint32_t (*read)(struct machine *pc, uint16_t port, unsigned size);
	void (*write)(struct machine *pc, uint16_t port, unsigned size, uint32_t value);
	/* Memory that is not RAM, below the local APIC. Where no device is it reads as ones. */
	uint32_t (*memory_read)(struct machine *pc, uint64_t physical, unsigned size);
	void (*memory_write)(struct machine *pc, uint64_t physical, unsigned size, uint32_t value);
	/* A local APIC has ended a level-triggered interrupt. */
	void (*end_of_interrupt)(struct machine *pc, uint8_t vector);
	/* What a device does may reach a local APIC as a message, be it `any` or one like NMI. */
	bool (*sends)(const struct machine *pc, bool any);
	/* The 8259's interrupt line, and the vector that an acknowledge cycle gets. */
	bool (*interrupt)(const struct machine *pc);
	uint8_t (*acknowledge)(struct machine *pc);
	/* Brings every device to the clock of the running processor. */
	void (*update)(struct machine *pc);
	/* The clock at which a device next does something on its own; NEVER: it does nothing. */
	uint64_t (*next)(const struct machine *pc);
};

/* Most models in one machine: the first processors', and those of --other. */
enum { KINDS = 2 };

/* Where RAM goes on that does not fit below the devices. */
#define MACHINE_HIGH (1ull << 32)

enum run_end {
	END_NONE,
	END_HALT,        /* all processors halted for good */
	END_SHUTDOWN,    /* triple fault */
	END_EXIT,        /* debug-exit port */
	END_POWEROFF,    /* ACPI, Bochs shutdown port */
	END_RESET,       /* keyboard controller, port 92h, CF9h */
	END_IDLE,        /* waits for keys, and none are left to type */
	END_LIMIT,       /* --max-instructions */
	END_SIGNAL,      /* SIGINT, SIGTERM, or --max-seconds */
	END_LOCKED,      /* a processor holds the bus and waits for ever */
	END_UNSUPPORTED, /* the guest did what this PC cannot */
};

struct machine {
	struct options opt;
	const struct model *model;        /* of the first processor; its TSC is that of all */
	struct core_machine *core[KINDS]; /* of each model; NULL: its clocks come from elsewhere */
	struct cpu cpu[MAX_CPUS];
	unsigned cpus;
	unsigned threads;    /* processors that are threads of one core: 1 or 2 */
	struct cpu *current; /* the processor that executes */
	unsigned monitors;   /* processors whose MONITOR has armed a line */

	uint8_t *ram;          /* by physical address; what no RAM is at is never touched */
	uint64_t ram_size;     /* bytes from address 0 on */
	uint64_t ram_high;     /* bytes from 4 GiB on */
	uint64_t ram_end;      /* behind the last byte of RAM */
	uint8_t *screen;       /* pixels of --screen; NULL: none, or they lie in RAM */
	uint64_t screen_size;  /* bytes of address space that they take */
	uint64_t devices_from; /* physical: from here to MACHINE_HIGH devices answer, or nothing */
	/* What a model has decoded, by physical page; NULL: nothing there. */
	struct code_page **code_pages[KINDS];
	struct insn_pool *insns;

	struct devices *dev;
	const struct bus *bus;
	struct output *out;

	volatile int signal; /* of the host, that asks for an end; 0: none */
	enum run_end end;
	int exit_code;        /* of the debug-exit port */
	char why[160];        /* why the run ended, for people */
	char unsupported[40]; /* the first undefined instruction that the real part has; "": none */
	const char *cannot;   /* what of a real PC the guest asked for first and this one lacks */
	uint64_t steps;       /* retired instructions and delivered events; they bound every run */
	struct trace *trace;
};

/* Ends the run if a signal of the host asked for it, or at the limit of instructions. */
void machine_check_limits(struct machine *pc);

/* Ends the run after the step in flight. The first reason given stays. */
void machine_end(struct machine *pc, enum run_end end, const char *why, ...)
	__attribute__((format(printf, 3, 4)));

/* The guest asks for what this PC cannot do. The end of the run names the first such thing. */
void machine_cannot(struct machine *pc, const char *what);

/*
 * Makes a processor look at its interrupts at the next boundary, and ends its HLT. The clock of
 * pc->current is that of the sender. cpu NULL: every processor.
 */
void machine_wake(struct machine *pc, struct cpu *cpu);

/* Thread 0 of the core of which this processor is thread 1; NULL: it is thread 0 itself. */
struct cpu *machine_first_thread(const struct cpu *cpu);

/* Is this the physical address of a byte of RAM? */
static inline bool machine_has(const struct machine *pc, uint64_t physical)
{
	return physical < pc->ram_size || physical - MACHINE_HIGH < pc->ram_high;
}

/* RAM by physical address; NULL when any of the range lies outside. */
void *machine_ram(const struct machine *pc, uint64_t physical, uint64_t size);

#endif
