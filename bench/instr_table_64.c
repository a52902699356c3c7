/*
 * The whole table.
 */
#include "bench/instr_late.inc"
#include "bench/instr_table.inc"
