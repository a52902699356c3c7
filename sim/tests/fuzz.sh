#!/bin/sh
# sim/tests/fuzz.sh SIM FUZZ GUEST COUNT - feeds COUNT files of each kind to SIM, which is built
# with sanitizers. A run may end as it likes but not by a signal, a sanitizer, a failure of the
# execution engine or without a message.
sim=$1 fuzz=$2 guest=$3 count=$4
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99
export LSAN_OPTIONS=suppressions=$(cd "$(dirname "$0")" && pwd)/lsan.txt:print_suppressions=0
models="p5 p5mmx ppro p3 pm p4 p4n p4p core core2 nehalem sandybridge"
models="$models skylake icelake goldencove sierraforest k7 k8 zen2 zen4 none"
runs=0 failed=0

# One run; $1 says what it was.
try() {
	what=$1
	shift
	timeout 300 "$sim" --max-instructions 60000 "$@" >"$dir/out" 2>"$dir/err"
	code=$?
	runs=$((runs + 1))
	# Without a `done` line the exit code is the guest's own, of the debug-exit port.
	grep -q '^cpl0-sim: the guest wrote .* to the debug-exit port' "$dir/err" && code=0
	grep -qE 'Sanitizer|runtime error' "$dir/err" && code=99
	if [ $code -gt 3 ] || ! grep -q '^cpl0-sim: ' "$dir/err" ||
		grep -qE 'execution engine|the engine|engine event' "$dir/err"; then
		echo "fuzz: $what: exit code $code"
		tail -n 20 "$dir/err"
		failed=$((failed + 1))
	fi
}

seed=1
while [ $seed -le "$count" ]; do
	set -- $models
	shift $((seed % $#))
	model=$1
	for kind in bytes system msr; do
		"$fuzz" $kind $seed >"$dir/module"
		try "$kind $seed on $model" --cpu $model --module "$dir/module=$kind" "$guest"
	done
	"$fuzz" elf $seed "$guest" >"$dir/kernel"
	try "elf $seed" --cpu $model --module "$guest=x" "$dir/kernel"
	"$fuzz" header $seed >"$dir/kernel"
	try "header $seed" --cpu $model "$dir/kernel"
	seed=$((seed + 1))
done
echo "fuzz: $runs runs, $failed failed"
[ $failed = 0 ]
