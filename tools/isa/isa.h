/*
 * The ISA set of an instruction form, from the instruction table that was built with the program
 * (bench/instr/forms/).
 */
#ifndef TOOLS_ISA_ISA_H
#define TOOLS_ISA_ISA_H

/*
 * Features of CPUID by the names of the record `features`, `+` between two; `base` for a form that
 * needs none, `lm` for one that needs 64-bit mode alone. "": the table has no form of this text,
 * spelled as the key `form` of a record.
 */
const char *isa_of(const char *form);

#endif
