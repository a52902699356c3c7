#!/bin/sh
# Any sampling requests: event, period, benchmarks, level, lengths, faults, all drawn.
#
#	tests/sim/anysample/run.sh BUILD [DRAWS [SEED [MODEL...]]]
#
# DRAWS boots of each MODEL (default: once for the models below; `all` is every model that counts),
# with one to nine benchmarks in each. Each benchmark is a request of its own. Each run must end in
# `done` with an intact log, and its records must add up (judge.awk). Prints how many requests there
# were.
B=${1:-build}
draws=${2:-1} seed=${3:-1}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- p4 core2
[ "$*" != all ] || set -- $("$B/cpl0-sim" --list | sed '/^none /d; s/ .*//')
here=$(cd "$(dirname "$0")" && pwd)
dir=$B/anysample
passed=0 failed=0 requests=0
mkdir -p "$dir" || exit 1

# Options of the simulator, a bar, arguments of the kernel: request N of model $1.
draw() {
	awk -v model="$1" -v n="$2" -v seed="$seed" '
	function below(n) {
		state = (state * 16807) % 2147483647
		return int(state / 7) % n
	}
	function pick(list,    word) {
		return (split(list, word, " ") > 0) ? word[below(split(list, word, " ")) + 1] : ""
	}
	BEGIN {
		for (i = 1; i <= length(model); i++)
			h = h * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789", \
				substr(model, i, 1))
		state = (h * 1009 + n * 104729 + seed * 7919) % 2147483646 + 1
		for (i = 0; i < 5; i++)
			below(2)
		event = pick("instructions cycles branches branch-misses l1d-misses " \
			"l1d-load-misses dtlb-misses 1stL_cache_load_miss_retired no.such " \
			sprintf("cpu/event=0x%02x,umask=0x%02x/", below(256), below(256)))
		period = 2 ^ below(12) + below(3)
		most = split("alu.add_latency l1.thrash sprunt.shadow sprunt.figure5 " \
			"sprunt.table1 split.store_line p5.empty bandwidth.read_dword.l1 code", \
			all, " ")
		count = 1 + below(most)
		for (i = 0; i < count; i++) {
			k = 1 + i + below(most - i)
			bench = bench (i ? "," : "") all[k]
			all[k] = all[1 + i]
		}
		if (below(4))
			printf "--pmi-latency %d ", below(5) ? below(100) : below(100000)
		if (!below(6))
			printf "--fault %s ", pick("apic=phantom apic=x2 apic=smi smi=30001 " \
				"msr=0x600:gp msr=0x3f1:deaf msr=0x1a0:zero nmi=900000 " \
				"msr=0x1c8:locked msr=0x14ce:locked")
		printf "| bench=%s sample=%s,%d samples=%d cpl=%s timeout=%d", bench, event, period,
			1 + below(40), below(4) ? 3 : 0, 1 + below(9)
		if (bench ~ /code/)
			printf " code=%s", pick("0fafc0 8b0647 ebfe f4 cc 9090")
		if (below(2))
			printf " loop=%d", 1 + below(200)
		if (!below(4))
			printf " branches=%s", pick("all calls")
		if (below(2))
			printf " watermark=%d", 1 + below(15872)
		printf "%s%s\n", below(2) ? " skid" : "", below(2) ? " addresses" : ""
	}'
}

for model; do
	case $model in
	p5* | ppro | p2 | p3 | pm | p4 | p4n | core | k7) widths=32 ;;
	*) widths="32 64" ;;
	esac
	n=0
	while [ $n -lt "$draws" ]; do
		n=$((n + 1))
		bits=$(echo "$widths" | cut -d' ' -f$((n % $(echo "$widths" | wc -w) + 1)))
		line=$(draw "$model" $n)
		log=$dir/$model-$bits-$seed-$n.log
		# shellcheck disable=SC2086
		timeout 600 "$B/cpl0-sim" --cpu "$model" --log "$log" ${line%%|*} \
			"$B/$bits/cpl0.elf" exit=debug ${line#*|} >"$log.out" 2>&1
		if why=$("$B/cpl0-log" check "$log" 2>&1) &&
		   why=$(awk -f "$here/judge.awk" "$log"); then
			passed=$((passed + 1))
			benches=${line#*bench=}
			requests=$((requests + $(echo "${benches%% *}" | tr ',' '\n' | wc -l)))
			rm -f "$log" "$log.out"
		else
			failed=$((failed + 1))
			echo "FAIL $model $bits $line: $(echo "$why" | tail -n 1)"
		fi
	done
done
echo "$requests requests"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
