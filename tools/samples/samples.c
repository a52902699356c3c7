/* Sampled instructions (docs/sampling.md): tables for people, and the code as text. */
#include "tools/samples/samples.h"

#include <inttypes.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "tools/result/results.h"

enum { CODE = 16, NAME = 96, TITLE = 2 * NAME + 32 };

/* Pairs of hex digits; returns how many bytes, 0 if it is anything else. */
static size_t bytes_of(const char *hex, uint8_t out[CODE])
{
	size_t n = 0;
	unsigned byte;
	int used;

	for (; *hex && n < CODE; hex += 2)
		if (sscanf(hex, "%2x%n", &byte, &used) != 1 || used != 2)
			return 0;
		else
			out[n++] = (uint8_t)byte;
	return *hex ? 0 : n;
}

/* The first instruction as text; returns how many bytes it has, 0 if there is none. */
static size_t disassemble(const uint8_t *code, size_t n, unsigned bits, char *out, size_t size)
{
	ZydisMachineMode mode =
		bits == 64 ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32;
	ZydisDecoder decoder;
	ZydisFormatter formatter;
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];

	ZydisDecoderInit(&decoder, mode, bits == 64 ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	if (!n || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, n, &insn, op)) ||
	    !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &insn, op,
	                                                  insn.operand_count_visible, out, size,
	                                                  ZYDIS_RUNTIME_ADDRESS_NONE, NULL)))
		return 0;
	return insn.length;
}

bool sample_instruction(const struct record *r, unsigned bits, char *out, size_t size)
{
	char hex[2 * CODE + 2];
	uint8_t code[CODE];

	return record_text(r, "code", hex, sizeof(hex)) &&
	       disassemble(code, bytes_of(hex, code), bits, out, size);
}

void code_text(const char *hex, unsigned bits, char *out, size_t size)
{
	uint8_t code[CODE];
	size_t n = bytes_of(hex, code), used = 0, length;
	char insn[NAME];

	*out = '\0';
	for (size_t at = 0; at < n && used < size; at += length) {
		length = disassemble(code + at, n - at, bits, insn, sizeof(insn));
		used += (size_t)snprintf(out + used, size - used, "%s%s", at ? "; " : "",
		                         length ? insn : "...");
		if (!length)
			return;
	}
}

/* A value for a terminal: nothing unprintable of it. */
static bool plain_text(const struct record *r, const char *key, char *out, size_t size)
{
	bool there = record_text(r, key, out, size);

	for (char *p = out; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return there;
}

static bool is_sample(const struct line *line, const struct globs *benches)
{
	const struct record *r = &line->rec;
	char bench[NAME];

	return line_is_whole(line) &&
	       (span_is(r->kind, "sample") || span_is(r->kind, "skid") ||
	        span_is(r->kind, "address") || span_is(r->kind, "branch")) &&
	       record_text(r, "bench", bench, sizeof(bench)) && globs_match(benches, bench);
}

/* "+69", "offset 5", "0x400760", "8 to 0", "others" */
static void place_text(const struct record *r, char *out, size_t size)
{
	char text[NAME], to[NAME];

	if (plain_text(r, "from", text, sizeof(text)) && plain_text(r, "to", to, sizeof(to)))
		snprintf(out, size, "%s to %s", text, to);
	else if (plain_text(r, "distance", text, sizeof(text)))
		snprintf(out, size, "+%s", text);
	else if (plain_text(r, "offset", text, sizeof(text)))
		snprintf(out, size, "offset %s", text);
	else if (!plain_text(r, "address", out, size))
		snprintf(out, size, "others");
}

/* A line above the first record of a benchmark, event, and kind of place. */
static void print_title(const struct record *r, char last[TITLE], FILE *out)
{
	char bench[NAME], event[NAME], title[TITLE];
	const char *what = span_is(r->kind, "address")  ? "data of"
	                   : span_is(r->kind, "branch") ? "branches before samples of"
	                                                : "samples of";

	plain_text(r, "bench", bench, sizeof(bench));
	plain_text(r, "event", event, sizeof(event));
	snprintf(title, sizeof(title), "%s %s, %s", what, bench, event);
	if (!strcmp(title, last))
		return;
	strcpy(last, title);
	fprintf(out, "\n  %s\n", title);
}

/* "3 missed, 9 to 14 clocks", "40 clocks", an instruction; or nothing. */
static void what_text(const struct record *r, unsigned bits, char *out, size_t size)
{
	uint64_t latency, missed, min, max;
	size_t n = 0;

	*out = '\0';
	if (record_dec(r, "latency", &latency))
		snprintf(out, size, "%" PRIu64 " clocks", latency);
	else if (!record_dec(r, "missed", &missed))
		sample_instruction(r, bits, out, size);
	else
		n = (size_t)snprintf(out, size, "%" PRIu64 " missed", missed);
	if (n && record_dec(r, "min", &min) && record_dec(r, "max", &max))
		snprintf(out + n, size - n, ", %" PRIu64 " to %" PRIu64 " clocks", min, max);
}

void samples_print(const struct log *log, const struct run *run, const struct globs *benches,
                   unsigned bits, FILE *out)
{
	char last[TITLE] = "";

	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;
		char method[NAME], share[NAME], place[2 * NAME + 16], text[NAME];
		uint64_t count = 0;

		if (!is_sample(&log->lines[i], benches))
			continue;
		print_title(r, last, out);
		plain_text(r, "method", method, sizeof(method));
		plain_text(r, "share", share, sizeof(share));
		record_dec(r, "count", &count);
		place_text(r, place, sizeof(place));
		what_text(r, bits, text, sizeof(text));
		fprintf(out, "    %-6s %8" PRIu64 " %8s %%  ", method, count, share);
		fprintf(out, *text ? "%-14s %s\n" : "%s%s\n", place, text);
	}
	if (*last)
		putc('\n', out);
}
