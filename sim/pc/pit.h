/*
 * sim/pc/pit.h - the interval timer (Intel 8254), ports 40h to 43h, and its gate at port 61h.
 */
#ifndef SIM_PC_PIT_H
#define SIM_PC_PIT_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

/* As a BIOS leaves it: 18.2 Hz on IRQ 0. */
void pit_reset(struct machine *pc);
uint8_t pit_read(struct machine *pc, uint16_t port);
void pit_write(struct machine *pc, uint16_t port, uint8_t value);
uint8_t pit_gate_read(struct machine *pc, uint16_t port);
void pit_gate_write(struct machine *pc, uint16_t port, uint8_t value);
/* Raises IRQ 0 if channel 0 has expired. */
void pit_update(struct machine *pc);
/* The core clock at which channel 0 expires next; NEVER: it does not, or IRQ 0 is masked. */
uint64_t pit_next(const struct machine *pc);

#endif
