#!/bin/sh
# What run-qemu.sh says of a run before it begins: tests/checks/test-run-qemu.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`.
command -v qemu-system-x86_64 >/dev/null || { echo "skipped: no qemu-system-x86_64 here"; exit 0; }
build=$1 passed=0 failed=0
note='^run-qemu: --icount: tsc counts instructions; core and clock rates mean nothing$'

# $1 how often stderr has the note, $2 words of QEMU's command line or nothing, rest: options
says() {
	want=$1 words=$2 wrong=''
	shift 2
	said=$(./run-qemu.sh --build "$build" --direct --accel tcg --dry-run "$@" 2>&1) || wrong="exit code $?; "
	[ "$(printf '%s\n' "$said" | grep -c "$note")" -eq "$want" ] || wrong="${wrong}not $want notes; "
	printf '%s\n' "$said" | grep -q -e "$words" || wrong="${wrong}no $words"
	if [ -z "$wrong" ]; then
		passed=$((passed + 1))
		echo "pass $*"
	else
		failed=$((failed + 1))
		echo "FAIL $*: $wrong"
	fi
}

says 1 '-icount shift=0' --icount
says 0 '-accel tcg' --bits 32
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
