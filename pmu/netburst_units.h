/*
 * The units of a NetBurst core that detect events, each with a pair of event select control
 * registers: SDM volume 3B table "Performance Counter MSRs and Associated CCCR and ESCR MSRs".
 * The generator of the event tables numbers the units by this list, and netburst.c reads it.
 *
 * UNIT(name, first ESCR's MSR, second ESCR's MSR (0: none), CCCR select, counters of the first,
 * counters of the second)
 */
/* clang-format off */
#define NETBURST_UNITS(UNIT)                                   \
	UNIT(BSU,   0x3a0, 0x3a1, 7, 0x00003, 0x0000c)         \
	UNIT(FSB,   0x3a2, 0x3a3, 6, 0x00003, 0x0000c)         \
	UNIT(FIRM,  0x3a4, 0x3a5, 1, 0x00300, 0x00c00)         \
	UNIT(FLAME, 0x3a6, 0x3a7, 0, 0x00300, 0x00c00)         \
	UNIT(DAC,   0x3a8, 0x3a9, 5, 0x00300, 0x00c00)         \
	UNIT(MOB,   0x3aa, 0x3ab, 2, 0x00003, 0x0000c)         \
	UNIT(PMH,   0x3ac, 0x3ad, 4, 0x00003, 0x0000c)         \
	UNIT(SAAT,  0x3ae, 0x3af, 2, 0x00300, 0x00c00)         \
	UNIT(U2L,   0x3b0, 0x3b1, 3, 0x00300, 0x00c00)         \
	UNIT(BPU,   0x3b2, 0x3b3, 0, 0x00003, 0x0000c)         \
	UNIT(IS,    0x3b4, 0x3b5, 1, 0x00003, 0x0000c)         \
	UNIT(ITLB,  0x3b6, 0x3b7, 3, 0x00003, 0x0000c)         \
	UNIT(CRU0,  0x3b8, 0x3b9, 4, 0x13000, 0x2c000)         \
	UNIT(IQ,    0x3ba, 0x3bb, 0, 0x13000, 0x2c000)         \
	UNIT(RAT,   0x3bc, 0x3bd, 2, 0x13000, 0x2c000)         \
	UNIT(SSU,   0x3be, 0,     3, 0x13000, 0x00000)         \
	UNIT(MS,    0x3c0, 0x3c1, 0, 0x00030, 0x000c0)         \
	UNIT(TBPU,  0x3c2, 0x3c3, 2, 0x00030, 0x000c0)         \
	UNIT(TC,    0x3c4, 0x3c5, 1, 0x00030, 0x000c0)         \
	UNIT(IX,    0x3c8, 0x3c9, 5, 0x00003, 0x0000c)         \
	UNIT(ALF,   0x3ca, 0x3cb, 1, 0x13000, 0x2c000)         \
	UNIT(CRU2,  0x3cc, 0x3cd, 5, 0x13000, 0x2c000)         \
	UNIT(CRU4,  0x3e0, 0x3e1, 6, 0x13000, 0x2c000)
/* clang-format on */
