/*
 * Where a call of the BIOS lies in low memory, for C and assembly (kernel/firmware/bios.h). All of
 * it is in one block of 64 KiB, because the DMA controller of a floppy cannot cross such a block.
 */
#ifndef BOOT_REAL_H
#define BOOT_REAL_H

#define REAL_CODE   0x7000 /* a copy of real_code, at most 1 KiB */
#define REAL_REGS   0x7400 /* struct bios_regs */
#define REAL_STACK  0x8ff0 /* grows down */
#define REAL_BUFFER 0x9000
#define REAL_END    0xb000

/* Offsets in struct bios_regs. */
#define REAL_EAX   0
#define REAL_EBX   4
#define REAL_ECX   8
#define REAL_EDX   12
#define REAL_ESI   16
#define REAL_EDI   20
#define REAL_EBP   24
#define REAL_FLAGS 28
#define REAL_DS    32
#define REAL_ES    34
#define REAL_INT   36

/* Segments of the table that real_code brings along. */
#define REAL_CS32 0x08
#define REAL_DS32 0x10
#define REAL_CS16 0x18
#define REAL_DS16 0x20

#endif
