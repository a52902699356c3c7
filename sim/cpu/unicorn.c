/*
 * sim/cpu/unicorn.c - Unicorn as an execution engine that only computes.
 *
 * Everything that makes it a PC (interrupts, system instructions, devices) is done outside. The
 * registers that Unicorn's API does not give, the segment caches and the double-fault state, are
 * reached through uc_context_save and uc_context_restore, whose buffer is a copy of the CPU state
 * after a header of 16 bytes. That layout is not promised by anybody, so it is looked for at run
 * time and a Unicorn that differs is refused.
 */
#include "sim/cpu/unicorn.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/unicorn_mmu.h"

enum { CONTEXT_HEADER = 16, PROBE_AT = 0xf8000 };

enum { MSR_EFER = 0xc0000080, EFER_SCE = 1, EFER_NXE = 1 << 11 };

/* hflags of the engine */
enum {
	HF_CPL = 3,
	HF_CS32 = 1 << 4,
	HF_SS32 = 1 << 5,
	HF_ADDSEG = 1 << 6,
	HF_PE = 1 << 7,
	HF_MODE_BITS = 7 << 9, /* MP, EM, TS: as CR0 */
	HF_LMA = 1 << 14,
	HF_CS64 = 1 << 15,
	HF_OSFXSR = 1 << 22,
};

/* Descriptor, high half */
enum { DESC_CODE32 = 0x00cf9b00, DESC_DATA32 = 0x00cf9300, DESC_CODE16 = 0x9b00 };
enum { DESC_LONG = 1 << 21, DESC_BIG = 1 << 22, DESC_PAGES = 1 << 23 };

/* Where the fields beyond struct cpu_image are, the same for every engine of a process. */
static struct {
	bool known;
	size_t old_exception, error_code, efer;
} offsets;

static uint32_t *image_u32(const struct cpu *cpu, size_t offset)
{
	return (uint32_t *)((uint8_t *)cpu->engine.image + offset);
}

static uint64_t *image_u64(const struct cpu *cpu, size_t offset)
{
	return (uint64_t *)((uint8_t *)cpu->engine.image + offset);
}

struct probe {
	struct cpu *cpu;
	unsigned faults;
	uint32_t *seen[2];
	size_t words;
};

/* Keeps the state after each of two #GPs, of which the second becomes a #DF. */
static void probe_fault(uc_engine *uc, uint32_t vector, void *user)
{
	struct probe *probe = user;
	uint64_t next = PROBE_AT + 2;

	(void)vector;
	uc_context_save(uc, probe->cpu->engine.context);
	memcpy(probe->seen[probe->faults], probe->cpu->engine.image, 4 * probe->words);
	if (++probe->faults == 2)
		uc_emu_stop(uc);
	else
		uc_reg_write(uc, UC_X86_REG_RIP, &next);
}

static size_t find_words(const struct probe *probe, uint32_t first, uint32_t second)
{
	size_t found = 0;
	unsigned count = 0;

	for (size_t i = sizeof(struct cpu_image) / 4; i < probe->words; i++) {
		if (probe->seen[0][i] == first && probe->seen[1][i] == second) {
			found = 4 * i;
			count++;
		}
	}
	return count == 1 ? found : 0;
}

/* Two loads of DS with a selector outside of the empty GDT. */
static bool probe_exceptions(struct cpu *cpu, size_t words)
{
	static const uint8_t code[] = { 0x8e, 0xd8, 0x8e, 0xd8 }; /* mov ds,eax twice */
	struct probe probe = { .cpu = cpu, .words = words };
	uint64_t selector = 0x1230;
	uc_hook hook;
	bool found = false;

	probe.seen[0] = calloc(words, 4);
	probe.seen[1] = calloc(words, 4);
	if (probe.seen[0] && probe.seen[1] &&
	    !uc_mem_write(cpu->engine.uc, PROBE_AT, code, sizeof(code)) &&
	    !uc_hook_add(cpu->engine.uc, &hook, UC_HOOK_INTR, (void *)probe_fault, &probe, 1, 0)) {
		uc_reg_write(cpu->engine.uc, UC_X86_REG_RAX, &selector);
		uc_emu_start(cpu->engine.uc, PROBE_AT, 0, 0, 0);
		uc_hook_del(cpu->engine.uc, hook);
		uc_ctl_remove_cache(cpu->engine.uc, (uint64_t)PROBE_AT, (uint64_t)PROBE_AT + 16);
		offsets.old_exception = find_words(&probe, VEC_GP, VEC_DF);
		offsets.error_code = find_words(&probe, (uint32_t)selector, 0);
		found = probe.faults == 2 && offsets.old_exception && offsets.error_code;
	}
	memset(cpu->pc->ram + PROBE_AT, 0xff, sizeof(code));
	free(probe.seen[0]);
	free(probe.seen[1]);
	return found;
}

/* Checks struct cpu_image against what the API says and finds the rest. */
static bool probe_layout(struct cpu *cpu, size_t words)
{
	static const int ids[] = { UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RSP,
		                   UC_X86_REG_RDI, UC_X86_REG_R15, UC_X86_REG_RIP };
	uint64_t at[] = { 0, 0, 0, 0, 0, 0 };
	uint64_t efer;
	unsigned count = 0;

	for (unsigned i = 0; i < 6; i++) {
		at[i] = 0x10203040u * (i + 1);
		uc_reg_write(cpu->engine.uc, ids[i], &at[i]);
	}
	uc_context_save(cpu->engine.uc, cpu->engine.context);
	if (cpu->engine.image->reg[REG_AX] != at[0] || cpu->engine.image->reg[REG_CX] != at[1] ||
	    cpu->engine.image->reg[REG_SP] != at[2] || cpu->engine.image->reg[REG_DI] != at[3] ||
	    cpu->engine.image->reg[15] != at[4] || cpu->engine.image->rip != at[5] ||
	    cpu->engine.image->df != 1 ||
	    (cpu->engine.image->hflags & (HF_LMA | HF_CS64)) != (HF_LMA | HF_CS64) ||
	    !(cpu->engine.image->cr[0] & 1))
		return false;
	if (!unicorn_msr_read(cpu, MSR_EFER, &efer) || !efer)
		return false;
	for (size_t i = sizeof(struct cpu_image); i + 8 <= 4 * words; i += 8) {
		if (*image_u64(cpu, i) == efer) {
			offsets.efer = i;
			count++;
		}
	}
	return count == 1;
}

static bool map_high(struct cpu *cpu)
{
	const struct machine *pc = cpu->pc;

	return !pc->ram_high || !uc_mem_map_ptr(cpu->engine.uc, MACHINE_HIGH, pc->ram_high,
	                                        UC_PROT_ALL, pc->ram + MACHINE_HIGH);
}

bool unicorn_open(struct cpu *cpu)
{
	size_t words;

	if (!unicorn_mmu_open(cpu->pc) || uc_open(UC_ARCH_X86, UC_MODE_64, &cpu->engine.uc) ||
	    uc_mem_map_ptr(cpu->engine.uc, 0, cpu->pc->ram_size, UC_PROT_ALL, cpu->pc->ram) ||
	    !map_high(cpu) || uc_context_alloc(cpu->engine.uc, &cpu->engine.context) ||
	    uc_ctl_exits_enable(cpu->engine.uc)) /* and none: every address may be executed */
		return false;
	cpu->engine.image = (struct cpu_image *)((uint8_t *)cpu->engine.context + CONTEXT_HEADER);
	words = (uc_context_size(cpu->engine.uc) - CONTEXT_HEADER) / 4;
	if (offsets.known)
		return true;
	offsets.known =
		probe_layout(cpu, words) && probe_exceptions(cpu, words) && unicorn_mmu_works();
	return offsets.known;
}

void unicorn_close(struct cpu *cpu)
{
	if (cpu->engine.context)
		uc_context_free(cpu->engine.context);
	if (cpu->engine.uc)
		uc_close(cpu->engine.uc);
	cpu->engine.context = NULL;
	cpu->engine.uc = NULL;
}

static struct seg_image flat(uint32_t selector, uint32_t flags)
{
	return (struct seg_image){ .selector = selector, .limit = 0xffffffff, .flags = flags };
}

static struct seg_image real(uint32_t base, uint32_t flags)
{
	return (struct seg_image){
		.selector = base >> 4, .base = base, .limit = 0xffff, .flags = flags
	};
}

static void reset_image(struct cpu *cpu, uint32_t hflags)
{
	struct cpu_image *image = cpu->engine.image;

	uc_context_save(cpu->engine.uc, cpu->engine.context);
	memset(image->reg, 0, sizeof(image->reg));
	memset(image->seg, 0, sizeof(image->seg));
	memset(image->cr, 0, sizeof(image->cr));
	memset(&image->ldt, 0, sizeof(image->ldt));
	memset(&image->tr, 0, sizeof(image->tr));
	memset(&image->gdt, 0, sizeof(image->gdt));
	memset(&image->idt, 0, sizeof(image->idt));
	image->tr.flags = 0x8b00;
	image->ldt.flags = 0x8200;
	image->idt.limit = 0x3ff;
	image->gdt.limit = 0xffff;
	image->hflags = hflags | (image->hflags & ~(HF_CPL | HF_CS32 | HF_SS32 | HF_ADDSEG | HF_PE |
	                                            HF_MODE_BITS | HF_LMA | HF_CS64 | HF_OSFXSR));
	image->eflags = 2;
	image->cc[0] = image->cc[1] = image->cc[2] = 0;
	image->cc_op = 1; /* flags are in cc_src */
	image->df = 1;
	*image_u64(cpu, offsets.efer) = 0;
}

void unicorn_flat32(struct cpu *cpu, uint32_t entry, uint32_t gdt)
{
	struct cpu_image *image = cpu->engine.image;

	reset_image(cpu, HF_CS32 | HF_SS32 | HF_PE);
	for (unsigned i = 0; i < 6; i++)
		image->seg[i] = flat(gdt ? 0x18 : 0x10, DESC_DATA32);
	image->seg[SEG_CS] = flat(gdt ? 0x10 : 0x08, DESC_CODE32);
	if (gdt) {
		image->gdt.base = gdt;
		image->gdt.limit = 31;
	}
	image->cr[0] = 0x11;
	image->cr[4] = cpu->pc->opt.faults.la57 ? 1u << 12 : 0;
	unicorn_store(cpu);
	cpu->engine.resume = entry;
	unicorn_load(cpu);
}

void unicorn_real(struct cpu *cpu, uint8_t vector)
{
	struct cpu_image *image = cpu->engine.image;

	reset_image(cpu, HF_ADDSEG);
	for (unsigned i = 0; i < 6; i++)
		image->seg[i] = real(0, 0x9300);
	image->seg[SEG_CS] = real((uint32_t)vector << 12, DESC_CODE16);
	image->cr[0] = 0x60000010;
	unicorn_store(cpu);
	cpu->engine.resume = 0;
	unicorn_load(cpu);
}

void unicorn_load(struct cpu *cpu)
{
	const struct cpu_image *image = cpu->engine.image;
	uint64_t flags = unicorn_flags(cpu);

	uc_context_save(cpu->engine.uc, cpu->engine.context);
	cpu->cr0 = image->cr[0];
	cpu->cr3 = image->cr[3];
	cpu->cr4 = image->cr[4];
	cpu->efer = *image_u64(cpu, offsets.efer);
	cpu->cpl = image->hflags & HF_CPL;
	cpu->paging = cpu->cr0 >> 31 & 1;
	cpu->long_mode = image->hflags & HF_LMA;
	cpu->mode = image->hflags & HF_CS64 ? 64 : image->hflags & HF_CS32 ? 32 : 16;
	cpu->cs_base = cpu->mode == 64 ? 0 : image->seg[SEG_CS].base;
	cpu->int_flag = flags & 0x200;
	cpu->trap_flag = flags & 0x100;
}

void unicorn_store(struct cpu *cpu)
{
	*image_u32(cpu, offsets.old_exception) = UINT32_MAX;
	uc_context_restore(cpu->engine.uc, cpu->engine.context);
}

uint32_t unicorn_error_code(const struct cpu *cpu)
{
	return *image_u32(cpu, offsets.error_code);
}

uint64_t unicorn_flags(const struct cpu *cpu)
{
	uint64_t flags = 0;

	uc_reg_read(cpu->engine.uc, UC_X86_REG_RFLAGS, &flags);
	return flags;
}

void unicorn_set_flags(struct cpu *cpu, uint64_t flags)
{
	uc_reg_write(cpu->engine.uc, UC_X86_REG_RFLAGS, &flags);
	cpu->int_flag = flags & 0x200;
	cpu->trap_flag = flags & 0x100;
}

void unicorn_jump(struct cpu *cpu, uint64_t ip)
{
	uc_reg_write(cpu->engine.uc, UC_X86_REG_RIP, &ip);
}

static const int reg_ids[16] = {
	UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX,
	UC_X86_REG_RSP, UC_X86_REG_RBP, UC_X86_REG_RSI, UC_X86_REG_RDI,
	UC_X86_REG_R8,  UC_X86_REG_R9,  UC_X86_REG_R10, UC_X86_REG_R11,
	UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15,
};

uint64_t unicorn_reg(const struct cpu *cpu, unsigned reg)
{
	uint64_t value = 0;

	uc_reg_read(cpu->engine.uc, reg_ids[reg], &value);
	return value;
}

void unicorn_set_reg(struct cpu *cpu, unsigned reg, uint64_t value)
{
	uc_reg_write(cpu->engine.uc, reg_ids[reg], &value);
}

/* The library's own: uc_ctl_remove_cache() takes linear addresses and may fault. */
void tb_invalidate_phys_range_x86_64(uc_engine *uc, uint64_t start, uint64_t end);

void unicorn_forget(struct machine *pc, uint64_t physical, uint64_t size, const struct cpu *but)
{
	for (unsigned i = 0; i < pc->cpus; i++)
		if (pc->cpu[i].engine.uc && &pc->cpu[i] != but)
			tb_invalidate_phys_range_x86_64(pc->cpu[i].engine.uc, physical,
			                                physical + size);
}

bool unicorn_msr_read(const struct cpu *cpu, uint32_t msr, uint64_t *value)
{
	uc_x86_msr m = { .rid = msr };

	if (uc_reg_read(cpu->engine.uc, UC_X86_REG_MSR, &m))
		return false;
	*value = m.value;
	return true;
}

bool unicorn_msr_write(const struct cpu *cpu, uint32_t msr, uint64_t value)
{
	uc_x86_msr m = { .rid = msr, .value = value };

	return !uc_reg_write(cpu->engine.uc, UC_X86_REG_MSR, &m);
}

void unicorn_set_efer(struct cpu *cpu, uint64_t value)
{
	unicorn_msr_write(cpu, MSR_EFER, value);
	uc_context_save(cpu->engine.uc, cpu->engine.context);
	*image_u64(cpu, offsets.efer) =
		(*image_u64(cpu, offsets.efer) & ~(uint64_t)(EFER_SCE | EFER_NXE)) |
		(value & (EFER_SCE | EFER_NXE));
	uc_context_restore(cpu->engine.uc, cpu->engine.context);
}

static uint32_t seg_limit(uint64_t descriptor)
{
	uint32_t limit = (uint32_t)((descriptor & 0xffff) | (descriptor >> 32 & 0xf0000));

	return descriptor >> 32 & DESC_PAGES ? limit << 12 | 0xfff : limit;
}

/*
 * Works on cpu->image, between unicorn_load and unicorn_store. For SS in long mode the descriptor
 * is 0: a null selector with the privilege level in its low bits.
 */
void unicorn_set_segment(struct cpu *cpu, unsigned seg, uint32_t selector, uint64_t descriptor)
{
	struct seg_image *image = &cpu->engine.image->seg[seg];
	uint32_t hflags = cpu->engine.image->hflags;
	bool protected_mode = cpu->engine.image->cr[0] & 1;

	image->selector = selector;
	if (protected_mode) {
		image->base = (descriptor >> 16 & 0xffffff) | (descriptor >> 32 & 0xff000000);
		image->limit = seg_limit(descriptor);
		image->flags = (uint32_t)(descriptor >> 32);
	} else {
		image->base = (uint64_t)selector << 4;
	}
	if (seg == SEG_CS) {
		hflags &= ~(uint32_t)(HF_CS32 | HF_CS64);
		if (image->flags & DESC_LONG && hflags & HF_LMA)
			hflags |= HF_CS64 | HF_CS32 | HF_SS32;
		else if (image->flags & DESC_BIG)
			hflags |= HF_CS32;
		if (protected_mode)
			hflags = (hflags & ~(uint32_t)HF_CPL) | (selector & 3);
	}
	if (seg == SEG_SS && !(hflags & HF_CS64)) {
		hflags &= ~(uint32_t)HF_SS32;
		if (image->flags & DESC_BIG)
			hflags |= HF_SS32;
	}
	if (hflags & HF_CS64) {
		hflags &= ~(uint32_t)HF_ADDSEG;
	} else {
		const struct seg_image *s = cpu->engine.image->seg;

		if (!protected_mode || !(hflags & HF_CS32) || s[SEG_DS].base || s[SEG_ES].base ||
		    s[SEG_SS].base)
			hflags |= HF_ADDSEG;
		else
			hflags &= ~(uint32_t)HF_ADDSEG;
	}
	cpu->engine.image->hflags = hflags;
}
