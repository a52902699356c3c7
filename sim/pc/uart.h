/*
 * sim/pc/uart.h - the serial port (16550A), ports 3F8h to 3FFh, IRQ 4.
 */
#ifndef SIM_PC_UART_H
#define SIM_PC_UART_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

/* As a BIOS leaves it: 9600 baud. Bytes that shall arrive are in u->input. */
void uart_reset(struct machine *pc);
uint8_t uart_read(struct machine *pc, uint16_t port);
void uart_write(struct machine *pc, uint16_t port, uint8_t value);
/* Receives what has arrived at the clock of the running processor. */
void uart_update(struct machine *pc);
/* The core clock at which the next byte arrives; NEVER: the guest waits for none. */
uint64_t uart_next(const struct machine *pc);

#endif
