#!/bin/sh
# The sample output of README.md is what the programs print: its commands are run again, on the
# simulator, and their output is laid beside the pasted one. Version, line and record numbers and
# sums of checks may differ, because they change with every benchmark and check that is added.
#
#	tests/checks/docs/check-readme.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`.
B=${1:-build}
dir=$B/readme
passed=0 failed=0
rm -rf "$dir"
mkdir -p "$dir" || exit 1

# The block between ``` lines that has a line which begins with $1; folded lines are joined.
block()
{
	awk -v start="$1" '
		/^```/ { if (inside && found) { printf "%s", text; exit } text = ""; found = 0
			inside = !inside; next }
		inside && index($0, start) == 1 { found = 1 }
		inside { text = text $0 "\n" }' README.md | sed -e ':a' -e 'N;$!ba' \
		-e 's/ *\\\n */ /g' -e 's/\n    \([a-zA-Z]\)/ \1/g'
}

# What may differ.
plain()
{
	sed -E 's/cpl0 [0-9][^,]*,/cpl0 VERSION,/; s/TSC [0-9.]+ MHz/TSC N MHz/
		s/lines [0-9]+ to [0-9]+, [0-9]+ records/LINES/; s/records [0-9]+$/RECORDS/
		s/^( *check +)[0-9]+/\1N/; s/ #[0-9]+:[0-9a-f]+$//'
}

verdict() # NAME WANTED SEEN, files
{
	if [ -s "$2" ] && diff "$2" "$3" >"$dir/diff"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: README.md (<) is not what is printed now (>)"
		cat "$dir/diff"
	fi
}

block build/cpl0-log | grep '^build/cpl0-' | sed "s|build/|$B/|g; s|p5[.]log|$dir/p5.log|g" \
	>"$dir/commands"
sh -e "$dir/commands" 2>"$dir/err" | sed '1,/^done /d' >"$dir/output"
sed -n '/^run 1 of 1/,$p' "$dir/output" | plain >"$dir/show"
block 'run 1 of 1' | sed '/^$/d' | plain >"$dir/show.pasted"
sed -i '/^$/d' "$dir/show"
verdict 'the table' "$dir/show.pasted" "$dir/show"

block 'counter ' | plain >"$dir/records.pasted"
tr -d '\r' <"$dir/p5.log" | plain | grep -x -F -f "$dir/records.pasted" >"$dir/records"
verdict 'the records' "$dir/records.pasted" "$dir/records"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
