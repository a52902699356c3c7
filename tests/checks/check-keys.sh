#!/bin/sh
# Keys at the end of a run. The simulator types on the serial line; in QEMU keys are
# pressed on the keyboard, and the text screen is read from video memory.
#
#	tests/checks/check-keys.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`.
B=${1:-build}
dir=$B/keys
passed=0 failed=0 skipped=0
mkdir -p "$dir" || exit 1

verdict() # WHAT, $? of what was tested
{
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1"
	fi
}

sim() # NAME MODEL BITS TYPED ARGUMENT...
{
	log=$dir/$1.log model=$2 bits=$3 typed=$4
	shift 4
	timeout 1200 "$B/cpl0-sim" --cpu "$model" --log "$log" --type "$typed" \
		"$B/$bits/cpl0.elf" "$@" >/dev/null 2>"$log.err"
}

# --- the simulator -----------------------------------------------------------

cr=$(printf '\r')
sim again p5 32 "ralu.add_*${cr}rbench=code code=40 mode=rate${cr}bnby" bench=p5.agi0
"$B/cpl0-log" check "$log" | grep -q 'intact, runs: 3'
verdict 'again: three whole runs in one log' $?
[ "$(grep -o '^result bench=[a-z0-9_.]*' "$log" | cut -d= -f2 | paste -sd' ' -)" = \
	'p5.agi0 alu.add_latency alu.add_throughput code' ]
verdict 'again: each run measures what it was told' $?
[ "$(grep -c '^pmu pmu=p5 .*usable=2' "$log")" -eq 3 ]
verdict 'again: the counters are proven each time' $?
[ "$(grep -c '^done status=ok' "$log")" -eq 3 ]
verdict 'again: each run is ok' $?
grep -q 'reset by' "$log.err"
verdict 'again: b n does nothing, b y reboots' $?

sim again-64 skylake 64 "rbench=alu.add_* bnech=x${cr}r$cr" bench=alu.add_latency
"$B/cpl0-log" check "$log" | grep -q 'intact, runs: 2'
verdict 'again-64: an empty line is no run' $?
tail -n 6 "$log" | grep -q '^done status=fail' && grep -q '^done status=ok' "$log"
verdict 'again-64: a mistake is an error of its run alone' $?
grep -q 'nobody types' "$log.err"
verdict 'again-64: the simulator ends when nobody types' $?

# Plans, the blocks and the views of the other CPUs are free again for the next run.
log=$dir/memory.log run='threads=all bench=alu.add_latency cpl=3 events=instructions runs=1'
timeout 600 "$B/cpl0-sim" --cpu skylake --smp 3 --log "$log" --type "r$run${cr}r$run$cr" \
	"$B/64/cpl0.elf" $run >/dev/null 2>&1
[ "$(grep -c '^cpus .* ready=3 ' "$log")" -eq 3 ] && [ "$(grep '^memory ' "$log" |
	sed 's/ #.*//' | sort | uniq -c | awk '{ print $1 }' | sort -u)" = 3 ]
verdict 'memory: each run begins with the same memory' $?

sim given p5 32 'by' bench=p5.agi0 exit=halt
! grep -q 'reset by' "$log.err" && ! grep -q PgUp "$log"
verdict 'given: exit= leaves no choice' $?

# --- the boot menus ----------------------------------------------------------

sed -n 's/^.*cpl0 bench=\([^ ]*\).*/\1/p' \
	boot/media/grub.cfg boot/media/grub-floppy.cfg >"$dir/globs"
[ "$(wc -l <"$dir/globs")" -ge 10 ] &&
	! "$B/cpl0-native" list bench="$(paste -sd, "$dir/globs")" code=90 | grep '^error'
verdict 'menus: every name in them has benchmarks' $?

# --- QEMU --------------------------------------------------------------------

if ! command -v qemu-system-x86_64 >/dev/null; then
	echo "skipped: no qemu-system-x86_64 here"
	skipped=1
else
	. tests/checks/qemu-keys.sh
	qemu_start "$dir/qemu.log" -kernel "$B/32/cpl0.elf" -cpu pentium3 -m 32 \
		-append 'bench=alu.*,p5.* mode=total runs=4'
	qemu_wait '^PgUp'
	qemu_screen | grep -A 1 '^\([0-9]*\)-\([0-9]*\) of \2  PgUp.Dn .*o:off *$' |
		grep -q '^Log: serial port alone: .* no CPL0.LOG\. Keep it, then switch off\.'
	verdict 'qemu: the last rows say what can be done, and where the log is' $?
	qemu_keys home
	qemu_screen >"$dir/home"
	grep -q '^alu.add_latency' "$dir/home" && ! grep -q '^done status' "$dir/home"
	verdict 'qemu: Home shows the first results' $?
	: >"$dir/middle"
	for page in 2 3 4; do
		qemu_keys pgdn
		qemu_screen >"$dir/pgdn"
		cat "$dir/pgdn" >>"$dir/middle"
	done
	! grep -q '^alu.add_latency' "$dir/pgdn" && grep -q '^done status' "$dir/pgdn"
	verdict 'qemu: PgDn shows the last ones' $?
	for bench in $(sed -n 's/^result bench=\([^ ]*\).*/\1/p' "$dir/qemu.log"); do
		grep -q -F "$bench" "$dir/home" "$dir/middle" "$dir/pgdn" || echo "$bench"
	done >"$dir/unseen"
	[ ! -s "$dir/unseen" ]
	verdict 'qemu: every result can be read' $?
	qemu_keys slash a g i ret
	qemu_screen >"$dir/filter"
	grep -q '^p5.agi0 ' "$dir/filter" && ! grep -q 'pair_add' "$dir/filter"
	verdict 'qemu: a filter shows what it names' $?
	qemu_keys h
	qemu_screen >"$dir/help"
	grep -q '^spread  *half of the samples' "$dir/help" &&
		grep -q 'back to the results$' "$dir/help"
	verdict 'qemu: h explains the screen' $?
	qemu_keys h slash a g i 0 ret d
	qemu_screen >"$dir/details"
	grep -q '^p5.agi0' "$dir/details" && grep -q '^  tsc  ' "$dir/details" &&
		! grep -q 'pair_add' "$dir/details"
	verdict 'qemu: d has the details of what was asked' $?
	qemu_keys esc e
	qemu_screen | grep -q '^no such event, or nothing counts'
	verdict 'qemu: e says that nothing counts here' $?
	qemu_keys e
	qemu_screen | grep -q '^p5.agi0 .*[0-9]'
	verdict 'qemu: the same key leads back' $?
	qemu_keys r p 5 dot a g i shift-slash ret
	qemu_wait '^PgUp' 2
	[ "$("$B/cpl0-log" check "$dir/qemu.log" | grep -c 'intact, runs: 2')" -eq 1 ] &&
		grep -q '^cmdline text="bench=p5.agi?"' "$dir/qemu.log"
	verdict 'qemu: another run' $?
	qemu_keys r i n s t r dot shift-8 ret
	qemu_wait '^result bench=instr'
	qemu_keys esc
	qemu_wait '^PgUp' 3
	[ "$("$B/cpl0-log" check "$dir/qemu.log" | grep -c 'intact, runs: 3')" -eq 1 ] &&
		[ "$(grep -c '^done status=stopped' "$dir/qemu.log")" -eq 1 ]
	verdict 'qemu: Esc ends a run and keeps what it has' $?
	qemu_keys o y
	qemu_ends
	verdict 'qemu: o y switches off' $?
	qemu_stop
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
