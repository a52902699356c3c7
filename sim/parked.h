/*
 * sim/parked.h - processors that the firmware has started already, and the code they are in.
 */
#ifndef SIM_PARKED_H
#define SIM_PARKED_H

struct machine;

/* Number of the page in which they begin. */
enum { PARKED_PAGE = 0xf8 };

/* For --fault cpus=busy and cpus=mailbox; nothing otherwise. Once, before the machine runs. */
void parked_begin(struct machine *pc);

#endif
