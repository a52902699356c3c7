/*
 * What the engine stands on: a Linux process (bench/engine/platform.h). Snippets run at CPL
 * 3, with interrupts and other processes around them; what that does to a sample shows in its
 * spread.
 */
#define _GNU_SOURCE
#include <linux/audit.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "bench/engine/platform.h"
#include "kernel/lib/log.h"
#include "native/native.h"
#include "native/watch.h"

enum { CODE_SIZE = 256 * 1024, SIGNAL_STACK = 64 * 1024 };

static sigjmp_buf escape;
static volatile sig_atomic_t armed;
static const char *running;
static uint32_t limit_ms;
static uint64_t started_ms;
static bool has_avx;
static bool smt_off;

/* MAP_32BIT gives the low 2 GiB, where generated code can reach it. */
static void *low_memory(size_t size, size_t align, int prot, int flags)
{
	uint8_t *p = mmap(NULL, size + align, prot, flags | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	return p + (align - (uintptr_t)p % align) % align;
}

void *native_low_memory(size_t size, size_t align, int prot)
{
	return low_memory(size, align, prot, MAP_PRIVATE);
}

/*
 * Shared memory has large pages only where its mapping begins at the boundary of one, so the place
 * is found first.
 */
void *native_shared_memory(size_t size, size_t align, int prot)
{
	uint8_t *p = low_memory(size, align, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE);

	if (p)
		p = mmap(p, size, prot, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

uint8_t *platform_code(size_t *size)
{
	static uint8_t *code;

	if (!code)
		code = native_low_memory(CODE_SIZE, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
	*size = code ? CODE_SIZE : 0;
	return code;
}

/* Linux sets DE_CFG[1] on AMD, so LFENCE serializes dispatch on every CPU with 64-bit mode. */
enum platform_fence platform_fence(const struct cpu *cpu)
{
	(void)cpu;
	return FENCE_LFENCE;
}

static void log_fault(int sig, const siginfo_t *info, const ucontext_t *uc)
{
	char name[16], why[48];

	if (sig == SIGALRM) {
		log_begin("timeout");
		log_str("bench", running);
		log_dec("ms", limit_ms);
	} else if (sig == SIGSYS) {
		snprintf(why, sizeof(why), "system call %d%s", info->si_syscall,
		         info->si_arch == AUDIT_ARCH_X86_64 ? "" : " by INT 80h");
		log_error("process", running, why);
		return;
	} else {
		snprintf(name, sizeof(name), "SIG%s", sigabbrev_np(sig));
		log_begin("trap");
		log_str("name", name);
		log_str("bench", running);
		log_hex("address", (uintptr_t)info->si_addr);
		log_hex("ip", (uint64_t)uc->uc_mcontext.gregs[REG_RIP]);
	}
	log_end();
}

static void set_alarm(uint32_t ms)
{
	const struct itimerval when = { .it_value = { .tv_sec = ms / 1000,
		                                      .tv_usec = ms % 1000 * 1000 } };

	setitimer(ITIMER_REAL, &when, NULL);
}

static uint64_t cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/*
 * The limit is one of CPU time, so that a busy machine ends nothing. Code cannot sleep, because the
 * filter refuses its system calls (native/confine.h).
 */
static bool is_early(void)
{
	uint64_t used = cpu_ms() - started_ms;

	if (used >= limit_ms)
		return false;
	set_alarm((uint32_t)(limit_ms - used) + 1);
	return true;
}

static void on_signal(int sig, siginfo_t *info, void *uc)
{
	if (armed && sig == SIGALRM && is_early())
		return;
	if (!armed) {
		signal(sig, SIG_DFL);
		raise(sig);
		return;
	}
	log_fault(sig, info, uc);
	siglongjmp(escape, 1);
}

void native_catch_signals(void)
{
	static const int caught[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGALRM, SIGSYS };
	static uint8_t stack[SIGNAL_STACK];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaltstack(&ss, NULL);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &sa, NULL);
}

void platform_watch(uint32_t ms, const char *what, bool stubborn)
{
	(void)what;
	(void)stubborn;
	limit_ms = ms;
	started_ms = cpu_ms();
	set_alarm(ms);
}

/* The user's code runs where the process does: what it can damage is the process. */
unsigned platform_user_cpl(void)
{
	return 0;
}

const char *platform_user_obstacle(void)
{
	return NULL;
}

void platform_open(const void *start, size_t size)
{
	(void)start;
	(void)size;
}

void platform_guard(void)
{
}

bool platform_protect(void (*fn)(void *arg), void *arg, const char *what)
{
	volatile bool returned = false; /* read after siglongjmp() */

	running = what;
	watch_running(what);
	armed = 1;
	if (!sigsetjmp(escape, 1)) {
		fn(arg);
		returned = true;
	}
	set_alarm(0);
	armed = 0;
	watch_running(NULL);
	return returned;
}

/*
 * An interrupt shows in DS, which 64-bit mode does not use: a return to CPL 3 by IRET makes a null
 * selector there 0, whatever its low two bits were (SDM volume 2, IRET; APM volume 3, IRET), and a
 * return from a system call leaves it. So DS is 1 between two looks unless an interrupt came.
 */
bool native_interrupted(void)
{
	static const uint16_t mark = 1;
	uint16_t ds;

	asm volatile("mov %%ds, %0" : "=r"(ds));
	asm volatile("mov %0, %%ds" : : "r"(mark));
	return !ds;
}

void platform_init(const struct cpu *cpu)
{
	has_avx = cpu_has(cpu, CPU_AVX);
	native_interrupted();
}

/* In this file 0 means that Linux has turned the second thread of each core off. */
static bool smt_is_off(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/smt/active", "r");
	const int c = f ? fgetc(f) : EOF;

	if (f)
		fclose(f);
	return c == '0';
}

void native_find_threads(void)
{
	smt_off = smt_is_off();
}

bool platform_counts_smi(void)
{
	return false;
}

struct platform_noise platform_noise(void)
{
	static uint32_t interrupts;

	interrupts += native_interrupted();
	return (struct platform_noise){ .interrupt = interrupts };
}

/* A guest's Linux knows nothing of the threads of the host. */
bool platform_shares_core(const struct cpu *cpu)
{
	return cpu_is_guest(cpu) || (cpu->threads_per_core > 1 && !smt_off);
}

/* WBINVD is privileged: the nearest thing is to read more memory than any cache holds. */
void platform_flush_caches(void)
{
	enum { SIZE = 64 << 20 };
	static volatile uint8_t *big;

	if (!big)
		big = native_low_memory(SIZE, 4096, PROT_READ | PROT_WRITE);
	for (size_t i = 0; big && i < SIZE; i += 64)
		big[i]++;
}

bool platform_flush_bytes(const void *start, size_t size)
{
	(void)start;
	(void)size;
	return true;
}

/* A process reads no counter. */
/* No record has the sums. */
void platform_dropped(uint32_t exits, uint32_t apart)
{
	(void)exits;
	(void)apart;
}

bool platform_counters_exit(void)
{
	return false;
}

void platform_reset_fpu(void)
{
	static const uint32_t mxcsr = 0x1f80;

	asm volatile("fninit\n\tldmxcsr %0" : : "m"(mxcsr));
	if (has_avx)
		asm volatile("vzeroall"); /* high halves in use make SSE code slower */
}

struct platform_ring3 platform_ring3(void)
{
	return (struct platform_ring3){ 0 };
}

void platform_ring3_return(const void *from_init, const void *from_body)
{
	(void)from_init;
	(void)from_body;
}

bool platform_privileged(void)
{
	return false;
}
