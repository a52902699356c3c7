/*
 * Calls of the BIOS: software interrupts in real mode, from either kernel.
 *
 * bios_call() gives the interrupt controllers, the local APIC and the timer back as the BIOS had
 * them, calls with interrupts on, and takes them again. So a call is for the time between two
 * measurements, with interrupts off and outside of trap_protect(). To call a service, fill in a
 * struct bios_regs (what does not matter is 0), and pass data in bios_buffer(), whose real-mode
 * address is BIOS_SEGMENT:0:
 *
 *	struct bios_regs r = { .eax = 0x0100 };	INT 16h, AH = 01h: is there a key?
 *	bios_call(0x16, &r);
 *	if (!(r.flags & BIOS_ZF)) ...
 *
 * Sources: SDM volume 3, "Mode Switching"; Ralf Brown's Interrupt List, release 61.
 */
#ifndef KERNEL_FIRMWARE_BIOS_H
#define KERNEL_FIRMWARE_BIOS_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/real.h"
#include "kernel/chipset/bootinfo.h"

enum {
	BIOS_SEGMENT = REAL_BUFFER >> 4,
	BIOS_BUFFER_SIZE = REAL_END - REAL_BUFFER, /* bytes */
	BIOS_CF = 1 << 0,
	BIOS_ZF = 1 << 6,
};

/* Registers before and after; the offsets are those of boot/real.h. */
struct bios_regs {
	uint32_t eax, ebx, ecx, edx, esi, edi, ebp, flags;
	uint16_t ds, es;
};

/*
 * NULL if the BIOS can be called; else why not: this machine was booted by UEFI, or the low
 * memory that a call needs is not ours. Before this call bios_call() must not be used.
 */
const char *bios_obstacle(const struct bootinfo *bi);

/* Executes INT `vector` with the registers in *r, and puts what it leaves there into *r. */
void bios_call(uint8_t vector, struct bios_regs *r);

/* BIOS_BUFFER_SIZE bytes below 1 MiB that cross no block of 64 KiB. */
uint8_t *bios_buffer(void);

/*
 * A key that was pressed: its ASCII code in bits 7:0, its code of scan code set 1 in bits 15:8. A
 * key without a character has 0 or E0H as its ASCII code; any key has 0 there if the BIOS does not
 * read its keyboard. 0: there is none now. Does what a tick of the timer does, for some BIOSes ask
 * a USB keyboard then.
 */
uint16_t bios_key(void);

#endif
