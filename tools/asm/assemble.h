/*
 * Assembly on the command line: asm="imul eax, eax" becomes code=0fafc0, by the host's `as`.
 *
 * The kernel has no assembler, so the programs of the host that start it, or are it, turn the text
 * into machine code. The text is in Intel syntax; `;` stands between instructions. A line
 * `.att_syntax` changes the syntax, and other directives work as well.
 */
#ifndef TOOLS_ASM_ASSEMBLE_H
#define TOOLS_ASM_ASSEMBLE_H

#include <stdbool.h>

/* Room for a message about what is wrong, and for the words of an argument. */
enum { ASSEMBLE_TEXT = 4096 };

/*
 * Assembles `text` for `bits` (32 or 64) and writes the code as hex digits. False if it cannot be
 * done: `hex` then has a message that quotes the instruction and says what `as` has against it.
 */
bool assemble(const char *text, unsigned bits, char hex[ASSEMBLE_TEXT]);

/*
 * One word of a command line: asm=TEXT becomes code=HEX and init_asm=TEXT becomes init=HEX. The
 * value of code= and init= gets quotes where it is hex digits with blanks, that of seq= where it is
 * accesses with blanks. Any other word stays as it is. Quotes around TEXT are taken off.
 * False with a message in `out` as above, or if the word is too long.
 */
bool assemble_word(const char *word, unsigned bits, char out[ASSEMBLE_TEXT]);

/*
 * All words of a command line so, joined with blanks; NULL-terminated `words`. The caller frees the
 * text. NULL if a word is wrong, with a message on stderr, or if there is no memory.
 */
char *assemble_line(char **words, unsigned bits);

#endif
