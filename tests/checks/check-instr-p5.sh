#!/bin/sh
# The instruction table measured on the simulated Pentiums, beside what was measured on real ones
# (sim/tests/p5-measured.csv): 95 % of the figures agree, and docs/instruction-references.md names
# the others.
#
#	tests/checks/check-instr-p5.sh BUILD
B=${1:-build}
dir=$B/instr-p5
passed=0 failed=0
mkdir -p "$dir" || exit 1

{
	echo cpu,mhz,isa,instruction,latency_cycles,throughput_cycles
	sed -n 's/^p5[45]c,/&100,/p' sim/tests/p5-measured.csv
} >"$dir/reference.csv"

check() { # WHAT CONDITION...
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
		echo "pass $what"
	else
		failed=$((failed + 1))
		echo "FAIL $what"
	fi
}

# Forms that differ, of which the documentation says nothing.
unexplained() { # COMPARISON
	grep ' differs$' "$1" | sed 's/   *\(latency\|throughput\).*//; s/,  */, /' | sort -u |
		while read -r form; do
			grep -qF "\`$form\`" docs/instruction-references.md ||
				echo "not explained: $form"
		done
}

agree() { # COMPARISON
	awk '/ figures compared/ { n = $1; good = $4 }
		END { exit !(n > 600 && good >= 0.95 * n) }' "$1"
}

for model in p5 p5mmx; do
	"$B/cpl0-sim" --cpu $model --log "$dir/$model.log" "$B/32/cpl0.elf" 'bench=instr.*' \
		runs=3 exit=debug >/dev/null 2>&1 &
done
wait
for model in p5:p54c p5mmx:p55c; do
	log=$dir/${model%:*}.log
	out=$dir/${model%:*}.txt
	"$B/cpl0-log" compare "$log" --reference "$dir/reference.csv" --cpu ${model#*:} >"$out"
	check "${model%:*}: the run ends" grep -q '^done status=ok' "$log"
	check "${model%:*}: $(grep ' figures compared' "$out")" agree "$out"
	unexplained "$out" >"$out.unexplained"
	cat "$out.unexplained"
	check "${model%:*}: every other one is explained" test ! -s "$out.unexplained"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
