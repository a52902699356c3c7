#!/bin/sh
# Runs make targets, each whatever became of the others, and sums them up.
#
#	ALONE='TARGET...' JOBS=N tests/run-all.sh BUILD TARGET...
#
# N targets run at a time (default: as many as there are CPUs). Those that ALONE names run at the
# end, one after another. Prints a line for each target as it ends, and the sum as the last line.
#
# A target whose output ends in `N passed, N failed, N skipped` counts as that; any other as one
# test. `skipped: REASON` as its last line is a skipped one. The output of each stays in
# BUILD/tests/log/.
MAKE=${MAKE:-make}

# One target: prints its name, the exit code of make, and how many seconds it took.
if [ "$1" = --one ]; then
	started=$(date +%s)
	$MAKE -s --no-print-directory "B=$2" "$3" >"$2/tests/log/$3.txt" 2>&1
	echo "$3 $? $(($(date +%s) - started))"
	exit 0
fi

B=$1
shift
mkdir -p "$B/tests/log" || exit 1

# The targets, N at a time.
run()
{
	n=$1
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" | xargs -n 1 -P "$n" "$0" --one "$B"
}

run_all()
{
	together='' alone=''
	for target; do
		case " $ALONE " in
		*" $target "*) alone="$alone $target" ;;
		*) together="$together $target" ;;
		esac
	done
	run "${JOBS:-$(nproc 2>/dev/null || echo 1)}" $together
	run 1 $alone
}

# Reads what run() prints, and adds up what the targets counted.
sum_up()
{
	passed=0 failed=0 skipped=0 bad='' ended=0
	while read -r target code took; do
		ended=$((ended + 1))
		out=$B/tests/log/$target.txt
		counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$out" |
			tail -n 1)
		if [ "$counts" ]; then
			p=${counts%% *}
			f=${counts#*, } f=${f%% *}
			s=${counts##*, } s=${s%% *}
		else
			p=1 f=0 s=0
			case $(tail -n 1 "$out") in
			'skipped: '*) p=0 s=1 ;;
			esac
		fi
		if [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; then
			f=1
			[ "$counts" ] || p=0 s=0
		fi
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
		if [ "$f" -ne 0 ]; then
			bad="$bad $target"
			echo "FAIL $target ($took s): $p passed, $f failed, $s skipped"
			grep -av '^pass ' "$out" | tail -n 40 | sed 's/^/     /'
		else
			echo "ok   $target ($took s): $p passed, $s skipped"
			grep -aE '^skip' "$out" | sed 's/^/     /'
		fi
	done
	# A target that never ended must not look like one that passed.
	if [ "$ended" -ne "$1" ]; then
		echo "FAIL: $(($1 - ended)) of $1 targets did not end"
		failed=$((failed + $1 - ended))
	fi
	[ -z "$bad" ] || echo "failed:$bad"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}

run_all "$@" | sum_up $#
