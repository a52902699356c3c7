#!/bin/sh
# sim/tests/all.sh BUILD - every test of the simulator; the last line is `N passed, N failed, N
# skipped`.
B=$1
out=$B/sim/test-output.txt
passed=0 failed=0

# One program; what it counts is in $p and $f.
add() {
	echo "$1: $p passed, $f failed"
	passed=$((passed + p)) failed=$((failed + f))
}

for test in "$B"/sim/tests/test_pmu_* "$B/sim/tests/test_core" \
	"$B/sim/tests/test_core_events" "$B/sim/tests/test_policy"; do
	case $test in *.d) continue ;; esac
	"$test" >"$out" 2>&1
	code=$?
	p=$(grep -c '^\[       OK \]' "$out")
	f=$(grep -c '^\[  FAILED  \] [a-z_0-9]*$' "$out")
	[ $code -ne 0 ] && [ "$f" = 0 ] && f=1
	[ "$f" = 0 ] || grep -v '^\[ *\(RUN\|OK\)' "$out" | tail -n 20
	add "$(basename "$test")"
done

"$B/sim/tests/test_p5" sim/tests >"$out" 2>&1
code=$?
last=$(tail -n 1 "$out")
p=${last%% *} f=${last#*, } f=${f%% *}
[ $code -ne 0 ] && [ "$f" = 0 ] && f=1
[ "$f" = 0 ] || tail -n 20 "$out"
add test_p5

# The sanitized program, each row a second time with the other one; in LONG each twice by itself.
set -- "cpl0-sim-san cpl0-sim"
[ -z "$LONG" ] || set -- cpl0-sim cpl0-sim-san
for sim; do
	LSAN_OPTIONS=suppressions=$(pwd)/sim/tests/lsan.txt:print_suppressions=0
	export LSAN_OPTIONS
	again=$B/${sim#* }
	sim=${sim% *}
	sim/tests/run.sh "$B/$sim" "$B/sim/guests" "$again" >"$out" 2>&1
	last=$(tail -n 1 "$out")
	echo "$sim: $last"
	grep -v ' skipped$' "$out"
	p=${last%% *} f=${last#*, }
	passed=$((passed + p)) failed=$((failed + ${f%% *}))
done

# Against another emulator, where there is one.
sim/tests/cross.sh "$B/sim/guests" >"$out" 2>&1
last=$(tail -n 1 "$out")
grep -v ' skipped$' "$out"
p=${last%% *} f=${last#*, } f=${f%% *}
skipped=${last##*, } skipped=${skipped%% *}
add cross-check

# A foreign kernel, where there is one.
sim/tests/foreign.sh "$B/cpl0-sim" >"$out" 2>&1
last=$(tail -n 1 "$out")
grep -v ' skipped$' "$out"
p=${last%% *} f=${last#*, } f=${f%% *}
s=${last##*, } skipped=$((skipped + ${s%% *}))
add "kernel of somebody else"

if sim/tests/fuzz.sh "$B/cpl0-sim-san" "$B/sim/fuzz" "$B/sim/guests/fuzz.elf" \
	"${SIM_FUZZ_COUNT:-$([ "$LONG" ] && echo 40 || echo 10)}"; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
