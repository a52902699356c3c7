/*
 * Declarations that the files of bench/sample/ share and no other file uses.
 */
#ifndef BENCH_SAMPLE_INTERNAL_H
#define BENCH_SAMPLE_INTERNAL_H

#include "pmu/sampling/sampling.h"

enum { SAMPLE_LINES = 16 }; /* places, distances or addresses that have a record each */

/* Whose samples they are, and how many. */
struct sample_who {
	const char *bench, *event, *method;
	uint64_t samples;
};

struct address_sums {
	uint64_t addressed; /* samples with an address */
	uint64_t decoded;   /* whose address follows from encoding and registers */
	uint64_t differ;    /* where the hardware told another address than that */
};

/* address.c: forgets all addresses. */
void address_begin(void);

/*
 * address.c: one sample, in the handler. `readable`: the instruction at its IP is one of the
 * snippet's and can be decoded.
 */
void address_take(const struct pmu_sample *s, bool readable);

struct address_sums address_sums(void);

/* address.c: the `address` records. */
void address_log(const struct sample_who *who);

/* The code that is sampled. */
struct sample_code {
	uintptr_t start;
	size_t size, body; /* bytes of all copies, of one */
	size_t loop;       /* of the loop around them, at most */
};

/*
 * branch_64.c: begin() forgets all branches; take() is told of a sample, in the handler; all()
 * says how many branches of the code there were; log() writes the `branch` records. NULL in the
 * 32-bit kernel.
 */
struct branch_profile {
	void (*begin)(void);
	void (*take)(const struct pmu_sample *s, const struct sample_code *code);
	uint64_t (*all)(void);
	void (*log)(const struct sample_who *who);
};

extern const struct branch_profile *const branch_profile;

#endif
