/*
 * sim/step/system.c - the instructions that the simulator does itself, because the execution engine
 * would give the answers of its own CPU instead of the model's.
 */
#include "sim/step/system.h"

#include <string.h>

#include "sim/cpu/apic.h"
#include "sim/cpu/cpu.h"
#include "sim/cpu/cpuid.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/unsupported.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/msr.h"
#include "sim/cpu/operand.h"
#include "sim/cpu/store.h"
#include "sim/cpu/unicorn.h"
#include "sim/cpu/unicorn_mmu.h"
#include "sim/cpu/guest.h"
#include "sim/model/models.h"
#include "sim/step/access.h"
#include "sim/cpu/breakpoint.h"
#include "sim/step/interrupt.h"
#include "sim/step/popcnt.h"
#include "sim/step/retire.h"
#include "sim/step/translate.h"

enum {
	CR4_TSD = 1 << 2,
	CR4_PAE = 1 << 5,
	CR4_PCE = 1 << 8,
	CR4_LA57 = 1 << 12,
	CR4_PCIDE = 1 << 17
};
enum {
	FL_TF = 1 << 8,
	FL_DF = 1 << 10,
	FL_OF = 1 << 11,
	FL_NT = 1 << 14,
	FL_RF = 1 << 16,
	FL_VM = 1 << 17
};
enum { DR7_DETECT = 1 << 13 };
enum { EAX, EBX, ECX, EDX };

static enum outcome fault(struct cpu *cpu, unsigned vector, uint32_t error, uint64_t at)
{
	cpu->flight.insn = NULL;
	sim_step_clear(&cpu->flight.step);
	cpu->flight.accesses = 0;
	retire_event(cpu, false, vector, at);
	interrupt_deliver(cpu, vector, INT_FAULT, error, at);
	return FAULTED;
}

static uint32_t low(const struct cpu *cpu, unsigned reg)
{
	return (uint32_t)unicorn_reg(cpu, reg);
}

static void set_pair(struct cpu *cpu, uint64_t value)
{
	unicorn_set_reg(cpu, REG_AX, (uint32_t)value);
	unicorn_set_reg(cpu, REG_DX, value >> 32);
}

static enum outcome do_cpuid(struct cpu *cpu)
{
	uint32_t out[4];

	cpuid_leaf(cpu, low(cpu, REG_AX), low(cpu, REG_CX), out);
	unicorn_set_reg(cpu, REG_AX, out[EAX]);
	unicorn_set_reg(cpu, REG_BX, out[EBX]);
	unicorn_set_reg(cpu, REG_CX, out[ECX]);
	unicorn_set_reg(cpu, REG_DX, out[EDX]);
	return DONE;
}

/*
 * Who asks for the time may be about to compare it with another processor's: its turn ends, so that
 * none is ahead of it by a slice.
 */
static enum outcome do_rdtsc(struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	if (cpu->cpl && cpu->cr4 & CR4_TSD)
		return fault(cpu, VEC_GP, 0, at);
	if (cpu->pc->cpus > 1)
		cpu->slice_end = cpu->deadline = cpu->clock;
	set_pair(cpu, tsc_now(cpu));
	if (insn->kind == K_RDTSCP)
		unicorn_set_reg(cpu, REG_CX, (uint32_t)cpu->msr[M_TSC_AUX]);
	return DONE;
}

static enum outcome do_rdmsr(struct cpu *cpu, uint64_t at)
{
	uint64_t value = 0;

	if (cpu->cpl || (!msr_read(cpu, low(cpu, REG_CX), &value) && !guest_ignores_msrs(cpu)))
		return fault(cpu, VEC_GP, 0, at);
	set_pair(cpu, value);
	return DONE;
}

/* KVM ignores only what it does not know: a wrong value of a known register is still #GP. */
static bool is_ignored_write(struct cpu *cpu, uint32_t msr)
{
	uint64_t value;

	return guest_ignores_msrs(cpu) && !msr_read(cpu, msr, &value);
}

static enum outcome do_wrmsr(struct cpu *cpu, uint64_t at)
{
	uint64_t value = (uint64_t)low(cpu, REG_DX) << 32 | low(cpu, REG_AX);

	if (cpu->cpl ||
	    (!msr_write(cpu, low(cpu, REG_CX), value) && !is_ignored_write(cpu, low(cpu, REG_CX))))
		return fault(cpu, VEC_GP, 0, at);
	return DONE;
}

static enum outcome do_rdpmc(struct cpu *cpu, uint64_t at)
{
	uint64_t value = 0;

	if (cpu->cpl && !(cpu->cr4 & CR4_PCE))
		return fault(cpu, VEC_GP, 0, at);
	switch (sim_pmu_rdpmc(cpu->pmu, low(cpu, REG_CX), &value)) {
	case RDPMC_GP:
		return fault(cpu, VEC_GP, 0, at);
	case RDPMC_UD:
		return fault(cpu, VEC_UD, 0, at);
	default:
		set_pair(cpu, value);
		return DONE;
	}
}

/* I/O permission bitmap of a 32-bit or 64-bit TSS. */
static bool io_allowed(struct cpu *cpu, uint16_t port, unsigned size)
{
	uint16_t map, bits;

	if (!(cpu->cr0 & 1) || cpu->cpl <= (unicorn_flags(cpu) >> 12 & 3))
		return true;
	unicorn_load(cpu);
	if (cpu->engine.image->tr.limit < 103 ||
	    !memory_read(cpu, cpu->engine.image->tr.base + 102, &map, 2) ||
	    map + port / 8u + 1 > cpu->engine.image->tr.limit ||
	    !memory_read(cpu, cpu->engine.image->tr.base + map + port / 8u, &bits, 2))
		return false;
	return !(bits >> (port & 7) & ((1u << size) - 1));
}

static enum outcome do_in_out(struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	uint16_t port = insn->imm_port ? insn->imm : (uint16_t)low(cpu, REG_DX);
	uint64_t ax = unicorn_reg(cpu, REG_AX);
	uint32_t mask = insn->width == 4 ? UINT32_MAX : (1u << 8 * insn->width) - 1;

	if (!io_allowed(cpu, port, insn->width))
		return fault(cpu, VEC_GP, 0, at);
	breakpoint_port(cpu, port, insn->width);
	cpu->flight.stall += cpu->pc->model->tsc_khz / 1000; /* a bus cycle on ISA: 1 us */
	if (insn->kind == K_OUT) {
		cpu->pc->bus->write(cpu->pc, port, insn->width, (uint32_t)ax & mask);
		return DONE;
	}
	ax = (insn->width == 4 ? 0 : ax & ~(uint64_t)mask) |
	     (cpu->pc->bus->read(cpu->pc, port, insn->width) & mask);
	unicorn_set_reg(cpu, REG_AX, ax);
	return DONE;
}

static uint64_t address_mask(const struct cpu *cpu, const struct insn *insn)
{
	if (insn->flags & I_ADDRESS16)
		return 0xffff;
	return insn->flags & I_ADDRESS32 || cpu->mode != 64 ? 0xffffffff : UINT64_MAX;
}

/* INS and OUTS, one element; segment overrides of OUTS are not looked at. */
static bool string_element(struct cpu *cpu, const struct insn *insn, uint16_t port)
{
	bool in = insn->kind == K_INS;
	unsigned reg = in ? REG_DI : REG_SI;
	uint64_t mask = address_mask(cpu, insn), index = unicorn_reg(cpu, reg);
	uint64_t base = cpu->mode == 64 ? 0 : cpu->engine.image->seg[in ? SEG_ES : SEG_DS].base;
	uint64_t linear = base + (index & mask);
	uint32_t value = 0;

	breakpoint_port(cpu, port, insn->width);
	breakpoint_data(cpu, linear, insn->width, in);
	if (in) {
		value = cpu->pc->bus->read(cpu->pc, port, insn->width);
		if (!store_write(cpu, linear, &value, insn->width))
			return false;
	} else {
		if (!memory_read(cpu, linear, &value, insn->width))
			return false;
		cpu->pc->bus->write(cpu->pc, port, insn->width, value);
	}
	index = (index & ~mask) |
	        ((unicorn_flags(cpu) & FL_DF ? index - insn->width : index + insn->width) & mask);
	unicorn_set_reg(cpu, reg, index);
	return true;
}

static enum outcome do_string_io(struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	uint16_t port = (uint16_t)low(cpu, REG_DX);
	uint64_t mask = address_mask(cpu, insn);
	uint64_t count = insn->flags & I_REP ? unicorn_reg(cpu, REG_CX) & mask : 1;

	if (!io_allowed(cpu, port, insn->width))
		return fault(cpu, VEC_GP, 0, at);
	unicorn_load(cpu);
	for (; count && cpu->pc->end == END_NONE; count--) {
		if (!string_element(cpu, insn, port))
			return fault(cpu, VEC_PF, insn->kind == K_INS ? 2 : 0, at);
		if (insn->flags & I_REP)
			unicorn_set_reg(cpu, REG_CX, count - 1);
		cpu->pc->steps++;
		if (cpu->pc->steps > cpu->pc->opt.max_instructions)
			break;
	}
	return DONE;
}

static enum outcome do_int(struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	unsigned vector = insn->imm;
	uint64_t flags = unicorn_flags(cpu);

	/* virtual-8086 mode: only with IOPL 3 */
	if (insn->kind == K_INT && cpu->cr0 & 1 && flags & FL_VM && (flags >> 12 & 3) != 3)
		return fault(cpu, VEC_GP, 0, at);
	if (insn->kind == K_INT3)
		vector = VEC_BP;
	if (insn->kind == K_INT1)
		vector = VEC_DB;
	if (insn->kind == K_INTO) {
		vector = VEC_OF;
		if (!(flags & FL_OF))
			return DONE;
	}
	/* The frame holds the next instruction. In flight meanwhile: retired at the handler. */
	if (!interrupt_deliver(cpu, vector, INT_SOFTWARE, 0, at + insn->length)) {
		cpu->flight.insn = NULL;
		sim_step_clear(&cpu->flight.step);
	}
	return FAULTED;
}

static enum outcome do_hlt(struct cpu *cpu, uint64_t at)
{
	if (cpu->cpl)
		return fault(cpu, VEC_GP, 0, at);
	cpu->run = CPU_HALTED;
	return STOP;
}

/* CR4 bits that the model does not have are reserved. */
static uint64_t cr4_allowed(const struct cpu *cpu)
{
	static const struct {
		uint8_t cr4, leaf, reg, bit;
	} bits[] = {
		{ 0, 1, EDX, 1 },  { 1, 1, EDX, 1 },   { 2, 1, EDX, 4 },   { 3, 1, EDX, 2 },
		{ 4, 1, EDX, 3 },  { 5, 1, EDX, 6 },   { 6, 1, EDX, 7 },   { 7, 1, EDX, 13 },
		{ 9, 1, EDX, 24 }, { 10, 1, EDX, 25 }, { 17, 1, ECX, 17 },
	};
	const struct model *m = cpu->model;
	uint64_t allowed =
		(m->flags & MODEL_RDPMC ? CR4_PCE : 0) | (cpu->pc->opt.faults.la57 ? CR4_LA57 : 0);

	for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (cpuid_bit(m, bits[i].leaf, 0, bits[i].reg, bits[i].bit))
			allowed |= 1u << bits[i].cr4;
	return allowed;
}

static bool decode_now(struct cpu *cpu, uint64_t at, ZydisDecodedInstruction *zi,
                       ZydisDecodedOperand *ops)
{
	uint8_t bytes[15];
	size_t size = decode_fetch(cpu, at, bytes);

	return decode_bytes(cpu->mode, bytes, size, zi, ops);
}

/* Linear address of a memory operand of the instruction in flight. False: it has none. */
static bool operand(struct cpu *cpu, uint64_t at, uint64_t *linear)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];

	if (!decode_now(cpu, at, &zi, ops) || ops[0].type != ZYDIS_OPERAND_TYPE_MEMORY)
		return false;
	unicorn_load(cpu);
	*linear = operand_address(cpu, &zi, &ops[0], at + zi.length);
	return true;
}

/* MONITOR's address is no memory operand to Zydis: (E)AX in DS, or in the segment of a prefix. */
static uint64_t monitor_address(struct cpu *cpu, uint64_t at)
{
	static const struct {
		uint64_t prefix;
		ZydisRegister segment;
	} other[] = {
		{ ZYDIS_ATTRIB_HAS_SEGMENT_CS, ZYDIS_REGISTER_CS },
		{ ZYDIS_ATTRIB_HAS_SEGMENT_SS, ZYDIS_REGISTER_SS },
		{ ZYDIS_ATTRIB_HAS_SEGMENT_ES, ZYDIS_REGISTER_ES },
		{ ZYDIS_ATTRIB_HAS_SEGMENT_FS, ZYDIS_REGISTER_FS },
		{ ZYDIS_ATTRIB_HAS_SEGMENT_GS, ZYDIS_REGISTER_GS },
	};
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT], address = { 0 };

	decode_now(cpu, at, &zi, ops);
	unicorn_load(cpu);
	address.mem.base = ZYDIS_REGISTER_RAX;
	address.mem.segment = ZYDIS_REGISTER_DS;
	for (unsigned i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (zi.attributes & other[i].prefix)
			address.mem.segment = other[i].segment;
	return operand_address(cpu, &zi, &address, at + zi.length);
}

/* CPUID.1:ECX[3], which MISC_ENABLE bit 18 takes away. It is there for CPL 0 only. */
static bool has_monitor(const struct cpu *cpu)
{
	uint32_t out[4];

	cpuid_leaf(cpu, 1, 0, out);
	return !cpu->cpl && out[ECX] >> 3 & 1;
}

/*
 * MONITOR loads a byte from the address in (E)AX and arms its line; ECX has no extensions.
 * MWAIT sleeps as HLT does, until another processor stores into the line, or an interrupt comes.
 * With ECX[0] an interrupt that is masked ends it, too. Whatever EAX asks for, there is one depth.
 */
static enum outcome do_monitor(struct cpu *cpu, uint64_t at)
{
	uint64_t linear;
	struct page page;

	if (!has_monitor(cpu))
		return fault(cpu, VEC_UD, 0, at);
	linear = monitor_address(cpu, at);
	if ((uint32_t)unicorn_reg(cpu, REG_CX))
		return fault(cpu, VEC_GP, 0, at);
	if (!memory_translate(cpu, linear, &page)) {
		uc_reg_write(cpu->engine.uc, UC_X86_REG_CR2, &linear);
		return fault(cpu, VEC_PF, 0, at);
	}
	access_note(cpu, linear, 1, false);
	store_monitor(cpu, page.physical + (linear & (page.size - 1)));
	return DONE;
}

static enum outcome do_mwait(struct cpu *cpu, uint64_t at)
{
	uint32_t extensions = (uint32_t)unicorn_reg(cpu, REG_CX);
	uint32_t out[4];

	if (!has_monitor(cpu))
		return fault(cpu, VEC_UD, 0, at);
	cpuid_leaf(cpu, 5, 0, out);
	if (extensions > (out[ECX] >> 1 & 1))
		return fault(cpu, VEC_GP, 0, at);
	if (cpu->halt.monitored == NEVER)
		return DONE;
	cpu->halt.in_mwait = true;
	cpu->halt.mwait_masked = extensions;
	cpu->run = CPU_HALTED;
	return STOP;
}

/*
 * Not PG without PE, nor NW without CD. Neither 64-bit code nor a processor with CR4.PCIDE can
 * switch paging off (SDM 3A, 4.1.2).
 */
static bool cr0_allowed(const struct cpu *cpu, uint64_t value)
{
	return (value & 0x80000001) != 0x80000000 && (value & 0x60000000) != 0x20000000 &&
	       !((cpu->mode == 64 || cpu->cr4 & CR4_PCIDE) && !(value & 0x80000000));
}

/*
 * Process-context identifiers (SDM 3A, 4.10.1): only in IA-32e mode, to begin with that of CR3's
 * low bits 0; long mode needs PAE.
 */
static bool cr4_fits(const struct cpu *cpu, uint64_t value)
{
	if (value & ~cr4_allowed(cpu) || (cpu->long_mode && !(value & CR4_PAE)))
		return false;
	return !(value & ~cpu->cr4 & CR4_PCIDE) || (cpu->long_mode && !(cpu->cr3 & 0xfff));
}

/*
 * With CR4.PCIDE bit 63 of what CR3 gets says that translations stay (SDM 3A, 4.10.4.1). The engine
 * would take the bit for a part of the address.
 */
static enum outcome write_cr3(struct cpu *cpu, uint64_t value)
{
	if (!(cpu->cr4 & CR4_PCIDE)) {
		translate_switch(cpu, 0, false);
		return NATIVE;
	}
	translate_switch(cpu, value & 0xfff, value >> 63);
	unicorn_mmu_set_tables(cpu, value & ~(1ull << 63));
	return DONE;
}

/* CR8 is bits 7:4 of the APIC's task priority (SDM 3A, "Interaction of Task Priorities"). */
static enum outcome write_cr8(struct cpu *cpu, uint64_t value, uint64_t at)
{
	if (value & ~15ull)
		return fault(cpu, VEC_GP, 0, at);
	apic_write(cpu, 0x80, (uint32_t)value << 4);
	return DONE;
}

static enum outcome do_cr8_read(struct cpu *cpu, uint64_t at)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];

	if (cpu->cpl)
		return fault(cpu, VEC_GP, 0, at);
	if (!decode_now(cpu, at, &zi, ops))
		return fault(cpu, VEC_UD, 0, at);
	unicorn_set_reg(cpu, (unsigned)ZydisRegisterGetId(ops[0].reg.value), cpu->apic.tpr >> 4);
	return DONE;
}

static enum outcome do_cr_write(struct cpu *cpu, uint64_t at)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t value;

	if (!decode_now(cpu, at, &zi, ops) || ops[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    zi.operand_count < 2 || ops[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
		return NATIVE;
	if (cpu->cpl)
		return fault(cpu, VEC_GP, 0, at);
	value = operand_register(cpu, ops[1].reg.value);
	if (cpu->mode != 64)
		value &= UINT32_MAX;
	if (ops[0].reg.value == ZYDIS_REGISTER_CR3)
		return write_cr3(cpu, value);
	if (ops[0].reg.value == ZYDIS_REGISTER_CR4 && !cr4_fits(cpu, value))
		return fault(cpu, VEC_GP, 0, at);
	if (ops[0].reg.value == ZYDIS_REGISTER_CR8)
		return write_cr8(cpu, value, at);
	if (ops[0].reg.value == ZYDIS_REGISTER_CR0 && !cr0_allowed(cpu, value))
		return fault(cpu, VEC_GP, 0, at);
	if (ops[0].reg.value == ZYDIS_REGISTER_CR0 && cpu->stale && !(value >> 30 & 1)) {
		machine_end(cpu->pc, END_UNSUPPORTED,
		            "CPU %u: its caches go on with lines of the firmware's, at %#llx",
		            cpu->id, (unsigned long long)at);
		return FAULTED;
	}
	return NATIVE;
}

/* DR7.GD: any access to a debug register is a #DB itself. */
static enum outcome do_dr(struct cpu *cpu, uint64_t at)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	bool write;
	unsigned dr;

	if (cpu->cpl)
		return fault(cpu, VEC_GP, 0, at);
	if (!decode_now(cpu, at, &zi, ops))
		return fault(cpu, VEC_UD, 0, at);
	write = ops[0].reg.value >= ZYDIS_REGISTER_DR0 && ops[0].reg.value <= ZYDIS_REGISTER_DR15;
	dr = (unsigned)ZydisRegisterGetId(ops[write ? 0 : 1].reg.value);
	if (dr > 7 || (dr / 2 == 2 && cpu->cr4 & 8))
		return fault(cpu, VEC_UD, 0, at);
	if (dr / 2 == 2)
		dr += 2;
	if (cpu->debug.dr[7] & DR7_DETECT) {
		cpu->debug.dr[7] &= ~(uint64_t)DR7_DETECT;
		breakpoint_raise(cpu, DR6_DETECT);
		return fault(cpu, VEC_DB, 0, at);
	}
	if (write && dr > 5 && cpu->mode == 64 && operand_register(cpu, ops[1].reg.value) >> 32)
		return fault(cpu, VEC_GP, 0, at);
	if (write)
		breakpoint_write(cpu, dr, operand_register(cpu, ops[1].reg.value));
	else
		unicorn_set_reg(cpu, (unsigned)ZydisRegisterGetId(ops[0].reg.value),
		                cpu->mode == 64 ? cpu->debug.dr[dr] : (uint32_t)cpu->debug.dr[dr]);
	return DONE;
}

/*
 * In real mode the engine loses the new IP of a far return when the second load of it has a hook.
 */
static enum outcome do_retf(struct cpu *cpu, uint64_t at)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint32_t ip = 0, selector = 0;
	unsigned size;
	uint64_t sp;

	if (cpu->cr0 & 1 || !decode_now(cpu, at, &zi, ops))
		return NATIVE;
	unicorn_load(cpu);
	size = zi.operand_width / 8;
	sp = cpu->engine.image->reg[REG_SP];
	if (!memory_read(cpu, cpu->engine.image->seg[SEG_SS].base + (uint16_t)sp, &ip, size) ||
	    !memory_read(cpu, cpu->engine.image->seg[SEG_SS].base + (uint16_t)(sp + size),
	                 &selector, 2))
		return fault(cpu, VEC_SS, 0, at);
	sp += 2 * size;
	if (ops[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		sp += ops[0].imm.value.u;
	cpu->engine.image->reg[REG_SP] =
		(cpu->engine.image->reg[REG_SP] & ~0xffffull) | (sp & 0xffff);
	unicorn_set_segment(cpu, SEG_CS, selector, 0);
	unicorn_store(cpu);
	unicorn_jump(cpu, ip);
	return FAULTED; /* execution is elsewhere; the instruction retires there */
}

/* Flat segments, as SYSCALL loads them. */
#define FLAT_CODE64 0x00af9b000000ffffull
#define FLAT_CODE32 0x00cf9b000000ffffull
#define FLAT_DATA   0x00cf93000000ffffull

/* The engine has no SYSCALL of its own (SDM 2B, SYSCALL; AMD APM volume 3). */
static enum outcome do_syscall(struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	uint64_t star = 0, target = 0, mask = 0x20200, flags = unicorn_flags(cpu);
	uint32_t selector;

	unicorn_msr_read(cpu, 0xc0000081, &star);
	unicorn_load(cpu);
	if (!(cpu->efer & 1) || !(cpu->cr0 & 1))
		return fault(cpu, VEC_UD, 0, at);
	target = (uint32_t)star;
	if (cpu->long_mode) {
		unicorn_msr_read(cpu, cpu->mode == 64 ? 0xc0000082 : 0xc0000083, &target);
		unicorn_msr_read(cpu, 0xc0000084, &mask);
		cpu->engine.image->reg[11] = flags & ~(uint64_t)FL_RF;
	}
	cpu->engine.image->reg[REG_CX] = at + insn->length - cpu->cs_base;
	selector = star >> 32 & 0xfffc;
	unicorn_set_segment(cpu, SEG_CS, selector, cpu->long_mode ? FLAT_CODE64 : FLAT_CODE32);
	unicorn_set_segment(cpu, SEG_SS, selector + 8, FLAT_DATA);
	unicorn_store(cpu);
	unicorn_set_flags(cpu, flags & ~(mask | FL_RF));
	unicorn_jump(cpu, target);
	return FAULTED; /* execution is elsewhere; the instruction retires there */
}

/* NMIs are let in again by IRET. With NT set it ends a task, in long mode it is a #GP. */
static enum outcome do_iret(struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	unsigned vector;
	uint32_t error;

	cpu->pending.nmi_blocked = false;
	if (!(cpu->cr0 & 1) || cpu->long_mode || !(unicorn_flags(cpu) & FL_NT))
		return NATIVE;
	if (!interrupt_task_return(cpu, at + insn->length, &vector, &error))
		return fault(cpu, vector, error, at);
	return FAULTED; /* execution is elsewhere; the instruction retires there */
}

static enum outcome do_wbinvd(struct cpu *cpu, uint64_t at)
{
	if (cpu->cpl)
		return fault(cpu, VEC_GP, 0, at);
	if (!cpu->pc->opt.faults.guest.wbinvd_nop)
		access_empty(cpu);
	cpu->stale = false;
	return NATIVE;
}

static enum outcome do_clflush(struct cpu *cpu, uint64_t at)
{
	uint64_t linear;
	struct page page;

	if (operand(cpu, at, &linear) && memory_translate(cpu, linear, &page))
		access_drop(cpu, page.physical + (linear & (page.size - 1)));
	return NATIVE;
}

enum { INVPCID_PAGE, INVPCID_CONTEXT, INVPCID_ALL, INVPCID_CONTEXTS };

/* The first two types are for one identifier, and global translations stay. */
static void invalidate(struct cpu *cpu, uint64_t type, uint16_t pcid, uint64_t linear)
{
	const uint16_t own = cpu->cr4 & CR4_PCIDE ? cpu->cr3 & 0xfff : 0;

	if (type == INVPCID_ALL)
		translate_flush(cpu);
	if (type == INVPCID_CONTEXTS)
		translate_flush_contexts(cpu);
	if (type > INVPCID_CONTEXT)
		return;
	translate_switch(cpu, pcid, type == INVPCID_PAGE);
	if (type == INVPCID_PAGE)
		translate_drop(cpu, linear, false);
	translate_switch(cpu, own, true);
}

/* SDM 2A, INVPCID: the descriptor has the identifier, below 52 bits that are 0, and an address. */
static enum outcome do_invpcid(struct cpu *cpu, uint64_t at, const ZydisDecodedInstruction *zi,
                               const ZydisDecodedOperand *ops)
{
	uint64_t descriptor[2], type = operand_register(cpu, ops[0].reg.value), linear;

	unicorn_load(cpu);
	linear = operand_address(cpu, zi, &ops[1], at + zi->length);
	if (!memory_read(cpu, linear, descriptor, sizeof(descriptor))) {
		uc_reg_write(cpu->engine.uc, UC_X86_REG_CR2, &linear);
		return fault(cpu, VEC_PF, 0, at);
	}
	if (type > INVPCID_CONTEXTS || descriptor[0] >> 12 ||
	    (type <= INVPCID_CONTEXT && descriptor[0] && !(cpu->cr4 & CR4_PCIDE)) ||
	    (type == INVPCID_PAGE && !memory_canonical(cpu, descriptor[1])))
		return fault(cpu, VEC_GP, 0, at);
	access_note(cpu, linear, sizeof(descriptor), false);
	invalidate(cpu, type, (uint16_t)descriptor[0], descriptor[1]);
	unicorn_mmu_set_tables(cpu, cpu->cr3);
	return DONE;
}

/* Other pages may stay or not: the manual promises nothing. */
static enum outcome do_invlpg(struct cpu *cpu, uint64_t at)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t linear;

	if (cpu->cpl)
		return fault(cpu, VEC_GP, 0, at);
	if (decode_now(cpu, at, &zi, ops) && zi.mnemonic == ZYDIS_MNEMONIC_INVPCID)
		return do_invpcid(cpu, at, &zi, ops);
	if (cpu->pc->opt.faults.invlpg_all)
		translate_flush(cpu);
	else if (operand(cpu, at, &linear))
		translate_drop(cpu, linear, true);
	return NATIVE;
}

static enum outcome do_prefetch(struct cpu *cpu, uint64_t at)
{
	uint64_t linear;

	if (operand(cpu, at, &linear))
		access_prefetch(cpu, linear);
	return NATIVE;
}

/*
 * F0 0F C7 C8 on a Pentium: the processor keeps the bus locked while it asks for the gate of #UD,
 * and waits for ever. A gate in a page that it may not write is a page fault instead, because a
 * locked access is also a write (Intel, Pentium Processor Specification Update, "Invalid Operand
 * with Locked CMPXCHG8B Instruction"; Linux, X86_BUG_F00F).
 */
static enum outcome do_f00f(struct cpu *cpu, uint64_t at)
{
	uint64_t gate;
	uint32_t error;

	unicorn_load(cpu);
	gate = (cpu->engine.image->idt.base + 8 * VEC_UD) & UINT32_MAX;
	if (store_may_write(cpu, gate, &error)) {
		machine_end(cpu->pc, END_LOCKED, "CPU %u: locked up by F0 0F C7 C8 at %#llx",
		            cpu->id, (unsigned long long)at);
		return STOP;
	}
	uc_reg_write(cpu->engine.uc, UC_X86_REG_CR2, &gate);
	return fault(cpu, VEC_PF, error, at);
}

/* 64-bit mode: the base that LGDT and LIDT load must be canonical (SDM 2A, LGDT/LIDT). */
static enum outcome do_table(struct cpu *cpu, uint64_t at)
{
	uint64_t linear, base;

	if (cpu->mode == 64 && operand(cpu, at, &linear) &&
	    memory_read(cpu, linear + 2, &base, 8) && !memory_canonical(cpu, base))
		return fault(cpu, VEC_GP, 0, at);
	return NATIVE;
}

/*
 * LLDT and LTR in 64-bit mode: the base in the descriptor must be canonical (SDM 2A). What else may
 * be wrong with the descriptor the engine finds.
 */
static enum outcome do_selector(struct cpu *cpu, uint64_t at)
{
	enum { LDT = 0x82, FREE_TSS = 0x89 };
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t descriptor[2], base, linear;
	uint16_t selector;
	uint8_t type;

	if (cpu->mode != 64 || cpu->cpl || !decode_now(cpu, at, &zi, ops))
		return NATIVE;
	unicorn_load(cpu);
	if (ops[0].type == ZYDIS_OPERAND_TYPE_REGISTER)
		selector = (uint16_t)operand_register(cpu, ops[0].reg.value);
	else if (!operand(cpu, at, &linear) || !memory_read(cpu, linear, &selector, 2))
		return NATIVE;
	if (selector < 4 || selector & 4 || (selector | 15u) > cpu->engine.image->gdt.limit ||
	    !memory_read(cpu, cpu->engine.image->gdt.base + (selector & 0xfff8), descriptor, 16))
		return NATIVE;
	type = (uint8_t)(descriptor[0] >> 40);
	base = (descriptor[0] >> 16 & 0xffffff) | (descriptor[0] >> 56) << 24 | descriptor[1] << 32;
	if ((type == LDT || type == FREE_TSS) && !memory_canonical(cpu, base))
		return fault(cpu, VEC_GP, selector & 0xfffc, at);
	return NATIVE;
}

/* Into a register the whole of CR0; the engine leaves CD and NW out. */
static enum outcome do_smsw(struct cpu *cpu, uint64_t at)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t value = cpu->cr0;
	unsigned reg;

	if (!decode_now(cpu, at, &zi, ops) || ops[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
		return NATIVE;
	reg = (unsigned)ZydisRegisterGetId(ops[0].reg.value);
	if (ops[0].size == 16)
		value = (unicorn_reg(cpu, reg) & ~0xffffull) | (value & 0xffff);
	unicorn_set_reg(cpu, reg, ops[0].size == 32 ? (uint32_t)value : value);
	return DONE;
}

/* The engine never raises #XM: what unmasks a SIMD exception is named once. */
static enum outcome do_mxcsr(struct cpu *cpu, uint64_t at)
{
	enum { MASKS = 0x1f80, IN_FXRSTOR = 24 };
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint32_t value;
	uint64_t linear;

	if (!operand(cpu, at, &linear) || !decode_now(cpu, at, &zi, ops))
		return NATIVE;
	if (zi.mnemonic != ZYDIS_MNEMONIC_LDMXCSR)
		linear += IN_FXRSTOR;
	if (memory_read(cpu, linear, &value, sizeof(value)) && ~value & MASKS)
		machine_cannot(cpu->pc,
		               "raise SIMD exceptions (#XM), which the guest has unmasked");
	return NATIVE;
}

/* Only the low bits matter, so the size of addresses does not. */
static bool is_aligned(const struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	uint64_t ea = (uint64_t)(int64_t)insn->memory.displacement;

	if (insn->memory.base >= 0)
		ea += unicorn_reg(cpu, (unsigned)insn->memory.base);
	if (insn->memory.index >= 0)
		ea += unicorn_reg(cpu, (unsigned)insn->memory.index) * insn->memory.scale;
	if (insn->memory.rip)
		ea += at + insn->length;
	if (cpu->mode != 64 || insn->memory.segment >= SEG_FS)
		ea += cpu->engine.image->seg[insn->memory.segment].base;
	return !(ea & 15);
}

static enum outcome do_popcnt(struct cpu *cpu, uint64_t at)
{
	uint64_t address;
	uint32_t error;

	if (popcnt_execute(cpu, at, &address, &error))
		return DONE;
	uc_reg_write(cpu->engine.uc, UC_X86_REG_CR2, &address);
	return fault(cpu, VEC_PF, error, at);
}

/* What the engine does, but not all of it. */
static enum outcome complete(struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	switch (insn->kind) {
	case K_TABLE:
		return do_table(cpu, at);
	case K_MXCSR:
		return do_mxcsr(cpu, at);
	case K_SELECTOR:
		return do_selector(cpu, at);
	case K_SMSW:
		return do_smsw(cpu, at);
	case K_ALIGNED:
		return is_aligned(cpu, insn, at) ? NATIVE : fault(cpu, VEC_GP, 0, at);
	case K_POPCNT:
		return do_popcnt(cpu, at);
	default:
		return NATIVE;
	}
}

enum outcome system_execute(struct cpu *cpu, struct insn *insn, uint64_t at)
{
	switch (insn->kind) {
	case K_UNDEFINED:
		unsupported_note(cpu, at);
		return fault(cpu, VEC_UD, 0, at);
	case K_F00F:
		return do_f00f(cpu, at);
	case K_CPUID:
		return do_cpuid(cpu);
	case K_RDTSC:
	case K_RDTSCP:
		return do_rdtsc(cpu, insn, at);
	case K_RDMSR:
		return do_rdmsr(cpu, at);
	case K_WRMSR:
		return do_wrmsr(cpu, at);
	case K_RDPMC:
		return do_rdpmc(cpu, at);
	case K_IN:
	case K_OUT:
		return do_in_out(cpu, insn, at);
	case K_INS:
	case K_OUTS:
		return do_string_io(cpu, insn, at);
	case K_INT:
	case K_INT1:
	case K_INT3:
	case K_INTO:
		return do_int(cpu, insn, at);
	case K_HLT:
		return do_hlt(cpu, at);
	case K_MONITOR:
		return do_monitor(cpu, at);
	case K_MWAIT:
		return do_mwait(cpu, at);
	case K_WBINVD:
		return do_wbinvd(cpu, at);
	case K_CR_WRITE:
		return do_cr_write(cpu, at);
	case K_CR8_READ:
		return do_cr8_read(cpu, at);
	case K_DR:
		return do_dr(cpu, at);
	case K_INVLPG:
		return do_invlpg(cpu, at);
	case K_CLFLUSH:
		return do_clflush(cpu, at);
	case K_PREFETCH:
		return do_prefetch(cpu, at);
	case K_IRET:
		return do_iret(cpu, insn, at);
	case K_SYSCALL:
		return do_syscall(cpu, insn, at);
	case K_RETF:
		return do_retf(cpu, at);
	default:
		return complete(cpu, insn, at);
	}
}
