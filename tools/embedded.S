/* Files that are part of the program (tools/embedded.h). BUILD is the build directory. */
	.section .rodata
	.macro file name, path
	.global embedded_\name
embedded_\name:
	.incbin "\path"
	.byte 0
	.endm

	file measured, "docs/machines/measured-latency.csv"
	.section .note.GNU-stack, "", %progbits
