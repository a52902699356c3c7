#!/bin/sh
# Does the kernel measure what the core model says by itself? Random snippets run in the simulator
# as boot modules, 100 a boot. The kernel's figure is the difference between twice as many copies
# and as many, between brackets; the model's is the clocks of a copy in the second half of many.
# They must agree within 0.05 clock. Prints the snippets that do not, and a line for each machine.
#
# Of some snippets the model itself has several figures, by what stood before (snippets.c): LEAST to
# MOST. There n copies may take LEAST each and 2n MOST, or the other way round, so the kernel's
# figure may lie outside by as much as they differ. These are counted as unsteady.
#
#	tests/sim/core/snippets.sh BUILD COUNT SEED MODEL/BITS...
set -u
B=$1 count=$2 seed=$3
shift 3
DIR=$B/snippets-sim
status=0

mkdir -p "$DIR" || exit 1

# NAME LEAST MOST, then the log
cat >"$DIR/compare.awk" <<'END'
FNR == NR {
	least[$1] = $2
	most[$1] = $3
	next
}
/^result bench=random/ {
	split("", value)
	for (i = 2; i <= NF; i++)
		value[substr($i, 1, index($i, "=") - 1)] = substr($i, index($i, "=") + 1)
	if (!("tsc" in value))
		next
	compared++
	clocks = value["tsc"] + 0
	name = value["bench"]
	wide = most[name] - least[name]
	unsteady += wide > 0.05
	if (wide <= 0.05)
		wide = 0
	if (clocks > most[name] + wide + 0.05 || clocks < least[name] - wide - 0.05)
		print "off", name, clocks, least[name], most[name], value["code"]
}
END {
	print "compared", compared + 0
	print "unsteady", unsteady + 0
}
END

# COUNT SEED SSE: a module for each width
module()
{
	"$B/tests/sim/snippets" source "$2" "$1" "$3" >"$DIR/random.S" &&
		make -s snippet B="$B" FILE="$DIR/random.S" >/dev/null
}

# MODEL BITS: the rest of what was asked for
machine()
{
	sse=1 left=$count at=$seed off=0 compared=0 unsteady=0

	case $1 in ppro | p2 | p3 | k7) sse=0 ;; esac
	while [ "$left" -gt 0 ]; do
		n=$((left < 100 ? left : 100))
		module $n $at $sse || exit 1
		"$B/tests/sim/snippets" clocks $at $n $sse "$1" "$2" >"$DIR/clocks"
		timeout 1800 "$B/cpl0-sim" --cpu "$1" --module "$B/snippets/random.$2.elf" \
			"$B/$2/cpl0.elf" "bench=random.* runs=2 warmup=2 events=instructions" \
			exit=debug >"$DIR/log" 2>/dev/null
		awk -f "$DIR/compare.awk" "$DIR/clocks" "$DIR/log" >"$DIR/result"
		sed -n "s/^off/$1 seed $at: snippet, kernel, least, most, code:/p" "$DIR/result"
		off=$((off + $(grep -c '^off' "$DIR/result")))
		compared=$((compared + $(sed -n 's/^compared //p' "$DIR/result")))
		unsteady=$((unsteady + $(sed -n 's/^unsteady //p' "$DIR/result")))
		left=$((left - n))
		at=$((at + 1))
	done
	echo "snippets-sim: $1: $compared of $count compared, $unsteady unsteady," \
		"$off off by more than 0.05 clock"
	[ "$compared" = "$count" ] && [ "$off" = 0 ]
}

for m; do
	machine "${m%/*}" "${m#*/}" || status=1
done
exit $status
