#!/bin/sh
# May an NMI come while the 32-bit kernel loads its descriptor tables? They are loaded behind each
# run of a snippet, while a counter may still have an NMI under way. The simulator's list of
# instructions tells where the kernel does so. Then it boots once for each of 17 places around
# there, with an NMI at that place.
#
#	sim/tests/anysample/table-nmi.sh BUILD
B=${1:-build}
dir=$B/table-nmi
passed=0 failed=0
mkdir -p "$dir" || exit 1

boot() {
	"$B/cpl0-sim" --cpu none --flat --clock 12 "$@" "$B/32/cpl0.elf" exit=debug cpl=3 \
		bench=alu.add_latency mode=total unroll=1 loop=1 runs=1 warmup=0 >"$dir/log" 2>&1
}

# The number of the last instruction of a trace whose text has $1.
number() {
	grep " $1" "$dir/trace" | tail -n 1 | awk '{ print $2 }'
}

boot --trace "$dir/trace" --trace-cpl 3
snippet=$(number '')
boot --trace "$dir/trace" --trace-from "${snippet:-0}" --trace-count 100000
loaded=$(number 'ltr ')
if [ -z "$snippet" ] || [ -z "$loaded" ]; then
	echo "FAIL no LTR behind the snippet"
	exit 1
fi
# The way from the first descriptor to LTR is about 140 instructions.
for before in 240 220 200 180 160 140 120 100 80 60 40 20 4 3 2 1 0; do
	if boot --fault "nmi=$((loaded - before))" && ! grep -q '^trap ' "$dir/log"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		end=$(tail -n 2 "$dir/log" | head -n 1)
		echo "FAIL an NMI $before instructions before LTR: $end"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
