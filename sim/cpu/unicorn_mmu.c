/*
 * sim/cpu/unicorn_mmu.c - gives Unicorn the paging that it lacks, and cheap stores.
 *
 * Unicorn 2.0.1 walks the guest's page tables and finds every fault, but then uses the linear
 * address as the physical one, and refuses linear addresses at which no memory is mapped. Both are
 * decided in functions that its library calls through its own symbol table, so the functions of
 * the same names in this file come first: they put the physical address in and pass the call on.
 * unicorn_open() checks that they are reached.
 *
 * For every store the library collects the translations of the page in a tree, of which there are
 * none in most pages. It says when a page gets its first translation and loses its last one.
 *
 * A translation may be 512 instructions long, but the library has room for 512 temporaries only and
 * x87 instructions leave theirs behind: 448 FADD wrote past the end of the table. So we ask for
 * less.
 *
 * CMP with a LOCK prefix, and far CALL and JMP of a register, make its translator give up the
 * whole process. The simulator raises #UD before such an instruction would run, so the translator
 * may see UD2 there.
 */
#include "sim/cpu/unicorn_mmu.h"

#include <dlfcn.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"

/* Somewhere on the open bus: stands for physical addresses that the engine knows nothing of. */
enum { NOWHERE = 0xff000000u };

enum { TRANSLATION = 128 /* instructions */ };

static struct cpu *running;
static unsigned reached;

void tb_flush_x86_64(void *state);

/*
 * The library puts translations into 1 GiB of memory, one behind the other, even when code that
 * changes makes it translate again. When the memory is full it drops all translations, and version
 * 2.0.1 then follows a pointer to a translation that is gone. So they are dropped here, between two
 * runs, long before. An instruction takes 200 bytes in a boot and 1.1 KiB where all code is new
 * (instr.*, ports=). There is room for 2.6 KiB each. The library clears all of its memory each
 * time, which takes seconds when the memory is new to the host.
 */
void unicorn_mmu_run(struct cpu *cpu)
{
	running = cpu;
	if (cpu && cpu->engine.unicorn_state &&
	    cpu->engine.translated > cpu->pc->opt.translations) {
		tb_flush_x86_64(cpu->engine.unicorn_state);
		cpu->engine.translated = 0;
		cpu->engine.translations_dropped++;
	}
}

bool unicorn_mmu_works(void)
{
	return reached >= 5; /* not among them: a hook for each instruction */
}

static void *next_function(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f) {
		fprintf(stderr, "cpl0-sim: libunicorn has no %s\n", name);
		exit(3);
	}
	return f;
}

/* The registers now: the instruction that changed them may not have been retired yet. */
static void refresh(struct cpu *cpu)
{
	uc_reg_read(cpu->engine.uc, UC_X86_REG_CR0, &cpu->cr0);
	uc_reg_read(cpu->engine.uc, UC_X86_REG_CR3, &cpu->cr3);
	uc_reg_read(cpu->engine.uc, UC_X86_REG_CR4, &cpu->cr4);
	cpu->paging = cpu->cr0 >> 31 & 1;
	cpu->long_mode = cpu->paging && cpu->efer >> 8 & 1;
}

static uint64_t physical_page(struct cpu *cpu, uint64_t linear)
{
	struct page page;

	refresh(cpu);
	if (!memory_translate(cpu, linear, &page))
		return linear;
	linear = page.physical + (linear & (page.size - 1));
	if (cpu->pc->screen && linear >= cpu->pc->opt.screen.address &&
	    linear - cpu->pc->opt.screen.address < cpu->pc->screen_size)
		return linear;
	return linear >> 32 && !machine_has(cpu->pc, linear) ? NOWHERE : linear;
}

/* An entry for the engine's TLB. attrs is a structure of one word. */
void tlb_set_page_with_attrs_x86_64(void *state, uint64_t linear, uint64_t physical, uint32_t attrs,
                                    int prot, int mmu_idx, uint64_t size);

void tlb_set_page_with_attrs_x86_64(void *state, uint64_t linear, uint64_t physical, uint32_t attrs,
                                    int prot, int mmu_idx, uint64_t size)
{
	static void (*next)(void *, uint64_t, uint64_t, uint32_t, int, int, uint64_t);

	if (!next) {
		*(void **)&next = next_function("tlb_set_page_with_attrs_x86_64");
		reached++;
	}
	if (running) {
		running->engine.unicorn_state = state;
		physical = physical_page(running, linear);
	}
	next(state, linear, physical, attrs, prot, mmu_idx, size);
}

void tlb_flush_x86_64(void *state);

void unicorn_mmu_set_tables(struct cpu *cpu, uint64_t cr3)
{
	uc_reg_write(cpu->engine.uc, UC_X86_REG_CR3, &cr3);
	if (cpu->engine.unicorn_state) /* there are entries */
		tlb_flush_x86_64(cpu->engine.unicorn_state);
}

/* Which memory is at a linear address: RAM's will do, the page tables decide later. */
void *memory_mapping(void *uc, uint64_t address);

void *memory_mapping(void *uc, uint64_t address)
{
	static void *(*next)(void *, uint64_t);
	void *region;

	if (!next) {
		*(void **)&next = next_function("memory_mapping");
		reached++;
	}
	region = next(uc, address);
	return region || !running ? region : next(uc, 0);
}

void gen_intermediate_code_x86_64(void *state, void *block, int most);

void gen_intermediate_code_x86_64(void *state, void *block, int most)
{
	static void (*next)(void *, void *, int);

	if (!next) {
		*(void **)&next = next_function("gen_intermediate_code_x86_64");
		reached++;
	}
	next(state, block, most < TRANSLATION ? most : TRANSLATION);
}

/* By page of RAM, as the library counts them: it may hold translated code of some processor. */
static uint8_t *has_code;
static uint64_t pages;
static bool shared;

bool unicorn_mmu_open(const struct machine *pc)
{
	if (has_code)
		return true;
	pages = pc->ram_end >> 12;
	shared = pc->cpus > 1;
	has_code = calloc(pages, 1);
	return has_code;
}

static bool clean(uint64_t start, uint64_t end)
{
	for (uint64_t page = start >> 12; page <= (end - 1) >> 12; page++)
		if (page >= pages || has_code[page])
			return false;
	return true;
}

/* A page gets its first translation. */
void tlb_protect_code_x86_64(void *uc, uint64_t physical);

void tlb_protect_code_x86_64(void *uc, uint64_t physical)
{
	static void (*next)(void *, uint64_t);

	if (!next) {
		*(void **)&next = next_function("tlb_protect_code_x86_64");
		reached++;
	}
	if (physical >> 12 < pages)
		has_code[physical >> 12] = 1;
	next(uc, physical);
}

/* A page has lost its last translation; another processor may have some. */
void tlb_unprotect_code_x86_64(void *uc, uint64_t physical);

void tlb_unprotect_code_x86_64(void *uc, uint64_t physical)
{
	static void (*next)(void *, uint64_t);

	if (!next)
		*(void **)&next = next_function("tlb_unprotect_code_x86_64");
	if (!shared && physical >> 12 < pages)
		has_code[physical >> 12] = 0;
	next(uc, physical);
}

/* The three calls of a store; NULL stands for "none". */
void *page_collection_lock_x86_64(void *uc, uint64_t start, uint64_t end);

void *page_collection_lock_x86_64(void *uc, uint64_t start, uint64_t end)
{
	static void *(*next)(void *, uint64_t, uint64_t);

	if (clean(start, end))
		return NULL;
	if (!next)
		*(void **)&next = next_function("page_collection_lock_x86_64");
	return next(uc, start, end);
}

void tb_invalidate_phys_page_fast_x86_64(void *uc, void *set, uint64_t start, int size,
                                         uintptr_t from);

void tb_invalidate_phys_page_fast_x86_64(void *uc, void *set, uint64_t start, int size,
                                         uintptr_t from)
{
	static void (*next)(void *, void *, uint64_t, int, uintptr_t);

	if (!set)
		return;
	if (!next)
		*(void **)&next = next_function("tb_invalidate_phys_page_fast_x86_64");
	next(uc, set, start, size, from);
}

void page_collection_unlock_x86_64(void *set);

void page_collection_unlock_x86_64(void *set)
{
	static void (*next)(void *);

	if (!set)
		return;
	if (!next)
		*(void **)&next = next_function("page_collection_unlock_x86_64");
	next(set);
}

/*
 * A store hits the translation that it is part of: the engine drops that one and begins the
 * instruction again. In the middle of the bytes of a store it forgets its hooks for stores.
 */
void cpu_loop_exit_noexc_x86_64(void *state);

void cpu_loop_exit_noexc_x86_64(void *state)
{
	static void (*next)(void *);

	if (!next)
		*(void **)&next = next_function("cpu_loop_exit_noexc_x86_64");
	if (running)
		running->store.begins_again = true;
	next(state);
	abort(); /* it does not return */
}

/*
 * The translator of one instruction begins with this, as there is a hook for each, and reads it
 * then.
 */
static bool instruction_begins;
static bool undefined;
static uint64_t undefined_at; /* if so */

void check_exit_request_x86_64(void *context);

void check_exit_request_x86_64(void *context)
{
	static void (*next)(void *);

	if (!next)
		*(void **)&next = next_function("check_exit_request_x86_64");
	instruction_begins = true;
	next(context);
}

uint32_t cpu_ldub_code_x86_64(void *env, uint64_t linear);

uint32_t cpu_ldub_code_x86_64(void *env, uint64_t linear)
{
	static uint32_t (*next)(void *, uint64_t);
	uint32_t byte;

	if (!next) {
		*(void **)&next = next_function("cpu_ldub_code_x86_64");
		reached++;
	}
	byte = next(env, linear);
	if (instruction_begins) {
		if (running && ++running->engine.translated > running->pc->opt.translations)
			running->pending.attention = true; /* the run ends, see unicorn_mmu_run() */
		undefined = running && decode_upsets_engine(running, linear);
		undefined_at = linear;
	}
	instruction_begins = false;
	if (!undefined || linear - undefined_at > 1)
		return byte;
	return linear == undefined_at ? 0x0f : 0x0b;
}
