#!/bin/sh
# Any sampling requests: event, period, program, level, lengths, faults, all drawn.
#
#	sim/tests/anysample/run.sh BUILD [DRAWS [SEED [MODEL...]]]
#
# DRAWS boots of each MODEL (default: two for the models below; `all` is every model that counts).
# With REQUESTS=N in the environment there are as many boots as N requests of each model take.
# Each boot has PROGRAMS programs of a boot module and one to 16 words `sample=`. A request is one
# program with one `sample=`; it is served by each way of sampling that the model has. Each boot
# must end in `done` with an intact log, each request must have its records, and they must add up
# (judge.awk). Prints how many there were, for each model and in all.
#
# A boot costs as much as a hundred requests, so it has many programs. It is a small boot: its clock
# is slow, so that a limit in milliseconds is few clocks, most have no costs of instructions
# (--flat), and most say `loop=`, so that no pass has to find out. The first boot, and every
# SPREAD-th from there on (default: 8), is a wide one: few programs, up to two built-in benchmarks,
# which are long, any clock, any limit. PROGRAMS is 60 unless it is given, and 12 in a wide boot.
# UNTIL=HHMM ends the boots at that time of the day. Three boots that fail end those of a model. It
# is an error if no boot ran.
B=${1:-build}
draws=${2:-2} seed=${3:-5}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- p4 core2
[ "$*" != all ] || set -- $("$B/cpl0-sim" --list | sed '/^none /d; s/ .*//')
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
dir=$B/anysample
passed=0 failed=0 requests=0 refused=0 passes=0
spread=${SPREAD:-8} least=${REQUESTS:-0}
mkdir -p "$dir" || exit 1

# Level, a bar, options of the simulator, a bar, arguments of the kernel: boot $2 of model $1.
draw() {
	awk -v model="$1" -v n="$2" -v wide="$wide" -v seed="$seed" -v names="$names" '
	function below(n) {
		state = (state * 16807) % 2147483647
		return int(state / 7) % n
	}
	function pick(list,    word) {
		return (split(list, word, " ") > 0) ? word[below(split(list, word, " ")) + 1] : ""
	}
	function event() {
		if (below(3))
			return pick("instructions instructions cycles branches branch-misses " \
				"l1d-misses l1d-load-misses dtlb-misses")
		if (!below(8))
			return below(2) ? "no.such" : \
				sprintf("cpu/event=0x%02x,umask=0x%02x/", below(256), below(256))
		return pick(names)
	}
	BEGIN {
		for (i = 1; i <= length(model); i++)
			h = (h * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789", \
				substr(model, i, 1))) % 1000003
		state = (h * 1009 + n * 104729 + seed * 7919) % 2147483646 + 1
		for (i = 0; i < 5; i++)
			below(2)
		level = below(4) ? 3 : 0
		printf "%d|--clock %d ", level, wide ? 20 + below(30) : 12 + below(4)
		if (below(wide ? 3 : 10))
			printf "--flat "
		if (below(4))
			printf "--pmi-latency %d ", below(5) ? below(100) : below(100000)
		if (!below(6))
			printf "--fault %s ", pick("apic=phantom apic=x2 apic=smi smi=30001 " \
				"msr=0x600:gp msr=0x3f1:deaf msr=0x1a0:zero nmi=900000 " \
				"msr=0x1c8:locked msr=0x14ce:locked")
		printf "|bench=any.*"
		for (i = wide ? below(3) : 0; i > 0; i--)
			printf ",%s", pick("alu.add_latency l1.thrash sprunt.shadow " \
				"sprunt.figure5 sprunt.table1 split.store_line p5.empty " \
				"bandwidth.read_dword.l1")
		for (i = wide ? 1 + below(16) : 16 - below(4); i > 0; i--)
			printf " sample=%s,%d", event(), below(2) ? 1 + below(40) : \
				2 ^ below(12) + below(3)
		printf " samples=%d cpl=%d timeout=%d", 1 + below(40), level, \
			1 + below(wide ? 5 : 2)
		if (!wide && below(4))
			printf " unroll=%d", 1 + below(4)
		if (below(wide ? 4 : 12))
			printf " loop=%d", 1 + below(below(2) ? 10 : 200)
		if (!below(4))
			printf " branches=%s", pick("all calls")
		if (!below(4))
			printf " random=%d", 1 + below(6)
		if (model ~ /^p4/ && !below(3))
			printf " after=%s,%d", event(), 1 + below(500)
		if (below(2))
			printf " watermark=%d", 1 + below(below(2) ? 1000 : 15872)
		printf "%s%s\n", below(2) ? " skid" : "", below(2) ? " addresses" : ""
	}'
}

# Makes $2.elf, the programs of boot $1, for kernels of $3 bits; at CPL 0 ($4) none of them faults.
module() {
	tame=$((1 - ($4 != 0)))
	awk -v n="${PROGRAMS:-$((wide ? 12 : 60))}" -v seed="$1" -v tame=$tame \
		-f "$here/programs.awk" >"$2.S" &&
		${CC:-cc} -m"$3" -I "$top" -c -o "$2.o" "$2.S" &&
		ld -m "$(echo "$3" | sed 's/32/elf_i386/; s/64/elf_x86_64/')" -s -o "$2.elf" \
			-T "$top/bench/snippet.ld" -z max-page-size=4 --build-id=none "$2.o"
}

set_sums() {
	requests=$((requests + $1)) refused=$((refused + $2)) passes=$((passes + $3))
	own=$((own + $1))
}

# Is there another boot of this model?
more() {
	[ -z "$UNTIL" ] || [ "$(date +%H%M)" -lt "$UNTIL" ] || return 1
	[ $((failed - before)) -lt 3 ] || return 1
	if [ "$least" -gt 0 ]; then
		[ "$own" -lt "$least" ]
	else
		[ $n -lt "$draws" ]
	fi
}

for model; do
	case $model in
	p5* | ppro | p2 | p3 | pm | p4 | p4n | core | k7) widths=32 ;;
	*) widths="32 64" ;;
	esac
	names=$("$B/cpl0-sim" --list "$model" |
		awk '$1 == "event" && !/NOT DERIVED/ { gsub(":", ".", $5); printf "%s ", $5 }')
	n=0 own=0 before=$failed
	while more; do
		n=$((n + 1))
		wide=$((n % spread == 1 % spread))
		bits=$(echo "$widths" | cut -d' ' -f$((n % $(echo "$widths" | wc -w) + 1)))
		line=$(draw "$model" $n)
		log=$dir/$model-$bits-$seed-$n.log
		sim=${line#*|}
		module $((seed * 1000 + n)) "$log" "$bits" "${line%%|*}" || exit 1
		# shellcheck disable=SC2086
		timeout 600 "$B/cpl0-sim" --cpu "$model" --log "$log" ${sim%%|*} \
			--module "$log.elf" "$B/$bits/cpl0.elf" exit=debug ${sim#*|} \
			>"$log.out" 2>&1
		random=$(echo "$line" | grep -c ' random=')
		if why=$("$B/cpl0-log" check "$log" 2>&1) &&
		   why=$(awk -v random="$random" -f "$here/judge.awk" "$log"); then
			passed=$((passed + 1))
			# shellcheck disable=SC2086
			set_sums $why
			rm -f "$log" "$log".*
		else
			failed=$((failed + 1))
			echo "FAIL $model $bits $line: $(echo "$why" | tail -n 1)"
		fi
	done
	echo "$model: $own requests in $n boots"
done
echo "$requests requests, $refused of them refused; $passes passes"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
