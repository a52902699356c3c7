/*
 * Feature bits: one row each, in the order of enum cpu_feature.
 * Sources: SDM volume 2A "CPUID" (leaves 1, 6, 7), AMD APM volume 3 appendix E (8000_xxxxH).
 */
#include <stddef.h>

#include "kernel/cpu/internal.h"

enum reg { EAX, EBX, ECX, EDX };

struct feature_row {
	uint32_t leaf;
	uint8_t subleaf, reg, bit;
	const char *name;
};

/* clang-format off */
static const struct feature_row rows[CPU_FEATURES] = {
	[CPU_FPU]                = { 0x1, 0, EDX, 0,  "fpu" },
	[CPU_TSC]                = { 0x1, 0, EDX, 4,  "tsc" },
	[CPU_MSR]                = { 0x1, 0, EDX, 5,  "msr" },
	[CPU_PSE]                = { 0x1, 0, EDX, 3,  "pse" },
	[CPU_PAE]                = { 0x1, 0, EDX, 6,  "pae" },
	[CPU_MCE]                = { 0x1, 0, EDX, 7,  "mce" },
	[CPU_CX8]                = { 0x1, 0, EDX, 8,  "cx8" },
	[CPU_APIC]               = { 0x1, 0, EDX, 9,  "apic" },
	[CPU_SEP]                = { 0x1, 0, EDX, 11, "sep" },
	[CPU_MTRR]               = { 0x1, 0, EDX, 12, "mtrr" },
	[CPU_PGE]                = { 0x1, 0, EDX, 13, "pge" },
	[CPU_MCA]                = { 0x1, 0, EDX, 14, "mca" },
	[CPU_CMOV]               = { 0x1, 0, EDX, 15, "cmov" },
	[CPU_PAT]                = { 0x1, 0, EDX, 16, "pat" },
	[CPU_PSE36]              = { 0x1, 0, EDX, 17, "pse36" },
	[CPU_CLFSH]              = { 0x1, 0, EDX, 19, "clfsh" },
	[CPU_DS]                 = { 0x1, 0, EDX, 21, "ds" },
	[CPU_ACPI]               = { 0x1, 0, EDX, 22, "acpi" },
	[CPU_MMX]                = { 0x1, 0, EDX, 23, "mmx" },
	[CPU_FXSR]               = { 0x1, 0, EDX, 24, "fxsr" },
	[CPU_SSE]                = { 0x1, 0, EDX, 25, "sse" },
	[CPU_SSE2]               = { 0x1, 0, EDX, 26, "sse2" },
	[CPU_HTT]                = { 0x1, 0, EDX, 28, "htt" },
	[CPU_TM]                 = { 0x1, 0, EDX, 29, "tm" },
	[CPU_SSE3]               = { 0x1, 0, ECX, 0,  "sse3" },
	[CPU_PCLMULQDQ]          = { 0x1, 0, ECX, 1,  "pclmulqdq" },
	[CPU_DTES64]             = { 0x1, 0, ECX, 2,  "dtes64" },
	[CPU_MONITOR]            = { 0x1, 0, ECX, 3,  "monitor" },
	[CPU_SSSE3]              = { 0x1, 0, ECX, 9,  "ssse3" },
	[CPU_FMA]                = { 0x1, 0, ECX, 12, "fma" },
	[CPU_CX16]               = { 0x1, 0, ECX, 13, "cx16" },
	[CPU_PDCM]               = { 0x1, 0, ECX, 15, "pdcm" },
	[CPU_PCID]               = { 0x1, 0, ECX, 17, "pcid" },
	[CPU_SSE4_1]             = { 0x1, 0, ECX, 19, "sse4_1" },
	[CPU_SSE4_2]             = { 0x1, 0, ECX, 20, "sse4_2" },
	[CPU_X2APIC]             = { 0x1, 0, ECX, 21, "x2apic" },
	[CPU_MOVBE]              = { 0x1, 0, ECX, 22, "movbe" },
	[CPU_POPCNT]             = { 0x1, 0, ECX, 23, "popcnt" },
	[CPU_TSC_DEADLINE]       = { 0x1, 0, ECX, 24, "tsc_deadline" },
	[CPU_AES]                = { 0x1, 0, ECX, 25, "aes" },
	[CPU_XSAVE]              = { 0x1, 0, ECX, 26, "xsave" },
	[CPU_AVX]                = { 0x1, 0, ECX, 28, "avx" },
	[CPU_F16C]               = { 0x1, 0, ECX, 29, "f16c" },
	[CPU_RDRAND]             = { 0x1, 0, ECX, 30, "rdrand" },
	[CPU_HYPERVISOR]         = { 0x1, 0, ECX, 31, "hypervisor" },
	[CPU_FSGSBASE]           = { 0x7, 0, EBX, 0,  "fsgsbase" },
	[CPU_TSC_ADJUST]         = { 0x7, 0, EBX, 1,  "tsc_adjust" },
	[CPU_BMI1]               = { 0x7, 0, EBX, 3,  "bmi1" },
	[CPU_HLE]                = { 0x7, 0, EBX, 4,  "hle" },
	[CPU_AVX2]               = { 0x7, 0, EBX, 5,  "avx2" },
	[CPU_SMEP]               = { 0x7, 0, EBX, 7,  "smep" },
	[CPU_BMI2]               = { 0x7, 0, EBX, 8,  "bmi2" },
	[CPU_ERMS]               = { 0x7, 0, EBX, 9,  "erms" },
	[CPU_INVPCID]            = { 0x7, 0, EBX, 10, "invpcid" },
	[CPU_RTM]                = { 0x7, 0, EBX, 11, "rtm" },
	[CPU_AVX512F]            = { 0x7, 0, EBX, 16, "avx512f" },
	[CPU_AVX512DQ]           = { 0x7, 0, EBX, 17, "avx512dq" },
	[CPU_RDSEED]             = { 0x7, 0, EBX, 18, "rdseed" },
	[CPU_ADX]                = { 0x7, 0, EBX, 19, "adx" },
	[CPU_SMAP]               = { 0x7, 0, EBX, 20, "smap" },
	[CPU_AVX512IFMA]         = { 0x7, 0, EBX, 21, "avx512ifma" },
	[CPU_CLFLUSHOPT]         = { 0x7, 0, EBX, 23, "clflushopt" },
	[CPU_CLWB]               = { 0x7, 0, EBX, 24, "clwb" },
	[CPU_AVX512ER]           = { 0x7, 0, EBX, 27, "avx512er" },
	[CPU_AVX512CD]           = { 0x7, 0, EBX, 28, "avx512cd" },
	[CPU_SHA]                = { 0x7, 0, EBX, 29, "sha" },
	[CPU_AVX512BW]           = { 0x7, 0, EBX, 30, "avx512bw" },
	[CPU_AVX512VL]           = { 0x7, 0, EBX, 31, "avx512vl" },
	[CPU_AVX512VBMI]         = { 0x7, 0, ECX, 1,  "avx512vbmi" },
	[CPU_AVX512_VBMI2]       = { 0x7, 0, ECX, 6,  "avx512_vbmi2" },
	[CPU_GFNI]               = { 0x7, 0, ECX, 8,  "gfni" },
	[CPU_VAES]               = { 0x7, 0, ECX, 9,  "vaes" },
	[CPU_VPCLMULQDQ]         = { 0x7, 0, ECX, 10, "vpclmulqdq" },
	[CPU_AVX512VNNI]         = { 0x7, 0, ECX, 11, "avx512vnni" },
	[CPU_AVX512BITALG]       = { 0x7, 0, ECX, 12, "avx512bitalg" },
	[CPU_AVX512VPOPCNTDQ]    = { 0x7, 0, ECX, 14, "avx512vpopcntdq" },
	[CPU_RDPID]              = { 0x7, 0, ECX, 22, "rdpid" },
	[CPU_CLDEMOTE]           = { 0x7, 0, ECX, 25, "cldemote" },
	[CPU_MOVDIRI]            = { 0x7, 0, ECX, 27, "movdiri" },
	[CPU_MOVDIR64B]          = { 0x7, 0, ECX, 28, "movdir64b" },
	[CPU_AVX512_VP2INTERSECT] = { 0x7, 0, EDX, 8, "avx512_vp2intersect" },
	[CPU_AVX512_FP16]        = { 0x7, 0, EDX, 23, "avx512_fp16" },
	[CPU_TSX_FORCE_ABORT]    = { 0x7, 0, EDX, 13, "tsx_force_abort" },
	[CPU_SERIALIZE]          = { 0x7, 0, EDX, 14, "serialize" },
	[CPU_HYBRID]             = { 0x7, 0, EDX, 15, "hybrid" },
	[CPU_ARCH_LBR]           = { 0x7, 0, EDX, 19, "arch_lbr" },
	[CPU_MPERF]              = { 0x6, 0, ECX, 0,  "mperf" },
	[CPU_AVX_VNNI]           = { 0x7, 1, EAX, 4,  "avx_vnni" },
	[CPU_AVX512_BF16]        = { 0x7, 1, EAX, 5,  "avx512_bf16" },
	[CPU_ARCH_PERFMON_EXT]   = { 0x7, 1, EAX, 8,  "arch_perfmon_ext" },
	[CPU_SYSCALL]            = { 0x80000001, 0, EDX, 11, "syscall" },
	[CPU_NX]                 = { 0x80000001, 0, EDX, 20, "nx" },
	[CPU_MMXEXT]             = { 0x80000001, 0, EDX, 22, "mmxext" },
	[CPU_PAGE1GB]            = { 0x80000001, 0, EDX, 26, "page1gb" },
	[CPU_RDTSCP]             = { 0x80000001, 0, EDX, 27, "rdtscp" },
	[CPU_LM]                 = { 0x80000001, 0, EDX, 29, "lm" },
	[CPU_3DNOWEXT]           = { 0x80000001, 0, EDX, 30, "3dnowext" },
	[CPU_3DNOW]              = { 0x80000001, 0, EDX, 31, "3dnow" },
	[CPU_LAHF64]             = { 0x80000001, 0, ECX, 0,  "lahf64" },
	[CPU_ABM]                = { 0x80000001, 0, ECX, 5,  "abm" },
	[CPU_SSE4A]              = { 0x80000001, 0, ECX, 6,  "sse4a" },
	[CPU_MISALIGNSSE]        = { 0x80000001, 0, ECX, 7,  "misalignsse" },
	[CPU_3DNOWPREFETCH]      = { 0x80000001, 0, ECX, 8,  "3dnowprefetch" },
	[CPU_XOP]                = { 0x80000001, 0, ECX, 11, "xop" },
	[CPU_FMA4]               = { 0x80000001, 0, ECX, 16, "fma4" },
	[CPU_TBM]                = { 0x80000001, 0, ECX, 21, "tbm" },
	[CPU_TOPOEXT]            = { 0x80000001, 0, ECX, 22, "topoext" },
	[CPU_IBS]                = { 0x80000001, 0, ECX, 10, "ibs" },
	[CPU_PERFCTR_CORE]       = { 0x80000001, 0, ECX, 23, "perfctr_core" },
	[CPU_PERFCTR_NB]         = { 0x80000001, 0, ECX, 24, "perfctr_nb" },
	[CPU_PERFCTR_LLC]        = { 0x80000001, 0, ECX, 28, "perfctr_llc" },
	[CPU_INVARIANT_TSC]      = { 0x80000007, 0, EDX, 8,  "invariant_tsc" },
	[CPU_CLZERO]             = { 0x80000008, 0, EBX, 0,  "clzero" },
	[CPU_IRPERF]             = { 0x80000008, 0, EBX, 1,  "irperf" },
	[CPU_RDPRU]              = { 0x80000008, 0, EBX, 4,  "rdpru" },
	[CPU_LFENCE_SERIALIZING] = { 0x80000021, 0, EAX, 2,  "lfence_serializing" },
	[CPU_PERFMON_V2]         = { 0x80000022, 0, EAX, 0,  "perfmon_v2" },
};
/* clang-format on */

static uint32_t pick(const struct cpuid_regs *r, enum reg reg)
{
	const uint32_t v[] = { r->eax, r->ebx, r->ecx, r->edx };

	return v[reg];
}

void cpu_find_features(struct cpu *c, cpuid_fn cpuid)
{
	const struct feature_row *last = NULL;
	struct cpuid_regs r = { 0, 0, 0, 0 };

	for (unsigned f = 0; f < CPU_FEATURES; f++) {
		const struct feature_row *row = &rows[f];

		if (!last || row->leaf != last->leaf || row->subleaf != last->subleaf)
			r = cpu_leaf(c, cpuid, row->leaf, row->subleaf);
		last = row;
		if (pick(&r, row->reg) >> row->bit & 1)
			c->features[f / 32] |= 1u << (f % 32);
	}
	/* The Pentium Pro sets the bit without having SYSENTER (SDM volume 2B, "SYSENTER"). */
	if (c->vendor == VENDOR_INTEL && c->family == 6 && c->signature < 0x633)
		c->features[CPU_SEP / 32] &= ~(1u << (CPU_SEP % 32));
}

const char *cpu_feature_name(enum cpu_feature f)
{
	return f < CPU_FEATURES ? rows[f].name : "unknown";
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

bool cpu_feature_find(const char *name, enum cpu_feature *f)
{
	for (unsigned i = 0; i < CPU_FEATURES; i++) {
		if (same(name, rows[i].name)) {
			*f = i;
			return true;
		}
	}
	return false;
}
