/*
 * sim/pc/hpet.h - the high precision event timer (IA-PC HPET Specification 1.0a), at FED00000h if
 * --hpet was given: 64 bits at 100 MHz, three timers.
 */
#ifndef SIM_PC_HPET_H
#define SIM_PC_HPET_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

enum { HPET_AT = 0xfed00000, HPET_SIZE = 1024 };
/* Revision, vendor, three timers of 64 bits, legacy routes: the low half of register 0. */
#define HPET_ID 0x8086a201u

/* offset: from HPET_AT, below HPET_SIZE, a multiple of 4. */
uint32_t hpet_read(struct machine *pc, uint32_t offset);
void hpet_write(struct machine *pc, uint32_t offset, uint32_t value);
/* Brings the timers to the clock of the running processor. */
void hpet_update(struct machine *pc);
/* The clock at which a timer next interrupts; NEVER: none does. */
uint64_t hpet_next(const struct machine *pc);
/* Timers 0 and 1 have the lines of the 8254 and of the CMOS clock. */
bool hpet_replaces_8254(const struct machine *pc);

#endif
