#!/bin/sh
# Prints what `make bench` says about cpl0-native: each latency over many runs, its distance from a
# whole number of core clocks, its spread, and the time that a number takes.
#
#	tests/checks/native/bench-native.sh [BUILD [RUNS]]
set -u
native=${1:-build}/cpl0-native
runs=${2:-40}
latencies=alu.add_latency,alu.imul_latency,alu.shl_latency,alu.lea_latency,alu.load_latency
latencies=$latencies,'fp.*_latency'
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

microseconds() {
	echo $(($(date +%s%N) / 1000))
}

# $1 benchmarks, $2 log; prints how long it took
run() {
	start=$(microseconds)
	"$native" bench="$1" >"$2" || {
		echo "bench-native: cpl0-native bench=$1 fails" >&2
		exit 1
	}
	echo $(($(microseconds) - start))
}

# The middle line, by value.
median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

for i in $(seq "$runs"); do
	run alu.add_latency "$work/one" >>"$work/time.one"
	run "$latencies" "$work/run.$i" >>"$work/time.all"
done
numbers=$(grep -ac '^result ' "$work/run.1")
sed -n 's/^cpu .*brand=\("[^"]*"\).*/\1/p' "$work/run.1"
awk -v runs="$runs" -f tests/checks/native/native-latency.awk "$work"/run.* || exit 1
one=$(median <"$work/time.one") all=$(median <"$work/time.all")
[ "$numbers" -lt 2 ] || echo "a number takes $(((all - one) / (numbers - 1))) us (at most 5000)"
