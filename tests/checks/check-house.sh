#!/bin/sh
# Lists what makes the tree hard to read: functions of more than 60 lines, and lines of more than
# 100 columns (a tab goes to the next multiple of 8). Prints the worst first.
#
#	tests/checks/check-house.sh		exits with 1 if it lists anything
#
# Quoted lines may be longer: facts in tests/data/, measured rows of
# the Pentiums in sim/tests/, and output that is pasted into a document between ``` lines.
#
# A function is what clang-format makes of it: a line that begins with `{`, up to the next line that
# begins with `}`; its first line is counted from the name.
cd "$(dirname "$0")/../.." || exit 3

files()
{
	git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
		[ ! -e "$file" ] || echo "$file"
	done
}

functions()
{
	files '*.c' | xargs awk '
		FNR == 1 { start = 0 }
		/^[a-z].*\(/ && !/;/ { named = FNR; name = $0 }
		/^{/ { start = named }
		/^}/ && start {
			if (FNR - start + 1 > 60)
				print FNR - start + 1 " lines: " FILENAME ":" start ": " name
			start = 0
		}'
}

lines()
{
	files '*.c' '*.h' '*.S' '*.inc' '*.md' '*.sh' '*.mk' '*.csv' '*.awk' Makefile |
		grep -v '^tests/data/\|^sim/tests/p5-.*csv$' | xargs awk '
		FNR == 1 { pasted = 0 }
		FILENAME ~ /md$/ && /^```/ { pasted = !pasted }
		pasted { next }
		{
			line = $0
			while ((at = index(line, "\t")))
				line = substr(line, 1, at - 1) \
					sprintf("%" (8 - (at - 1) % 8) "s", "") substr(line, at + 1)
			if (length(line) > 100)
				print length(line) " columns: " FILENAME ":" FNR
		}'
}

wrong=$({ functions; lines; } | sort -k2,2 -k1,1nr)
[ -n "$wrong" ] || { echo "house: ok"; exit 0; }
printf '%s\n' "$wrong"
exit 1
