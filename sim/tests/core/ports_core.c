/*
 * Which ports the simulator's table gives the instruction table: a line `NAME PORTS` for each
 * benchmark instr.tp.* whose body is one form several times, as the kernel's `ports` records have
 * it (docs/ports.md), terms sorted. Call: ports_core MACHINE.
 *
 * ports_core MACHINE CODE...: terms are clocks of ports instead of uops, and first there is a line
 * `CODE PORTS` for the first instruction of each of these machine codes in hex.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/instr/instr.h"
#include "sim/timing/core_rows.h"

enum { TERMS = 12, CODE = 32 };

struct term {
	uint16_t ports;
	unsigned uops;
};

/* kernel/cpu/features.c is here for its names alone. */
struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	(void)c;
	return cpuid(leaf, subleaf);
}

static void add(struct term terms[TERMS], uint16_t ports, unsigned uops)
{
	unsigned i = 0;

	if (!ports || !uops)
		return;
	while (terms[i].uops && terms[i].ports != ports)
		i++;
	terms[i].ports = ports;
	terms[i].uops += uops;
}

/* In the order of their names. */
static int by_name(const void *a, const void *b)
{
	const struct term *x = a, *y = b;

	for (unsigned i = 0; i < CORE_PORTS; i++)
		if ((x->ports ^ y->ports) >> i & 1) {
			/* the shorter of two names with the same beginning comes first */
			if (!(x->ports >> i))
				return -1;
			if (!(y->ports >> i))
				return 1;
			return x->ports >> i & 1 ? -1 : 1;
		}
	return 0;
}

static void print(const char *name, struct term terms[TERMS])
{
	unsigned n = 0;

	while (terms[n].uops)
		n++;
	qsort(terms, n, sizeof(*terms), by_name);
	printf("%s ", name);
	for (unsigned i = 0; i < n; i++) {
		printf("%s%u*p", i ? "+" : "", terms[i].uops);
		for (unsigned p = 0; p < CORE_PORTS; p++)
			if (terms[i].ports >> p & 1)
				printf("%x", p);
	}
	puts(n ? "" : "0");
}

/* The first instruction of the code; false if the others are of another kind. */
static bool decode(const struct core_machine *m, const uint8_t *code, size_t size,
                   struct core_insn *out)
{
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	ZydisMnemonic first = ZYDIS_MNEMONIC_INVALID;
	ZydisDecodedInstruction zi;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (size_t at = 0; at < size; at += zi.length) {
		if (!ZYAN_SUCCESS(
			    ZydisDecoderDecodeFull(&decoder, code + at, size - at, &zi, ops)) ||
		    zi.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
			return false;
		if (!at) {
			first = zi.mnemonic;
			*out = core_decode(m, &zi, ops);
		}
		if (zi.mnemonic != first)
			return false;
	}
	return size;
}

static void print_insn(const struct core_machine *m, const struct core_insn *insn, const char *name,
                       bool clocks)
{
	bool gpr = insn->load_kind == CORE_LOAD_GPR;
	struct term terms[TERMS] = { 0 };

	for (unsigned u = 0; u < insn->uops; u++)
		add(terms, insn->uop[u].ports,
		    insn->uop[u].count * (clocks ? insn->uop[u].busy : 1));
	add(terms, gpr ? m->p.port_load : m->p.port_load_vector, insn->loads);
	add(terms, m->p.port_address, insn->stores);
	add(terms, gpr ? m->p.port_data : m->p.port_data_vector, insn->stores);
	print(name, terms);
}

static bool print_code(const struct core_machine *m, const char *hex)
{
	struct core_insn insn = { 0 };
	uint8_t code[CODE];
	size_t n = 0;

	while (n < CODE && sscanf(hex + 2 * n, "%2hhx", &code[n]) == 1)
		n++;
	if (!decode(m, code, n, &insn))
		return false;
	print_insn(m, &insn, hex, true);
	return true;
}

int main(int argc, char **argv)
{
	static const struct bench_area area;
	static struct cpu cpu;
	const char *why = "call: ports_core MACHINE [CODE...]";
	struct core_machine *m = argc >= 2 ? core_machine(argv[1], &why) : NULL;
	struct bench b;

	if (!m) {
		fprintf(stderr, "ports_core: %s\n", why ? why : "no such machine");
		return 1;
	}
	for (int i = 2; i < argc; i++)
		if (!print_code(m, argv[i])) {
			fprintf(stderr, "ports_core: not instructions of a kind: %s\n", argv[i]);
			return 1;
		}
	memset(cpu.features, 0xff, sizeof(cpu.features));
	for (unsigned i = 0; instr_get(i, &b, &cpu, &area, true); i++) {
		struct core_insn insn = { 0 };

		if (!strncmp(b.name, "instr.tp.", 9) && b.insns == b.ops &&
		    decode(m, b.body, b.body_size, &insn))
			print_insn(m, &insn, b.name, argc > 2);
	}
	core_machine_free(m);
	return 0;
}
