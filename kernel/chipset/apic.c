/*
 * The local APIC's registers (kernel/chipset/apic.h).
 */
#include "kernel/chipset/apic.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/ioremap.h"
#include "kernel/lib/quirks.h"

enum {
	MSR_X2APIC = 0x800,
	X2APIC_ONLY = 255, /* the first id that needs x2APIC mode; in the other mode it means all */
	ICR_BUSY = 1 << 12,
	ICR_POLLS = 1000000, /* reads until an interrupt that no handler takes is given up */
	APIC_PAGE = 4096,
	APIC_DEFAULT_BASE = 0xfee00000,
};

/* The local APIC as it was found. */
static struct {
	enum apic_mode mode;
	uintptr_t base;  /* linear address of its page */
	bool read_first; /* a write behind a write may be lost */
	bool fence;      /* the CPU has MFENCE and LFENCE */
} apic;

uint32_t apic_read(uint32_t offset)
{
	uint64_t v = 0;

	if (apic.mode == APIC_XAPIC)
		return phys_read32(apic.base + offset);
	msr_read(MSR_X2APIC + offset / 16, &v);
	return (uint32_t)v;
}

void apic_write(uint32_t offset, uint32_t v)
{
	if (apic.mode != APIC_XAPIC) {
		msr_write(MSR_X2APIC + offset / 16, v);
		return;
	}
	if (apic.read_first)
		phys_read32(apic.base + APIC_ID);
	phys_write32(apic.base + offset, v);
}

/* The Pentium's APIC has a fixed address and no base register; it came with the P6. */
static enum apic_mode find_apic(const struct cpu *cpu)
{
	uint64_t base;

	if (!cpu_has(cpu, CPU_APIC))
		return APIC_NONE;
	apic.base = APIC_DEFAULT_BASE;
	if (cpu->family < 6 || !cpu_has(cpu, CPU_MSR) || !msr_read(MSR_IA32_APIC_BASE, &base))
		return APIC_XAPIC;
	if (!(base & APIC_BASE_ENABLE))
		return APIC_OFF;
	if (base & APIC_BASE_X2APIC)
		return APIC_X2APIC;
	apic.base = ioremap(base & ~0xfffull, APIC_PAGE, IOREMAP_DEVICE);
	return apic.base ? APIC_XAPIC : APIC_UNREACHABLE;
}

/*
 * Integrated APICs have the versions 10h to 1Fh (SDM, "Local APIC Version Register"). Model 0 of
 * the AMD K5 sets the feature bit for another feature (Linux, init_amd_k5()), and an empty bus
 * answers.
 */
static bool is_phantom(void)
{
	return (apic_read(APIC_VERSION) & 0xf0) != 0x10;
}

bool apic_find(const struct cpu *cpu)
{
	apic.mode = find_apic(cpu);
	if (apic.mode == APIC_XAPIC && is_phantom() && quirk(QUIRK_APIC_VERSION, true))
		apic.mode = APIC_NONE;
	/*
	 * Erratum 11AP of the Pentium (Linux, X86_BUG_11AP). Later family-5 CPUs do not mind the
	 * reads.
	 */
	apic.read_first = apic.mode == APIC_XAPIC && quirk(QUIRK_11AP, cpu->family == 5);
	apic.fence = cpu_has(cpu, CPU_SSE2);
	return apic.mode == APIC_XAPIC || apic.mode == APIC_X2APIC;
}

enum apic_mode apic_mode(void)
{
	return apic.mode;
}

uintptr_t apic_page(void)
{
	return apic.mode == APIC_XAPIC ? apic.base : 0;
}

const char *apic_mode_name(void)
{
	static const char *const names[] = { "none", "off", "xapic", "x2apic", "unreachable" };

	return names[apic.mode];
}

/*
 * WRMSR of the ICR waits for no store: the CPU that is woken could look for its work before the
 * work is there (SDM volume 3, "Memory and Instruction Serialization" of x2APIC mode).
 */
static bool send_by_msr(uint32_t id, uint32_t command)
{
	if (apic.fence)
		x86_fence();
	return msr_write(MSR_X2APIC + APIC_ICR_LOW / 16, (uint64_t)id << 32 | command);
}

bool apic_send(uint32_t id, uint32_t command)
{
	if (apic.mode != APIC_XAPIC)
		return send_by_msr(id, command);
	if (id >= X2APIC_ONLY)
		return false;
	apic_write(APIC_ICR_HIGH, id << 24);
	apic_write(APIC_ICR_LOW, command);
	for (unsigned i = 0; i < ICR_POLLS && apic_read(APIC_ICR_LOW) & ICR_BUSY; i++)
		;
	return true;
}

uint32_t apic_own_id(void)
{
	uint32_t id = apic_read(APIC_ID);

	return apic.mode == APIC_XAPIC ? id >> 24 : id;
}

bool apic_follow(void)
{
	uint64_t base;

	if (apic.mode != APIC_X2APIC)
		return apic.mode == APIC_XAPIC;
	return msr_read(MSR_IA32_APIC_BASE, &base) &&
	       (base & APIC_BASE_X2APIC ||
	        msr_write(MSR_IA32_APIC_BASE, base | APIC_BASE_ENABLE | APIC_BASE_X2APIC));
}

bool apic_bit(uint32_t bitmap, unsigned vector)
{
	return apic_read(bitmap + vector / 32 * 16) >> vector % 32 & 1;
}

bool apic_end_interrupt(unsigned vector)
{
	if ((apic.mode != APIC_XAPIC && apic.mode != APIC_X2APIC) || !apic_bit(APIC_ISR, vector))
		return false;
	apic_write(APIC_EOI, 0);
	return true;
}
