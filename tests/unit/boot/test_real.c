/*
 * boot/real.S on an emulated CPU (Unicorn): what a BIOS gets of the registers, and what comes back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <unicorn/unicorn.h>

#include "boot/real.h"
#include "kernel/firmware/bios.h"

enum {
	MEMORY = 4 << 20,
	KERNEL_STACK = 0x188ff0, /* as the 32-bit kernel has it */
	BACK = 0x120000,         /* where the call returns to */
	VECTOR = 0x13,
};

extern const uint8_t real_code[], real_code_end[], real_gdtr[];

static uc_engine *cpu;

/* What the BIOS saw. */
static struct {
	unsigned calls, vector;
	uint32_t esp, ss, cr0;
	struct bios_regs regs;
} seen;

static uint32_t get(int reg)
{
	uint64_t v = 0;

	assert_int_equal(uc_reg_read(cpu, reg, &v), UC_ERR_OK);
	return (uint32_t)v;
}

static void set(int reg, uint32_t v)
{
	uint64_t wide = v;

	assert_int_equal(uc_reg_write(cpu, reg, &wide), UC_ERR_OK);
}

/* The BIOS: changes every register that it may change. */
static void bios(uc_engine *uc, uint32_t vector, void *unused)
{
	static const int regs[] = { UC_X86_REG_EAX, UC_X86_REG_EBX, UC_X86_REG_ECX, UC_X86_REG_EDX,
		                    UC_X86_REG_ESI, UC_X86_REG_EDI, UC_X86_REG_EBP };
	uint32_t *const to[] = { &seen.regs.eax, &seen.regs.ebx, &seen.regs.ecx, &seen.regs.edx,
		                 &seen.regs.esi, &seen.regs.edi, &seen.regs.ebp };

	(void)uc;
	(void)unused;
	seen.calls++;
	seen.vector = vector;
	seen.esp = get(UC_X86_REG_ESP);
	seen.ss = get(UC_X86_REG_SS);
	seen.cr0 = get(UC_X86_REG_CR0);
	seen.regs.flags = get(UC_X86_REG_EFLAGS);
	seen.regs.ds = (uint16_t)get(UC_X86_REG_DS);
	seen.regs.es = (uint16_t)get(UC_X86_REG_ES);
	for (unsigned i = 0; i < 7; i++) {
		*to[i] = get(regs[i]);
		set(regs[i], ~*to[i]);
	}
	set(UC_X86_REG_EFLAGS, get(UC_X86_REG_EFLAGS) | BIOS_CF);
}

static void load_gdt(void)
{
	uc_x86_mmr gdt = { .base = 0 };
	uint16_t limit;
	uint32_t base;

	uc_mem_read(cpu, (uintptr_t)real_gdtr, &limit, 2);
	uc_mem_read(cpu, (uintptr_t)real_gdtr + 2, &base, 4);
	gdt.base = base;
	gdt.limit = limit;
	uc_reg_write(cpu, UC_X86_REG_GDTR, &gdt);
}

/* A machine in the state in which real_call() jumps to REAL_CODE. */
static void enter(const struct bios_regs *r)
{
	static const int data[] = { UC_X86_REG_DS, UC_X86_REG_ES, UC_X86_REG_SS, UC_X86_REG_FS,
		                    UC_X86_REG_GS };
	uint8_t vector = VECTOR;

	assert_int_equal(uc_open(UC_ARCH_X86, UC_MODE_32, &cpu), UC_ERR_OK);
	uc_mem_map(cpu, 0, MEMORY, UC_PROT_ALL);
	uc_mem_write(cpu, REAL_CODE, real_code, (size_t)(real_code_end - real_code));
	uc_mem_write(cpu, REAL_REGS, r, sizeof(*r));
	uc_mem_write(cpu, REAL_REGS + REAL_INT, &vector, 1);
	load_gdt();
	set(UC_X86_REG_CS, REAL_CS32);
	for (unsigned i = 0; i < sizeof(data) / sizeof(data[0]); i++)
		set(data[i], REAL_DS32);
	set(UC_X86_REG_ESP, KERNEL_STACK);
	set(UC_X86_REG_EBX, BACK);
	memset(&seen, 0, sizeof(seen));
}

static void test_registers(void **state)
{
	const struct bios_regs r = { .eax = 0x11223344,
		                     .ebx = 0x55667788,
		                     .ecx = 0x99aabbcc,
		                     .edx = 0xddeeff00,
		                     .esi = 0x10203040,
		                     .edi = 0x50607080,
		                     .ebp = 0x90a0b0c0,
		                     .ds = 0x900,
		                     .es = 0x940 };
	struct bios_regs got;
	uc_hook hook;

	(void)state;
	enter(&r);
	uc_hook_add(cpu, &hook, UC_HOOK_INTR, (void *)bios, NULL, 1, 0);
	assert_int_equal(uc_emu_start(cpu, REAL_CODE, BACK, 0, 1000), UC_ERR_OK);
	assert_int_equal(get(UC_X86_REG_EIP), BACK);
	assert_int_equal(seen.calls, 1);
	assert_int_equal(seen.vector, VECTOR);
	assert_memory_equal(&seen.regs, &r, REAL_FLAGS);
	assert_int_equal(seen.regs.ds, r.ds);
	assert_int_equal(seen.regs.es, r.es);
	assert_int_equal(seen.cr0 & 1, 0);
	assert_int_equal(seen.ss, 0);
	assert_int_equal(seen.esp, REAL_STACK); /* and not 18xxxxh */
	uc_mem_read(cpu, REAL_REGS, &got, sizeof(got));
	assert_int_equal(got.eax, ~r.eax);
	assert_int_equal(got.ebx, ~r.ebx);
	assert_int_equal(got.ebp, ~r.ebp);
	assert_true(got.flags & BIOS_CF);
	assert_int_equal(get(UC_X86_REG_CR0) & 1, 1);
	assert_int_equal(get(UC_X86_REG_CS), REAL_CS32);
	assert_int_equal(get(UC_X86_REG_SS), REAL_DS32);
	uc_close(cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
