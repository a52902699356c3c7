/*
 * The generator of the instruction tables. Each unit reads the rows of one kind of file, checks
 * them and prints them as C. The columns of a file tell its kind.
 */
#ifndef BENCH_INSTR_GEN_GEN_H
#define BENCH_INSTR_GEN_GEN_H

#include "bench/instr/tables.h"

/* gen/features.c: features by the names of kernel/cpu/features.c, "+" between two; "" is none. */
unsigned gen_need(const char *features); /* index of instr_needs */
void gen_print_needs(void);

/* gen/operands.c: operands by name, "r16..64,imm8", and their places, a letter each, "MI". */
void gen_operands(struct instr_spec *spec, char *operands, const char *places);

/* gen/encoding.c: "66 0F38 EVEX.W1 28 /r", of which scheme tells how many encodings there are. */
enum gen_scheme { GEN_LEGACY, GEN_VEX, GEN_EVEX };
enum gen_scheme gen_encoding(struct instr_row *row, struct instr_spec *spec, const char *text);

/* gen/forms.c */
void gen_read_forms(void);
void gen_print_forms(void);

/* gen/sequences.c */
void gen_read_sequences(void);
void gen_print_sequences(void);

/* gen/special.c: divisions and addresses of LEA */
void gen_read_divisions(void);
void gen_read_leas(void);
void gen_print_special(void);

/* Words of several columns, in the order of their enums; NULL at the end. */
extern const char *const gen_data_words[];

#endif
