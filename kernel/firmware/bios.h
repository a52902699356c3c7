/*
 * Calls of the BIOS: software interrupts in real mode, from either kernel.
 *
 * bios_call() gives interrupt controllers, local APIC and timer their state of the BIOS, calls with
 * interrupts on, and takes them back. So call it only between two measurements, with interrupts
 * off, and outside of trap_protect(). To call a service, fill in a struct bios_regs (unused
 * registers are 0), and pass data in bios_buffer(), whose real-mode address is BIOS_SEGMENT:0:
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
 * The reason why the BIOS cannot be called: UEFI booted this machine, or the low memory of a call
 * is in use. NULL: it can be called. Call this function before bios_call().
 */
const char *bios_obstacle(const struct bootinfo *bi);

/* Executes INT `vector` with the registers in *r, and stores the registers after it in *r. */
void bios_call(uint8_t vector, struct bios_regs *r);

/* BIOS_BUFFER_SIZE bytes below 1 MiB that cross no block of 64 KiB. */
uint8_t *bios_buffer(void);

/*
 * The next pressed key: its ASCII code in bits 7:0, its code of scan code set 1 in bits 15:8; 0: no
 * key now. The ASCII code of a key without a character is 0 or E0H, and of every key 0 if the BIOS
 * does not read its keyboard. The call also runs the BIOS's timer tick, in which some BIOSes poll a
 * USB keyboard.
 */
uint16_t bios_key(void);

#endif
