/*
 * tests/sim/guests/spin.S - a line of output, then a loop without an end.
 */
#include "guest.inc"

test:	PRINT	"line before\n"
1:	jmp	1b
