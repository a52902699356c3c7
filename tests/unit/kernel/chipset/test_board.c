/*
 * kernel/chipset/apic.c, irqmask.c and usb.c on the fake machine. It has APICs with errata, no APIC
 * where one is announced, and USB controllers wherever their registers may lie.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/apic.h"
#include "kernel/chipset/pic.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/chipset/usb.h"
#include "kernel/cpu/msr.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "tests/unit/support/fake_machine.h"

enum {
	LEGACY = 0x500, /* offset of the xHCI's legacy support capability */
	MSR_ICR = 0x830,
};

static struct cpu cpu;
static uint64_t apic_base; /* the MSR; 0: it does not exist */
static uint64_t sent;      /* last write of the ICR in x2APIC mode */
static bool sent_fenced;
static char told[4096];
static size_t ntold;

bool msr_read(uint32_t msr, uint64_t *value)
{
	*value = msr == MSR_IA32_APIC_BASE ? apic_base : 0;
	return *value != 0;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	if (msr != MSR_ICR)
		return false;
	sent = value;
	sent_fenced = fake.apic.fenced;
	return true;
}

struct cpuid_regs fake_cpuid(uint32_t leaf, uint32_t subleaf)
{
	(void)leaf;
	(void)subleaf;
	return (struct cpuid_regs){ 0 };
}

/* The 8259s are not part of these tests. */
void pic_init(void)
{
}

bool pic_present(void)
{
	return true;
}

uint16_t pic_masked(void)
{
	return 0xffff;
}

uint16_t pic_pending(void)
{
	return 0;
}

static void keep(const char *line, size_t n)
{
	assert_true(ntold + n < sizeof(told));
	memcpy(told + ntold, line, n);
	ntold += n;
	told[ntold] = 0;
}

static void fresh(uint32_t family)
{
	fake_reset();
	quirks_set(NULL);
	memset(&cpu, 0, sizeof(cpu));
	cpu.family = family;
	cpu.features[CPU_APIC / 32] |= 1u << CPU_APIC % 32;
	cpu.features[CPU_MSR / 32] |= 1u << CPU_MSR % 32;
	apic_base = family < 6 ? 0 : 0xfee00000 | APIC_BASE_ENABLE;
	fake.apic.present = true;
	fake.apic.address = 0xfee00000;
	fake.apic.regs[APIC_VERSION / 16] = 5 << 16 | 0x14;
	ntold = 0;
	told[0] = 0;
	log_sink(keep);
}

static bool masked(uint32_t lvt)
{
	return fake.apic.regs[lvt / 16] >> 16 & 1;
}

/* Erratum 11AP: of two writes with nothing between them the second is lost. */
static void pentium_loses_writes(void **state)
{
	(void)state;
	fresh(5);
	fake.apic.loses = true;
	assert_true(apic_find(&cpu));
	apic_write(APIC_TIMER_DIVIDE, 0xa);
	apic_write(APIC_TIMER_INITIAL, 1234);
	apic_write(APIC_LVT_TIMER, 0xe0);
	assert_int_equal(fake.apic.lost, 0);
	assert_int_equal(fake.apic.regs[APIC_TIMER_INITIAL / 16], 1234);
	assert_int_equal(fake.apic.regs[APIC_LVT_TIMER / 16], 0xe0);

	/* Later CPUs do not pay for it. */
	fresh(6);
	fake.apic.loses = true;
	assert_true(apic_find(&cpu));
	apic_write(APIC_TIMER_DIVIDE, 0xa);
	apic_write(APIC_TIMER_INITIAL, 1234);
	assert_int_equal(fake.apic.lost, 1);

	/* As the user says. */
	fresh(5);
	fake.apic.loses = true;
	quirks_set("-11ap");
	assert_true(apic_find(&cpu));
	apic_write(APIC_TIMER_DIVIDE, 0xa);
	apic_write(APIC_TIMER_INITIAL, 1234);
	assert_int_equal(fake.apic.lost, 1);
	fresh(6);
	fake.apic.loses = true;
	quirks_set("+11ap");
	assert_true(apic_find(&cpu));
	apic_write(APIC_TIMER_DIVIDE, 0xa);
	apic_write(APIC_TIMER_INITIAL, 1234);
	assert_int_equal(fake.apic.lost, 0);
}

/* A feature bit with nothing behind it. */
static void phantom(void **state)
{
	static const uint32_t versions[] = { 0xffffffff, 0, 0x00040001 /* 82489DX */ };

	(void)state;
	for (unsigned i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		fresh(5);
		fake.apic.regs[APIC_VERSION / 16] = versions[i];
		assert_false(apic_find(&cpu));
		assert_int_equal(apic_mode(), APIC_NONE);
	}
	fresh(5);
	fake.apic.present = false; /* an empty bus: all ones, or 0 */
	assert_false(apic_find(&cpu));
	fake.empty_bus = 0;
	assert_false(apic_find(&cpu));
	fake.apic.present = true;
	fake.apic.regs[APIC_VERSION / 16] = versions[2];
	quirks_set("-apic_version");
	assert_true(apic_find(&cpu));
	for (uint32_t v = 0x10; v <= 0x1f; v++) {
		fake.apic.regs[APIC_VERSION / 16] = v;
		assert_true(apic_find(&cpu));
	}
}

static void high_apic(void **state)
{
	(void)state;
	fresh(6);
	apic_base = 0x7fee00000 | APIC_BASE_ENABLE;
	fake.apic.address = 0x7fee00000;
	assert_true(apic_find(&cpu));
	apic_write(APIC_LVT_TIMER, LVT_MASKED);
	assert_true(masked(APIC_LVT_TIMER));
	fake.narrow = true;
	assert_false(apic_find(&cpu));
	assert_int_equal(apic_mode(), APIC_UNREACHABLE);
}

/* The firmware's thermal SMI keeps the CPU from overheating. */
static void thermal_smi(void **state)
{
	(void)state;
	fresh(6);
	fake.apic.regs[APIC_LVT_THERMAL / 16] = LVT_SMI;
	irqmask_apic(&cpu);
	irqmask_log(0, 0, 0);
	assert_false(masked(APIC_LVT_THERMAL));
	assert_true(masked(APIC_LVT_TIMER) && masked(APIC_LVT_LINT0) && masked(APIC_LVT_PERF));
	assert_non_null(strstr(told, "lvt=5 lvt_masked=5 lvt_smi=1"));

	fresh(6);
	fake.apic.regs[APIC_LVT_THERMAL / 16] = 0xfa; /* an ordinary interrupt */
	irqmask_apic(&cpu);
	irqmask_log(0, 0, 0);
	assert_true(masked(APIC_LVT_THERMAL));
	assert_non_null(strstr(told, "lvt=6 lvt_masked=6 "));
	assert_null(strstr(told, "lvt_smi"));

	fresh(6);
	fake.apic.regs[APIC_LVT_THERMAL / 16] = LVT_SMI;
	quirks_set("-lvt_smi");
	irqmask_apic(&cpu);
	assert_true(masked(APIC_LVT_THERMAL));
	assert_non_null(strstr(told, "quirk name=lvt_smi applied=0 forced=1"));
}

/* INIT masks the entry of each other CPU, and firmware expects one value everywhere. */
static void thermal_smi_of_others(void **state)
{
	(void)state;
	fresh(6);
	fake.apic.regs[APIC_LVT_THERMAL / 16] = LVT_SMI;
	irqmask_apic(&cpu);
	fake.apic.regs[APIC_LVT_THERMAL / 16] = LVT_MASKED;
	irqmask_follow();
	assert_int_equal(fake.apic.regs[APIC_LVT_THERMAL / 16], LVT_SMI);

	fresh(6);
	fake.apic.regs[APIC_LVT_THERMAL / 16] = 0xfa; /* an ordinary interrupt */
	irqmask_apic(&cpu);
	fake.apic.regs[APIC_LVT_THERMAL / 16] = LVT_MASKED;
	irqmask_follow();
	assert_int_equal(fake.apic.regs[APIC_LVT_THERMAL / 16], LVT_MASKED);
}

/* What is given back to the firmware must not disable the APIC: that masks the entry. */
static void thermal_smi_in_a_disabled_apic(void **state)
{
	uint32_t *spurious = &fake.apic.regs[APIC_SPURIOUS / 16];

	(void)state;
	fresh(6);
	*spurious = 0xff;
	fake.apic.regs[APIC_LVT_THERMAL / 16] = LVT_SMI;
	irqmask_apic(&cpu);
	*spurious = APIC_SPURIOUS_ENABLE | 0xff;
	irqmask_give();
	assert_int_equal(*spurious, APIC_SPURIOUS_ENABLE | 0xff);
	irqmask_take();
	assert_int_equal(*spurious, APIC_SPURIOUS_ENABLE | 0xff);

	fresh(6);
	*spurious = 0xff;
	irqmask_apic(&cpu);
	*spurious = APIC_SPURIOUS_ENABLE | 0xff;
	irqmask_give();
	assert_int_equal(*spurious, 0xff);
}

/* The ICR of x2APIC mode waits for no store, and ids of any size fit. */
static void x2apic_sends(void **state)
{
	(void)state;
	fresh(6);
	apic_base |= APIC_BASE_X2APIC;
	assert_true(apic_find(&cpu));
	assert_int_equal(apic_mode(), APIC_X2APIC);
	assert_true(apic_send(1, IPI_INIT));
	assert_false(sent_fenced); /* the CPU has no such instruction */
	cpu.features[CPU_SSE2 / 32] |= 1u << CPU_SSE2 % 32;
	assert_true(apic_find(&cpu));
	assert_true(apic_send(0x12345, IPI_FIXED | 0xf2));
	assert_true(sent_fenced);
	assert_true(sent == (0x12345ull << 32 | IPI_FIXED | 0xf2));

	fresh(6);
	assert_true(apic_find(&cpu));
	assert_true(apic_send(254, IPI_INIT));
	assert_int_equal(fake.apic.regs[APIC_ICR_HIGH / 16], 254u << 24);
	assert_false(apic_send(255, IPI_INIT));
}

static void put32(uint32_t at, uint32_t v)
{
	memcpy(fake.pci.regs + at, &v, 4);
}

static uint32_t get32(uint32_t at)
{
	uint32_t v;

	memcpy(&v, fake.pci.regs + at, 4);
	return v;
}

/* An xHCI whose firmware owns it, with one other capability before the legacy one. */
static void add_xhci(uint64_t bar)
{
	fresh(6);
	fake.pci.present = true;
	fake.pci.bar = bar;
	fake.pci.config[0] = 0x9d2f8086;
	fake.pci.config[1] = 2; /* memory space */
	fake.pci.config[2] = 0x0c033021;
	fake.pci.config[4] = (uint32_t)bar | 4; /* 64 bits */
	fake.pci.config[5] = (uint32_t)(bar >> 32);
	put32(0x10, (LEGACY - 0x80) / 4 << 16);
	put32(LEGACY - 0x80, 0x00002002); /* supported protocol; the next is 80h bytes on */
	put32(LEGACY, 1 | 1 << 16);
	put32(LEGACY + 4, 0xe000e011);
}

static void xhci(void **state)
{
	static const uint64_t bars[] = { 0xf7d00000, 0x603d1a0000, 0x4000000000 };

	(void)state;
	for (unsigned i = 0; i < sizeof(bars) / sizeof(bars[0]); i++) {
		add_xhci(bars[i]);
		usb_take_over();
		assert_non_null(strstr(told, "usb kind=xhci device=0xa0 handoff=done"));
		assert_int_equal(get32(LEGACY), 1 | 1 << 24);
		assert_int_equal(get32(LEGACY + 4), 0xe0000000);
		assert_int_equal(fake.wild_writes, 0);
	}
	add_xhci(0x603d1a0000);
	fake.narrow = true;
	usb_take_over();
	assert_non_null(strstr(told, "handoff=unreachable"));

	add_xhci(0x603d1a0000);
	fake.pci.refuses = true;
	usb_take_over();
	assert_non_null(strstr(told, "handoff=refused"));
	assert_int_equal(get32(LEGACY + 4), 0xe0000000);

	add_xhci(0xf7d00000);
	quirks_set("-usb");
	usb_take_over();
	assert_null(strstr(told, "handoff="));
	assert_int_equal(get32(LEGACY), 1 | 1 << 16);
}

/* One that sleeps reads as ones everywhere; one of garbage points outside of its registers. */
static void xhci_garbage(void **state)
{
	(void)state;
	add_xhci(0xf7d00000);
	memset(fake.pci.regs, 0xff, sizeof(fake.pci.regs));
	usb_take_over();
	assert_non_null(strstr(told, "handoff=unreachable"));
	assert_int_equal(fake.wild_reads + fake.wild_writes, 0);

	add_xhci(0xf7d00000);
	put32(0x10, 0x7fff0000); /* 1FFFCh bytes on */
	usb_take_over();
	assert_non_null(strstr(told, "handoff=unreachable"));
	assert_int_equal(fake.wild_reads + fake.wild_writes, 0);

	add_xhci(0xf7d00000);
	put32(0x10,
	      1 << 16); /* a chain that steps through the page, and has no legacy capability */
	for (uint32_t at = 4; at < 0x1000; at += 4)
		if (at != 0x10)
			put32(at, 0x0103);
	usb_take_over();
	assert_non_null(strstr(told, "handoff="));
	assert_int_equal(fake.wild_reads + fake.wild_writes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pentium_loses_writes),
		cmocka_unit_test(phantom),
		cmocka_unit_test(high_apic),
		cmocka_unit_test(x2apic_sends),
		cmocka_unit_test(thermal_smi),
		cmocka_unit_test(thermal_smi_of_others),
		cmocka_unit_test(thermal_smi_in_a_disabled_apic),
		cmocka_unit_test(xhci),
		cmocka_unit_test(xhci_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
