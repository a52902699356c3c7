/*
 * sim/step/execute.c - follows the engine instruction by instruction: what each one did, how long it
 * took, and what comes between two of them.
 *
 * The engine calls code_hook() before every instruction. The one before it has then completed:
 * it is retired, its memory accesses go through the models of caches and TLBs, the counters see
 * it, and only then an interrupt that became pending is delivered. So every boundary is exact.
 */
#include <math.h>
#include <string.h>

#include "sim/machine.h"
#include "sim/step/trace.h"

enum { CR0_CD = 1 << 30 };
enum { DELIVERY_CLOCKS = 0 };

/* What a data access met. */
struct met {
	bool miss, tlb_miss, uncached;
	enum sim_level level;
};

static void add(struct cpu *cpu, enum sim_signal sig, uint32_t n)
{
	if (cpu->collect)
		sim_step_add(&cpu->step, sig, n);
}

/* ---- Translation ---- */

static unsigned large_shift(const struct cpu *cpu)
{
	return (cpu->cr4 & 1 << 5) ? 21 : 22;
}

/* Signals of one TLB, for data reads, data writes and code. */
struct tlb_signals {
	uint8_t miss, stlb, walk;
};

static const struct tlb_signals tlb_signals[] = {
	[ACCESS_READ] = { SIG_DTLB_LOAD_MISS, SIG_DTLB_LOAD_STLB, SIG_DTLB_LOAD_WALK },
	[ACCESS_WRITE] = { SIG_DTLB_STORE_MISS, SIG_DTLB_STORE_STLB, SIG_DTLB_STORE_WALK },
	[ACCESS_CODE] = { SIG_ITLB_MISS, SIG_ITLB_STLB, SIG_ITLB_WALK },
};

/* First-level TLB missed: second level, then the page tables. False: no such page. */
static bool tlb_refill(struct cpu *cpu, uint64_t linear, enum access_kind kind, uint64_t *physical)
{
	const struct costs *costs = &cpu->pc->model->costs;
	const struct tlb_signals *sig = &tlb_signals[kind];
	struct hierarchy *mem = &cpu->mem;
	struct tlb *first = kind == ACCESS_CODE ? &mem->itlb : &mem->dtlb;
	struct tlb *first_large = kind == ACCESS_CODE ? &mem->itlb_large : &mem->dtlb_large;
	struct tlb_entry *entry;
	struct page page;
	unsigned shift;

	if (!memory_translate(cpu, linear, &page))
		return false;
	if (!first->entry) { /* a model without TLBs */
		*physical = page.physical + (linear & (page.size - 1));
		return true;
	}
	add(cpu, (enum sim_signal)sig->miss, 1);
	shift = page.size == 4096 ? 12 : large_shift(cpu);
	page.physical += linear & (page.size - 1) & ~((1ull << shift) - 1);
	entry = tlb_lookup(&mem->stlb, linear, shift);
	if (entry) {
		add(cpu, (enum sim_signal)sig->stlb, 1);
		cpu->stall += costs->stlb_hit;
	} else {
		add(cpu, (enum sim_signal)sig->walk, 1);
		cpu->stall += costs->walk;
		tlb_fill(&mem->stlb, linear, page.physical, shift);
	}
	tlb_fill(shift > 12 && first_large->entry ? first_large : first, linear, page.physical,
	         shift);
	*physical = page.physical + (linear & ((1ull << shift) - 1));
	return true;
}

static bool first_tlb(struct cpu *cpu, struct tlb *small, struct tlb *large, uint64_t linear,
                      uint64_t *physical)
{
	struct tlb_entry *entry = tlb_lookup(small, linear, 12);
	unsigned shift = large_shift(cpu);

	if (!entry)
		entry = tlb_lookup(large->entry ? large : small, linear, shift);
	if (!entry)
		return false;
	*physical = entry->physical + (linear & (entry->size - 1));
	return true;
}

static bool data_physical(struct cpu *cpu, uint64_t linear, enum access_kind kind, bool *tlb_miss,
                          uint64_t *physical)
{
	struct hierarchy *mem = &cpu->mem;
	uint64_t page = linear & ~4095ull;

	if (!cpu->paging) {
		*physical = linear;
		return true;
	}
	if (mem->last_page == page + 1) {
		*physical = mem->last_phys + (linear & 4095);
		return true;
	}
	if (!first_tlb(cpu, &mem->dtlb, &mem->dtlb_large, linear, physical)) {
		if (!tlb_refill(cpu, linear, kind, physical))
			return false;
		*tlb_miss = true;
	}
	mem->last_page = page + 1;
	mem->last_phys = *physical & ~4095ull;
	return true;
}

void execute_flush_tlbs(struct cpu *cpu)
{
	struct hierarchy *mem = &cpu->mem;

	tlb_empty(&mem->dtlb);
	tlb_empty(&mem->dtlb_large);
	tlb_empty(&mem->itlb);
	tlb_empty(&mem->itlb_large);
	tlb_empty(&mem->stlb);
	mem->last_page = 0;
	cpu->fetch_page = NEVER;
	cpu->write_page = NEVER;
}

/* ---- Caches ---- */

static bool cacheable(const struct cpu *cpu, uint64_t physical)
{
	return physical < cpu->pc->ram_size && (physical < 0xa0000 || physical >= 0xc0000) &&
	       !(cpu->cr0 & CR0_CD);
}

/* A modified line leaves a level: the next one takes it. */
static void write_back(struct cpu *cpu, struct cache *to, uint64_t address)
{
	if (to && to->line && cache_lookup(to, address, true) == CACHE_MISS)
		cache_fill(to, address, true);
	(void)cpu;
}

static void fill_l2(struct cpu *cpu, uint64_t address)
{
	struct victim out = cache_fill(&cpu->mem.l2, address, false);

	add(cpu, SIG_L2_FILL, 1);
	add(cpu, SIG_L2_EVICT, out.valid);
	if (!out.modified)
		return;
	add(cpu, SIG_L2_WRITEBACK, 1);
	write_back(cpu, cpu->mem.llc, out.address);
}

enum request { REQUEST_LOAD, REQUEST_STORE, REQUEST_CODE };

/* Signals of L2 by kind of request: hit unmodified, hit modified, miss. */
static const uint8_t l2_signals[3][3] = {
	[REQUEST_LOAD] = { SIG_L2_LOAD_HIT_E, SIG_L2_LOAD_HIT_M, SIG_L2_LOAD_MISS },
	[REQUEST_STORE] = { SIG_L2_STORE_HIT_E, SIG_L2_STORE_HIT_M, SIG_L2_STORE_MISS },
	[REQUEST_CODE] = { SIG_L2_CODE_HIT, SIG_L2_CODE_HIT, SIG_L2_CODE_MISS },
};

static void llc_signals(struct cpu *cpu, enum request request, bool hit)
{
	add(cpu, SIG_LLC_REFERENCE, 1);
	add(cpu, SIG_LLC_MISS, !hit);
	if (request == REQUEST_LOAD)
		add(cpu, hit ? SIG_LLC_LOAD_HIT : SIG_LLC_LOAD_MISS, 1);
}

/* Last level beyond L2. */
static enum sim_level outer_level(struct cpu *cpu, uint64_t address, enum request request)
{
	const struct costs *costs = &cpu->pc->model->costs;
	struct cache *llc = cpu->mem.llc;
	bool hit = llc && cache_lookup(llc, address, false) != CACHE_MISS;

	if (llc) {
		llc_signals(cpu, request, hit);
		if (!hit)
			cache_fill(llc, address, false);
	}
	cpu->stall += hit ? costs->llc_hit : costs->memory;
	return hit ? LEVEL_LLC : LEVEL_MEMORY;
}

/* A first-level cache asks for a line. */
static enum sim_level second_level(struct cpu *cpu, uint64_t address, enum request request)
{
	const uint8_t *sig = l2_signals[request];
	struct cache *l2 = &cpu->mem.l2;
	enum cache_result result;
	enum sim_level level;

	if (!l2->line)
		return outer_level(cpu, address, request);
	result = cache_lookup(l2, address, false);
	add(cpu,
	    (enum sim_signal)sig[result == CACHE_HIT_E   ? 0
	                         : result == CACHE_HIT_M ? 1
	                                                 : 2],
	    1);
	if (!cpu->mem.llc)
		llc_signals(cpu, request, result != CACHE_MISS);
	if (result != CACHE_MISS) {
		cpu->stall += cpu->pc->model->costs.l2_hit;
		return LEVEL_L2;
	}
	level = outer_level(cpu, address, request);
	fill_l2(cpu, address);
	return level;
}

static void fill_l1d(struct cpu *cpu, uint64_t address, bool modified)
{
	struct victim out = cache_fill(&cpu->mem.l1d, address, modified);

	add(cpu, modified ? SIG_L1D_FILL_M : SIG_L1D_FILL, 1);
	if (modified)
		add(cpu, SIG_L1D_FILL, 1);
	add(cpu, SIG_L1D_EVICT, out.valid);
	if (!out.modified)
		return;
	add(cpu, SIG_L1D_WRITEBACK, 1);
	write_back(cpu, &cpu->mem.l2, out.address);
}

/* Another CPU writes a line: the copies here are stale. */
static void snoop(struct cpu *cpu, uint64_t address)
{
	for (unsigned i = 0; i < cpu->pc->cpus; i++) {
		struct cpu *other = &cpu->pc->cpu[i];

		if (other == cpu)
			continue;
		cache_drop(&other->mem.l1d, address);
		cache_drop(&other->mem.l2, address);
		if (other->mem.llc != cpu->mem.llc)
			cache_drop(other->mem.llc, address);
	}
}

/* One line of a data access. */
static void access_line(struct cpu *cpu, uint64_t physical, bool write, struct met *met)
{
	struct cache *l1d = &cpu->mem.l1d;
	enum cache_result result;
	enum sim_level level;

	if (!cacheable(cpu, physical)) {
		add(cpu, write ? SIG_UNCACHED_WRITE : SIG_UNCACHED_READ, 1);
		met->uncached = true;
		met->level = LEVEL_MEMORY;
		return;
	}
	if (!l1d->line)
		return;
	if (write && cpu->pc->cpus > 1)
		snoop(cpu, physical);
	result = cache_lookup(l1d, physical, write);
	if (result != CACHE_MISS) {
		add(cpu, write ? SIG_L1D_STORE_HIT : SIG_L1D_LOAD_HIT, 1);
		return;
	}
	add(cpu, write ? SIG_L1D_STORE_MISS : SIG_L1D_LOAD_MISS, 1);
	met->miss = true;
	if (write && !l1d->write_allocate) {
		met->level = LEVEL_MEMORY;
		return;
	}
	level = second_level(cpu, physical, write ? REQUEST_STORE : REQUEST_LOAD);
	if (level > met->level)
		met->level = level;
	fill_l1d(cpu, physical, write);
}

static unsigned line_size(const struct cpu *cpu)
{
	return cpu->mem.l1d.line ? 1u << cpu->mem.l1d.line_shift : 64;
}

static void shape_signals(struct cpu *cpu, const struct mem_access *a, bool mmx)
{
	uint64_t last = a->linear + a->size - 1;
	unsigned unit = a->size <= 4 ? 4 : 8;

	if ((a->linear ^ last) / unit && a->size > 1 && a->size <= 16 &&
	    !(a->size > 8 && !(a->linear & 7))) {
		add(cpu, SIG_MISALIGNED, 1);
		if (mmx)
			add(cpu, SIG_MMX_MISALIGNED, 1);
	}
	if ((a->linear ^ last) / 8 && !(a->size > 8 && !(a->linear & 7)))
		add(cpu, SIG_MISALIGNED8, 1);
}

/* One whole operand. */
static struct met access_data(struct cpu *cpu, const struct mem_access *a)
{
	enum access_kind kind = a->write ? ACCESS_WRITE : ACCESS_READ;
	uint64_t line = line_size(cpu), last = a->linear + a->size - 1, physical;
	struct met met = { 0 };

	for (uint64_t at = a->linear;; at = (at & ~(line - 1)) + line) {
		if (!data_physical(cpu, at, kind, &met.tlb_miss, &physical))
			return met;
		access_line(cpu, physical, a->write, &met);
		if ((at & ~(line - 1)) == (last & ~(line - 1)))
			break;
	}
	if ((a->linear ^ last) & ~(line - 1)) {
		add(cpu, a->write ? SIG_SPLIT_STORE : SIG_SPLIT_LOAD, 1);
		cpu->stall += cpu->pc->model->costs.split;
	}
	return met;
}

void execute_prefetch(struct cpu *cpu, uint64_t linear)
{
	struct met met = { 0 };
	bool collect = cpu->collect;
	uint32_t stall = cpu->stall;
	uint64_t physical;

	cpu->collect = false; /* no access of the program, and nobody waits for it */
	if (data_physical(cpu, linear, ACCESS_READ, &met.tlb_miss, &physical) &&
	    cacheable(cpu, physical))
		access_line(cpu, physical, false, &met);
	cpu->collect = collect;
	cpu->stall = stall;
}

static void record_access(struct cpu *cpu, const struct mem_access *a, const struct met *met)
{
	struct p5_dyn *dyn = &cpu->p5_dyn;

	if (cpu->collect && cpu->step.accesses < SIM_STEP_ACCESSES) {
		struct sim_access *to = &cpu->step.access[cpu->step.accesses++];

		to->linear = a->linear;
		to->size = (uint8_t)(a->size > 255 ? 255 : a->size);
		to->write = a->write;
		to->dtlb_miss = met->tlb_miss;
		to->level = met->level;
	}
	if (!(cpu->pc->model->flags & MODEL_PIPELINE))
		return;
	if (dyn->accesses < P5_ACCESSES) {
		struct p5_access *to = &dyn->access[dyn->accesses++];

		to->address = a->linear;
		to->size = (uint8_t)(a->size > 255 ? 255 : a->size);
		to->write = a->write;
		to->miss = met->miss || met->uncached;
		to->tlb_miss = met->tlb_miss;
	} else if (met->miss || met->uncached) {
		dyn->more_read_miss += !a->write;
		dyn->more_write_miss += a->write;
	}
}

/* The accesses since the last call; they are all there when the instruction (or one round of a
 * repeated one) has ended. */
static void flush_accesses(struct cpu *cpu, const struct insn *insn)
{
	bool mmx = insn->flags & I_MMX;

	for (unsigned i = 0; i < cpu->accesses; i++) {
		const struct mem_access *a = &cpu->access[i];
		struct met met = access_data(cpu, a);

		if (cpu->collect) {
			shape_signals(cpu, a, mmx);
			if (mmx && met.miss)
				add(cpu, a->write ? SIG_MMX_STORE_MISS : SIG_MMX_LOAD_MISS, 1);
			if (insn->flags & I_REP) {
				add(cpu, a->write ? SIG_STORES : SIG_LOADS, 1);
			}
		}
		record_access(cpu, a, &met);
	}
	cpu->accesses = 0;
}

/* Code may have been overwritten. The page of the last access is remembered. */
static void written(struct cpu *cpu, uint64_t linear, uint64_t size)
{
	uint64_t physical = linear;

	if (cpu->paging) {
		if (cpu->write_page != (linear & ~4095ull)) {
			struct page page;

			if (!memory_translate(cpu, linear, &page))
				return;
			cpu->write_page = linear & ~4095ull;
			cpu->write_phys = page.physical + (cpu->write_page & (page.size - 1));
		}
		physical = cpu->write_phys + (linear & 4095);
	}
	if (physical < cpu->pc->ram_size)
		memory_changed(cpu->pc, physical, size, cpu);
}

/*
 * The engine reports a 16-byte operand in two pieces and one that crosses a page in three; pieces
 * that touch become one operand again, unless the instruction has operands left to give.
 */
static void memory_hook(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                        void *user)
{
	struct cpu *cpu = user;
	bool write = type == UC_MEM_WRITE;
	unsigned same = 0;
	struct mem_access *last = NULL;

	(void)uc;
	(void)value;
	if (write)
		written(cpu, address, (uint64_t)size);
	if (!cpu->insn)
		return;
	for (unsigned i = 0; i < cpu->accesses; i++) {
		if (cpu->access[i].write == write) {
			same++;
			last = &cpu->access[i];
		}
	}
	if (last && !(cpu->insn->flags & I_LOOSE) &&
	    same >= (write ? cpu->insn->stores : cpu->insn->loads) && address >= last->linear &&
	    address <= last->linear + last->size) {
		uint64_t end = address + (uint64_t)size;

		if (end > last->linear + last->size)
			last->size = (uint32_t)(end - last->linear);
		return;
	}
	if (cpu->accesses == CPU_ACCESSES)
		flush_accesses(cpu, cpu->insn);
	cpu->access[cpu->accesses++] =
		(struct mem_access){ .linear = address, .size = (uint32_t)size, .write = write };
}

/* ---- Instruction fetch ---- */

enum fetch { FETCH_RAM, FETCH_OPEN_BUS, FETCH_NO_PAGE };

static enum fetch enter_page(struct cpu *cpu, uint64_t linear)
{
	struct machine *pc = cpu->pc;
	uint64_t physical = linear, page;

	if (cpu->paging) {
		if (first_tlb(cpu, &cpu->mem.itlb, &cpu->mem.itlb_large, linear, &physical))
			add(cpu, SIG_ITLB_HIT, 1);
		else if (tlb_refill(cpu, linear, ACCESS_CODE, &physical))
			cpu->p5_dyn.code_tlb_miss = 1;
		else
			return FETCH_NO_PAGE;
	}
	page = physical & ~4095ull;
	if (!memory_ram(pc, page, 4096))
		return FETCH_OPEN_BUS;
	if (!pc->code_pages[page >> 12]) {
		pc->code_pages[page >> 12] = calloc(1, sizeof(struct code_page));
		if (!pc->code_pages[page >> 12]) {
			machine_end(pc, END_UNSUPPORTED, "out of memory");
			return FETCH_OPEN_BUS;
		}
	}
	cpu->code = pc->code_pages[page >> 12];
	cpu->fetch_page = linear & ~4095ull;
	cpu->fetch_phys = page;
	cpu->fetch_line = NEVER;
	return FETCH_RAM;
}

static void fetch_line(struct cpu *cpu, uint64_t physical)
{
	struct cache *l1i = &cpu->mem.l1i;
	uint32_t stall = cpu->stall;

	if (!l1i->line || !cacheable(cpu, physical))
		return;
	add(cpu, SIG_L1I_FETCH, 1);
	if (cache_lookup(l1i, physical, false) != CACHE_MISS)
		return;
	add(cpu, SIG_L1I_MISS, 1);
	second_level(cpu, physical, REQUEST_CODE);
	cache_fill(l1i, physical, false);
	if (cpu->pc->model->flags & MODEL_PIPELINE) {
		struct code_page *code = cpu->pc->code_pages[physical >> 12];

		cpu->p5_dyn.code_miss++;
		if (code)
			code->fills[(physical & 4095) / 32]++;
		cpu->stall = stall;
	}
}

/* The lines of one instruction; the one that was fetched last costs nothing. */
static void fetch_lines(struct cpu *cpu, uint64_t at, const struct insn *insn)
{
	unsigned shift = cpu->mem.l1i.line ? cpu->mem.l1i.line_shift : 6;
	uint64_t first = at >> shift, last = (at + insn->length - 1) >> shift;

	for (uint64_t line = first; line <= last; line++) {
		uint64_t linear = line << shift, physical;

		if (line == cpu->fetch_line)
			continue;
		cpu->fetch_line = line;
		if ((linear ^ at) & ~4095ull && line != first) {
			struct page page;

			if (!memory_translate(cpu, linear, &page))
				return;
			physical = page.physical + (linear & (page.size - 1));
		} else {
			physical = cpu->fetch_phys + (linear & 4095);
		}
		fetch_line(cpu, physical);
	}
}

/* ---- Retirement ---- */

static bool taken_branch(const struct insn *insn, uint64_t at, uint64_t next)
{
	return insn->flags & I_ALWAYS || next != at + insn->length;
}

static void branch_step(struct cpu *cpu, const struct insn *insn, uint64_t next,
                        struct prediction *prediction)
{
	struct sim_step *step = &cpu->step;
	bool taken = taken_branch(insn, cpu->insn_at, next);
	bool missed;

	*prediction = predictor_step(&cpu->predict, insn->branch, cpu->insn_at,
	                             cpu->insn_at + insn->length, next, taken);
	missed = !prediction->right;
	if (!cpu->collect)
		return;
	sim_step_branch(step, (enum sim_branch)insn->branch, taken, missed);
	sim_step_add(step, prediction->btb_hit ? SIG_BTB_HIT : SIG_BTB_MISS, 1);
	sim_step_add(step, SIG_TAKEN_OR_BTB_HIT, taken || prediction->btb_hit);
	if (insn->branch == BRANCH_RETURN && prediction->btb_hit)
		sim_step_add(step, SIG_RETURN_PREDICTED, 1);
	sim_step_add(step, SIG_BTB_NOT_TAKEN, prediction->taken && !taken);
	if (insn->branch == BRANCH_RETURN)
		sim_step_add(step, SIG_RETURN_MISSED, missed);
}

static void p5_signals(struct cpu *cpu, const struct insn *insn)
{
	const struct p5_result *r = &cpu->p5_result;
	struct sim_step *step = &cpu->step;
	bool v = r->pipe == P5_PIPE_V;

	sim_step_add(step, SIG_V_PIPE, v);
	if (r->mmx)
		sim_step_add(step, v ? SIG_MMX_V : SIG_MMX_U, 1);
	sim_step_add(step, SIG_BOTH_PIPES_MEM, r->both_pipes_memory);
	sim_step_add(step, SIG_BANK_CONFLICT, r->bank_conflict);
	sim_step_add(step, SIG_PIPELINE_FLUSH, r->flush);
	sim_step_add(step, SIG_FLUSH_BRANCH, r->flush && step->mispredicted);
	sim_step_add(step, SIG_FLUSH_BRANCH_WB, r->flush_wb);
	sim_step_add(step, SIG_AGI_STALL, r->agi);
	sim_step_add(step, SIG_EM_STALL, r->em_stall);
	sim_step_add(step, SIG_WRITE_STALL, r->write_stall);
	sim_step_add(step, SIG_READ_STALL, r->read_stall);
	sim_step_add(step, SIG_BUS_BUSY, r->bus_busy);
	sim_step_add(step, SIG_FP_STALL, r->fp_stall);
	sim_step_add(step, SIG_MMX_MUL_STALL, r->mmx_wait);
	sim_step_add(step, SIG_MMX_STORE_STALL, r->mmx_store_wait);
	if (insn->flags & I_MMX)
		sim_step_add(step, SIG_MMX_READ_STALL, r->read_stall);
	if (step->n[SIG_L1D_STORE_HIT])
		sim_step_add(step, SIG_STORE_HIT_EM, step->n[SIG_L1D_STORE_HIT]);
}

/* The pipeline model of the Pentium takes the place of nominal clocks. */
static uint32_t p5_clocks(struct cpu *cpu, struct insn *insn, uint64_t next, bool missed)
{
	struct p5_dyn *dyn = &cpu->p5_dyn;
	uint32_t fill = cpu->code ? cpu->code->fills[(insn->physical & 4095) / 32] : 0;

	dyn->rip = cpu->insn_at;
	dyn->taken = insn->branch && taken_branch(insn, cpu->insn_at, next);
	dyn->mispredicted = missed;
	dyn->first_run = insn->fill != fill;
	insn->fill = fill;
	dyn->cpl = cpu->step.cpl;
	dyn->rep = (uint32_t)cpu->rep_done;
	p5_step(&cpu->p5, &insn->p5, dyn, &cpu->p5_result);
	memset(dyn, 0, sizeof(*dyn));
	return cpu->p5_result.clocks;
}

/* Values that the pipeline model wants to know before the instruction executes. */
static void p5_prepare(struct cpu *cpu, const struct insn *insn)
{
	struct p5_dyn *dyn = &cpu->p5_dyn;

	if (insn->p5.needs & P5_NEEDS_FPCW)
		uc_reg_read(cpu->uc, UC_X86_REG_FPCW, &dyn->fpcw);
	if (insn->p5.needs & P5_NEEDS_EAX)
		dyn->eax = (uint32_t)engine_reg(cpu, REG_AX);
	if (insn->p5.needs & P5_NEEDS_FPZERO) {
		uint8_t st[16] = { 0 };
		uint64_t significand;

		uc_reg_read(cpu->uc, UC_X86_REG_ST0 + insn->p5.st_zero, st);
		memcpy(&significand, st, 8);
		dyn->fp_zero = !significand;
		if (insn->p5.needs & P5_NEEDS_ANGLE)
			dyn->angle = ldexp((double)significand,
			                   ((st[9] & 0x7f) << 8 | st[8]) - 16383 - 63);
	}
}

/* x87 and MMX share registers: the first instruction of one kind after the other is an event. */
static void media_signals(struct cpu *cpu, const struct insn *insn)
{
	if (insn->flags & I_MMX) {
		sim_step_add(&cpu->step, SIG_FP_TO_MMX, cpu->x87_state);
		cpu->x87_state = false;
		cpu->mmx_state = !(insn->flags & I_EMMS);
	} else if (insn->flags & I_X87) {
		sim_step_add(&cpu->step, SIG_MMX_TO_FP, cpu->mmx_state);
		cpu->mmx_state = false;
		cpu->x87_state = true;
	}
}

static void clock_signals(struct cpu *cpu, uint32_t clocks)
{
	struct sim_step *step = &cpu->step;

	step->clocks = clocks;
	if (!clocks)
		return;
	sim_step_add(step, SIG_CLOCKS, clocks);
	sim_step_add(step, SIG_REF_CLOCKS, clocks);
	if (!cpu->int_flag) {
		sim_step_add(step, SIG_INT_MASKED, clocks);
		if (apic_pending(cpu) >= 0 || (apic_takes_extint(cpu) && pic_pending(cpu->pc)))
			sim_step_add(step, SIG_INT_PENDING, clocks);
	}
}

static void give_step(struct cpu *cpu, struct insn *insn)
{
	if (cpu->pc->trace)
		trace_step(cpu->pc->trace, cpu, insn);
	if (!sim_pmu_idle(cpu->pmu))
		sim_pmu_retire(cpu->pmu, &cpu->step);
	sim_step_clear(&cpu->step);
}

static void update_collect(struct cpu *cpu)
{
	cpu->collect = !sim_pmu_idle(cpu->pmu) || cpu->pc->trace;
}

/* The instruction in flight has ended; execution goes on at linear address `next`. */
static void retire(struct cpu *cpu, uint64_t next)
{
	struct insn *insn = cpu->insn;
	struct prediction prediction = { .right = true };
	uint32_t clocks;

	cpu->insn = NULL;
	cpu->rep_done = 0;
	if (insn->flags & I_REP)
		cpu->rep_done = cpu->rep_start - (engine_reg(cpu, REG_CX) & cpu->rep_mask);
	flush_accesses(cpu, insn);
	if (insn->branch) {
		branch_step(cpu, insn, next, &prediction);
		if (!prediction.right)
			cpu->stall += cpu->pc->model->costs.mispredict;
	}
	if (cpu->pc->opt.flat)
		clocks = 1;
	else if (cpu->pc->model->flags & MODEL_PIPELINE)
		clocks = p5_clocks(cpu, insn, next, !prediction.right);
	else
		clocks = 1 + cpu->stall;
	cpu->stall = 0;
	if (cpu->collect) {
		for (unsigned i = 0; i < insn->signals; i++)
			sim_step_add(&cpu->step, (enum sim_signal)insn->signal[i], insn->count[i]);
		if (insn->flags & I_REP) {
			sim_step_add(&cpu->step, SIG_LOAD_INSNS, insn->loads != 0);
			sim_step_add(&cpu->step, SIG_STORE_INSNS, insn->stores != 0);
		}
		if (cpu->pc->model->flags & MODEL_PIPELINE && !cpu->pc->opt.flat)
			p5_signals(cpu, insn);
		media_signals(cpu, insn);
		clock_signals(cpu, clocks);
		cpu->step.rip = cpu->insn_at;
		cpu->step.next_rip = next;
		give_step(cpu, insn);
	}
	cpu->clock += clocks;
	cpu->retired++;
	cpu->pc->steps++;
	if (insn->flags & (I_MODE | I_FLUSH | I_SHADOW)) {
		bool masked = !cpu->int_flag;

		engine_load(cpu);
		if (insn->flags & I_FLUSH && insn->kind != K_WRMSR && insn->kind != K_INVLPG)
			execute_flush_tlbs(cpu);
		cpu->attention = true;
		/* STI shields the next instruction only when it opens the door */
		cpu->shadow = insn->flags & I_SHADOW && (!(insn->flags & I_MODE) || masked);
	}
	if (cpu->retired >= cpu->fault_next)
		cpu->attention = true;
}

void execute_event(struct cpu *cpu, bool hardware, uint64_t from)
{
	struct sim_step *step = &cpu->step;
	struct p5_result result = { 0 };

	if (cpu->pc->model->flags & MODEL_PIPELINE && !cpu->pc->opt.flat) {
		p5_event(&cpu->p5, DELIVERY_CLOCKS, true, &result);
		cpu->clock += result.clocks;
	}
	cpu->pc->steps++;
	if (!cpu->collect)
		return;
	sim_step_clear(step);
	step->cpl = cpu->cpl;
	step->rip = from;
	sim_step_interrupt(step, hardware);
	sim_step_add(step, SIG_PIPELINE_FLUSH, result.flush);
	clock_signals(cpu, result.clocks);
	give_step(cpu, NULL);
}

/* ---- Between two instructions ---- */

static void stop_at(struct cpu *cpu, uint64_t at)
{
	cpu->resume = at - cpu->cs_base;
	cpu->stopped = true;
	uc_emu_stop(cpu->uc);
}

static void take(struct cpu *cpu, unsigned vector, uint64_t at)
{
	execute_event(cpu, true, at);
	interrupt_deliver(cpu, vector, INT_HARDWARE, 0, at);
}

/* A system management interrupt that only takes time and is counted, as a real one looks. */
static void take_smi(struct cpu *cpu, uint64_t at)
{
	cpu->smi = false;
	cpu->smi_count++;
	execute_event(cpu, true, at);
	cpu->clock += cpu->pc->opt.faults.smi_clocks;
	cpu->fetch_line = NEVER;
}

/* What --fault ordered for this instruction number. */
static void order_faults(struct cpu *cpu)
{
	const struct faults *f = &cpu->pc->opt.faults;

	if (cpu->retired < cpu->fault_next)
		return;
	cpu->fault_next = NEVER;
	if (f->smi_every) {
		if (cpu->retired && cpu->retired % f->smi_every == 0)
			cpu->smi = true;
		cpu->fault_next = (cpu->retired / f->smi_every + 1) * f->smi_every;
	}
	if (f->nmi_at && !cpu->id) {
		if (cpu->retired == f->nmi_at)
			cpu->nmi = true;
		else if (cpu->retired < f->nmi_at && f->nmi_at < cpu->fault_next)
			cpu->fault_next = f->nmi_at;
	}
}

/* Vector of a maskable interrupt that is to be taken now, -1: none. */
static int maskable(struct cpu *cpu)
{
	int vector = apic_pending(cpu);

	if (vector >= 0) {
		apic_accept(cpu, (unsigned)vector);
		return vector;
	}
	if (cpu->extint || (apic_takes_extint(cpu) && pic_pending(cpu->pc))) {
		cpu->extint = false;
		return pic_acknowledge(cpu->pc);
	}
	return -1;
}

bool execute_wants(const struct cpu *cpu)
{
	if ((cpu->nmi && !cpu->nmi_blocked) || cpu->smi || cpu->init)
		return true;
	return cpu->int_flag && (cpu->extint || apic_pending(cpu) >= 0 ||
	                         (apic_takes_extint(cpu) && pic_pending(cpu->pc)));
}

/* True: execution continues elsewhere, or stops; the hook must leave. */
static bool interrupts(struct cpu *cpu, uint64_t at)
{
	int vector;

	cpu->attention = false;
	order_faults(cpu);
	if (cpu->trap) {
		cpu->trap = false;
		execute_event(cpu, false, at);
		interrupt_deliver(cpu, VEC_DB, INT_FAULT, 0, at);
		return true;
	}
	if (cpu->shadow) {
		cpu->shadow = false;
		cpu->attention = true;
		return false;
	}
	if (cpu->init) {
		stop_at(cpu, at);
		return true;
	}
	if (cpu->smi)
		take_smi(cpu, at);
	if (cpu->nmi && !cpu->nmi_blocked) {
		cpu->nmi = false;
		cpu->nmi_blocked = true;
		take(cpu, VEC_NMI, at);
		return true;
	}
	if (!cpu->int_flag)
		return false;
	vector = maskable(cpu);
	if (vector < 0)
		return false;
	take(cpu, (unsigned)vector, at);
	return true;
}

void execute_deadline(struct cpu *cpu)
{
	uint64_t next = cpu->slice_end, device = devices_next(cpu->pc);

	if (device < next)
		next = device;
	if (cpu->apic.timer_next < next)
		next = cpu->apic.timer_next;
	/* the limit on instructions is looked at now and then */
	if (cpu->clock + 100000 < next)
		next = cpu->clock + 100000;
	cpu->deadline = next;
}

/* Something outside of the instruction stream is due. True: the hook must leave. */
static bool attend(struct cpu *cpu, uint64_t at)
{
	struct machine *pc = cpu->pc;

	if (cpu->clock >= cpu->deadline) {
		devices_update(pc);
		apic_update(cpu);
		if (pc->steps >= pc->opt.max_instructions)
			machine_end(pc, END_LIMIT, "limit of %llu instructions reached",
			            (unsigned long long)pc->opt.max_instructions);
		execute_deadline(cpu);
		cpu->attention = true;
	}
	if (pc->end != END_NONE || cpu->clock >= cpu->slice_end) {
		cpu->attention = true;
		stop_at(cpu, at);
		return true;
	}
	return interrupts(cpu, at);
}

/* ---- Hooks ---- */

static uint64_t count_mask(const struct cpu *cpu, const struct insn *insn)
{
	if (insn->flags & I_ADDRESS16)
		return 0xffff;
	return insn->flags & I_ADDRESS32 ? 0xffffffff : cpu->mode == 64 ? UINT64_MAX : 0xffffffff;
}

/* An instruction that the simulator does. */
static void intercept(struct cpu *cpu, struct insn *insn, uint64_t at)
{
	uint64_t next = at + insn->length;
	bool trap = cpu->trap_flag;
	enum outcome outcome;

	/* Starting a counter is not counted, stopping it is: WRMSR retires before it acts. */
	if (insn->kind == K_WRMSR && !cpu->cpl) {
		retire(cpu, next);
		outcome = system_execute(cpu, insn, at);
		update_collect(cpu);
		if (outcome != FAULTED)
			engine_load(cpu);
	} else {
		outcome = system_execute(cpu, insn, at);
	}
	switch (outcome) {
	case DONE:
		cpu->trap = trap;
		if (trap)
			cpu->attention = true;
		if (cpu->pc->end != END_NONE) {
			if (cpu->insn)
				retire(cpu, next);
			stop_at(cpu, next);
			return;
		}
		engine_jump(cpu, next - cpu->cs_base);
		break;
	case STOP:
		retire(cpu, next);
		stop_at(cpu, next);
		break;
	default:
		break;
	}
}

/*
 * The engine would execute where no RAM is. The open bus gives FF FF, which is undefined. A page
 * that the tables no longer have can only come from the engine's TLB: here it was evicted.
 */
static void fetch_elsewhere(struct cpu *cpu, uint64_t at, enum fetch fetch)
{
	execute_event(cpu, false, at);
	if (fetch == FETCH_OPEN_BUS) {
		interrupt_deliver(cpu, VEC_UD, INT_FAULT, 0, at);
	} else {
		uc_reg_write(cpu->uc, UC_X86_REG_CR2, &at);
		interrupt_deliver(cpu, VEC_PF, INT_FAULT, cpu->cpl == 3 ? 4 : 0, at);
	}
	if (cpu->pc->end != END_NONE)
		uc_emu_stop(cpu->uc);
}

static void code_hook(uc_engine *uc, uint64_t at, uint32_t size, void *user)
{
	struct cpu *cpu = user;
	struct insn *insn = cpu->insn;

	(void)uc;
	(void)size;
	if (insn) {
		if (insn->flags & I_REP && at == cpu->insn_at) {
			flush_accesses(cpu, insn);
			if (++cpu->pc->steps >= cpu->pc->opt.max_instructions)
				cpu->deadline = 0;
			if (cpu->attention || cpu->clock >= cpu->deadline) {
				cpu->insn = NULL;
				if (attend(cpu, at))
					return;
				cpu->insn = insn;
			}
			return;
		}
		retire(cpu, at);
	}
	if ((cpu->attention || cpu->clock >= cpu->deadline) && attend(cpu, at))
		return;
	if (cpu->pc->end != END_NONE) {
		stop_at(cpu, at);
		return;
	}
	if ((at & ~4095ull) != cpu->fetch_page) {
		enum fetch fetch = enter_page(cpu, at);

		if (fetch != FETCH_RAM) {
			fetch_elsewhere(cpu, at, fetch);
			return;
		}
	}
	insn = cpu->code->insn[at & 4095];
	if (!insn || insn->mode != cpu->mode) {
		insn = decode_at(cpu, at);
		if (!insn) {
			machine_end(cpu->pc, END_UNSUPPORTED, "out of memory");
			stop_at(cpu, at);
			return;
		}
	}
	fetch_lines(cpu, at, insn);
	cpu->insn = insn;
	cpu->insn_at = at;
	cpu->step.cpl = cpu->cpl;
	if (insn->flags & I_REP) {
		cpu->rep_mask = count_mask(cpu, insn);
		cpu->rep_start = engine_reg(cpu, REG_CX) & cpu->rep_mask;
	}
	if (insn->p5.needs)
		p5_prepare(cpu, insn);
	if (cpu->pmu->wants_regs)
		machine_regs(cpu, cpu->regs_before);
	if (insn->kind)
		intercept(cpu, insn, at);
}

/* An exception that the engine found. */
static void exception_hook(uc_engine *uc, uint32_t vector, void *user)
{
	struct cpu *cpu = user;
	uint64_t at, mask;
	uint32_t error;

	(void)uc;
	engine_load(cpu);
	mask = cpu->long_mode ? UINT64_MAX : UINT32_MAX;
	at = (cpu->cs_base + cpu->image->rip) & mask;
	error = engine_error_code(cpu);
	if (cpu->insn && (vector == VEC_DB || at != cpu->insn_at))
		retire(cpu, at);
	cpu->insn = NULL;
	cpu->accesses = 0;
	cpu->stall = 0;
	/* INT n that the engine did itself: it stands behind the instruction */
	if (vector > 31) {
		interrupt_deliver(cpu, vector, INT_SOFTWARE, 0, at);
		return;
	}
	execute_event(cpu, false, at);
	interrupt_deliver(cpu, vector, INT_FAULT, error, at);
	if (cpu->pc->end != END_NONE)
		uc_emu_stop(cpu->uc);
}

static bool undefined_hook(uc_engine *uc, void *user)
{
	exception_hook(uc, VEC_UD, user);
	return true;
}

/* The engine may fetch from everywhere; code_hook() knows what is there. */
static bool fetch_hook(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                       void *user)
{
	(void)uc;
	(void)type;
	(void)address;
	(void)size;
	(void)value;
	(void)user;
	return true;
}

bool execute_hook(struct cpu *cpu)
{
	static const struct {
		int type;
		void *callback;
	} hooks[] = {
		{ UC_HOOK_CODE, (void *)code_hook },
		{ UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)memory_hook },
		{ UC_HOOK_INTR, (void *)exception_hook },
		{ UC_HOOK_INSN_INVALID, (void *)undefined_hook },
		{ UC_HOOK_MEM_FETCH_PROT, (void *)fetch_hook },
	};
	uc_hook handle;

	for (unsigned i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		if (uc_hook_add(cpu->uc, &handle, hooks[i].type, hooks[i].callback, cpu, 1, 0))
			return false;
	return true;
}

/* The engine could not go on: an address that no page table can have. */
static void engine_failed(struct cpu *cpu, uc_err error)
{
	uint64_t at = cpu->insn ? cpu->insn_at : cpu->cs_base + cpu->resume;

	switch (error) {
	case UC_ERR_READ_UNMAPPED:
	case UC_ERR_WRITE_UNMAPPED:
	case UC_ERR_FETCH_UNMAPPED:
		cpu->insn = NULL;
		cpu->accesses = 0;
		execute_event(cpu, false, at);
		interrupt_deliver(cpu, VEC_GP, INT_FAULT, 0, at);
		cpu->resume = cpu->image->rip;
		break;
	default:
		machine_end(cpu->pc, END_UNSUPPORTED, "execution engine: %s at %#llx",
		            uc_strerror(error), (unsigned long long)at);
		break;
	}
}

void execute_slice(struct cpu *cpu)
{
	uint64_t steps = cpu->pc->steps;
	uc_err error;

	cpu->stopped = false;
	update_collect(cpu);
	execute_deadline(cpu);
	engine_mmu_run(cpu);
	error = uc_emu_start(cpu->uc, cpu->resume, 0, 0, 0);
	engine_mmu_run(NULL);
	if (error) {
		engine_failed(cpu, error);
	} else if (!cpu->stopped && cpu->pc->end == END_NONE) {
		/* it ends by itself after an undefined instruction: go on where that led */
		engine_load(cpu);
		cpu->resume = cpu->image->rip;
		if (steps == cpu->pc->steps)
			machine_end(cpu->pc, END_UNSUPPORTED, "the engine cannot execute at %#llx",
			            (unsigned long long)(cpu->cs_base + cpu->resume));
	}
}
