/*
 * sim/step/access.c - the caches: what each access of an instruction meets there.
 */
#include "sim/step/access.h"

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/store.h"
#include "sim/model/models.h"
#include "sim/cpu/breakpoint.h"
#include "sim/step/translate.h"

enum { CR0_CD = 1 << 30 };

/* What a data access met. */
struct met {
	bool miss, tlb_miss, uncached;
	uint8_t walk, stlb; /* clocks of page walks, of the second TLB; at most 255 */
	enum sim_level level;
};

static bool cacheable(const struct cpu *cpu, uint64_t physical)
{
	return machine_has(cpu->pc, physical) && (physical < 0xa0000 || physical >= 0xc0000) &&
	       !(cpu->cr0 & CR0_CD);
}

/* A modified line leaves a level: the next one takes it. */
static enum cache_result write_back(struct cache *to, uint64_t address)
{
	enum cache_result result = CACHE_MISS;

	if (!to || !to->line)
		return result;
	result = cache_lookup(to, address, true);
	if (result == CACHE_MISS)
		cache_fill(to, address, true);
	return result;
}

static void fill_l2(struct cpu *cpu, uint64_t address)
{
	struct victim out = cache_fill(cpu->mem.l2, address, false);

	step_signal(cpu, SIG_L2_FILL, 1);
	step_signal(cpu, SIG_L2_EVICT, out.valid);
	step_signal(cpu, SIG_L2_EVICT_CLEAN, out.valid && !out.modified);
	if (!out.modified)
		return;
	step_signal(cpu, SIG_L2_WRITEBACK, 1);
	write_back(cpu->mem.llc, out.address);
}

enum request { REQUEST_LOAD, REQUEST_STORE, REQUEST_CODE };

/* Signals of L2 by kind of request: hit unmodified, hit modified, miss. */
static const uint8_t l2_signals[3][3] = {
	[REQUEST_LOAD] = { SIG_L2_LOAD_HIT_E, SIG_L2_LOAD_HIT_M, SIG_L2_LOAD_MISS },
	[REQUEST_STORE] = { SIG_L2_STORE_HIT_E, SIG_L2_STORE_HIT_M, SIG_L2_STORE_MISS },
	[REQUEST_CODE] = { SIG_L2_CODE_HIT_E, SIG_L2_CODE_HIT_M, SIG_L2_CODE_MISS },
};

/* Signals of the last level: miss, hit; then hits of unmodified and of modified lines. */
static const uint16_t llc_request[3][4] = {
	[REQUEST_LOAD] = { SIG_LLC_LOAD_MISS, SIG_LLC_LOAD_HIT, SIG_LLC_LOAD_HIT_E,
	                   SIG_LLC_LOAD_HIT_M },
	[REQUEST_STORE] = { SIG_LLC_STORE_MISS, SIG_LLC_STORE_HIT, SIG_LLC_STORE_HIT_E,
	                    SIG_LLC_STORE_HIT_M },
	[REQUEST_CODE] = { SIG_LLC_CODE_MISS, SIG_LLC_CODE_HIT, SIG_LLC_CODE_HIT_E,
	                   SIG_LLC_CODE_HIT_M },
};

static void llc_signals(struct cpu *cpu, enum request request, enum cache_result result)
{
	bool hit = result != CACHE_MISS;

	step_signal(cpu, SIG_LLC_REFERENCE, 1);
	if (hit)
		step_signal(cpu, (enum sim_signal)llc_request[request][2 + (result == CACHE_HIT_M)],
		            1);
	step_signal(cpu, SIG_LLC_MISS, !hit);
	step_signal(cpu, (enum sim_signal)llc_request[request][hit], 1);
}

/* Last level beyond L2. */
static enum sim_level outer_level(struct cpu *cpu, uint64_t address, enum request request)
{
	const struct costs *costs = &cpu->model->costs;
	struct cache *llc = cpu->mem.llc;
	enum cache_result result = llc ? cache_lookup(llc, address, false) : CACHE_MISS;
	bool hit = result != CACHE_MISS;

	if (llc) {
		llc_signals(cpu, request, result);
		if (!hit)
			cache_fill(llc, address, false);
	}
	cpu->flight.stall += hit ? costs->llc_hit : costs->memory;
	return hit ? LEVEL_LLC : LEVEL_MEMORY;
}

/* A first-level cache asks for a line. */
static enum sim_level second_level(struct cpu *cpu, uint64_t address, enum request request)
{
	const uint8_t *sig = l2_signals[request];
	struct cache *l2 = cpu->mem.l2;
	enum cache_result result;
	enum sim_level level;

	if (!l2->line)
		return outer_level(cpu, address, request);
	result = cache_lookup(l2, address, false);
	step_signal(cpu,
	            (enum sim_signal)sig[result == CACHE_HIT_E   ? 0
	                                 : result == CACHE_HIT_M ? 1
	                                                         : 2],
	            1);
	step_signal(cpu, SIG_L2_CODE_HIT, request == REQUEST_CODE && result != CACHE_MISS);
	if (!cpu->mem.llc)
		llc_signals(cpu, request, result);
	if (result != CACHE_MISS) {
		cpu->flight.stall += cpu->model->costs.l2_hit;
		return LEVEL_L2;
	}
	level = outer_level(cpu, address, request);
	fill_l2(cpu, address);
	return level;
}

/* A line has left L1D. */
static void evicted(struct cpu *cpu, const struct victim *out)
{
	enum cache_result result;

	step_signal(cpu, SIG_L1D_EVICT, out->valid);
	step_signal(cpu, SIG_L1D_EVICT_CLEAN, out->valid && !out->modified);
	if (!out->modified)
		return;
	step_signal(cpu, SIG_L1D_WRITEBACK, 1);
	result = write_back(cpu->mem.l2, out->address);
	step_signal(cpu,
	            result == CACHE_HIT_E   ? SIG_WRITEBACK_HIT_E
	            : result == CACHE_HIT_M ? SIG_WRITEBACK_HIT_M
	                                    : SIG_L2_WRITE_MISS,
	            1);
}

static void fill_l1d(struct cpu *cpu, uint64_t address, bool modified)
{
	unsigned bits = cpu->model->conflict_bits;
	struct victim out;

	if (bits) {
		out = cache_conflict(cpu->mem.l1d, address, bits);
		step_signal(cpu, SIG_L1D_CONFLICT, out.valid);
		evicted(cpu, &out);
	}
	out = cache_fill(cpu->mem.l1d, address, modified);
	step_signal(cpu, modified ? SIG_L1D_FILL_M : SIG_L1D_FILL, 1);
	if (modified)
		step_signal(cpu, SIG_L1D_FILL, 1);
	evicted(cpu, &out);
}

/* Another CPU writes a line: the copies here are stale. */
static void snoop(struct cpu *cpu, uint64_t address)
{
	for (unsigned i = 0; i < cpu->pc->cpus; i++) {
		struct cpu *other = &cpu->pc->cpu[i];

		if (other->mem.l1d == cpu->mem.l1d)
			continue;
		cache_drop(other->mem.l1d, address);
		cache_drop(other->mem.l2, address);
		if (other->mem.llc != cpu->mem.llc)
			cache_drop(other->mem.llc, address);
	}
}

/* Signals of a hit, by the line: unmodified, modified. */
static const uint8_t l1d_hit[2][2] = {
	{ SIG_L1D_LOAD_HIT_E, SIG_L1D_LOAD_HIT_M },
	{ SIG_L1D_STORE_HIT_E, SIG_L1D_STORE_HIT_M },
};

/* One line of a data access. */
static void access_line(struct cpu *cpu, uint64_t physical, bool write, struct met *met)
{
	struct cache *l1d = cpu->mem.l1d;
	enum cache_result result;
	enum sim_level level;
	bool through;

	if (!cacheable(cpu, physical)) {
		step_signal(cpu, write ? SIG_UNCACHED_WRITE : SIG_UNCACHED_READ, 1);
		met->uncached = true;
		met->level = LEVEL_MEMORY;
		return;
	}
	if (!l1d->line)
		return;
	if (write && cpu->pc->cpus > 1)
		snoop(cpu, physical);
	through = write && cpu->pc->opt.faults.l1_write_through;
	result = cache_lookup(l1d, physical, write && !through);
	if (result != CACHE_MISS && through) {
		met->miss = true; /* and no event of a miss: the line is there, shared */
		met->level = LEVEL_MEMORY;
		return;
	}
	if (result != CACHE_MISS) {
		step_signal(cpu, write ? SIG_L1D_STORE_HIT : SIG_L1D_LOAD_HIT, 1);
		step_signal(cpu, (enum sim_signal)l1d_hit[write][result == CACHE_HIT_M], 1);
		return;
	}
	step_signal(cpu, write ? SIG_L1D_STORE_MISS : SIG_L1D_LOAD_MISS, 1);
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
	return cpu->mem.l1d->line ? 1u << cpu->mem.l1d->line_shift : 64;
}

static void shape_signals(struct cpu *cpu, const struct mem_access *a, bool mmx)
{
	uint64_t last = a->linear + a->size - 1;
	unsigned unit = a->size <= 4 ? 4 : 8;

	if ((a->linear ^ last) / unit && a->size > 1 && a->size <= 16 &&
	    !(a->size > 8 && !(a->linear & 7))) {
		step_signal(cpu, SIG_MISALIGNED, 1);
		if (mmx)
			step_signal(cpu, SIG_MMX_MISALIGNED, 1);
	}
	if ((a->linear ^ last) / 4096 && a->size <= 16)
		step_signal(cpu, a->write ? SIG_PAGE_SPLIT_STORE : SIG_PAGE_SPLIT_LOAD, 1);
	if ((a->linear ^ last) / 8 && !(a->size > 8 && !(a->linear & 7)))
		step_signal(cpu, SIG_MISALIGNED8, 1);
}

/* One whole operand. */
static struct met access_data(struct cpu *cpu, const struct mem_access *a)
{
	enum access_kind kind = a->write ? ACCESS_WRITE : ACCESS_READ;
	uint64_t line = line_size(cpu), last = a->linear + a->size - 1, physical;
	struct met met = { 0 };

	cpu->flight.walk = cpu->flight.stlb = 0;
	for (uint64_t at = a->linear;; at = (at & ~(line - 1)) + line) {
		if (!translate_data(cpu, at, kind, &met.tlb_miss, &physical))
			return met;
		access_line(cpu, physical, a->write, &met);
		if ((at & ~(line - 1)) == (last & ~(line - 1)))
			break;
	}
	if ((a->linear ^ last) & ~(line - 1)) {
		step_signal(cpu, a->write ? SIG_SPLIT_STORE : SIG_SPLIT_LOAD, 1);
		cpu->flight.stall += cpu->model->costs.split;
	}
	met.walk = (uint8_t)(cpu->flight.walk < 255 ? cpu->flight.walk : 255);
	met.stlb = (uint8_t)(cpu->flight.stlb < 255 ? cpu->flight.stlb : 255);
	return met;
}

enum sim_level access_peek(const struct cpu *cpu, uint64_t linear)
{
	const struct hierarchy *mem = &cpu->mem;
	uint64_t physical = linear;
	struct page page;

	if (cpu->paging) {
		if (!memory_translate(cpu, linear, &page))
			return LEVEL_L1;
		physical = page.physical + (linear & (page.size - 1));
	}
	if (!cacheable(cpu, physical) || !mem->l1d->line || cache_has(mem->l1d, physical))
		return LEVEL_L1;
	return mem->l2->line && cache_has(mem->l2, physical) ? LEVEL_L2 : LEVEL_LLC;
}

void access_prefetch(struct cpu *cpu, uint64_t linear)
{
	static const enum sim_signal fills[] = {
		[LEVEL_L2] = SIG_SW_PREFETCH_L2,
		[LEVEL_LLC] = SIG_SW_PREFETCH_LLC,
		[LEVEL_MEMORY] = SIG_SW_PREFETCH_MEMORY,
	};
	struct met met = { 0 };
	bool collect = cpu->flight.collect;
	uint32_t stall = cpu->flight.stall;
	uint64_t physical;

	cpu->flight.collect = false; /* no access of the program, and nothing waits for it */
	if (translate_data(cpu, linear, ACCESS_READ, &met.tlb_miss, &physical) &&
	    cacheable(cpu, physical))
		access_line(cpu, physical, false, &met);
	cpu->flight.collect = collect;
	cpu->flight.stall = stall;
	if (met.miss)
		step_signal(cpu, fills[met.level], 1);
}

/* What the core waits for is its own affair: the clocks of each access go there one by one. */
static void record_core(struct cpu *cpu, const struct mem_access *a, const struct met *met,
                        uint32_t extra)
{
	struct core_dyn *dyn = &cpu->flight.core_dyn;

	cpu->flight.stall -= extra;
	if (dyn->accesses == CORE_ACCESSES) {
		dyn->more += extra;
		return;
	}
	dyn->access[dyn->accesses++] = (struct core_access){
		.address = a->linear,
		.extra = extra,
		.size = (uint8_t)(a->size > 255 ? 255 : a->size),
		.level = (uint8_t)met->level,
		.walk = met->walk,
		.stlb = met->stlb,
		.uncached = met->uncached,
		.write = a->write,
	};
}

static void record_access(struct cpu *cpu, const struct mem_access *a, const struct met *met,
                          uint32_t extra)
{
	struct p5_dyn *dyn = &cpu->flight.p5_dyn;

	if (cpu->flight.collect && cpu->flight.step.accesses < SIM_STEP_ACCESSES) {
		struct sim_access *to = &cpu->flight.step.access[cpu->flight.step.accesses++];

		to->linear = a->linear;
		to->size = (uint8_t)(a->size > 255 ? 255 : a->size);
		to->write = a->write;
		to->dtlb_miss = met->tlb_miss;
		to->level = met->level;
	}
	if (cpu->core_machine)
		record_core(cpu, a, met, extra);
	if (!(cpu->model->flags & MODEL_PIPELINE))
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

/*
 * Most accesses are of one line, which is the latest of its set in the first level, and of the page
 * before, while no signals are collected. False: something is not so, and nothing has been done.
 */
static inline bool plain_hit(struct cpu *cpu, const struct mem_access *a)
{
	struct cache *l1d = cpu->mem.l1d;
	uint64_t physical = a->linear, last = a->linear + a->size - 1;

	if (cpu->flight.collect || !l1d->line || (a->linear ^ last) >> l1d->line_shift)
		return false;
	if (a->write && (cpu->pc->cpus > 1 || cpu->pc->opt.faults.l1_write_through))
		return false;
	if (cpu->paging) {
		if (cpu->mem.last_page != (a->linear & ~4095ull) + 1)
			return false;
		physical = cpu->mem.last_phys + (a->linear & 4095);
	}
	return cacheable(cpu, physical) && cache_latest(l1d, physical, a->write);
}

/*
 * What microcode reads and writes beside the operands (descriptors, a second word of a far return)
 * goes to the caches, and no event counts it: it is no load of the event that counts loads.
 */
void access_flush(struct cpu *cpu, const struct insn *insn)
{
	static const struct met nothing;
	bool mmx = insn->flags & I_MMX, collect = cpu->flight.collect;
	unsigned operands[2] = { insn->loads, insn->stores };

	for (unsigned i = 0; i < cpu->flight.accesses; i++) {
		const struct mem_access *a = &cpu->flight.access[i];
		uint32_t stall = cpu->flight.stall;
		struct met met;

		cpu->flight.collect = collect && (insn->flags & I_REP || operands[a->write]);
		operands[a->write] -= operands[a->write] > 0;

		if (plain_hit(cpu, a)) {
			if (cpu->core_machine)
				record_core(cpu, a, &nothing, 0);
			else
				record_access(cpu, a, &nothing, 0);
			continue;
		}
		met = access_data(cpu, a);
		if (cpu->flight.collect) {
			shape_signals(cpu, a, mmx);
			if (insn->offset && !a->write)
				step_signal(cpu, SIG_BASE_ELSEWHERE,
				            (a->linear ^ (a->linear - insn->offset)) >> 12 != 0);
			if (mmx && met.miss)
				step_signal(cpu, a->write ? SIG_MMX_STORE_MISS : SIG_MMX_LOAD_MISS,
				            1);
			if (insn->flags & I_REP) {
				step_signal(cpu, a->write ? SIG_STORES : SIG_LOADS, 1);
				step_signal(cpu, a->write ? SIG_PLAIN_STORES : SIG_PLAIN_LOADS, 1);
			}
		}
		record_access(cpu, a, &met, cpu->flight.stall - stall);
	}
	cpu->flight.collect = collect;
	cpu->flight.accesses = 0;
}

/* Is there a line in L1I that has run since it was last written? It is fetched again then. */
static bool wrote_code(struct cpu *cpu, uint64_t physical, uint64_t size)
{
	bool wrote = false;

	for (uint64_t p = physical & ~63ull; p < physical + size && p < cpu->pc->ram_end; p += 64) {
		struct code_page *code = cpu->code_pages[p >> 12];
		uint64_t line = 1ull << (p >> 6 & 63);

		if (!code || !(code->ran & line))
			continue;
		code->ran &= ~line;
		wrote |= cache_has(cpu->mem.l1i, p);
		if (cpu->core_machine)
			cpu->fetch.line = NEVER;
	}
	return wrote;
}

/* NetBurst looks at 1 KiB of code, 16 lines of L1I. Does the trace cache have any that ran? */
static bool has_traces(const struct cpu *cpu, uint64_t physical)
{
	const struct code_page *code = cpu->code_pages[physical >> 12];
	uint64_t block = physical & ~1023ull;

	if (!code || !(code->ran >> (block >> 6 & 63) & 0xffff))
		return false;
	for (uint64_t p = block; p < block + 1024; p += 64)
		if (code->ran >> (p >> 6 & 63) & 1 && cache_has(cpu->mem.l1i, p))
			return true;
	return false;
}

/* The trace cache loses all that it has if a write hits its code. */
static void lose_traces(struct cpu *cpu, uint64_t physical, uint64_t size)
{
	if (physical + size > cpu->pc->ram_end ||
	    (!has_traces(cpu, physical) && !has_traces(cpu, physical + size - 1)))
		return;
	cache_empty(cpu->mem.l1i);
	for (unsigned i = 0; i < cpu->pc->cpus; i++) {
		struct cpu *thread = &cpu->pc->cpu[i];

		if (thread->mem.l1i != cpu->mem.l1i)
			continue;
		thread->fetch.line = NEVER;
		if (thread->core_machine)
			core_forget(&thread->core);
	}
	if (cpu->flight.insn)
		step_signal(cpu, SIG_TRACES_LOST, 1);
}

/*
 * Code may have been overwritten. The page of the last access is remembered. What began again wrote
 * the same before.
 */
static void written(struct cpu *cpu, uint64_t linear, uint64_t size)
{
	bool again = cpu->store.began_again == cpu->retired + 1;
	uint64_t physical = linear;

	if (cpu->paging) {
		if (cpu->store.page != (linear & ~4095ull)) {
			struct page page;

			if (!memory_translate(cpu, linear, &page))
				return;
			cpu->store.page = linear & ~4095ull;
			cpu->store.phys = page.physical + (cpu->store.page & (page.size - 1));
		}
		physical = cpu->store.phys + (linear & 4095);
	}
	if (cpu->model->groups & G_NETBURST && !again)
		lose_traces(cpu, physical, size);
	if (physical < cpu->pc->ram_end && store_changed(cpu->pc, physical, size, cpu) &&
	    wrote_code(cpu, physical, size) && cpu->flight.insn && !again)
		step_signal(cpu, SIG_CODE_WRITTEN, 1);
}

/*
 * The engine reports a 16-byte operand in two pieces. One that crosses a page it reports as a whole
 * and then in aligned pieces, the first of which begins before it. Pieces that touch become one
 * operand again, unless the instruction has operands left to give.
 */
void access_note(struct cpu *cpu, uint64_t linear, uint64_t size, bool write)
{
	unsigned same = 0;
	struct mem_access *last = NULL;

	if (write) {
		cpu->store.unaligned = linear & (size - 1);
		written(cpu, linear, size);
	}
	if (!cpu->flight.insn)
		return;
	if (cpu->debug.watched)
		breakpoint_data(cpu, linear, size, write);
	for (unsigned i = 0; i < cpu->flight.accesses; i++) {
		if (cpu->flight.access[i].write == write) {
			same++;
			last = &cpu->flight.access[i];
		}
	}
	if (last && !(cpu->flight.insn->flags & I_LOOSE) &&
	    same >= (write ? cpu->flight.insn->stores : cpu->flight.insn->loads) &&
	    linear + size >= last->linear && linear <= last->linear + last->size) {
		if (linear == last->linear + last->size)
			last->size += (uint32_t)size;
		return;
	}
	if (cpu->flight.accesses == CPU_ACCESSES)
		access_flush(cpu, cpu->flight.insn);
	cpu->flight.access[cpu->flight.accesses++] =
		(struct mem_access){ .linear = linear, .size = (uint32_t)size, .write = write };
}

void access_code(struct cpu *cpu, uint64_t physical)
{
	struct cache *l1i = cpu->mem.l1i;
	uint32_t stall = cpu->flight.stall;
	enum sim_level level;

	if (!l1i->line || !cacheable(cpu, physical))
		return;
	if (!cpu->flight.collect && cache_latest(l1i, physical, false))
		return;
	step_signal(cpu, SIG_L1I_FETCH, 1);
	if (cache_lookup(l1i, physical, false) != CACHE_MISS) {
		step_signal(cpu, SIG_L1I_HIT, 1);
		return;
	}
	step_signal(cpu, SIG_L1I_MISS, 1);
	level = second_level(cpu, physical, REQUEST_CODE);
	if (level > LEVEL_L2)
		cpu->flight.core_dyn.fetch_l2 += cpu->flight.stall - stall;
	if (level > LEVEL_LLC)
		cpu->flight.core_dyn.fetch_memory += cpu->flight.stall - stall;
	cache_fill(l1i, physical, false);
	if (cpu->model->flags & MODEL_PIPELINE) {
		struct code_page *code = cpu->code_pages[physical >> 12];

		cpu->flight.p5_dyn.code_miss++;
		if (code)
			code->fills[(physical & 4095) / 32]++;
		cpu->flight.stall = stall;
	}
}

void access_drop(struct cpu *cpu, uint64_t physical)
{
	cache_drop(cpu->mem.l1d, physical);
	cache_drop(cpu->mem.l1i, physical);
	cache_drop(cpu->mem.l2, physical);
	if (cpu->mem.llc)
		cache_drop(cpu->mem.llc, physical);
	cpu->fetch.line = NEVER;
}

void access_empty(struct cpu *cpu)
{
	cache_empty(cpu->mem.l1d);
	cache_empty(cpu->mem.l1i);
	cache_empty(cpu->mem.l2);
	if (cpu->mem.llc)
		cache_empty(cpu->mem.llc);
	cpu->fetch.line = NEVER;
}
