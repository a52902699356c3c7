/*
 * x87 and SIMD state (kernel/cpu/fpu.h).
 */
#include "kernel/cpu/fpu.h"

enum {
	CR0_MP = 1 << 1,
	CR0_EM = 1 << 2,
	CR0_TS = 1 << 3,
	CR0_NE = 1 << 5,
	CR4_OSFXSR = 1 << 9,
	CR4_OSXMMEXCPT = 1 << 10,
	CR4_OSXSAVE = 1 << 18,
	XCR0_X87 = 1 << 0,
	XCR0_SSE = 1 << 1,
	XCR0_AVX = 1 << 2,
	XCR0_AVX512 = 7 << 5, /* opmask, ZMM_Hi256, Hi16_ZMM */
	MXCSR_DEFAULT = 0x1f80,
};

static struct {
	bool x87, sse, avx;
} has;

static void enable_xsave(const struct cpu *cpu)
{
	uint32_t allowed = x86_cpuid(0xd, 0).eax;
	uint32_t want = XCR0_X87 | XCR0_SSE;

	if (cpu_has(cpu, CPU_AVX))
		want |= XCR0_AVX;
	/*
	 * AVX-512's state without AVX's is refused (SDM volume 1, "Enabling the XSAVE Feature
	 * Set").
	 */
	if (cpu_has(cpu, CPU_AVX512F) && (want & allowed & XCR0_AVX) &&
	    (allowed & XCR0_AVX512) == XCR0_AVX512)
		want |= XCR0_AVX512;
	x86_set_cr4(x86_cr4() | CR4_OSXSAVE);
	asm volatile("xsetbv" : : "c"(0), "a"(want & allowed), "d"(0));
	has.avx = want & allowed & XCR0_AVX;
}

void fpu_init(const struct cpu *cpu)
{
	has.x87 = cpu_has(cpu, CPU_FPU);
	if (!has.x87)
		return;
	x86_set_cr0((x86_cr0() & ~(unsigned long)(CR0_EM | CR0_TS)) | CR0_MP | CR0_NE);
	has.sse = cpu_has(cpu, CPU_SSE) && cpu_has(cpu, CPU_FXSR);
	if (has.sse)
		x86_set_cr4(x86_cr4() | CR4_OSFXSR | CR4_OSXMMEXCPT);
	if (has.sse && cpu_has(cpu, CPU_XSAVE) && cpu->max_leaf >= 0xd)
		enable_xsave(cpu);
	fpu_reset();
}

void fpu_reset(void)
{
	static const uint32_t mxcsr = MXCSR_DEFAULT;

	if (has.x87)
		asm volatile("fninit");
	if (has.sse)
		asm volatile("ldmxcsr %0" : : "m"(mxcsr));
	if (has.avx)
		asm volatile("vzeroall");
}
