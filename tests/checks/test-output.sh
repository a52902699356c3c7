#!/bin/bash
# Output that cannot be written is an error of every command that keeps measurements: exit code not
# 0, a message on stderr, and inputs as they were. Prints a line a test and the sum.
#
#	tests/checks/test-output.sh BUILD
set -u
build=${1:-build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
cp tests/data/sample.log "$work/a.log"
cp tests/data/sample.log "$work/b.log"
inputs=$(cat "$work/a.log" "$work/b.log" | md5sum)

judge() { # $1 test, $2 exit code
	wrong=''
	[ "$2" -ne 0 ] || wrong='exit code 0'
	[ -s "$work/err" ] || wrong="$wrong no message"
	[ "$(cat "$work/a.log" "$work/b.log" | md5sum)" = "$inputs" ] ||
		wrong="$wrong input changed"
	if [ -z "$wrong" ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1:$wrong"
		cp tests/data/sample.log "$work/a.log"
		cp tests/data/sample.log "$work/b.log"
	fi
}

# $1 name, rest: a command that writes to standard output
stdout_lost() {
	name=$1
	shift
	"$@" >/dev/full 2>"$work/err"
	judge "$name: full device" $?
	"$@" >&- 2>"$work/err"
	judge "$name: closed" $?
	# The reader of the pipe is gone before the first byte.
	exec 4> >(:)
	wait $!
	"$@" >&4 2>"$work/err"
	judge "$name: closed pipe" $?
	exec 4>&-
	# The message goes by a pipe, because the limit holds for its file, too.
	(ulimit -f 0; "$@" 2>&1 >"$work/out") | cat >"$work/err"
	judge "$name: limit of the file size" "${PIPESTATUS[0]}"
	rm -f "$work/out"
}

# $1 name, rest: a command that writes to the file that stands for @
file_lost() {
	name=$1
	shift
	"${@//@//dev/full}" >/dev/null 2>"$work/err"
	judge "$name: full device" $?
	(ulimit -f 0; "${@//@/$work/out}" 2>&1 >/dev/null) | cat >"$work/err"
	judge "$name: limit of the file size" "${PIPESTATUS[0]}"
	rm -f "$work/out"
}

log=$build/cpl0-log
for command in check show json csv; do
	stdout_lost "cpl0-log $command" "$log" $command "$work/a.log"
done
stdout_lost 'cpl0-log csv KIND' "$log" csv "$work/a.log" result
stdout_lost 'cpl0-log compare' "$log" compare "$work/a.log" "$work/b.log"
stdout_lost 'cpl0-log compare --reference' "$log" compare "$work/a.log" --reference --cpu P54C
stdout_lost 'cpl0-log --help' "$log" --help
stdout_lost 'cpl0-log --version' "$log" --version
file_lost 'cpl0-log report' "$log" report "$work/a.log" -o @
file_lost 'cpl0-log db' "$log" db @ "$work/a.log"
stdout_lost 'cpl0-native' "$build/cpl0-native" bench=alu.add_latency runs=1
stdout_lost 'cpl0-native list' "$build/cpl0-native" list 'bench=alu.*'
stdout_lost 'cpl0-native --catalogue' "$build/cpl0-native" --catalogue
stdout_lost 'cpl0-native --assemble' "$build/cpl0-native" --assemble 32 asm=nop
sim() {
	"$build/cpl0-sim" --cpu p5 "$@" "$build/32/cpl0.elf" exit=debug list bench=alu.add_latency
}
stdout_lost 'cpl0-sim' sim
stdout_lost 'cpl0-sim --list' "$build/cpl0-sim" --list p5
file_lost 'cpl0-sim --log' sim --log @
file_lost 'cpl0-sim --trace' sim --trace @
file_lost 'cpl0-sim --screenshot' sim --screen 640x480 --screenshot @

# An output that is an input, or somebody else's file.
for file in a.log other.txt; do
	echo 'a letter' >"$work/other.txt"
	before=$(md5sum <"$work/$file")
	"$log" report "$work/a.log" -o "$work/$file" >/dev/null 2>"$work/err"
	code=$?
	[ "$(md5sum <"$work/$file")" = "$before" ] || code=0
	judge "report -o over $file" $code
	"$log" db "$work/$file" "$work/a.log" >/dev/null 2>"$work/err"
	code=$?
	[ "$(md5sum <"$work/$file")" = "$before" ] || code=0
	judge "db over $file" $code
done
# A page may be written again.
"$log" report "$work/a.log" -o "$work/page.html" && "$log" report "$work/a.log" \
	-o "$work/page.html" 2>"$work/err"
code=$?
[ $code -eq 0 ] && echo 'written twice' >"$work/err" && code=1 || code=0
judge 'report -o over a report is allowed' $code

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
