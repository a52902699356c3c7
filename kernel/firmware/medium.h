/*
 * What the firmware may have against the whole medium, in the same words from INT 13h and UEFI.
 * Any other reason may concern the sectors alone that were asked for. Compare them by strcmp().
 */
#ifndef KERNEL_FIRMWARE_MEDIUM_H
#define KERNEL_FIRMWARE_MEDIUM_H

#define MEDIUM_PROTECTED "the medium is write-protected"
#define MEDIUM_MISSING   "the medium is missing or not ready"
#define MEDIUM_CHANGED   "the medium was changed"

#endif
