/* A question at the start of a run, when only the firmware reads the keyboard. */
#ifndef KERNEL_FIRMWARE_ASK_H
#define KERNEL_FIRMWARE_ASK_H

#include <stdbool.h>

/*
 * Writes `question` and waits for the key y or n, by UEFI or else by the BIOS, which must be
 * callable (bios_obstacle()). True: y. False: n, or no such key within 20 seconds.
 */
bool ask(const char *question);

#endif
