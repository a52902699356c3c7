#!/bin/sh
# Report pages in a real browser: tests/checks/test-report.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`. The tests inside the page are in
# tests/checks/report-test.js. The page forbids itself every request (Content-Security-Policy). So
# an attempt stands on the console, which must be empty.
B=$1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
[ "$browser" ] || {
	echo "skipped: report pages: there is no chromium here"
	exit 0
}
[ -s "$B/plots.js" ] || {
	echo "skipped: report pages: cpl0-log was built without dygraphs"
	exit 0
}
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

verdict() { # NAME GOOD [SEEN]
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $3"
	fi
}

# $1: page; prints the document as the browser has it in the end
browse() {
	timeout 600 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--host-resolver-rules='MAP * ~NOTFOUND' \
		--user-data-dir="$dir/profile-$(basename "$1")" --window-size=1400,900 \
		--enable-logging=stderr --dump-dom "file://$1" 2>"$1.err"
}

# $1: name of the test, rest: logs
page() {
	name=$1
	shift
	"$B/cpl0-log" report "$@" -o "$dir/$name.html"
	verdict "$name: report is written" $?
	{
		sed '/^<\/body>/,$d' "$dir/$name.html"
		echo '<script>'
		cat tests/checks/report-test.js
		echo '</script></body></html>'
	} >"$dir/$name-test.html"
	browse "$dir/$name-test.html" >"$dir/$name.dom"
	grep -aE '(^|>)(pass|FAIL) ' "$dir/$name.dom" | sed 's/^.*<pre>//' >"$dir/$name.verdicts"
	verdict "$name: the page ran to its end" \
		"$(grep -q 'no request' "$dir/$name.verdicts"; echo $?)" \
		"$(tail -n 3 "$dir/$name-test.html.err")"
	while read -r word rest; do
		verdict "$name: $rest" "$([ "$word" = pass ]; echo $?)"
	done <"$dir/$name.verdicts"
	verdict "$name: nothing on the console" \
		"$(! grep -q CONSOLE "$dir/$name-test.html.err"; echo $?)" \
		"$(grep CONSOLE "$dir/$name-test.html.err" | head -n 1)"
}

returns=$(printf 'branch.returns.%s,' 4 8 16 32 64)
for model in p5/32 skylake/64 p4n/32; do
	"$B/cpl0-sim" --cpu "${model%/*}" --log "$dir/${model%/*}.log" "$B/${model#*/}/cpl0.elf" \
		"bench=alu.*,latency.*k,bandwidth.read*l*,${returns}p5.uncached_code" \
		exit=debug >/dev/null 2>&1
done
"$B/cpl0-sim" --cpu p4 --log "$dir/sampled.log" "$B/32/cpl0.elf" skid addresses samples=16 \
	trace=instructions runs=1 exit=debug >/dev/null 2>&1
"$B/cpl0-sim" --cpu skylake --log "$dir/branches.log" "$B/64/cpl0.elf" bench=sprunt.shadow cpl=3 \
	sample=BR_MISP_RETIRED.ALL_BRANCHES,100 samples=20 branches=all exit=debug >/dev/null 2>&1
"$B/cpl0-sim" --cpu skylake --log "$dir/ports.log" "$B/64/cpl0.elf" runs=1 exit=debug \
	ports=instr.tp.add_m64_r64,instr.tp.imul_r64_r64 >/dev/null 2>&1
"$B/cpl0-native" 'bench=alu.*,latency.*k,bandwidth.read*,branch.pattern.*,branch.btb16.*' \
	>"$dir/native.log"
for log in p5 skylake native; do
	page $log "$dir/$log.log"
done
line=$("$B/cpl0-log" show "$dir/skylake.log" --no-pager | sed -n 's/^  \(load latency, .*\)/\1/p')
verdict "skylake: the page has the summary of show" \
	"$(test "$line" && grep -qF "$line" "$dir/skylake.dom"; echo $?)" "$line"
page sampled "$dir/p4n.log" "$dir/sampled.log"
page branches "$dir/p4n.log" "$dir/branches.log" "$dir/ports.log"
page two "$dir/p5.log" "$dir/skylake.log"
page cores "$dir/native.log" tests/data/cores.log
page sheet "$dir/p5.log" tests/data/datasheet.log
page geometry "$dir/native.log" tests/data/geometry.log
page many "$dir"/*.log
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
