#!/bin/sh
# sim/tests/core/run.sh BUILD [update|fit] [MACHINE...] - the instruction table on the core model
# beside real processors. Prints the shares of good figures that sim/docs/clocks.md has, and
# fails if sim/timing/measured.csv or that table says otherwise. update: writes both. fit: fits the
# rows of the machines (sim/tests/core/fit_core.c) and writes sim/timing/rows/.
B=$1
shift
mode=check
case $1 in update | fit) mode=$1 && shift ;; esac
measured=sim/timing/measured.csv
csv=docs/machines/measured-latency.csv
work=$B/sim/tests/instr-sim
mkdir -p "$work"

# The lines of the machines that are wanted.
wanted() {
	awk -F, -v list="$*" 'BEGIN { n = split(list, name, " "); for (i in name) want[name[i]] }
		NR > 1 && (!n || $1 in want) { print $1, $2, $3, $4, $5 }' $measured
}

if [ $mode = fit ]; then
	wanted "$@" | xargs -P 2 -L 1 sh -c '
		rows=sim/timing/rows/$3.csv
		"$1/sim/tests/fit_core" "$3" "$4" "$5" "$6" "$7" "$2" "$rows" \
			>"$1/sim/tests/$3.new" &&
			mv "$1/sim/tests/$3.new" "$rows"' sh "$B" $csv
	exit
fi

rm -f "$work"/*
wanted "$@" | xargs -P 2 -L 1 sh -c '
	"$1/sim/tests/instr_core" "$3" "$4" "$5" "$6" "$7" "$2" >"$1/sim/tests/instr-sim/$3"' \
	sh "$B" $csv || exit 1

# Figures and how many are good, of the half that is held out.
shares() {
	grep "^share machine=$1 .* half=held kind=$2 " "$work/$1" |
		sed 's/.* figures=\([0-9]*\) good=/\1 /'
}

status=0
for machine in $(wanted "$@" | cut -d ' ' -f 1); do
	set -- $(shares "$machine" integer) $(shares "$machine" all)
	cpu=$(sed -n "s/^$machine,\([^,]*\),.*/\1/p" $measured)
	row=$(awk -v m="$machine" -v c="$cpu" -v n="$1" -v g="$2" -v N="$3" -v G="$4" '
		BEGIN {
		printf "| %s | %s | %d of %d, %.1f %% | %d of %d, %.1f %% |\n", m, c, g, n,
			100 * g / n, G, N, 100 * G / N
		}')
	echo "$row"
	if [ $mode = update ]; then
		sed -i "s/^\($machine,[^,]*,[^,]*,[^,]*,[^,]*\),.*/\1,$1,$2,$3,$4/" $measured
		sed -i "s/^| $machine | $cpu | .*/$row/" sim/docs/clocks.md
		continue
	fi
	grep -q "^$machine,[^,]*,[^,]*,[^,]*,[^,]*,$1,$2,$3,$4\$" $measured ||
		{ echo "FAIL: $measured has other figures of $machine" && status=1; }
	grep -qxF "$row" sim/docs/clocks.md ||
		{ echo "FAIL: sim/docs/clocks.md has other figures of $machine" && status=1; }
done
[ $status = 0 ] || echo "\`make instr-sim UPDATE=1\` writes them"
exit $status
