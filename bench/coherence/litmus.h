/*
 * Where the routines of a litmus test find their two cells and put what they loaded.
 */
#ifndef BENCH_COHERENCE_LITMUS_H
#define BENCH_COHERENCE_LITMUS_H

/*
 * Bytes from the start of the area. Thread t writes its two registers to LITMUS_R(t) and
 * LITMUS_SECOND bytes behind that, into a line of its own.
 */
#define LITMUS_X      0
#define LITMUS_Y      128
#define LITMUS_R(t)   (256 + 128 * (t))
#define LITMUS_SECOND 4
#define LITMUS_SIZE   768

#endif
