#!/bin/sh
# Any twenty events of any model's list, on code whose effects are known (bodies.S).
#
#	sim/tests/anyevent/run.sh BUILD [DRAWS [SEED [MODEL...]]]
#
# DRAWS times for each MODEL (default: once for the models below), twenty names are drawn from the
# list of that model: intel/perfmon's own where it has one (pmu/events/perfmon/events.csv.gz), else
# the rows of pmu/events. DRAWS may be `all`: each name of the list once. Every name must end as
#   - an `event` record on a counter that the maker's row allows, and in the result of each body
#     either a count or `derived=0`; or
#   - an `error` record that names it and says why.
# An event of a row in expected.txt must be derived and count what the row says. Without models, p4
# and p4p have each of these names besides, because few of them are drawn.
B=${1:-build}
draws=${2:-1} seed=${3:-1}
shift $(($# < 3 ? $# : 3))
known=
[ $# -gt 0 ] || known='p4 p4p'
[ $# -gt 0 ] || set -- p3 skylake sierraforest zen4
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
dir=$B/anyevent
bodies='any.*,tlb.4k.2048'
passed=0 failed=0 events=0
mkdir -p "$dir" || exit 1

# Column $2 of sim/model/names.csv for the model $1.
model() {
	awk -F, -v model="$1" -v column="$2" '
		$1 == "model" { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		$1 == model { print $at }' "$top/sim/model/names.csv"
}

# NAME COUNTERS for each event of the model; COUNTERS is * where the list does not say.
names() {
	list=$(model "$1" perfmon)
	if [ -n "$list" ]; then
		perfmon "$list"
	else
		rows "$(model "$1" table)" "$(model "$1" row)"
	fi
}

# Names of Cascade Lake's kind, A:request=B:response=C, are A.B.C here. The list of Nehalem numbers
# the fixed counters from 1, the SDM from 0.
perfmon() {
	gzip -dc "$top/pmu/events/perfmon/events.csv.gz" | awk -F, -v list="$1" '
		$1 == list {
			gsub(":(request|response)=", ".", $2)
			counters = $12 " " $13
			gsub(" ", ",", counters)
			if (list == "nehalemep" && sub(/^fixed/, "", counters))
				counters = "fixed" counters - 1
			print $2, counters
		}'
}

rows() {
	awk -F, -v model="$2" '
		/^#/ { next }
		/^event,/ { mask = $2 == "mask"; next }
		{
			models = " " $(NF - 1) " "
			if (models == "  " || index(models, " " model " "))
				print $1 (mask && $2 != "" ? "." $2 : ""), "*"
		}' "$top/pmu/events/$1"
}

# Twenty lines of the input, by a generator that is the same on every host.
draw() {
	awk -v seed="$1" '
		function chance(n) {
			seed = (seed * 16807) % 2147483647
			return int(seed / 2147483647 * n)
		}
		{ line[n++] = $0 }
		END {
			seed = (seed * 7919 + n) % 2147483646 + 1
			for (i = 0; i < 10; i++)
				chance(n)
			for (i = 0; i < n && i < 20; i++) {
				k = i + chance(n - i)
				print line[k]
				line[k] = line[i]
			}
		}'
}

# Boots with the events of the file $2 and judges the log.
run() {
	bits=$(model "$1" width)
	list=$(awk '{ printf "%s%s", sep, $1; sep = "," }' "$2")
	timeout 1200 "$B/cpl0-sim" --cpu "$1" --module "$B/snippets/bodies.$bits.elf" \
		"$B/$bits/cpl0.elf" "bench=$bodies" "events=$list" mode=total runs=1 \
		warmup=1 cpl=0 >"$2.log" 2>"$2.err"
	if awk -v where="$3" -f "$here/judge.awk" "$here/expected.txt" "$2" \
		"$2.log"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
	events=$((events + $(wc -l <"$2")))
}

make -s -C "$top" snippet B="$B" FILE=sim/tests/anyevent/bodies.S >/dev/null || exit 1
for model in "$@"; do
	names "$model" | sort -u >"$dir/$model"
	if [ "$draws" = all ]; then
		rm -f "$dir/$model".part.*
		split -l 60 "$dir/$model" "$dir/$model.part."
		for part in "$dir/$model".part.??; do
			run "$model" "$part" "$model ${part##*.}"
		done
		continue
	fi
	i=0
	while [ $i -lt "$draws" ]; do
		draw $((seed + i)) <"$dir/$model" >"$dir/$model.$((seed + i))"
		run "$model" "$dir/$model.$((seed + i))" "$model seed $((seed + i))"
		i=$((i + 1))
	done
done
for model in $known; do
	names "$model" | sort -u | awk 'NR == FNR { if (!/^#/ && NF == 3) rule[$1]; next }
		{ for (r in rule) if ($1 ~ "^(" r ")$") { print; next } }' \
		"$here/expected.txt" - >"$dir/$model.known"
	run "$model" "$dir/$model.known" "$model, names of expected.txt"
done
echo "$# models, $events events asked for"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
