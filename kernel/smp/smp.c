/*
 * The other CPUs, from the boot CPU's side (kernel/smp/smp.h). Sources: SDM volume 3, "MP
 * Initialization"; ACPI 6.5, 5.2.12.19 "Multiprocessor Wakeup Structure".
 */
#include "kernel/chipset/apic.h"
#include "kernel/chipset/phys.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/smp/internal.h"
#include "kernel/smp/list.h"
#include "kernel/smp/page.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"
#include "kernel/trap/trap.h"

enum {
	PAGE = 4096,
	BDA = 0x400,
	INIT_US = 10000, /* SDM volume 3, "MP Initialization Protocol Algorithm" */
	STARTUP_US = 200,
	ARRIVE_US = 500000,
	ARRIVE_GUEST_US = 10000000,
	ECHO_US = 100000,
	ECHOES = 32,
	MAILBOX_WAKE = 1,
	SHORT_DOZE = 64, /* ticks of the local APIC's timer after which a wait looks again */
	LONG_DOZE = 1 << 14,
	TRY_US = 20000,
	RING_US = 2,   /* that an interrupt is on its way at most */
	NAP_US = 2000, /* long enough for a TSC that stands in HLT to show */
	PATIENCE_US = 4000000,
	PATIENCE_GUEST_US = 55000000, /* the host may run few of many CPUs at a time */
	PATIENCE_SIMULATED = 3000000, /* TSC ticks: a second or so of the simulator */
};

static struct {
	struct smp_setup setup;
	struct smp_list list;
	struct smp_cpu cpu[SMP_CPUS];
	unsigned n, blocks;
	const char *why; /* no other CPU could be started; NULL: they could */
	bool complained;
	volatile bool rang; /* the timer, or a CPU that has done its work */
	bool rings;         /* the timer does */
	uint32_t page;      /* number of the page where CPUs start; 0: there is none */
	bool lent;          /* ap_page is there now, and this was: */
	uint8_t before[AP_PAGE_CODE];
} smp;

static void complain(const char *what, const char *why)
{
	log_warn("cpus", what, why);
}

static uint64_t ticks(uint64_t us)
{
	uint64_t hz = smp.setup.tsc_hz ? smp.setup.tsc_hz : 1000000000;

	return hz / 1000000 * us;
}

static struct ap *block_of(unsigned i)
{
	return ap_block(i - 1);
}

void smp_setup(const struct smp_setup *setup)
{
	smp.setup = *setup;
	smp.n = smp.blocks = 0;
	smp.complained = false;
}

unsigned smp_count(void)
{
	return smp.n;
}

const struct smp_cpu *smp_cpu(unsigned i)
{
	return &smp.cpu[i];
}

bool smp_same_core(unsigned a, unsigned b)
{
	const struct cpu_place *x = &smp.cpu[a].place, *y = &smp.cpu[b].place;

	return x->package == y->package && x->core == y->core;
}

bool smp_same_kind(unsigned a, unsigned b)
{
	const struct cpu_place *x = &smp.cpu[a].place, *y = &smp.cpu[b].place;

	return x->core_type == y->core_type && x->native_model == y->native_model;
}

/* --- starting ------------------------------------------------------------------------------- */

static void on_ring(struct trap_frame *f)
{
	(void)f;
	smp.rang = true;
	apic_write(APIC_EOI, 0);
}

/* No CPU rings any more; one that an INIT has stopped in the middle counts as silent. */
static void stop_ringing(void)
{
	uint64_t begin = x86_rdtsc();

	ap_awaited = false;
	__sync_synchronize();
	for (unsigned i = 1; i <= smp.blocks; i++) {
		while (block_of(i)->rings && x86_rdtsc() - begin < ticks(TRY_US))
			x86_pause();
		block_of(i)->rings = false;
	}
}

/* What rang comes before the call of the firmware that may be next. */
static void end_doze(void)
{
	uint64_t begin;

	stop_ringing();
	apic_write(APIC_LVT_TIMER, LVT_MASKED | AP_DONE);
	apic_write(APIC_TIMER_INITIAL, 0);
	begin = x86_rdtsc();
	x86_sti();
	while (x86_rdtsc() - begin < ticks(RING_US))
		x86_pause();
	x86_cli();
}

/*
 * In HLT, which leaves the core to its other thread, until a CPU has arrived or has done its work,
 * or the local APIC's timer has counted so far. The caller looks, and comes again.
 */
static void doze(uint32_t count)
{
	if (!smp.rings) {
		x86_pause();
		return;
	}
	if (!ap_awaited) {
		ap_awaited = true; /* from now on; before, no CPU rang */
		__sync_synchronize();
		return;
	}
	apic_write(APIC_LVT_TIMER, AP_DONE);
	apic_write(APIC_TIMER_INITIAL, count);
	asm volatile("sti; hlt; cli" : : : "memory");
}

/* Without a timer nothing wakes this CPU if all others stay silent: it does not sleep then. */
static void try_timer(void)
{
	uint64_t begin = x86_rdtsc();

	trap_on_vector(AP_DONE, on_ring);
	smp.rang = false;
	apic_write(APIC_LVT_TIMER, AP_DONE);
	apic_write(APIC_TIMER_INITIAL, SHORT_DOZE);
	x86_sti();
	while (!smp.rang && x86_rdtsc() - begin < ticks(TRY_US))
		x86_pause();
	x86_cli();
	smp.rings = smp.rang;
	end_doze();
}

static bool is_guest(void)
{
	return cpu_has(smp.setup.cpu, CPU_HYPERVISOR);
}

/* Waits until CPUs first to last have come, or for some time. */
static bool arrived(unsigned first, unsigned last, uint64_t us)
{
	uint64_t start = x86_rdtsc();
	bool all;

	do {
		all = true;
		for (unsigned i = first; i <= last; i++)
			all &= smp.cpu[i].state != SMP_LISTED || block_of(i)->state != AP_ABSENT;
		if (!all)
			doze(SHORT_DOZE);
	} while (!all && x86_rdtsc() - start < ticks(us));
	return all;
}

static bool all_arrived(unsigned first, unsigned last)
{
	return arrived(first, last, is_guest() ? ARRIVE_GUEST_US : ARRIVE_US);
}

static void send_absent(unsigned first, unsigned last, uint32_t command)
{
	for (unsigned i = first; i <= last; i++)
		if (smp.cpu[i].state == SMP_LISTED && block_of(i)->state == AP_ABSENT &&
		    !apic_send(smp.cpu[i].id, command))
			smp.cpu[i].state = SMP_UNREACHABLE;
}

/* The mailbox takes one CPU after the other; it is empty again when its command is 0. */
static void wake_by_mailbox(unsigned first, unsigned last)
{
	uintptr_t box = (uintptr_t)smp.list.mailbox;

	for (unsigned i = first; i <= last; i++) {
		phys_write32(box + 4, smp.cpu[i].id);
		phys_write32(box + 8, ap_mailbox_entry());
		phys_write32(box + 12, 0);
		phys_write16(box, MAILBOX_WAKE);
		all_arrived(i, i);
	}
}

static void *page_code(void)
{
	return (void *)(uintptr_t)phys_ptr(smp.page * PAGE);
}

static void take_page(void)
{
	if (!smp.lent)
		memcpy(smp.before, page_code(), (size_t)(ap_page_end - ap_page));
	smp.lent = true;
	memcpy(page_code(), ap_page, (size_t)(ap_page_end - ap_page));
}

static void give_page(void)
{
	if (smp.lent)
		memcpy(page_code(), smp.before, (size_t)(ap_page_end - ap_page));
	smp.lent = false;
}

/* Starts CPUs first to last, which are absent. */
static void start_by_ipi(unsigned first, unsigned last)
{
	send_absent(first, last, IPI_INIT);
	send_absent(first, last, IPI_INIT_END);
	arrived(first, last, INIT_US);
	send_absent(first, last, IPI_STARTUP | smp.page);
	if (arrived(first, last, STARTUP_US))
		return;
	send_absent(first, last, IPI_STARTUP | smp.page);
	all_arrived(first, last);
}

static bool all_have_come(void)
{
	for (unsigned i = 1; i <= smp.blocks; i++)
		if (block_of(i)->state == AP_ABSENT)
			return false;
	return true;
}

/* A CPU that is late, of this start or an earlier one, must find the page as it was when called. */
static void start(unsigned first, unsigned last)
{
	ap_lock = 0;
	if (smp.list.mailbox) {
		wake_by_mailbox(first, last);
		return;
	}
	take_page();
	start_by_ipi(first, last);
	if (all_have_come())
		give_page();
}

/* Blocks for as many of the CPUs as there is memory for. */
static void find_memory(void)
{
	unsigned n = smp.n - 1;
	uint8_t *p = NULL;

	while (n && !(p = smp.setup.alloc((size_t)(n + 1) * AP_BLOCK)))
		n /= 2;
	ap_set_blocks(((uintptr_t)p + AP_BLOCK - 1) & ~(uintptr_t)(AP_BLOCK - 1), n);
	for (unsigned i = 1; i < smp.n; i++)
		if (i <= n)
			block_of(i)->id = smp.cpu[i].id;
		else
			smp.cpu[i].state = SMP_NO_MEMORY;
	smp.blocks = n;
}

/* NULL, or why no other CPU can be started. */
static const char *obstacle(void)
{
	if (apic_mode() != APIC_XAPIC && apic_mode() != APIC_X2APIC)
		return "there is no local APIC that can be reached";
	smp_list(&smp.list, smp.setup.acpi, apic_own_id(), (const void *)phys_ptr(0), PHYS_LIMIT,
	         complain);
	smp.n = smp.list.n;
	if (smp.n == 1)
		return "no table lists another one";
	smp.page = smp_find_page(smp.setup.bi, (const uint8_t *)phys_ptr(BDA));
	if (!smp.page && !smp.list.mailbox)
		return "no page below 1 MiB is free";
	if (smp.list.mailbox && (!ap_mailbox_entry() || smp.list.mailbox >= PHYS_LIMIT))
		return "the firmware starts them in 64-bit mode only, below 4 GiB";
	return NULL;
}

/* --- time stamp counters -------------------------------------------------------------------- */

struct echo {
	volatile uint32_t ping __attribute__((aligned(64)));
	volatile uint32_t pong __attribute__((aligned(64)));
	volatile uint32_t tsc[2];
};

static void answer(void *arg)
{
	struct echo *e = arg;

	for (uint32_t i = 1; i <= ECHOES; i++) {
		uint64_t start = x86_rdtsc(), now;

		while (e->ping != i)
			if (x86_rdtsc() - start > ticks(ECHO_US))
				return;
		now = x86_rdtsc();
		e->tsc[0] = (uint32_t)now;
		e->tsc[1] = (uint32_t)(now >> 32);
		e->pong = i;
	}
}

struct offset {
	int64_t ticks;
	uint64_t error; /* 0: the CPU did not answer in time */
};

/* The other CPU's time lies between asking and hearing: the shortest way tells most. */
static struct offset compare_tsc(unsigned i)
{
	static struct echo e;
	struct smp_job job = { .cpu = i, .fn = answer, .arg = &e };
	uint64_t shortest = ~(uint64_t)0;
	struct offset off = { 0 };

	e.ping = e.pong = 0;
	smp_begin(&job, 1);
	for (uint32_t n = 1; n <= ECHOES; n++) {
		uint64_t from = x86_rdtsc(), to = from;

		e.ping = n;
		while (e.pong != n && to - from < ticks(ECHO_US))
			to = x86_rdtsc();
		to = x86_rdtsc();
		if (e.pong != n)
			break;
		if (to - from >= shortest)
			continue;
		shortest = to - from;
		off.error = shortest / 2 + 1;
		off.ticks =
			(int64_t)(((uint64_t)e.tsc[1] << 32 | e.tsc[0]) - (from + shortest / 2));
	}
	smp_finish(&job, 1, 0, "tsc");
	return off;
}

static void nap(void)
{
	uint64_t begin = x86_rdtsc();

	while (x86_rdtsc() - begin < ticks(NAP_US))
		doze(SHORT_DOZE);
	end_doze();
}

/*
 * Twice, with a sleep in between, unless CPUID promises that no sleep stops a TSC: that of a K8
 * with two cores nearly stands still in HLT (AMD, "C1 clock ramping").
 */
static void compare_all(void)
{
	for (unsigned i = 1; i <= smp.blocks; i++) {
		struct smp_cpu *c = &smp.cpu[i];
		struct offset first;

		if (c->state != SMP_READY)
			continue;
		first = compare_tsc(i);
		c->tsc_offset = first.ticks;
		c->tsc_error = first.error;
	}
	if (cpu_has(smp.setup.cpu, CPU_INVARIANT_TSC))
		return;
	nap();
	for (unsigned i = 1; i <= smp.blocks; i++) {
		struct smp_cpu *c = &smp.cpu[i];
		struct offset again;

		if (c->state != SMP_READY || !c->tsc_error)
			continue;
		again = compare_tsc(i);
		c->tsc_drift = again.error ? again.ticks - c->tsc_offset : 0;
		c->tsc_error = again.error ? c->tsc_error : 0;
		if ((uint64_t)(c->tsc_drift < 0 ? -c->tsc_drift : c->tsc_drift) <=
		    again.error + c->tsc_error)
			c->tsc_drift = 0;
	}
}

/* --- records -------------------------------------------------------------------------------- */

static void log_cpus(const char *why)
{
	unsigned ready = 0;

	for (unsigned i = 0; i < smp.n; i++)
		ready += smp.cpu[i].state == SMP_READY;
	log_begin("cpus");
	log_str("source", smp.n > 1 ? smp.list.source : "none");
	log_dec("listed", smp.n);
	log_dec("disabled", smp.list.disabled);
	log_dec("ready", ready);
	if (smp.n > 1 && !smp.list.mailbox)
		log_hex("page", smp.page * PAGE);
	if (why)
		log_str("why", why);
	log_end();
}

static void log_cpu(unsigned i)
{
	static const char *const states[] = { "listed",      "ready",     "silent", "late",
		                              "unreachable", "no_memory", "lost" };
	const struct smp_cpu *c = &smp.cpu[i];

	log_begin("cpu_entry");
	log_dec("cpu", i);
	log_dec("apic", c->id);
	log_str("state", states[c->state]);
	if (c->state == SMP_READY) {
		log_dec("package", c->place.package);
		log_dec("die", c->place.die);
		log_dec("module", c->place.module);
		log_dec("core", c->place.core);
		log_dec("thread", c->place.thread);
		if (c->place.core_type)
			log_hex("type", c->place.core_type);
		log_str("source", c->place.source);
		if (i && block_of(i)->mwait)
			log_hex("mwait", block_of(i)->mwait);
		if (!i || c->tsc_error)
			log_int("tsc_offset", c->tsc_offset);
		if (!i || c->tsc_error)
			log_dec("tsc_error", c->tsc_error);
		if (c->tsc_drift)
			log_int("tsc_drift", c->tsc_drift);
	}
	log_end();
}

static void take_place(unsigned i)
{
	struct smp_cpu *c = &smp.cpu[i];

	if (c->state != SMP_LISTED)
		return;
	if (block_of(i)->state == AP_ABSENT) {
		c->state = SMP_SILENT;
		return;
	}
	c->state = SMP_READY;
	c->place = block_of(i)->place;
}

static bool same_mtrr(unsigned a, unsigned b)
{
	const struct mtrr_difference *x = &block_of(a)->mtrr, *y = &block_of(b)->mtrr;

	return x->msr == y->msr && x->value == y->value;
}

/* How many CPUs from i on differ in the same way from the boot CPU; 0: not the first of them. */
static unsigned count_mtrr(unsigned i)
{
	unsigned n = 0;

	for (unsigned k = 1; k <= smp.blocks; k++) {
		if (smp.cpu[k].state != SMP_READY || !same_mtrr(i, k))
			continue;
		if (k < i)
			return 0;
		n++;
	}
	return n;
}

/*
 * Some BIOSes set the memory types of the first CPU alone, and the others have no caches then. The
 * host decides in a guest, and QEMU's INIT resets the registers, as no CPU does.
 */
static void warn_of_mtrr(unsigned i)
{
	const struct mtrr_difference *d = &block_of(i)->mtrr;
	unsigned n = d->msr && !is_guest() ? count_mtrr(i) : 0;
	char text[80];
	struct text t = text_in(text, sizeof(text));

	if (!n)
		return;
	text_str(&t, "cpu ");
	text_dec(&t, i);
	if (n > 1) {
		text_str(&t, " and ");
		text_dec(&t, n - 1);
		text_str(&t, " more");
	}
	text_str(&t, " msr 0x");
	text_hex(&t, d->msr, 1);
	text_str(&t, " is 0x");
	text_hex(&t, d->value, 1);
	text_str(&t, ", not 0x");
	text_hex(&t, d->boot_value, 1);
	log_warn("mtrr", text,
	         "this CPU gives memory other types than the CPU that booted: it may be uncached");
}

unsigned smp_start(void)
{
	if (smp.n)
		return smp.n;
	memset(&smp.list, 0, sizeof(smp.list));
	memset(smp.cpu, 0, sizeof(smp.cpu));
	smp.n = 1;
	smp.why = obstacle();
	for (unsigned i = 0; i < smp.n; i++)
		smp.cpu[i].id = smp.list.id[i];
	smp.cpu[0].state = SMP_READY;
	cpu_decode_apic_id(&smp.cpu[0].place, smp.setup.cpu, x86_cpuid);
	if (!smp.why) {
		try_timer();
		find_memory();
		ap_learn(smp.setup.cpu);
		ap_build_gates();
		if (smp.blocks)
			start(1, smp.blocks);
		end_doze();
		for (unsigned i = 1; i <= smp.blocks; i++)
			take_place(i);
		compare_all();
	}
	log_cpus(smp.why);
	for (unsigned i = 0; i < smp.n; i++)
		log_cpu(i);
	for (unsigned i = 1; i <= smp.blocks; i++) {
		warn_of_mtrr(i);
		if (smp.cpu[i].state == SMP_READY)
			conditions_tell(&block_of(i)->conditions, i);
	}
	return smp.n;
}

/* CPUs that the firmware lists; those of the MADT count where no list could be made. */
static unsigned count_listed(void)
{
	return smp.list.source ? smp.n : smp.setup.acpi->cpus;
}

void smp_complain(void)
{
	unsigned ready = 0;
	char text[32];
	struct text t = text_in(text, sizeof(text));

	for (unsigned i = 0; i < smp.n; i++)
		ready += smp.cpu[i].state == SMP_READY;
	if (smp.complained || ready >= count_listed())
		return;
	smp.complained = true;
	text_dec(&t, ready);
	text_str(&t, " of ");
	text_dec(&t, count_listed());
	log_error("cpus", text, smp.why ? smp.why : "listed CPUs are not ready: see cpu_entry");
}

void smp_find_late(void)
{
	for (unsigned i = 1; i <= smp.blocks; i++)
		if (smp.cpu[i].state == SMP_SILENT && block_of(i)->state != AP_ABSENT) {
			smp.cpu[i].state = SMP_LATE;
			log_cpu(i);
		}
}

bool smp_stop(void)
{
	if (smp.list.mailbox && smp.blocks)
		return false;
	for (unsigned i = 1; i <= smp.blocks; i++) {
		apic_send(block_of(i)->id, IPI_INIT);
		apic_send(block_of(i)->id, IPI_INIT_END);
	}
	smp.n = smp.blocks = 0;
	return true;
}

/* --- work ----------------------------------------------------------------------------------- */

void smp_begin(const struct smp_job *jobs, unsigned n)
{
	ap_failed = false;
	for (unsigned i = 0; i < n; i++) {
		struct ap *ap;

		smp.cpu[jobs[i].cpu].end = SMP_DONE;
		if (!jobs[i].cpu || smp.cpu[jobs[i].cpu].state != SMP_READY)
			continue;
		ap = block_of(jobs[i].cpu);
		ap->arg = jobs[i].arg;
		ap->job = jobs[i].fn;
		apic_send(ap->id, IPI_FIXED | AP_WAKE);
	}
}

static bool ended(const struct smp_job *jobs, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct ap *ap;

		if (!jobs[i].cpu || smp.cpu[jobs[i].cpu].state != SMP_READY)
			continue;
		ap = block_of(jobs[i].cpu);
		if (ap->job && ap->state != AP_FAULTED)
			return false;
	}
	return true;
}

static void log_fault(unsigned i, const char *what)
{
	const struct smp_cpu *c = &smp.cpu[i];

	log_begin("cpu_fault");
	log_dec("cpu", i);
	log_str("what", what);
	log_str("end", c->end == SMP_FAULTED ? "trap" : "timeout");
	if (c->end == SMP_FAULTED) {
		log_dec("vector", c->fault.vector);
		log_hex("error", c->fault.error);
		log_hex("ip", c->fault.ip);
		log_hex("cr2", c->fault.cr2);
	}
	log_str("state", c->state == SMP_READY ? "ready" : "lost");
	log_end();
}

/* INIT ends whatever the CPU does; then it starts anew. */
static void bring_back(unsigned i, const char *what)
{
	struct ap *ap = block_of(i);
	struct smp_cpu *c = &smp.cpu[i];

	c->end = ap->state == AP_FAULTED ? SMP_FAULTED : SMP_TIMEOUT;
	c->fault = ap->fault;
	if (!smp.list.mailbox) {
		apic_send(ap->id, IPI_INIT);
		apic_send(ap->id, IPI_INIT_END);
		ap->job = NULL;
		ap->state = AP_ABSENT;
		c->state = SMP_LISTED;
		start(i, i);
		end_doze();
	}
	c->state = ap->state == AP_PARKED && !smp.list.mailbox ? SMP_READY : SMP_LOST;
	log_fault(i, what);
}

static void wait_for(const struct smp_job *jobs, unsigned n, uint64_t limit)
{
	uint64_t begin = x86_rdtsc();

	while (!ended(jobs, n) && x86_rdtsc() - begin < limit)
		doze(LONG_DOZE);
	end_doze();
}

bool smp_finish(const struct smp_job *jobs, unsigned n, uint32_t ms, const char *what)
{
	bool good = true;

	wait_for(jobs, n, ms ? ticks((uint64_t)ms * 1000) : smp_patience());
	for (unsigned i = 0; i < n; i++) {
		unsigned cpu = jobs[i].cpu;

		if (!cpu)
			continue;
		if (smp.cpu[cpu].state != SMP_READY)
			smp.cpu[cpu].end = SMP_TIMEOUT;
		else if (block_of(cpu)->job)
			bring_back(cpu, jobs[i].what ? jobs[i].what : what);
		good &= smp.cpu[cpu].end == SMP_DONE;
	}
	return good;
}

bool smp_run(const struct smp_job *jobs, unsigned n, uint32_t ms, const char *what)
{
	smp_begin(jobs, n);
	for (unsigned i = 0; i < n; i++)
		if (!jobs[i].cpu)
			jobs[i].fn(jobs[i].arg);
	return smp_finish(jobs, n, ms, what);
}

/* Whoever has not come by the end of the run waits for a start-up IPI again. */
static void end_starting(void)
{
	for (unsigned i = 1; smp.lent && i <= smp.blocks; i++)
		if ((smp.cpu[i].state == SMP_SILENT || smp.cpu[i].state == SMP_LOST) &&
		    block_of(i)->state == AP_ABSENT) {
			apic_send(smp.cpu[i].id, IPI_INIT);
			apic_send(smp.cpu[i].id, IPI_INIT_END);
		}
	give_page();
}

/* It has followed the boot CPU's conditions, though nothing was measured on it. */
static bool has_come_late(unsigned i)
{
	return i <= smp.blocks && block_of(i)->state == AP_PARKED &&
	       (smp.cpu[i].state == SMP_SILENT || smp.cpu[i].state == SMP_LATE);
}

void smp_everywhere(void (*fn)(void *arg))
{
	end_starting();
	for (unsigned i = 1; i < smp.n; i++) {
		struct smp_job job = { .cpu = i,
			               .fn = fn,
			               .arg = smp_same_kind(0, i) ? &smp.cpu[i] : NULL };

		bool late = has_come_late(i);

		if (smp.cpu[i].state != SMP_READY && !late)
			continue;
		block_of(i)->mwait = 0;
		smp.cpu[i].state = SMP_READY;
		smp_run(&job, 1, 0, "put back");
		if (late)
			smp.cpu[i].state = SMP_LATE;
	}
}

uint32_t smp_stolen(unsigned i)
{
	return i ? steal_version_in(&block_of(i)->stolen) : steal_version();
}

bool smp_failed(void)
{
	return ap_failed;
}

uint64_t smp_patience(void)
{
	if (smp.setup.cpu->simulated)
		return PATIENCE_SIMULATED;
	return ticks(is_guest() ? PATIENCE_GUEST_US : PATIENCE_US);
}

bool smp_barrier(struct smp_barrier *b)
{
	uint32_t generation = b->generation;
	uint64_t start = x86_rdtsc();

	if (smp_count_up(&b->arrived) == b->n) {
		b->arrived = 0;
		b->generation = generation + 1;
		return !b->broken;
	}
	while (b->generation == generation && !b->broken && !ap_failed) {
		x86_pause();
		if (x86_rdtsc() - start > b->patience)
			b->broken = 1;
	}
	return !b->broken && !ap_failed;
}
