/*
 * sim/pc/parked.h - processors that the firmware has started already, and the code they are in.
 */
#ifndef SIM_PC_PARKED_H
#define SIM_PC_PARKED_H

struct machine;

/* Physical address of the mailbox of --fault cpus=mailbox. */
enum { PARKED_MAILBOX = 0xf7000 };

/* For --fault cpus=busy and cpus=mailbox; nothing otherwise. Once, before the machine runs. */
void parked_begin(struct machine *pc);

#endif
