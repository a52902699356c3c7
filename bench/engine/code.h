/*
 * The measured routine, generated: bracket, copies of a body, bracket (docs/design/measurement.md).
 *
 *	1. Save the engine's registers. Run 256 branches. Load the registers of INIT. INIT. Keep the
 *	   registers.
 *	2. Serialize. Read the counters, then the TSC. Serialize.
 *	3. Load the snippet's registers. Wait for the loads.
 *	4. The body, `copies` times in a row, `loop` times around.
 *	5. Serialize. Read the TSC, then the counters. Serialize.
 *	6. Keep XSI. Put the engine's registers back.
 *
 * The counters are read in turn. The two readings of `outer` enclose all others, so its count
 * contains all that happens between two readings.
 *
 * With several passes, the branches, the two readings of the TSC and all between them are repeated
 * so often between the readings of the counters. What the first pass finds cold is warm in the
 * last, whose times stay. Readings that leave a guest for its host come before the first pass.
 *
 * The only branches behind INIT are that of the loop and, with passes, theirs and the 256 of each.
 * An empty body gives the same bytes without the copies, so its counts are exactly the cost of the
 * bracket.
 */
#ifndef BENCH_ENGINE_CODE_H
#define BENCH_ENGINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench.h"
#include "bench/engine/platform.h"

/* What the routine reads and writes. Its address must be below 2 GiB. */
struct code_state {
	uintptr_t in[BENCH_REGS];   /* registers at the first instruction of INIT */
	uintptr_t regs[BENCH_REGS]; /* ... and of the body */
	uintptr_t engine_sp;
	uintptr_t out_si; /* XSI behind the body: the place of a walk through memory */
	uint32_t start_tsc[2], end_tsc[2];
	uint32_t first_tsc[2]; /* before the first of several passes */
	uint32_t passes;       /* that are left */
	uint16_t no_ldt;       /* 0: the selector of the LDT that LLDT loads as a fence */
	uint32_t start[PMU_SLOTS][2], end[PMU_SLOTS][2];
} __attribute__((aligned(64)));

/* A counter or the TSC as the routine stores it. */
static inline uint64_t code_value(const uint32_t v[2])
{
	return (uint64_t)v[1] << 32 | v[0];
}

struct code_request {
	const struct bench *b;
	const struct pmu_group *group; /* NULL: time stamp counter only */
	struct code_state *state;
	uint32_t *rounds; /* remaining iterations of the loop; writable at the body's CPL */
	enum platform_fence fence;
	uint32_t copies, loop; /* copies 0: the empty body */
	uint32_t passes;       /* of the body between the readings of the counters; 0: one */
	int32_t offset;        /* of the body in its page, bytes; -1: any multiple of 64 */
	/* A slot of the group, read first at the start and last at the end; NULL: none. */
	const struct pmu_slot *outer;
	unsigned cpl; /* 0 or 3 */
};

/* The targets of INT at CPL 3 (platform_ring3_return()); NULL at CPL 0. */
struct code_returns {
	const void *init; /* after INIT */
	const void *body; /* after the body */
	/* Not a return: the first byte of the first copy of the body. */
	const uint8_t *copies;
};

/*
 * Writes the routine into buf[0..size), with the body at rq->offset. Returns its entry; NULL: the
 * routine does not fit. With rq->cpl = 3 INIT and the body run at CPL 3.
 */
void (*code_generate(uint8_t *buf, size_t size, const struct code_request *rq,
                     struct code_returns *returns))(void);

#endif
