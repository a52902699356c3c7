/*
 * sim/pc/ioapic.h - the I/O APIC (Intel 82093AA, 290566), 24 pins at FEC00000h, on models with a
 * local APIC. Pin 0 is the output of the 8259s, pin 2 IRQ 0, the others are the IRQ of their
 * number.
 */
#ifndef SIM_PC_IOAPIC_H
#define SIM_PC_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

enum { IOAPIC_AT = 0xfec00000, IOAPIC_SIZE = 4096 };
enum { PIN_8259 = 0, PIN_TIMER = 2 };

/* Every pin is masked. */
void ioapic_reset(struct machine *pc);
/* offset: from IOAPIC_AT, below IOAPIC_SIZE. Only 32-bit accesses mean anything. */
uint32_t ioapic_read(struct machine *pc, uint32_t offset);
void ioapic_write(struct machine *pc, uint32_t offset, uint32_t value);
/* The line at a pin, 0 to 23, has this level now. */
void ioapic_line(struct machine *pc, unsigned pin, bool level);
/* A local APIC has ended a level-triggered interrupt: what still asks asks again. */
void ioapic_end_of_interrupt(struct machine *pc, uint8_t vector);
/* Some pin is not masked (`pin` < 0), or this pin is not. */
bool ioapic_open(const struct machine *pc, int pin);
/* Some pin that is not masked sends NMI, SMI or INIT. */
bool ioapic_unmaskable(const struct machine *pc);

#endif
