/*
 * sim/cpu/cpu.h - the state of one simulated processor.
 *
 * Time: every processor counts its own core clocks since power-on. Devices have no clock of their
 * own. Whatever a device shows follows from the clock of the processor that looks at it, so a run
 * depends on its input only, never on the host.
 */
#ifndef SIM_CPU_CPU_H
#define SIM_CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <unicorn/unicorn.h>

#include "sim/cpu/guest.h"
#include "sim/model/options.h"
#include "sim/pmu/pmu.h"
#include "sim/pmu/signal.h"
#include "sim/timing/cache.h"
#include "sim/timing/core.h"
#include "sim/timing/p5.h"

#define NEVER UINT64_MAX

/* Exception vectors (SDM volume 3A, "Exception and Interrupt Vectors"). */
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

/* The MSRs that only hold what is written (msr.c). The other MSRs live where they act. */
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
	M_PREFETCH_LLC,
	M_PREFETCH_1320, /* and 1321h */
	M_PREFETCH_1321,
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

/*
 * The start of Unicorn's copy of its CPU state. sim/cpu/unicorn.c checks at run time that it fits.
 */
struct seg_image {
	uint32_t selector;
	uint32_t pad;
	uint64_t base;
	uint32_t limit;
	uint32_t flags; /* high half of the descriptor */
};

/* Its registers; the arithmetic flags are in cc, cc_op and df, as the engine keeps them. */
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

/* The local APIC (sim/cpu/apic.c). */
enum { LVT_TIMER, LVT_THERMAL, LVT_PERF, LVT_LINT0, LVT_LINT1, LVT_ERROR, LVT_IBS, LVT_COUNT };

struct apic {
	uint64_t base; /* MSR 1Bh */
	uint32_t irr[8], isr[8], tmr[8];
	uint32_t lvt[LVT_COUNT];
	uint32_t tpr, ldr, dfr, svr, esr, esr_pending;
	uint32_t icr[2];
	uint32_t divide, initial;
	uint64_t timer_start; /* clock */
	uint64_t timer_next;  /* clock of the next expiry, NEVER: none */
	uint64_t pmi_next;    /* clock at which the overflow interrupt arrives, NEVER: none */
	uint64_t deadline;    /* TSC deadline, 0: none */
	bool written;         /* the last access was a write (--fault apic=11ap) */
	bool spurious;        /* vector 15 waits for interrupts (--fault spurious=15) */
};

struct code_page;
struct insn;
struct machine;
struct model;

/* Unicorn's side of a processor (sim/cpu/unicorn.c). */
struct cpu_engine {
	uc_engine *uc;
	uc_context *context;
	struct cpu_image *image; /* inside context */
	void *unicorn_state;     /* what the library calls this processor; NULL: not seen yet */
	uint64_t translated;     /* instructions since the engine's translations were dropped */
	uint64_t translations_dropped;
	uint64_t resume; /* IP (offset, not linear) for the next uc_emu_start */
	bool stopped;    /* resume is valid */
	/*
	 * A new uc_emu_start(). Unicorn 2.0 does a load that crosses pages as two loads and calls
	 * no memory hooks for them; the same with a store of several bytes into a page of code. If
	 * it leaves one of them half-way, it calls none for anything afterwards.
	 */
	bool restart;
};

/* The instruction in flight: collected from decode to retirement (sim/step/execute.c). */
struct cpu_flight {
	struct insn *insn;  /* NULL: none */
	uint64_t at;        /* IP, linear */
	uint64_t rep_start; /* count register when a REP instruction began */
	uint64_t rep_mask;
	uint64_t rep_done; /* iterations, set at retirement */
	struct mem_access access[CPU_ACCESSES];
	unsigned accesses;
	uint32_t stall; /* clocks that it has lost so far */
	uint32_t walk;  /* of the operand under way, clocks of page walks */
	uint32_t stlb;  /* and those of hits of the second TLB */
	bool collect;   /* signals of the step are wanted */
	struct sim_step step;
	uint64_t regs_before[18]; /* when the PMU wants them */
	struct p5_dyn p5_dyn;
	struct p5_result p5_result;
	struct core_dyn core_dyn;
	struct core_result core_result;
};

/* Where code was fetched last (sim/step/fetch.c). */
struct cpu_fetch {
	uint64_t page; /* linear, NEVER: none */
	uint64_t phys;
	struct code_page *code;
	uint64_t line;
};

/* The last store (sim/cpu/store.c). */
struct cpu_store {
	uint64_t page, phys; /* NEVER: none */
	/* The engine leaves the instruction in flight, before its store, and begins it again. */
	bool begins_again;
	bool unaligned;       /* the engine does it byte by byte */
	uint64_t began_again; /* number of the last instruction that did, from 1 on */
};

/* What waits for the next boundary of instructions (sim/step/interrupt.c). */
struct cpu_pending {
	bool attention; /* interrupt(), not only the deadline, must run at the next boundary */
	bool shadow;    /* after STI, MOV SS, POP SS */
	bool nmi, nmi_blocked, smi;
	bool extint; /* a message that asks for the 8259's vector; it stays if the request goes */
	bool init, sipi;
	uint8_t sipi_vector;
	uint64_t sipi_due; /* clock of a late start (--fault cpus=late, busy) */
};

/* Why a halted processor wakes (sim/step/system.c). */
struct cpu_halt {
	uint64_t clocks;    /* halted in all */
	uint64_t wake_at;   /* clock at which the last thing for this CPU was sent */
	uint64_t monitored; /* physical address of the line that MONITOR armed; NEVER: none */
	bool in_mwait;      /* what it is halted in */
	bool mwait_masked;  /* ... which an interrupt that is masked ends, too */
};

/* The debug registers and their traps (sim/cpu/breakpoint.c). */
struct cpu_debug {
	uint64_t dr[8]; /* 4 and 5 are not used (sim/cpu/breakpoint.h writes them) */
	/*
	 * DR6 of a trap behind the instruction in flight: breakpoints, or a single step of what the
	 * simulator did itself. 0: none.
	 */
	uint32_t traps;
	uint32_t matches; /* bit n: DRn matched the instruction in flight, enabled or not */
	bool watched;     /* instructions and accesses are compared with DR0 to DR3 */
	bool resume_flag; /* IRET loaded RF: no breakpoint stops the next instruction */
};

/* SMIs, and when --fault strikes next (sim/step/boundary.c). */
struct cpu_faults {
	uint32_t smi_count;
	unsigned smi_writes; /* of faults.smi_msr by the guest, 0 not counted */
	uint64_t smi_due;    /* instruction number of the SMI of faults.smi_after */
	uint64_t next;       /* instruction number at which --fault strikes next */
};

struct cpu {
	struct machine *pc;
	unsigned id;
	uint32_t apic_id;
	enum cpu_run run;
	const struct model *model;         /* of this processor; its clocks are those of the PC */
	struct core_machine *core_machine; /* clocks come from sim/timing/core.h; NULL: not so */
	struct code_page **code_pages;     /* those of its model: pc->code_pages[] */

	/* what the last control transfer or system instruction left behind */
	uint8_t mode; /* code size: 16, 32, 64 */
	uint8_t cpl;
	bool paging, long_mode, int_flag, trap_flag;
	bool mmx_state; /* last of x87 and MMX was MMX */
	bool x87_state;
	uint64_t cs_base;
	uint64_t cr0, cr3, cr4, efer;
	unsigned fault_depth;

	/* time, core clocks */
	uint64_t clock;    /* since power-on */
	uint64_t deadline; /* clock at which something outside wants to be looked at */
	uint64_t slice_end;
	uint64_t tsc_offset; /* added to the clock */
	bool stale;          /* --fault cpus=stale: old lines are in its caches, which are off */
	uint64_t retired;

	struct cpu_engine engine;
	struct cpu_fetch fetch;
	struct cpu_flight flight;
	struct cpu_store store;
	struct cpu_pending pending;
	struct cpu_halt halt;
	struct cpu_debug debug;
	struct cpu_faults faults;

	struct apic apic;
	struct hierarchy mem;
	struct predictor predict;
	struct p5_pipe p5;
	struct core core;
	struct sim_pmu *pmu;
	uint64_t msr[MSR_COUNT];
	uint64_t more_msr[MAX_MSR]; /* of --msr, in its order */
	struct guest guest;
};

/* The time-stamp counter of this processor now. */
static inline uint64_t tsc_now(const struct cpu *cpu)
{
	return cpu->clock + cpu->tsc_offset;
}

#endif
