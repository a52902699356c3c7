/*
 * sim/machine.c - puts the PC together and runs its processors in turn.
 *
 * The processor with the lowest clock runs next, for a slice; ties go to the lower number. Nothing
 * else decides the order, so a run with several processors is as repeatable as with one.
 */
#include <string.h>
#include <sys/mman.h>

#include "sim/machine.h"
#include "sim/step/trace.h"

enum { APIC_AT = 0xfee00000 };

void machine_end(struct machine *pc, enum run_end end, const char *why, ...)
{
	va_list args;

	if (pc->end != END_NONE)
		return;
	pc->end = end;
	va_start(args, why);
	vsnprintf(pc->why, sizeof(pc->why), why, args);
	va_end(args);
	if (pc->current)
		pc->current->attention = true;
}

void machine_wake(struct machine *pc, struct cpu *cpu)
{
	uint64_t now = pc->current ? pc->current->clock : 0;

	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *c = &pc->cpu[i];

		if (cpu && c != cpu)
			continue;
		c->attention = true;
		c->deadline = 0;
		if (c->wake_at < now)
			c->wake_at = now;
	}
}

/* ---- What the PMU asks of its processor ---- */

static void host_pmi(void *ctx)
{
	apic_pmi(ctx);
}

static bool host_store(void *ctx, uint64_t linear, const void *p, size_t n)
{
	return memory_write(ctx, linear, p, n);
}

static bool host_load(void *ctx, uint64_t linear, void *p, size_t n)
{
	return memory_read(ctx, linear, p, n);
}

void machine_regs(void *ctx, uint64_t regs[18])
{
	static const uint8_t order[16] = { REG_AX, REG_BX, REG_CX, REG_DX, REG_SI, REG_DI,
		                           REG_BP, REG_SP, 8,      9,      10,     11,
		                           12,     13,     14,     15 };
	struct cpu *cpu = ctx;

	regs[0] = engine_flags(cpu);
	regs[1] = cpu->step.next_rip;
	for (unsigned i = 0; i < 16; i++)
		regs[2 + i] = engine_reg(cpu, order[i]);
}

/* The code hook keeps the copy. */
static bool host_regs_before(void *ctx, uint64_t regs[18])
{
	const struct cpu *cpu = ctx;

	memcpy(regs, cpu->regs_before, sizeof(cpu->regs_before));
	return true;
}

static bool host_xmm(void *ctx, uint8_t xmm[256])
{
	const struct cpu *cpu = ctx;

	for (int i = 0; i < 16; i++)
		uc_reg_read(cpu->uc, UC_X86_REG_XMM0 + i, xmm + 16 * i);
	return true;
}

static uint64_t host_tsc(void *ctx)
{
	return tsc_now(ctx);
}

static bool host_ia32e(void *ctx)
{
	const struct cpu *cpu = ctx;

	return cpu->long_mode;
}

/* ---- Memory that is not RAM ---- */

static uint64_t open_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
	(void)uc;
	(void)offset;
	(void)size;
	(void)user;
	return UINT64_MAX;
}

static void open_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
	(void)uc;
	(void)offset;
	(void)size;
	(void)value;
	(void)user;
}

static uint64_t apic_mmio_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
	struct cpu *cpu = user;

	(void)uc;
	if (!apic_present(cpu) || cpu->apic.base & 1 << 10)
		return UINT64_MAX;
	if (size != 4 || offset & 15)
		return 0;
	return apic_read(cpu, (uint32_t)offset);
}

static void apic_mmio_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                            void *user)
{
	struct cpu *cpu = user;

	(void)uc;
	if (!apic_present(cpu) || cpu->apic.base & 1 << 10 || size != 4 || offset & 15)
		return;
	apic_write(cpu, (uint32_t)offset, (uint32_t)value);
}

static bool map_open_bus(struct cpu *cpu, uint64_t from, uint64_t to)
{
	return from >= to ||
	       !uc_mmio_map(cpu->uc, from, to - from, open_read, cpu, open_write, cpu);
}

static bool map_memory(struct cpu *cpu)
{
	uint64_t ram = cpu->pc->ram_size, screen = cpu->pc->opt.screen.address, end = ram;
	bool low = cpu->pc->screen && screen < APIC_AT;

	if (low)
		end = screen + screen_size(cpu->pc);
	return screen_attach(cpu) && (!low || map_open_bus(cpu, ram, screen)) &&
	       map_open_bus(cpu, end, APIC_AT) &&
	       !uc_mmio_map(cpu->uc, APIC_AT, 4096, apic_mmio_read, cpu, apic_mmio_write, cpu) &&
	       map_open_bus(cpu, APIC_AT + 4096ull, 1ull << 32);
}

/* ---- Building ---- */

static bool init_hierarchy(struct machine *pc, struct cpu *cpu)
{
	const struct model *m = pc->model;
	struct hierarchy *h = &cpu->mem;

	if (!cache_init(&h->l1d, &m->l1d) || !cache_init(&h->l1i, &m->l1i) ||
	    !cache_init(&h->l2, &m->l2) || !tlb_init(&h->dtlb, &m->dtlb) ||
	    !tlb_init(&h->dtlb_large, &m->dtlb_large) || !tlb_init(&h->itlb, &m->itlb) ||
	    !tlb_init(&h->itlb_large, &m->itlb_large) || !tlb_init(&h->stlb, &m->stlb) ||
	    !predictor_init(&cpu->predict, &m->predictor))
		return false;
	if (!m->llc.kb)
		return true;
	if (!cpu->id && !cache_init(&h->own_llc, &m->llc))
		return false;
	h->llc = &pc->cpu[0].mem.own_llc;
	return true;
}

static bool init_cpu(struct machine *pc, unsigned id)
{
	struct cpu *cpu = &pc->cpu[id];
	struct sim_pmu_host host = { .ctx = cpu,
		                     .pmi = host_pmi,
		                     .store = host_store,
		                     .load = host_load,
		                     .regs = machine_regs,
		                     .regs_before = host_regs_before,
		                     .xmm = host_xmm,
		                     .tsc = host_tsc,
		                     .ia32e = host_ia32e };

	cpu->pc = pc;
	cpu->id = cpu->apic_id = id;
	cpu->run = id ? CPU_WAIT_SIPI : CPU_RUNNING;
	cpu->fetch_page = cpu->fetch_line = cpu->write_page = NEVER;
	cpu->fault_next = pc->opt.faults.smi_every || pc->opt.faults.nmi_at ? 0 : NEVER;
	apic_reset(cpu, false);
	msr_reset(cpu);
	cpu->pmu = sim_pmu_new(sim_pmu_model(pc->model->pmu), &host,
	                       id & 1 ? pc->cpu[id - 1].pmu : NULL);
	if (!cpu->pmu || !engine_open(cpu) || !map_memory(cpu) || !execute_hook(cpu) ||
	    !init_hierarchy(pc, cpu))
		return false;
	if (pc->opt.faults.pmu_set)
		sim_pmu_set_fault(cpu->pmu, pc->opt.faults.pmu);
	if (pc->model->flags & MODEL_PIPELINE)
		p5_reset(&cpu->p5, pc->model->l1d.kb > 8 ? P5_P55C : P5_P54C);
	return true;
}

/*
 * A BIOS that answers every call in real mode with carry set, "not supported", and ends hardware
 * interrupts. The data area names COM1, the extended data area and 639 KB of memory.
 */
static void init_bios(uint8_t *ram)
{
	static const struct {
		uint32_t at;
		uint8_t size, bytes[12];
	} pieces[] = {
		{ 0x400, 2, { 0xf8, 0x03 } },
		{ 0x40e, 2, { 0xc0, 0x9f } },
		{ 0x413, 2, { 0x7f, 0x02 } },
		{ 0x9fc00, 1, { 1 } }, /* its size in KB */
		/* F000:E000 stc, retf 2 */
		{ 0xfe000, 4, { 0xf9, 0xca, 0x02, 0x00 } },
		/* F000:E010 push ax, mov al,20h, out 20h,al, pop ax, iret */
		{ 0xfe010, 7, { 0x50, 0xb0, 0x20, 0xe6, 0x20, 0x58, 0xcf } },
		/* F000:E020 the same for both 8259s */
		{ 0xfe020, 9, { 0x50, 0xb0, 0x20, 0xe6, 0xa0, 0xe6, 0x20, 0x58, 0xcf } },
	};

	for (unsigned i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		memcpy(ram + pieces[i].at, pieces[i].bytes, pieces[i].size);
	for (unsigned i = 0; i < 256; i++) {
		uint16_t offset = i >= 8 && i < 16        ? 0xe010
		                  : i >= 0x70 && i < 0x78 ? 0xe020
		                                          : 0xe000;
		uint16_t vector[2] = { offset, 0xf000 };

		memcpy(ram + 4 * i, vector, 4);
	}
}

static bool init_memory(struct machine *pc)
{
	pc->ram_size = (uint64_t)pc->opt.memory_mb << 20;
	pc->ram = mmap(NULL, pc->ram_size, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pc->ram == MAP_FAILED) {
		pc->ram = NULL;
		return false;
	}
	memset(pc->ram + 0xc0000, 0xff, 0x40000); /* ROM sockets are empty */
	init_bios(pc->ram);
	pc->code_pages = calloc(pc->ram_size >> 12, sizeof(*pc->code_pages));
	return pc->code_pages;
}

bool machine_init(struct machine *pc, const struct options *opt)
{
	pc->opt = *opt;
	pc->model = opt->model;
	pc->cpus = opt->cpus;
	if (!init_memory(pc) || !screen_init(pc))
		return false;
	for (unsigned i = 0; i < pc->cpus; i++)
		if (!init_cpu(pc, i))
			return false;
	pc->current = &pc->cpu[0];
	devices_reset(pc);
	return true;
}

static void free_cpu(struct cpu *cpu)
{
	struct hierarchy *h = &cpu->mem;

	engine_close(cpu);
	if (cpu->pmu)
		sim_pmu_free(cpu->pmu);
	cache_free(&h->l1d);
	cache_free(&h->l1i);
	cache_free(&h->l2);
	cache_free(&h->own_llc);
	tlb_free(&h->dtlb);
	tlb_free(&h->dtlb_large);
	tlb_free(&h->itlb);
	tlb_free(&h->itlb_large);
	tlb_free(&h->stlb);
	predictor_free(&cpu->predict);
}

void machine_free(struct machine *pc)
{
	decode_free(pc);
	for (unsigned i = pc->cpus; i--;)
		free_cpu(&pc->cpu[i]);
	if (pc->ram)
		munmap(pc->ram, pc->ram_size);
	screen_free(pc);
}

/* ---- Running ---- */

static void sleep_until(struct cpu *cpu, uint64_t clock)
{
	if (clock <= cpu->clock)
		return;
	cpu->halted_clocks += clock - cpu->clock;
	cpu->clock = clock;
}

static void reset_cpu(struct cpu *cpu)
{
	cpu->init = false; /* a start-up IPI may have come after it: that one counts */
	cpu->insn = NULL;
	cpu->nmi = cpu->nmi_blocked = cpu->smi = cpu->shadow = cpu->trap = false;
	apic_reset(cpu, true);
	sim_pmu_halt(cpu->pmu);
	cpu->run = CPU_WAIT_SIPI;
	if (!cpu->id)
		machine_end(cpu->pc, END_RESET, "INIT at the boot processor");
}

static void start_cpu(struct cpu *cpu)
{
	cpu->sipi = false;
	cpu->run = CPU_RUNNING;
	sleep_until(cpu, cpu->wake_at);
	cpu->fetch_page = cpu->fetch_line = cpu->write_page = NEVER;
	cpu->mem.last_page = 0;
	engine_real(cpu, cpu->sipi_vector);
}

/* INIT, start-up, timers and what ends a HLT, for processors that do not run. */
static void look_after(struct cpu *cpu, uint64_t now)
{
	if (cpu->init)
		reset_cpu(cpu);
	if (cpu->run == CPU_WAIT_SIPI && cpu->sipi)
		start_cpu(cpu);
	cpu->sipi = false;
	if (cpu->run != CPU_HALTED)
		return;
	if (cpu->apic.timer_next <= now) {
		sleep_until(cpu, cpu->apic.timer_next);
		apic_update(cpu);
	}
	if (execute_wants(cpu)) {
		sleep_until(cpu, cpu->wake_at);
		cpu->run = CPU_RUNNING;
		cpu->attention = true;
	}
}

/* The running processor with the lowest clock. */
static struct cpu *pick(struct machine *pc)
{
	struct cpu *best = NULL;

	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *cpu = &pc->cpu[i];

		if (cpu->run == CPU_RUNNING && (!best || cpu->clock < best->clock))
			best = cpu;
	}
	return best;
}

/* All sleep: on to the next thing that may wake one. False: there is none. */
static bool skip_ahead(struct machine *pc)
{
	uint64_t next = NEVER;
	struct cpu *who = NULL;

	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *cpu = &pc->cpu[i];
		uint64_t device;

		if (cpu->run != CPU_HALTED)
			continue;
		if (cpu->apic.timer_next < next && cpu->int_flag) {
			next = cpu->apic.timer_next;
			who = cpu;
		}
		pc->current = cpu;
		device = devices_next(pc);
		if (device < next &&
		    ((cpu->int_flag && apic_takes_extint(cpu)) || apic_lint0_is_nmi(cpu))) {
			next = device;
			who = cpu;
		}
	}
	if (!who)
		return false;
	pc->current = who;
	pc->steps++;
	sleep_until(who, next);
	apic_update(who);
	devices_update(pc);
	return pc->steps < pc->opt.max_instructions;
}

static void nobody_runs(struct machine *pc)
{
	const struct cpu *cpu = &pc->cpu[0];

	if (pc->steps >= pc->opt.max_instructions)
		machine_end(pc, END_LIMIT, "limit of %llu instructions reached",
		            (unsigned long long)pc->opt.max_instructions);
	machine_end(pc, END_HALT, "halted at %#llx with interrupts %s and nothing to come",
	            (unsigned long long)(cpu->cs_base + cpu->resume),
	            cpu->int_flag ? "enabled" : "disabled");
}

void machine_run(struct machine *pc)
{
	while (pc->end == END_NONE) {
		struct cpu *cpu = pick(pc);
		uint64_t now = cpu ? cpu->clock : 0;

		for (unsigned i = 0; i < pc->cpus; i++)
			look_after(&pc->cpu[i], now);
		cpu = pick(pc);
		if (!cpu) {
			if (!skip_ahead(pc))
				nobody_runs(pc);
			continue;
		}
		if (pc->end != END_NONE)
			break;
		pc->current = cpu;
		cpu->slice_end = pc->cpus > 1 ? cpu->clock + pc->opt.slice : NEVER;
		execute_slice(cpu);
	}
}
