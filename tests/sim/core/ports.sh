#!/bin/sh
# tests/sim/core/ports.sh BUILD MODEL FORMS - the kernel's `ports` records of these benchmarks
# (globs) on the simulator beside the simulator's own table. Fails if fewer than 95 % are the same.
# Forms that the CPU lacks have no record.
B=$1 model=$2 forms=$3
work=$B/tests/sim/ports-sim
mkdir -p "$work"

"$B/tests/sim/ports_core" "$model" >"$work/table" || exit 1
"$B/cpl0-sim" --cpu "$model" --log "$work/log" "$B/64/cpl0.elf" ports="$forms" runs=1 \
	>/dev/null 2>&1 </dev/null
grep -aq '^done status=ok' "$work/log" || { echo "no good end: see $work/log" && exit 1; }

# Terms in the order of their ports, and what no blocking instruction is for.
sed -n 's/^ports bench=\([^ ]*\) .* ports=\([^ ]*\)\( left=\([0-9]*\)\)\{0,1\} #.*/\1 \2 \4/p' \
	"$work/log" | awk '
	{
		n = split($2, term, "+")
		for (i = 2; i <= n; i++)
			for (k = i; k > 1 && name(term[k]) < name(term[k - 1]); k--) {
				t = term[k]; term[k] = term[k - 1]; term[k - 1] = t
			}
		text = term[1]
		for (i = 2; i <= n; i++)
			text = text "+" term[i]
		print $1, text ($3 ? " left=" $3 : "")
	}
	function name(t) { sub(/^[0-9]*\*/, "", t); return t }' >"$work/found"

awk -v model="$model" '
	FNR == NR { want[$1] = $2; next }
	$1 in want {
		all++
		if ($2 == want[$1] && NF == 2)
			same++
		else
			print $1 ": " $2 " " $3 ", the table has " want[$1]
	}
	END {
		printf "%s: %d of %d forms as in the table\n", model, same, all
		exit !all || same < 0.95 * all
	}' "$work/table" "$work/found"
