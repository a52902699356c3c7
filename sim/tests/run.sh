#!/bin/sh
# sim/tests/run.sh SIM GUESTS [AGAIN] - runs the table runs.txt, each row a second time with AGAIN
# (default: SIM): the output must be the same to the byte. GUESTS is the folder with the built
# guests. The last line is a count.
sim=$1 guests=$2 again=${3:-$1}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

# Fails the row with a reason.
bad() {
	echo "FAIL $arguments: $1"
	sed 's/^/     /' "$dir/out" | tail -n 12
	failed=$((failed + 1))
}

row() {
	words=
	for word in $arguments; do
		case $word in
		@*.*) word=$guests/${word#@} ;;
		@*) word=$guests/${word#@}.elf ;;
		%*) word=$here/${word#%} ;;
		*=%*) word=${word%%=*}=$here/${word#*=%} ;;
		esac
		words="$words $word"
	done
	# shellcheck disable=SC2086
	timeout 600 "$sim" $words >"$dir/out" 2>&1
	code=$?
	# shellcheck disable=SC2086
	timeout 600 "$again" $words >"$dir/again" 2>&1
	if [ "$code" != "$expected" ]; then
		bad "exit code $code, expected $expected"
	elif ! cmp -s "$dir/out" "$dir/again"; then
		bad "not the same the second time"
	elif [ "${text#!}" != "$text" ] && grep -qF -e "${text#!}" "$dir/out"; then
		bad "says '${text#!}'"
	elif [ "${text#!}" = "$text" ] && ! grep -qF -e "$text" "$dir/out"; then
		bad "does not say '$text'"
	else
		passed=$((passed + 1))
	fi
}

while IFS='|' read -r expected arguments text; do
	expected=$(echo $expected)
	case $expected in
	'#'* | '') continue ;;
	esac
	arguments=$(echo $arguments)
	text=$(echo "$text" | sed 's/^ *//; s/ *$//')
	row
done <"$here/runs.txt"
# Killed, it leaves what the guest has sent; a limit by the host's clock ends it too.
timeout -s TERM 2 "$sim" --cpu core2 --log "$dir/log" "$guests/spin.elf" >"$dir/out" 2>&1
code=$?
arguments="SIGTERM" expected=124
if [ $code != 124 ] || ! grep -q 'line before' "$dir/log" || ! grep -q 'signal 15' "$dir/out"; then
	bad "exit code $code, or no log"
else
	passed=$((passed + 1))
fi
timeout 20 "$sim" --cpu core2 --max-seconds 1 "$guests/spin.elf" >"$dir/out" 2>&1
code=$?
arguments="--max-seconds 1"
if [ $code != 2 ] || ! grep -q 'limit of 1 seconds reached' "$dir/out"; then
	bad "exit code $code"
else
	passed=$((passed + 1))
fi
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
