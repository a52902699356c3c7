/*
 * Rows of divisions and of addresses of LEA.
 */
#include <stdio.h>
#include <string.h>

#include "bench/instr/gen/csv.h"
#include "bench/instr/gen/gen.h"

enum { MOST = 128 };

static struct instr_division divisions[MOST];
static struct {
	char address[32];
	unsigned scale, disp;
} leas[MOST];
static unsigned ndivisions, nleas;

void gen_read_divisions(void)
{
	static const char *const mnemonics[] = { "DIV", "IDIV", NULL };
	static const char *const operands[] = { "ones", "powers", NULL };

	while (csv_next()) {
		struct instr_division *d = &divisions[ndivisions++];

		if (ndivisions == MOST)
			csv_die("too many divisions");
		d->is_signed = csv_choice(csv_cell("mnemonic"), mnemonics, "mnemonic") & 1;
		d->size = (uint8_t)csv_number("size", 64);
		if (d->size != 8 && d->size != 16 && d->size != 32 && d->size != 64)
			csv_die("size is 8, 16, 32 or 64");
		d->dividend = (uint8_t)csv_number("dividend", 2 * d->size);
		d->divisor = (uint8_t)csv_number("divisor", d->size);
		d->reload = csv_number("reload", 2) & 3;
		d->powers = csv_choice(csv_cell("numbers"), operands, "kind of numbers") & 1;
	}
}

void gen_read_leas(void)
{
	static const char *const scales[] = { "", "1", "8", NULL };
	static const char *const disps[] = { "", "8", "32", NULL };
	static const uint8_t scale[] = { 0, 1, 8 }, disp[] = { 0, 8, 32 };

	while (csv_next()) {
		const char *address = csv_cell("address");

		if (nleas == MOST || strlen(address) >= sizeof(leas[0].address))
			csv_die("too many addresses, or one that is too long");
		strcpy(leas[nleas].address, address);
		leas[nleas].scale = scale[csv_choice(csv_cell("scale"), scales, "scale")];
		leas[nleas++].disp = disp[csv_choice(csv_cell("disp"), disps, "displacement")];
	}
}

void gen_print_special(void)
{
	printf("\nconst struct instr_division instr_divisions[] = {\n");
	for (unsigned i = 0; i < ndivisions; i++)
		printf("\t{ %u, %u, %u, %u, %u, %u },\n", divisions[i].is_signed,
		       divisions[i].powers, divisions[i].reload, divisions[i].size,
		       divisions[i].dividend, divisions[i].divisor);
	printf("};\n\nconst unsigned instr_ndivisions = %u;\n", ndivisions);
	printf("\nconst struct instr_lea instr_leas[] = {\n");
	for (unsigned i = 0; i < nleas; i++)
		printf("\t{ \"%s\", %u, %u },\n", leas[i].address, leas[i].scale, leas[i].disp);
	printf("};\n\nconst unsigned instr_nleas = %u;\n", nleas);
}
