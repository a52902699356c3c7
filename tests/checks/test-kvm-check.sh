#!/bin/sh
# tools/kvm-check.sh on hosts that are files: tests/checks/test-kvm-check.sh BUILD
# The guest is QEMU's emulator, in the place of a KVM that has no counters.
command -v qemu-system-x86_64 >/dev/null || { echo "skipped: no qemu-system-x86_64 here"; exit 0; }
build=$1 passed=0 failed=0
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

cat >"$work/emulator" <<'END'
#!/bin/sh
for word; do
	shift
	[ "$word" != kvm ] || word=tcg
	set -- "$@" "$word"
done
exec ./run-qemu.sh "$@"
END
chmod +x "$work/emulator"

# $1 what is tested, rest: a command
judge() {
	what=$1
	shift
	if "$@" >/dev/null 2>&1; then
		passed=$((passed + 1))
		echo "pass $what"
	else
		failed=$((failed + 1))
		echo "FAIL $what"
	fi
}

check() {
	HOST=$work/host RUN_QEMU=$work/emulator tools/kvm-check.sh --build "$build" --times 2 \
		"$work/$@" >"$work/$1.said" 2>&1
}

mkdir -p "$work/host"
judge 'no KVM: it reaches its end' check none
for step in start counters repeat rdpmc cpuid wbinvd cold; do
	judge "no KVM: $step" grep -q "^CANNOT $step: there is no /dev/kvm" "$work/none.said"
done

mkdir -p "$work/host/dev" "$work/host/proc"
touch "$work/host/dev/kvm"
echo 'flags : fpu svm' >"$work/host/proc/cpuinfo"
judge 'no counters: it reaches its end' check bare
judge 'no counters: it starts' grep -q '^PASS start' "$work/bare.said"
judge 'no counters: none counts' grep -q '^PASS counters: none counts' "$work/bare.said"
judge 'no counters: two runs' grep -q '^NUMBER repeat: 0 of 2 runs' "$work/bare.said"
judge 'no counters: no RDPMC' grep -q '^CANNOT rdpmc: the host has no' "$work/bare.said"
judge 'no counters: CPUID' grep -qE '^NUMBER cpuid: [0-9.]+ ticks' "$work/bare.said"
judge 'no counters: memory' grep -qE '^NUMBER latency.memory: [0-9.]+ ticks' "$work/bare.said"
judge 'no counters: no sibling' grep -q '^CANNOT sibling' "$work/bare.said"
judge 'what needs root is said' grep -q '^CANNOT watchdog: run this again' "$work/bare.said"
judge 'the file has the logs' grep -q '^done status=ok' "$work/bare"

# Hosts of which the log is all that is known: $1 model, rest: records.
logged() {
	{
		echo '#!/bin/sh'
		echo 'while [ "$1" != --log ]; do shift; done'
		echo 'log=$2; cat >"$log" <<END'
		shift
		printf '%s\n' "$@"
		echo END
	} >"$work/emulator"
}
# As the kernel writes them; `off` is of cpl0-sim --cpu ppro --fault pmu=retries.
exact='check event=instructions counts=Instruction_Retired:k body=check.alu cpl=0 filter=os \
expected=10 got=10 verdict=exact #64:2a5ac5ba'
off='check event=memory-refs counts=DATA_MEM_REFS:k body=check.memory cpl=0 filter=os expected=7 \
got=8 min=8 max=9 verdict="off by +1" known="counts internal retries too" #104:045ca5aa'
vmrun='check event=branches counts=RETIRED_BRANCH_INSTRUCTIONS:u body=check.branches cpl=3 \
filter=usr expected=6 got=7 min=6 max=7 repeated=4 verdict="off by +1" known=VMRUN #80:045ca5aa'
none='check event=stores counts=MEM_INST_RETIRED.ALL_STORES:k body=check.memory cpl=0 filter=os \
expected=4 got=0 verdict="not counting" #91:8a0e6a51'
logged cold 'series bench=latency.32k tsc.1=522 tsc.8=182' "$exact" "$off" "$vmrun" "$none"
judge 'AMD, cold: it reaches its end' check cold
judge 'cold is as it should be' grep -q '^PASS cold: the first run takes 522' "$work/cold.said"
offs='branches check.branches 7/6 "off by +1" VMRUN;memory-refs check.memory 8/7 "off by +1" '
offs=$offs'"counts internal retries too";stores check.memory 0/4 "not counting"'
offs='branches check.branches 7/6 "off by +1" VMRUN;memory-refs check.memory 8/7 "off by +1" '
offs=$offs'"counts internal retries too";stores check.memory 0/4 "not counting"'
judge 'AMD: what is off is a number' grep -qx "NUMBER repeat: 0 of 2 runs end with status=fail, \
2 checks were repeated, 6 are off: $offs" "$work/cold.said"
judge 'no CPU of its own: no timer' grep -q '^CANNOT timer: .*--pin' "$work/cold.said"
logged warm 'series bench=latency.32k tsc.1=190 tsc.8=182' "$exact" "$off"

# $1 vendor, $2 family, $3 model, $4 what a return to the guest adds, $5 the word of `repeat`
counts() {
	printf '%s\n' "vendor_id : $1" "cpu family : $2" "model : $3" 'model name : 4' \
		'flags : fpu vmx' >"$work/host/proc/cpuinfo"
	judge "$1 $2 $3: it reaches its end" check cpu
	judge "$1 $2 $3 adds $4" grep -qx "NUMBER counts: a return to the guest adds $4" \
		"$work/cpu.said"
	judge "$1 $2 $3: $5" grep -q "^$5 repeat: 0 of 2" "$work/cpu.said"
}
counts GenuineIntel 6 94 nothing PASS
counts GenuineIntel 6 77 SRF7 NUMBER
counts GenuineIntel 6 95 SRF7 NUMBER
counts GenuineIntel 6 134 SRF7 NUMBER
counts GenuineIntel 6 175 SRF7 NUMBER
counts GenuineIntel 6 221 SRF7 NUMBER
counts GenuineIntel 19 221 nothing PASS
counts AuthenticAMD 25 97 VMRUN NUMBER
counts HygonGenuine 24 1 VMRUN NUMBER
counts CentaurHauls 7 59 nothing NUMBER
printf 'vendor_id : GenuineIntel\nflags : fpu vmx\n' >"$work/host/proc/cpuinfo"
judge 'Intel, warm: it reaches its end' check warm
judge 'warm differs' grep -q '^DIFFERS cold: .* it was warm' "$work/warm.said"
judge 'Intel: a known erratum passes' grep -q '^PASS repeat: 0 of 2 .* 2 are off' "$work/warm.said"
logged off "$none"
judge 'Intel, off: it reaches its end' check off
judge 'Intel: no erratum, no pass' grep -q '^DIFFERS repeat: 0 of 2 .* 2 are off' "$work/off.said"

# An AMD host whose guest has CPU 0. Beside a timer, which sleeps by a false command, each check is
# made again; without it the checks are exact.
printf 'vendor_id : AuthenticAMD\nflags : fpu svm\n' >"$work/host/proc/cpuinfo"
logged pinned "$exact"
cat >>"$work/emulator" <<END
case \$log in
*/timer.*) for i in 1 2 3 4 5 6 7 8 9; do [ -e $work/slept ] || /bin/sleep 0.5; done ;;
esac
[ ! -e $work/slept ] || cat >\$log <<LOG
$vmrun
LOG
END
mkdir -p "$work/bin"
printf '#!/bin/sh\ntouch %s\nexec /bin/sleep 0.1\n' "$work/slept" >"$work/bin/sleep"
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >"$work/bin/taskset"
chmod +x "$work/bin/sleep" "$work/bin/taskset"
PATH=$work/bin:$PATH
judge 'AMD, a timer: it reaches its end' check pinned --pin 0
judge 'AMD, a timer: nothing without it' grep -q '^NUMBER repeat: .* 0 checks were repeated, 0' \
	"$work/pinned.said"
judge 'AMD, a timer: more with it' grep -q '^PASS timer-rises: 2 checks .* without the timer 0' \
	"$work/pinned.said"
judge 'AMD, a timer: it is ended' sh -c "rm $work/slept; sleep 0; rm $work/slept; /bin/sleep 0.5
	[ ! -e $work/slept ]"
logged said 'series bench=latency.32k cold=0 tsc.1=190 tsc.8=182'
judge 'warm, and said: it reaches its end' check said
judge 'a series that says so passes' grep -q '^PASS cold: the log says' "$work/said.said"

printf '#!/bin/sh\necho "run-qemu: the log has no done record"\nexit 2\n' >"$work/emulator"
judge 'no start: it reaches its end' check dead
judge 'no start: said' grep -q '^DIFFERS start: run-qemu: the log has no' "$work/dead.said"
judge 'no start: no more steps' grep -q '^CANNOT cold: the guest does not' "$work/dead.said"
judge 'a wrong option' sh -c '! tools/kvm-check.sh --wrong'
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
