/*
 * Rows of sequences: forms whose machine code is written down.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/instr/gen/csv.h"
#include "bench/instr/gen/gen.h"

enum { SEQUENCES = 1024, BYTES = 15 };

static struct {
	char form[48];
	struct instr_sequence s;
	uint8_t code[BYTES];
} all[SEQUENCES];

static unsigned n;

/* "x87 64 1-2^-20 1": bits of precision, what the registers hold, what ST(0) holds */
static void read_data(struct instr_sequence *s, char *list)
{
	static const char *const precisions[] = { "24", "-", "53", "64", NULL };
	static const char *const constants[CONSTANTS + 1] = {
		"0",    "1",    "2",    "0.5",   "1-2^-20", "4pi",   "2pi", "pi",
		"pi/2", "pi/4", "pi/8", "pi/16", "pi/32",   "0.739", NULL,
	};
	char *word = csv_word(&list);
	const char *more[3];

	s->data = csv_choice(word ? word : "", gen_data_words, "data") & 7;
	if (s->data != DATA_X87)
		return;
	for (unsigned i = 0; i < 3; i++) {
		more[i] = csv_word(&list);
		if (!more[i])
			csv_die("x87 needs a precision and two constants");
	}
	s->precision = csv_choice(more[0], precisions, "precision") & 3;
	s->rest = csv_choice(more[1], constants, "constant") & 15;
	s->top = csv_choice(more[2], constants, "constant") & 15;
}

static void read_measures(struct instr_sequence *s, char *list)
{
	static const char *const words[] = { "lat", "tp", NULL };

	for (char *p; (p = csv_word(&list));)
		if (csv_choice(p, words, "measure"))
			s->throughput = 1;
		else
			s->latency = 1;
	if (!s->latency && !s->throughput)
		csv_die("measures is lat, tp, or both");
}

static void read_flags(struct instr_sequence *s, char *list)
{
	static const char *const words[] = { "vary",   "walk",  "privileged", "only32",
		                             "only64", "sine",  "same",       "cold",
		                             "warm",   "exits", NULL };

	for (char *p; (p = csv_word(&list));) {
		unsigned flag = csv_choice(p, words, "flag");

		s->vary |= flag == 0;
		s->walk |= flag == 1;
		s->privileged |= flag == 2;
		s->only_32 |= flag == 3;
		s->only_64 |= flag == 4;
		s->sine |= flag == 5;
		s->same |= flag == 6;
		s->cold |= flag == 7;
		s->warm |= flag == 8;
		s->exits |= flag == 9;
	}
}

static uint8_t read_code(uint8_t code[BYTES], char *list)
{
	uint8_t size = 0;

	for (char *p; (p = csv_word(&list));) {
		if (strlen(p) != 2 || !isxdigit((unsigned char)p[0]) ||
		    !isxdigit((unsigned char)p[1]))
			csv_die("\"%s\" is no byte of two hex digits", p);
		if (size == BYTES)
			csv_die("more than %u bytes", (unsigned)BYTES);
		code[size++] = (uint8_t)strtoul(p, NULL, 16);
	}
	if (!size)
		csv_die("no code");
	return size;
}

/*
 * Does an instruction leave a guest: PAUSE, CPUID, RDMSR, WRMSR, RDPMC, WBINVD, INVD, HLT? A
 * hypervisor may set each of them so (SDM 3C, "VMX Non-Root Operation"; APM 2, "Instruction
 * Intercepts").
 */
static bool leaves_guest(const uint8_t *code, uint8_t size)
{
	static const uint8_t leave[][2] = { { 0xf3, 0x90 }, { 0x0f, 0xa2 }, { 0x0f, 0x32 },
		                            { 0x0f, 0x30 }, { 0x0f, 0x33 }, { 0x0f, 0x09 },
		                            { 0x0f, 0x08 } };

	for (unsigned at = 0; at + 1u < size; at++)
		for (unsigned i = 0; i < sizeof(leave) / sizeof(leave[0]); i++)
			if (!memcmp(code + at, leave[i], 2))
				return true;
	return size == 1 && code[0] == 0xf4;
}

void gen_read_sequences(void)
{
	while (csv_next()) {
		const char *form = csv_cell("form");
		struct instr_sequence *s;

		if (n == SEQUENCES || !*form || strlen(form) >= sizeof(all[n].form))
			csv_die("too many rows, or a form of no or too many letters");
		s = &all[n].s;
		strcpy(all[n].form, form);
		s->need = (uint8_t)gen_need(csv_cell("features"));
		read_measures(s, csv_cell("measures"));
		read_data(s, csv_cell("data"));
		s->insns = csv_number("instructions", 7) & 7;
		read_flags(s, csv_cell("flags"));
		s->size = read_code(all[n].code, csv_cell("code"));
		if (leaves_guest(all[n++].code, s->size) && !s->exits)
			csv_die("an instruction leaves a guest: the flag \"exits\" is missing");
	}
}

static void print_sequence(const struct instr_sequence *s, const char *form)
{
	printf("\t{ %u, %u, %u, %u, %u, %u, %u, %u, %u, "
	       "%u, %u, %u, %u, %u, %u, %u, %u, %u, %u }, /* %s */\n",
	       s->need, s->latency, s->throughput, s->vary, s->walk, s->privileged, s->only_32,
	       s->only_64, s->sine, s->insns, s->same, s->cold, s->warm, s->exits, s->data,
	       s->precision, s->rest, s->top, s->size, form);
}

void gen_print_sequences(void)
{
	printf("\nconst struct instr_sequence instr_sequences[] = {\n");
	for (unsigned i = 0; i < n; i++)
		print_sequence(&all[i].s, all[i].form);
	printf("};\n\nconst unsigned instr_nsequences = %u;\n", n);
	printf("\nconst char instr_sequence_names[] =\n");
	for (unsigned i = 0; i < n; i++)
		printf("\t\"%s\\0\"\n", all[i].form);
	printf("\t;\n\nconst uint8_t instr_sequence_code[] = {\n");
	for (unsigned i = 0; i < n; i++) {
		printf("\t");
		for (unsigned j = 0; j < all[i].s.size; j++)
			printf("0x%02x, ", all[i].code[j]);
		printf("\n");
	}
	printf("};\n");
}
