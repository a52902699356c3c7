/*
 * The table of the instruction set against an independent decoder. Every body that bench/instr/
 * generates, in both widths, must decode to the instruction, the operands and the features that its
 * name and its needs say. Code for latency reads what it wrote; code for throughput does not.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

#include <Zydis/Zydis.h>

#include "bench/instr/instr.h"
#include "kernel/cpu/internal.h"

enum { DATA = 192 * 1024, MOST = 16384, INSNS = 16 };

/* What the source section needs; there is no kernel here to walk it. */
static uint8_t data[DATA] __attribute__((aligned(65536)));
static uint8_t stack[65536];
static const struct bench_area area = { .data = data, .stack = stack + 32768 };

static struct cpu all, p5;
static unsigned complaints;

/* Every mistake of a table of thousands, not the first alone. */
static void __attribute__((format(printf, 1, 2))) complain(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (complaints++ < 40) {
		vprintf(format, ap);
		putchar('\n');
	}
	va_end(ap);
}

/* kernel/cpu/features.c is here for its names alone. */
struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	(void)c;
	return cpuid(leaf, subleaf);
}

struct decoded {
	ZydisDecodedInstruction i;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
};

static struct decoded code[INSNS];
static unsigned ncode;

static ZydisDecoder decoder(bool wide)
{
	ZydisDecoder d;

	ZydisDecoderInit(&d, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
	                 wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	return d;
}

/* Decodes all bytes into code[]; false if something is no instruction. */
static bool decode(const uint8_t *bytes, size_t size, bool wide, unsigned most)
{
	ZydisDecoder d = decoder(wide);

	for (ncode = 0; size; ncode++) {
		struct decoded *c = &code[ncode % INSNS];

		if (ncode == most ||
		    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&d, bytes, size, &c->i, c->op)))
			return false;
		bytes += c->i.length;
		size -= c->i.length;
	}
	return true;
}

typedef void check_fn(const struct bench *b, bool wide);

/* Calls check for every benchmark of a CPU and width; returns how many forms there were. */
static unsigned each(const struct cpu *cpu, bool wide, check_fn *check)
{
	static char last[64];
	struct bench b;
	unsigned forms = 0, i;

	last[0] = 0;
	for (i = 0; instr_get(i, &b, cpu, &area, wide); i++) {
		if (check)
			check(&b, wide);
		forms += strcmp(last, b.form) != 0;
		snprintf(last, sizeof(last), "%s", b.form);
	}
	assert_true(i < MOST);
	return forms;
}

static void both(check_fn *check)
{
	complaints = 0;
	each(&all, false, check);
	each(&all, true, check);
	assert_int_equal(complaints, 0);
}

/* --- names --- */

static char names[MOST][BENCH_NAME];
static unsigned nnames;

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void collect(const struct bench *b, bool wide)
{
	(void)wide;
	assert_true(strlen(b->name) < BENCH_NAME);
	assert_null(strpbrk(b->name, " ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
	for (const char *p = b->name; *p; p++)
		assert_true(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '.' ||
		            *p == '_');
	assert_true(strlen(b->form) < 60);
	assert_int_equal(strncmp(b->name, b->kind[0] == 'l' ? "instr.lat." : "instr.tp.", 9), 0);
	memcpy(names[nnames++], b->name, BENCH_NAME);
}

static void unique(bool wide)
{
	nnames = 0;
	each(&all, wide, collect);
	qsort(names, nnames, BENCH_NAME, by_text);
	for (unsigned i = 1; i < nnames; i++)
		if (!strcmp(names[i - 1], names[i]))
			complain("%s twice", names[i]);
}

static void test_names(void **s)
{
	(void)s;
	complaints = 0;
	unique(false);
	unique(true);
	assert_int_equal(complaints, 0);
}

/* --- decoding --- */

static void decodes(const struct bench *b, bool wide)
{
	if (!decode(b->init, b->init_size, wide, 64))
		complain("%s: init does not decode", b->name);
	if (!decode(b->body, b->body_size, wide, INSNS))
		complain("%s: body does not decode", b->name);
	if (ncode != b->insns)
		complain("%s: %u instructions, said to be %u", b->name, ncode, b->insns);
	if (!b->ops || b->insns % b->ops)
		complain("%s: %u operations", b->name, b->ops);
	if (b->widths != (wide ? SNIPPET_64 : SNIPPET_32) || b->flags & SNIPPET_DEFAULT)
		complain("%s: flags", b->name);
}

static void test_decodes(void **s)
{
	(void)s;
	both(decodes);
}

/* --- mnemonic and operands --- */

/* Conditions by the names of Zydis. */
static const char *const conditions[][2] = {
	{ "C", "B" },   { "NC", "NB" }, { "NA", "BE" },
	{ "A", "NBE" }, { "NG", "LE" }, { "G", "NLE" },
};

/* Zydis 4.0 spells these two in its own way. */
static const char *const respelled[][2] = { { "PFSQRT", "PFRSQRT" }, { "PFCPIT1", "PFRCPIT1" } };

static void expected_mnemonic(char *to, const char *form)
{
	size_t n, stem;

	if (!strncmp(form, "LOCK ", 5))
		form += 5;
	n = strcspn(form, " +");
	memcpy(to, form, n);
	to[n] = 0;
	stem = !strncmp(to, "SET", 3) ? 3 : !strncmp(to, "CMOV", 4) ? 4 : to[0] == 'J' ? 1 : 0;
	for (size_t i = 0; stem && i < sizeof(conditions) / sizeof(conditions[0]); i++)
		if (!strcmp(to + stem, conditions[i][0])) {
			strcpy(to + stem, conditions[i][1]);
			break;
		}
}

static void upper(char *to, const char *from)
{
	do
		*to++ = (char)toupper((unsigned char)*from);
	while (*from++);
}

static void mnemonic_of(char *to, const struct decoded *c)
{
	upper(to, ZydisMnemonicGetString(c->i.mnemonic));
	for (size_t i = 0; i < sizeof(respelled) / sizeof(respelled[0]); i++)
		if (!strcmp(to, respelled[i][0]))
			strcpy(to, respelled[i][1]);
}

static void operand_text(char *to, const struct decoded *c, const ZydisDecodedOperand *o)
{
	ZydisRegisterClass k = ZydisRegisterGetClass(o->reg.value);
	ZydisMachineMode mode = c->i.machine_mode;

	switch (o->type) {
	case ZYDIS_OPERAND_TYPE_MEMORY:
		to += sprintf(to, "[m%u", o->size);
		sprintf(to, o->mem.disp.value ? " + %d]" : "]", (int)o->mem.disp.value);
		break;
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		if (o->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT)
			sprintf(to, "1");
		else
			sprintf(to, "imm%u", c->i.raw.imm[0].size);
		break;
	default:
		if (o->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT)
			sprintf(to, "%s", ZydisRegisterGetString(o->reg.value));
		else if (k == ZYDIS_REGCLASS_MMX)
			sprintf(to, "mm");
		else if (k == ZYDIS_REGCLASS_XMM)
			sprintf(to, "xmm");
		else if (k == ZYDIS_REGCLASS_YMM)
			sprintf(to, "ymm");
		else if (k == ZYDIS_REGCLASS_ZMM)
			sprintf(to, "zmm");
		else if (k == ZYDIS_REGCLASS_MASK)
			sprintf(to, "k");
		else
			sprintf(to, "r%u", ZydisRegisterGetWidth(mode, o->reg.value));
	}
}

/* "ADD r1_32, r2_32" -> "ADD r32, r32"; {k} and im8 likewise. */
static void plain_form(char *to, const char *form)
{
	char before = 0;

	for (; *form; before = *form++) {
		if (form[0] == 'r' && isdigit((unsigned char)form[1]) && form[2] == '_') {
			*to++ = 'r';
			form += 2;
		} else if ((*form == '1' || *form == '2') && before == 'm' &&
		           (form[1] == ',' || !form[1])) {
			continue;
		} else if (!strncmp(form, "{k}", 3)) {
			form += 2;
		} else if (!strncmp(form, "im8", 3)) {
			memcpy(to, "imm8", 4);
			to += 4;
			form += 2;
		} else if (!strncmp(form, "_0", 2) && isdigit((unsigned char)before)) {
			form++;
		} else {
			*to++ = *form;
		}
	}
	*to = 0;
}

/* The form of a decoded instruction, spelled as in the table. */
static void form_of(char *to, const struct decoded *c, bool *masked)
{
	bool first = true;

	*masked = false;
	mnemonic_of(to, c);
	for (unsigned i = 0; i < c->i.operand_count_visible; i++) {
		const ZydisDecodedOperand *o = &c->op[i];

		if (o->encoding == ZYDIS_OPERAND_ENCODING_MASK) {
			*masked = *masked || o->reg.value != ZYDIS_REGISTER_K0;
			continue;
		}
		strcat(to, first ? " " : ", ");
		operand_text(to + strlen(to), c, o);
		first = false;
	}
}

/* Is the form one of a row: a mnemonic and ordinary operands? */
static bool of_row(const char *form)
{
	const char *p = strstr(form, "LOCK ") == form ? form + 5 : form;

	return !strchr(p, '(') && !strstr(p, "pair") && !strstr(p, "+M") && !strstr(p, "+A") &&
	       !strstr(p, "+P") && !strstr(p, " + P") && !strstr(p, " + M") && !strstr(p, " + F") &&
	       !strstr(p, " + S") && !strstr(p, " + C") && !strstr(p, " + L") &&
	       !strstr(p, " + R") && !strstr(p, " + V") && !strstr(p, " + B") &&
	       !strstr(p, "xm1") && !strstr(p, "0x") && !strstr(p, "LNOP") &&
	       strncmp(p, "LEA", 3) && !strstr(p, "rel") && strncmp(p, "DIV r", 5) &&
	       strncmp(p, "IDIV r", 6) && !strstr(p, "[mem]") && !strstr(p, ", st") &&
	       !strstr(p, ", cr") && !strstr(p, ", ds") && p[0] != 'F' && !strstr(p, "B8") &&
	       strcspn(p, " ") < strlen(p) && strncmp(p, "PUSH", 4) && strncmp(p, "POP [", 5) &&
	       strncmp(p, "POP r", 5) && strncmp(p, "MOV r64, imm64", 14);
}

/* --- registers at the start --- */

static bool of_vectors(ZydisRegister r)
{
	switch (ZydisRegisterGetClass(r)) {
	case ZYDIS_REGCLASS_MMX:
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return true;
	case ZYDIS_REGCLASS_MASK:
		return r != ZYDIS_REGISTER_K0; /* no mask at all, in most places */
	default:
		return false;
	}
}

/* Notes what the code writes; complains of registers that it reads and that are not yet written. */
static void follow(const struct bench *b, const uint8_t *bytes, size_t size, bool wide,
                   bool *written)
{
	ZydisMachineMode mode = wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32;
	ZydisDecoder d = decoder(wide);
	struct decoded c;

	for (; size && ZYAN_SUCCESS(ZydisDecoderDecodeFull(&d, bytes, size, &c.i, c.op));
	     bytes += c.i.length, size -= c.i.length) {
		for (unsigned i = 0; i < c.i.operand_count; i++) {
			ZydisRegister r = c.op[i].reg.value;

			if (c.op[i].type != ZYDIS_OPERAND_TYPE_REGISTER || !of_vectors(r))
				continue;
			if (ZydisRegisterGetLargestEnclosing(mode, r))
				r = ZydisRegisterGetLargestEnclosing(mode, r);
			if (c.op[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ && !written[r] &&
			    bytes >= b->body && bytes < b->body + b->body_size)
				complain("%s: nothing sets %s", b->name, ZydisRegisterGetString(r));
			if (c.op[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
				written[r] = true;
		}
	}
}

/* The time of an instruction may depend on values: with zeros in a mask it computes no element. */
static void starts_known(const struct bench *b, bool wide)
{
	bool written[ZYDIS_REGISTER_MAX_VALUE + 1] = { false };

	if (!of_row(b->form) || !b->init_size || strstr(b->form, "m128 + 4"))
		return; /* they measure the engine's zeros */
	follow(b, b->init, b->init_size, wide, written);
	follow(b, b->body, b->body_size, wide, written);
}

static void test_start(void **s)
{
	(void)s;
	both(starts_known);
}

/* "XCHG r8, [m8]" -> "XCHG [m8], r8" */
static void swap_operands(char *form)
{
	char mnemonic[8], first[16], second[16];

	if (sscanf(form, "%7s %15[^,], %15s", mnemonic, first, second) == 3)
		sprintf(form, "%s %s, %s", mnemonic, second, first);
}

static bool reads_xmm0(const struct decoded *c)
{
	for (unsigned i = c->i.operand_count_visible; i < c->i.operand_count; i++)
		if (c->op[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    c->op[i].reg.value == ZYDIS_REGISTER_XMM0)
			return true;
	return false;
}

static void check_form(const struct bench *b, const struct decoded *c)
{
	char want[80], stem[80], got[160];
	const char *form = b->form;
	bool masked, lock = !strncmp(form, "LOCK ", 5);

	plain_form(stem, lock ? form + 5 : form);
	expected_mnemonic(want, stem);
	strcat(want, stem + strcspn(stem, " "));
	if (c->i.mnemonic == ZYDIS_MNEMONIC_XCHG && strchr(want, '[')) /* Zydis: memory first */
		swap_operands(want);
	if (strstr(want, ", xmm0")) {
		*strstr(want, ", xmm0") = 0;
		if (!reads_xmm0(c))
			complain("%s: no XMM0", b->name);
	}
	form_of(got, c, &masked);
	if (strcmp(want, got))
		complain("%s: \"%s\" decodes as \"%s\"", b->name, want, got);
	if (masked != !!strstr(form, "{k}"))
		complain("%s: mask", b->name);
	if (lock != !!(c->i.attributes & ZYDIS_ATTRIB_HAS_LOCK))
		complain("%s: lock", b->name);
}

/* Forms by their bytes: the form names the last instruction. */
static void check_named(const struct bench *b, const struct decoded *c)
{
	char want[80], got[80], text[80];

	mnemonic_of(got, c);
	upper(text, b->form);
	expected_mnemonic(want, b->form);
	if (!strstr(text, got) && strcmp(want, got))
		complain("%s: \"%s\" ends with %s", b->name, b->form, got);
}

static unsigned rows_checked;

static void says_what_it_is(const struct bench *b, bool wide)
{
	decode(b->body, b->body_size, wide, INSNS);
	if (!of_row(b->form)) {
		check_named(b, &code[ncode - 1]);
		return;
	}
	rows_checked++;
	for (unsigned i = 0; i < ncode; i++)
		check_form(b, &code[i]);
}

static void test_forms(void **s)
{
	(void)s;
	rows_checked = 0;
	both(says_what_it_is);
	print_message("%u benchmarks checked operand by operand\n", rows_checked);
	assert_true(rows_checked > 8000);
}

/* --- features --- */

/* isa_set of Zydis, a prefix of it with '*', and the features that it needs. */
static const struct {
	const char *set, *needs;
} isa[] = {
	{ "I86", "" },
	{ "I186", "" },
	{ "I286PROTECTED", "" },
	{ "I286REAL", "" },
	{ "I386", "" },
	{ "I486REAL", "" },
	{ "I486", "" },
	{ "LONGMODE", "" },
	{ "AMD", "" },
	{ "PPRO", "" },
	{ "FAT_NOP", "cmov" },
	{ "X87", "fpu" },
	{ "FCMOV", "cmov" },
	{ "FCOMI", "cmov" },
	{ "CMOV", "cmov" },
	{ "PENTIUMREAL", "" },
	{ "PENTIUMMMX", "mmx" },
	{ "SSEMXCSR", "sse" },
	{ "SSE_PREFETCH", "sse" },
	{ "SSE2MMX", "sse2" },
	{ "SSE3X87", "sse3" },
	{ "SSSE3MMX", "ssse3" },
	{ "SSE4", "sse4_1" },
	{ "SSE42", "sse4_2" },
	{ "SSE3", "sse3" },
	{ "SSE2", "sse2" },
	{ "SSE", "sse" },
	{ "SSSE3", "ssse3" },
	{ "PAUSE", "sse2" },
	{ "AES", "aes" },
	{ "PCLMULQDQ", "pclmulqdq" },
	{ "SHA", "sha" },
	{ "GFNI", "gfni" },
	{ "AVX_GFNI", "gfni avx" },
	{ "AVXAES", "aes avx" },
	{ "AVX", "avx" },
	{ "AVX2", "avx2" },
	{ "FMA", "fma" },
	{ "F16C", "f16c" },
	{ "VAES", "vaes" },
	{ "VPCLMULQDQ", "vpclmulqdq" },
	{ "BMI1", "bmi1" },
	{ "BMI2", "bmi2" },
	{ "ADOX_ADCX", "adx" },
	{ "MOVBE", "movbe" },
	{ "POPCNT", "popcnt" },
	{ "LZCNT", "abm" },
	{ "RDRAND", "rdrand" },
	{ "RDSEED", "rdseed" },
	{ "RDTSCP", "rdtscp" },
	{ "CLFSH", "clfsh" },
	{ "CLFLUSHOPT", "clflushopt" },
	{ "CLWB", "clwb" },
	{ "SERIALIZE", "serialize" },
	{ "XSAVE", "xsave" },
	{ "LAHF", "" },
	{ "CMPXCHG16B", "cx16" },
	{ "AMD3DNOW", "3dnow" },
	{ "PREFETCH_NOP", "3dnowprefetch" },
	{ "AVX512F_*", "avx512f" },
	{ "AVX512DQ_*", "avx512dq" },
	{ "AVX512BW_*", "avx512bw" },
	{ "AVX512CD_*", "avx512cd" },
	{ "AVX512_IFMA_*", "avx512ifma" },
	{ "AVX512_VBMI_*", "avx512vbmi" },
	{ "AVX512_VNNI_*", "avx512vnni" },
	{ "AVX512_BITALG_*", "avx512bitalg" },
	{ "AVX512_VPOPCNTDQ_*", "avx512vpopcntdq" },
	{ "AVX512_VAES_*", "vaes avx512f" },
	{ "AVX512_VPCLMULQDQ_*", "vpclmulqdq avx512f" },
	{ "AVX512_GFNI_*", "gfni avx512f" },
	{ "AVX512_VBMI2_*", "avx512_vbmi2" },
	{ "AVX512_BF16_*", "avx512_bf16" },
	{ "AVX512_VP2INTERSECT_*", "avx512_vp2intersect" },
	{ "AVX512_FP16_*", "avx512_fp16" },
	{ "AVX512ER_*", "avx512er" },
	{ "AVX2GATHER", "avx2" },
	{ "XOP", "xop" },
	{ "FMA4", "fma4" },
	{ "TBM", "tbm" },
	{ "SSE4A", "sse4a" },
	{ "SMAP", "smap" },
	{ "CET", "cmov" },
	{ "CLDEMOTE", "cldemote" },
	{ "RDPID", "rdpid" },
	{ "MOVDIR", "" }, /* a bit for each of its two */
	{ "CLZERO", "clzero" },
	{ "RDPRU", "rdpru" },
	{ "FXSAVE", "fxsr" },
	{ "FXSAVE64", "fxsr" },
};

static bool has_word(const char *list, const char *word, size_t n)
{
	for (const char *p = list; (p = strstr(p, word)); p++)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

static void check_word(const struct bench *b, const char *set, const char *word, size_t n)
{
	char w[32];

	snprintf(w, sizeof(w), "%.*s", (int)n, word);
	/* Zydis counts what SSE added to MMX as MMX; SSE implies that */
	if (!strcmp(w, "mmx") && strstr(b->needs, "sse"))
		return;
	if (n && !has_word(b->needs, w, n))
		complain("%s: needs \"%s\" lack %s of %s", b->name, b->needs, w, set);
}

static void check_isa(const struct bench *b, const char *set)
{
	for (size_t i = 0; i < sizeof(isa) / sizeof(isa[0]); i++) {
		size_t n = strcspn(isa[i].set, "*");
		const char *p = isa[i].needs;

		if (isa[i].set[n] ? strncmp(isa[i].set, set, n) : strcmp(isa[i].set, set))
			continue;
		if (isa[i].set[n] && (!strcmp(set + n, "128") || !strcmp(set + n, "256")))
			check_word(b, set, "avx512vl", 8);
		while (*p) {
			size_t w = strcspn(p, " ");

			check_word(b, set, p, w);
			p += w + (p[w] == ' ');
		}
		return;
	}
	complain("%s: what does %s need?", b->name, set);
}

static void needs_right(const struct bench *b, bool wide)
{
	decode(b->body, b->body_size, wide, INSNS);
	for (unsigned i = 0; i < ncode; i++) {
		const char *set = ZydisISASetGetString(code[i].i.meta.isa_set);

		if (set)
			check_isa(b, set);
	}
}

static void test_needs(void **s)
{
	(void)s;
	both(needs_right);
}

/* --- dependences --- */

struct places {
	uint64_t regs[5]; /* largest enclosing registers */
	int64_t mem[4];   /* base and displacement */
	unsigned nmem;
};

static void add_reg(struct places *p, ZydisMachineMode mode, ZydisRegister r)
{
	ZydisRegister largest = ZydisRegisterGetLargestEnclosing(mode, r);

	if (ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_XMM ||
	    ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_YMM ||
	    ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_ZMM)
		largest = ZYDIS_REGISTER_ZMM0 + ZydisRegisterGetId(r);
	if (!largest)
		largest = r;
	if (largest)
		p->regs[largest / 64] |= (uint64_t)1 << largest % 64;
}

/* Moves of which the destination keeps a part: Zydis calls that written. */
static bool merges(const struct decoded *c)
{
	bool registers = c->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER;

	if (c->i.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return false;
	switch (c->i.mnemonic) {
	case ZYDIS_MNEMONIC_MOVSS:
	case ZYDIS_MNEMONIC_MOVSD:
		return registers;
	case ZYDIS_MNEMONIC_MOVHLPS:
	case ZYDIS_MNEMONIC_MOVLHPS:
	case ZYDIS_MNEMONIC_MOVLPS:
	case ZYDIS_MNEMONIC_MOVHPS:
	case ZYDIS_MNEMONIC_MOVLPD:
	case ZYDIS_MNEMONIC_MOVHPD:
	case ZYDIS_MNEMONIC_EXTRQ:
		return true;
	default:
		return false;
	}
}

static void note(const struct decoded *c, const ZydisDecodedOperand *o, struct places *reads,
                 struct places *writes)
{
	ZydisMachineMode mode = c->i.machine_mode;
	int64_t at;

	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		if (o->actions &
		            (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE) ||
		    (o->id == 0 && merges(c)))
			add_reg(reads, mode, o->reg.value);
		if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			add_reg(writes, mode, o->reg.value);
	}
	if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
		return;
	add_reg(reads, mode, o->mem.base);
	if (o->mem.index)
		add_reg(reads, mode, o->mem.index);
	at = (int64_t)o->mem.base << 32 | (uint32_t)o->mem.disp.value;
	if (o->mem.type == ZYDIS_MEMOP_TYPE_MEM && o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		reads->mem[reads->nmem++] = at;
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		writes->mem[writes->nmem++] = at;
}

static void effects(const struct decoded *c, unsigned n, struct places *reads,
                    struct places *writes)
{
	memset(reads, 0, sizeof(*reads));
	memset(writes, 0, sizeof(*writes));
	for (unsigned i = 0; i < n; i++)
		note(c, &c->op[i], reads, writes);
}

static bool meet(const struct places *w, const struct places *r)
{
	for (unsigned i = 0; i < 5; i++)
		if (w->regs[i] & r->regs[i])
			return true;
	for (unsigned i = 0; i < w->nmem; i++)
		for (unsigned j = 0; j < r->nmem; j++)
			if (w->mem[i] == r->mem[j])
				return true;
	return false;
}

/* Forms by their bytes depend through flags, the x87 stack, the stack pointer and so on. */
static void latency_depends(const struct bench *b)
{
	struct places r[INSNS], w[INSNS];
	bool found = false;

	for (unsigned i = 0; i < ncode; i++)
		effects(&code[i],
		        of_row(b->form) ? code[i].i.operand_count_visible : code[i].i.operand_count,
		        &r[i], &w[i]);
	/* along the body and round to the next copy */
	if (of_row(b->form) || ncode == 1) {
		found = meet(&w[0], &r[0]);
		for (unsigned i = 0; i < ncode; i++)
			found = found && meet(&w[i], &r[(i + 1) % ncode]);
	} else {
		found = meet(&w[ncode - 1], &r[0]) || meet(&w[0], &r[ncode - 1]) ||
		        (meet(&w[0], &r[0]) && meet(&w[ncode - 1], &r[ncode - 1]));
	}
	/* CMC: the carry; XLAT: AL is part of the address */
	if (code[0].i.mnemonic == ZYDIS_MNEMONIC_CMC || code[0].i.mnemonic == ZYDIS_MNEMONIC_XLAT)
		return;
	if (!found)
		complain("%s: no chain in \"%s\"", b->name, b->form);
}

static void throughput_free(const struct bench *b)
{
	struct places r[INSNS], w[INSNS];

	for (unsigned i = 0; i < ncode; i++)
		effects(&code[i], code[i].i.operand_count_visible, &r[i], &w[i]);
	for (unsigned i = 0; i < ncode; i++)
		for (unsigned j = 0; j < ncode; j++)
			if (i != j && meet(&w[i], &r[j]))
				complain("%s: %u reads what %u wrote", b->name, j, i);
}

static void depends_as_said(const struct bench *b, bool wide)
{
	decode(b->body, b->body_size, wide, INSNS);
	if (b->kind[0] == 'l')
		latency_depends(b);
	else if (of_row(b->form) || !strncmp(b->form, "LEA", 3))
		throughput_free(b);
}

static void test_dependences(void **s)
{
	(void)s;
	both(depends_as_said);
}

/* --- divisions: the chain keeps its operands, and nothing overflows --- */

static uint64_t whole(uint64_t v, unsigned size)
{
	return size == 64 ? v : v & (((uint64_t)1 << size) - 1);
}

static void divides(const struct bench *b, bool wide)
{
	unsigned size = 0;
	bool sign = b->form[0] == 'I';
	unsigned __int128 n, q, d, r;

	(void)wide;
	if (sscanf(b->form, sign ? "IDIV r%u " : "DIV r%u ", &size) != 1)
		return;
	d = whole(b->set[REG_CX], size);
	n = size == 8 ? b->set[REG_AX] & 0xffff
	              : (unsigned __int128)whole(b->set[REG_DX], size) << size |
	                        whole(b->set[REG_AX], size);
	q = n / d;
	r = n % d;
	if (q >> (size - sign))
		complain("%s: overflow", b->name);
	if (b->kind[0] == 't')
		return;
	if (size == 8 ? (r << 8 | q) != n : r != whole(b->set[REG_DX], size))
		complain("%s: the remainder is not the upper half again", b->name);
	if (b->insns == 1 && (r << size | q) != n)
		complain("%s: the quotient is not the lower half again", b->name);
}

static void test_divisions(void **s)
{
	(void)s;
	both(divides);
}

/* --- how many --- */

static void test_counts(void **s)
{
	unsigned old = each(&p5, false, NULL), wide = each(&all, true, NULL);

	(void)s;
	print_message("%u forms on a P5, %u with every feature in 64-bit mode, %u in 32-bit mode\n",
	              old, wide, each(&all, false, NULL));
	assert_true(old >= 400);
	assert_true(wide >= 1000);
}

/* In any order it is the same form. */
static void test_any_order(void **s)
{
	struct bench b;
	char name[BENCH_NAME];

	(void)s;
	assert_true(instr_get(700, &b, &all, &area, true));
	memcpy(name, b.name, sizeof(name));
	assert_true(instr_get(3, &b, &all, &area, true));
	assert_string_not_equal(name, b.name);
	for (unsigned i = 0; i <= 700; i++)
		assert_true(instr_get(i, &b, &all, &area, true));
	assert_string_equal(name, b.name);
}

static const char *sought;

static bool begins_sought(const char *beginning)
{
	return !strncmp(sought, beginning, strlen(beginning));
}

/* Whoever wants one name finds it, and most others are left out. */
static void find_sought(bool wide)
{
	unsigned made = 0, found = 0;
	struct bench b;

	for (; instr_get(made, &b, &all, &area, wide); made++)
		found += !strcmp(b.name, sought);
	if (found != 1)
		complain("%s %u times", sought, found);
	if (made > 400)
		complain("%s among %u", sought, made);
}

static void test_only(void **s)
{
	(void)s;
	complaints = 0;
	for (unsigned wide = 0; wide < 2; wide++) {
		nnames = 0;
		each(&all, wide, collect);
		instr_only(begins_sought);
		for (unsigned i = 0; i < nnames; i += 5) {
			sought = names[i];
			find_sought(wide);
		}
		instr_only(NULL);
	}
	assert_int_equal(complaints, 0);
}

/* --- the reference table --- */

static void normal(char *to, const char *from)
{
	char *start = to;

	for (; *from; from++) {
		if (isalnum((unsigned char)*from))
			*to++ = (char)tolower((unsigned char)*from);
		else if (to != start && to[-1] != '_')
			*to++ = '_';
	}
	while (to != start && to[-1] == '_')
		to--;
	*to = 0;
}

static bool covered(const char *form)
{
	char key[160];

	for (unsigned i = 0; i < 2; i++) {
		snprintf(key, sizeof(key), "%s%s", i ? "instr.tp." : "instr.lat.", form);
		if (bsearch(key, names, nnames, BENCH_NAME, by_text))
			return true;
	}
	return false;
}

/* tests/data/measured-forms.txt: the forms of the InstLatX64 lists from P54C to Core 2. */
static void test_reference(void **s)
{
	FILE *in = fopen("tests/data/measured-forms.txt", "r");
	char line[128], key[128];
	unsigned n = 0, have = 0;

	(void)s;
	assert_non_null(in);
	unique(false);
	while (fgets(line, sizeof(line), in)) {
		assert_non_null(strchr(line, '\n'));
		if (line[0] == '#')
			continue;
		normal(key, line);
		n++;
		if (covered(key))
			have++;
		else if (getenv("SHOW_MISSING"))
			print_message("not in the table: %s", line);
	}
	fclose(in);
	print_message("%u of the %u forms of the reference table are in ours, spelled the same\n",
	              have, n);
	assert_true(have * 100 >= n * 90);
}

/* --- what is left out --- */

static uint8_t in_table[ZYDIS_MNEMONIC_MAX_VALUE + 1];

static void note_mnemonics(const struct bench *b, bool wide)
{
	decode(b->body, b->body_size, wide, INSNS);
	for (unsigned i = 0; i < ncode; i++)
		in_table[code[i].i.mnemonic] = 1;
}

/* "VPACKSTORE*" and "VPACKSTOREHD" */
static bool pattern_names(const char *pattern, size_t n, const char *mnemonic)
{
	bool open = n && pattern[n - 1] == '*';

	return open ? !strncasecmp(pattern, mnemonic, n - 1)
	            : strlen(mnemonic) == n && !strncasecmp(pattern, mnemonic, n);
}

/* Marks in left[] what one line names; each word must name something that the table lacks. */
static void read_left_out(const char *line, uint8_t *left)
{
	for (const char *p = line; *p && *p != '`';) {
		size_t n = strcspn(p, " `");
		bool found = false;

		for (ZydisMnemonic m = 1; m <= ZYDIS_MNEMONIC_MAX_VALUE; m++) {
			if (in_table[m] || !pattern_names(p, n, ZydisMnemonicGetString(m)))
				continue;
			left[m] = 1;
			found = true;
		}
		if (!found)
			complain("left out: %.*s is in the table, or does not exist", (int)n, p);
		p += n;
		p += strspn(p, " ");
	}
}

/*
 * Every mnemonic that Zydis knows is in the table, or the last section of the document gives a
 * reason. There, lines that begin with two blanks and a backtick are mnemonics.
 */
static void test_left_out(void **s)
{
	static uint8_t left[ZYDIS_MNEMONIC_MAX_VALUE + 1];
	FILE *in = fopen("docs/instruction-table.md", "r");
	char line[4096];
	bool there = false;
	unsigned n = 0;

	(void)s;
	assert_non_null(in);
	both(note_mnemonics);
	while (fgets(line, sizeof(line), in)) {
		there = there || !strcmp(line, "## What is left out\n");
		if (there && !strncmp(line, "  `", 3))
			read_left_out(line + 3, left);
	}
	fclose(in);
	for (ZydisMnemonic m = 1; m <= ZYDIS_MNEMONIC_MAX_VALUE; m++) {
		n += in_table[m];
		if (!in_table[m] && !left[m])
			complain("neither in the table nor left out: %s",
			         ZydisMnemonicGetString(m));
	}
	print_message("%u of the %u mnemonics of Zydis are in the table\n", n,
	              ZYDIS_MNEMONIC_MAX_VALUE);
	assert_int_equal(complaints, 0);
}

static int prepare(void **s)
{
	static const enum cpu_feature pentium[] = { CPU_FPU, CPU_TSC, CPU_MSR,
		                                    CPU_CX8, CPU_MCE, CPU_PSE };

	(void)s;
	memset(all.features, 0xff, sizeof(all.features));
	for (unsigned i = 0; i < sizeof(pentium) / sizeof(pentium[0]); i++)
		p5.features[pentium[i] / 32] |= 1u << pentium[i] % 32;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decodes),     cmocka_unit_test(test_names),
		cmocka_unit_test(test_forms),       cmocka_unit_test(test_needs),
		cmocka_unit_test(test_dependences), cmocka_unit_test(test_divisions),
		cmocka_unit_test(test_counts),      cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_only),        cmocka_unit_test(test_reference),
		cmocka_unit_test(test_left_out),    cmocka_unit_test(test_start),
	};

	return cmocka_run_group_tests(tests, prepare, NULL);
}
