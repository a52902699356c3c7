# A boot module of `n` programs, drawn by `seed`. Without `tame` a few of them fault, or do not
# return: those are for CPL 3.
function below(n) {
	state = (state * 16807) % 2147483647
	return int(state / 7) % n
}

# AX, CX and DX are free; XSI, XDI and XBX point to data, which begin AT a drawn place.
function add(list,    word, count, i) {
	count = split(list, word, "|")
	for (i = 1; i <= count; i++)
		any[nany++] = word[i]
}

function instruction(    at, line) {
	at = below(8) ? 4 * below(500) : 4096 * below(12) + below(64)
	line = any[below(nany)]
	gsub(/AT/, at, line)
	return line
}

function wild(    word) {
	return word[1 + below(split("ud2|hlt|jmp .|mov 0, %eax|int3|cli|mov XSI, XSP|" \
		"pushf; orl $256, (XSP); popf; nop|movl $1, 0x100000|divl (XSI)", word, "|"))]
}

BEGIN {
	state = (seed * 48271) % 2147483646 + 1
	for (i = 0; i < 5; i++)
		below(2)
	add("add %ecx, %eax|imul %edx, %eax|nop|lea 3(XAX), XCX|xor %edx, %edx|rdtsc")
	add("mov AT(XSI), %eax|mov AT(XDI), %ecx|add AT(XSI), %edx|movzbl AT(XSI), %eax")
	add("mov %eax, AT(XDI)|mov %ecx, AT(XBX)|incl AT(XSI)|lock incl AT(XBX)")
	add("push XAX; pop XDX|fld1; fstp %st|push XBX; cpuid; pop XBX|mul %ecx|shl $3, %eax")
	add("test %ecx, %eax; jz 1f; nop; 1:|jmp 1f; nop; 1:|call 1f; 1: pop XAX|rol %cl, %edx")
	add("cmp %edx, %ecx; jb 1f; 1:|add $0x5e3779b1, %eax; js 1f; add %ecx, %edx; 1:")
	print "#include \"bench/snippet.inc\""
	for (i = 0; i < n; i++) {
		printf "\tSNIPPET any.%d, \"drawn\"\n\tUNROLL %d\n\tBODY\n", i, 1 + below(6)
		for (k = 1 + below(below(3) ? 6 : 20); k > 0; k--)
			print "\t" instruction()
		if (!tame && !below(25))
			print "\t" wild()
		print "\tEND"
	}
}
