/*
 * sim/pc/pic.h - the two interrupt controllers (Intel 8259A), ports 20h, 21h, A0h, A1h.
 */
#ifndef SIM_PC_PIC_H
#define SIM_PC_PIC_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

/* As a BIOS leaves them: vectors 8 and 70h. */
void pic_reset(struct machine *pc);
uint8_t pic_read(struct machine *pc, uint16_t port);
void pic_write(struct machine *pc, uint16_t port, uint8_t value);

/* A request line rises or falls, here and at the I/O APIC; irq: 0 to 15. */
void pic_raise(struct machine *pc, unsigned irq);
void pic_lower(struct machine *pc, unsigned irq);
/* The output of the master. */
bool pic_pending(const struct machine *pc);
/* An acknowledge cycle: the vector. */
uint8_t pic_acknowledge(struct machine *pc);

#endif
