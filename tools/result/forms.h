/*
 * Names of instruction forms. Tables differ in capitals, blanks and punctuation, and in how they
 * say which registers are the same: "mm_1, mm_2" and "mm1, mm2" are two registers, "r1_16, r1_16"
 * and "r16, r16" are the same register twice. Registers of an address have the width of the code,
 * whatever size the table gives: "[r16+r16]" and "[r + r]" are equal.
 */
#ifndef TOOLS_RESULT_FORMS_H
#define TOOLS_RESULT_FORMS_H

enum { FORM_NAME = 64 };

/* A name that is the same for all spellings of one form, cut to fit. */
void form_name(char out[FORM_NAME], const char *text);

#endif
