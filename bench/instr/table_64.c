/*
 * The whole table.
 */
#include "bench/instr/late.inc"
#include "bench/instr/table.inc"
