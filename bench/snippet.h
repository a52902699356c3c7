/*
 * The form of a snippet as bytes, in boot modules and as the assembler macros of bench/snippet.inc
 * emit it. The form is the same in both widths and needs no relocation: every reference is the
 * distance in bytes from its own field to its target.
 */
#ifndef BENCH_SNIPPET_H
#define BENCH_SNIPPET_H

#define SNIPPET_MAGIC   0x306c7063 /* "cpl0" */
#define SNIPPET_VERSION 2
#define SNIPPET_SIZE    60

/* snippet_blob.flags */
#define SNIPPET_DEFAULT    0x01 /* in the set that runs without bench= */
#define SNIPPET_SERIES     0x02 /* prints run 1, 2, 3 ... from a cold cache */
#define SNIPPET_TOTAL      0x04 /* measured as one copy from start to end: mode=total */
#define SNIPPET_PRIVILEGED 0x08 /* needs CPL 0: skipped at CPL 3 and in a Linux process */
#define SNIPPET_THREADS    0x10 /* needs several CPUs: skipped without threads= */
#define SNIPPET_EXITS      0x20 /* has instructions that leave the guest of a hypervisor */
#define SNIPPET_STIMULUS   0x40 /* causes events and writes memory; no benchmark */
#define SNIPPET_STRAIGHT   0x80 /* executes no branch */

/* snippet_blob.widths */
#define SNIPPET_32 0x01
#define SNIPPET_64 0x02

#ifndef __ASSEMBLER__
#include <stdint.h>

/* An EXPECT line: the expected count of a snippet on some CPUs. */
struct snippet_expect {
	int32_t family;   /* text: PMU classes, comma-separated, or "*" */
	int32_t quantity; /* text: "tsc", or the alias of an event ("instructions") */
	int32_t min, max; /* thousandths per copy */
	int32_t source;   /* text: the source of the expectation */
};

struct snippet_blob {
	uint32_t magic;
	uint16_t version;
	uint16_t size;  /* bytes of this structure: a later version may be longer */
	uint8_t widths; /* SNIPPET_32 | SNIPPET_64 */
	uint8_t flags;
	uint16_t unroll; /* copies in a row, 0: the engine chooses */
	uint32_t loop;   /* rounds, 0: the engine chooses */
	uint32_t ops;    /* operations in one copy; readers divide figures by this number */
	uint32_t insns;  /* instructions that one copy executes, 0: not known */
	int32_t name, what, needs; /* text; needs: features by name, blank-separated, or empty */
	int32_t init, body;        /* code */
	uint32_t init_size, body_size;
	int32_t expect; /* first row */
	uint32_t nexpect;
};

_Static_assert(sizeof(struct snippet_blob) == SNIPPET_SIZE, "snippet.inc writes this size");
#endif

#endif
