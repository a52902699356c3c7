/*
 * What the engine stands on: the bare machine (bench/engine/platform.h).
 */
#include "bench/engine/platform.h"
#include "kernel/cpu/fence.h"
#include "kernel/cpu/flush.h"
#include "kernel/cpu/fpu.h"
#include "kernel/cpu/guest.h"
#include "kernel/trap/usermode.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/steal.h"
#include "kernel/trap/trap.h"
#include "kernel/trap/internal.h"
#include "kernel/trap/watchdog.h"

static uint8_t *code; /* PLATFORM_CODE bytes; NULL: there was no memory */
static bool counts_smi;

void platform_place_code(uint8_t *room)
{
	code = room;
}

uint8_t *platform_code(size_t *size)
{
	*size = code ? PLATFORM_CODE : 0;
	return code;
}

enum platform_fence platform_fence(const struct cpu *cpu)
{
	return fence_lfence_waits(cpu) ? FENCE_LFENCE : FENCE_CPUID;
}

bool platform_protect(void (*fn)(void *arg), void *arg, const char *what)
{
	int vector = trap_protect(fn, arg, what);

	watchdog_stop();
	return vector < 0;
}

void platform_watch(uint32_t ms, const char *what, bool stubborn)
{
	if (ms)
		watchdog_start(ms, what, stubborn);
	else
		watchdog_stop();
}

unsigned platform_user_cpl(void)
{
	return 3;
}

const char *platform_user_obstacle(void)
{
	return usermode_obstacle();
}

void platform_open(const void *start, size_t size)
{
	usermode_open(start, size, USERMODE_USER);
}

void platform_guard(void)
{
	usermode_enter();
}

/*
 * SMI_COUNT exists on Intel from Nehalem on (SDM volume 4); msr_read() covers the rest. A guest
 * sees only SMIs of its own there, and each reading leaves the guest, which may empty the L1 cache
 * before the next sample.
 */
void platform_init(const struct cpu *cpu)
{
	uint64_t v;

	usermode_open(code, code ? PLATFORM_CODE : 0, USERMODE_USER_CODE);
	counts_smi = !cpu_is_guest(cpu) && cpu->vendor == VENDOR_INTEL &&
	             cpu->pmu_class == PMU_CLASS_ARCH && cpu->arch.version >= 3 &&
	             msr_read(MSR_SMI_COUNT, &v);
}

bool platform_counts_smi(void)
{
	return counts_smi;
}

struct platform_noise platform_noise(void)
{
	struct platform_noise n = { .nmi = trap_nmi_count(),
		                    .mce = trap_mce_count(),
		                    .timer = watchdog_ticks(),
		                    .interrupt = trap_interrupt_count(),
		                    .stolen = steal_version() };
	uint64_t v;

	if (counts_smi && msr_read(MSR_SMI_COUNT, &v))
		n.smi = (uint32_t)v;
	return n;
}

void platform_flush_caches(void)
{
	flush_caches();
}

bool platform_flush_bytes(const void *start, size_t size)
{
	return flush_bytes(start, size);
}

void platform_dropped(uint32_t exits, uint32_t apart)
{
	guest_dropped(exits, apart);
}

bool platform_counters_exit(void)
{
	return guest_counters_exit();
}

void platform_reset_fpu(void)
{
	fpu_reset();
}

/*
 * INT at CPL 3 leads straight into the measured routine at CPL 0, through a gate of its own. The
 * empty body contains the cost of the INT as well. The INT touches little memory, which may be in
 * the cache or not.
 */
struct platform_ring3 platform_ring3(void)
{
	return (struct platform_ring3){ .cs = USER_CS,
		                        .ss = USER_DS,
		                        .data = KERNEL_DS,
		                        .from_init = TRAP_FROM_INIT,
		                        .from_body = TRAP_FROM_BODY };
}

void platform_ring3_return(const void *from_init, const void *from_body)
{
	trap_user_gate(TRAP_FROM_INIT, from_init);
	trap_user_gate(TRAP_FROM_BODY, from_body);
}

bool platform_privileged(void)
{
	return true;
}

bool platform_shares_core(const struct cpu *cpu)
{
	return cpu_is_guest(cpu);
}
