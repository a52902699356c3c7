/* Files that are part of the program (tools/lib/embedded.h). */
	.section .rodata
	.macro file name, path
	.global embedded_\name
embedded_\name:
	.incbin "\path"
	.byte 0
	.endm

	file measured, "docs/machines/measured-latency.csv"
	file isa, "isa.txt"		/* in the build directory */
	file page, "tools/report/page.html"
	file style, "tools/report/page.css"
	file cores, "tools/report/cores.js"
	file sheet, "tools/report/sheet.js"
	file script, "tools/report/page.js"
	file plots, "plots.js"		/* there, too */
	file plots_style, "plots.css"
	.section .note.GNU-stack, "", %progbits
