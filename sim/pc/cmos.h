/*
 * sim/pc/cmos.h - clock and configuration memory (MC146818), ports 70h and 71h.
 */
#ifndef SIM_PC_CMOS_H
#define SIM_PC_CMOS_H

#include <stdint.h>

struct machine;

/* Power-on is at 1 January 2000, 00:00:00. */
uint8_t cmos_read(struct machine *pc, uint16_t port);
void cmos_write(struct machine *pc, uint16_t port, uint8_t value);

#endif
