/*
 * sim/ap_firmware.h - processors that the firmware has started already, and the code they are in.
 */
#ifndef SIM_AP_FIRMWARE_H
#define SIM_AP_FIRMWARE_H

struct machine;

/* Number of the page in which they begin. */
enum { AP_FIRMWARE_PAGE = 0xf8 };

/* For --fault cpus=busy and cpus=mailbox; nothing otherwise. Once, before the machine runs. */
void ap_firmware_begin(struct machine *pc);

#endif
