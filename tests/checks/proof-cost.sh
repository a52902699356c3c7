#!/bin/sh
# tests/checks/proof-cost.sh BUILD MODEL/BITS... - what all proofs cost in a default run.
#
# Each model runs everything that runs by default on the simulator. The `proofs` record has the
# ticks of proofs and of the run: a share of 5 % or more fails. The checks of events, which each run
# makes once, are no part of it, and are shown. ARGS='bench=alu.*' runs less. The last line is a
# count.
B=$1
shift
[ $# -gt 0 ] || set -- skylake/64 zen4/64 p5/32
passed=0 failed=0
mkdir -p "$B/proof-cost" || exit 1

for run; do
	model=${run%/*} log=$B/proof-cost/${run%/*}.log
	# shellcheck disable=SC2086
	"$B/cpl0-sim" --cpu "$model" --max-instructions 40000000000 --log "$log" \
		"$B/${run#*/}/cpl0.elf" exit=debug $ARGS >/dev/null 2>&1
	share=$(awk '/^proofs / {
			for (i = 2; i <= NF; i++) { split($i, part, "="); is[part[1]] = part[2] }
			printf "%.2f", 100 * (is["boot"] + is["ticks"]) / (is["boot"] + is["of"])
		}' "$log")
	line=$(sed -n 's/ #.*//; s/^proofs //p' "$log")
	if [ -n "$share" ] && awk "BEGIN { exit !($share < 5) }"; then
		echo "proof-cost, $run: $share % ($line)"
		passed=$((passed + 1))
	else
		echo "FAIL proof-cost, $run: ${share:-no record} % ($line)"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
