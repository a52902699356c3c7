#!/bin/sh
# The two readers of intel/perfmon's lists refuse a row that they would misread: they name it, give
# the reason, and end with an error. They accept the lists as they are.
#
#	tests/checks/check-perfmon.sh GENERATOR LISTS
set -eu
gen=$1 lists=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

kernel() {
	awk -f pmu/gen/perfmon.awk "$1" >"$dir/arch-perfmon.csv" &&
		"$gen" 64 pmu/events "$dir/arch-perfmon.csv"
}

simulator() {
	awk -f sim/pmu/perfmon-list.awk "$1"
}

# refuse READER REASON [ROW]: the lists with ROW behind their end; without one, standard input
refuse() {
	if [ $# -gt 2 ]; then
		printf '%s\n' "$3" | cat "$lists" - >"$dir/perfmon.csv"
	else
		cat >"$dir/perfmon.csv"
	fi
	if "$1" "$dir/perfmon.csv" >"$dir/out" 2>"$dir/message"; then
		echo "$1 accepts what it must refuse: $2"
		failed=1
	elif ! sed "s,$dir/,," "$dir/message" | grep -qxF "$2"; then
		echo "$1 says  $(cat "$dir/message")"
		echo "	wants $2"
		failed=1
	fi
}

for reader in kernel simulator; do
	"$reader" "$lists" >"$dir/out" || failed=1
done
row=$(($(wc -l <"$lists") + 1))
refuse kernel "perfmon.csv:$row: not 18 columns" 'skylake,NEW,0x1,0x1,,,,,,,,0 1'
refuse kernel "perfmon.csv:$row: no counters" 'skylake,NEW,0x1,0x1,,,,,,,,,,,,,,'
refuse kernel "perfmon.csv:$row: no filter has the register 0x1f" \
	'skylake,NEW,0x1,0x1,,,,,,0x1F,0x1,0 1,,,,,,'
refuse kernel "arch-perfmon.csv:$((row + 1)): nolake: models.csv has no such model" \
	'nolake,NEW,0x1,0x1,,,,,,,,0 1,,,,,,'
refuse kernel "arch-perfmon.csv:$((row + 1)): 0x1g: not a number up to 4095" \
	'skylake,NEW,0x1g,0x1,,,,,,,,0 1,,,,,,'
first=$(grep -n '^skylake,BACLEARS.ANY,' "$lists")
refuse kernel "arch-perfmon.csv:$((row + 1)): \
BACLEARS.ANY: defined before at arch-perfmon.csv:$((${first%%:*} + 1))" \
	'skylake,BACLEARS.ANY,0x1,0x1,,,,,,,,0 1,,,,,,'
sed '1s/umask_ext/other/' "$lists" | refuse kernel 'perfmon.csv:2: no column umask_ext'

refuse simulator 'perfmon-list.awk: the list skylake is in two pieces' \
	'skylake,NEW,0x1,0x1,,,,,,,,0 1,,,,,,'
refuse simulator 'perfmon-list.awk: NEW: unit masks of 16 bits are not known here' <<END
$(grep '^list,' "$lists")
skylake,NEW,0x1,0x1,0x1,,,,,,,0 1,,,,,,
END
refuse simulator 'perfmon-list.awk: BACLEARS.OTHER has other counters than BACLEARS.ANY' <<END
$(grep '^list,' "$lists")
$(grep '^skylake,BACLEARS.ANY,' "$lists")
skylake,BACLEARS.OTHER,0xe6,0x1,,,,,,,,0,,,,,,
END
grep -v '^icelake,' "$lists" | refuse simulator 'perfmon-list.awk: there is no list icelake'

[ "$failed" = 0 ] || exit 1
echo "perfmon: ok"
