/*
 * The table of the 32-bit kernel: without what only CPUs with long mode have.
 */
#define LATE_SPECS
#define LATE_ROWS(R)
#define LATE_LITERALS(L)
#include "bench/instr/table.inc"
