/*
 * sim/tests/guests/spin.S - a line of output, 20,000 undefined instructions with their handler, at
 * each of which the execution engine stops, a hash sign, then a loop without an end.
 */
#include "guest.inc"

test:	PRINT	"line before\n"
	mov	$20000, %ebx
1:	TRY	2f
	ud2
2:	dec	%ebx
	jnz	1b
	PRINT	"#"
3:	jmp	3b
