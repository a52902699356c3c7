#!/bin/sh
# Runs fuzzers on their corpus, SECONDS each, and ends with `N passed, N failed, 0 skipped`. An
# input that breaks something stays in DIR as NAME.crash-...
#
#	tests/fuzz/run.sh DIR SECONDS NAME...
dir=$1 seconds=$2 passed=0 failed=0
shift 2

for name; do
	mkdir -p "$dir/$name.corpus"
	if "$dir/$name" -seed=1 -max_len=4096 -timeout=5 -rss_limit_mb=1024 -verbosity=0 \
		-max_total_time="$seconds" -artifact_prefix="$dir/$name." \
		"$dir/$name.corpus" "tests/data/fuzz/$name" >"$dir/$name.out" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "fuzz $name: FAIL"
		tail -n 25 "$dir/$name.out"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
