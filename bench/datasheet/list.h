/* The functions of the datasheet's benchmarks. Each logs its figures. */
#ifndef BENCH_DATASHEET_LIST_H
#define BENCH_DATASHEET_LIST_H

#include "bench/engine/engine.h"

/* queues.c; the CPU has CLFLUSH, MFENCE and LFENCE */
void datasheet_rob(struct bench_run *run, const struct bench *b);
void datasheet_scheduler(struct bench_run *run, const struct bench *b);
void datasheet_load_queue(struct bench_run *run, const struct bench *b);
void datasheet_store_queue(struct bench_run *run, const struct bench *b);
void datasheet_fill_buffers(struct bench_run *run, const struct bench *b);

/* tlb.c; CPL 0, large pages */
void datasheet_dtlb(struct bench_run *run, const struct bench *b);
void datasheet_itlb(struct bench_run *run, const struct bench *b);

/* code.c */
void datasheet_l1i(struct bench_run *run, const struct bench *b);

/* banks.c */
void datasheet_banks(struct bench_run *run, const struct bench *b);

/* writes.c */
void datasheet_writes(struct bench_run *run, const struct bench *b);

/* branches.c */
void datasheet_btb(struct bench_run *run, const struct bench *b);
void datasheet_ras(struct bench_run *run, const struct bench *b);
void datasheet_mispredict(struct bench_run *run, const struct bench *b);

#endif
