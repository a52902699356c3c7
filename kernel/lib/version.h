/*
 * Which build this is: `git describe --always --dirty`, "unknown" outside a clone. The file that
 * defines it is written by the Makefile.
 */
#ifndef KERNEL_LIB_VERSION_H
#define KERNEL_LIB_VERSION_H

extern const char cpl0_version[];

#endif
