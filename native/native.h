/*
 * What the parts of cpl0-native share.
 */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#include <stddef.h>

/* Memory in the low 2 GiB with the given protection (PROT_*); NULL if there is none. */
void *native_low_memory(size_t size, size_t align, int prot);

/* From here on a fault or an alarm inside host_protect() ends only that call. */
void native_catch_signals(void);

#endif
