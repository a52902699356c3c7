#!/bin/sh
# Makes the logs of simulated machines again: tools/reference-logs.sh BUILD [MODEL...]
# Each is a default run without the bandwidth of large arrays, which takes the simulator long, in
# BUILD/machines/MODEL-BITS.log; those that docs/machines/simulated/ has are written there as well.
# A log is written only if it is whole and its run ended well. BUILD/machines.html shows these logs
# and the others of docs/machines.
B=$1
shift
out=$B/machines kept=docs/machines/simulated
jobs=$(nproc 2>/dev/null || echo 1)
models=${*:-$("$B/cpl0-sim" --list | awk '$1 != "none" { print $1 }')}
mkdir -p $out || exit 1

one() {
	bits=$(awk -F, -v model="$1" '$1 == model { print $2 }' sim/model/names.csv)
	new=$B/machines-$1.log
	"$B/cpl0-sim" --cpu "$1" --log "$new" "$B/$bits/cpl0.elf" exit=debug skip=*.memory,*.l3 \
		>/dev/null 2>&1
	if "$B/cpl0-log" check "$new" && grep -q '^done status=ok ' "$new"; then
		mv "$new" "$out/$1-$bits.log"
		[ ! -e "$kept/$1-$bits.log" ] || cp "$out/$1-$bits.log" "$kept"
	else
		echo "$1: no good log: $new" >&2
		return 1
	fi
}

if [ "$ONE" ]; then
	one "$models"
	exit
fi
printf '%s\n' $models | ONE=1 xargs -P "$jobs" -n 1 "$0" "$B"
failed=$?
"$B/cpl0-log" report docs/machines/native/*.log "$out"/*.log -o "$B/machines.html" &&
	echo "$B/machines.html"
exit $failed
