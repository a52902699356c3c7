#!/bin/sh
# Does the kernel measure what the simulator did, and what the core model says by itself? Random
# snippets run in the simulator as boot modules, 100 a boot. The kernel's figure is the difference
# between twice as many copies and as many, between brackets.
#
# 1. Beside its own run: a trace has the clocks of all instructions at CPL 3. The same difference of
#    the last runs, from the first instruction to the last one, must agree within 0.05 clock.
# 2. Beside the core model alone (snippets.c): the clocks of a copy in the second half of many. Of
#    some snippets the model has several figures, by what stood before: LEAST to MOST. A figure of
#    the kernel outside of these by more than 0.05 clock is a pattern that none of the beginnings of
#    snippets.c leads to. It is printed, and so few may be as ELSEWHERE says, in 100 snippets. A
#    figure more than a clock outside is off.
#
#	sim/tests/core/snippets.sh BUILD COUNT SEED MODEL/BITS...
set -u
B=$1 count=$2 seed=$3
shift 3
DIR=$B/snippets-sim
status=0
ELSEWHERE=2

mkdir -p "$DIR" || exit 1

# A trace: a line for each run of code, with the number of the snippet, instructions and clocks. A
# snippet is known by its first instructions. The empty body and what proves the counters have fewer
# than 100; a snippet has more, as it is repeated.
cat >"$DIR/runs.awk" <<'END'
{
	if (!n++) {
		first = $3
		text = ""
	}
	if (n <= 12) {
		line = $0
		sub(/^[^+]*[+][0-9]+ +[0-9a-f]+ +/, "", line)
		sub(/  .*/, "", line)
		text = text line ";"
	}
	if ($6 == "int") {
		if (n > 100) {
			snippets += text != was
			was = text
			print snippets, n, $3 - first
		}
		n = 0
	}
}
END

# NAME LEAST MOST of the model alone, then the runs, then the log. Before the snippets the trace has
# what moves the events (bench/suite/stimulus.S): one that the log has no result of.
cat >"$DIR/compare.awk" <<'END'
FNR == 1 { part++ }
part == 1 {
	least[$1] = $2
	most[$1] = $3
	next
}
# Of each number of instructions the clocks of the last run and of that before
part == 2 {
	snippets = $1
	if ($2 != size[$1]) {
		less[$1] = last[$1]
		less_before[$1] = before[$1]
		last[$1] = ""
	}
	size[$1] = $2
	before[$1] = last[$1]
	last[$1] = $3
	next
}
/^result bench=random/ { result[++n] = $0 }
function compare(i, at,    value, field, fields, k, clocks, name, copies, own, far)
{
	fields = split(result[i], field)
	for (k = 2; k <= fields; k++)
		value[substr(field[k], 1, index(field[k], "=") - 1)] = \
			substr(field[k], index(field[k], "=") + 1)
	if (!("tsc" in value))
		return
	compared++
	clocks = value["tsc"] + 0
	name = value["bench"]
	copies = value["copies"] * value["loop"]
	own = copies ? (last[at] + before[at] - less[at] - less_before[at]) / 2 / copies : -1
	if (clocks > own + 0.05 || clocks < own - 0.05)
		print "off", name, clocks, sprintf("%.4f", own), value["code"]
	unsteady += most[name] - least[name] > 0.05
	far = clocks > most[name] + 1 || clocks < least[name] - 1
	if (clocks > most[name] + 0.05 || clocks < least[name] - 0.05)
		print (far ? "off" : "elsewhere"), name, clocks, least[name],
			most[name], value["code"]
}
END {
	for (i = 1; i <= n; i++)
		compare(i, i + 1)
	if (snippets != n + 1)
		print "off", "all", snippets + 0, "in the trace", n + 0, "in the log"
	print "compared", compared + 0
	print "unsteady", unsteady + 0
}
END

# MODEL BITS: a run of the module, its log and its runs
run()
{
	timeout 1800 "$B/cpl0-sim" --cpu "$1" --trace-cpl 3 --trace /dev/fd/3 \
		--module "$B/snippets/random.$2.elf" "$B/$2/cpl0.elf" \
		"bench=random.* runs=2 warmup=2 events=instructions" exit=debug \
		3>&1 >"$DIR/log" 2>/dev/null | awk -f "$DIR/runs.awk" >"$DIR/runs"
}

# COUNT SEED SSE: a module for each width
module()
{
	"$B/sim/tests/snippets" source "$2" "$1" "$3" >"$DIR/random.S" &&
		make -s snippet B="$B" FILE="$DIR/random.S" >/dev/null
}

# MODEL BITS
machine()
{
	sse=1 left=$count at=$seed off=0 elsewhere=0 compared=0 unsteady=0

	case $1 in ppro | p2 | p3 | k7) sse=0 ;; esac
	while [ "$left" -gt 0 ]; do
		n=$((left < 100 ? left : 100))
		module $n $at $sse || exit 1
		"$B/sim/tests/snippets" clocks $at $n $sse "$1" "$2" >"$DIR/clocks"
		run "$1" "$2"
		awk -f "$DIR/compare.awk" "$DIR/clocks" "$DIR/runs" "$DIR/log" >"$DIR/result"
		sed -n "s/^off/$1 seed $at: off:/p; s/^elsewhere/$1 seed $at: elsewhere:/p" \
			"$DIR/result"
		off=$((off + $(grep -c '^off' "$DIR/result")))
		elsewhere=$((elsewhere + $(grep -c '^elsewhere' "$DIR/result")))
		compared=$((compared + $(sed -n 's/^compared //p' "$DIR/result")))
		unsteady=$((unsteady + $(sed -n 's/^unsteady //p' "$DIR/result")))
		left=$((left - n))
		at=$((at + 1))
	done
	echo "snippets-sim: $1: $((compared - off)) of $count as in the trace, $off off by more" \
		"than 0.05 clock; of the model alone $unsteady unsteady, $elsewhere elsewhere"
	[ "$compared" = "$count" ] && [ "$off" = 0 ] &&
		[ $((100 * elsewhere)) -le $((ELSEWHERE * count)) ]
}

for m; do
	machine "${m%/*}" "${m#*/}" || status=1
done
exit $status
