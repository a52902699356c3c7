/*
 * Forms by their bytes.
 */
#include "bench/instr/sequence.h"

enum { COPIES_VARY = 7 };

static void x87_init(struct instr_form *f, const struct instr_sequence *s, const uint8_t *code)
{
	INSTR_INIT_BYTES(f, "\xdb\xe3\xd9\x2e"); /* FNINIT; FLDCW [SI] */
	if (s->sine) {
		/* x, f(x): ST(1) = x - f(x), so that f(x) + ST(1) is x again */
		INSTR_INIT_BYTES(f, "\xdd\x07\xd9\xc0"); /* FLD m64 [DI]; FLD ST */
		instr_add_init(f, code, 2);              /* the function */
		INSTR_INIT_BYTES(f, "\xde\xe9\xdd\x07"); /* FSUBP; FLD m64 [DI] */
		return;
	}
	for (unsigned i = 0; i < 7; i++)
		INSTR_INIT_BYTES(f, "\xdd\x07");
	INSTR_INIT_BYTES(f, "\xdd\x03"); /* FLD m64 [BX] */
}

/* Reads the operand at XSI, and 2 KB at XDI that a walk may write. */
static void warm_init(struct instr_form *f)
{
	static const uint8_t code[] = {
		0x48, 0x89, 0xf2,                         /* MOV XDX, XSI */
		0x48, 0x8b, 0x06,                         /* MOV XAX, [XSI] */
		0x48, 0x89, 0xfe,                         /* MOV XSI, XDI */
		0xb9, 0x00, 0x02, 0x00, 0x00, 0xf3, 0xad, /* MOV ECX, 512; REP LODSD */
		0x48, 0x89, 0xd6,                         /* MOV XSI, XDX */
	};

	for (size_t i = 0; i < sizeof(code); i++)
		if (f->wide || code[i] != 0x48)
			instr_add_init(f, &code[i], 1);
}

static bool exists(const struct instr_form *f, const struct instr_sequence *s)
{
	return (f->throughput ? s->throughput : s->latency) && instr_has(f, s->need) &&
	       !(f->wide ? s->only_32 : s->only_64);
}

bool instr_make_sequence(struct instr_form *f, struct bench *b, const struct bench_area *area,
                         const struct instr_sequence *s, const char *form, const uint8_t *code)
{
	unsigned copies = f->throughput && s->vary ? COPIES_VARY : 1;

	if (!exists(f, s))
		return false;
	instr_add_needs(f, s->need);
	for (unsigned i = 0; i < copies; i++)
		for (unsigned j = 0; j < s->size; j++) {
			uint8_t byte = (uint8_t)(code[j] + (j & 1) * i);

			instr_add_body(f, &byte, 1);
		}
	b->insns = s->insns * copies;
	/* copies of one instruction are as many operations; a combination is one */
	b->ops = s->same ? b->insns : copies;
	instr_put(f, form);
	f->memory = (struct instr_memory){
		.data = s->data,
		.cold = s->cold,
		.control = (uint16_t)(s->precision << 8),
		.rest = s->rest,
		.top = s->top,
		.step = INSTR_VECTOR_STEP,
	};
	if (s->data == DATA_X87)
		x87_init(f, s, code);
	else if (cpu_has(f->cpu, CPU_AVX))
		INSTR_INIT_BYTES(f, "\xc5\xfc\x77"); /* VZEROALL */
	if (s->warm)
		warm_init(f);
	instr_use_memory(f, b, area);
	if (s->walk)
		instr_few_copies(b);
	if (s->privileged)
		b->flags |= SNIPPET_PRIVILEGED;
	if (s->exits)
		b->flags |= SNIPPET_EXITS;
	instr_finish(f, b);
	return true;
}
