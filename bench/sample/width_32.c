/*
 * What the 32-bit kernel has not (bench/sample/internal.h).
 */
#include "bench/sample/internal.h"

const struct branch_profile *const branch_profile = NULL;
