#!/bin/sh
# Runs cmocka programs, prints what failed, and ends with `N passed, N failed, N skipped`.
passed=0 failed=0 skipped=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

for program; do
	"$program" >"$out" 2>&1
	code=$?
	good=$(grep -c '^\[       OK \]' "$out")
	bad=$(grep '^\[  FAILED  \] [^0-9]*$' "$out" | sort -u | wc -l)
	skip=$(grep '^\[  SKIPPED \] [^0-9]*$' "$out" | sort -u | wc -l)
	if [ "$code" -ne 0 ]; then
		cat "$out"
		[ "$bad" -gt 0 ] || bad=1
	fi
	echo "$(basename "$program"): $good passed"
	passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
