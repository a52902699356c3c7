/*
 * The build: `git describe --always --dirty`, "unknown" outside a clone. The Makefile writes the
 * file that defines it.
 */
#ifndef KERNEL_LIB_VERSION_H
#define KERNEL_LIB_VERSION_H

extern const char cpl0_version[];

#endif
