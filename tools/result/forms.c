/* Names of instruction forms, compared across tables. */
#include "tools/result/forms.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct name {
	char *text; /* of size FORM_NAME */
	size_t used;
	bool separate; /* something between words since the last character */
};

static void put_word(struct name *to, const char *word, size_t n)
{
	if (to->separate && to->used && to->used + 1 < FORM_NAME)
		to->text[to->used++] = '_';
	to->separate = false;
	for (size_t i = 0; i < n && to->used + 1 < FORM_NAME; i++)
		to->text[to->used++] = (char)tolower((unsigned char)word[i]);
	to->text[to->used] = 0;
}

/* A register with a number, r1_16, mm1 or mm_1: how long it is in the text; 0: it is none. */
static size_t numbered(const char *text, char class[8], char *number)
{
	static const char *const files[] = { "mm", "xmm", "ymm", "zmm" };
	int end = 0;

	if (sscanf(text, "r%c_%3[0-9]%n", number, class + 1, &end) == 2 && isdigit(*number)) {
		class[0] = 'r';
		return (size_t)end;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		size_t n = strlen(files[i]);

		if (strncmp(text, files[i], n))
			continue;
		n += text[n] == '_';
		if (text[n] < '1' || text[n] > '9' || isalnum((unsigned char)text[n + 1]))
			return 0;
		*number = text[n];
		strcpy(class, files[i]);
		return n + 1;
	}
	return 0;
}

static size_t word_length(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]))
		n++;
	return n;
}

/* Does it name registers with different numbers? */
static bool two_registers(const char *text)
{
	char class[8], number, first = 0;

	for (; *text; text += word_length(text) ? word_length(text) : 1) {
		if (!numbered(text, class, &number))
			continue;
		if (first && number != first)
			return true;
		first = number;
	}
	return false;
}

void form_name(char out[FORM_NAME], const char *text)
{
	struct name name = { .text = out }, *to = &name;
	bool two = two_registers(text), address = false;
	char class[8], number;

	*out = 0;
	while (*text) {
		size_t n = numbered(text, class, &number);

		if (n) {
			put_word(to, class, strlen(class));
			if (two)
				put_word(to, &number, 1);
		} else if ((n = word_length(text))) {
			bool sized = n == 3 && *text == 'r' && isdigit((unsigned char)text[1]);

			put_word(to, text, address && sized ? 1 : n);
		} else {
			address = *text == '[' || (address && *text != ']');
			to->separate = true;
			n = 1;
		}
		text += n;
	}
}
