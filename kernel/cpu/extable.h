/*
 * The exception table: instructions that may fault, and the addresses at which execution continues.
 *
 * An instruction that may fault on some machines is written with a row beside it. The trap handler
 * (kernel/trap/) looks the faulting address up and resumes at the row's second label. The rest of
 * the interrupted state does not change, so the code detects the fault by a register that it sets
 * before.
 */
#ifndef KERNEL_CPU_EXTABLE_H
#define KERNEL_CPU_EXTABLE_H

#include <stdint.h>

/* A fault at `at` resumes at `resume`. */
struct extable_entry {
	uint32_t at, resume;
};

/* All rows of the program (linker.ld). */
extern const struct extable_entry extable_start[], extable_end[];

/* Emits a row from inline assembly; labels as "1b", "2f". */
#define EXTABLE(at, resume)              \
	".pushsection .extable, \"a\"\n" \
	".long " at ", " resume "\n"     \
	".popsection\n"

#endif
