#!/bin/sh
# What cpl0-log says to wrong arguments, and its exit code: tests/checks/test-log.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`. What it does with logs: tests/unit/test_logtool.c.
log=$1/cpl0-log sample=tests/data/sample.log
out=$(mktemp) || exit 3
trap 'rm -f "$out" "$out.err"' EXIT
passed=0 failed=0

# $1 exit code, $2 first line of stderr, rest: arguments
says() {
	want=$1 line=$2 wrong=''
	shift 2
	"$log" "$@" >"$out" 2>"$out.err"
	code=$?
	[ $code -eq "$want" ] || wrong="exit code $code, must be $want; "
	[ "$(head -n 1 "$out.err")" = "$line" ] || wrong="${wrong}stderr: $(head -n 1 "$out.err")"
	[ -z "$line" ] || [ ! -s "$out" ] || wrong="$wrong; stdout: $(head -n 1 "$out")"
	if [ -z "$wrong" ]; then
		passed=$((passed + 1))
		echo "pass $*"
	else
		failed=$((failed + 1))
		echo "FAIL $*: $wrong"
	fi
}

says 2 'cpl0-log: a command is missing'
says 2 'cpl0-log: unknown command: frobnicate' frobnicate $sample
for command in check show json csv; do
	says 2 'cpl0-log: FILE is missing' $command
	says 2 'nowhere: No such file or directory' $command nowhere
done
for command in check show json; do
	says 2 'cpl0-log: more than one FILE: result' $command $sample result
done
says 2 'cpl0-log: more than FILE and KIND: more' csv $sample result more
says 2 "$sample: no record of kind nosuch" csv $sample nosuch
says 2 'cpl0-log: nothing to compare: two logs, or a log and a table' compare $sample
says 2 'cpl0-log: more than two logs: third' compare $sample $sample third
says 2 'cpl0-log: unknown option: --nosuch' compare $sample --nosuch x
says 2 'cpl0-log: a value is missing: --reference' compare $sample --reference
says 2 'cpl0-log: --cpu goes with --reference' compare $sample --cpu P54C
says 0 '' compare $sample --cpu P54C --reference tests/data/reference.csv
says 0 '' compare $sample --reference tests/data/reference.csv --cpu P54C
says 0 '' csv $sample result
says 0 '' csv $sample
says 0 '' --help
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
