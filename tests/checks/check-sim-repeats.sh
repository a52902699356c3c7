#!/bin/sh
# The simulator is deterministic: the same kernel on the same model gives the same log, byte for
# byte.
#
#	tests/checks/check-sim-repeats.sh BUILD
B=${1:-build}
dir=$B/sim-repeats
passed=0 failed=0
mkdir -p "$dir" || exit 1

twice() { # MODEL SMP BITS
	for n in 1 2; do
		"$B/cpl0-sim" --cpu "$1" --smp "$2" --mem 32 --log "$dir/$1-$3.$n" \
			"$B/$3/cpl0.elf" \
			exit=debug >/dev/null 2>&1 &
	done
	wait
	if grep -q '^done status=ok' "$dir/$1-$3.1" && cmp "$dir/$1-$3.1" "$dir/$1-$3.2"; then
		passed=$((passed + 1))
		echo "pass $1, $2 processors, $3-bit kernel"
	else
		failed=$((failed + 1))
		echo "FAIL $1, $2 processors, $3-bit kernel: $dir/$1-$3.1 and .2"
	fi
}

twice p5 1 32
twice p3 2 32
twice p4n 2 32
twice skylake 1 64
twice zen4 2 64
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
