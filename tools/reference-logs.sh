#!/bin/sh
# Makes the logs of simulated machines again: tools/reference-logs.sh BUILD [MODEL...]
# Each is a default run, in docs/machines/simulated/MODEL-BITS.log. BUILD/machines.html compares
# them. A log is written only if it is whole and its run ended well.
B=$1
shift
out=docs/machines/simulated
models=${*:-$("$B/cpl0-sim" --list | awk '$1 != "none" { print $1 }')}
mkdir -p $out || exit 1
failed=0

for model in $models; do
	case $model in # the others have long mode
	p5 | p5mmx | ppro | p2 | p3 | pm | p4 | p4n | core | k7) bits=32 ;;
	*) bits=64 ;;
	esac
	new=$B/machines-$model.log
	"$B/cpl0-sim" --cpu "$model" --log "$new" "$B/$bits/cpl0.elf" exit=debug >/dev/null 2>&1
	if "$B/cpl0-log" check "$new" && grep -q '^done status=ok ' "$new"; then
		mv "$new" "$out/$model-$bits.log"
	else
		echo "$model: no good log: $new" >&2
		failed=1
	fi
done
"$B/cpl0-log" report "$out"/*.log -o "$B/machines.html" && echo "$B/machines.html"
exit $failed
