/*
 * The privileged and identifying instructions of the x86, an inline function for each. No function
 * faults on a supported CPU, with three exceptions that the caller must check: CPUID
 * (cpu_has_cpuid()), RDTSC (the TSC feature bit) and x86_fence() (SSE2). Accesses to model-specific
 * registers and performance counters may fault on any machine: they are in kernel/cpu/msr.h, with
 * entries in the exception table.
 */
#ifndef KERNEL_CPU_X86_H
#define KERNEL_CPU_X86_H

#include <stdint.h>

struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid_regs x86_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r;

	asm volatile("cpuid"
	             : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
	             : "a"(leaf), "c"(subleaf)
	             : "memory");
	return r;
}

/* Time stamp counter, ticks since reset; not ordered with its neighbours. */
static inline uint64_t x86_rdtsc(void)
{
	uint32_t lo, hi;

	asm volatile("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

static inline uint8_t x86_inb(uint16_t port)
{
	uint8_t v;

	asm volatile("inb %1, %0" : "=a"(v) : "Nd"(port) : "memory");
	return v;
}

static inline uint16_t x86_inw(uint16_t port)
{
	uint16_t v;

	asm volatile("inw %1, %0" : "=a"(v) : "Nd"(port) : "memory");
	return v;
}

static inline uint32_t x86_inl(uint16_t port)
{
	uint32_t v;

	asm volatile("inl %1, %0" : "=a"(v) : "Nd"(port) : "memory");
	return v;
}

static inline void x86_outb(uint16_t port, uint8_t v)
{
	asm volatile("outb %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline void x86_outw(uint16_t port, uint16_t v)
{
	asm volatile("outw %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline void x86_outl(uint16_t port, uint32_t v)
{
	asm volatile("outl %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline void x86_cli(void)
{
	asm volatile("cli" : : : "memory");
}

static inline void x86_sti(void)
{
	asm volatile("sti" : : : "memory");
}

static inline void x86_hlt(void)
{
	asm volatile("hlt" : : : "memory");
}

/* REP NOP: a plain NOP before the Pentium 4, so it is safe everywhere. */
static inline void x86_pause(void)
{
	asm volatile("pause" : : : "memory");
}

/* Needs SSE2. All older loads and stores are done before a younger instruction begins. */
static inline void x86_fence(void)
{
	asm volatile("mfence; lfence" : : : "memory");
}

static inline unsigned long x86_flags(void)
{
	unsigned long f;

	asm volatile("pushf\n\tpop %0" : "=r"(f));
	return f;
}

#define X86_READ_CR(n)                                        \
	static inline unsigned long x86_cr##n(void)           \
	{                                                     \
		unsigned long v;                              \
                                                              \
		asm volatile("mov %%cr" #n ", %0" : "=r"(v)); \
		return v;                                     \
	}
#define X86_WRITE_CR(n)                                                \
	static inline void x86_set_cr##n(unsigned long v)              \
	{                                                              \
		asm volatile("mov %0, %%cr" #n : : "r"(v) : "memory"); \
	}
/*
 * Before the P6 a jump must follow a change of CR0.PG. The jump drops instructions that were
 * fetched under the old translation (SDM volume 3, "Switching to Protected Mode", and the Pentium's
 * manual volume 3).
 */
static inline void x86_set_cr0(unsigned long v)
{
	asm volatile("mov %0, %%cr0; jmp 1f; 1:" : : "r"(v) : "memory");
}
X86_READ_CR(0)
X86_READ_CR(2)
X86_READ_CR(3)
X86_READ_CR(4)
X86_WRITE_CR(3)
X86_WRITE_CR(4)

#endif
