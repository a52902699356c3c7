/*
 * sim/pc/devices.h - the devices of the PC, and the bus on which processors find them.
 */
#ifndef SIM_PC_DEVICES_H
#define SIM_PC_DEVICES_H

#include <stdbool.h>

struct bus;
struct machine;

/* What the processors see (sim/cpu/machine.h). */
extern const struct bus devices_bus;

/* Allocates pc->dev. False: no memory. */
bool devices_open(struct machine *pc);
void devices_close(struct machine *pc);
/* As a BIOS leaves them. The serial port keeps the input that it was given. */
void devices_reset(struct machine *pc);

#endif
