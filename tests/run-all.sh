#!/bin/sh
# Runs make targets one after another, each whatever became of the others, and sums them up.
#
#	tests/run-all.sh BUILD TARGET...
#
# A target whose output ends in `N passed, N failed, N skipped` counts as that; any other as one test.
# `skipped: REASON` as its last line is a skipped one. The output of each stays in BUILD/tests/log/.
B=$1
shift
MAKE=${MAKE:-make}
passed=0 failed=0 skipped=0 bad=''
mkdir -p "$B/tests/log" || exit 1

for target; do
	out=$B/tests/log/$target.txt
	started=$(date +%s)
	$MAKE -s --no-print-directory "B=$B" "$target" >"$out" 2>&1
	code=$?
	last=$(tail -n 1 "$out")
	counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$out" | tail -n 1)
	if [ "$counts" ]; then
		p=${counts%% *}
		f=${counts#*, } f=${f%% *}
		s=${counts##*, } s=${s%% *}
	else
		p=1 f=0 s=0
		case $last in
		'skipped: '*) p=0 s=1 ;;
		esac
	fi
	if [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; then
		f=1
		[ "$counts" ] || p=0
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	took=$(($(date +%s) - started))
	if [ "$f" -ne 0 ]; then
		bad="$bad $target"
		echo "FAIL $target ($took s): $p passed, $f failed, $s skipped"
		grep -av '^pass ' "$out" | tail -n 40 | sed 's/^/     /'
	else
		echo "ok   $target ($took s): $p passed, $s skipped"
		grep -aE '^skip' "$out" | sed 's/^/     /'
	fi
done
[ -z "$bad" ] || echo "failed:$bad"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
