/*
 * What to do with a trap (kernel/trap/trap.h has the order), and how to survive one.
 */
#include "kernel/chipset/apic.h"
#include "kernel/cpu/extable.h"
#include "kernel/cpu/fpu.h"
#include "kernel/cpu/msr.h"
#include "kernel/lib/log.h"
#include "kernel/trap/internal.h"
#include "kernel/trap/trap.h"

enum {
	CODE_BYTES = 16,        /* shown of the code at the faulting instruction */
	MSR_MCG_STATUS = 0x17a, /* SDM volume 3, "Machine-Check Architecture" */
	MSR_P5_MC_TYPE = 0x01,  /* reading it unlocks the next machine check of a Pentium */
	CPUID_MSR = 1 << 5,
	CPUID_MCE = 1 << 7,
	CPUID_MCA = 1 << 14,
	PF_USER = 1 << 2, /* error code of a page fault: an access of CPL 3 */
	CR4_MCE = 1 << 6,
	CR4_OSXSAVE = 1 << 18,
};

static struct {
	void (*handlers[TRAP_VECTORS])(struct trap_frame *f);
	uint32_t nmi, mce, interrupts;
	uint32_t features; /* CPUID.1:EDX */
	bool protecting;
	const char *what; /* the snippet that runs under trap_protect() */
	unsigned depth;   /* records being written */
} traps;

static struct trap_hooks hooks;

/* What a snippet may change and trap_protect() puts back, apart from what trap_call() saves. */
struct machine {
	unsigned long cr0, cr3, cr4;
	uint32_t xcr0_low, xcr0_high;
	struct trap_width_state width;
};

static const char *const names[TRAP_EXCEPTIONS] = {
	"DE", "DB", "NMI", "BP", "OF",       "BR", "UD", "NM", "DF", "exception9", "TS",
	"NP", "SS", "GP",  "PF", "reserved", "MF", "AC", "MC", "XM", "VE",         "CP",
};

/* clang-format off */
static const struct trap_register common_registers[] = {
	TRAP_REGISTER(ip), TRAP_REGISTER(cs), TRAP_REGISTER(flags),
	TRAP_REGISTER(sp), TRAP_REGISTER(ss),
	TRAP_REGISTER(ax), TRAP_REGISTER(bx), TRAP_REGISTER(cx), TRAP_REGISTER(dx),
	TRAP_REGISTER(si), TRAP_REGISTER(di), TRAP_REGISTER(bp),
	{ NULL, 0 },
};
/* clang-format on */

const char *trap_name(unsigned vector)
{
	if (vector >= TRAP_EXCEPTIONS)
		return "interrupt";
	return names[vector] ? names[vector] : "reserved";
}

static void log_registers(const struct trap_frame *f, const struct trap_register *r)
{
	for (; r->key; r++)
		log_hex(r->key, *(const uintptr_t *)((const char *)f + r->offset));
}

/* The bytes at `ip` as far as they can be read. */
static void log_code(uintptr_t ip)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * CODE_BYTES];
	unsigned n = 0;
	uint8_t byte;

	while (n < sizeof(text) && trap_peek(ip++, &byte)) {
		text[n++] = digits[byte >> 4];
		text[n++] = digits[byte & 0xf];
	}
	log_strn("code", text, n);
}

static unsigned long debug_status(void)
{
	unsigned long v;

	asm volatile("mov %%dr6, %0" : "=r"(v));
	return v;
}

static void log_trap(const struct trap_frame *f, uintptr_t cr2)
{
	if (hooks.before_record)
		hooks.before_record();
	log_begin("trap");
	log_str("snippet", traps.protecting ? traps.what : "none");
	log_dec("vector", f->vector);
	log_str("name", trap_name((unsigned)f->vector));
	log_hex("error", f->error);
	if (f->vector == TRAP_PF)
		log_hex("cr2", cr2);
	if (f->vector == TRAP_DB)
		log_hex("dr6", debug_status());
	if (!f->cs)
		log_str("frame", "lost"); /* ESP was no memory: ax, error, ip, flags are gone */
	log_registers(f, common_registers);
	log_registers(f, trap_width_registers);
	if (f->cs)
		log_code(f->ip);
	log_end();
}

static bool fix_fault(struct trap_frame *f)
{
	for (const struct extable_entry *x = extable_start; x < extable_end; x++) {
		if (x->at == f->ip) {
			f->ip = x->resume;
			return true;
		}
	}
	return false;
}

bool trap_abandon(struct trap_frame *f)
{
	if (!traps.protecting)
		return false;
	traps.protecting = false;
	f->ax = f->vector;
	trap_set_resume(f, (uintptr_t)trap_resume, trap_saved_sp);
	return true;
}

/* Nothing can go on behind an unexpected trap. */
static void fatal(void)
{
	if (hooks.fatal)
		hooks.fatal(traps.depth > 2);
	for (;;)
		x86_hlt();
}

static void count(const struct trap_frame *f)
{
	uint64_t v;

	if (f->vector == TRAP_NMI)
		traps.nmi++;
	if (f->vector != TRAP_MC)
		return;
	traps.mce++;
	if (traps.features & CPUID_MCA)
		msr_write(MSR_MCG_STATUS, 0); /* else the next one shuts the CPU down */
	else
		msr_read(MSR_P5_MC_TYPE, &v);
}

static void decide(struct trap_frame *f, uintptr_t cr2)
{
	count(f);
	if (f->vector < TRAP_VECTORS && traps.handlers[f->vector]) {
		traps.handlers[f->vector](f);
		return;
	}
	if (f->vector == TRAP_NMI || f->vector == TRAP_MC || fix_fault(f))
		return;
	if (f->vector == TRAP_NM && trap_forgive_nm())
		return;
	/* A device that firmware left speaking to the APIC directly: no fault of the snippet's. */
	if (f->vector >= TRAP_EXCEPTIONS && f->vector < TRAP_VECTORS &&
	    apic_end_interrupt((unsigned)f->vector)) {
		traps.interrupts++;
		return;
	}
	if (traps.depth++ > 1)
		fatal(); /* even the record about the record faults */
	log_trap(f, cr2);
	if (traps.depth > 1 || !trap_abandon(f))
		fatal();
	traps.depth--;
}

void trap_handler(struct trap_frame *f)
{
	uintptr_t cr2 = x86_cr2();

	/*
	 * F0 0F C7 C8 locks up a Pentium, unless its locked read of the gate for the invalid opcode
	 * is a page fault: kernel/trap/usermode.c sees to that (Intel, "Invalid Instruction
	 * Erratum").
	 */
	if (f->vector == TRAP_PF && !(f->error & PF_USER) && trap_is_gate(cr2, TRAP_UD)) {
		f->vector = TRAP_UD;
		f->error = 0;
	}
	decide(f, cr2);
}

struct trap_hooks *trap_hooks(void)
{
	return &hooks;
}

trap_fn trap_on_vector(uint8_t vector, trap_fn handler)
{
	trap_fn before = traps.handlers[vector];

	traps.handlers[vector] = handler;
	return before;
}

void trap_user_gate(uint8_t vector, const void *target)
{
	if (target)
		trap_open_gate(vector, target);
	else
		trap_close_gate(vector);
}

uint32_t trap_nmi_count(void)
{
	return traps.nmi;
}

uint32_t trap_mce_count(void)
{
	return traps.mce;
}

uint32_t trap_interrupt_count(void)
{
	return traps.interrupts;
}

bool trap_peek(uintptr_t address, uint8_t *value)
{
	uint32_t bad = 1;
	uint8_t v = 0;

	asm volatile("1:	movb	(%2), %0\n"
	             "	xorl	%1, %1\n"
	             "2:\n" EXTABLE("1b", "2b")
	             : "+q"(v), "+r"(bad)
	             : "r"(address)
	             : "memory", "cc");
	*value = v;
	return !bad;
}

static void clear_dr7(void)
{
	asm volatile("mov %0, %%dr7" : : "r"(0ul));
}

static void machine_save(struct machine *m)
{
	m->cr0 = x86_cr0();
	m->cr3 = x86_cr3();
	m->cr4 = x86_cr4();
	if (m->cr4 & CR4_OSXSAVE)
		asm volatile("xgetbv" : "=a"(m->xcr0_low), "=d"(m->xcr0_high) : "c"(0));
	trap_width_save(&m->width);
}

static void machine_restore(const struct machine *m)
{
	x86_set_cr0(m->cr0);
	x86_set_cr4(m->cr4);
	if (x86_cr3() != m->cr3)
		x86_set_cr3(m->cr3);
	if (m->cr4 & CR4_OSXSAVE)
		asm volatile("xsetbv" : : "c"(0), "a"(m->xcr0_low), "d"(m->xcr0_high));
	clear_dr7();
	trap_load_tables();
	trap_width_restore(&m->width);
}

int trap_protect(void (*fn)(void *arg), void *arg, const char *what)
{
	struct machine m;
	int vector;

	machine_save(&m);
	traps.what = what;
	traps.depth = 0;
	traps.protecting = true;
	vector = trap_call(fn, arg);
	traps.protecting = false;
	machine_restore(&m);
	if (vector >= 0)
		fpu_reset();
	return vector;
}

void trap_init(void)
{
	uint32_t family;

	trap_build_tables();
	trap_load_tables();
	clear_dr7();
	traps.features = x86_cpuid(1, 0).edx;
	family = x86_cpuid(1, 0).eax >> 8 & 0xf;
	/*
	 * Without CR4.MCE a machine check resets the machine. Not on a Pentium: boards are known
	 * that leave its BUSCHK# and PEN# pins unconnected, and there it would come at random.
	 */
	if (traps.features & CPUID_MCE && family > 5)
		x86_set_cr4(x86_cr4() | CR4_MCE);
}
