/* Assembly on the command line (tools/asm/assemble.h). */
#include "tools/asm/assemble.h"

#include <ctype.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 64, OBJECT = 65536 };

/* The files of one call, in a folder of their own. */
struct files {
	char folder[PATH], source[PATH + 8], object[PATH + 8], errors[PATH + 8];
};

static bool make_files(struct files *f)
{
	snprintf(f->folder, sizeof(f->folder), "/tmp/cpl0-asm-XXXXXX");
	if (!mkdtemp(f->folder))
		return false;
	snprintf(f->source, sizeof(f->source), "%s/asm.s", f->folder);
	snprintf(f->object, sizeof(f->object), "%s/asm.o", f->folder);
	snprintf(f->errors, sizeof(f->errors), "%s/errors", f->folder);
	return true;
}

static void remove_files(const struct files *f)
{
	unlink(f->source);
	unlink(f->object);
	unlink(f->errors);
	rmdir(f->folder);
}

/* Line 1 sets the syntax, so that instruction N stands in line N + 1. */
static bool write_source(const struct files *f, const char *text)
{
	FILE *out = fopen(f->source, "w");

	if (!out)
		return false;
	fputs(".intel_syntax noprefix\n", out);
	for (; *text; text++)
		putc(*text == ';' ? '\n' : *text, out);
	putc('\n', out);
	return fclose(out) == 0;
}

/* Runs `as`; its exit code, or -1 if it could not be run. */
static int run_as(const struct files *f, unsigned bits)
{
	int status;
	pid_t child = fork();

	if (!child) {
		if (!freopen(f->errors, "w", stderr))
			_exit(127);
		setenv("LC_ALL", "C", 1);
		execlp("as", "as", bits == 64 ? "--64" : "--32", "-o", f->object, f->source, NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

/* Copies instruction `n` of the text, counted from 1, without blanks around it. */
static void copy_instruction(char out[256], const char *text, unsigned n)
{
	size_t length;

	while (n > 1 && *text)
		n -= *text++ == ';';
	text += strspn(text, " \t");
	length = strcspn(text, ";");
	snprintf(out, 256, "%.*s", (int)(length < 255 ? length : 255), text);
}

/* A line for each word that is one letter away from the n letters at `word`; how many there are. */
static unsigned write_guesses(FILE *out, const char *word, size_t n, const char *rest)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	unsigned lines = 0;

	for (size_t i = 0; i < n; i++, lines++)
		fprintf(out, "%.*s%.*s %s\n", (int)i, word, (int)(n - i - 1), word + i + 1, rest);
	for (size_t i = 0; i + 1 < n; i++, lines++)
		fprintf(out, "%.*s%c%c%.*s %s\n", (int)i, word, word[i + 1], word[i],
		        (int)(n - i - 2), word + i + 2, rest);
	for (size_t i = 0; i <= n; i++)
		for (const char *c = letters; *c; c++, lines += 2) {
			size_t kept = i < n ? i + 1 : n;

			fprintf(out, "%.*s%c%.*s %s\n", (int)i, word, *c, (int)(n - kept),
			        word + kept, rest);
			fprintf(out, "%.*s%c%.*s %s\n", (int)i, word, *c, (int)(n - i), word + i,
			        rest);
		}
	return lines;
}

/* verdict[line]: 0 `as` takes it, 1 it complains of the operands, 2 there is no such word. */
static void read_verdicts(const struct files *f, uint8_t *verdict, unsigned lines)
{
	FILE *in = fopen(f->errors, "r");
	char line[512];

	while (in && fgets(line, sizeof(line), in)) {
		const char *place = strstr(line, ".s:");
		unsigned n = place ? (unsigned)strtoul(place + 3, NULL, 10) : 0;

		if (n >= 2 && n - 2 < lines && strstr(line, "Error: "))
			verdict[n - 2] = strstr(line, "no such instruction") ? 2 : 1;
	}
	if (in)
		fclose(in);
}

/* Appends up to three words of the guesses with this verdict. */
static void append_guesses(const struct files *f, const uint8_t *verdict, unsigned lines,
                           uint8_t wanted, unsigned *n, char message[ASSEMBLE_TEXT])
{
	FILE *in = fopen(f->source, "r");
	char line[512], word[32], found[48];

	if (!in || !fgets(line, sizeof(line), in))
		lines = 0;
	for (unsigned i = 0; i < lines && *n < 3 && fgets(line, sizeof(line), in); i++) {
		size_t used = strlen(message);

		if (sscanf(line, "%31s", word) != 1 || !isalpha((unsigned char)*word))
			continue;
		snprintf(found, sizeof(found), "%s %.30s", *n ? "," : "; nearest:", word);
		if (verdict[i] != wanted || (*n && strstr(message, found + 1)))
			continue;
		if (used + strlen(found) < ASSEMBLE_TEXT)
			strcpy(message + used, found);
		++*n;
	}
	if (in)
		fclose(in);
}

/*
 * The mnemonics that are one letter away from an unknown one. The assembler itself is asked, so no
 * list of them is needed: those that take the operands, or else all.
 */
static void suggest(const struct files *f, const char *instruction, unsigned bits, bool att,
                    char message[ASSEMBLE_TEXT])
{
	size_t n = 0;
	FILE *out = fopen(f->source, "w");
	uint8_t *verdict;
	unsigned lines, found = 0;

	while (isalnum((unsigned char)instruction[n]))
		n++;
	if (!out)
		return;
	fputs(att ? ".att_syntax\n" : ".intel_syntax noprefix\n", out);
	lines = n > 1 && n < 16 ? write_guesses(out, instruction, n, instruction + n) : 0;
	verdict = calloc(lines + 1, 1);
	if (fclose(out) == 0 && lines && verdict && run_as(f, bits) >= 0) {
		read_verdicts(f, verdict, lines);
		append_guesses(f, verdict, lines, 0, &found, message);
		if (!found)
			append_guesses(f, verdict, lines, 1, &found, message);
	}
	free(verdict);
}

/* The first complaint of `as`, as "instruction N `TEXT': what". */
static void explain(const struct files *f, const char *text, unsigned bits,
                    char message[ASSEMBLE_TEXT])
{
	char line[512] = "", instruction[256];
	FILE *in = fopen(f->errors, "r");
	const char *what = NULL;
	unsigned n = 0;

	while (in && !what && fgets(line, sizeof(line), in)) {
		const char *place = strchr(line, ':');

		what = strstr(line, "Error: ");
		n = place && what ? (unsigned)strtoul(place + 1, NULL, 10) : 0;
	}
	if (in)
		fclose(in);
	line[strcspn(line, "\n")] = 0;
	copy_instruction(instruction, text, n ? n - 1 : 1);
	snprintf(message, ASSEMBLE_TEXT, "instruction %u `%s': %s", n > 1 ? n - 1 : 1, instruction,
	         what ? what + strlen("Error: ") : "as cannot assemble it");
	if (what && strstr(what, "no such instruction"))
		suggest(f, instruction, bits, strstr(text, ".att_syntax"), message);
}

/* The ELF file of either width, as far as it is needed. */
struct section {
	uint32_t type, info, name;
	uint64_t offset, size;
};

static bool read_section(const uint8_t *object, size_t size, unsigned i, struct section *s)
{
	if (object[EI_CLASS] == ELFCLASS64) {
		const Elf64_Ehdr *e = (const void *)object;
		const Elf64_Shdr *h = (const void *)(object + e->e_shoff);

		if (i >= e->e_shnum || e->e_shoff + (i + 1ull) * sizeof(*h) > size)
			return false;
		*s = (struct section){ h[i].sh_type, h[i].sh_info, h[i].sh_name, h[i].sh_offset,
			               h[i].sh_size };
	} else {
		const Elf32_Ehdr *e = (const void *)object;
		const Elf32_Shdr *h = (const void *)(object + e->e_shoff);

		if (i >= e->e_shnum || e->e_shoff + (i + 1ull) * sizeof(*h) > size)
			return false;
		*s = (struct section){ h[i].sh_type, h[i].sh_info, h[i].sh_name, h[i].sh_offset,
			               h[i].sh_size };
	}
	return s->type == SHT_NOBITS || (s->offset <= size && s->size <= size - s->offset);
}

/* .text is the first section of an object of `as`; what must be put in later makes it no code. */
static bool take_code(const uint8_t *object, size_t size, char hex[ASSEMBLE_TEXT])
{
	struct section text, s;

	if (size < sizeof(Elf64_Ehdr) || memcmp(object, ELFMAG, SELFMAG) ||
	    !read_section(object, size, 1, &text) || text.type != SHT_PROGBITS) {
		snprintf(hex, ASSEMBLE_TEXT, "as made no object file that has code");
		return false;
	}
	for (unsigned i = 2; read_section(object, size, i, &s); i++) {
		if (s.size && (s.type == SHT_REL || s.type == SHT_RELA) && s.info == 1) {
			snprintf(hex, ASSEMBLE_TEXT,
			         "it refers to a symbol that is not in it, or to its own address");
			return false;
		}
	}
	if (!text.size || 2 * text.size + 1 > ASSEMBLE_TEXT) {
		snprintf(hex, ASSEMBLE_TEXT, text.size ? "the code is too long" : "no code");
		return false;
	}
	for (uint64_t i = 0; i < text.size; i++)
		snprintf(hex + 2 * i, 3, "%02x", object[text.offset + i]);
	return true;
}

static bool read_code(const struct files *f, char hex[ASSEMBLE_TEXT])
{
	uint8_t *object = malloc(OBJECT);
	FILE *in = fopen(f->object, "rb");
	size_t size = object && in ? fread(object, 1, OBJECT, in) : 0;
	bool good = object && take_code(object, size, hex);

	if (in)
		fclose(in);
	free(object);
	return good;
}

bool assemble(const char *text, unsigned bits, char hex[ASSEMBLE_TEXT])
{
	struct files f;
	bool good = false;
	int code;

	if (!make_files(&f)) {
		snprintf(hex, ASSEMBLE_TEXT, "no folder below /tmp can be made");
		return false;
	}
	code = write_source(&f, text) ? run_as(&f, bits) : -1;
	if (code < 0)
		snprintf(hex, ASSEMBLE_TEXT, "`as' cannot be run: it is in the package binutils");
	else if (code)
		explain(&f, text, bits, hex);
	else
		good = read_code(&f, hex);
	remove_files(&f);
	return good;
}

/* Arguments whose values may have blanks, and the characters that these may have. */
static const struct {
	const char *key, *allowed;
} quotable[] = {
	{ "code=", " 0123456789abcdefABCDEF" },
	{ "init=", " 0123456789abcdefABCDEF" },
	{ "seq=", " ,?!ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" },
};

/* A shell took the quotes off code="0f af c0", which the kernel wants: they are put back. */
static bool quote_value(const char *word, char out[ASSEMBLE_TEXT])
{
	for (size_t i = 0; i < sizeof(quotable) / sizeof(*quotable); i++) {
		const size_t n = strlen(quotable[i].key);
		const char *value = word + n;

		if (strncmp(word, quotable[i].key, n))
			continue;
		if (!strchr(value, ' ') || value[strspn(value, quotable[i].allowed)] ||
		    strlen(word) + 2 >= ASSEMBLE_TEXT)
			return false;
		snprintf(out, ASSEMBLE_TEXT, "%s\"%s\"", quotable[i].key, value);
		return true;
	}
	return false;
}

bool assemble_word(const char *word, unsigned bits, char out[ASSEMBLE_TEXT])
{
	static const char *const keys[][2] = { { "asm=", "code=" }, { "init_asm=", "init=" } };
	char text[ASSEMBLE_TEXT], result[ASSEMBLE_TEXT];

	if (strlen(word) >= ASSEMBLE_TEXT) {
		snprintf(out, ASSEMBLE_TEXT, "%.40s...: the argument is too long", word);
		return false;
	}
	if (!quote_value(word, out))
		strcpy(out, word);
	for (int i = 0; i < 2; i++) {
		size_t n = strlen(keys[i][0]);
		const char *value = word + n;
		bool quoted = *value == '"', good;

		if (strncmp(word, keys[i][0], n))
			continue;
		snprintf(text, sizeof(text), "%s", value + quoted);
		if (quoted && *text && text[strlen(text) - 1] == '"')
			text[strlen(text) - 1] = 0;
		good = assemble(text, bits, result);
		snprintf(out, ASSEMBLE_TEXT, "%s%s%.*s", keys[i][good], good ? "" : " ",
		         ASSEMBLE_TEXT - 16, result);
		return good;
	}
	return true;
}

char *assemble_line(char **words, unsigned bits)
{
	char *line = calloc(1, 1), word[ASSEMBLE_TEXT];

	for (char **w = words; line && *w; w++) {
		bool good = assemble_word(*w, bits, word);
		char *longer = realloc(line, strlen(line) + strlen(word) + 2);

		if (!good)
			fprintf(stderr, "%s\n", word);
		if (!longer || !good) {
			free(longer ? longer : line);
			return NULL;
		}
		line = longer;
		if (*line)
			strcat(line, " ");
		strcat(line, word);
	}
	return line;
}
