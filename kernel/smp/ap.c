/*
 * What the CPUs other than the first execute (kernel/smp/internal.h).
 */
#include "kernel/chipset/apic.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/cpu/conditions.h"
#include "kernel/cpu/extable.h"
#include "kernel/cpu/fpu.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/quirks.h"
#include "kernel/smp/internal.h"
#include "kernel/trap/trap.h"

enum {
	CR4_OSXSAVE = 1 << 18,
	CR0_CACHES_OFF = 3 << 29, /* CD, NW */
	PRIORITY = 0xe0,          /* of the local APIC: only AP_WAKE comes through */
	CPUID_1_MONITOR = 1 << 3, /* ECX, as is the next */
	CPUID_1_TSC_DEADLINE = 1 << 24,
	CPUID_5_STATES = 1 << 0, /* ECX: EDX lists the states */
	PF_USER = 1 << 2,        /* error code of a page fault: an access of CPL 3 */
};

_Static_assert(sizeof(struct ap) <= AP_BLOCK / 4, "the stacks are at the end of the block");

/* The boot CPU's registers. */
static struct {
	const struct cpu *cpu;
	unsigned long cr0, cr4;
	uint32_t xcr0_low, xcr0_high;
	uint32_t id; /* APIC id */
} boot;

volatile bool ap_failed, ap_awaited;

static uintptr_t blocks;
static unsigned nblocks;

void ap_set_blocks(uintptr_t first, unsigned n)
{
	blocks = first;
	nblocks = n;
}

struct ap *ap_block(unsigned i)
{
	return (struct ap *)(blocks + (uintptr_t)i * AP_BLOCK);
}

void ap_learn(const struct cpu *cpu)
{
	mtrr_learn(cpu);
	boot.cpu = cpu;
	boot.id = apic_own_id();
	boot.cr0 = x86_cr0() & ~(unsigned long)CR0_CACHES_OFF;
	boot.cr4 = x86_cr4();
	if (boot.cr4 & CR4_OSXSAVE)
		asm volatile("xgetbv" : "=a"(boot.xcr0_low), "=d"(boot.xcr0_high) : "c"(0));
}

struct ap *ap_own(void)
{
	struct {
		uint16_t limit;
		uintptr_t base;
	} __attribute__((packed)) gdt;

	asm volatile("sgdt %0" : "=m"(gdt));
	return (struct ap *)gdt.base;
}

/* On the stack that all share, before there is any table of traps. */
struct ap *ap_arrive(void)
{
	uint32_t id;

	if (!apic_follow())
		return NULL;
	id = apic_own_id();
	for (unsigned i = 0; i < nblocks; i++)
		if (ap_block(i)->id == id)
			return ap_block(i);
	return NULL;
}

static void follow_boot_cpu(struct ap *ap)
{
	x86_set_cr0(boot.cr0);
	x86_set_cr4(boot.cr4);
	if (boot.cr4 & CR4_OSXSAVE)
		asm volatile("xsetbv" : : "c"(0), "a"(boot.xcr0_low), "d"(boot.xcr0_high));
	fpu_reset();
	cpu_decode_apic_id(&ap->place, boot.cpu, x86_cpuid);
	ap->conditions.core_type = ap->place.core_type;
	ap->conditions.native_model = ap->place.native_model;
	conditions_follow(&ap->conditions);
	apic_write(APIC_TASK_PRIORITY, PRIORITY);
	apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | 0xff);
	irqmask_follow();
	steal_follow(&ap->stolen);
}

/*
 * EAX of MWAIT for the deepest state that CPUID leaf 5 lists, if that is deeper than C1, which is
 * HLT; else 0. The CPU's own CPUID tells: IA32_MISC_ENABLE bit 18 takes MONITOR away for one CPU.
 * Deep states stop a time stamp counter that is not invariant. A core of Nehalem or Westmere whose
 * threads enter and leave C3 and C6 in quick succession may go wrong (erratum AAK120 of Xeon 5500
 * and its like). No such CPU has the TSC deadline of the local APIC's timer, and neither has Xeon
 * 7400, whose MWAIT ends by itself (erratum AAI65).
 */
static uint32_t find_deepest(void)
{
	struct cpuid_regs leaf = x86_cpuid(5, 0);
	uint32_t states = leaf.edx, eax = 0;

	if (!(leaf.ecx & CPUID_5_STATES) || !cpu_has(boot.cpu, CPU_INVARIANT_TSC) ||
	    boot.cpu->max_leaf < 5 ||
	    ~x86_cpuid(1, 0).ecx & (CPUID_1_MONITOR | CPUID_1_TSC_DEADLINE))
		return 0;
	for (uint32_t c = 1; states >>= 4; c++)
		if (c > 1 && states & 15)
			eax = (c - 1) << 4 | ((states & 15) - 1);
	return eax;
}

/*
 * STI holds interrupts off for one more instruction: a job that comes now still ends the wait. The
 * interrupt of a job ends MWAIT where the store does not, as Linux says of Goldmont.
 */
static void sleep(struct ap *ap)
{
	if (!ap->mwait) {
		asm volatile("sti; hlt; cli" : : : "memory");
		return;
	}
	asm volatile("monitor" : : "a"(&ap->job), "c"(0), "d"(0) : "memory");
	if (!ap->job)
		asm volatile("sti; mwait; cli" : : "a"(ap->mwait), "c"(0) : "memory");
}

void smp_ring3_return(const void *from_init, const void *from_body)
{
	const void **returns = ap_user_returns(ap_own());

	returns[0] = from_init ? from_init : (const void *)(uintptr_t)ap_closed;
	returns[1] = from_body ? from_body : (const void *)(uintptr_t)ap_closed;
}

bool smp_usermode_view(struct usermode_view *v)
{
	return !quirk(QUIRK_F00F, boot.cpu->family == 5) ||
	       usermode_view_open(v, ap_gates(), 1, USERMODE_READ);
}

void smp_usermode_enter(const struct usermode_view *v)
{
	struct ap *ap = ap_own();

	usermode_close_entries(boot.cpu);
	ap->cr0 = x86_cr0();
	ap->cr3 = x86_cr3();
	ap->cr4 = x86_cr4();
	ap_use_tables(ap, (uintptr_t)v->root);
	usermode_load(v);
}

void smp_usermode_leave(void)
{
	struct ap *ap = ap_own();

	x86_set_cr0(ap->cr0);
	x86_set_cr3(ap->cr3);
	x86_set_cr4(ap->cr4);
	ap_use_tables(ap, ap->cr3);
}

/*
 * Ends the wait of the boot CPU. Once that has stopped to wait nothing may reach it: it may be in
 * the firmware, which does not know the vector. UEFI would not end the interrupt, and every other
 * would be kept out for good; a BIOS would jump to wherever the vector in low memory points. So
 * either the boot CPU sees `rings` and waits for the end of it, or we see that it does not wait.
 */
static void ring(struct ap *ap)
{
	ap->rings = true;
	__sync_synchronize();
	if (ap_awaited)
		apic_send(boot.id, IPI_FIXED | AP_DONE);
	ap->rings = false;
}

void ap_main(struct ap *ap)
{
	ap_load_tables(ap);
	follow_boot_cpu(ap);
	ap->mtrr = mtrr_compare();
	ap->mwait = find_deepest();
	for (;;) {
		ap->state = AP_PARKED;
		ring(ap);
		while (!ap->job)
			sleep(ap);
		ap->state = AP_BUSY;
		ap->job(ap->arg);
		asm volatile("push $2; popf" : : : "memory", "cc"); /* AC and its like, of CPL 3 */
		ap->job = NULL;
	}
}

void smp_put_back(void)
{
	conditions_give(&ap_own()->conditions);
	steal_leave();
}

static void stand_still(struct ap *ap)
{
	ap->state = AP_FAULTED;
	ap_failed = true;
	ring(ap);
	for (;;)
		asm volatile("cli; hlt" : : : "memory");
}

void ap_trap(struct ap_frame *f)
{
	struct ap *ap = ap_own();

	if (f->vector >= 32) {
		apic_write(APIC_EOI, 0);
		return;
	}
	if (f->vector == 2) {
		ap->nmi++;
		return;
	}
	for (const struct extable_entry *x = extable_start; !(f->cs & 3) && x < extable_end; x++)
		if (x->at == f->ip) {
			f->ip = x->resume;
			return;
		}
	ap->fault = (struct smp_fault){ (uint32_t)f->vector, f->ip, f->error, x86_cr2() };
	/*
	 * F0 0F C7 C8 on a Pentium: the page of the gates is read-only then (kernel/trap/trap.c).
	 */
	if (f->vector == TRAP_PF && !(f->error & PF_USER) && ap_is_gate(x86_cr2(), TRAP_UD))
		ap->fault.vector = TRAP_UD;
	stand_still(ap);
}

void ap_double_fault(void)
{
	struct ap *ap = ap_own();

	ap->fault = (struct smp_fault){ .vector = 8, .cr2 = x86_cr2() };
	stand_still(ap);
}
