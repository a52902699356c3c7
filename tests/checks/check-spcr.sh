#!/bin/sh
# An ACPI table SPCR that says that the serial port lies in memory, at the addresses of the review
# that found it and at drawn ones: in the kernel, in the vectors and BIOS data, in VGA memory and
# ROMs, in RAM, and behind it. Each run in the simulator must end, have its whole log on COM1, name
# the address if anything is there, and list what a run without that fault lists: a byte of the
# kernel's constants that was overwritten shows.
#
#	tests/checks/check-spcr.sh BUILD [DRAWS]
B=${1:-build}
draws=${2:-100}
dir=$B/spcr
passed=0 failed=0
mkdir -p "$dir" || exit 1

simulate() # NAME OPTIONS...
{
	name=$1
	shift
	timeout 1200 "$B/cpl0-sim" --cpu p3 "$@" --log "$dir/$name.log" "$B/32/cpl0.elf" \
		exit=debug list bench=alu.*,branch.*,p5.* >/dev/null 2>"$dir/$name.err"
}

# The records without number and CRC; without those that the table or the time may change.
records()
{
	tr -d '\r' <"$dir/$1.log" | sed -E -e 's/ #[0-9]+:[0-9a-f]+$//' -e 's/^done .*/done/' |
		grep -vE '^(warn what=console|console|clock) '
}

run() # ADDRESS WHY
{
	name=at-$1 good=yes
	simulate "$name" --fault "spcr=mem:$1"
	"$B/cpl0-log" check "$dir/$name.log" | grep -q ': intact, ' || good=no
	tail -n 1 "$dir/$name.log" | grep -q '^done status=ok ' || good=no
	grep -q '^console serial=16550a bus=port address=0x3f8 .*source=probe' \
		"$dir/$name.log" || good=no
	[ -z "$2" ] || grep -q "^warn what=console culprit=\"SPCR $1\" why=\".*$2" \
		"$dir/$name.log" || good=no
	records "$name" | cmp -s - "$dir/expected" || good=no
	if [ $good = yes ]; then
		passed=$((passed + 1))
		rm -f "$dir/$name.log" "$dir/$name.err"
	else
		failed=$((failed + 1))
		echo "spcr $1: FAIL (see $dir/$name.log)"
	fi
}

# FIRST SIZE COUNT WHY: lines of addresses, the same in each run
draw()
{
	awk -v first="$1" -v size="$2" -v count="$3" -v why="$4" 'BEGIN {
		srand(23 + first)
		for (; count > 0; count--)
			printf "0x%x %s\n", first + int(rand() * size), why
	}'
}

simulate none
records none >"$dir/expected"
[ "$(wc -l <"$dir/expected")" -gt 100 ] || { echo "spcr: no list to compare with"; exit 1; }
{
	for address in 0x3f8 0x134d20 0x12e218 0x10a250 0x11e210; do
		echo "$address its address is"
	done
	draw 1048576 524288 $((draws * 4 / 10)) "its address is the kernel's"
	draw 4 655328 $((draws * 2 / 10)) "below 1 MiB"
	draw 655360 393000 $((draws / 10)) "below 1 MiB"
	draw 4194304 62914528 $((draws * 2 / 10)) "its address is RAM"
	draw 67108864 4026531840 $((draws / 10)) ""
} >"$dir/addresses"
while read -r address why; do
	run "$address" "$why"
done <"$dir/addresses"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
