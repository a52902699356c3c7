#!/bin/sh
# C functions as snippets: one module of `make snippet` runs in cpl0-native, in the simulator and in
# QEMU, and the latter two count the same instructions. Prints a line a test and
# `N passed, N failed, N skipped`.
#
#	tests/checks/test-function.sh [BUILD]
set -u
build=$(realpath "${1:-build}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
unset MAKEFLAGS MAKELEVEL

verdict() { # $1 test, $2 what is wrong or nothing
	if [ -z "$2" ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $2"
	fi
}

# The log $2 of benchmark $1 is good; else what is wrong.
good() {
	"$build/cpl0-log" check "$2" >/dev/null || echo "the log is damaged"
	grep -qa "^result bench=$1 " "$2" || echo "no result: $(grep -aE '^(error|trap)' "$2")"
}

# Instructions of one call of $1, by key $2 of its result in log $3.
count() {
	sed -nE "s/^result bench=$1 .* $2=([0-9.]+) .*/\1/p" "$3"
}

# $1 width, $2 model of the simulator, $3 its event of instructions
both_kernels() {
	"$build/cpl0-sim" --cpu "$2" --module "$work/sum.$1.elf" --module "$work/order.$1.elf" \
		--log "$work/sim" "$build/$1/cpl0.elf" exit=debug bench=sum,order \
		events=instructions >"$work/out" 2>&1
	./run-qemu.sh --build "$build" --direct --bits "$1" --icount --quiet --log "$work/qemu" \
		--module "$work/sum.$1.elf" --module "$work/order.$1.elf" \
		-- bench=sum,order >"$work/out" 2>&1
	for function in sum order; do
		wrong=$(good $function "$work/sim" && good $function "$work/qemu")
		sim=$(count $function "$3" "$work/sim") qemu=$(count $function tsc "$work/qemu")
		[ "$sim" = "$qemu" ] || wrong="$wrong; simulator '$sim', QEMU '$qemu'"
		verdict "$function-$1" "$wrong"
	done
}

# $1 function, rest: arguments
build_and_run() {
	function=$1
	shift
	make -s snippet B="$work" FILE=tests/data/snippets/functions.c FUNCTION="$function" \
		ARGS="$*" >"$work/out" 2>&1 || verdict "$function" "$(cat "$work/out")"
	for width in 32 64; do
		mv "$work/snippets/functions.$width.elf" "$work/$function.$width.elf"
	done
	"$build/cpl0-native" --module "$work/$function.64.elf" "bench=$function" >"$work/native"
	verdict "$function-native" "$(good "$function" "$work/native")"
}

build_and_run sum 100
build_and_run order 1 -2 3 -4 5 0x66
both_kernels 32 p5 INSTRUCTIONS_EXECUTED
both_kernels 64 skylake Instruction_Retired
# 100 rounds of at least four instructions: the loop is in it.
count=$(count sum tsc "$work/qemu")
verdict rounds "$([ "${count:-0}" -ge 400 ] || echo "$count instructions")"

# Objects: one module, of the object's width, and what an object cannot be.
object() { # $1 what make snippet must say; rest: options of gcc
	want=$1 wrong=''
	shift
	gcc -O2 -ffunction-sections -fdata-sections -c "$@" -o "$work/object.o" \
		tests/data/snippets/functions.c
	make -s snippet B="$work" FILE="$work/object.o" FUNCTION="$function" ARGS=100 \
		>"$work/out" 2>&1
	grep -qF "$want" "$work/out" || wrong=$(cat "$work/out")
	verdict "object $*" "$wrong"
}
function=sum
object "$work/snippets/object.32.elf" -m32 -fpie
[ ! -e "$work/snippets/object.64.elf" ] || verdict 'object: one width' 'two modules'
object "$work/snippets/object.64.elf" -fpie -ffreestanding
"$build/cpl0-native" --module "$work/snippets/object.64.elf" bench=sum >"$work/native"
verdict object-native "$(good sum "$work/native")"
function=nosuch
object 'has no function nosuch that other files may call' -fpie
function=sum
object 'is no object file of x86, as gcc -c makes it' -E
[ ! -e "$work/snippets/object.64.elf" ] || verdict 'object: nothing stale' 'a module is left'

# What cpl0-native says of modules that it cannot take.
"$build/cpl0-native" --module "$work/absent.elf" bench=sum >"$work/native" 2>"$work/out"
verdict absent "$([ $? -eq 3 ] && [ ! -s "$work/native" ] && grep -q 'absent.elf: No such' \
	"$work/out" || cat "$work/out")"
for file in "$work/sum.32.elf" README.md /dev/null; do
	"$build/cpl0-native" --module "$file" >"$work/native" 2>"$work/out"
	code=$?
	case $file in
	/dev/null) wrong=$([ $code -eq 3 ] || echo "exit code $code, must be 3") ;;
	*) wrong=$([ $code -eq 1 ] || echo "exit code $code, must be 1"
		grep -qa '^error what=module' "$work/native" || echo 'no error'
		! grep -a '^result' "$work/native") ;;
	esac
	verdict "module-${file##*/}" "$wrong"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
