/*
 * A question at the start of a run, when the firmware alone has keys.
 */
#ifndef KERNEL_FIRMWARE_ASK_H
#define KERNEL_FIRMWARE_ASK_H

#include <stdbool.h>

/*
 * Writes `question` for people and waits for the key y or n, by UEFI or else by the BIOS, which
 * must be one that can be called. True: y. Without either key the answer is no after 20 seconds.
 */
bool ask(const char *question);

#endif
