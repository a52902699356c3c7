#!/bin/sh
# sim/tests/core/ports.sh BUILD MODEL FORMS [LOG] - the kernel's `ports` records of these benchmarks
# (globs) on the simulator beside the simulator's own table. Fails if fewer than 95 % are the same.
# Forms that the CPU lacks have no record. With LOG nothing runs: its records are compared.
#
# By time (docs/ports.md), a term of the kernel is what a blocking instruction needs. The table says
# what that is, in clocks of ports.
B=$1 model=$2 forms=$3 log=$4
work=$B/sim/tests/ports-sim-$model
mkdir -p "$work"

if [ -z "$log" ]; then
	log=$work/log
	"$B/cpl0-sim" --cpu "$model" --max-instructions 100000000000 --log "$log" \
		"$B/64/cpl0.elf" ports="$forms" runs=1 exit=debug >/dev/null 2>&1 </dev/null
	grep -aq '^done status=ok' "$log" || { echo "no good end: see $log" && exit 1; }
fi
codes=$(sed -n 's/^blocker by=time .*code=\([^ ]*\) .*/\1/p' "$log")
# shellcheck disable=SC2086 # one word each
"$B/sim/tests/ports_core" "$model" $codes >"$work/table" || exit 1

awk -v model="$model" '
	# adds n times the terms to sum[]
	function add(n, terms, part, i, t, k) {
		k = split(terms, part, "+")
		for (i = 1; i <= k; i++) {
			split(part[i], t, "*")
			if (t[2] in means)
				add(n * t[1], means[t[2]])
			else if (t[2] != "")
				sum[t[2]] += n * t[1]
		}
	}
	function value(key, i) {
		for (i = 1; i <= NF; i++)
			if (index($i, key "=") == 1)
				return substr($i, length(key) + 2)
		return ""
	}
	FNR == NR { want[$1] = $2; next }
	# a divider that it keeps for several clocks is one port
	$1 == "blocker" && value("by") == "time" {
		text = want[value("code")]
		if (text !~ /[+]/)
			sub(/^[0-9]*/, "1", text)
		means[value("ports")] = text
	}
	$1 == "ports" && value("bench") in want {
		name = value("bench")
		split("", sum)
		add(1, value("ports"))
		add(-1, want[name])
		off = value("left") != ""
		for (i in sum)
			off += sum[i] != 0
		all++
		same += !off
		if (off)
			print name ": " value("ports") " " value("left") ", table: " want[name]
	}
	END {
		printf "%s: %d of %d forms as in the table\n", model, same, all
		exit !all || same < 0.95 * all
	}' "$work/table" "$log"
