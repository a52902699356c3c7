/*
 * The watchdog (kernel/trap/watchdog.h). Source: SDM volume 3, "APIC Timer".
 */
#include "kernel/trap/watchdog.h"
#include "kernel/chipset/apic.h"
#include "kernel/chipset/pic.h"
#include "kernel/chipset/pit.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"

enum {
	VECTOR_APIC = 0xe0,
	VECTOR_PIT = PIC_VECTOR + PIC_LINE_TIMER,
	VECTOR_SPURIOUS = 0xff,
	DIVIDE_BY_128 = 0xa,
	FLAGS_IF = 1 << 9,
	LEFTOVERS = 64, /* interrupts of the firmware's that are ended, at most */
	MS_MAX = 60000,
	CALIBRATE_MS = 2,                /* a thousand ticks or more: 0.1 % */
	NMI_TRY_COUNT = PIT_HZ / 10000,  /* 0.1 ms */
	NMI_TRY_MS = 50,                 /* an emulator or hypervisor may be late */
	NMI_LATE_MS = 2 * PIT_PERIOD_MS, /* the timer comes first, if it can */
	LASTS_MS = 20,                   /* less than a period of the 8254 */
	LASTS_PART = 16,                 /* of the time of a watch */
};

/* The timer that ends a snippet. */
enum source { SOURCE_NONE, SOURCE_APIC, SOURCE_PIT };

static const char *const source_names[] = { "none", "apic", "pit" };

static struct {
	enum source source;
	uint32_t apic_per_ms;
	bool nmi; /* the 8254 can raise NMIs */
	const char *what;
	uint32_t ms;
	uint32_t ticks_left; /* PIT periods */
	uint32_t ticks;
	uint64_t tsc_per_ms; /* in a guest; 0: no watch goes on */
	uint64_t begun;      /* TSC of the last start; 0: stopped, or no watch goes on */
} dog;

static void bite(struct trap_frame *f)
{
	/* The NMI that follows must not come while a slow console takes the record. */
	watchdog_stop();
	log_begin("timeout");
	log_str("bench", dog.what);
	log_dec("ms", dog.ms);
	log_hex("ip", f->ip);
	log_end();
	trap_abandon(f);
}

/*
 * An interrupt raised while the timer was being stopped is delivered after the next start, with a
 * count that is not 0: it is not the timeout of that run.
 */
static void on_apic(struct trap_frame *f)
{
	apic_write(APIC_EOI, 0);
	if (!apic_read(APIC_TIMER_CURRENT))
		bite(f);
}

static void on_pit(struct trap_frame *f)
{
	pic_end();
	dog.ticks++;
	if (!dog.ticks_left || !--dog.ticks_left)
		bite(f);
	else
		pit_count(0);
}

/*
 * The 8259 holds its line up until it is asked why; if it knows nothing the NMI was somebody
 * else's.
 */
static void on_nmi(struct trap_frame *f)
{
	if (pic_poll() >= 0)
		on_pit(f);
}

static void on_spurious(struct trap_frame *f)
{
	(void)f;
}

static int find_request(void)
{
	for (unsigned v = TRAP_EXCEPTIONS; v < VECTOR_SPURIOUS; v++)
		if (apic_bit(APIC_IRR, v))
			return (int)v;
	return -1;
}

static void on_leftover(struct trap_frame *f)
{
	apic_write(APIC_EOI, 0);
	f->flags &= ~(uintptr_t)FLAGS_IF; /* a line that stays active must not hold us here */
}

/*
 * What the firmware let in and did not serve would come at the first STI, as a trap of the snippet
 * that runs then; what it did not end, and its task priority, would keep our timer out. A firmware
 * that stays alive needs what waits: EDK2's HpetTimerDxe sets its timer again in the handler of the
 * interrupt alone. The task priority of irqmask_keep() keeps that out until the next call.
 */
static void end_leftovers(void)
{
	int v;

	for (unsigned i = TRAP_VECTORS; i--;)
		if (apic_bit(APIC_ISR, i))
			apic_write(APIC_EOI, 0);
	if (irqmask_priority())
		return;
	apic_write(APIC_TASK_PRIORITY, 0);
	for (unsigned n = 0; n < LEFTOVERS && (v = find_request()) >= 0; n++) {
		trap_on_vector((uint8_t)v, on_leftover);
		x86_sti();
		x86_pause();
		x86_cli();
		trap_on_vector((uint8_t)v, NULL);
	}
}

/* Timer ticks of a millisecond at divisor 128, by the TSC. */
static uint32_t calibrate_apic(uint64_t tsc_hz)
{
	uint64_t start, wait = tsc_hz * CALIBRATE_MS / 1000;
	uint32_t ticks;

	apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_128);
	apic_write(APIC_LVT_TIMER, LVT_MASKED | VECTOR_APIC);
	apic_write(APIC_TIMER_INITIAL, 0xffffffff);
	start = x86_rdtsc();
	while (x86_rdtsc() - start < wait)
		x86_pause();
	ticks = 0xffffffff - apic_read(APIC_TIMER_CURRENT);
	return (uint32_t)(ticks * (tsc_hz / 1000) / (x86_rdtsc() - start));
}

/*
 * The 8259 remembers edges while it is masked. The output is low from pit_stop() on, so after a new
 * initialization of the 8259 the next edge is the end of the count.
 */
static void start_pit(uint16_t count)
{
	x86_cli();
	pit_stop();
	pic_init();
	pit_count(count);
	pic_allow(1 << PIC_LINE_TIMER);
}

static void stop_pit(void)
{
	pic_allow(0);
	pit_stop();
}

/*
 * If an I/O APIC forwarded the same request, it is pending now. It must be taken here, or it
 * interrupts the next snippet.
 */
static void take_request(void)
{
	x86_sti();
	x86_pause();
	x86_cli();
}

/*
 * Some machines have no 8254 any more, or stop its clock, or lead it elsewhere: only a try tells.
 */
static bool try_nmi(uint64_t tsc_hz)
{
	uint64_t start = x86_rdtsc(), wait = tsc_hz * NMI_TRY_MS / 1000;
	uint32_t before = dog.ticks;

	dog.ticks_left = 2;
	trap_on_vector(TRAP_NMI, on_nmi);
	apic_write(APIC_LVT_LINT0, LVT_NMI);
	start_pit(NMI_TRY_COUNT);
	while (dog.ticks == before && x86_rdtsc() - start < wait)
		x86_pause();
	apic_write(APIC_LVT_LINT0, LVT_NMI | LVT_MASKED);
	stop_pit();
	if (dog.ticks == before)
		trap_on_vector(TRAP_NMI, NULL); /* whatever NMI comes is not ours */
	take_request();
	return dog.ticks != before;
}

/*
 * With the local APIC on, the 8259's way to the core is its LINT0, which irqmask_apic() has masked.
 */
static void use_apic(uint64_t tsc_hz)
{
	trap_on_vector(VECTOR_SPURIOUS, on_spurious);
	apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | VECTOR_SPURIOUS);
	end_leftovers();
	dog.apic_per_ms = tsc_hz ? calibrate_apic(tsc_hz) : 0;
	apic_write(APIC_TIMER_INITIAL, 0);
	if (!dog.apic_per_ms) {
		log_warn(
			"watchdog", apic_mode_name(),
			"its timer's rate is unknown: a snippet that does not end cannot be ended");
		return;
	}
	trap_on_vector(VECTOR_APIC, on_apic);
	dog.source = SOURCE_APIC;
	dog.nmi = !pic_is_kept() && try_nmi(tsc_hz);
}

void watchdog_init(uint64_t tsc_hz, bool guest)
{
	dog.tsc_per_ms = guest ? tsc_hz / 1000 : 0;
	trap_hooks()->before_record = watchdog_stop;
	trap_on_vector(PIC_VECTOR + PIC_LINE_SPURIOUS, on_spurious);
	if (apic_mode() == APIC_XAPIC || apic_mode() == APIC_X2APIC) {
		use_apic(tsc_hz);
	} else if (pic_present()) {
		trap_on_vector(VECTOR_PIT, on_pit);
		dog.source = SOURCE_PIT;
	} else {
		log_warn("watchdog", apic_mode_name(),
		         "no timer interrupts: a snippet that does not end cannot be ended");
	}
	log_begin("watchdog");
	log_str("source", source_names[dog.source]);
	if (dog.source == SOURCE_APIC)
		log_dec("ticks_per_ms", dog.apic_per_ms);
	log_bool("nmi", dog.nmi);
	log_end();
}

/* The last timer interrupt has had no EOI if its frame could not be pushed: it is sent here. */
static void start_apic(uint32_t ms)
{
	uint64_t count = (uint64_t)dog.apic_per_ms * ms;

	if (apic_bit(APIC_ISR, VECTOR_APIC))
		apic_write(APIC_EOI, 0);
	apic_write(APIC_LVT_TIMER, VECTOR_APIC);
	apic_write(APIC_TIMER_INITIAL, count > 0xffffffff ? 0xffffffff : (uint32_t)count);
}

static void start_periods(uint32_t ms)
{
	dog.ticks_left = ms / PIT_PERIOD_MS + 1;
	start_pit(0);
}

/*
 * Each access to a timer leaves a guest, and a sample is short. So the watch of one sample goes on
 * for the next samples. It ends too early by at most a sixteenth of its time, and at most LASTS_MS.
 */
static bool goes_on(uint32_t ms, const char *what, bool stubborn)
{
	const uint64_t lasts = ms / LASTS_PART < LASTS_MS ? ms / LASTS_PART : LASTS_MS;

	return dog.begun && !stubborn && dog.what == what && dog.ms == ms &&
	       x86_rdtsc() - dog.begun < lasts * dog.tsc_per_ms;
}

void watchdog_start(uint32_t ms, const char *what, bool stubborn)
{
	if (ms > MS_MAX)
		ms = MS_MAX;
	if (goes_on(ms, what, stubborn)) {
		x86_sti();
		return;
	}
	dog.what = what;
	dog.ms = ms;
	dog.begun = dog.tsc_per_ms && dog.source && !stubborn ? x86_rdtsc() : 0;
	switch (dog.source) {
	case SOURCE_NONE:
		return;
	case SOURCE_APIC:
		start_apic(dog.ms);
		if (stubborn && dog.nmi) {
			start_periods(dog.ms + NMI_LATE_MS);
			apic_write(APIC_LVT_LINT0, LVT_NMI);
		}
		break;
	case SOURCE_PIT:
		start_periods(dog.ms);
		break;
	}
	x86_sti();
}

void watchdog_stop(void)
{
	x86_cli();
	dog.begun = 0;
	if (dog.source == SOURCE_APIC) {
		apic_write(APIC_LVT_TIMER, LVT_MASKED | VECTOR_APIC);
		apic_write(APIC_TIMER_INITIAL, 0);
		apic_write(APIC_LVT_LINT0, LVT_NMI | LVT_MASKED);
	}
	if (dog.nmi || dog.source == SOURCE_PIT)
		stop_pit();
}

uint32_t watchdog_ticks(void)
{
	return dog.ticks;
}
