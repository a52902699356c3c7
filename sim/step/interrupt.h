/*
 * sim/step/interrupt.h - delivers interrupts and exceptions through the guest's IDT.
 */
#ifndef SIM_STEP_INTERRUPT_H
#define SIM_STEP_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;

enum interrupt_kind { INT_FAULT, INT_SOFTWARE, INT_HARDWARE };

/*
 * Delivers at linear address `at`, which the frame will hold. False: it became another exception.
 * A triple fault ends the run.
 */
bool interrupt_deliver(struct cpu *cpu, unsigned vector, enum interrupt_kind kind, uint32_t error,
                       uint64_t at);
/*
 * IRET with NT set: goes back to the task that called the current one. `next` is the linear
 * address behind the IRET. False: an exception comes instead.
 */
bool interrupt_task_return(struct cpu *cpu, uint64_t next, unsigned *vector, uint32_t *error);

#endif
