/*
 * Errors of the whole medium, with the same texts for INT 13h and UEFI. Any other error may concern
 * only the accessed sectors. Compare them by strcmp().
 */
#ifndef KERNEL_FIRMWARE_MEDIUM_H
#define KERNEL_FIRMWARE_MEDIUM_H

#define MEDIUM_PROTECTED "the medium is write-protected"
#define MEDIUM_MISSING   "the medium is missing or not ready"
#define MEDIUM_CHANGED   "the medium was changed"

#endif
