/*
 * Encodings as the manuals write them.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/instr/gen/csv.h"
#include "bench/instr/gen/gen.h"

/* What has been read of an encoding. */
struct reader {
	struct instr_row *row;
	struct instr_spec *spec;
	enum gen_scheme scheme;
	bool prefix66, opcode;
	unsigned imm[3]; /* how many ib, iz or id, is4 */
};

static const char *const prefixes[] = { "", "66", "F3", "F2", NULL };
static const char *const maps[] = { "",     "0F", "0F38", "0F3A", "-",    "MAP5",
	                            "MAP6", "-",  "XOP8", "XOP9", "XOPA", NULL };
static const char *const imms[] = { "ib", "iz", "is4", NULL };

static int index_of(const char *word, const char *const *list)
{
	for (int i = 0; list[i]; i++)
		if (!strcmp(list[i], word))
			return i;
	return -1;
}

/* VEX, EVEX, L1, W1, EVEX.W1: what is not a byte */
static bool read_scheme(struct reader *r, const char *word)
{
	if (!strcmp(word, "VEX") || !strcmp(word, "EVEX")) {
		r->scheme = *word == 'V' ? GEN_VEX : GEN_EVEX;
	} else if (!strcmp(word, "L1")) {
		r->spec->vex_l = 1;
	} else if (!strcmp(word, "W1")) {
		r->row->evex_w = 1;
		r->row->vex_w = 1;
	} else if (!strcmp(word, "EVEX.W1")) {
		r->row->evex_w = 1;
	} else {
		return false;
	}
	return true;
}

/* Prefixes and opcode map, which come before the opcode. */
static bool read_before(struct reader *r, const char *word)
{
	int prefix = index_of(word, prefixes), map = index_of(word, maps);

	if (!strcmp(word, "F0") && !r->row->map) {
		r->spec->lock = 1;
	} else if (prefix > 0 && !r->row->map) {
		/* 66H before another prefix is one of its own */
		r->spec->size16 = r->row->prefix == 1;
		r->row->prefix = (uint8_t)prefix & 3;
	} else if (map > 0 && !r->row->map) {
		r->row->map = (uint8_t)map & 15;
		if (map >= 8)
			r->scheme = GEN_VEX;
	} else if (r->row->map == 1 && r->scheme == GEN_LEGACY && !strcmp(word, "38")) {
		r->row->map = 2;
	} else if (r->row->map == 1 && r->scheme == GEN_LEGACY && !strcmp(word, "3A")) {
		r->row->map = 3;
	} else {
		return false;
	}
	return true;
}

/* The opcode, and what follows it. */
static void read_opcode(struct reader *r, const char *word)
{
	char *end;
	unsigned long v = strtoul(word, &end, 16);
	int imm = index_of(strcmp(word, "id") ? word : "iz", imms);

	if (!strcmp(word, "/r") ||
	    (word[0] == '/' && word[1] >= '0' && word[1] <= '7' && !word[2])) {
		r->spec->modrm = 1;
		r->row->digit = word[1] == 'r' ? 0 : (word[1] - '0') & 7;
	} else if (imm >= 0) {
		r->imm[imm]++;
	} else if (end == word + 2 && isxdigit((unsigned char)*word) &&
	           (!*end || !strcmp(end, "+r"))) {
		if (r->opcode && !(r->spec->modrm && r->row->opcode == 0x0f))
			csv_die("a second opcode \"%s\"", word);
		r->spec->suffix = r->opcode;
		r->opcode = true;
		r->row->opcode = (uint8_t)v;
	} else {
		csv_die("cannot read \"%s\" of the encoding", word);
	}
}

/* The operands must be those that the encoding has room for. */
static void agree(const struct reader *r)
{
	unsigned imm[3] = { 0, 0, 0 };
	bool rm = false, digit = true;

	for (unsigned i = 0; i < INSTR_OPERANDS && r->spec->op[i].type; i++) {
		unsigned p = r->spec->op[i].place;

		imm[0] += p == AT_IMM8 || p == AT_IM8 || p == AT_IMM8_ZERO;
		imm[1] += p == AT_IMM || p == AT_IMM_ZERO;
		imm[2] += p == AT_IS4;
		rm = rm || p <= AT_RM_OR_MEMORY;
		digit = digit && p != AT_REG;
	}
	if (!r->opcode)
		csv_die("no opcode");
	if (memcmp(imm, r->imm, sizeof(imm)))
		csv_die("the immediates of operands and encoding differ");
	if (rm != r->spec->modrm)
		csv_die("a ModRM byte without operands, or operands without");
	if (!digit && r->row->digit)
		csv_die("both a digit and an operand in ModRM.reg");
}

enum gen_scheme gen_encoding(struct instr_row *row, struct instr_spec *spec, const char *text)
{
	struct reader r = { .row = row, .spec = spec };
	char copy[64], word[16];
	const char *p = copy;

	if (strlen(text) >= sizeof(copy))
		csv_die("the encoding is too long");
	strcpy(copy, text);
	while (*p) {
		size_t n = strncmp(p, "EVEX.W1", 7) ? strcspn(p, " .") : 7;

		if (n >= sizeof(word))
			csv_die("cannot read \"%s\" of the encoding", p);
		memcpy(word, p, n);
		word[n] = 0;
		p += n + (p[n] != 0);
		if (!read_scheme(&r, word) && (r.opcode || !read_before(&r, word)))
			read_opcode(&r, word);
	}
	if (row->prefix == 1 && !row->map && !spec->size16) { /* no opcode has such a prefix */
		row->prefix = 0;
		spec->size16 = 1;
	}
	spec->vex = !spec->vector && r.scheme != GEN_LEGACY;
	agree(&r);
	return r.scheme;
}
