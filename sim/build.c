/*
 * sim/build.c - puts the PC together: processors, memory, devices, what a BIOS leaves behind.
 */
#include "sim/build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/cpu/apic.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/msr.h"
#include "sim/cpu/unicorn.h"
#include "sim/cpu/guest.h"
#include "sim/model/models.h"
#include "sim/ap_firmware.h"
#include "sim/pc/devices.h"
#include "sim/pc/screen.h"
#include "sim/pmu/pmu.h"
#include "sim/cpu/breakpoint.h"
#include "sim/step/execute.h"
#include "sim/step/pmu_host.h"

enum { FIRST_FAR = 300 };     /* --fault cpus=far */
#define LOW_RAM 0xc0000000ull /* more lies from 4 GiB on */

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

/*
 * Pentium Pro, erratum 1AP: an access to the APIC with another memory type than UC shuts the CPU
 * down. Linear and physical addresses of the page are taken to be the same.
 */
static void forbid_cached(struct cpu *cpu, uint64_t at)
{
	struct page page;

	if (cpu->pc->opt.faults.apic == APIC_FAULT_1AP && cpu->paging &&
	    memory_translate(cpu, at, &page) && !page.uncached)
		machine_end(cpu->pc, END_SHUTDOWN, "shutdown: the page of the APIC may be cached");
}

static uint64_t read_apic(struct cpu *cpu, uint64_t at, unsigned size)
{
	forbid_cached(cpu, at);
	return size == 4 && !(at & 15) ? apic_read(cpu, at & 0xff0) : 0;
}

static void write_apic(struct cpu *cpu, uint64_t at, unsigned size, uint32_t value)
{
	if (size != 4 || at & 15)
		return;
	forbid_cached(cpu, at);
	apic_write(cpu, at & 0xff0, value);
}

/* 64 bits are two accesses, the low half first. */
static uint64_t device_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
	struct cpu *cpu = user;
	struct machine *pc = cpu->pc;
	uint64_t at = pc->devices_from + offset;

	(void)uc;
	if (apic_has_page(cpu, at))
		return read_apic(cpu, at, size);
	if (size < 8)
		return pc->bus->memory_read(pc, at, size);
	return pc->bus->memory_read(pc, at, 4) | (uint64_t)pc->bus->memory_read(pc, at + 4, 4)
	                                                 << 32;
}

static void device_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
	struct cpu *cpu = user;
	struct machine *pc = cpu->pc;
	uint64_t at = pc->devices_from + offset;

	(void)uc;
	if (apic_has_page(cpu, at)) {
		write_apic(cpu, at, size, (uint32_t)value);
		return;
	}
	pc->bus->memory_write(pc, at, size < 8 ? size : 4, (uint32_t)value);
	if (size == 8)
		pc->bus->memory_write(pc, at + 4, 4, (uint32_t)(value >> 32));
}

static bool map_open_bus(struct cpu *cpu, uint64_t from, uint64_t to)
{
	return from >= to ||
	       !uc_mmio_map(cpu->engine.uc, from, to - from, open_read, cpu, open_write, cpu);
}

static bool map_memory(struct cpu *cpu)
{
	uint64_t ram = cpu->pc->ram_size, screen = cpu->pc->opt.screen.address, end = ram;
	bool low = cpu->pc->screen && screen < APIC_DEFAULT_BASE;

	if (low)
		end = screen + cpu->pc->screen_size;
	cpu->pc->devices_from = end;
	return screen_attach(cpu) && (!low || map_open_bus(cpu, ram, screen)) &&
	       !uc_mmio_map(cpu->engine.uc, end, MACHINE_HIGH - end, device_read, cpu, device_write,
	                    cpu);
}

/* ---- Building ---- */

static bool init_caches(const struct model *m, struct hierarchy *h, struct cpu *first)
{
	static const struct replacement lru;
	struct hierarchy *owner = first ? &first->mem : h;

	h->l1d = &owner->own_l1d;
	h->l1i = &owner->own_l1i;
	h->l2 = &owner->own_l2;
	return first ||
	       (cache_init(h->l1d, &m->l1d, &m->l1d_policy) && cache_init(h->l1i, &m->l1i, &lru) &&
	        cache_init(h->l2, &m->l2, &m->l2_policy));
}

/* Of nominal sizes. */
static bool init_walks(const struct machine *pc, struct hierarchy *h)
{
	static const struct tlb_geometry pde = { 32, 4 }, pdpte = { 4, 0 };

	return !pc->opt.faults.walk_levels ||
	       (tlb_init(&h->pde, &pde) && tlb_init(&h->pdpte, &pdpte));
}

static bool init_hierarchy(struct machine *pc, struct cpu *cpu)
{
	const struct model *m = cpu->model;
	struct hierarchy *h = &cpu->mem;

	if (!init_caches(m, h, machine_first_thread(cpu)) || !tlb_init(&h->dtlb, &m->dtlb) ||
	    !tlb_init(&h->dtlb_large, &m->dtlb_large) || !tlb_init(&h->itlb, &m->itlb) ||
	    !tlb_init(&h->itlb_large, &m->itlb_large) || !tlb_init(&h->stlb, &m->stlb) ||
	    !init_walks(pc, h) || !predictor_init(&cpu->predict, &m->predictor))
		return false;
	if (!pc->model->llc.kb)
		return true;
	if (!cpu->id && !cache_init(&h->own_llc, &pc->model->llc, &pc->model->llc_policy))
		return false;
	h->llc = &pc->cpu[0].mem.own_llc;
	return true;
}

static bool init_cpu(struct machine *pc, unsigned id)
{
	struct cpu *cpu = &pc->cpu[id];
	unsigned kind = pc->opt.other && id >= pc->cpus / 2;
	struct sim_pmu_host host = pmu_host(cpu);

	cpu->pc = pc;
	cpu->id = cpu->apic_id = id;
	if (pc->opt.faults.cpus == CPUS_FAR && id)
		cpu->apic_id = FIRST_FAR + id;
	cpu->model = kind ? pc->opt.other : pc->model;
	cpu->core_machine = pc->core[kind];
	cpu->code_pages = pc->code_pages[kind];
	cpu->run = id ? CPU_WAIT_SIPI : CPU_RUNNING;
	cpu->fetch.page = cpu->fetch.line = cpu->store.page = NEVER;
	cpu->faults.smi_due = cpu->halt.monitored = NEVER;
	cpu->faults.next = pc->opt.faults.smi_every || pc->opt.faults.nmi_at ? 0 : NEVER;
	breakpoint_reset(cpu);
	apic_reset(cpu, false);
	msr_reset(cpu);
	cpu->pmu = sim_pmu_new(guest_pmu(cpu), &host,
	                       machine_first_thread(cpu) ? machine_first_thread(cpu)->pmu : NULL);
	if (!cpu->pmu || !unicorn_open(cpu) || !map_memory(cpu) || !execute_hook(cpu) ||
	    !init_hierarchy(pc, cpu))
		return false;
	cpu->pmu->core = cpu->core_machine;
	if (pc->opt.faults.pmu_set)
		sim_pmu_set_fault(cpu->pmu, pc->opt.faults.pmu, pc->opt.faults.pmu_value);
	for (unsigned i = 0; i < pc->opt.faults.lies; i++)
		if (!sim_pmu_add_lie(cpu->pmu, &pc->opt.faults.lie[i]))
			fprintf(stderr,
			        "cpl0-sim: lie=shadow names a counter that %s does not have\n",
			        cpu->model->name);
	guest_begin(cpu);
	if (cpu->model->flags & MODEL_PIPELINE)
		p5_reset(&cpu->p5, cpu->model->l1d.kb > 8 ? P5_P55C : P5_P54C);
	if (!cpu->core_machine)
		return true;
	return core_reset(&cpu->core, cpu->core_machine,
	                  machine_first_thread(cpu) ? &machine_first_thread(cpu)->core : NULL);
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
	uint64_t all = (uint64_t)pc->opt.memory_mb << 20;

	pc->ram_size = all < LOW_RAM ? all : LOW_RAM;
	pc->ram_high = all - pc->ram_size;
	pc->ram_end = pc->ram_high ? MACHINE_HIGH + pc->ram_high : pc->ram_size;
	pc->ram = mmap(NULL, pc->ram_end, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pc->ram == MAP_FAILED) {
		pc->ram = NULL;
		return false;
	}
	memset(pc->ram + 0xc0000, 0xff, 0x40000); /* ROM sockets are empty */
	init_bios(pc->ram);
	for (unsigned k = 0; k < (pc->opt.other ? 2 : 1); k++) {
		pc->code_pages[k] = calloc(pc->ram_end >> 12, sizeof(*pc->code_pages[k]));
		if (!pc->code_pages[k])
			return false;
	}
	return true;
}

/* Counters that two threads share make threads of the processors, whatever was asked for. */
static unsigned threads_per_core(const struct options *opt)
{
	const struct sim_pmu_model *pmu = sim_pmu_model(opt->model->pmu);

	if (opt->cpus == 1)
		return 1;
	return pmu && pmu->threads > 1 ? pmu->threads : opt->threads;
}

/* Where the clocks of a model come from: *core stays NULL where that is not rows. NULL, or why. */
static const char *init_core(struct machine *pc, struct core_machine **core, const struct model *m)
{
	const char *why = NULL;

	if (!pc->opt.flat && !(m->flags & MODEL_PIPELINE))
		*core = core_machine(m->name, &why);
	if (*core && !(*core)->p.in_use) {
		core_machine_free(*core);
		*core = NULL;
	}
	if (!why)
		why = structure_words_apply_core(&pc->opt.structures, *core ? &(*core)->p : NULL);
	if (why)
		fprintf(stderr, "cpl0-sim: %s\n", why);
	return why;
}

bool build_machine(struct machine *pc, const struct options *opt)
{
	pc->opt = *opt;
	pc->model = opt->model;
	if (init_core(pc, &pc->core[0], opt->model) ||
	    (opt->other && init_core(pc, &pc->core[1], opt->other)))
		return false;
	pc->cpus = opt->cpus;
	pc->threads = threads_per_core(opt);
	if (!devices_open(pc) || !init_memory(pc) || !screen_init(pc))
		return false;
	for (unsigned i = 0; i < pc->cpus; i++)
		if (!init_cpu(pc, i))
			return false;
	pc->current = &pc->cpu[0];
	devices_reset(pc);
	ap_firmware_begin(pc);
	return true;
}

static void free_cpu(struct cpu *cpu)
{
	struct hierarchy *h = &cpu->mem;

	unicorn_close(cpu);
	if (cpu->pmu)
		sim_pmu_free(cpu->pmu);
	cache_free(&h->own_l1d);
	cache_free(&h->own_l1i);
	cache_free(&h->own_l2);
	cache_free(&h->own_llc);
	tlb_free(&h->dtlb);
	tlb_free(&h->dtlb_large);
	tlb_free(&h->itlb);
	tlb_free(&h->itlb_large);
	tlb_free(&h->stlb);
	tlb_free(&h->pde);
	tlb_free(&h->pdpte);
	core_free(&cpu->core);
	predictor_free(&cpu->predict);
}

void build_free(struct machine *pc)
{
	decode_free(pc);
	devices_close(pc);
	for (unsigned i = pc->cpus; i--;)
		free_cpu(&pc->cpu[i]);
	if (pc->ram)
		munmap(pc->ram, pc->ram_end);
	screen_free(pc);
	for (unsigned k = 0; k < KINDS; k++) {
		core_machine_free(pc->core[k]);
		pc->core[k] = NULL;
	}
}
