/*
 * snippets.c - random snippets, and what the core model says of them by itself: without a kernel,
 * brackets and differences of two runs.
 *
 *	snippets source SEED COUNT SSE			a file for `make snippet`
 *	snippets clocks SEED COUNT SSE MACHINE WIDTH	NAME LEAST MOST a line
 *
 * SSE: 1 if the machines know SSE2. The same SEED gives the same snippets. Memory is read and
 * written at XSI, where every access hits the first-level cache.
 *
 * LEAST and MOST are clocks of a copy, of several rounds of different lengths and beginnings: of
 * rounds that follow each other without a fence, and of rounds that begin behind one, as the
 * kernel's do. Where they differ, uops fall into one of several patterns by what was before, and
 * keep it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/timing/core_rows.h"

enum { BODY = 200, INSNS = 24, UNROLL = 64, ROUNDS = 6, WARM = 3, ESI = 6 };

struct snippet {
	uint8_t code[BODY];
	unsigned bytes;
};

static uint64_t state;

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state * 0x2545f4914f6cdd1dull) >> 33) % n;
}

static void put(struct snippet *s, uint8_t byte)
{
	s->code[s->bytes++] = byte;
}

static uint8_t pick(const char *bytes, unsigned n)
{
	return (uint8_t)bytes[below(n)];
}
#define PICK(literal) pick(literal, sizeof(literal) - 1)

/* EAX, ECX, EDX, EBX, EBP. */
static uint8_t reg(void)
{
	return PICK("\0\1\2\3\5");
}

static void registers(struct snippet *s, unsigned to, unsigned from)
{
	put(s, (uint8_t)(0xc0 | from << 3 | to));
}

/* [ESI + 0 .. 124] */
static void memory(struct snippet *s, unsigned r)
{
	put(s, (uint8_t)(0x40 | r << 3 | ESI));
	put(s, (uint8_t)(4 * below(32)));
}

static void arithmetic(struct snippet *s)
{
	switch (below(4)) {
	case 0: /* ADD SUB AND OR XOR CMP TEST ADC SBB MOV r, r */
		put(s, PICK("\x01\x29\x21\x09\x31\x39\x85\x11\x19\x89\x89"));
		registers(s, reg(), reg());
		break;
	case 1: /* with an immediate */
		put(s, 0x83);
		registers(s, reg(), below(8));
		put(s, (uint8_t)below(128));
		break;
	case 2: /* INC DEC; NOT NEG */
		if (below(2)) {
			put(s, 0xff);
			registers(s, reg(), below(2));
		} else {
			put(s, 0xf7);
			registers(s, reg(), 2 + below(2));
		}
		break;
	default: /* MOV r, imm32 */
		put(s, 0xb8 + reg());
		for (unsigned i = 0; i < 4; i++)
			put(s, (uint8_t)below(256));
	}
}

static void other_integer(struct snippet *s)
{
	switch (below(6)) {
	case 0: /* ROL SHL SHR SAR r, imm8; by CL */
		put(s, PICK("\xc1\xc1\xd3"));
		registers(s, reg(), PICK("\0\4\5\7"));
		if (s->code[s->bytes - 2] == 0xc1)
			put(s, (uint8_t)(1 + below(31)));
		break;
	case 1: /* LEA r, [r + r * n + disp8] */
		put(s, 0x8d);
		put(s, (uint8_t)(0x44 | reg() << 3));
		put(s, (uint8_t)(below(4) << 6 | reg() << 3 | reg()));
		put(s, (uint8_t)(1 + below(100)));
		break;
	case 2: /* IMUL r, r */
		put(s, 0x0f);
		put(s, 0xaf);
		registers(s, reg(), reg());
		break;
	case 3: /* MOVZX, MOVSX r, r8; CMOVcc r, r */
		put(s, 0x0f);
		put(s, PICK("\xb6\xbe\x42\x44\x4c"));
		registers(s, below(4), reg());
		break;
	case 4: /* SETcc r8 */
		put(s, 0x0f);
		put(s, (uint8_t)(0x90 + below(16)));
		registers(s, below(4), 0);
		break;
	default: /* BSWAP; BT r, imm8 */
		put(s, 0x0f);
		if (below(2)) {
			put(s, 0xc8 + reg());
		} else {
			put(s, 0xba);
			registers(s, reg(), 4);
			put(s, (uint8_t)below(32));
		}
	}
}

static void access_memory(struct snippet *s)
{
	switch (below(4)) {
	case 0:
	case 1: /* MOV ADD XOR CMP r, [m] */
		put(s, PICK("\x8b\x8b\x03\x33\x3b"));
		memory(s, reg());
		break;
	case 2: /* MOV ADD OR [m], r */
		put(s, PICK("\x89\x89\x01\x09"));
		memory(s, reg());
		break;
	default: /* PUSH; POP */
		put(s, 0x50 + reg());
		put(s, 0x58 + reg());
	}
}

static void vector(struct snippet *s)
{
	unsigned to = below(6), from = below(6);

	switch (below(3)) {
	case 0: /* MOVAPS ADDPS MULPS XORPS ANDPS */
		put(s, 0x0f);
		put(s, PICK("\x28\x58\x59\x57\x54"));
		registers(s, from, to);
		break;
	case 1: /* PADDD PXOR PAND PMULLW PSUBB */
		put(s, 0x66);
		put(s, 0x0f);
		put(s, PICK("\xfe\xef\xdb\xd5\xf8"));
		registers(s, from, to);
		break;
	default: /* MOVUPS x, [m]; [m], x */
		put(s, 0x0f);
		put(s, PICK("\x10\x10\x11"));
		put(s, (uint8_t)(0x40 | to << 3 | ESI));
		put(s, (uint8_t)(16 * below(7)));
	}
}

/* FADD, FMUL ST, ST(i); FXCH. */
static void x87(struct snippet *s)
{
	static const uint8_t code[][2] = { { 0xd8, 0xc0 }, { 0xd8, 0xc8 }, { 0xd9, 0xc8 } };
	unsigned i = below(3);

	put(s, code[i][0]);
	put(s, (uint8_t)(code[i][1] + 1 + below(3)));
}

static void make(struct snippet *s, uint64_t seed, unsigned number, bool sse)
{
	unsigned insns;

	state = (seed << 32 | number) * 0x9e3779b97f4a7c15ull | 1;
	for (unsigned i = 0; i < 8; i++)
		below(2);
	s->bytes = 0;
	insns = 1 + below(12);
	while (insns--) {
		switch (below(8)) {
		case 0:
		case 1:
		case 2:
			arithmetic(s);
			break;
		case 3:
		case 4:
			other_integer(s);
			break;
		case 5:
			access_memory(s);
			break;
		default:
			(sse && below(3) ? vector : x87)(s);
		}
	}
}

static void print_source(const struct snippet *s, unsigned number)
{
	printf("\tSNIPPET random.%u, \"made by chance\"\n\tUNROLL %d\n\tROUNDS %d\n", number,
	       UNROLL, ROUNDS);
	printf("\tINIT\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tBODY\n\t.byte ");
	for (unsigned i = 0; i < s->bytes; i++)
		printf("%s0x%02x", i ? ", " : "", s->code[i]);
	printf("\n\tEND\n\n");
}

/* ---- On the core ---- */

struct decoded {
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	struct core_insn core;
};

static struct core core;

static struct decoded decode(const struct core_machine *m, unsigned width, const uint8_t *at)
{
	struct decoded d;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder,
	                 width == 64 ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
	                 width == 64 ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, at, 15, &d.zi, d.op))) {
		fprintf(stderr, "snippets: %02x %02x %02x is no instruction\n", at[0], at[1],
		        at[2]);
		exit(1);
	}
	d.core = core_decode(m, &d.zi, d.op);
	return d;
}

/* The data area, the stack and the counter of the rounds lie apart. */
static uint64_t address_of(const ZydisDecodedOperandMem *mem)
{
	if (mem->base == ZYDIS_REGISTER_ESP || mem->base == ZYDIS_REGISTER_RSP)
		return 0x208000;
	return mem->base ? 0x100000 + (uint64_t)mem->disp.value : 0x300000;
}

static void execute(const struct decoded *d, uint64_t *rip, bool taken, uint64_t *clock)
{
	struct core_dyn dyn = { .rip = *rip, .taken = taken };
	struct core_result result;

	for (unsigned write = 0; write < 2; write++)
		for (unsigned i = 0; i < d->zi.operand_count; i++)
			if (d->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			    d->op[i].mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
			    d->op[i].actions & (write ? ZYDIS_OPERAND_ACTION_MASK_WRITE
			                              : ZYDIS_OPERAND_ACTION_MASK_READ))
				dyn.access[dyn.accesses++] = (struct core_access){
					.address = address_of(&d->op[i].mem),
					.size = (uint8_t)(d->op[i].size / 8),
					.write = write,
				};
	core_step(&core, &d->core, &dyn, &result);
	*clock += result.clocks;
	*rip += d->zi.length;
}

struct code {
	struct decoded body[INSNS], count, branch, nop;
	unsigned insns;
};

static void decode_all(struct code *c, const struct core_machine *m, unsigned width,
                       const struct snippet *s)
{
	static const uint8_t dec[15] = { 0xff, 0x0d }, dec64[15] = { 0xff, 0x0c, 0x25 };
	static const uint8_t jnz[15] = { 0x0f, 0x85 }, nop[15] = { 0x90 };

	c->count = decode(m, width, width == 64 ? dec64 : dec);
	c->branch = decode(m, width, jnz);
	c->nop = decode(m, width, nop);
	c->insns = 0;
	for (unsigned at = 0; at < s->bytes; at += c->body[c->insns++].zi.length)
		c->body[c->insns] = decode(m, width, s->code + at);
}

/*
 * Clocks of a copy: of the second half of so many in a row behind some NOPs, round after round.
 * drained: the first round that counts begins when all before has retired.
 */
static double copy_clocks(const struct core_machine *m, const struct code *c, unsigned copies,
                          unsigned nops, bool drained)
{
	uint64_t clock = 0, sum = 0;

	if (!core_reset(&core, m, NULL))
		exit(1);
	for (unsigned round = 0; round < WARM + ROUNDS; round++) {
		uint64_t rip = 0x400000, half = 0;

		if (drained && round == WARM)
			core_event(&core, 1);
		for (unsigned i = 0; i < nops; i++)
			execute(&c->nop, &rip, false, &clock);
		for (unsigned i = 0; i < copies * c->insns; i++) {
			if (i == copies / 2 * c->insns)
				half = clock;
			execute(&c->body[i % c->insns], &rip, false, &clock);
		}
		if (round >= WARM)
			sum += clock - half;
		execute(&c->count, &rip, false, &clock);
		execute(&c->branch, &rip, true, &clock);
	}
	core_free(&core);
	return (double)sum / ROUNDS / (copies - copies / 2);
}

static void print_clocks(const struct core_machine *m, unsigned width, const struct snippet *s,
                         unsigned number)
{
	static const unsigned lengths[] = { UNROLL, 96, 2 * UNROLL, 160, 192, 256 };
	double least = 1e9, most = 0;
	struct code code;

	decode_all(&code, m, width, s);
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (unsigned begin = 0; begin < 10; begin++) {
			double clocks = copy_clocks(m, &code, lengths[i], begin % 5, begin >= 5);

			least = clocks < least ? clocks : least;
			most = clocks > most ? clocks : most;
		}
	printf("random.%u %.4f %.4f\n", number, least, most);
}

int main(int argc, char **argv)
{
	bool source = argc == 5 && !strcmp(argv[1], "source");
	struct core_machine *m = NULL;
	const char *why = NULL;

	if (!source && (argc != 7 || strcmp(argv[1], "clocks"))) {
		fprintf(stderr, "usage: snippets source SEED COUNT SSE\n"
		                "       snippets clocks SEED COUNT SSE MACHINE WIDTH\n");
		return 3;
	}
	if (source)
		printf("#include \"bench/snippet.inc\"\n\n");
	else if (!(m = core_machine(argv[5], &why))) {
		fprintf(stderr, "snippets: %s\n", why ? why : "no such machine");
		return 1;
	}
	for (unsigned i = 0; i < strtoul(argv[3], NULL, 10); i++) {
		struct snippet s;

		memset(&s, 0, sizeof(s));
		make(&s, strtoull(argv[2], NULL, 10), i, argv[4][0] == '1');
		if (source) {
			print_source(&s, i);
			continue;
		}
		print_clocks(m, (unsigned)atoi(argv[6]), &s, i);
	}
	core_machine_free(m);
	return 0;
}
