#!/bin/sh
# asm= on the command line of native, sim and run-qemu.sh: tests/checks/test-asm.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`.
B=$1
passed=0 failed=0

must() { # NAME WANTED SEEN
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $3, must be $2"
	fi
}

code() { # BITS WORD: what it becomes, and the exit code if that is not 0
	"$B/cpl0-native" --assemble "$1" "$2" 2>&1 || echo "exit $?"
}

# The kernel arguments that a log tells of.
told() {
	sed -n 's/^cmdline text="\(.*\)" #.*/\1/p' | sed 's/^[^ ]*cpl0.elf //'
}

must "one instruction" code=0fafc0 "$(code 64 'asm=imul eax, eax')"
must "several, with quotes" code=4049 "$(code 32 'asm="inc eax; dec ecx"')"
must "the other width" code=ffc0ffc9 "$(code 64 'asm=inc eax; dec ecx')"
must "a loop" code=ffc975fc "$(code 64 'asm=1: dec ecx; jnz 1b')"
must "AT&T syntax" code=01c8 "$(code 32 'asm=.att_syntax; add %ecx, %eax')"
must "blanks between digits" 'code="0f af c0"' "$(code 64 'code=0f af c0')"
must "two words in one" 'code=0fafc0 runs=2' "$(code 64 'code=0fafc0 runs=2')"
must "preparation" init=b803000000 "$(code 32 'init_asm=mov eax, 3')"
must "other words" bench=asm.x "$(code 32 bench=asm.x)"
must "the culprit" "asm= instruction 2 \`ad eax, 1': \
no such instruction: \`ad eax,1'; nearest: add, and, adc
exit 3" "$(code 64 'asm=nop; ad eax, 1')"
must "a mnemonic of AT&T syntax" \
	"asm= instruction 1 \`imull eax': no such instruction: \`imull eax'; nearest: imul, imuld
exit 3" "$(code 64 'asm=imull eax')"
must "two letters swapped" \
	"asm= instruction 2 \`iumlq %rax': no such instruction: \`iumlq %rax'; nearest: imulq
exit 3" "$(code 64 'asm=.att_syntax;iumlq %rax')"
must "no mnemonic is near" \
	"asm= instruction 1 \`frobnicate eax': no such instruction: \`frobnicate eax'
exit 3" "$(code 64 'asm=frobnicate eax')"
must "no register of this width" \
	"asm= it refers to a symbol that is not in it, or to its own address
exit 3" "$(code 32 'asm=push r12')"
must "no code" "asm= no code
exit 3" "$(code 64 asm=)"
must "no assembler" "asm= \`as' cannot be run: it is in the package binutils
exit 3" "$(PATH=/nowhere code 64 asm=nop)"
must native 'bench=code code=0fafc0 runs=8' \
	"$("$B/cpl0-native" bench=code asm='imul eax, eax' runs=8 | told)"
must "native, the culprit" "asm= instruction 1 \`imul exx': ambiguous operand size for \`imul'" \
	"$("$B/cpl0-native" asm='imul exx' 2>&1 >/dev/null)"
for bits in 32 64; do
	hex=$([ $bits = 32 ] && echo 40 || echo ffc0)
	must "sim, $bits bits" "exit=debug bench=code code=$hex" \
		"$("$B/cpl0-sim" --cpu k8 "$B/$bits/cpl0.elf" exit=debug bench=code asm='inc eax' \
			2>/dev/null | told)"
done
"$B/cpl0-sim" "$B/cpl0-log" asm=nop >/dev/null 2>&1
must "sim, a kernel of unknown width" 3 $?
for bits in 32 64; do
	must "run-qemu.sh, $bits bits" \
		"'bench=code code=$([ $bits = 32 ] && echo 40 || echo ffc0) exit=debug'" \
		"$(./run-qemu.sh --build "$B" --direct --accel tcg --bits $bits --dry-run -- \
			bench=code asm='inc eax' | sed 's/.*-append //; s/ $//')"
done
./run-qemu.sh --build "$B" --direct --accel tcg --dry-run -- asm='ad eax' >/dev/null 2>&1
must "run-qemu.sh, wrong assembly" 3 $?
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
