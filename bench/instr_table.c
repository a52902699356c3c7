/*
 * The instruction set as rows (bench/instr.h; docs/instruction-table.md).
 *
 * Opcodes: SDM volume 2; 3DNow!: AMD APM volume 5. Forms are spelled as the InstLatX64 lists spell them,
 * so that logs and those lists can be laid side by side.
 */
#include "bench/instr.h"

/* clang-format off */

enum need {
	N_0, N_FPU, N_TSC, N_MSR, N_CX8, N_CX16, N_CMOV, N_MMX, N_3DNOW, N_3DNOWEXT, N_PREFETCHW,
	N_SSE, N_SSE2, N_SSE3, N_SSSE3, N_SSE41, N_SSE42, N_AES, N_PCLMUL, N_SHA, N_GFNI,
	N_AVX, N_AVX2, N_FMA, N_F16C, N_AES_AVX, N_PCLMUL_AVX, N_GFNI_AVX, N_VAES, N_VPCLMUL,
	N_AVXVNNI, N_F, N_DQ, N_BW, N_CD, N_IFMA, N_VBMI, N_VNNI, N_BITALG, N_VPOPCNT, N_VAES_F,
	N_VPCLMUL_F, N_GFNI_F, N_BMI1, N_BMI2, N_ADX, N_MOVBE, N_POPCNT, N_ABM, N_RDRAND,
	N_RDSEED, N_RDTSCP, N_CLFSH, N_CLFLUSHOPT, N_CLWB, N_SERIALIZE, N_XSAVE, N_LAHF64,
};

#define F(name) (CPU_##name + 1)
const struct instr_need instr_needs[] = {
	[N_0] = { { 0 } },
	[N_FPU] = { { F(FPU) } },
	[N_TSC] = { { F(TSC) } },
	[N_MSR] = { { F(MSR), F(TSC) } },
	[N_CX8] = { { F(CX8) } },
	[N_CX16] = { { F(CX16) } },
	[N_CMOV] = { { F(CMOV) } },
	[N_MMX] = { { F(MMX) } },
	[N_3DNOW] = { { F(3DNOW) } },
	[N_3DNOWEXT] = { { F(3DNOW), F(3DNOWEXT) } },
	[N_PREFETCHW] = { { F(3DNOWPREFETCH) } },
	[N_SSE] = { { F(SSE) } },
	[N_SSE2] = { { F(SSE2) } },
	[N_SSE3] = { { F(SSE3) } },
	[N_SSSE3] = { { F(SSSE3) } },
	[N_SSE41] = { { F(SSE4_1) } },
	[N_SSE42] = { { F(SSE4_2) } },
	[N_AES] = { { F(AES) } },
	[N_PCLMUL] = { { F(PCLMULQDQ) } },
	[N_SHA] = { { F(SHA) } },
	[N_GFNI] = { { F(GFNI) } },
	[N_AVX] = { { F(AVX) } },
	[N_AVX2] = { { F(AVX2) } },
	[N_FMA] = { { F(FMA) } },
	[N_F16C] = { { F(F16C) } },
	[N_AES_AVX] = { { F(AES), F(AVX) } },
	[N_PCLMUL_AVX] = { { F(PCLMULQDQ), F(AVX) } },
	[N_GFNI_AVX] = { { F(GFNI), F(AVX) } },
	[N_VAES] = { { F(VAES) } },
	[N_VPCLMUL] = { { F(VPCLMULQDQ) } },
	[N_AVXVNNI] = { { F(AVX_VNNI) } },
	[N_F] = { { F(AVX512F) } },
	[N_DQ] = { { F(AVX512DQ) } },
	[N_BW] = { { F(AVX512BW) } },
	[N_CD] = { { F(AVX512CD) } },
	[N_IFMA] = { { F(AVX512IFMA) } },
	[N_VBMI] = { { F(AVX512VBMI) } },
	[N_VNNI] = { { F(AVX512VNNI) } },
	[N_BITALG] = { { F(AVX512BITALG) } },
	[N_VPOPCNT] = { { F(AVX512VPOPCNTDQ) } },
	[N_VAES_F] = { { F(VAES), F(AVX512F) } },
	[N_VPCLMUL_F] = { { F(VPCLMULQDQ), F(AVX512F) } },
	[N_GFNI_F] = { { F(GFNI), F(AVX512F) } },
	[N_BMI1] = { { F(BMI1) } },
	[N_BMI2] = { { F(BMI2) } },
	[N_ADX] = { { F(ADX) } },
	[N_MOVBE] = { { F(MOVBE) } },
	[N_POPCNT] = { { F(POPCNT) } },
	[N_ABM] = { { F(ABM) } },
	[N_RDRAND] = { { F(RDRAND) } },
	[N_RDSEED] = { { F(RDSEED) } },
	[N_RDTSCP] = { { F(RDTSCP) } },
	[N_CLFSH] = { { F(CLFSH) } },
	[N_CLFLUSHOPT] = { { F(CLFLUSHOPT) } },
	[N_CLWB] = { { F(CLWB) } },
	[N_SERIALIZE] = { { F(SERIALIZE) } },
	[N_XSAVE] = { { F(XSAVE) } },
	[N_LAHF64] = { { F(LAHF64) } },
};
#undef F

/*	name		mm	xmm	VEX.128		VEX.256		EVEX.512 */
#define SETS(S) \
	S(MMX,		MMX,	0,	0,		0,		0) \
	S(3DNOW,	3DNOW,	0,	0,		0,		0) \
	S(3DNOWEXT,	3DNOWEXT, 0,	0,		0,		0) \
	S(SSE_MM,	SSE,	0,	0,		0,		0) \
	S(SSE,		0,	SSE,	0,		0,		0) \
	S(SSE2,		0,	SSE2,	0,		0,		0) \
	S(I,		MMX,	SSE2,	AVX,		AVX2,		0) \
	S(I_BW,		MMX,	SSE2,	AVX,		AVX2,		BW) \
	S(I_F,		MMX,	SSE2,	AVX,		AVX2,		F) \
	S(I1_BW,	SSE,	SSE2,	AVX,		AVX2,		BW) \
	S(I1,		SSE,	SSE2,	AVX,		AVX2,		0) \
	S(I2_F,		SSE2,	SSE2,	AVX,		AVX2,		F) \
	S(I2X,		0,	SSE2,	AVX,		AVX2,		0) \
	S(I2X_F,	0,	SSE2,	AVX,		AVX2,		F) \
	S(I2X_BW,	0,	SSE2,	AVX,		AVX2,		BW) \
	S(SX,		0,	SSE,	AVX,		0,		0) \
	S(SX2,		0,	SSE2,	AVX,		0,		0) \
	S(PS,		0,	SSE,	AVX,		AVX,		F) \
	S(PS_V,		0,	SSE,	AVX,		AVX,		0) \
	S(PS_DQ,	0,	SSE,	AVX,		AVX,		DQ) \
	S(PD,		0,	SSE2,	AVX,		AVX,		F) \
	S(PD_V,		0,	SSE2,	AVX,		AVX,		0) \
	S(PD_DQ,	0,	SSE2,	AVX,		AVX,		DQ) \
	S(SSE3,		0,	SSE3,	AVX,		AVX,		0) \
	S(SSE3_F,	0,	SSE3,	AVX,		AVX,		F) \
	S(SSSE3,	SSSE3,	SSSE3,	AVX,		AVX2,		0) \
	S(SSSE3_F,	SSSE3,	SSSE3,	AVX,		AVX2,		F) \
	S(SSSE3_BW,	SSSE3,	SSSE3,	AVX,		AVX2,		BW) \
	S(41,		0,	SSE41,	AVX,		0,		0) \
	S(41L,		0,	SSE41,	0,		0,		0) \
	S(41P,		0,	SSE41,	AVX,		AVX,		0) \
	S(41I,		0,	SSE41,	AVX,		AVX2,		0) \
	S(41I_F,	0,	SSE41,	AVX,		AVX2,		F) \
	S(41I_BW,	0,	SSE41,	AVX,		AVX2,		BW) \
	S(42,		0,	SSE42,	AVX,		0,		0) \
	S(42I,		0,	SSE42,	AVX,		AVX2,		0) \
	S(AES,		0,	AES,	AES_AVX,	VAES,		VAES_F) \
	S(AES1,		0,	AES,	AES_AVX,	0,		0) \
	S(PCLMUL,	0,	PCLMUL,	PCLMUL_AVX,	VPCLMUL,	VPCLMUL_F) \
	S(SHA,		0,	SHA,	0,		0,		0) \
	S(GFNI,		0,	GFNI,	GFNI_AVX,	GFNI_AVX,	GFNI_F) \
	S(AVX,		0,	0,	AVX,		AVX,		0) \
	S(AVX_F,	0,	0,	AVX,		AVX,		F) \
	S(AVX_Y,	0,	0,	0,		AVX,		0) \
	S(AVX2,		0,	0,	AVX2,		AVX2,		0) \
	S(AVX2_F,	0,	0,	AVX2,		AVX2,		F) \
	S(AVX2_BW,	0,	0,	AVX2,		AVX2,		BW) \
	S(AVX2_Y,	0,	0,	0,		AVX2,		0) \
	S(AVX2_YF,	0,	0,	0,		AVX2,		F) \
	S(FMA,		0,	0,	FMA,		FMA,		F) \
	S(FMA1,		0,	0,	FMA,		0,		0) \
	S(F16C,		0,	0,	F16C,		F16C,		F) \
	S(VNNI,		0,	0,	0,		0,		VNNI) \
	S(F,		0,	0,	0,		0,		F) \
	S(DQ,		0,	0,	0,		0,		DQ) \
	S(BW,		0,	0,	0,		0,		BW) \
	S(CD,		0,	0,	0,		0,		CD) \
	S(IFMA,		0,	0,	0,		0,		IFMA) \
	S(VBMI,		0,	0,	0,		0,		VBMI) \
	S(BITALG,	0,	0,	0,		0,		BITALG) \
	S(VPOPCNT,	0,	0,	0,		0,		VPOPCNT)

#define N_(x) N_##x
#define ID(name, m, x, v, y, z) S_##name,
enum set { SETS(ID) };
#define SET(name, m, x, v, y, z) { { N_(m), N_(x), N_(v), N_(y), N_(z) } },
const struct instr_set instr_sets[] = { SETS(SET) };

enum pattern {
	/* general purpose */
	P_ALU, P_ALUC, P_CMP, P_TEST, P_DISP, P_MOV, P_MOVI, P_RMX, P_RMB, P_RMW, P_RML, P_SHIFT, P_SHD,
	P_BT, P_BTX, P_M1, P_XCHG, P_XADD, P_BSWAP, P_SET, P_CMOV, P_IMUL, P_BMI_RVM, P_BMI_VM,
	P_BMI_RMV, P_BMI_RMI, P_IMUL3, P_ADX, P_LOAD, P_STORE, P_STORED, P_CRCB, P_CRC, P_RAND,
	P_KRVM, P_KRM, P_KRMI, P_KTEST, P_KG, P_GK,
	/* vector */
	P_RVM, P_RVMR, P_RVMI, P_RM, P_RMR, P_RMI, P_MR, P_STORE_V, P_SHIFTX, P_SHIFTI, P_R, P_RI,
	P_S_RVM, P_S_RVMI, P_S_R, P_S_LOAD, P_S_STORE, P_D_RVM, P_D_RVMI, P_D_RM, P_D_R, P_D_LOAD,
	P_D_LOADV, P_D_STORE, P_MOVHL, P_MASKR, P_H, P_Q, P_E, P_HN, P_HMI, P_QM, P_EM, P_HM,
	P_PI, P_IP, P_INT, P_SINT, P_DINT, P_MOVD, P_DMOV, P_MOVQ, P_QMOV, P_LOAD_V, P_PEXTRW,
	P_PINSRW, P_PEXT, P_PEXTQ, P_PINS, P_PINSQ, P_X0, P_FMA, P_FMA_S, P_FMA_D, P_BCAST,
	P_BCASTS, P_BCASTD, P_BCAST128, P_INS128, P_EXT128, P_IS4, P_KVM, P_VK, P_KV, P_TERNI,
	P_3DNOW, P_MMI, P_MASKMOV,
};

const uint8_t instr_vector_pattern = P_RVM;

const struct instr_spec instr_specs[] = {
	{ P_ALU, 'M', "zmzr", 0, 0 },
	{ P_ALU, 'M', "zrzo", 2, 0 },
	{ P_ALU, 'M', "zozr", 0, 0 },
	{ P_ALU, 'M', "zozr", 0, SPEC_LOCK },
	{ P_ALU, 'M', "ymbi", 0x83, 0 },
	{ P_ALU, 'M', "zmzI", 0x80, 0 },
	{ P_ALU, 'M', "yobi", 0x83, 0 },
	{ P_ALU, 'M', "zozI", 0x80, 0 },
	{ P_ALU, 'M', "zazI", 4, 0 },
	{ P_ALUC, 'M', "ymb0", 0x83, 0 },
	{ P_ALUC, 'M', "zmzO", 0x80, 0 },
	{ P_ALUC, 'M', "zazO", 4, 0 },
	{ P_CMP, 'R', "zmzr", 0, 0 },
	{ P_CMP, 'R', "zrzo", 2, 0 },
	{ P_CMP, 'R', "zozr", 0, 0 },
	{ P_CMP, 'R', "ymbi", 0x83, 0 },
	{ P_CMP, 'R', "zmzI", 0x80, 0 },
	{ P_CMP, 'R', "yobi", 0x83, 0 },
	{ P_CMP, 'R', "zazI", 4, 0 },
	{ P_TEST, 'R', "zmzr", 0, 0 },
	{ P_TEST, 'R', "zozr", 0, 0 },
	{ P_TEST, 'R', "zmzI", 0xf6, 0 },
	{ P_TEST, 'R', "zazI", 0xa8, 0 },
	{ P_DISP, 'M', "zozr", 0, SPEC_DISP },
	{ P_DISP, 'M', "zozr", 0, SPEC_DISP | SPEC_LOCK },
	{ P_DISP, 'M', "yobi", 0x83, SPEC_DISP },
	{ P_DISP, 'M', "zozI", 0x80, SPEC_DISP },
	{ P_MOV, 'W', "zmzr", 0, 0 },
	{ P_MOV, 'W', "zrzo", 2, 0 },
	{ P_MOV, 'W', "zozr", 0, 0 },
	{ P_MOV, 'W', "zozr", 0, SPEC_DISP },
	{ P_MOV, 'W', "zozI", 0xc6, 0 },
	{ P_MOVI, 'W', "b+bI", 0xb0, 0 },
	{ P_MOVI, 'W', "w+wI", 0xb8, SPEC_16 },
	{ P_MOVI, 'W', "l+lI", 0xb8, 0 },
	{ P_RMX, 'W', "yrym", 0, 0 },
	{ P_RMX, 'W', "yryo", 0, 0 },
	{ P_RMB, 'W', "yrbn", 0, 0 },
	{ P_RMW, 'W', "drwn", 0, 0 },
	{ P_RML, 'W', "qrln", 0, 0 },
	{ P_SHIFT, 'M', "zmz1", 0xd0, 0 },
	{ P_SHIFT, 'M', "zmbi", 0xc0, 0 },
	{ P_SHIFT, 'M', "zmbc", 0xd2, 0 },
	{ P_SHIFT, 'M', "zoz1", 0xd0, 0 },
	{ P_SHIFT, 'M', "zobi", 0xc0, 0 },
	{ P_SHIFT, 'M', "zobc", 0xd2, 0 },
	{ P_SHD, 'M', "ymyrbi", 0, 0 },
	{ P_SHD, 'M', "ymyrbc", 1, 0 },
	{ P_SHD, 'M', "yoyrbi", 0, 0 },
	{ P_SHD, 'M', "yoyrbc", 1, 0 },
	{ P_BT, 'R', "ymyr", 0, 0 },
	{ P_BT, 'R', "ymbi", 0xba, 0 },
	{ P_BT, 'R', "yobi", 0xba, 0 },
	{ P_BTX, 'M', "ymyr", 0, 0 },
	{ P_BTX, 'M', "ymbi", 0xba, 0 },
	{ P_BTX, 'M', "yobi", 0xba, 0 },
	{ P_BTX, 'M', "yobi", 0xba, SPEC_LOCK },
	{ P_M1, 'M', "zm", 0, 0 },
	{ P_M1, 'M', "zo", 0, 0 },
	{ P_M1, 'M', "zo", 0, SPEC_LOCK },
	{ P_XCHG, 'X', "zrzm", 0, 0 },
	{ P_XCHG, 'X', "zrzo", 0, 0 },
	{ P_XADD, 'X', "zmzr", 0, 0 },
	{ P_XADD, 'M', "zozr", 0, 0 },
	{ P_XADD, 'M', "zozr", 0, SPEC_LOCK },
	{ P_BSWAP, 'M', "d+", 0, 0 },
	{ P_SET, 'W', "bn", 0, 0 },
	{ P_CMOV, 'M', "yrym", 0, 0 },
	{ P_CMOV, 'M', "yryo", 0, 0 },
	{ P_IMUL, 'M', "yryn", 0xaf, 0 },
	{ P_IMUL3, 'W', "yrymbi", 0x6b, 0 },
	{ P_IMUL3, 'W', "yrymyI", 0x69, 0 },
	{ P_IMUL3, 'W', "yryobi", 0x6b, 0 },
	{ P_BMI_RVM, 'W', "drdvdn", 0, SPEC_VEX },
	{ P_BMI_VM, 'W', "dvdn", 0, SPEC_VEX },
	{ P_BMI_RMV, 'W', "drdndv", 0, SPEC_VEX },
	{ P_BMI_RMI, 'W', "drdnbi", 0, SPEC_VEX },
	{ P_ADX, 'M', "drdn", 0, 0 },
	{ P_LOAD, 'W', "yryo", 0, 0 },
	{ P_STORE, 'W', "yoyr", 0, 0 },
	{ P_STORED, 'W', "dodr", 0, 0 },
	{ P_CRCB, 'M', "lrbn", 0, 0 },
	{ P_CRC, 'M', "lrwn", 0, SPEC_16 },
	{ P_CRC, 'M', "lrln", 0, 0 },
	{ P_CRC, 'M', "qrqn", 0, 0 },
	{ P_RAND, 'W', "ym", 0, 0 },
	{ P_KRVM, 'W', "KrKvKm", 0, SPEC_VEX | SPEC_LONG },
	{ P_KRM, 'W', "KrKm", 0, SPEC_VEX },
	{ P_KRMI, 'W', "KrKmbi", 0, SPEC_VEX },
	{ P_KTEST, 'R', "KrKm", 0, SPEC_VEX },
	{ P_KG, 'W', "Krlm", 0, SPEC_VEX },
	{ P_GK, 'W', "lrKm", 0, SPEC_VEX },

	{ P_RVM, 'W', "VrVvVn", 0, 0 },
	{ P_RVMR, 'W', "VrVvVm", 0, 0 },
	{ P_RVMI, 'W', "VrVvVnbi", 0, 0 },
	{ P_RM, 'W', "VrVn", 0, 0 },
	{ P_RMR, 'W', "VrVm", 0, 0 },
	{ P_RMI, 'W', "VrVnbi", 0, 0 },
	{ P_RI, 'W', "VrVnbj", 0, 0 },
	{ P_MR, 'W', "VmVr", 0, 0 },
	{ P_STORE_V, 'W', "VoVr", 0, 0 },
	{ P_LOAD_V, 'W', "VrVo", 0, 0 },
	{ P_SHIFTX, 'W', "VrVvXm", 0, 0 },
	{ P_SHIFTI, 'W', "VvVmbi", 0, 0 },
	{ P_R, 'R', "VrVn", 0, 0 },
	{ P_S_RVM, 'W', "XrXvSn", 0, 0 },
	{ P_S_RVMI, 'W', "XrXvSnbi", 0, 0 },
	{ P_S_R, 'R', "XrSn", 0, 0 },
	{ P_S_LOAD, 'W', "XrSo", 0, 0 },
	{ P_S_STORE, 'W', "SoXr", 0, 0 },
	{ P_D_RVM, 'W', "XrXvDn", 0, 0 },
	{ P_D_RVMI, 'W', "XrXvDnbi", 0, 0 },
	{ P_D_R, 'R', "XrDn", 0, 0 },
	{ P_D_LOAD, 'W', "XrDo", 0, 0 },
	{ P_D_LOADV, 'W', "XrXvDo", 0, 0 },
	{ P_D_STORE, 'W', "DoXr", 0, 0 },
	{ P_D_RM, 'W', "XrDm", 0, 0 },
	{ P_MOVHL, 'W', "XrXvXm", 0, 0 },
	{ P_MASKR, 'W', "lrVm", 0, 0 },
	{ P_H, 'W', "VrHn", 0, 0 },
	{ P_Q, 'W', "VrQn", 0, 0 },
	{ P_E, 'W', "VrEn", 0, 0 },
	{ P_HN, 'W', "HrVn", 0, 0 },
	{ P_HMI, 'W', "HmVrbi", 0, 0 },
	{ P_HM, 'W', "HmVr", 0, 0 },
	{ P_QM, 'W', "QmVr", 0, 0 },
	{ P_EM, 'W', "EmVr", 0, 0 },
	{ P_PI, 'W', "XrNm", 0, 0 },
	{ P_IP, 'W', "NrXm", 0, 0 },
	{ P_INT, 'W', "XrXvdm", 0, SPEC_SIZES },
	{ P_SINT, 'W', "drSm", 0, SPEC_SIZES },
	{ P_DINT, 'W', "drDm", 0, SPEC_SIZES },
	{ P_MOVD, 'W', "Vrln", 0, 0 },
	{ P_MOVQ, 'W', "Vrqm", 0, 0 },
	{ P_DMOV, 'W', "lnVr", 0, 0 },
	{ P_QMOV, 'W', "qmVr", 0, 0 },
	{ P_PEXTRW, 'W', "lrVmbj", 0, 0 },
	{ P_PINSRW, 'W', "VrVvlmbj", 0, 0 },
	{ P_PEXT, 'W', "lmXrbi", 0, 0 },
	{ P_PEXTQ, 'W', "qmXrbi", 0, 0 },
	{ P_PINS, 'W', "XrXvlmbi", 0, 0 },
	{ P_PINSQ, 'W', "XrXvqmbi", 0, 0 },
	{ P_X0, 'M', "XrXnXx", 0, 0 },
	{ P_FMA, 'M', "VrVvVn", 0, 0 },
	{ P_FMA_S, 'M', "XrXvSn", 0, 0 },
	{ P_FMA_D, 'M', "XrXvDn", 0, 0 },
	{ P_BCAST, 'W', "VrXm", 0, 0 },
	{ P_BCASTS, 'W', "VrSo", 0, 0 },
	{ P_BCASTD, 'W', "VrDo", 0, 0 },
	{ P_BCAST128, 'W', "VrXo", 0, 0 },
	{ P_INS128, 'W', "VrVvXnbi", 0, 0 },
	{ P_EXT128, 'W', "XmVrbi", 0, 0 },
	{ P_IS4, 'W', "VrVvVmVs", 0, 0 },
	{ P_KVM, 'W', "KrVvVn", 0, 0 },
	{ P_VK, 'W', "VrKm", 0, 0 },
	{ P_KV, 'W', "KrVm", 0, 0 },
	{ P_TERNI, 'M', "VrVvVnbi", 0, 0 },
	{ P_3DNOW, 'M', "NrNn", 0, SPEC_3DNOW },
	{ P_MMI, 'W', "NrNmbj", 0, 0 },
	{ P_MASKMOV, 'R', "VrVm", 0, 0 },
};

const unsigned instr_nspecs = sizeof(instr_specs) / sizeof(instr_specs[0]);

#define CC(R, name, op, pattern, need, flags) \
	R(name "C", (op) + 2, _0F, 0, pattern, need, flags) \
	R(name "NC", (op) + 3, _0F, 0, pattern, need, flags) \
	R(name "Z", (op) + 4, _0F, 0, pattern, need, flags) \
	R(name "NZ", (op) + 5, _0F, 0, pattern, need, flags) \
	R(name "NA", (op) + 6, _0F, 0, pattern, need, flags) \
	R(name "A", (op) + 7, _0F, 0, pattern, need, flags) \
	R(name "S", (op) + 8, _0F, 0, pattern, need, flags) \
	R(name "L", (op) + 12, _0F, 0, pattern, need, flags) \
	R(name "NG", (op) + 14, _0F, 0, pattern, need, flags) \
	R(name "G", (op) + 15, _0F, 0, pattern, need, flags)

/* An operation on packed and scalar numbers of both precisions. */
#define FP4(R, name, op) \
	R(name "PS", op, _0F, 0, P_RVM, S_PS, ROW_CONST | DATA_F32) \
	R(name "PD", op, _66_0F | W1, 0, P_RVM, S_PD, ROW_CONST | DATA_F64) \
	R(name "SS", op, _F3_0F, 0, P_S_RVM, S_SX, ROW_CONST | DATA_F32) \
	R(name "SD", op, _F2_0F, 0, P_D_RVM, S_SX2, ROW_CONST | DATA_F64)

#define FMA_PACKED(R, name, op) \
	R(name "PS", op, _66_38, 0, P_FMA, S_FMA, ROW_CONST | DATA_F32) \
	R(name "PD", op, _66_38 | W1, 0, P_FMA, S_FMA, ROW_CONST | DATA_F64)
#define FMA4(R, name, op) \
	FMA_PACKED(R, name, op) \
	R(name "SS", (op) + 1, _66_38, 0, P_FMA_S, S_FMA1, ROW_CONST | DATA_F32) \
	R(name "SD", (op) + 1, _66_38 | W1, 0, P_FMA_D, S_FMA1, ROW_CONST | DATA_F64)

enum {
	_NP, _66, _F3, _F2, _0F = 4, _66_0F, _F3_0F, _F2_0F, _38, _66_38, _F3_38, _F2_38, _3A, _66_3A,
	_F3_3A, _F2_3A, W1 = 16,
};

/*	mnemonic	opcode	encoding	digit	operands	set	flags */
#define ROWS(R) \
	R("MOV",	0x88,	_NP,	0,	P_MOV,	N_0,	ROW_PAIR | ROW_ADDR | DATA_ADDR) \
	R("MOV",	0xb0,	_NP,	0,	P_MOVI,	N_0,	0) \
	R("ADD",	0x00,	_NP,	0,	P_ALU,	N_0,	ROW_ADDR) \
	R("ADD",	0x00,	_NP,	0,	P_DISP,	N_0,	0) \
	R("OR",		0x08,	_NP,	1,	P_ALU,	N_0,	ROW_PAIR | ROW_ADDR) \
	R("ADC",	0x10,	_NP,	2,	P_ALU,	N_0,	ROW_ADDR) \
	R("ADC",	0x10,	_NP,	2,	P_ALUC,	N_0,	0) \
	R("SBB",	0x18,	_NP,	3,	P_ALU,	N_0,	ROW_PAIR | ROW_ADDR) \
	R("SBB",	0x18,	_NP,	3,	P_ALUC,	N_0,	0) \
	R("AND",	0x20,	_NP,	4,	P_ALU,	N_0,	ROW_PAIR | ROW_ADDR | DATA_ONES) \
	R("SUB",	0x28,	_NP,	5,	P_ALU,	N_0,	ROW_PAIR | ROW_ADDR) \
	R("XOR",	0x30,	_NP,	6,	P_ALU,	N_0,	ROW_PAIR | ROW_ADDR) \
	R("CMP",	0x38,	_NP,	7,	P_CMP,	N_0,	ROW_PAIR) \
	R("TEST",	0x84,	_NP,	0,	P_TEST,	N_0,	ROW_PAIR) \
	R("INC",	0xfe,	_NP,	0,	P_M1,	N_0,	0) \
	R("DEC",	0xfe,	_NP,	1,	P_M1,	N_0,	0) \
	R("NOT",	0xf6,	_NP,	2,	P_M1,	N_0,	0) \
	R("NEG",	0xf6,	_NP,	3,	P_M1,	N_0,	0) \
	R("ROL",	0x00,	_NP,	0,	P_SHIFT,	N_0,	0) \
	R("ROR",	0x00,	_NP,	1,	P_SHIFT,	N_0,	0) \
	R("RCL",	0x00,	_NP,	2,	P_SHIFT,	N_0,	0) \
	R("RCR",	0x00,	_NP,	3,	P_SHIFT,	N_0,	0) \
	R("SHL",	0x00,	_NP,	4,	P_SHIFT,	N_0,	0) \
	R("SHR",	0x00,	_NP,	5,	P_SHIFT,	N_0,	0) \
	R("SAR",	0x00,	_NP,	7,	P_SHIFT,	N_0,	0) \
	R("SHLD",	0xa4,	_0F,	0,	P_SHD,	N_0,	ROW_PAIR) \
	R("SHRD",	0xac,	_0F,	0,	P_SHD,	N_0,	ROW_PAIR) \
	R("BT",		0xa3,	_0F,	4,	P_BT,	N_0,	0) \
	R("BTS",	0xab,	_0F,	5,	P_BTX,	N_0,	0) \
	R("BTR",	0xb3,	_0F,	6,	P_BTX,	N_0,	0) \
	R("BTC",	0xbb,	_0F,	7,	P_BTX,	N_0,	0) \
	R("BSF",	0xbc,	_0F,	0,	P_RMX,	N_0,	DATA_ONE) \
	R("BSR",	0xbd,	_0F,	0,	P_RMX,	N_0,	DATA_ONE) \
	R("BSWAP",	0xc8,	_0F,	0,	P_BSWAP,	N_0,	0) \
	R("MOVZX",	0xb6,	_0F,	0,	P_RMB,	N_0,	ROW_PAIR) \
	R("MOVZX",	0xb7,	_0F,	0,	P_RMW,	N_0,	ROW_PAIR) \
	R("MOVSX",	0xbe,	_0F,	0,	P_RMB,	N_0,	ROW_PAIR) \
	R("MOVSX",	0xbf,	_0F,	0,	P_RMW,	N_0,	ROW_PAIR) \
	R("MOVSXD",	0x63,	_NP,	0,	P_RML,	N_0,	ROW_PAIR) \
	R("XCHG",	0x86,	_NP,	0,	P_XCHG,	N_0,	ROW_PAIR) \
	R("XADD",	0xc0,	_0F,	0,	P_XADD,	N_0,	0) \
	R("CMPXCHG",	0xb0,	_0F,	0,	P_XADD,	N_0,	0) \
	R("IMUL",	0x00,	_0F,	0,	P_IMUL,	N_0,	ROW_ADDR | DATA_ONE) \
	R("IMUL",	0x00,	_NP,	0,	P_IMUL3,	N_0,	0) \
	CC(R, "SET",	0x90,	P_SET,	N_0,	0) \
	CC(R, "CMOV",	0x40,	P_CMOV,	N_CMOV,	ROW_ADDR | DATA_ADDR) \
	R("MOVBE",	0xf0,	_38,	0,	P_LOAD,	N_MOVBE,	0) \
	R("MOVBE",	0xf1,	_38,	0,	P_STORE,	N_MOVBE,	0) \
	R("MOVNTI",	0xc3,	_0F,	0,	P_STORED,	N_SSE2,	0) \
	R("POPCNT",	0xb8,	_F3_0F,	0,	P_RMX,	N_POPCNT,	DATA_ONE) \
	R("TZCNT",	0xbc,	_F3_0F,	0,	P_RMX,	N_BMI1,	DATA_ONE) \
	R("LZCNT",	0xbd,	_F3_0F,	0,	P_RMX,	N_ABM,	DATA_ONE) \
	R("CRC32",	0xf0,	_F2_38,	0,	P_CRCB,	N_SSE42,	0) \
	R("CRC32",	0xf1,	_F2_38,	0,	P_CRC,	N_SSE42,	0) \
	R("ANDN",	0xf2,	_38,	0,	P_BMI_RVM,	N_BMI1,	0) \
	R("BLSR",	0xf3,	_38,	1,	P_BMI_VM,	N_BMI1,	0) \
	R("BLSMSK",	0xf3,	_38,	2,	P_BMI_VM,	N_BMI1,	0) \
	R("BLSI",	0xf3,	_38,	3,	P_BMI_VM,	N_BMI1,	0) \
	R("BEXTR",	0xf7,	_38,	0,	P_BMI_RMV,	N_BMI1,	0) \
	R("BZHI",	0xf5,	_38,	0,	P_BMI_RMV,	N_BMI2,	0) \
	R("SHLX",	0xf7,	_66_38,	0,	P_BMI_RMV,	N_BMI2,	0) \
	R("SARX",	0xf7,	_F3_38,	0,	P_BMI_RMV,	N_BMI2,	0) \
	R("SHRX",	0xf7,	_F2_38,	0,	P_BMI_RMV,	N_BMI2,	0) \
	R("PDEP",	0xf5,	_F2_38,	0,	P_BMI_RVM,	N_BMI2,	0) \
	R("PEXT",	0xf5,	_F3_38,	0,	P_BMI_RVM,	N_BMI2,	0) \
	R("RORX",	0xf0,	_F2_3A,	0,	P_BMI_RMI,	N_BMI2,	0) \
	R("ADCX",	0xf6,	_66_38,	0,	P_ADX,	N_ADX,	ROW_ADDR) \
	R("ADOX",	0xf6,	_F3_38,	0,	P_ADX,	N_ADX,	ROW_ADDR) \
	R("RDRAND",	0xc7,	_0F,	6,	P_RAND,	N_RDRAND,	0) \
	R("RDSEED",	0xc7,	_0F,	7,	P_RAND,	N_RDSEED,	0) \
	R("KANDW",	0x41,	_0F,	0,	P_KRVM,	N_F,	0) \
	R("KANDNW",	0x42,	_0F,	0,	P_KRVM,	N_F,	0) \
	R("KORW",	0x45,	_0F,	0,	P_KRVM,	N_F,	0) \
	R("KXNORW",	0x46,	_0F,	0,	P_KRVM,	N_F,	ROW_CONST) \
	R("KXORW",	0x47,	_0F,	0,	P_KRVM,	N_F,	ROW_CONST) \
	R("KADDW",	0x4a,	_0F,	0,	P_KRVM,	N_DQ,	0) \
	R("KUNPCKBW",	0x4b,	_66_0F,	0,	P_KRVM,	N_F,	0) \
	R("KANDQ",	0x41,	_0F | W1,	0,	P_KRVM,	N_BW,	0) \
	R("KORQ",	0x45,	_0F | W1,	0,	P_KRVM,	N_BW,	0) \
	R("KADDQ",	0x4a,	_0F | W1,	0,	P_KRVM,	N_BW,	0) \
	R("KNOTW",	0x44,	_0F,	0,	P_KRM,	N_F,	0) \
	R("KNOTQ",	0x44,	_0F | W1,	0,	P_KRM,	N_BW,	0) \
	R("KMOVW",	0x90,	_0F,	0,	P_KRM,	N_F,	0) \
	R("KMOVQ",	0x90,	_0F | W1,	0,	P_KRM,	N_BW,	0) \
	R("KSHIFTRW",	0x30,	_66_3A | W1,	0,	P_KRMI,	N_F,	0) \
	R("KSHIFTLW",	0x32,	_66_3A | W1,	0,	P_KRMI,	N_F,	0) \
	R("KORTESTW",	0x98,	_0F,	0,	P_KTEST,	N_F,	0) \
	R("KTESTW",	0x99,	_0F,	0,	P_KTEST,	N_DQ,	0) \
	R("KMOVW",	0x92,	_0F,	0,	P_KG,	N_F,	0) \
	R("KMOVW",	0x93,	_0F,	0,	P_GK,	N_F,	0) \
	\
	R("PADDB",	0xfc,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PADDW",	0xfd,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PADDD",	0xfe,	_66_0F,	0,	P_RVM,	S_I_F,	0) \
	R("PADDQ",	0xd4,	_66_0F | W1,	0,	P_RVM,	S_I2_F,	0) \
	R("PADDSB",	0xec,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PADDSW",	0xed,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PADDUSB",	0xdc,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PADDUSW",	0xdd,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PSUBB",	0xf8,	_66_0F,	0,	P_RVM,	S_I_BW,	ROW_PAIR) \
	R("PSUBW",	0xf9,	_66_0F,	0,	P_RVM,	S_I_BW,	ROW_PAIR) \
	R("PSUBD",	0xfa,	_66_0F,	0,	P_RVM,	S_I_F,	ROW_PAIR) \
	R("PSUBQ",	0xfb,	_66_0F | W1,	0,	P_RVM,	S_I2_F,	ROW_PAIR) \
	R("PSUBSB",	0xe8,	_66_0F,	0,	P_RVM,	S_I_BW,	ROW_PAIR) \
	R("PSUBSW",	0xe9,	_66_0F,	0,	P_RVM,	S_I_BW,	ROW_PAIR) \
	R("PSUBUSB",	0xd8,	_66_0F,	0,	P_RVM,	S_I_BW,	ROW_PAIR) \
	R("PSUBUSW",	0xd9,	_66_0F,	0,	P_RVM,	S_I_BW,	ROW_PAIR) \
	R("PCMPEQB",	0x74,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PCMPEQW",	0x75,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PCMPEQD",	0x76,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PCMPGTB",	0x64,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PCMPGTW",	0x65,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PCMPGTD",	0x66,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PAND",	0xdb,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PANDN",	0xdf,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("POR",	0xeb,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PXOR",	0xef,	_66_0F,	0,	P_RVM,	S_I,	ROW_PAIR) \
	R("PMULHW",	0xe5,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PMULLW",	0xd5,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PMADDWD",	0xf5,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PMULHUW",	0xe4,	_66_0F,	0,	P_RVM,	S_I1_BW,	0) \
	R("PMULUDQ",	0xf4,	_66_0F | W1,	0,	P_RVM,	S_I2_F,	0) \
	R("PAVGB",	0xe0,	_66_0F,	0,	P_RVM,	S_I1_BW,	0) \
	R("PAVGW",	0xe3,	_66_0F,	0,	P_RVM,	S_I1_BW,	0) \
	R("PMAXSW",	0xee,	_66_0F,	0,	P_RVM,	S_I1_BW,	0) \
	R("PMAXUB",	0xde,	_66_0F,	0,	P_RVM,	S_I1_BW,	0) \
	R("PMINSW",	0xea,	_66_0F,	0,	P_RVM,	S_I1_BW,	0) \
	R("PMINUB",	0xda,	_66_0F,	0,	P_RVM,	S_I1_BW,	0) \
	R("PSADBW",	0xf6,	_66_0F,	0,	P_RVM,	S_I1_BW,	ROW_NOMASK) \
	R("PUNPCKHBW",	0x68,	_66_0F,	0,	P_RVMR,	S_I_BW,	0) \
	R("PUNPCKHWD",	0x69,	_66_0F,	0,	P_RVMR,	S_I_BW,	0) \
	R("PUNPCKHDQ",	0x6a,	_66_0F,	0,	P_RVMR,	S_I_F,	0) \
	R("PUNPCKHQDQ",	0x6d,	_66_0F | W1,	0,	P_RVMR,	S_I2X_F,	0) \
	R("PUNPCKLBW",	0x60,	_66_0F,	0,	P_RVMR,	S_I_BW,	0) \
	R("PUNPCKLWD",	0x61,	_66_0F,	0,	P_RVMR,	S_I_BW,	0) \
	R("PUNPCKLDQ",	0x62,	_66_0F,	0,	P_RVMR,	S_I_F,	0) \
	R("PUNPCKLQDQ",	0x6c,	_66_0F | W1,	0,	P_RVMR,	S_I2X_F,	0) \
	R("PACKSSWB",	0x63,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PACKUSWB",	0x67,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PACKSSDW",	0x6b,	_66_0F,	0,	P_RVM,	S_I_BW,	0) \
	R("PSLLW",	0xf1,	_66_0F,	0,	P_SHIFTX,	S_I_BW,	0) \
	R("PSLLD",	0xf2,	_66_0F,	0,	P_SHIFTX,	S_I_F,	0) \
	R("PSLLQ",	0xf3,	_66_0F | W1,	0,	P_SHIFTX,	S_I_F,	0) \
	R("PSRLW",	0xd1,	_66_0F,	0,	P_SHIFTX,	S_I_BW,	0) \
	R("PSRLD",	0xd2,	_66_0F,	0,	P_SHIFTX,	S_I_F,	0) \
	R("PSRLQ",	0xd3,	_66_0F | W1,	0,	P_SHIFTX,	S_I_F,	0) \
	R("PSRAW",	0xe1,	_66_0F,	0,	P_SHIFTX,	S_I_BW,	0) \
	R("PSRAD",	0xe2,	_66_0F,	0,	P_SHIFTX,	S_I_F,	0) \
	R("PSLLW",	0x71,	_66_0F,	6,	P_SHIFTI,	S_I_BW,	0) \
	R("PSLLD",	0x72,	_66_0F,	6,	P_SHIFTI,	S_I_F,	0) \
	R("PSLLQ",	0x73,	_66_0F | W1,	6,	P_SHIFTI,	S_I_F,	0) \
	R("PSRLW",	0x71,	_66_0F,	2,	P_SHIFTI,	S_I_BW,	0) \
	R("PSRLD",	0x72,	_66_0F,	2,	P_SHIFTI,	S_I_F,	0) \
	R("PSRLQ",	0x73,	_66_0F | W1,	2,	P_SHIFTI,	S_I_F,	0) \
	R("PSRAW",	0x71,	_66_0F,	4,	P_SHIFTI,	S_I_BW,	0) \
	R("PSRAD",	0x72,	_66_0F,	4,	P_SHIFTI,	S_I_F,	0) \
	R("PSLLDQ",	0x73,	_66_0F,	7,	P_SHIFTI,	S_I2X,	0) \
	R("PSRLDQ",	0x73,	_66_0F,	3,	P_SHIFTI,	S_I2X,	0) \
	R("PSHUFW",	0x70,	_0F,	0,	P_MMI,	S_SSE_MM,	0) \
	R("PSHUFD",	0x70,	_66_0F,	0,	P_RI,	S_I2X_F,	0) \
	R("PSHUFHW",	0x70,	_F3_0F,	0,	P_RI,	S_I2X_BW,	0) \
	R("PSHUFLW",	0x70,	_F2_0F,	0,	P_RI,	S_I2X_BW,	0) \
	R("MOVD",	0x6e,	_66_0F,	0,	P_MOVD,	S_MMX,	0) \
	R("MOVD",	0x7e,	_66_0F,	0,	P_DMOV,	S_MMX,	0) \
	R("MOVD",	0x6e,	_66_0F,	0,	P_MOVD,	S_SX2,	0) \
	R("MOVD",	0x7e,	_66_0F,	0,	P_DMOV,	S_SX2,	0) \
	R("MOVQ",	0x6e,	_66_0F | W1,	0,	P_MOVQ,	S_SX2,	0) \
	R("MOVQ",	0x7e,	_66_0F | W1,	0,	P_QMOV,	S_SX2,	0) \
	R("MOVQ",	0x6f,	_66_0F,	0,	P_RM,	S_MMX,	ROW_PAIR) \
	R("MOVQ",	0x7f,	_66_0F,	0,	P_STORE_V,	S_MMX,	0) \
	R("MOVQ",	0x7e,	_F3_0F,	0,	P_D_RM,	S_SX2,	0) \
	R("MOVQ",	0x7e,	_F3_0F,	0,	P_D_LOAD,	S_SX2,	0) \
	R("MOVQ",	0xd6,	_66_0F,	0,	P_D_STORE,	S_SX2,	0) \
	R("MOVNTQ",	0xe7,	_66_0F,	0,	P_STORE_V,	S_SSE_MM,	0) \
	R("MOVDQ2Q",	0xd6,	_F2_0F,	0,	P_IP,	S_SSE2,	0) \
	R("MOVQ2DQ",	0xd6,	_F3_0F,	0,	P_PI,	S_SSE2,	0) \
	R("MASKMOVQ",	0xf7,	_66_0F,	0,	P_MASKMOV,	S_SSE_MM,	0) \
	R("MASKMOVDQU",	0xf7,	_66_0F,	0,	P_MASKMOV,	S_SX2,	0) \
	R("PMOVMSKB",	0xd7,	_66_0F,	0,	P_MASKR,	S_I1,	0) \
	R("PEXTRW",	0xc5,	_66_0F,	0,	P_PEXTRW,	S_SSE_MM,	0) \
	R("PEXTRW",	0xc5,	_66_0F,	0,	P_PEXTRW,	S_SX2,	0) \
	R("PINSRW",	0xc4,	_66_0F,	0,	P_PINSRW,	S_SSE_MM,	0) \
	R("PINSRW",	0xc4,	_66_0F,	0,	P_PINSRW,	S_SX2,	0) \
	R("MOVDQA",	0x6f,	_66_0F,	0,	P_RM,	S_PD_V,	ROW_PAIR) \
	R("MOVDQA",	0x7f,	_66_0F,	0,	P_STORE_V,	S_PD_V,	0) \
	R("MOVDQU",	0x6f,	_F3_0F,	0,	P_RM,	S_PD_V,	ROW_PAIR) \
	R("MOVDQU",	0x7f,	_F3_0F,	0,	P_STORE_V,	S_PD_V,	0) \
	R("MOVNTDQ",	0xe7,	_66_0F,	0,	P_STORE_V,	S_PD_V,	0) \
	R("LDDQU",	0xf0,	_F2_0F,	0,	P_LOAD_V,	S_SSE3,	0) \
	\
	R("MOVAPS",	0x28,	_0F,	0,	P_RM,	S_PS,	ROW_PAIR) \
	R("MOVAPS",	0x29,	_0F,	0,	P_STORE_V,	S_PS,	0) \
	R("MOVUPS",	0x10,	_0F,	0,	P_RM,	S_PS,	ROW_PAIR) \
	R("MOVUPS",	0x11,	_0F,	0,	P_STORE_V,	S_PS,	0) \
	R("MOVAPD",	0x28,	_66_0F | W1,	0,	P_RM,	S_PD,	ROW_PAIR) \
	R("MOVAPD",	0x29,	_66_0F | W1,	0,	P_STORE_V,	S_PD,	0) \
	R("MOVUPD",	0x10,	_66_0F | W1,	0,	P_RM,	S_PD,	ROW_PAIR) \
	R("MOVUPD",	0x11,	_66_0F | W1,	0,	P_STORE_V,	S_PD,	0) \
	R("MOVNTPS",	0x2b,	_0F,	0,	P_STORE_V,	S_PS_V,	0) \
	R("MOVNTPD",	0x2b,	_66_0F,	0,	P_STORE_V,	S_PD_V,	0) \
	R("MOVSS",	0x10,	_F3_0F,	0,	P_MOVHL,	S_SX,	ROW_PAIR) \
	R("MOVSS",	0x10,	_F3_0F,	0,	P_S_LOAD,	S_SX,	0) \
	R("MOVSS",	0x11,	_F3_0F,	0,	P_S_STORE,	S_SX,	0) \
	R("MOVSD",	0x10,	_F2_0F,	0,	P_MOVHL,	S_SX2,	ROW_PAIR) \
	R("MOVSD",	0x10,	_F2_0F,	0,	P_D_LOAD,	S_SX2,	0) \
	R("MOVSD",	0x11,	_F2_0F,	0,	P_D_STORE,	S_SX2,	0) \
	R("MOVHLPS",	0x12,	_0F,	0,	P_MOVHL,	S_SX,	ROW_PAIR) \
	R("MOVLHPS",	0x16,	_0F,	0,	P_MOVHL,	S_SX,	ROW_PAIR) \
	R("MOVLPS",	0x12,	_0F,	0,	P_D_LOADV,	S_SX,	0) \
	R("MOVLPS",	0x13,	_0F,	0,	P_D_STORE,	S_SX,	0) \
	R("MOVHPS",	0x16,	_0F,	0,	P_D_LOADV,	S_SX,	0) \
	R("MOVHPS",	0x17,	_0F,	0,	P_D_STORE,	S_SX,	0) \
	R("MOVLPD",	0x12,	_66_0F,	0,	P_D_LOADV,	S_SX2,	0) \
	R("MOVLPD",	0x13,	_66_0F,	0,	P_D_STORE,	S_SX2,	0) \
	R("MOVHPD",	0x16,	_66_0F,	0,	P_D_LOADV,	S_SX2,	0) \
	R("MOVHPD",	0x17,	_66_0F,	0,	P_D_STORE,	S_SX2,	0) \
	R("MOVMSKPS",	0x50,	_0F,	0,	P_MASKR,	S_PS_V,	0) \
	R("MOVMSKPD",	0x50,	_66_0F,	0,	P_MASKR,	S_PD_V,	0) \
	FP4(R, "ADD", 0x58) \
	FP4(R, "MUL", 0x59) \
	FP4(R, "SUB", 0x5c) \
	FP4(R, "MIN", 0x5d) \
	FP4(R, "DIV", 0x5e) \
	FP4(R, "MAX", 0x5f) \
	R("SQRTPS",	0x51,	_0F,	0,	P_RM,	S_PS,	DATA_F32) \
	R("SQRTPD",	0x51,	_66_0F | W1,	0,	P_RM,	S_PD,	DATA_F64) \
	R("SQRTSS",	0x51,	_F3_0F,	0,	P_S_RVM,	S_SX,	DATA_F32) \
	R("SQRTSD",	0x51,	_F2_0F,	0,	P_D_RVM,	S_SX2,	DATA_F64) \
	R("RCPPS",	0x53,	_0F,	0,	P_RM,	S_PS_V,	DATA_F32) \
	R("RCPSS",	0x53,	_F3_0F,	0,	P_S_RVM,	S_SX,	DATA_F32) \
	R("RSQRTPS",	0x52,	_0F,	0,	P_RM,	S_PS_V,	DATA_F32) \
	R("RSQRTSS",	0x52,	_F3_0F,	0,	P_S_RVM,	S_SX,	DATA_F32) \
	R("ANDPS",	0x54,	_0F,	0,	P_RVM,	S_PS_DQ,	ROW_PAIR) \
	R("ANDPD",	0x54,	_66_0F | W1,	0,	P_RVM,	S_PD_DQ,	ROW_PAIR) \
	R("ANDNPS",	0x55,	_0F,	0,	P_RVM,	S_PS_DQ,	ROW_PAIR) \
	R("ANDNPD",	0x55,	_66_0F | W1,	0,	P_RVM,	S_PD_DQ,	ROW_PAIR) \
	R("ORPS",	0x56,	_0F,	0,	P_RVM,	S_PS_DQ,	ROW_PAIR) \
	R("ORPD",	0x56,	_66_0F | W1,	0,	P_RVM,	S_PD_DQ,	ROW_PAIR) \
	R("XORPS",	0x57,	_0F,	0,	P_RVM,	S_PS_DQ,	ROW_PAIR) \
	R("XORPD",	0x57,	_66_0F | W1,	0,	P_RVM,	S_PD_DQ,	ROW_PAIR) \
	R("UNPCKLPS",	0x14,	_0F,	0,	P_RVM,	S_PS,	0) \
	R("UNPCKHPS",	0x15,	_0F,	0,	P_RVM,	S_PS,	0) \
	R("UNPCKLPD",	0x14,	_66_0F | W1,	0,	P_RVM,	S_PD,	0) \
	R("UNPCKHPD",	0x15,	_66_0F | W1,	0,	P_RVM,	S_PD,	0) \
	R("SHUFPS",	0xc6,	_0F,	0,	P_RVMI,	S_PS,	0) \
	R("SHUFPD",	0xc6,	_66_0F | W1,	0,	P_RVMI,	S_PD,	0) \
	R("CMPPS",	0xc2,	_0F,	0,	P_RVMI,	S_PS_V,	ROW_CONST | DATA_F32) \
	R("CMPPD",	0xc2,	_66_0F,	0,	P_RVMI,	S_PD_V,	ROW_CONST | DATA_F64) \
	R("CMPSS",	0xc2,	_F3_0F,	0,	P_S_RVMI,	S_SX,	ROW_CONST | DATA_F32) \
	R("CMPSD",	0xc2,	_F2_0F,	0,	P_D_RVMI,	S_SX2,	ROW_CONST | DATA_F64) \
	R("COMISS",	0x2f,	_0F,	0,	P_S_R,	S_SX,	DATA_F32) \
	R("COMISD",	0x2f,	_66_0F,	0,	P_D_R,	S_SX2,	DATA_F64) \
	R("UCOMISS",	0x2e,	_0F,	0,	P_S_R,	S_SX,	DATA_F32) \
	R("UCOMISD",	0x2e,	_66_0F,	0,	P_D_R,	S_SX2,	DATA_F64) \
	R("CVTPI2PS",	0x2a,	_0F,	0,	P_PI,	S_SSE,	0) \
	R("CVTPI2PD",	0x2a,	_66_0F,	0,	P_PI,	S_SSE2,	0) \
	R("CVTPS2PI",	0x2d,	_0F,	0,	P_IP,	S_SSE,	0) \
	R("CVTPD2PI",	0x2d,	_66_0F,	0,	P_IP,	S_SSE2,	0) \
	R("CVTTPS2PI",	0x2c,	_0F,	0,	P_IP,	S_SSE,	0) \
	R("CVTTPD2PI",	0x2c,	_66_0F,	0,	P_IP,	S_SSE2,	0) \
	R("CVTSI2SS",	0x2a,	_F3_0F,	0,	P_INT,	S_SX,	ROW_NOLAT) \
	R("CVTSI2SD",	0x2a,	_F2_0F,	0,	P_INT,	S_SX2,	ROW_NOLAT) \
	R("CVTSS2SI",	0x2d,	_F3_0F,	0,	P_SINT,	S_SX,	0) \
	R("CVTSD2SI",	0x2d,	_F2_0F,	0,	P_DINT,	S_SX2,	0) \
	R("CVTTSS2SI",	0x2c,	_F3_0F,	0,	P_SINT,	S_SX,	0) \
	R("CVTTSD2SI",	0x2c,	_F2_0F,	0,	P_DINT,	S_SX2,	0) \
	R("CVTDQ2PS",	0x5b,	_0F,	0,	P_RM,	S_PD,	0) \
	R("CVTPS2DQ",	0x5b,	_66_0F,	0,	P_RM,	S_PD,	0) \
	R("CVTTPS2DQ",	0x5b,	_F3_0F,	0,	P_RM,	S_PD,	0) \
	R("CVTDQ2PD",	0xe6,	_F3_0F,	0,	P_H,	S_PD,	0) \
	R("CVTPD2DQ",	0xe6,	_F2_0F | W1,	0,	P_HN,	S_PD,	0) \
	R("CVTTPD2DQ",	0xe6,	_66_0F | W1,	0,	P_HN,	S_PD,	0) \
	R("CVTPS2PD",	0x5a,	_0F,	0,	P_H,	S_PD,	0) \
	R("CVTPD2PS",	0x5a,	_66_0F | W1,	0,	P_HN,	S_PD,	0) \
	R("CVTSS2SD",	0x5a,	_F3_0F,	0,	P_S_RVM,	S_SX2,	0) \
	R("CVTSD2SS",	0x5a,	_F2_0F,	0,	P_D_RVM,	S_SX2,	0) \
	\
	R("ADDSUBPS",	0xd0,	_F2_0F,	0,	P_RVM,	S_SSE3,	ROW_CONST | DATA_F32) \
	R("ADDSUBPD",	0xd0,	_66_0F,	0,	P_RVM,	S_SSE3,	ROW_CONST | DATA_F64) \
	R("HADDPS",	0x7c,	_F2_0F,	0,	P_RVM,	S_SSE3,	0) \
	R("HADDPD",	0x7c,	_66_0F,	0,	P_RVM,	S_SSE3,	0) \
	R("HSUBPS",	0x7d,	_F2_0F,	0,	P_RVM,	S_SSE3,	0) \
	R("HSUBPD",	0x7d,	_66_0F,	0,	P_RVM,	S_SSE3,	0) \
	R("MOVSLDUP",	0x12,	_F3_0F,	0,	P_RM,	S_SSE3_F,	0) \
	R("MOVSHDUP",	0x16,	_F3_0F,	0,	P_RM,	S_SSE3_F,	0) \
	R("MOVDDUP",	0x12,	_F2_0F | W1,	0,	P_RMR,	S_SSE3_F,	0) \
	R("PSHUFB",	0x00,	_66_38,	0,	P_RVM,	S_SSSE3_BW,	0) \
	R("PHADDW",	0x01,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PHADDD",	0x02,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PHADDSW",	0x03,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PMADDUBSW",	0x04,	_66_38,	0,	P_RVM,	S_SSSE3_BW,	0) \
	R("PHSUBW",	0x05,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PHSUBD",	0x06,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PHSUBSW",	0x07,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PSIGNB",	0x08,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PSIGNW",	0x09,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PSIGND",	0x0a,	_66_38,	0,	P_RVM,	S_SSSE3,	0) \
	R("PMULHRSW",	0x0b,	_66_38,	0,	P_RVM,	S_SSSE3_BW,	0) \
	R("PABSB",	0x1c,	_66_38,	0,	P_RM,	S_SSSE3_BW,	0) \
	R("PABSW",	0x1d,	_66_38,	0,	P_RM,	S_SSSE3_BW,	0) \
	R("PABSD",	0x1e,	_66_38,	0,	P_RM,	S_SSSE3_F,	0) \
	R("PALIGNR",	0x0f,	_66_3A,	0,	P_RVMI,	S_SSSE3_BW,	0) \
	R("PBLENDVB",	0x10,	_66_38,	0,	P_X0,	S_41L,	0) \
	R("BLENDVPS",	0x14,	_66_38,	0,	P_X0,	S_41L,	0) \
	R("BLENDVPD",	0x15,	_66_38,	0,	P_X0,	S_41L,	0) \
	R("PTEST",	0x17,	_66_38,	0,	P_R,	S_41P,	0) \
	R("PMOVSXBW",	0x20,	_66_38,	0,	P_H,	S_41I_BW,	0) \
	R("PMOVSXBD",	0x21,	_66_38,	0,	P_Q,	S_41I_F,	0) \
	R("PMOVSXBQ",	0x22,	_66_38,	0,	P_E,	S_41I_F,	0) \
	R("PMOVSXWD",	0x23,	_66_38,	0,	P_H,	S_41I_F,	0) \
	R("PMOVSXWQ",	0x24,	_66_38,	0,	P_Q,	S_41I_F,	0) \
	R("PMOVSXDQ",	0x25,	_66_38,	0,	P_H,	S_41I_F,	0) \
	R("PMOVZXBW",	0x30,	_66_38,	0,	P_H,	S_41I_BW,	0) \
	R("PMOVZXBD",	0x31,	_66_38,	0,	P_Q,	S_41I_F,	0) \
	R("PMOVZXBQ",	0x32,	_66_38,	0,	P_E,	S_41I_F,	0) \
	R("PMOVZXWD",	0x33,	_66_38,	0,	P_H,	S_41I_F,	0) \
	R("PMOVZXWQ",	0x34,	_66_38,	0,	P_Q,	S_41I_F,	0) \
	R("PMOVZXDQ",	0x35,	_66_38,	0,	P_H,	S_41I_F,	0) \
	R("PMULDQ",	0x28,	_66_38 | W1,	0,	P_RVM,	S_41I_F,	0) \
	R("PCMPEQQ",	0x29,	_66_38,	0,	P_RVM,	S_41I,	ROW_PAIR) \
	R("MOVNTDQA",	0x2a,	_66_38,	0,	P_LOAD_V,	S_41I,	0) \
	R("PACKUSDW",	0x2b,	_66_38,	0,	P_RVM,	S_41I_BW,	0) \
	R("PCMPGTQ",	0x37,	_66_38,	0,	P_RVM,	S_42I,	ROW_PAIR) \
	R("PMINSB",	0x38,	_66_38,	0,	P_RVM,	S_41I_BW,	0) \
	R("PMINSD",	0x39,	_66_38,	0,	P_RVM,	S_41I_F,	0) \
	R("PMINUW",	0x3a,	_66_38,	0,	P_RVM,	S_41I_BW,	0) \
	R("PMINUD",	0x3b,	_66_38,	0,	P_RVM,	S_41I_F,	0) \
	R("PMAXSB",	0x3c,	_66_38,	0,	P_RVM,	S_41I_BW,	0) \
	R("PMAXSD",	0x3d,	_66_38,	0,	P_RVM,	S_41I_F,	0) \
	R("PMAXUW",	0x3e,	_66_38,	0,	P_RVM,	S_41I_BW,	0) \
	R("PMAXUD",	0x3f,	_66_38,	0,	P_RVM,	S_41I_F,	0) \
	R("PMULLD",	0x40,	_66_38,	0,	P_RVM,	S_41I_F,	0) \
	R("PHMINPOSUW",	0x41,	_66_38,	0,	P_RM,	S_41,	0) \
	R("ROUNDPS",	0x08,	_66_3A,	0,	P_RMI,	S_41P,	DATA_F32) \
	R("ROUNDPD",	0x09,	_66_3A,	0,	P_RMI,	S_41P,	DATA_F64) \
	R("ROUNDSS",	0x0a,	_66_3A,	0,	P_S_RVMI,	S_41,	DATA_F32) \
	R("ROUNDSD",	0x0b,	_66_3A,	0,	P_D_RVMI,	S_41,	DATA_F64) \
	R("BLENDPS",	0x0c,	_66_3A,	0,	P_RVMI,	S_41P,	0) \
	R("BLENDPD",	0x0d,	_66_3A,	0,	P_RVMI,	S_41P,	0) \
	R("PBLENDW",	0x0e,	_66_3A,	0,	P_RVMI,	S_41I,	0) \
	R("DPPS",	0x40,	_66_3A,	0,	P_RVMI,	S_41P,	0) \
	R("DPPD",	0x41,	_66_3A,	0,	P_RVMI,	S_41,	0) \
	R("MPSADBW",	0x42,	_66_3A,	0,	P_RVMI,	S_41I,	0) \
	R("INSERTPS",	0x21,	_66_3A,	0,	P_S_RVMI,	S_41,	0) \
	R("PEXTRB",	0x14,	_66_3A,	0,	P_PEXT,	S_41,	0) \
	R("PEXTRD",	0x16,	_66_3A,	0,	P_PEXT,	S_41,	0) \
	R("PEXTRQ",	0x16,	_66_3A | W1,	0,	P_PEXTQ,	S_41,	0) \
	R("EXTRACTPS",	0x17,	_66_3A,	0,	P_PEXT,	S_41,	0) \
	R("PINSRB",	0x20,	_66_3A,	0,	P_PINS,	S_41,	0) \
	R("PINSRD",	0x22,	_66_3A,	0,	P_PINS,	S_41,	0) \
	R("PINSRQ",	0x22,	_66_3A | W1,	0,	P_PINSQ,	S_41,	0) \
	R("PCMPISTRI",	0x63,	_66_3A,	0,	P_RMI,	S_42,	ROW_NOLAT) \
	R("PCMPISTRM",	0x62,	_66_3A,	0,	P_RMI,	S_42,	ROW_NOLAT) \
	R("PCMPESTRI",	0x61,	_66_3A,	0,	P_RMI,	S_42,	ROW_NOLAT) \
	R("PCMPESTRM",	0x60,	_66_3A,	0,	P_RMI,	S_42,	ROW_NOLAT) \
	R("AESIMC",	0xdb,	_66_38,	0,	P_RM,	S_AES1,	0) \
	R("AESENC",	0xdc,	_66_38,	0,	P_RVM,	S_AES,	ROW_NOMASK) \
	R("AESENCLAST",	0xdd,	_66_38,	0,	P_RVM,	S_AES,	ROW_NOMASK) \
	R("AESDEC",	0xde,	_66_38,	0,	P_RVM,	S_AES,	ROW_NOMASK) \
	R("AESDECLAST",	0xdf,	_66_38,	0,	P_RVM,	S_AES,	ROW_NOMASK) \
	R("AESKEYGENASSIST", 0xdf,	_66_3A,	0,	P_RMI,	S_AES1,	0) \
	R("PCLMULQDQ",	0x44,	_66_3A,	0,	P_RVMI,	S_PCLMUL,	ROW_NOMASK) \
	R("SHA1NEXTE",	0xc8,	_38,	0,	P_RVM,	S_SHA,	0) \
	R("SHA1MSG1",	0xc9,	_38,	0,	P_RVM,	S_SHA,	0) \
	R("SHA1MSG2",	0xca,	_38,	0,	P_RVM,	S_SHA,	0) \
	R("SHA256RNDS2", 0xcb,	_38,	0,	P_X0,	S_SHA,	0) \
	R("SHA256MSG1",	0xcc,	_38,	0,	P_RVM,	S_SHA,	0) \
	R("SHA256MSG2",	0xcd,	_38,	0,	P_RVM,	S_SHA,	0) \
	R("SHA1RNDS4",	0xcc,	_3A,	0,	P_RVMI,	S_SHA,	0) \
	R("GF2P8MULB",	0xcf,	_66_38,	0,	P_RVM,	S_GFNI,	0) \
	R("GF2P8AFFINEQB", 0xce,	_66_3A | W1,	0,	P_RVMI,	S_GFNI,	0) \
	R("GF2P8AFFINEINVQB", 0xcf,	_66_3A | W1,	0,	P_RVMI,	S_GFNI,	0) \
	\
	R("VBROADCASTSS", 0x18,	_66_38,	0,	P_BCASTS,	S_AVX_F,	0) \
	R("VBROADCASTSS", 0x18,	_66_38,	0,	P_BCAST,	S_AVX2_F,	0) \
	R("VBROADCASTSD", 0x19,	_66_38 | W1,	0,	P_BCASTD,	S_F,	ROW_NOMASK) \
	R("VBROADCASTF128", 0x1a,	_66_38,	0,	P_BCAST128,	S_AVX_Y,	0) \
	R("VPERMILPS",	0x0c,	_66_38,	0,	P_RVM,	S_AVX_F,	0) \
	R("VPERMILPS",	0x04,	_66_3A,	0,	P_RMI,	S_AVX_F,	0) \
	R("VPERMILPD",	0x0d,	_66_38,	0,	P_RVM,	S_AVX,	0) \
	R("VPERMILPD",	0x05,	_66_3A,	0,	P_RMI,	S_AVX,	0) \
	R("VPERM2F128",	0x06,	_66_3A,	0,	P_RVMI,	S_AVX_Y,	0) \
	R("VINSERTF128", 0x18,	_66_3A,	0,	P_INS128,	S_AVX_Y,	0) \
	R("VEXTRACTF128", 0x19,	_66_3A,	0,	P_EXT128,	S_AVX_Y,	0) \
	R("VTESTPS",	0x0e,	_66_38,	0,	P_R,	S_AVX,	0) \
	R("VTESTPD",	0x0f,	_66_38,	0,	P_R,	S_AVX,	0) \
	R("VBLENDVPS",	0x4a,	_66_3A,	0,	P_IS4,	S_AVX,	0) \
	R("VBLENDVPD",	0x4b,	_66_3A,	0,	P_IS4,	S_AVX,	0) \
	R("VPBLENDVB",	0x4c,	_66_3A,	0,	P_IS4,	S_AVX2_Y,	0) \
	R("VPBROADCASTB", 0x78,	_66_38,	0,	P_BCAST,	S_AVX2_BW,	0) \
	R("VPBROADCASTW", 0x79,	_66_38,	0,	P_BCAST,	S_AVX2_BW,	0) \
	R("VPBROADCASTD", 0x58,	_66_38,	0,	P_BCAST,	S_AVX2_F,	0) \
	R("VPBROADCASTQ", 0x59,	_66_38,	0,	P_BCAST,	S_AVX2,	0) \
	R("VPERMD",	0x36,	_66_38,	0,	P_RVM,	S_AVX2_YF,	0) \
	R("VPERMPS",	0x16,	_66_38,	0,	P_RVM,	S_AVX2_YF,	0) \
	R("VPERMQ",	0x00,	_66_3A | W1,	0,	P_RMI,	S_AVX2_YF,	0) \
	R("VPERMPD",	0x01,	_66_3A | W1,	0,	P_RMI,	S_AVX2_YF,	0) \
	R("VPBLENDD",	0x02,	_66_3A,	0,	P_RVMI,	S_AVX2,	0) \
	R("VPSRLVD",	0x45,	_66_38,	0,	P_RVM,	S_AVX2_F,	0) \
	R("VPSRLVQ",	0x45,	_66_38 | W1,	0,	P_RVM,	S_AVX2_F,	0) \
	R("VPSRAVD",	0x46,	_66_38,	0,	P_RVM,	S_AVX2_F,	0) \
	R("VPSLLVD",	0x47,	_66_38,	0,	P_RVM,	S_AVX2_F,	0) \
	R("VPSLLVQ",	0x47,	_66_38 | W1,	0,	P_RVM,	S_AVX2_F,	0) \
	R("VINSERTI128", 0x38,	_66_3A,	0,	P_INS128,	S_AVX2_Y,	0) \
	R("VEXTRACTI128", 0x39,	_66_3A,	0,	P_EXT128,	S_AVX2_Y,	0) \
	R("VPERM2I128",	0x46,	_66_3A,	0,	P_RVMI,	S_AVX2_Y,	0) \
	R("VCVTPH2PS",	0x13,	_66_38,	0,	P_H,	S_F16C,	0) \
	R("VCVTPS2PH",	0x1d,	_66_3A,	0,	P_HMI,	S_F16C,	0) \
	FMA4(R, "VFMADD132", 0x98) \
	FMA4(R, "VFMADD213", 0xa8) \
	FMA4(R, "VFMADD231", 0xb8) \
	FMA4(R, "VFMSUB213", 0xaa) \
	FMA4(R, "VFNMADD213", 0xac) \
	FMA4(R, "VFNMSUB213", 0xae) \
	FMA_PACKED(R, "VFMADDSUB213", 0xa6) \
	FMA_PACKED(R, "VFMSUBADD213", 0xa7) \
	\
	R("VMOVDQA32",	0x6f,	_66_0F,	0,	P_RM,	S_F,	0) \
	R("VMOVDQU8",	0x6f,	_F2_0F,	0,	P_RM,	S_BW,	0) \
	R("VPANDD",	0xdb,	_66_0F,	0,	P_RVM,	S_F,	0) \
	R("VPANDQ",	0xdb,	_66_0F | W1,	0,	P_RVM,	S_F,	0) \
	R("VPANDND",	0xdf,	_66_0F,	0,	P_RVM,	S_F,	ROW_PAIR) \
	R("VPORD",	0xeb,	_66_0F,	0,	P_RVM,	S_F,	0) \
	R("VPXORD",	0xef,	_66_0F,	0,	P_RVM,	S_F,	ROW_PAIR) \
	R("VPXORQ",	0xef,	_66_0F | W1,	0,	P_RVM,	S_F,	ROW_PAIR) \
	R("VPTERNLOGD",	0x25,	_66_3A,	0,	P_TERNI,	S_F,	ROW_CONST) \
	R("VPTERNLOGQ",	0x25,	_66_3A | W1,	0,	P_TERNI,	S_F,	ROW_CONST) \
	R("VPROLVD",	0x15,	_66_38,	0,	P_RVM,	S_F,	0) \
	R("VPROLVQ",	0x15,	_66_38 | W1,	0,	P_RVM,	S_F,	0) \
	R("VPRORVD",	0x14,	_66_38,	0,	P_RVM,	S_F,	0) \
	R("VPROLD",	0x72,	_66_0F,	1,	P_SHIFTI,	S_F,	0) \
	R("VPRORD",	0x72,	_66_0F,	0,	P_SHIFTI,	S_F,	0) \
	R("VPRORQ",	0x72,	_66_0F | W1,	0,	P_SHIFTI,	S_F,	0) \
	R("VPSRAQ",	0x72,	_66_0F | W1,	4,	P_SHIFTI,	S_F,	0) \
	R("VPSRAVQ",	0x46,	_66_38 | W1,	0,	P_RVM,	S_F,	0) \
	R("VPSRLVW",	0x10,	_66_38 | W1,	0,	P_RVM,	S_BW,	0) \
	R("VPSRAVW",	0x11,	_66_38 | W1,	0,	P_RVM,	S_BW,	0) \
	R("VPSLLVW",	0x12,	_66_38 | W1,	0,	P_RVM,	S_BW,	0) \
	R("VPERMB",	0x8d,	_66_38,	0,	P_RVM,	S_VBMI,	0) \
	R("VPERMW",	0x8d,	_66_38 | W1,	0,	P_RVM,	S_BW,	0) \
	R("VPERMT2B",	0x7d,	_66_38,	0,	P_FMA,	S_VBMI,	ROW_CONST) \
	R("VPERMT2W",	0x7d,	_66_38 | W1,	0,	P_FMA,	S_BW,	ROW_CONST) \
	R("VPERMT2D",	0x7e,	_66_38,	0,	P_FMA,	S_F,	ROW_CONST) \
	R("VPERMT2PS",	0x7f,	_66_38,	0,	P_FMA,	S_F,	ROW_CONST) \
	R("VPERMI2D",	0x76,	_66_38,	0,	P_FMA,	S_F,	ROW_CONST) \
	R("VPERMI2W",	0x75,	_66_38 | W1,	0,	P_FMA,	S_BW,	ROW_CONST) \
	R("VPMULTISHIFTQB", 0x83,	_66_38 | W1,	0,	P_RVM,	S_VBMI,	0) \
	R("VPMULLQ",	0x40,	_66_38 | W1,	0,	P_RVM,	S_DQ,	0) \
	R("VPMINSQ",	0x39,	_66_38 | W1,	0,	P_RVM,	S_F,	0) \
	R("VPMINUQ",	0x3b,	_66_38 | W1,	0,	P_RVM,	S_F,	0) \
	R("VPMAXSQ",	0x3d,	_66_38 | W1,	0,	P_RVM,	S_F,	0) \
	R("VPMAXUQ",	0x3f,	_66_38 | W1,	0,	P_RVM,	S_F,	0) \
	R("VPABSQ",	0x1f,	_66_38 | W1,	0,	P_RM,	S_F,	0) \
	R("VPLZCNTD",	0x44,	_66_38,	0,	P_RM,	S_CD,	0) \
	R("VPLZCNTQ",	0x44,	_66_38 | W1,	0,	P_RM,	S_CD,	0) \
	R("VPCONFLICTD", 0xc4,	_66_38,	0,	P_RM,	S_CD,	0) \
	R("VPCONFLICTQ", 0xc4,	_66_38 | W1,	0,	P_RM,	S_CD,	0) \
	R("VPOPCNTB",	0x54,	_66_38,	0,	P_RM,	S_BITALG,	0) \
	R("VPOPCNTW",	0x54,	_66_38 | W1,	0,	P_RM,	S_BITALG,	0) \
	R("VPOPCNTD",	0x55,	_66_38,	0,	P_RM,	S_VPOPCNT,	0) \
	R("VPOPCNTQ",	0x55,	_66_38 | W1,	0,	P_RM,	S_VPOPCNT,	0) \
	R("VPDPBUSD",	0x50,	_66_38,	0,	P_FMA,	S_VNNI,	ROW_CONST) \
	R("VPDPBUSDS",	0x51,	_66_38,	0,	P_FMA,	S_VNNI,	ROW_CONST) \
	R("VPDPWSSD",	0x52,	_66_38,	0,	P_FMA,	S_VNNI,	ROW_CONST) \
	R("VPDPWSSDS",	0x53,	_66_38,	0,	P_FMA,	S_VNNI,	ROW_CONST) \
	R("VPMADD52LUQ", 0xb4,	_66_38 | W1,	0,	P_FMA,	S_IFMA,	ROW_CONST) \
	R("VPMADD52HUQ", 0xb5,	_66_38 | W1,	0,	P_FMA,	S_IFMA,	ROW_CONST) \
	R("VALIGND",	0x03,	_66_3A,	0,	P_RVMI,	S_F,	0) \
	R("VALIGNQ",	0x03,	_66_3A | W1,	0,	P_RVMI,	S_F,	0) \
	R("VRNDSCALEPS", 0x08,	_66_3A,	0,	P_RMI,	S_F,	DATA_F32) \
	R("VRNDSCALEPD", 0x09,	_66_3A | W1,	0,	P_RMI,	S_F,	DATA_F64) \
	R("VREDUCEPS",	0x56,	_66_3A,	0,	P_RMI,	S_DQ,	DATA_F32) \
	R("VRANGEPS",	0x50,	_66_3A,	0,	P_RVMI,	S_DQ,	ROW_CONST | DATA_F32) \
	R("VFIXUPIMMPS", 0x54,	_66_3A,	0,	P_TERNI,	S_F,	ROW_CONST) \
	R("VGETEXPPS",	0x42,	_66_38,	0,	P_RM,	S_F,	DATA_F32) \
	R("VGETMANTPS",	0x26,	_66_3A,	0,	P_RMI,	S_F,	DATA_F32) \
	R("VSCALEFPS",	0x2c,	_66_38,	0,	P_RVM,	S_F,	ROW_CONST | DATA_F32) \
	R("VRCP14PS",	0x4c,	_66_38,	0,	P_RM,	S_F,	DATA_F32) \
	R("VRSQRT14PS",	0x4e,	_66_38,	0,	P_RM,	S_F,	DATA_F32) \
	R("VBLENDMPS",	0x65,	_66_38,	0,	P_RVM,	S_F,	0) \
	R("VPBLENDMB",	0x66,	_66_38,	0,	P_RVM,	S_BW,	0) \
	R("VCOMPRESSPS", 0x8a,	_66_38,	0,	P_MR,	S_F,	0) \
	R("VPCOMPRESSD", 0x8b,	_66_38,	0,	P_MR,	S_F,	0) \
	R("VEXPANDPS",	0x88,	_66_38,	0,	P_RMR,	S_F,	0) \
	R("VPEXPANDD",	0x89,	_66_38,	0,	P_RMR,	S_F,	0) \
	R("VPMOVDB",	0x31,	_F3_38,	0,	P_QM,	S_F,	0) \
	R("VPMOVDW",	0x33,	_F3_38,	0,	P_HM,	S_F,	0) \
	R("VPMOVQB",	0x32,	_F3_38,	0,	P_EM,	S_F,	0) \
	R("VPMOVQW",	0x34,	_F3_38,	0,	P_QM,	S_F,	0) \
	R("VPMOVQD",	0x35,	_F3_38,	0,	P_HM,	S_F,	0) \
	R("VPMOVWB",	0x30,	_F3_38,	0,	P_HM,	S_BW,	0) \
	R("VCVTUDQ2PS",	0x7a,	_F2_0F,	0,	P_RM,	S_F,	0) \
	R("VCVTPS2UDQ",	0x79,	_0F,	0,	P_RM,	S_F,	0) \
	R("VCVTQQ2PD",	0xe6,	_F3_0F | W1,	0,	P_RM,	S_DQ,	0) \
	R("VCVTPD2QQ",	0x7b,	_66_0F | W1,	0,	P_RM,	S_DQ,	0) \
	R("VDBPSADBW",	0x42,	_66_3A,	0,	P_RVMI,	S_BW,	0) \
	R("VPCMPEQB",	0x74,	_66_0F,	0,	P_KVM,	S_BW,	0) \
	R("VPCMPEQD",	0x76,	_66_0F,	0,	P_KVM,	S_F,	0) \
	R("VPCMPGTD",	0x66,	_66_0F,	0,	P_KVM,	S_F,	0) \
	R("VPTESTMD",	0x27,	_66_38,	0,	P_KVM,	S_F,	0) \
	R("VPTESTMB",	0x26,	_66_38,	0,	P_KVM,	S_BW,	0) \
	R("VPMOVM2B",	0x28,	_F3_38,	0,	P_VK,	S_BW,	ROW_NOMASK) \
	R("VPMOVM2D",	0x38,	_F3_38,	0,	P_VK,	S_DQ,	ROW_NOMASK) \
	R("VPMOVB2M",	0x29,	_F3_38,	0,	P_KV,	S_BW,	0) \
	R("VPMOVD2M",	0x39,	_F3_38,	0,	P_KV,	S_DQ,	0) \
	\
	R("PI2FD",	0x0d,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PF2ID",	0x1d,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFCMPGE",	0x90,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFMIN",	0x94,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFRCP",	0x96,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFRSQRT",	0x97,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFSUB",	0x9a,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFADD",	0x9e,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFCMPGT",	0xa0,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFMAX",	0xa4,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFRCPIT1",	0xa6,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFRSQIT1",	0xa7,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFSUBR",	0xaa,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFACC",	0xae,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFCMPEQ",	0xb0,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFMUL",	0xb4,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PFRCPIT2",	0xb6,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PMULHRW",	0xb7,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PAVGUSB",	0xbf,	_0F,	0,	P_3DNOW,	S_3DNOW,	0) \
	R("PI2FW",	0x0c,	_0F,	0,	P_3DNOW,	S_3DNOWEXT,	0) \
	R("PF2IW",	0x1c,	_0F,	0,	P_3DNOW,	S_3DNOWEXT,	0) \
	R("PFNACC",	0x8a,	_0F,	0,	P_3DNOW,	S_3DNOWEXT,	0) \
	R("PFPNACC",	0x8e,	_0F,	0,	P_3DNOW,	S_3DNOWEXT,	0) \
	R("PSWAPD",	0xbb,	_0F,	0,	P_3DNOW,	S_3DNOWEXT,	0)

/* A column each: runs of the same value pack to almost nothing. */
#define NAME(name, op, enc, digit, pattern, set, flags) name "\0"
const char instr_names[] = ROWS(NAME);
#define OPCODE(name, op, enc, digit, pattern, set, flags) (op),
static const uint8_t opcodes[] = { ROWS(OPCODE) };
#define ENCODING(name, op, enc, digit, pattern, set, flags) (enc),
static const uint8_t encodings[] = { ROWS(ENCODING) };
#define DIGIT(name, op, enc, digit, pattern, set, flags) digit,
static const uint8_t digits[] = { ROWS(DIGIT) };
#define PATTERN(name, op, enc, digit, pattern, set, flags) pattern,
static const uint8_t patterns[] = { ROWS(PATTERN) };
#define SET_OF(name, op, enc, digit, pattern, set, flags) set,
static const uint8_t set_of[] = { ROWS(SET_OF) };
#define FLAGS_OF(name, op, enc, digit, pattern, set, flags) (flags),
static const uint8_t flags_of[] = { ROWS(FLAGS_OF) };

const unsigned instr_nrows = sizeof(opcodes);

struct instr_row instr_row(unsigned i)
{
	return (struct instr_row){
		.opcode = opcodes[i],
		.encoding = encodings[i],
		.digit = digits[i],
		.pattern = patterns[i],
		.set = set_of[i],
		.flags = flags_of[i],
	};
}

/*
 * Forms by their bytes: combinations that close a chain, implicit operands, x87, system.
 * X87(control word, x, y): ST(0) = y, the others x; indices of instr_constants. The control word
 * selects 24, 53 or 64 bits (0, 2, 3).
 */
enum { C_0, C_1, C_2, C_HALF, C_G, C_4PI, C_2PI, C_PI, C_PI2, C_PI4, C_PI8, C_PI16, C_PI32, C_DOTTIE };

const uint64_t instr_constants[] = {
	[C_0] = 0,
	[C_1] = 0x3ff0000000000000,
	[C_2] = 0x4000000000000000,
	[C_HALF] = 0x3fe0000000000000,
	[C_G] = 0x3feffffe00000000, /* 1 - 2^-20: a thousand products or quotients stay in range */
	[C_4PI] = 0x402921fb54442d18,
	[C_2PI] = 0x401921fb54442d18,
	[C_PI] = 0x400921fb54442d18,
	[C_PI2] = 0x3ff921fb54442d18,
	[C_PI4] = 0x3fe921fb54442d18,
	[C_PI8] = 0x3fd921fb54442d18,
	[C_PI16] = 0x3fc921fb54442d18,
	[C_PI32] = 0x3fb921fb54442d18,
	[C_DOTTIE] = 0x3fe7a6b402ae1586, /* 0.73908513...: cos x = x */
};

#define LT	(LIT_LAT | LIT_TP)
#define X87(pc, x, y) DATA_X87, (pc) << 4 | (x), y
#define PLAIN	DATA_ZERO, 0, 0
#define STACK	DATA_STACK, 0, 0
#define SAME(n)	(LIT_SAME | (n))
#define COLD(n)	(LIT_COLD | (n))
#define WARM(n)	(LIT_WARM | (n))

#define PAIR_LS(L, form, need, load, store) L(form, need, LIT_LAT, PLAIN, 2, load store)
#define SINE(L, form, x, code) L(form, N_FPU, LIT_LAT | LIT_SINE | LIT_WALK, X87(3, x, 0), 2, code "\xd8\xc1")

/*	form	needs	flags	data	instructions	code */
#define LITERALS(L) \
	L("NOP", N_0, LIT_TP, PLAIN, 1, "\x90") \
	L("0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x90") \
	L("2x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x90") \
	L("3x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x90") \
	L("4x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x90") \
	L("5x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x90") \
	L("6x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x90") \
	L("7x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("8x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("9x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("10x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("11x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("12x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("13x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("14x 0x66 NOP", N_0, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90") \
	L("LNOP3 [eax], eax", N_CMOV, LIT_TP, PLAIN, 1, "\x0f\x1f\x00") \
	L("LNOP4 [eax+disp8], eax", N_CMOV, LIT_TP, PLAIN, 1, "\x0f\x1f\x40\x00") \
	L("LNOP5 [SIB+disp8], eax", N_CMOV, LIT_TP, PLAIN, 1, "\x0f\x1f\x44\x00\x00") \
	L("LNOP6 [SIB+disp8], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x0f\x1f\x44\x00\x00") \
	L("LNOP7 [eax+disp32], eax", N_CMOV, LIT_TP, PLAIN, 1, "\x0f\x1f\x80\0\0\0\0") \
	L("LNOP8 [SIB+disp32], eax", N_CMOV, LIT_TP, PLAIN, 1, "\x0f\x1f\x84\0\0\0\0\0") \
	L("LNOP9 [SIB+disp32], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x0f\x1f\x84\0\0\0\0\0") \
	L("2x66 LNOPA [SIB+disp32], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x66\x0f\x1f\x84\0\0\0\0\0") \
	L("3x66 LNOPB [SIB+disp32], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x66\x66\x0f\x1f\x84\0\0\0\0\0") \
	L("4x66 LNOPC [SIB+disp32], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x0f\x1f\x84\0\0\0\0\0") \
	L("5x66 LNOPD [SIB+disp32], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x0f\x1f\x84\0\0\0\0\0") \
	L("6x66 LNOPE [SIB+disp32], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x0f\x1f\x84\0\0\0\0\0") \
	L("7x66 LNOPF [SIB+disp32], ax", N_CMOV, LIT_TP, PLAIN, 1, "\x66\x66\x66\x66\x66\x66\x66\x0f\x1f\x84\0\0\0\0\0") \
	L("PAUSE", N_SSE2, LIT_TP, PLAIN, 1, "\xf3\x90") \
	L("MOV r64, imm64", N_0, LIT_TP | LIT_64, PLAIN, 1, "\x48\xb8\x78\x56\x34\x12\x78\x56\x34\x12") \
	L("ADD r32, 0x04000", N_0, LIT_LAT, PLAIN, 1, "\x81\xc1\x00\x40\x00\x00") \
	L("ADD r32, 0x08000", N_0, LIT_LAT, PLAIN, 1, "\x81\xc1\x00\x80\x00\x00") \
	L("ADD r32, 0x10000", N_0, LIT_LAT, PLAIN, 1, "\x81\xc1\x00\x00\x01\x00") \
	L("ADD r32, 0x20000", N_0, LIT_LAT, PLAIN, 1, "\x81\xc1\x00\x00\x02\x00") \
	L("MOV r8,[m8]+MOV [m8],r8", N_0, LIT_LAT, PLAIN, 2, "\x8a\x06\x88\x06") \
	L("MOV r16,[m16]+MOV [m16],r16", N_0, LIT_LAT, PLAIN, 2, "\x66\x8b\x06\x66\x89\x06") \
	L("MOV r32,[m32]+MOV [m32],r32", N_0, LIT_LAT, PLAIN, 2, "\x8b\x06\x89\x06") \
	L("MOV r64,[m64]+MOV [m64],r64", N_0, LIT_LAT | LIT_64, PLAIN, 2, "\x48\x8b\x06\x48\x89\x06") \
	L("MOV+ADD r8, r8", N_0, LIT_LAT, PLAIN, 2, "\x88\xc1\x00\xc8") \
	L("MOV+ADD r16, r16", N_0, LIT_LAT, PLAIN, 2, "\x66\x89\xc1\x66\x01\xc8") \
	L("MOV+ADD r32, r32", N_0, LIT_LAT, PLAIN, 2, "\x89\xc1\x01\xc8") \
	L("JMP rel8", N_0, LIT_TP, PLAIN, 1, "\xeb\x00") \
	L("JMP rel32", N_0, LIT_TP, PLAIN, 1, "\xe9\0\0\0\0") \
	L("JC rel8 (not taken)", N_0, LIT_TP, PLAIN, 2, "\xf8\x72\x00") \
	L("JNC rel8 (taken)", N_0, LIT_TP, PLAIN, 2, "\xf8\x73\x00") \
	L("CALL rel32 + RET + JMP rel8", N_0, LIT_TP, PLAIN, 3, "\xe8\x02\0\0\0\xeb\x01\xc3") \
	L("IMUL r8  (ah)", N_0, LIT_LAT, PLAIN, 1, "\xf6\xec") \
	L("IMUL r16 (dx)", N_0, LIT_LAT, PLAIN, 1, "\x66\xf7\xea") \
	L("IMUL r32 (edx)", N_0, LIT_LAT, PLAIN, 1, "\xf7\xea") \
	L("IMUL r64 (rdx)", N_0, LIT_LAT | LIT_64, PLAIN, 1, "\x48\xf7\xea") \
	L("MUL r8   (ah)", N_0, LIT_LAT, PLAIN, 1, "\xf6\xe4") \
	L("MUL r16  (dx)", N_0, LIT_LAT, PLAIN, 1, "\x66\xf7\xe2") \
	L("MUL r32  (edx)", N_0, LIT_LAT, PLAIN, 1, "\xf7\xe2") \
	L("MUL r64  (rdx)", N_0, LIT_LAT | LIT_64, PLAIN, 1, "\x48\xf7\xe2") \
	L("IMUL r8  (al)", N_0, LIT_LAT, PLAIN, 1, "\xf6\xe8") \
	L("IMUL r16 (ax)", N_0, LIT_LAT, PLAIN, 1, "\x66\xf7\xe8") \
	L("IMUL r32 (eax)", N_0, LIT_LAT, PLAIN, 1, "\xf7\xe8") \
	L("IMUL r64 (rax)", N_0, LIT_LAT | LIT_64, PLAIN, 1, "\x48\xf7\xe8") \
	L("MUL r8   (al)", N_0, LIT_LAT, PLAIN, 1, "\xf6\xe0") \
	L("MUL r16  (ax)", N_0, LIT_LAT, PLAIN, 1, "\x66\xf7\xe0") \
	L("MUL r32  (eax)", N_0, LIT_LAT, PLAIN, 1, "\xf7\xe0") \
	L("MUL r64  (rax)", N_0, LIT_LAT | LIT_64, PLAIN, 1, "\x48\xf7\xe0") \
	L("MOV r32, r32 + MUL r32", N_0, LIT_TP, PLAIN, 2, "\x89\xc8\xf7\xe1") \
	L("MULX r32, r32, r32", N_BMI2, LIT_LAT, PLAIN, 1, "\xc4\xe2\x73\xf6\xd2") \
	L("MULX r64, r64, r64", N_BMI2, LIT_LAT | LIT_64, PLAIN, 1, "\xc4\xe2\xf3\xf6\xd2") \
	L("CBW", N_0, LIT_LAT, PLAIN, 1, "\x66\x98") \
	L("CWDE", N_0, LIT_LAT, PLAIN, 1, "\x98") \
	L("CDQE", N_0, LIT_LAT | LIT_64, PLAIN, 1, "\x48\x98") \
	L("CWD", N_0, LIT_TP, PLAIN, 1, "\x66\x99") \
	L("CDQ", N_0, LIT_TP, PLAIN, 1, "\x99") \
	L("CQO", N_0, LIT_TP | LIT_64, PLAIN, 1, "\x48\x99") \
	L("CLC", N_0, LIT_TP, PLAIN, 1, "\xf8") \
	L("STC", N_0, LIT_TP, PLAIN, 1, "\xf9") \
	L("CMC", N_0, LIT_LAT, PLAIN, 1, "\xf5") \
	L("CLD", N_0, LIT_TP, PLAIN, 1, "\xfc") \
	L("STD", N_0, LIT_TP, PLAIN, 1, "\xfd") \
	L("AAA", N_0, LIT_LAT | LIT_32, PLAIN, 1, "\x37") \
	L("AAD", N_0, LIT_LAT | LIT_32, PLAIN, 1, "\xd5\x0a") \
	L("AAM", N_0, LIT_LAT | LIT_32, PLAIN, 1, "\xd4\x0a") \
	L("AAS", N_0, LIT_LAT | LIT_32, PLAIN, 1, "\x3f") \
	L("DAA", N_0, LIT_LAT | LIT_32, PLAIN, 1, "\x27") \
	L("DAS", N_0, LIT_LAT | LIT_32, PLAIN, 1, "\x2f") \
	L("SALC", N_0, LIT_TP | LIT_32, PLAIN, 1, "\xd6") \
	L("LAHF", N_0, LIT_TP | LIT_32, PLAIN, 1, "\x9f") \
	L("SAHF", N_0, LIT_TP | LIT_32, PLAIN, 1, "\x9e") \
	L("LAHF + SAHF", N_0, LIT_LAT | LIT_32, PLAIN, 2, "\x9f\x9e") \
	L("LAHF", N_LAHF64, LIT_TP | LIT_64, PLAIN, 1, "\x9f") \
	L("SAHF", N_LAHF64, LIT_TP | LIT_64, PLAIN, 1, "\x9e") \
	L("LAHF + SAHF", N_LAHF64, LIT_LAT | LIT_64, PLAIN, 2, "\x9f\x9e") \
	L("XLAT", N_0, LIT_LAT, PLAIN, 1, "\xd7") \
	L("PUSHA", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\x66\x60") \
	L("POPA", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\x66\x61") \
	L("PUSHA + POPA", N_0, LIT_LAT | LIT_32, STACK, 2, "\x66\x60\x66\x61") \
	L("PUSHAD", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\x60") \
	L("POPAD", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\x61") \
	L("PUSHAD + POPAD", N_0, LIT_LAT | LIT_32, STACK, 2, "\x60\x61") \
	L("PUSH r16", N_0, LIT_TP | LIT_WALK, STACK, 1, "\x66\x50") \
	L("POP r16", N_0, LIT_TP | LIT_WALK, STACK, 1, "\x66\x58") \
	L("PUSH r16 + POP r16", N_0, LIT_LAT, STACK, 2, "\x66\x50\x66\x58") \
	L("PUSH r32", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\x50") \
	L("POP r32", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, SAME(2), "\x58\x59") \
	L("PUSH r32 + POP r32", N_0, LIT_LAT | LIT_32, STACK, 2, "\x50\x58") \
	L("PUSH r64", N_0, LIT_TP | LIT_WALK | LIT_64, STACK, 1, "\x50") \
	L("POP r64", N_0, LIT_TP | LIT_WALK | LIT_64, STACK, SAME(2), "\x58\x59") \
	L("PUSH r64 + POP r64", N_0, LIT_LAT | LIT_64, STACK, 2, "\x50\x58") \
	L("PUSH imm8", N_0, LIT_TP | LIT_WALK, STACK, 1, "\x6a\x01") \
	L("PUSH imm8 + POP r32", N_0, LIT_TP | LIT_32, STACK, 2, "\x6a\x01\x58") \
	L("PUSH imm32", N_0, LIT_TP | LIT_WALK, STACK, 1, "\x68\x78\x56\x34\x12") \
	L("PUSH imm32 + POP r32", N_0, LIT_TP | LIT_32, STACK, 2, "\x68\x78\x56\x34\x12\x58") \
	L("PUSH [m16]", N_0, LIT_TP | LIT_WALK, STACK, 1, "\x66\xff\x36") \
	L("POP [m16]", N_0, LIT_TP | LIT_WALK, STACK, WARM(1), "\x66\x8f\x06") \
	L("PUSH [m16] + POP [m16]", N_0, LIT_LAT, STACK, 2, "\x66\xff\x36\x66\x8f\x06") \
	L("PUSH [m32]", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\xff\x36") \
	L("POP [m32]", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, WARM(1), "\x8f\x06") \
	L("PUSH [m32] + POP [m32]", N_0, LIT_LAT | LIT_32, STACK, 2, "\xff\x36\x8f\x06") \
	L("PUSH [m64]", N_0, LIT_TP | LIT_WALK | LIT_64, STACK, 1, "\xff\x36") \
	L("POP [m64]", N_0, LIT_TP | LIT_WALK | LIT_64, STACK, WARM(1), "\x8f\x06") \
	L("PUSHF", N_0, LIT_TP | LIT_WALK, STACK, 1, "\x66\x9c") \
	L("PUSHF + POPF", N_0, LIT_LAT, STACK, 2, "\x66\x9c\x66\x9d") \
	L("PUSHFD", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\x9c") \
	L("POPFD", N_0, LIT_TP | LIT_WALK | LIT_32, STACK, 1, "\x9d") \
	L("PUSHFD + POPFD", N_0, LIT_LAT | LIT_32, STACK, 2, "\x9c\x9d") \
	L("PUSHFQ", N_0, LIT_TP | LIT_WALK | LIT_64, STACK, 1, "\x9c") \
	L("PUSHFQ + POPFQ", N_0, LIT_LAT | LIT_64, STACK, 2, "\x9c\x9d") \
	L("ENTER 0, 0 + LEAVE", N_0, LIT_LAT, STACK, 2, "\xc8\0\0\0\xc9") \
	L("CMPSB", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\xa6") \
	L("CMPSW", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\x66\xa7") \
	L("CMPSD", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\xa7") \
	L("CMPSQ", N_0, LIT_LAT | LIT_WALK | LIT_64, PLAIN, 1, "\x48\xa7") \
	L("LODSB", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\xac") \
	L("LODSW", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\x66\xad") \
	L("LODSD", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\xad") \
	L("LODSQ", N_0, LIT_LAT | LIT_WALK | LIT_64, PLAIN, 1, "\x48\xad") \
	L("STOSB", N_0, LIT_LAT | LIT_WALK, PLAIN, COLD(1), "\xaa") \
	L("STOSW", N_0, LIT_LAT | LIT_WALK, PLAIN, COLD(1), "\x66\xab") \
	L("STOSD", N_0, LIT_LAT | LIT_WALK, PLAIN, COLD(1), "\xab") \
	L("STOSQ", N_0, LIT_LAT | LIT_WALK | LIT_64, PLAIN, COLD(1), "\x48\xab") \
	L("MOVSB", N_0, LIT_LAT | LIT_WALK, PLAIN, WARM(1), "\xa4") \
	L("MOVSW", N_0, LIT_LAT | LIT_WALK, PLAIN, WARM(1), "\x66\xa5") \
	L("MOVSD", N_0, LIT_LAT | LIT_WALK, PLAIN, WARM(1), "\xa5") \
	L("MOVSQ", N_0, LIT_LAT | LIT_WALK | LIT_64, PLAIN, WARM(1), "\x48\xa5") \
	L("SCASB", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\xae") \
	L("SCASW", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\x66\xaf") \
	L("SCASD", N_0, LIT_LAT | LIT_WALK, PLAIN, 1, "\xaf") \
	L("SCASQ", N_0, LIT_LAT | LIT_WALK | LIT_64, PLAIN, 1, "\x48\xaf") \
	L("CMPXCHG8B", N_CX8, LIT_LAT, PLAIN, 1, "\x0f\xc7\x0e") \
	L("LOCK CMPXCHG8B", N_CX8, LIT_LAT, PLAIN, 1, "\xf0\x0f\xc7\x0e") \
	L("CMPXCHG16B", N_CX16, LIT_LAT | LIT_64, PLAIN, 1, "\x48\x0f\xc7\x0e") \
	L("LOCK CMPXCHG16B", N_CX16, LIT_LAT | LIT_64, PLAIN, 1, "\xf0\x48\x0f\xc7\x0e") \
	L("RDTSC", N_TSC, LIT_TP, PLAIN, 1, "\x0f\x31") \
	L("RDTSCP", N_RDTSCP, LIT_TP, PLAIN, 1, "\x0f\x01\xf9") \
	L("CPUID (EAX = 0)", N_0, LIT_TP | LIT_WALK, PLAIN, 2, "\x31\xc0\x0f\xa2") \
	L("CPUID (EAX = 1)", N_0, LIT_TP | LIT_WALK, PLAIN, 2, "\xb8\x01\0\0\0\x0f\xa2") \
	L("SERIALIZE", N_SERIALIZE, LIT_TP | LIT_WALK, PLAIN, 1, "\x0f\x01\xe8") \
	L("PREFETCHNTA [mem]", N_SSE, LIT_TP, PLAIN, 1, "\x0f\x18\x06") \
	L("PREFETCHT0 [mem]", N_SSE, LIT_TP, PLAIN, 1, "\x0f\x18\x0e") \
	L("PREFETCHT1 [mem]", N_SSE, LIT_TP, PLAIN, 1, "\x0f\x18\x16") \
	L("PREFETCHT2 [mem]", N_SSE, LIT_TP, PLAIN, 1, "\x0f\x18\x1e") \
	L("PREFETCHW [mem]", N_PREFETCHW, LIT_TP, PLAIN, 1, "\x0f\x0d\x0e") \
	L("SFENCE", N_SSE, LIT_TP, PLAIN, 1, "\x0f\xae\xf8") \
	L("LFENCE", N_SSE2, LIT_TP, PLAIN, 1, "\x0f\xae\xe8") \
	L("MFENCE", N_SSE2, LIT_TP, PLAIN, 1, "\x0f\xae\xf0") \
	L("CLFLUSH [mem]", N_CLFSH, LIT_TP, PLAIN, 1, "\x0f\xae\x3e") \
	L("CLFLUSHOPT [mem]", N_CLFLUSHOPT, LIT_TP, PLAIN, 1, "\x66\x0f\xae\x3e") \
	L("CLWB [mem]", N_CLWB, LIT_TP, PLAIN, 1, "\x66\x0f\xae\x36") \
	L("XGETBV", N_XSAVE, LIT_TP, PLAIN, 2, "\x31\xc9\x0f\x01\xd0") \
	L("STMXCSR [mem]", N_SSE, LIT_TP, PLAIN, 1, "\x0f\xae\x1e") \
	L("STMXCSR + LDMXCSR", N_SSE, LIT_LAT, PLAIN, 2, "\x0f\xae\x1e\x0f\xae\x16") \
	L("MOV r32, ds", N_0, LIT_TP, PLAIN, 1, "\x8c\xd8") \
	L("MOV r32, ds + MOV ds, r32", N_0, LIT_LAT, PLAIN, 2, "\x8c\xd8\x8e\xd8") \
	L("MOV r32, cr0", N_0, LIT_TP | LIT_PRIVILEGED | LIT_32, PLAIN, 1, "\x0f\x20\xc0") \
	L("MOV r32, cr3", N_0, LIT_TP | LIT_PRIVILEGED | LIT_32, PLAIN, 1, "\x0f\x20\xd8") \
	L("MOV r32, cr3 + MOV cr3, r32", N_0, LIT_TP | LIT_PRIVILEGED | LIT_32, PLAIN, 2, "\x0f\x20\xd8\x0f\x22\xd8") \
	L("MOV r64, cr0", N_0, LIT_TP | LIT_PRIVILEGED | LIT_64, PLAIN, 1, "\x0f\x20\xc0") \
	L("MOV r64, cr3", N_0, LIT_TP | LIT_PRIVILEGED | LIT_64, PLAIN, 1, "\x0f\x20\xd8") \
	L("MOV r64, cr3 + MOV cr3, r64", N_0, LIT_TP | LIT_PRIVILEGED | LIT_64, PLAIN, 2, "\x0f\x20\xd8\x0f\x22\xd8") \
	L("INVLPG [mem]", N_0, LIT_TP | LIT_WALK | LIT_PRIVILEGED, PLAIN, 1, "\x0f\x01\x3e") \
	L("CLTS", N_0, LIT_TP | LIT_PRIVILEGED, PLAIN, 1, "\x0f\x06") \
	L("RDMSR (TSC)", N_MSR, LIT_TP | LIT_PRIVILEGED, PLAIN, 2, "\xb9\x10\0\0\0\x0f\x32") \
	L("FNOP", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xd9\xd0") \
	L("FXCH st(i)", N_FPU, LT | LIT_VARY, X87(3, C_G, C_1), 1, "\xd9\xc9") \
	L("FCHS", N_FPU, LIT_LAT, X87(3, C_G, C_1), 1, "\xd9\xe0") \
	L("FABS", N_FPU, LIT_LAT, X87(3, C_G, C_1), 1, "\xd9\xe1") \
	L("FTST", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xd9\xe4") \
	L("FXAM", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xd9\xe5") \
	L("FCMOVE st, st(i)", N_CMOV, LIT_LAT, X87(3, C_G, C_1), 1, "\xda\xc9") \
	L("FADD st(i), st (st = 0.0)", N_FPU, LT | LIT_VARY, X87(3, C_G, C_0), 1, "\xdc\xc1") \
	L("FADD st(i), st", N_FPU, LT | LIT_VARY, X87(3, C_G, C_G), 1, "\xdc\xc1") \
	L("FADD st, st(i), FXCH st(i)", N_FPU, LT | LIT_VARY, X87(3, C_0, C_0), 2, "\xd8\xc1\xd9\xc9") \
	L("FADD [m32]", N_FPU, LIT_LAT, X87(3, C_G, C_1), 1, "\xd8\x07") \
	L("FADD [m64]", N_FPU, LIT_LAT, X87(3, C_G, C_1), 1, "\xdc\x07") \
	L("FIADD [m32]", N_FPU, LIT_LAT, X87(3, C_G, C_1), 1, "\xda\x06") \
	L("FSUB st(i), st", N_FPU, LT | LIT_VARY, X87(3, C_G, C_G), 1, "\xdc\xe9") \
	L("FMUL st(i), st (st = 0.0)", N_FPU, LT | LIT_VARY, X87(3, C_G, C_0), 1, "\xdc\xc9") \
	L("FMUL st(i), st", N_FPU, LT | LIT_VARY, X87(3, C_G, C_G), 1, "\xdc\xc9") \
	L("FMUL st, st(i), FXCH st(i)", N_FPU, LT | LIT_VARY, X87(3, C_1, C_1), 2, "\xd8\xc9\xd9\xc9") \
	L("FMUL + FADD st, st(i)", N_FPU, LIT_LAT, X87(3, C_HALF, C_1), 2, "\xd8\xc9\xd8\xc1") \
	L("FMUL st(2i) FADD st(2i+1)", N_FPU, LIT_LAT, X87(3, C_0, C_1), 2, "\xdc\xc9\xdc\xc2") \
	L("FMUL [m64]", N_FPU, LIT_LAT, X87(3, C_G, C_1), 1, "\xdc\x0f") \
	L("FDIV32 st(i), st", N_FPU, LT | LIT_VARY | LIT_WALK, X87(0, C_HALF, C_G), 1, "\xdc\xf9") \
	L("FDIV64 st(i), st", N_FPU, LT | LIT_VARY | LIT_WALK, X87(2, C_HALF, C_G), 1, "\xdc\xf9") \
	L("FDIV80 st(i), st", N_FPU, LT | LIT_VARY | LIT_WALK, X87(3, C_HALF, C_G), 1, "\xdc\xf9") \
	L("FDIV80 (0.0l/x)", N_FPU, LT | LIT_VARY | LIT_WALK, X87(3, C_0, C_G), 1, "\xdc\xf9") \
	L("FDIV80 (x/1.0l)", N_FPU, LT | LIT_VARY | LIT_WALK, X87(3, C_G, C_1), 1, "\xdc\xf9") \
	L("FDIV80 (x/2.0l)", N_FPU, LT | LIT_VARY | LIT_WALK, X87(3, C_G, C_2), 1, "\xdc\xf9") \
	L("FDIV80 (x/0.5l)", N_FPU, LT | LIT_VARY | LIT_WALK, X87(3, C_G, C_HALF), 1, "\xdc\xf9") \
	L("FSQRT32 st", N_FPU, LIT_LAT, X87(0, C_G, C_G), 1, "\xd9\xfa") \
	L("FSQRT64 st", N_FPU, LIT_LAT, X87(2, C_G, C_G), 1, "\xd9\xfa") \
	L("FSQRT80 st", N_FPU, LIT_LAT, X87(3, C_G, C_G), 1, "\xd9\xfa") \
	L("FSQRT80 (0.0l)", N_FPU, LIT_LAT, X87(3, C_0, C_0), 1, "\xd9\xfa") \
	L("FSQRT80 (1.0l)", N_FPU, LIT_LAT, X87(3, C_1, C_1), 1, "\xd9\xfa") \
	L("FRNDINT", N_FPU, LIT_LAT, X87(3, C_1, C_1), 1, "\xd9\xfc") \
	L("FSCALE", N_FPU, LIT_LAT, X87(3, C_0, C_1), 1, "\xd9\xfd") \
	L("F2XM1", N_FPU, LIT_LAT, X87(3, C_HALF, C_HALF), 1, "\xd9\xf0") \
	L("FDECSTP", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xd9\xf6") \
	L("FINCSTP", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xd9\xf7") \
	L("FCOM st(i)", N_FPU, LIT_TP | LIT_VARY, X87(3, C_G, C_1), 1, "\xd8\xd1") \
	L("FUCOM st(i)", N_FPU, LIT_TP | LIT_VARY, X87(3, C_G, C_1), 1, "\xdd\xe1") \
	L("FCOMI st, st(i)", N_CMOV, LIT_TP | LIT_VARY, X87(3, C_G, C_1), 1, "\xdb\xf1") \
	L("FST st(i)", N_FPU, LIT_TP | LIT_VARY, X87(3, C_G, C_1), 1, "\xdd\xd1") \
	L("FST [m64]", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xdd\x17") \
	L("FSTP [m64] + FLD [m64]", N_FPU, LIT_LAT, X87(3, C_G, C_1), 2, "\xdd\x1f\xdd\x07") \
	L("FISTP [m32] + FILD [m32]", N_FPU, LIT_LAT, X87(3, C_G, C_1), 2, "\xdb\x1f\xdb\x07") \
	L("FSTP st + FLD1", N_FPU, LIT_TP, X87(3, C_G, C_1), 2, "\xdd\xd8\xd9\xe8") \
	L("FSTP st + FLDPI", N_FPU, LIT_TP, X87(3, C_G, C_1), 2, "\xdd\xd8\xd9\xeb") \
	L("FSTP st + FLD st(i)", N_FPU, LIT_TP, X87(3, C_G, C_1), 2, "\xdd\xd8\xd9\xc1") \
	L("FNSTCW [m16]", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xd9\x3e") \
	L("FNSTCW [m16] + FLDCW [m16]", N_FPU, LIT_LAT, X87(3, C_G, C_1), 2, "\xd9\x3e\xd9\x2e") \
	L("FNSTSW ax", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xdf\xe0") \
	L("FNCLEX", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\xdb\xe2") \
	L("FWAIT", N_FPU, LIT_TP, X87(3, C_G, C_1), 1, "\x9b") \
	L("FSIN80 (0.0)", N_FPU, LIT_LAT | LIT_WALK, X87(3, C_0, C_0), 1, "\xd9\xfe") \
	L("FCOS80 (0.73908513...)", N_FPU, LIT_LAT | LIT_WALK, X87(3, C_DOTTIE, C_DOTTIE), 1, "\xd9\xff") \
	SINE(L, "FSIN80 (0.0) + FADD", C_0, "\xd9\xfe") \
	SINE(L, "FSIN80 (1.0) + FADD", C_1, "\xd9\xfe") \
	SINE(L, "FSIN80 (4Pi) + FADD", C_4PI, "\xd9\xfe") \
	SINE(L, "FSIN80 (2Pi) + FADD", C_2PI, "\xd9\xfe") \
	SINE(L, "FSIN80 (Pi) + FADD", C_PI, "\xd9\xfe") \
	SINE(L, "FSIN80 (Pi/2) + FADD", C_PI2, "\xd9\xfe") \
	SINE(L, "FSIN80 (Pi/4) + FADD", C_PI4, "\xd9\xfe") \
	SINE(L, "FSIN80 (Pi/8) + FADD", C_PI8, "\xd9\xfe") \
	SINE(L, "FSIN80 (Pi/16) + FADD", C_PI16, "\xd9\xfe") \
	SINE(L, "FSIN80 (Pi/32) + FADD", C_PI32, "\xd9\xfe") \
	SINE(L, "FCOS80 (0.73908513...)+FADD", C_DOTTIE, "\xd9\xff") \
	SINE(L, "FCOS80 (0.0) + FADD", C_0, "\xd9\xff") \
	SINE(L, "FCOS80 (1.0) + FADD", C_1, "\xd9\xff") \
	SINE(L, "FCOS80 (4Pi) + FADD", C_4PI, "\xd9\xff") \
	SINE(L, "FCOS80 (2Pi) + FADD", C_2PI, "\xd9\xff") \
	SINE(L, "FCOS80 (Pi) + FADD", C_PI, "\xd9\xff") \
	SINE(L, "FCOS80 (Pi/2) + FADD", C_PI2, "\xd9\xff") \
	SINE(L, "FCOS80 (Pi/4) + FADD", C_PI4, "\xd9\xff") \
	SINE(L, "FCOS80 (Pi/8) + FADD", C_PI8, "\xd9\xff") \
	SINE(L, "FCOS80 (Pi/16) + FADD", C_PI16, "\xd9\xff") \
	SINE(L, "FCOS80 (Pi/32) + FADD", C_PI32, "\xd9\xff") \
	L("EMMS", N_MMX, LIT_TP, PLAIN, 1, "\x0f\x77") \
	L("FEMMS", N_3DNOW, LIT_TP, PLAIN, 1, "\x0f\x0e") \
	L("MOVD r32, mm+MOVD mm, r32", N_MMX, LIT_LAT, PLAIN, 2, "\x0f\x7e\xc0\x0f\x6e\xc0") \
	PAIR_LS(L, "MOVD mm,[m32]+MOVD [m32],mm", N_MMX, "\x0f\x6e\x06", "\x0f\x7e\x06") \
	PAIR_LS(L, "MOVQ mm,[m64]+MOVQ [m64],mm", N_MMX, "\x0f\x6f\x06", "\x0f\x7f\x06") \
	L("PEXTRW + PINSRW r32", N_SSE2, LIT_LAT, PLAIN, 2, "\x66\x0f\xc5\xc0\x01\x66\x0f\xc4\xc0\x01") \
	L("MOVQ+PADDB mm, mm", N_MMX, LIT_LAT, PLAIN, 2, "\x0f\x6f\xc8\x0f\xfc\xc1") \
	L("MOVQ+PADDW mm, mm", N_MMX, LIT_LAT, PLAIN, 2, "\x0f\x6f\xc8\x0f\xfd\xc1") \
	L("MOVQ+PADDD mm, mm", N_MMX, LIT_LAT, PLAIN, 2, "\x0f\x6f\xc8\x0f\xfe\xc1") \
	L("MOVDQA+PADDB xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\x66\x0f\x6f\xc8\x66\x0f\xfc\xc1") \
	L("MOVDQA+PADDD xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\x66\x0f\x6f\xc8\x66\x0f\xfe\xc1") \
	L("MOVAPS+ADDPS xmm, xmm", N_SSE, LIT_LAT, PLAIN, 2, "\x0f\x28\xc8\x0f\x58\xc1") \
	PAIR_LS(L, "MOVSS LS pair", N_SSE, "\xf3\x0f\x10\x06", "\xf3\x0f\x11\x06") \
	PAIR_LS(L, "MOVLPS LS pair", N_SSE, "\x0f\x12\x06", "\x0f\x13\x06") \
	PAIR_LS(L, "MOVHPS LS pair", N_SSE, "\x0f\x16\x06", "\x0f\x17\x06") \
	PAIR_LS(L, "MOVAPS LS pair", N_SSE, "\x0f\x28\x06", "\x0f\x29\x06") \
	PAIR_LS(L, "MOVUPS aligned LS pair", N_SSE, "\x0f\x10\x06", "\x0f\x11\x06") \
	PAIR_LS(L, "MOVUPS unaligned LS pair", N_SSE, "\x0f\x10\x46\x04", "\x0f\x11\x46\x04") \
	PAIR_LS(L, "MOVSD LS pair", N_SSE2, "\xf2\x0f\x10\x06", "\xf2\x0f\x11\x06") \
	PAIR_LS(L, "MOVAPD LS pair", N_SSE2, "\x66\x0f\x28\x06", "\x66\x0f\x29\x06") \
	PAIR_LS(L, "MOVD LS pair", N_SSE2, "\x66\x0f\x6e\x06", "\x66\x0f\x7e\x06") \
	PAIR_LS(L, "MOVQ LS pair", N_SSE2, "\xf3\x0f\x7e\x06", "\x66\x0f\xd6\x06") \
	PAIR_LS(L, "MOVDQA LS pair", N_SSE2, "\x66\x0f\x6f\x06", "\x66\x0f\x7f\x06") \
	PAIR_LS(L, "MOVDQU aligned LS pair", N_SSE2, "\xf3\x0f\x6f\x06", "\xf3\x0f\x7f\x06") \
	PAIR_LS(L, "MOVDQU unaligned LS pair", N_SSE2, "\xf3\x0f\x6f\x46\x04", "\xf3\x0f\x7f\x46\x04") \
	PAIR_LS(L, "CVTPS2PI + CVTPI2PS", N_SSE, "\x0f\x2d\xc0", "\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTTPS2PI + CVTPI2PS", N_SSE, "\x0f\x2c\xc0", "\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTSS2SI + CVTSI2SS r32", N_SSE, "\xf3\x0f\x2d\xc0", "\xf3\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTTSS2SI + CVTSI2SS r32", N_SSE, "\xf3\x0f\x2c\xc0", "\xf3\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTSD2SI + CVTSI2SD r32", N_SSE2, "\xf2\x0f\x2d\xc0", "\xf2\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTTSD2SI + CVTSI2SD r32", N_SSE2, "\xf2\x0f\x2c\xc0", "\xf2\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTPD2PI + CVTPI2PD", N_SSE2, "\x66\x0f\x2d\xc0", "\x66\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTPD2DQ + CVTDQ2PD", N_SSE2, "\xf2\x0f\xe6\xc0", "\xf3\x0f\xe6\xc0") \
	PAIR_LS(L, "CVTPS2DQ + CVTDQ2PS", N_SSE2, "\x66\x0f\x5b\xc0", "\x0f\x5b\xc0") \
	PAIR_LS(L, "CVTPD2PS + CVTPS2PD", N_SSE2, "\x66\x0f\x5a\xc0", "\x0f\x5a\xc0") \
	PAIR_LS(L, "CVTSD2SS + CVTSS2SD", N_SSE2, "\xf2\x0f\x5a\xc0", "\xf3\x0f\x5a\xc0") \
	PAIR_LS(L, "MOVD r32, xmm+MOVD xmm, r32", N_SSE2, "\x66\x0f\x7e\xc0", "\x66\x0f\x6e\xc0") \
	PAIR_LS(L, "MOVDQ2Q + MOVQ2DQ xmm, mm", N_SSE2, "\xf2\x0f\xd6\xc0", "\xf3\x0f\xd6\xc0") \
	L("MOVQ+PADDQ mm, mm", N_SSE2, LIT_LAT, PLAIN, 2, "\x0f\x6f\xc8\x0f\xd4\xc1") \
	L("MOVDQA+PADDW xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\x66\x0f\x6f\xc8\x66\x0f\xfd\xc1") \
	L("MOVDQA+PADDQ xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\x66\x0f\x6f\xc8\x66\x0f\xd4\xc1") \
	L("MOVSS+ADDSS xmm, xmm", N_SSE, LIT_LAT, PLAIN, 2, "\xf3\x0f\x10\xc8\xf3\x0f\x58\xc1") \
	L("MOVSD+ADDSD xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\xf2\x0f\x10\xc8\xf2\x0f\x58\xc1") \
	L("MOVAPD+ADDPD xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\x66\x0f\x28\xc8\x66\x0f\x58\xc1") \
	L("MULSS+ADDSS xmm, xmm", N_SSE, LIT_LAT, PLAIN, 2, "\xf3\x0f\x59\xc0\xf3\x0f\x58\xc0") \
	L("MULPS+ADDPS xmm, xmm", N_SSE, LIT_LAT, PLAIN, 2, "\x0f\x59\xc0\x0f\x58\xc0") \
	L("MULSD+ADDSD xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\xf2\x0f\x59\xc0\xf2\x0f\x58\xc0") \
	L("MULPD+ADDPD xmm, xmm", N_SSE2, LIT_LAT, PLAIN, 2, "\x66\x0f\x59\xc0\x66\x0f\x58\xc0") \
	PAIR_LS(L, "MOVLPD LS pair", N_SSE2, "\x66\x0f\x12\x06", "\x66\x0f\x13\x06") \
	PAIR_LS(L, "MOVHPD LS pair", N_SSE2, "\x66\x0f\x16\x06", "\x66\x0f\x17\x06") \
	PAIR_LS(L, "MOVUPD aligned LS pair", N_SSE2, "\x66\x0f\x10\x06", "\x66\x0f\x11\x06") \
	PAIR_LS(L, "MOVUPD unaligned LS pair", N_SSE2, "\x66\x0f\x10\x46\x04", "\x66\x0f\x11\x46\x04") \
	L("MOVUPS xmm, [m128 + 4]", N_SSE, LIT_TP, PLAIN, 1, "\x0f\x10\x46\x04") \
	L("MOVUPS [m128 + 4], xmm", N_SSE, LIT_TP, PLAIN, 1, "\x0f\x11\x46\x04") \
	L("MOVUPD xmm, [m128 + 4]", N_SSE2, LIT_TP, PLAIN, 1, "\x66\x0f\x10\x46\x04") \
	L("MOVUPD [m128 + 4], xmm", N_SSE2, LIT_TP, PLAIN, 1, "\x66\x0f\x11\x46\x04") \
	L("MOVDQU xmm, [m128 + 4]", N_SSE2, LIT_TP, PLAIN, 1, "\xf3\x0f\x6f\x46\x04") \
	L("MOVDQU [m128 + 4], xmm", N_SSE2, LIT_TP, PLAIN, 1, "\xf3\x0f\x7f\x46\x04") \
	L("LDDQU xmm, [m128 + 4]", N_SSE3, LIT_TP, PLAIN, 1, "\xf2\x0f\xf0\x46\x04") \
	PAIR_LS(L, "CVTTPD2PI + CVTPI2PD", N_SSE2, "\x66\x0f\x2c\xc0", "\x66\x0f\x2a\xc0") \
	PAIR_LS(L, "CVTTPD2DQ + CVTDQ2PD", N_SSE2, "\x66\x0f\xe6\xc0", "\xf3\x0f\xe6\xc0") \
	PAIR_LS(L, "CVTTPS2DQ + CVTDQ2PS", N_SSE2, "\xf3\x0f\x5b\xc0", "\x0f\x5b\xc0") \
	L("VZEROUPPER", N_AVX, LIT_TP, PLAIN, 1, "\xc5\xf8\x77") \
	L("VZEROALL", N_AVX, LIT_TP, PLAIN, 1, "\xc5\xfc\x77")

#define L_NAME(form, ...) form "\0"
const char instr_literal_names[] = LITERALS(L_NAME);
#define L_NEED(form, need, ...) need,
static const uint8_t literal_needs[] = { LITERALS(L_NEED) };
#define L_FLAGS(form, need, flags, ...) (flags),
static const uint8_t literal_flags[] = { LITERALS(L_FLAGS) };
/* DATA and the like are several arguments in one: a second look finds them. */
#define L_AGAIN(macro, ...) macro(__VA_ARGS__)
#define L_DATA(...) L_AGAIN(L_DATA_, __VA_ARGS__)
#define L_DATA_(form, need, flags, data, x, y, insns, code) data,
static const uint8_t literal_data[] = { LITERALS(L_DATA) };
#define L_EXTRA(...) L_AGAIN(L_EXTRA_, __VA_ARGS__)
#define L_EXTRA_(form, need, flags, data, x, y, insns, code) { x, y },
static const uint8_t literal_extra[][2] = { LITERALS(L_EXTRA) };
#define L_INSNS(...) L_AGAIN(L_INSNS_, __VA_ARGS__)
#define L_INSNS_(form, need, flags, data, x, y, insns, code) insns,
static const uint8_t literal_insns[] = { LITERALS(L_INSNS) };
#define L_SIZE(...) L_AGAIN(L_SIZE_, __VA_ARGS__)
#define L_SIZE_(form, need, flags, data, x, y, insns, code) sizeof(code) - 1,
static const uint8_t literal_sizes[] = { LITERALS(L_SIZE) };
#define L_CODE(...) L_AGAIN(L_CODE_, __VA_ARGS__)
#define L_CODE_(form, need, flags, data, x, y, insns, code) code
const uint8_t instr_literal_code[] = LITERALS(L_CODE);

const unsigned instr_nliterals = sizeof(literal_needs);

struct instr_literal instr_literal(unsigned i)
{
	return (struct instr_literal){
		.need = literal_needs[i],
		.flags = literal_flags[i],
		.data = literal_data[i],
		.extra = { literal_extra[i][0], literal_extra[i][1] },
		.insns = literal_insns[i],
		.size = literal_sizes[i],
	};
}

/* signed, size, bits of the dividend, bits of the divisor, registers loaded again in each copy */
const struct instr_div instr_divs[] = {
	{ 1, 8, 14, 7, 0 }, { 1, 8, 12, 7, 1 }, { 1, 8, 7, 7, 1 }, { 1, 8, 4, 7, 1 }, { 1, 8, 0, 7, 0 },
	{ 1, 8, 11, 4, 1 }, { 1, 8, 8, 4, 1 }, { 1, 8, 4, 4, 1 }, { 1, 8, 0, 4, 0 }, { 1, 8, 1, 1, 0 },
	{ 1, 8, 1, 1, 1 }, { 1, 8, 12, 6, DIV_POWERS | 1 },
	{ 1, 16, 30, 15, 0 }, { 1, 16, 24, 15, 1 }, { 1, 16, 15, 15, 1 }, { 1, 16, 8, 15, 2 },
	{ 1, 16, 0, 15, 0 }, { 1, 16, 23, 8, 1 }, { 1, 16, 16, 8, 1 }, { 1, 16, 8, 8, 1 },
	{ 1, 16, 0, 8, 0 }, { 1, 16, 1, 1, 0 }, { 1, 16, 1, 1, 1 }, { 1, 16, 1, 1, 2 },
	{ 1, 16, 28, 14, DIV_POWERS | 2 }, { 1, 32, 60, 30, DIV_POWERS | 2 },
	{ 0, 8, 14, 7, DIV_POWERS | 1 }, { 0, 32, 62, 31, DIV_POWERS | 2 },
	{ 1, 32, 62, 31, 0 }, { 1, 32, 48, 31, 1 }, { 1, 32, 31, 31, 1 }, { 1, 32, 16, 31, 2 },
	{ 1, 32, 0, 31, 0 }, { 1, 32, 47, 16, 1 }, { 1, 32, 32, 16, 1 }, { 1, 32, 16, 16, 1 },
	{ 1, 32, 0, 16, 0 }, { 1, 32, 1, 1, 0 }, { 1, 32, 1, 1, 1 }, { 1, 32, 1, 1, 2 },
	{ 1, 64, 126, 63, 0 }, { 1, 64, 63, 63, 1 }, { 1, 64, 32, 32, 1 }, { 1, 64, 1, 1, 0 },
	{ 0, 8, 16, 8, 0 }, { 0, 8, 12, 8, 1 }, { 0, 8, 8, 8, 1 }, { 0, 8, 4, 8, 1 }, { 0, 8, 0, 8, 0 },
	{ 0, 8, 12, 4, 1 }, { 0, 8, 8, 4, 1 }, { 0, 8, 4, 4, 1 }, { 0, 8, 0, 4, 0 }, { 0, 8, 1, 1, 0 },
	{ 0, 8, 1, 1, 1 },
	{ 0, 16, 32, 16, 0 }, { 0, 16, 24, 16, 1 }, { 0, 16, 16, 16, 1 }, { 0, 16, 8, 16, 2 },
	{ 0, 16, 0, 16, 0 }, { 0, 16, 24, 8, 1 }, { 0, 16, 16, 8, 1 }, { 0, 16, 8, 8, 1 },
	{ 0, 16, 0, 8, 0 }, { 0, 16, 1, 1, 0 }, { 0, 16, 1, 1, 1 }, { 0, 16, 1, 1, 2 },
	{ 0, 32, 64, 32, 0 }, { 0, 32, 48, 32, 1 }, { 0, 32, 32, 32, 1 }, { 0, 32, 16, 32, 2 },
	{ 0, 32, 0, 32, 0 }, { 0, 32, 48, 16, 1 }, { 0, 32, 32, 16, 1 }, { 0, 32, 16, 16, 1 },
	{ 0, 32, 0, 16, 0 }, { 0, 32, 1, 1, 0 }, { 0, 32, 1, 1, 1 }, { 0, 32, 1, 1, 2 },
	{ 0, 64, 128, 64, 0 }, { 0, 64, 64, 64, 1 }, { 0, 64, 32, 32, 1 }, { 0, 64, 1, 1, 0 },
};
const unsigned instr_ndivs = sizeof(instr_divs) / sizeof(instr_divs[0]);

/* address with AX as base and index; then with BX: ModRM and SIB plus 3 */
const struct instr_lea instr_leas[] = {
	{ "[r]", 0x00, 0, 1 },
	{ "[r+disp8]", 0x40, 0, 2 },
	{ "[r+disp32]", 0x80, 0, 5 },
	{ "[r + r]", 0x04, 0x00, 2 },
	{ "[r + r + disp8]", 0x44, 0x00, 3 },
	{ "[r + r + disp32]", 0x84, 0x00, 6 },
	{ "[r + r * 8]", 0x04, 0xc0, 2 },
	{ "[r + r * 8 + disp8]", 0x44, 0xc0, 3 },
	{ "[r + r * 8 + disp32]", 0x84, 0xc0, 6 },
};
const unsigned instr_nleas = sizeof(instr_leas) / sizeof(instr_leas[0]);
