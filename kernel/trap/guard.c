/*
 * The address space for the user's snippets (kernel/trap/guard.h).
 */
#include "kernel/trap/guard.h"
#include "kernel/log.h"
#include "kernel/trap/paging.h"
#include "kernel/board/phys.h"
#include "kernel/board/window.h"
#include "kernel/string.h"
#include "kernel/trap/internal.h"
#include "kernel/trap/watchdog.h"
#include "kernel/cpu/x86.h"

enum {
	STEPS = 16384,      /* of a first run */
	STEPPING_MS = 1000, /* which are a matter of milliseconds, but in an emulator */
	HLT = 0xf4,
	POP_SS = 0x17,      /* in 64-bit mode there is none, and no harm */
	MOV_SEGMENT = 0x8e, /* Sreg, r/m */
	MODRM_SS = 2,
	FLAGS_TF = 1 << 8,
	FLAGS_IF = 1 << 9,
	CR0_WP = 1 << 16,
	CR4_PSE = 1 << 4,
	MOST_TABLES = 3, /* that one paging_entry() may take */
	VGA_START = 0xa0000,
	VGA_SIZE = 0x20000,
};
#define CR0_PG 0x80000000ul

extern uint8_t kernel_start[], kernel_end[]; /* linker.ld */
extern uint8_t open_start[], open_end[]; /* linker.ld: what trap entries and the CPU itself write */

static struct {
	uintptr_t *root;          /* NULL: there is no such address space */
	uintptr_t *free, *end;    /* of the memory for tables */
	uintptr_t outer;          /* CR3 outside */
	uintptr_t code, code_end; /* what may be executed: what CPL 3 may read and nobody write */
	uint32_t steps;           /* of a first run */
	bool timed;
} guard;

/* Where a first run ends; written when all else is closed. */
static uintptr_t back __attribute__((section(TRAP_OPEN)));

static bool lift(void)
{
	bool closed = x86_cr0() & CR0_WP;

	if (closed)
		guard_release();
	return closed;
}

void guard_init(const struct cpu *cpu, void *tables)
{
	const char *why = NULL;

	if (sizeof(uintptr_t) == 4 && !cpu_has(cpu, CPU_PSE))
		why = "the CPU has no 4 MiB pages";
	else if (!tables)
		why = "no memory for page tables";
	log_begin("guard");
	log_bool("ready", !why);
	if (why)
		log_str("why", why);
	log_end();
	if (why)
		return;
	trap_hooks()->enter = lift;
	trap_hooks()->leave = guard_close;
	guard.root = tables;
	guard.free = guard.root + PAGING_ENTRIES;
	guard.end = guard.root + GUARD_TABLES / sizeof(uintptr_t);
	memset(guard.root, 0, PAGING_TABLE);
	guard_open(kernel_start, (size_t)(kernel_end - kernel_start), GUARD_KEEP);
	guard_open(open_start, (size_t)(open_end - open_start), GUARD_KERNEL);
	guard_open((const void *)phys_ptr(VGA_START), VGA_SIZE, GUARD_KEEP);
	if (window_entry())
		*paging_entry(guard.root, &guard.free, (uintptr_t)WINDOW_START, WINDOW_SHIFT) =
			window_entry();
}

void guard_open(const void *start, size_t size, enum guard_rights rights)
{
	const uintptr_t large = (uintptr_t)1 << PAGING_LARGE;
	uintptr_t at = (uintptr_t)start & ~(uintptr_t)4095, end = (uintptr_t)start + size;
	static const uint8_t bits[] = { [GUARD_READ] = PAGE_USER,
		                        [GUARD_WRITE] = PAGE_USER | PAGE_WRITE,
		                        [GUARD_KERNEL] = PAGE_WRITE,
		                        [GUARD_KEEP] = 0 };

	if (rights == GUARD_READ) {
		guard.code = at;
		guard.code_end = end;
	}
	while (guard.root && at < end) {
		bool whole = !(at & (large - 1)) && end - at >= large;

		if (guard.end - guard.free < MOST_TABLES * PAGING_ENTRIES) {
			log_warn("guard", NULL,
			         "memory falls into too many pieces: user code runs unguarded");
			guard.root = NULL;
			return;
		}
		*paging_entry(guard.root, &guard.free, at, whole ? PAGING_LARGE : PAGING_SMALL) |=
			at | PAGE_PRESENT | (whole ? PAGE_LARGE : 0) | bits[rights];
		at += whole ? large : 4096;
	}
}

bool guard_ready(void)
{
	return guard.root;
}

void guard_enter(void)
{
	guard.outer = x86_cr3();
	if (sizeof(uintptr_t) == 4)
		x86_set_cr4(x86_cr4() | CR4_PSE);
	x86_set_cr3((uintptr_t)guard.root);
	trap_use_tables((uintptr_t)guard.root);
	x86_set_cr0(x86_cr0() | CR0_PG);
}

void guard_drop(void)
{
	if (x86_cr3() != (uintptr_t)guard.root)
		return;
	guard_release();
	if (sizeof(uintptr_t) == 4)
		x86_set_cr0(x86_cr0() & ~CR0_PG);
	else
		x86_set_cr3(guard.outer);
}

void guard_close(void)
{
	x86_set_cr0(x86_cr0() | CR0_WP);
}

void guard_release(void)
{
	x86_set_cr0(x86_cr0() & ~(unsigned long)CR0_WP);
}

/* ---- The first run ---- */

/* The instruction at f->ip, as far as it has been read. */
struct opcode {
	uintptr_t at;
	uint8_t rex;
};

static uint8_t next_byte(struct opcode *o)
{
	uint8_t v = 0;

	trap_peek(o->at++, &v); /* if there is nothing the CPU will say so itself */
	return v;
}

static bool is_prefix(uint8_t b)
{
	return b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e || (b >= 0x64 && b <= 0x67) ||
	       b == 0xf0 || b == 0xf2 || b == 0xf3;
}

static bool is_rex(uint8_t b)
{
	return sizeof(uintptr_t) == 8 && (b & 0xf0) == 0x40;
}

/* A REX is one only where the opcode follows it, and ignored before other prefixes. */
static uint8_t first_byte(struct opcode *o)
{
	uint8_t b = next_byte(o);

	for (; is_prefix(b) || is_rex(b); b = next_byte(o))
		o->rex = is_rex(b) ? b : 0;
	return b;
}

/* MOV to CRn of a value that is not there already. CR2 and CR8 are put back or do not matter. */
static const char *forbids_mov_cr(const struct trap_frame *f, struct opcode *o)
{
	uint8_t modrm = next_byte(o);
	uintptr_t value = trap_register(f, (modrm & 7) | (o->rex & 1) << 3);

	switch ((modrm >> 3 & 7) | (o->rex & 4) << 1) {
	case 0:
		return value != (x86_cr0() | CR0_WP) ? "MOV CR0" : NULL; /* WP: lift() */
	case 3:
		return value != x86_cr3() ? "MOV CR3" : NULL;
	case 4:
		return value != x86_cr4() ? "MOV CR4" : NULL;
	default:
		return NULL;
	}
}

/* From now on the time counts that any run may take. */
static void time_begins(void)
{
	if (!guard.timed)
		watchdog_again(0);
	guard.timed = true;
}

/* Something must come that ends the wait. */
static const char *forbids_wait(const struct trap_frame *f, const char *what)
{
	time_begins();
	return f->flags & FLAGS_IF || watchdog_is_nmi() ? NULL : what;
}

static const char *forbids_0f(const struct trap_frame *f, struct opcode *o)
{
	uint8_t modrm;

	switch (next_byte(o)) {
	case 0x00:
		modrm = next_byte(o) >> 3 & 7;
		return modrm == 2 ? "LLDT" : modrm == 3 ? "LTR" : NULL;
	case 0x01:
		modrm = next_byte(o);
		if (modrm == 0xde)
			return "SKINIT";
		if (modrm == 0xc9)
			return forbids_wait(f, "MWAIT");
		if (modrm >= 0xc0)
			return NULL;
		return (modrm >> 3 & 7) == 2 ? "LGDT" : (modrm >> 3 & 7) == 3 ? "LIDT" : NULL;
	case 0x08:
		return "INVD";
	case 0x22:
		return forbids_mov_cr(f, o);
	case 0x23:
		return "MOV DR";
	case 0x30:
		return "WRMSR";
	default:
		return NULL;
	}
}

/* What the instruction at `at` is, if it would take the machine away. */
static const char *forbids_at(const struct trap_frame *f, uintptr_t at)
{
	struct opcode o = { .at = at };
	uint8_t imm;

	switch (first_byte(&o)) {
	case 0x0f:
		return forbids_0f(f, &o);
	case 0x6c:
	case 0x6d:
		return "INS";
	case 0x6e:
	case 0x6f:
		return "OUTS";
	case 0xcd:
		imm = next_byte(&o);
		return imm == TRAP_NMI ? "INT 2" : imm == TRAP_MC ? "INT 18" : NULL;
	case 0xe6:
	case 0xe7:
		return next_byte(&o) == 0x80 ? NULL : "OUT";
	case 0xec:
	case 0xed:
		return "IN";
	case 0xee:
	case 0xef:
		return "OUT";
	case HLT:
		return forbids_wait(f, "HLT");
	default:
		return NULL;
	}
}

/*
 * The same at f->ip. No step comes between a load of SS and the instruction behind it (SDM volume 3,
 * "Masking Exceptions and Interrupts When Switching Stacks"), so that one is looked at before.
 */
static const char *forbids(const struct trap_frame *f)
{
	bool in_kernel = f->ip >= (uintptr_t)kernel_start && f->ip < (uintptr_t)kernel_end;
	const char *what = forbids_at(f, f->ip);
	struct opcode o = { .at = f->ip };
	uint8_t first = first_byte(&o), modrm = first == MOV_SEGMENT ? next_byte(&o) : 0;

	if (in_kernel && (f->ip < guard.code || f->ip >= guard.code_end))
		return "the kernel";
	if (what || (first != POP_SS && (modrm >> 3 & 7) != MODRM_SS))
		return what;
	if (first == MOV_SEGMENT && modrm < 0xc0)
		return "MOV SS";
	return forbids_at(f, o.at);
}

/* A long run goes on by itself if somebody can end it. */
static void on_long_run(struct trap_frame *f)
{
	time_begins();
	if (f->flags & FLAGS_IF || watchdog_is_nmi())
		f->flags &= ~(uintptr_t)FLAGS_TF;
	else
		watchdog_look(f);
}

/* The step after a POPF or IRET that cleared TF comes too, so the flag is set anew each time. */
static void on_step(struct trap_frame *f)
{
	const char *what = f->ip == back ? NULL : forbids(f);

	f->flags |= FLAGS_TF;
	if (what)
		trap_refuse(f, what);
	else if (f->ip == back)
		f->flags &= ~(uintptr_t)FLAGS_TF;
	else if (++guard.steps > STEPS)
		on_long_run(f);
}

void guard_try(void (*routine)(void))
{
	uintptr_t scratch;

	watchdog_again(STEPPING_MS);
	guard.steps = 0;
	guard.timed = false;
	trap_on_vector(TRAP_DB, on_step);
	guard_close();
	asm volatile("	mov	$1f, %0\n"
	             "	mov	%0, %1\n"
	             "	push	%2\n"
	             "	popf\n"
	             "	call	*%3\n"
	             "1:	nop\n"
	             : "=&a"(scratch), "=m"(back)
	             : "i"(TRAP_FLAGS | FLAGS_IF | FLAGS_TF), "r"(routine)
	             : "memory", "cc", "cx", "dx", "si", "di");
	guard_release();
	guard_leave();
}

void guard_leave(void)
{
	trap_on_vector(TRAP_DB, NULL);
}
