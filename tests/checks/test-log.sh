#!/bin/sh
# What cpl0-log says to wrong arguments, and its exit code: tests/checks/test-log.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`. tests/unit/tools/test_logtool.c tests
# what cpl0-log does with logs.
log=$1/cpl0-log sample=tests/data/sample.log
out=$(mktemp) || exit 3
trap 'rm -f "$out" "$out.err" "$out.changed" "$out.damaged" "$out.html" "$out.two"' EXIT
passed=0 failed=0

# Damage is no reason to print nothing.
damage="$out.damaged:10: byte 542: run 1, record 8 expected: garbled: says record 8 with CRC 78a9, \
but its text has 7330"

# $1 exit code, $2 first line of stderr, rest: arguments
says() {
	want=$1 line=$2 wrong=''
	shift 2
	"$log" "$@" >"$out" 2>"$out.err"
	code=$?
	[ $code -eq "$want" ] || wrong="exit code $code, must be $want; "
	[ "$(head -n 1 "$out.err")" = "$line" ] || wrong="${wrong}stderr: $(head -n 1 "$out.err")"
	[ -z "$line" ] || [ ! -s "$out" ] || [ "$line" = "$damage" ] ||
		wrong="$wrong; stdout: $(head -n 1 "$out")"
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
says 2 'cpl0-log: unknown command: comapre; nearest: compare' comapre $sample
says 2 'cpl0-log: unknown option: --evnets; nearest: events' show --evnets $sample
says 2 'cpl0-log: unknown option: --jsn; nearest: the command json' show --jsn $sample
says 2 'cpl0-log: unknown option: --helpp; nearest: help' show --helpp $sample
for command in check show json csv; do
	says 2 'cpl0-log: FILE is missing' $command
	says 2 'nowhere: No such file or directory' $command nowhere
done
for command in check json; do
	says 2 'cpl0-log: more than one FILE: result' $command $sample result
done
says 2 'cpl0-log: more than FILE and KIND: more' csv $sample result more
says 2 "$sample: no record of kind nosuch" csv $sample nosuch
cat $sample $sample >"$out.two"
says 2 "cpl0-log: $out.two: no run 3: it has 2" show --run 3 "$out.two"
says 2 'cpl0-log: --run and --last exclude each other' show --run 1 --last "$out.two"
says 2 "cpl0-log: $out.two: no run 0: it has 2" compare --run 1,0 "$out.two" "$out.two"
says 2 "cpl0-log: $out.two: no run 1x: it has 2" report --run 1x "$out.two" -o "$out.html"
says 2 "cpl0-log: $out.two: no run : it has 2" db --run= "$out.sqlite" "$out.two"
says 2 'cpl0-log: --run has more numbers than there are logs: 2,1' db --run 1,2,1 "$out.sqlite" \
	"$out.two" "$out.two"
says 2 'cpl0-log: this command has no option: last' check --last "$out.two"
says 2 'cpl0-log: nothing to compare: two logs, or a log and --reference' compare $sample
says 2 'cpl0-log: unknown option: --nosuch' compare $sample --nosuch x
says 2 'cpl0-log: a value is missing: --cpu' compare $sample --reference --cpu
says 2 'cpl0-log: --cpu and --bench go with --reference' compare $sample $sample --cpu P54C
says 2 'cpl0-log: --all and --changed exclude each other' compare $sample $sample --all --changed
says 2 'cpl0-log: more than one log and one table: third' compare $sample --reference x third
says 2 'cpl0-log: --color must be auto, always or never: blue' show $sample --color=blue
says 2 'cpl0-log: this command has no option: machine' csv $sample --machine
says 2 "tests/data/sample.log: the first line must name the columns cpu, instruction, \
latency_cycles and throughput_cycles" compare $sample --reference $sample
says 0 '' compare $sample $sample
says 2 'nowhere.csv: No such file or directory' compare $sample --reference nowhere.csv
says 2 'tests/data/reference.csv: no processor P54D; nearest: P54C' compare $sample \
	--reference tests/data/reference.csv --cpu P54D
sed 's/signature=0x543/signature=0xb00f21/; s/ #3:e858/ #3:dca3/' $sample >"$out.changed"
says 2 "docs/machines/measured-latency.csv: no processor with signature 0xb00f21; nearest: \
0A60F12_Zen4, 0830F10_Zen2" compare "$out.changed" --reference
grep -qx -- '--cpu NAME chooses a processor, --reference list names all' "$out.err" &&
	[ "$(wc -l <"$out.err")" = 2 ] || {
	failed=$((failed + 1))
	echo 'FAIL an unknown signature has two lines, the second the way to all'
}
says 2 'docs/machines/measured-latency.csv: several are called Zen:' compare "$out.changed" \
	--reference --cpu Zen
for list in "--reference list" "$sample --reference list" "$sample --reference=list"; do
	"$log" compare $list >"$out" 2>"$out.err"
	[ $? = 0 ] && [ "$(tr -s ' \n' '\n\n' <"$out" | grep -c _)" = 20 ] || {
		failed=$((failed + 1))
		echo "FAIL compare $list does not list 20 processors"
	}
done
says 0 '' compare tests/data/cores.log --reference --cpu Zen4
grep -q '^bench=instr\.\* has them all' "$out" || {
	failed=$((failed + 1))
	echo 'FAIL no hint at bench=instr.*'
}
says 0 '' compare --changed $sample $sample 'p5.*'
sed 's/tsc=0.5 INSTR/tsc=0.7 INSTR/; s/ #8:78a9/ #8:7330/' $sample >"$out.changed"
sed 's/tsc=0.5 INSTR/tsc=0.7 INSTR/' $sample >"$out.damaged"
says 1 '' compare $sample "$out.changed"
says 0 '' compare $sample "$out.changed" 'instr.*'
says 2 "$damage" compare $sample "$out.damaged"
says 2 "$damage" compare "$out.damaged" --reference
says 1 "$damage" show "$out.damaged"
for table in '' tests/data/reference.csv sim/tests/p5-measured.csv; do
	says 1 '' compare $sample --cpu p54c --reference ${table:+"$table"}
done
says 1 '' compare $sample --reference
says 1 '' compare $sample --reference=tests/data/reference.csv --cpu P54C
says 0 '' compare $sample --reference --bench 'p5.*'
says 2 'cpl0-log: FILE.sqlite is missing' db
says 2 'cpl0-log: LOG is missing' db "$out.sqlite"
says 2 'nowhere: No such file or directory' db "$out.sqlite" $sample nowhere
says 2 'cpl0-log: LOG is missing' report -o "$out.html"
says 2 'cpl0-log: -o PAGE.html is missing' report $sample
says 2 'cpl0-log: a value is missing: -o' report $sample -o
says 2 'nowhere: No such file or directory' report $sample nowhere -o "$out.html"
says 2 '/nowhere/x: No such file or directory' report $sample -o /nowhere/x
[ -s "$1/plots.js" ] && says 0 '' report $sample $sample -o "$out.html"
says 0 '' show $sample
says 0 '' show --machine $sample 'p5.*' --events 'INS*'
says 0 '' csv $sample result
says 0 '' csv $sample
says 0 '' --help
says 0 '' --version

# $1 what it is, $2 what came, $3 what must come
same() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: $2, must be $3"
	fi
}

printf '\n' >"$out.damaged"
for command in check show; do
	"$log" $command "$out.damaged" >"$out" 2>&1
	same "exit code of $command for an empty file" $? 2
	same "what $command says" "$(grep -c 'damaged: no run yet: the file is empty' "$out")" 1
done

same 'levels of caches as measured' "$("$log" show tests/data/geometry.log |
	sed -n 's/^  load latency, clocks: //p')" 'L1 4.00, L2 12.00, L3 34.00 s'

# Of several runs all, one of them or their heads.
shows() { # RUNS OPTION...
	want=$1
	shift
	same "show $*" "$("$log" show "$@" "$out.two" | sed -n 's/^run \([0-9]\) of .*/\1/p' |
		paste -sd' ' -)" "$want"
}
shows '1 2'
same 'a blank line between two runs' "$("$log" show "$out.two" | grep -B 1 '^run 2' | head -n 1)" ''
shows 1 --run 1
shows 2 --last
shows '1 2' --list
same 'results of show --list' "$("$log" show --list "$out.two" | grep -c '^  p5.pair ')" 0
same 'compare says which run it takes' "$("$log" compare "$out.two" $sample | head -n 1)" \
	"A $out.two, run 2 of 2: the last one with results; --run N chooses"
same 'compare of two runs of a log' "$("$log" compare --run 1,2 "$out.two" "$out.two" | head -n 2 |
	paste -sd' ' -)" "A $out.two, run 1 of 2 B $out.two, run 2 of 2"
same 'compare --last' "$("$log" compare --last "$out.two" $sample | head -n 1)" \
	"A $out.two, run 2 of 2"
same 'the run beside a table' "$("$log" compare --run 1 "$out.two" --reference --cpu P54C |
	head -n 1 | cut -d: -f 1)" "log $out.two, run 1 of 2"
same 'the run of a page that nothing chose' "$("$log" report "$out.two" -o "$out.html" 2>&1 |
	grep -v dygraphs)" \
	"cpl0-log: the page has $out.two, run 2 of 2: the last one with results; --run N chooses"
same 'the run of a page' "$("$log" report --run 1 "$out.two" -o "$out.html" 2>&1 |
	grep -v dygraphs; grep -c '"run":1,"runs":2,' "$out.html")" 1
numbers() {
	python3 -c 'import json, sys; print(*[r["run"] for r in json.load(sys.stdin)["runs"]])'
}
for run in 1 2; do
	same "csv --run $run" "$("$log" csv --run $run "$out.two" | cut -d, -f 1 | sort -u |
		paste -sd' ' -)" "$run run"
	same "csv --run $run KIND" "$("$log" csv --run $run "$out.two" done | sed -n '2s/,.*//p')" \
		$run
	same "json --run $run" "$("$log" json --run $run "$out.two" | numbers)" $run
done
same 'json of two runs' "$("$log" json "$out.two" | numbers)" '1 2'
same 'json --last' "$("$log" json --last "$out.two" | grep -c '{"run": 2, ')" 1
for command in compare report 'db nowhere.sqlite' csv json; do
	same "$command --list" "$("$log" $command --list "$out.two" | grep -c '^run [12] of 2')" 2
done

# Help names commands and options that work, and the page and completion are made of the same.
for command in $("$log" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do
	says 0 '' "$command" --help
	same "help of $command" "$("$log" "$command" --help | head -n 1 | cut -d' ' -f 1-3)" \
		"usage: cpl0-log $command"
	grep -q "^[.]SS $command " "$1/cpl0-log.1"
	same "$command in the manual page" $? 0
	for option in $("$log" "$command" --help |
		sed -n 's/^  \(--[a-z]*\) [A-Z].*/\1=x/p; t; s/^  \(--[a-z]*\) .*/\1/p'); do
		same "$command $option" "$("$log" "$command" "$option" 2>&1 |
			grep -c 'unknown option\|has no option')" 0
		same "completion of $command $option" "$(bash -c '. "$1"; COMP_CWORD=2
			COMP_WORDS=(cpl0-log "$2" "$3"); _cpl0_log; echo "${COMPREPLY[0]}"' \
			x "$1/cpl0-log.bash" "$command" "${option%=x}")" "${option%=x}"
		same "zsh: $command $option" "$(sed -n "/^\t$command)/,/;;/p" "$1/cpl0-log.zsh" |
			grep -c "'$option\\[\|'${option%x}\\[")" 1
		same "fish: $command $option" "$(grep -c \
			"_from $command' -l $(echo "${option%=x}" | sed 's/^--//') " \
			"$1/cpl0-log.fish")" 1
	done
done
same 'options that stand in no help' "$(sed -n 's/^\t{ "\([a-z]*\)", [a-z_]*argument, .*/--\1/p' \
	tools/main.c | while read -r option; do
		for command in $("$log" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do
			"$log" "$command" --help | grep -qe "^  $option " && break
		done || "$log" show --help | grep -qe "$option overrules" || echo "$option"
	done | paste -sd' ' -)" --help
for shell in zsh fish; do
	if command -v $shell >/dev/null; then
		same "grammar of $shell" "$($shell -n "$1/cpl0-log.$shell" 2>&1)" ''
	fi
done
if command -v man >/dev/null; then
	same 'warnings of man' "$(man --warnings -l "$1/cpl0-log.1" 2>&1 >/dev/null)" ''
fi

# On a terminal: colours unless NO_COLOR is set, and the narrow table where it is narrow.
if command -v script >/dev/null; then
	seed=0
	until "$log" show "$out.two" | grep '^  instr[.][*]' >/dev/null; do
		python3 -B -c 'import sys; sys.path.insert(0, "tests/checks/readers")
import generated; sys.stdout.write(generated.log(int(sys.argv[1])))' $seed >"$out.two"
		seed=$((seed + 1))
	done
	terminal() { # COLUMNS COMMAND
		PAGER=${PAGER-} script -qec "stty cols $1; $2" /dev/null </dev/null
	}
	same 'colours on a terminal' "$(terminal 400 "$log show $out.two" |
		grep -q "$(printf '\033')"; echo $?)" 0
	same 'no colours with NO_COLOR' "$(NO_COLOR=1 terminal 400 "$log show $out.two" |
		grep -c "$(printf '\033')")" 0
	same 'wide table' "$(NO_COLOR=1 terminal 400 "$log show $out.two" |
		grep -c '^  instr[.][*]')" "$("$log" show "$out.two" | grep -c '^  instr[.][*]')"
	paged() { # PAGER OPTION
		NO_COLOR=1 PAGER=$1 terminal 400 "$log show $2 $sample" | grep -c '^paged:'
	}
	lines=$("$log" show "$sample" 2>&1 | wc -l)
	same 'a pager on a terminal' "$(paged 'sed s/^/paged:/' '')" "$lines"
	same '--no-pager' "$(paged 'sed s/^/paged:/' --no-pager)" 0
	same 'an empty PAGER' "$(paged '' '')" 0
	same 'a pager that ends early' "$(PAGER='head -n 1' terminal 80 "$log events skylake" |
		wc -l; echo $?)" "1
0"
	same 'no pager for a pipe' "$(PAGER='sed s/^/paged:/' "$log" show "$sample" |
		grep -c '^paged:')" 0
	same 'a series on a narrow terminal' "$(NO_COLOR=1 PAGER= terminal 50 "$log show $sample" |
		grep -c '^ \{13\}211 17 -1')" 1
	same 'narrow table' "$(NO_COLOR=1 terminal 60 "$log show $out.two" |
		grep -c '^  instr[.][*]')" 0
fi

# Events without a machine.
says 0 '' events
says 0 '' events Skylake
says 0 '' events goldencove 'branches completed'
says 2 'cpl0-log: no CPU has this name: skilake; nearest: skylake, skylakex' events skilake
says 2 'cpl0-log: several CPUs have this in their name: p5: p54c p55c' events p5
says 2 'cpl0-log: skylake has no event with this in its name: instrutions; nearest: instructions' \
	events skylake instrutions
says 2 'cpl0-log: more than CPU and WORD: c' events a b c
event() { # CPU WORD: the last line
	"$log" events "$1" "$2" | tail -n 1 | tr -s ' '
}
same 'event of skylake' "$(event skylake l1d.repl)" ' L1D.REPLACEMENT code 0x51, unit mask 0x1'
same 'alias of zen4' "$(event zen4 taken-branches)" \
	' taken-branches RETIRED_TAKEN_BRANCH_INSTRUCTIONS: branches completed that were taken'
same 'alias of the P5' "$(event p54c v-pipe)" \
	' v-pipe INSTRUCTIONS_EXECUTED_V_PIPE: instructions completed in the V pipe'

# Logs that people compare theirs with are whole, and those of the simulator admit it.
for shipped in docs/machines/*/*.log; do
	says 0 "" check "$shipped"
	case $shipped in
	*/simulated/*) want=1 ;;
	*) want=0 ;;
	esac
	seen=$("$log" show "$shipped" | grep -c '^  EMULATED: the simulator')
	if [ "$seen" = $want ] && grep -q '^done status=ok' "$shipped"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $shipped: marked as simulated: $seen, must be $want, and done status=ok"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
