/*
 * sim/machine.h - the simulated PC: processors, memory, devices, and what they share.
 *
 * Time: every processor counts its own core clocks since power-on. Devices have no clock of their
 * own: whatever they show is computed from the clock of the processor that looks at them, so a run
 * depends on its input only, never on the host.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <unicorn/unicorn.h>

#include "sim/cpu/apic.h"
#include "sim/timing/cache.h"
#include "sim/cpu/decode.h"
#include "sim/pc/devices.h"
#include "sim/model/models.h"
#include "sim/timing/p5.h"
#include "sim/pmu/pmu.h"
#include "sim/pmu/signal.h"

enum { MAX_CPUS = 4, MAX_MODULES = 16 };

#define NEVER UINT64_MAX

/* MSRs that only hold what is written (msr.c); the others live where they act. */
enum msr_slot {
	M_NONE,
	M_TR12,
	M_EBL_CR_POWERON,
	M_FEATURE_CONTROL,
	M_BIOS_SIGN,
	M_MCG_STATUS,
	M_PERF_CTL,
	M_POWER_CTL,
	M_PM_ENABLE,
	M_HWP_REQUEST,
	M_CLOCK_MODULATION,
	M_THERM_INTERRUPT,
	M_THERM_STATUS,
	M_PACKAGE_THERM,
	M_MISC_ENABLE,
	M_MISC_FEATURES,
	M_ENERGY_BIAS,
	M_DEBUGCTL,
	M_PAT,
	M_MTRR_DEF,
	M_MTRR,                   /* 16 variable registers */
	M_MTRR_FIX = M_MTRR + 16, /* 11 fixed ones */
	M_TSC_AUX = M_MTRR_FIX + 11,
	M_SYSCFG,
	M_HWCR,
	M_PSTATE,
	M_PSTATE_DEF,                /* 8 */
	M_LS_CFG = M_PSTATE_DEF + 8, /* 3 */
	M_DE_CFG = M_LS_CFG + 3,
	M_NB_CFG,
	MSR_COUNT
};

/* The start of Unicorn's copy of its CPU state; engine.c checks at run time that it fits. */
struct seg_image {
	uint32_t selector;
	uint32_t pad;
	uint64_t base;
	uint32_t limit;
	uint32_t flags; /* high half of the descriptor */
};

struct cpu_image {
	uint64_t reg[16]; /* AX CX DX BX SP BP SI DI R8..R15 */
	uint64_t rip;
	uint64_t eflags; /* without the arithmetic flags and DF */
	uint64_t cc[3];
	uint32_t cc_op;
	int32_t df;
	uint32_t hflags;
	uint32_t hflags2;
	struct seg_image seg[6]; /* ES CS SS DS FS GS */
	struct seg_image ldt, tr, gdt, idt;
	uint64_t cr[5];
};

enum { SEG_ES, SEG_CS, SEG_SS, SEG_DS, SEG_FS, SEG_GS };
enum { REG_AX, REG_CX, REG_DX, REG_BX, REG_SP, REG_BP, REG_SI, REG_DI };

enum cpu_run { CPU_RUNNING, CPU_HALTED, CPU_WAIT_SIPI, CPU_SHUTDOWN };

/* Data accesses of the instruction in flight, joined to whole operands. */
enum { CPU_ACCESSES = 16 };

struct mem_access {
	uint64_t linear;
	uint32_t size;
	bool write;
};

struct machine;

struct cpu {
	struct machine *pc;
	unsigned id;
	uint32_t apic_id;
	enum cpu_run run;

	uc_engine *uc;
	uc_context *context;
	struct cpu_image *image; /* inside context */
	void *engine_state;      /* what the library calls this processor; NULL: not seen yet */
	uint64_t resume;         /* IP (offset, not linear) for the next uc_emu_start */
	bool stopped;            /* resume is valid */

	/* what the last control transfer or system instruction left behind */
	uint8_t mode; /* code size: 16, 32, 64 */
	uint8_t cpl;
	bool paging, long_mode, int_flag, trap_flag;
	uint64_t cs_base;
	uint64_t cr0, cr3, cr4, efer;

	/* time, core clocks */
	uint64_t clock;    /* since power-on */
	uint64_t deadline; /* clock at which something outside wants to be looked at */
	uint64_t slice_end;
	uint64_t tsc_offset; /* added to the clock */
	uint64_t halted_clocks;
	uint64_t wake_at; /* clock at which the last thing for this CPU was sent */
	uint64_t retired;
	uint32_t stall; /* clocks the instruction in flight has lost so far */

	/* instruction in flight */
	struct insn *insn; /* NULL: none */
	uint64_t insn_at;
	uint64_t rep_start; /* count register when a REP instruction began */
	uint64_t rep_mask;
	uint64_t rep_done; /* iterations, set at retirement */
	struct mem_access access[CPU_ACCESSES];
	unsigned accesses;
	bool collect; /* somebody looks at the step */
	struct sim_step step;
	uint64_t regs_before[18]; /* of the instruction in flight, when the PMU wants them */
	struct p5_dyn p5_dyn;
	struct p5_result p5_result;
	bool mmx_state; /* last of x87 and MMX was MMX */
	bool x87_state;

	/* fetch */
	uint64_t fetch_page; /* linear, NEVER: none */
	uint64_t fetch_phys;
	struct code_page *code;
	uint64_t fetch_line;

	uint64_t write_page, write_phys; /* of the last store; NEVER: none */

	/* pending */
	bool attention; /* interrupt(), not only the deadline, must run at the next boundary */
	bool shadow;    /* after STI, MOV SS, POP SS */
	bool nmi, nmi_blocked, smi;
	bool extint; /* a message that asks for the 8259's vector; it stays if the request goes */
	bool init, sipi;
	bool trap; /* single step of an instruction that the simulator did itself */
	uint8_t sipi_vector;
	unsigned fault_depth;

	struct apic apic;
	struct hierarchy mem;
	struct predictor predict;
	struct p5_pipe p5;
	struct sim_pmu *pmu;
	uint64_t msr[MSR_COUNT];
	uint64_t dr[8]; /* hold what is written; breakpoints are not modelled */
	uint32_t smi_count;
	uint64_t fault_next; /* instruction number at which --fault strikes next */
};

/* The register is not there; writing it is #GP; it stays what it is. */
enum msr_fault { MSR_FAULT_NONE, MSR_FAULT_GP, MSR_FAULT_LOCKED, MSR_FAULT_DEAF };

/* What --fault asked for. */
struct faults {
	uint64_t smi_every;  /* instructions; 0 = never */
	uint64_t smi_clocks; /* clocks that one takes */
	uint64_t nmi_at;     /* instruction number, 0 = never */
	enum sim_pmu_fault pmu;
	bool pmu_set;
	enum uart_fault uart;
	uint64_t uart_drop; /* number of the transmitted byte to lose, from 1 */
	unsigned memory;    /* enum memory_map */
	bool hypervisor;
	bool extint;  /* an I/O APIC sends the 8259's interrupts to the first processor */
	uint32_t msr; /* a register that is out of order */
	enum msr_fault msr_fault;
};

enum memory_map { MAP_NORMAL, MAP_NONE, MAP_HOLES, MAP_UNSORTED, MAP_TINY, MAP_OVERLAP };

struct module {
	const char *path;
	const char *args;
};

struct options {
	const struct model *model;
	unsigned cpus;
	unsigned memory_mb;
	const char *kernel;
	char *command_line; /* after the kernel's name; owned */
	struct module modules[MAX_MODULES];
	unsigned modules_count;
	const char *log;
	const char *trace;
	uint64_t trace_from, trace_count;
	bool stats;
	bool flat; /* one clock an instruction, whatever happens */
	bool no_acpi;
	unsigned multiboot; /* 1 or 2; 0: whichever header there is, 1 first */
	uint64_t max_instructions;
	uint64_t slice;    /* clocks a CPU runs before the next one has its turn */
	const char *input; /* file that arrives on the serial port */
	bool serial_real;  /* a byte takes the time that the divisor says */
	struct faults faults;
	struct {
		unsigned width, height; /* pixels; 0: VGA text */
		uint64_t address;
		const char *dump; /* file for the picture at the end */
	} screen;
};

enum run_end {
	END_NONE,
	END_HALT,        /* all processors halted for good */
	END_SHUTDOWN,    /* triple fault */
	END_EXIT,        /* debug-exit port */
	END_POWEROFF,    /* ACPI, Bochs shutdown port */
	END_RESET,       /* keyboard controller, port 92h, CF9h */
	END_LIMIT,       /* --max-instructions */
	END_UNSUPPORTED, /* the guest did what this PC cannot */
};

struct machine {
	struct options opt;
	const struct model *model;
	struct cpu cpu[MAX_CPUS];
	unsigned cpus;
	struct cpu *current; /* the one that executes */

	uint8_t *ram;
	uint64_t ram_size;
	uint8_t *screen;               /* pixels of --screen; NULL: none, or they lie in RAM */
	struct code_page **code_pages; /* by physical page */
	struct insn_pool *insns;

	struct cache *shared; /* last-level cache, when the CPUs share it */
	struct devices dev;
	struct output *out;

	enum run_end end;
	int exit_code; /* of the debug-exit port */
	char why[160]; /* of `end` */
	uint64_t retired;
	uint64_t steps; /* retired instructions and delivered events: bounds every run */
	struct trace *trace;
};

/* machine.c */
bool machine_init(struct machine *pc, const struct options *opt);
void machine_run(struct machine *pc);
void machine_free(struct machine *pc);
/* The first reason given stays. */
void machine_end(struct machine *pc, enum run_end end, const char *why, ...)
	__attribute__((format(printf, 3, 4)));
/* Sends what it takes to a processor; `at` is the clock of the sender. */
void machine_wake(struct machine *pc, struct cpu *cpu);

/* FLAGS IP AX BX CX DX SI DI BP SP R8..R15 of a struct cpu; IP is that of its step. */
void machine_regs(void *cpu, uint64_t regs[18]);

/* engine.c */
bool engine_open(struct cpu *cpu);
void engine_close(struct cpu *cpu);
/* 32-bit protected mode, flat, paging off: the multiboot entry state. */
void engine_flat32(struct cpu *cpu, uint32_t entry);
/* Real mode at vector * 1000h, as after a start-up IPI. */
void engine_real(struct cpu *cpu, uint8_t vector);
/* Copies the engine's state to cpu->image and the mode fields of cpu. */
void engine_load(struct cpu *cpu);
/* Writes cpu->image back; the engine's hidden double-fault state is cleared too. */
void engine_store(struct cpu *cpu);
uint32_t engine_error_code(const struct cpu *cpu);
uint64_t engine_flags(const struct cpu *cpu);
/* Continues at this IP (an offset) with these flags; from inside a hook. */
void engine_jump(struct cpu *cpu, uint64_t ip);
void engine_set_flags(struct cpu *cpu, uint64_t flags);
uint64_t engine_reg(const struct cpu *cpu, unsigned reg);
void engine_set_reg(struct cpu *cpu, unsigned reg, uint64_t value);
/* Forgets translated code of this physical range, in every engine but one; NULL: in all. */
void engine_forget(struct machine *pc, uint64_t physical, uint64_t size, const struct cpu *but);
bool engine_msr_read(const struct cpu *cpu, uint32_t msr, uint64_t *value);
bool engine_msr_write(const struct cpu *cpu, uint32_t msr, uint64_t value);
/* Rebuilds the engine's copy of CS, SS and the privilege level after a change of them. */
void engine_set_segment(struct cpu *cpu, unsigned seg, uint32_t selector, uint64_t descriptor);

/* engine_mmu.c */
/* Before the first engine executes anything. False: no memory. */
bool engine_mmu_open(const struct machine *pc);
/* The processor whose page tables count; NULL: linear addresses are physical. */
void engine_mmu_run(struct cpu *cpu);
/* Other page tables, without anything left of the old ones; writing the engine's CR3 keeps its TLB. */
void engine_mmu_set_tables(struct cpu *cpu, uint64_t cr3);
/* Whether the engine has asked for translations yet. */
bool engine_mmu_works(void);

/* memory.c */
enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_CODE };
struct page {
	uint64_t linear, physical; /* of its first byte */
	uint64_t size;             /* 4K, 2M, 4M or 1G */
	bool writable;             /* by what has to ask: CPL 3, and all with CR0.WP */
};
/* Page walk without permission checks. False: not present. */
bool memory_translate(const struct cpu *cpu, uint64_t linear, struct page *page);
bool memory_read(struct cpu *cpu, uint64_t linear, void *to, size_t size);
/* As CPL 0 does; nothing is written if a page of it may not be. */
bool memory_write(struct cpu *cpu, uint64_t linear, const void *from, size_t size);
/*
 * Why memory_write() failed for words that were pushed, the last one to `linear`: where the first push was
 * not allowed, and the error code of that #PF.
 */
uint64_t memory_push_fault(struct cpu *cpu, uint64_t linear, size_t size, size_t word,
                           uint32_t *error);
/* RAM by physical address; NULL when any of it is outside. */
void *memory_ram(const struct machine *pc, uint64_t physical, uint64_t size);
/* Tells every decoder that RAM changed. */
void memory_changed(struct machine *pc, uint64_t physical, uint64_t size, const struct cpu *by);

/* execute.c */
bool execute_hook(struct cpu *cpu);
void execute_slice(struct cpu *cpu);
/* A step that is no instruction: an interrupt or exception delivered from linear address `from`. */
void execute_event(struct cpu *cpu, bool hardware, uint64_t from);
/* Something would interrupt (or wake) this CPU now. */
bool execute_wants(const struct cpu *cpu);
/* The page tables are others. */
void execute_flush_tlbs(struct cpu *cpu);
/* Works out cpu->deadline anew. */
void execute_deadline(struct cpu *cpu);

/* system.c: instructions that the simulator does itself */
enum outcome { DONE, FAULTED, STOP, NATIVE };
enum outcome system_execute(struct cpu *cpu, struct insn *insn, uint64_t at);
/* Brings the line of an address into the caches, without counting an access. */
void execute_prefetch(struct cpu *cpu, uint64_t linear);
/* Linear address of a memory operand of the instruction in flight; false: it has none. */
bool system_operand(struct cpu *cpu, uint64_t at, uint64_t *linear);

/* interrupt.c */
enum {
	VEC_DE = 0,
	VEC_DB,
	VEC_NMI,
	VEC_BP,
	VEC_OF,
	VEC_UD = 6,
	VEC_NM,
	VEC_DF,
	VEC_TS = 10,
	VEC_NP,
	VEC_SS,
	VEC_GP,
	VEC_PF,
	VEC_MF = 16,
	VEC_AC,
	VEC_MC,
	VEC_XM
};
enum interrupt_kind { INT_FAULT, INT_SOFTWARE, INT_HARDWARE };
/*
 * Delivers at linear address `at` (what the frame will hold). False: it became another exception.
 * A triple fault ends the run.
 */
bool interrupt_deliver(struct cpu *cpu, unsigned vector, enum interrupt_kind kind, uint32_t error,
                       uint64_t at);
/*
 * IRET with NT set: back to the task that the current one was called from; `next` is the linear address
 * behind the IRET. False: an exception instead.
 */
bool interrupt_task_return(struct cpu *cpu, uint64_t next, unsigned *vector, uint32_t *error);

/* cpuid.c, msr.c */
void cpuid_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4]);
/* One CPUID feature bit of the model, before the OS sees it. */
bool cpuid_bit(const struct model *model, uint32_t leaf, uint32_t subleaf, unsigned reg,
               unsigned bit);
void msr_reset(struct cpu *cpu);
bool msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value);
bool msr_write(struct cpu *cpu, uint32_t msr, uint64_t value);
/* The registers that do not hold what they held at reset. */
void msr_print_changed(struct cpu *cpu, FILE *out);
uint64_t tsc_now(const struct cpu *cpu);

/* loader.c */
struct loaded {
	uint32_t entry, magic, info;
};
bool loader_load(struct machine *pc, struct loaded *out, char *error, size_t size);

/* screen.c: the framebuffer of --screen */
bool screen_init(struct machine *pc);
/* Bytes of address space that it takes. */
uint64_t screen_size(const struct machine *pc);
/* Makes it visible to a processor. */
bool screen_attach(struct cpu *cpu);
/* Writes the picture to the file that --screenshot names; false: it cannot. */
bool screen_dump(const struct machine *pc);
void screen_free(struct machine *pc);

/* acpi.c: writes the tables to the BIOS area and returns the address of the RSDP. */
uint32_t acpi_build(struct machine *pc);

#endif
