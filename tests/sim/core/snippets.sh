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
# A kernel's figure outside of that is laid beside the clocks of its own run: a trace has those of
# the copies in the second half of each round. If these agree, the run fell into a pattern that no
# beginning of snippets.c leads to; it is counted as such. Else it is off.
#
#	tests/sim/core/snippets.sh BUILD COUNT SEED MODEL/BITS...
set -u
B=$1 count=$2 seed=$3
shift 3
DIR=$B/snippets-sim
status=0
trace=
exec 3>&1

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
		print "off", name, clocks, least[name], most[name], value["code"],
			("code_bytes" in value) ? value["code_bytes"] : length(value["code"]) / 2
}
END {
	print "compared", compared + 0
	print "unsteady", unsteady + 0
}
END

# A trace, bytes= of a copy. Least and most clocks of a copy in the second halves of the last 20
# rounds that began with a jump. The run of 2n copies comes last, so these rounds are of 2n copies.
cat >"$DIR/own.awk" <<'END'
function hex(text, n, i)
{
	for (i = 1; i <= length(text); i++)
		n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}
{
	at = hex($5)
	if (was == "jnz" && at < last) {
		split("", clock)
		base = at
		known = 1
	} else if (was == "jnz")
		known = 0
	if ($6 == "jnz" && known) {
		copies = int((last - base) / bytes)
		half = base + int(copies / 2) * bytes
		value[rounds++ % 20] = (clock[last] - clock[half]) / (copies - int(copies / 2))
	}
	clock[at] = $3
	last = at
	was = $6
}
END {
	for (i in value) {
		least = least == "" || value[i] < least ? value[i] : least
		most = value[i] > most ? value[i] : most
	}
	printf "%.4f %.4f\n", least, most
}
END

# MODEL BITS, then words of the kernel: a run of the module
run()
{
	timeout 1800 "$B/cpl0-sim" --cpu "$1" $trace --module "$B/snippets/random.$2.elf" \
		"$B/$2/cpl0.elf" "bench=$3 runs=2 warmup=2 events=instructions" \
		exit=debug 2>/dev/null
}

# MODEL BITS SEED: what is off is run again, alone and with a trace
own()
{
	while read -r _ name first least most code bytes; do
		rm -f "$DIR/trace"
		mkfifo "$DIR/trace" || exit 1
		trace="--trace-cpl 3 --trace $DIR/trace"
		awk -v "bytes=$bytes" -f "$DIR/own.awk" "$DIR/trace" >"$DIR/own" &
		run "$1" "$2" "$name" >"$DIR/log"
		wait $!
		trace=
		clocks=$(sed -n 's/^result .* tsc=\([0-9.]*\).*/\1/p' "$DIR/log")
		read -r low high <"$DIR/own"
		verdict=$(awk -v "c=$clocks" -v "low=$low" -v "high=$high" -v "f=$first" 'BEGIN {
			wide = high - low > 0.05 ? high - low : 0
			off = c > high + wide + 0.05 || c < low - wide - 0.05
			print (off || f > c + 0.05 || f < c - 0.05 ? "off" : "own")
		}')
		echo "$1 seed $3: $name $code: kernel $first and $clocks, its run $low to $high," \
			"alone $least to $most: $verdict" >&3
		echo "$verdict"
	done
}

# COUNT SEED SSE: a module for each width
module()
{
	"$B/tests/sim/snippets" source "$2" "$1" "$3" >"$DIR/random.S" &&
		make -s snippet B="$B" FILE="$DIR/random.S" >/dev/null
}

# MODEL BITS: the rest of what was asked for
machine()
{
	sse=1 left=$count at=$seed off=0 other=0 compared=0 unsteady=0

	case $1 in ppro | p2 | p3 | k7) sse=0 ;; esac
	while [ "$left" -gt 0 ]; do
		n=$((left < 100 ? left : 100))
		module $n $at $sse || exit 1
		"$B/tests/sim/snippets" clocks $at $n $sse "$1" "$2" >"$DIR/clocks"
		run "$1" "$2" 'random.*' >"$DIR/log"
		awk -f "$DIR/compare.awk" "$DIR/clocks" "$DIR/log" >"$DIR/result"
		grep '^off' "$DIR/result" | own "$1" "$2" $at >"$DIR/verdicts"
		own=$(grep -c '^own' "$DIR/verdicts")
		off=$((off + $(grep -c '^off' "$DIR/result") - own))
		other=$((other + own))
		compared=$((compared + $(sed -n 's/^compared //p' "$DIR/result")))
		unsteady=$((unsteady + $(sed -n 's/^unsteady //p' "$DIR/result")))
		left=$((left - n))
		at=$((at + 1))
	done
	echo "snippets-sim: $1: $compared of $count compared, $unsteady unsteady," \
		"$other in a pattern of their own, $off off by more than 0.05 clock"
	[ "$compared" = "$count" ] && [ "$off" = 0 ]
}

for m; do
	machine "${m%/*}" "${m#*/}" || status=1
done
exit $status
