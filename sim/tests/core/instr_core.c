/*
 * instr_core.c - the instruction table (bench/instr) on the core model, beside a real processor.
 *
 *	instr_core [-a] [-n] [-H] [-p PARAMETER=VALUE]... MACHINE CPU WIDTH CODE SALT CSV
 *
 * Prints the figures that are off by more than 5 % and 0.1 clock, and the shares that are not:
 *
 *	off fitted integer latency "ADC r32, r32" 2.00 1.00 skylake.csv:12 adc r32 r32
 *	share machine=skylake cpu=00506E3_Skylake half=held kind=integer figures=300 good=280
 *
 * Ours stands before theirs. Every second form is held out: no row may be fitted to it, so its
 * figures are not shown, lest somebody does. -H shows them. -a shows figures that are good, too.
 * -n names the held-out forms, too, with our figure and `-` for theirs. They are `blind` if no form
 * of the other half has their row: then a document, or the nearest form, must say what they take.
 *
 *	blind held integer latency CDQE 1.00 - skylake.csv:40 cdqe
 *
 * The words behind MACHINE are those of a line of sim/timing/measured.csv (see bodies.h).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/tests/core/bodies.h"

static const char *operand_kind(const ZydisDecodedOperand *op, unsigned number)
{
	if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		if (op->mem.base && op->mem.index)
			return op->mem.scale > 1 ? "ms" : "mi";
		return op->mem.disp.value ? "md" : "m";
	}
	if (op->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return op->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT ? "one" : "i";
	switch (ZydisRegisterGetClass(op->reg.value)) {
	case ZYDIS_REGCLASS_XMM:
		return "x";
	case ZYDIS_REGCLASS_MMX:
		return "mm";
	case ZYDIS_REGCLASS_X87:
		return "st";
	case ZYDIS_REGCLASS_GPR8:
		return op->reg.value == ZYDIS_REGISTER_CL && number ? "cl" : "r";
	default:
		return "r";
	}
}

/* "skylake.csv:12 imul r32 r32": the row of each instruction, and the instruction. */
static void print_rows(const struct core_machine *m, const struct body *b)
{
	for (unsigned i = 0; i < b->insns; i++) {
		const struct body_insn *d = &b->insn[i];
		const struct core_row *row = core_row_find(m, &d->zi, d->op);

		if (i && row == core_row_find(m, &d[-1].zi, d[-1].op))
			continue;
		printf("%s%s.csv:%u %s%s", i ? "; " : " ", row ? row->text->table : "",
		       row ? row->text->line : 0,
		       d->zi.attributes & ZYDIS_ATTRIB_HAS_LOCK ? "lock " : "",
		       ZydisMnemonicGetString(d->zi.mnemonic));
		for (unsigned n = 0; n < d->zi.operand_count_visible; n++)
			printf(" %s%u", operand_kind(&d->op[n], n), d->op[n].size);
	}
}

static void print_shares(const char *machine, const char *cpu, unsigned count[2][2],
                         unsigned good[2][2])
{
	for (unsigned held = 0; held < 2; held++) {
		for (unsigned all = 0; all < 2; all++)
			printf("share machine=%s cpu=%s half=%s kind=%s figures=%u good=%u\n",
			       machine, cpu, held ? "held" : "fitted", all ? "all" : "integer",
			       count[held][1] + (all ? count[held][0] : 0),
			       good[held][1] + (all ? good[held][0] : 0));
	}
}

static bool has_row(const struct core_machine *m, const struct body *b, const struct core_row *row)
{
	for (unsigned i = 0; i < b->insns; i++)
		if (core_row_find(m, &b->insn[i].zi, b->insn[i].op) == row)
			return true;
	return false;
}

/* A held-out body with a row that no body of the other half has. */
static bool is_blind(const struct bodies *all, const struct body *b)
{
	const struct core_row *row = core_row_find(all->machine, &b->insn->zi, b->insn->op);

	if (!b->held)
		return false;
	for (unsigned i = 0; i < all->count; i++)
		if (!all->body[i].held && has_row(all->machine, &all->body[i], row))
			return false;
	return true;
}

static void print_held(const struct bodies *all, const struct body *b, double ours)
{
	printf("%s held %s %-10s %-38s %8.2f        -", is_blind(all, b) ? "blind" : "seen",
	       b->integer ? "integer" : "vector", b->kind, b->text, ours);
	print_rows(all->machine, b);
	putchar('\n');
}

static int usage(void)
{
	fprintf(stderr, "usage: instr_core [-a] [-n] [-H] [-p PARAMETER=VALUE]... "
	                "MACHINE CPU WIDTH CODE SALT CSV\n");
	return 3;
}

int main(int argc, char **argv)
{
	unsigned count[2][2] = { { 0 } }, good[2][2] = { { 0 } }, changes = 0;
	bool all = false, show_held = false, name_held = false;
	const char *change[16];
	struct bodies b;

	for (int option; (option = getopt(argc, argv, "anHp:")) != -1;) {
		all |= option == 'a';
		show_held |= option == 'H';
		name_held |= option == 'n';
		if (option == 'p' && changes < sizeof(change) / sizeof(change[0]))
			change[changes++] = optarg;
		if (option == '?')
			return usage();
	}
	argv += optind;
	if (argc - optind != 6)
		return usage();
	if (!bodies_read(&b, argv))
		return 3;
	while (changes--)
		if (!bodies_parameter(b.machine, change[changes]))
			return usage();
	for (unsigned i = 0; i < b.count; i++) {
		struct body *body = &b.body[i];
		double ours;
		bool fits;

		body_decode(b.machine, body);
		ours = body_clocks(b.machine, body);
		fits = body_good(ours, body->theirs);
		count[body->held][body->integer]++;
		good[body->held][body->integer] += fits;
		if (body->held && name_held)
			print_held(&b, body, ours);
		if (!(all || !fits) || (body->held && !show_held))
			continue;
		printf("%s %s %s %-10s %-38s %8.2f %8.2f", fits ? "good" : "off",
		       body->held ? "held" : "fitted", body->integer ? "integer" : "vector",
		       body->kind, body->text, ours, body->theirs);
		print_rows(b.machine, body);
		putchar('\n');
	}
	print_shares(argv[0], argv[1], count, good);
	bodies_free(&b);
	return 0;
}
