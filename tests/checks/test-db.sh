#!/bin/sh
# cpl0-log db, and the queries of docs/comparing.md: tests/checks/test-db.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`.
command -v sqlite3 >/dev/null || {
	echo "skipped: database: there is no sqlite3 here"
	exit 0
}
log=$(cd "$1" && pwd)/cpl0-log
root=$PWD
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

must() { # NAME WANTED SEEN
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $3, must be $2"
	fi
}

ask() {
	sqlite3 all.sqlite "$1" 2>&1 | tr '\n' ';'
}

# The query of the documentation that stands behind a question.
documented() {
	awk -v q="$1" 'index($0, q) { here = 1 } here && /^```$/ { exit } here && sql { print }
		here && /^```sql$/ { sql = 1 }' "$root/docs/comparing.md"
}

cd "$dir" || exit 3
cp "$root/tests/data/sample.log" before.log
sed 's/tsc=0.5 INSTR/tsc=0.7 INSTR/; s/ #8:78a9/ #8:7330/
	s/p5.agi/alu.imul_latency/; s/ #10:1022/ #10:9144/' before.log >after.log
"$log" check after.log >after.check
must "the changed log is whole" "after.log: intact, runs: 1, records: 16" "$(cat after.check)"
"$log" db all.sqlite before.log after.log
must "exit code" 0 $?
machine='GenuineIntel family 5 model 4 stepping 3'
must "runs" "before.log|1|$machine|1347|32|1;after.log|1|$machine|1347|32|1;" \
	"$(ask 'SELECT file, number, machine, signature, bits, intact FROM run')"
must "figures" "p5.pair|0.5|0.5;instr.mov_r32_m32.lat|2.25|2.375;p5.agi|3.0|3.0;" \
	"$(ask 'SELECT bench, clocks, clocks_high FROM result WHERE run = 1')"
must "events" "1.0;" "$(ask "SELECT value FROM quantity WHERE result = 1 AND name LIKE 'INS%'")"
must "every field" "$("$log" csv before.log | tail -n +2 | wc -l);" \
	"$(ask 'SELECT count(*) FROM field WHERE run = 1')"
must "which machines" "$machine|32|ok|100.0|before.log;$machine|32|ok|100.0|after.log;" \
	"$(ask "$(documented 'Which machines')")"
must "how long" "$machine|3.0|29.94;" "$(ask "$(documented 'How long does')")"
must "what became slower" "p5.pair|0.5|0.7;" \
	"$(ask "$(documented 'Which benchmarks became slower')")"
# A form with both figures, with a throughput alone, and with a latency alone.
sqlite3 all.sqlite "INSERT INTO result (run, bench, mode, clocks) VALUES
	(2, 'instr.lat.both', 'rate', 3), (2, 'instr.tp.both', 'rate', 0.5),
	(2, 'instr.tp.cost', 'rate', 7), (2, 'instr.lat.time', 'rate', 4),
	(1, 'instr.lat.cost', 'rate', 9)"
must "forms" "both|3.0|0.5;cost||7.0;time|4.0|;" \
	"$(ask "$(documented 'What do the instructions cost')")"
sqlite3 all.sqlite "DELETE FROM result WHERE bench GLOB 'instr.*.[bct]*'"
cp after.log before.log
"$log" db all.sqlite before.log
must "added again" "0 2;6;0.7;" "$? $(ask "SELECT count(*) FROM run; SELECT count(*) FROM result;
	SELECT clocks FROM result JOIN run ON run.id = run WHERE file = 'before.log' LIMIT 1")"
cp "$root/tests/data/sample.log" before.log
cat before.log after.log >both.log
"$log" db both.sqlite --last both.log
must "only the last run" "2|0.7;" "$(sqlite3 both.sqlite "SELECT number, clocks FROM run
	JOIN result ON run = run.id LIMIT 1" | tr '\n' ';')"
"$log" db both.sqlite --run 1 both.log && "$log" db both.sqlite --run 1 both.log
must "and another, which leaves it there" "1|3;2|3;" "$(sqlite3 both.sqlite "SELECT number, count(*)
	FROM run JOIN result ON run = run.id GROUP BY number" | tr '\n' ';')"
"$log" db both.sqlite both.log
must "all runs replace them" "1;2;" "$(sqlite3 both.sqlite 'SELECT number FROM run' | tr '\n' ';')"
head -c 900 before.log >cut.log
"$log" db all.sqlite cut.log 2>/dev/null
must "exit code of a damaged log" 1 $?
must "a damaged log is marked" "0;" "$(ask "SELECT intact FROM run WHERE file = 'cut.log'")"
"$log" db /nowhere/x.sqlite before.log 2>message
must "no such folder" "2 /nowhere/x.sqlite: unable to open database file" "$? $(cat message)"
"$log" db before.log before.log 2>message
must "no database" "2 before.log: file is not a database" "$? $(cat message)"
cmp -s before.log "$root/tests/data/sample.log"
must "which is left alone" 0 $?
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
