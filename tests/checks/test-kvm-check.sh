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
	case $word in kvm) word=tcg ;; host,*) word=max ;; esac
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

# Commands that are not the host's.
mkdir -p "$work/bin" "$work/host"
PATH=$work/bin:$PATH
false_command() {
	cat >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
false_command perf <<'END'
#!/bin/sh
echo no perf here >&2
exit 1
END
false_command dmesg <<'END'
#!/bin/sh
exit 1
END
judge 'no KVM: it reaches its end' check none
for step in start counters repeat timer rdpmc cpuid wbinvd cold events filters samples throttle \
	sibling caches memory small-pages watchdog taken kinds-of-exits; do
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
judge 'no counters: memory' grep -qE '^NUMBER memory latency.memory: [0-9.]+ ticks' \
	"$work/bare.said"
judge 'no counters: no sibling' grep -q '^CANNOT sibling' "$work/bare.said"
judge 'no counters: no event' grep -q '^CANNOT filters: the host has no' "$work/bare.said"
judge 'no counters: nothing to take' grep -q '^CANNOT taken: the host has no' "$work/bare.said"
judge 'no counters: no free huge pages' grep -q '^CANNOT small-pages: .*nr_hugepages=128' \
	"$work/bare.said"
judge 'what needs root is said' grep -q '^CANNOT kinds-of-exits: as root: perf .*: no perf here' \
	"$work/bare.said"
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
false_command sleep <<END
#!/bin/sh
touch $work/slept
exec /bin/sleep 0.1
END
false_command taskset <<'END'
#!/bin/sh
shift 2
exec "$@"
END
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

# A host that lends counters, whose guest has CPU 0. Each log has its records, by its name.
put() {
	mkdir -p "$(dirname "$work/host/$1")"
	printf '%s\n' "$2" >"$work/host/$1"
}
rm -f "$work/bin/taskset" "$work/bin/sleep"
mkdir -p "$work/host/sys/bus/event_source/devices/cpu"
put proc/sys/kernel/nmi_watchdog 1
put sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages 128
cache=sys/devices/system/cpu/cpu0/cache
put $cache/index0/level 1
put $cache/index0/type Instruction
put $cache/index0/size 32K
put $cache/index1/level 2
put $cache/index1/type Unified
put $cache/index1/size 1024K
no_register='error what=events culprit=cpu/event0xc6,umask0x1,frontend0x12/ why="the hypervisor has'
no_register=$no_register' no register for its filter (MSR 1A6H, 1A7H, 3F6H or 3F7H)" #51:952db6b4'
false_command ../emulator <<EOF
#!/bin/sh
options=\$*
while [ "\$1" != --log ]; do shift; done
cat >"\$2" <<END
counter name=IA32_PMC0 number=0 verdict=proven #1:12345678
counter name=IA32_FIXED_CTR1 number=1 verdict=starved #1:12345678
cache level=1 type=code size=32768 ways=8 line=64 #1:12345678
cache level=2 type=unified size=1048576 ways=8 line=64 #1:12345678
END
case \$2 in
*/filter.offcore) echo '$no_register' ;;
*/filter.frontend) echo 'still events="cpu/event0xc6,umask0x1,frontend0x12/" #1:12345678' ;;
*/filter.any) echo 'error what=pmu why="the counters could not be programmed" #1:12345678' ;;
*/sample.1000) echo "[1.0] perf: interrupt took too long (2507 > 2500)" >>"$work/dmesg" ;;
*/caches)
	case \$options in
	*'--cpu host,migratable=off,pmu=on -'*) echo 'cache level=2 type=unified size=7 ways=8' ;;
	esac
	;;
*/memory) echo 'result bench=tlb.2m.8 loop=1 tsc=50 insns=1 UnHalted_Core_Cycles=40 exact=0' ;;
*/small-pages)
	case \$options in
	*--no-huge*) echo 'result bench=tlb.2m.8 loop=1 tsc=90 CYCLES_NOT_IN_HALT=80 exact=0' ;;
	esac
	;;
*/taken)
	echo 'result bench=alu.add loop=1 dropped.stood=3 tsc=1 exact=0'
	echo 'result bench=alu.sub loop=1 dropped.stood=2 tsc=1 exact=0'
	echo 'warn what=check culprit=counters why="a counter stood still" #1:12345678'
	;;
esac >>"\$2"
EOF
false_command perf <<'END'
#!/bin/sh
case $* in
'stat -e instructions:D -C 0 sleep 2') echo ' 123,456      instructions:D' ;;
'stat -e instructions:D -C 0 true') echo ' 1      instructions:D' ;;
'kvm stat record -a sleep 5' | 'kvm stat record -a true') ;;
'kvm stat report')
	echo ' VM-EXIT    Samples  Samples%     Time%    Min Time'
	echo ' MSR_WRITE       77    50.00%    20.00%      0.41us'
	echo '    CPUID       12    10.00%     2.00%      0.40us'
	;;
*) exit 1 ;;
esac
END
touch "$work/dmesg"
false_command dmesg <<END
#!/bin/sh
exec cat $work/dmesg
END
printf '%s\n' 'vendor_id : GenuineIntel' 'cpu family : 6' 'model : 94' 'flags : fpu vmx' \
	>"$work/host/proc/cpuinfo"
judge 'counters: it reaches its end' check full --pin 0
while read -r line; do
	judge "counters: $line" grep -q -e "^$line" "$work/full.said"
done <<'END'
DIFFERS counters: 1 of 2 are not proven
PASS filter.offcore: refused: "the hypervisor has no register for its filter (MSR 1A6H, 1A7H,
DIFFERS filter.frontend: not refused, and it never moves
DIFFERS filter.any: not refused, and it could not be programmed
NUMBER throttle: the host took fewer samples 1 times
PASS caches: those of the host: 1 code 32768,2 unified 1048576$
NUMBER caches: without host-cache-info: 1 code 32768,2 unified 1048576,2 unified 7$
NUMBER memory tlb.2m.8: 50 ticks, 40 core clocks$
NUMBER small-pages tlb.2m.8: 90 ticks, 80 core clocks$
NUMBER watchdog: nmi_watchdog=1, starved: IA32_FIXED_CTR1$
CANNOT watchdog: run this again behind sysctl kernel.nmi_watchdog=0$
NUMBER taken: exit code 0, perf counts 123,456 instructions, dropped.stood=5, 1 warnings$
NUMBER kinds-of-exits: MSR_WRITE 77, CPUID 12, the rest is in the file$
CANNOT unit-tests: run kvm-unit-tests
END
judge 'counters: the file has what perf says' grep -q '^ VM-EXIT    Samples' "$work/full"
put $cache/index1/size 512K
put proc/sys/kernel/nmi_watchdog 0
printf '%s\n' 'vendor_id : AuthenticAMD' 'cpu family : 25' 'model : 97' 'flags : fpu svm' \
	>"$work/host/proc/cpuinfo"
false_command perf <<'END'
#!/bin/sh
echo '   <not supported>      instructions:D'
END
judge 'AMD, counters: it reaches its end' check amd --pin 0
while read -r line; do
	judge "AMD, counters: $line" grep -q -e "^$line" "$work/amd.said"
done <<'END'
DIFFERS caches: 1 code 32768,2 unified 1048576, of the host 1 code 32768,2 unified 524288$
DIFFERS filter.guest: not refused, and it counts
DIFFERS filter.host: not refused, and it counts
CANNOT watchdog: run this again behind sysctl kernel.nmi_watchdog=1$
CANNOT taken: as root: perf stat -e instructions:D -C 0 true: *<not supported>
CANNOT kinds-of-exits: as root
END
judge 'no CPU of its own: it reaches its end' check free
judge 'no CPU of its own: nothing to take' grep -q '^CANNOT taken: .*--pin' "$work/free.said"

printf '#!/bin/sh\necho "run-qemu: the log has no done record"\nexit 2\n' >"$work/emulator"
judge 'no start: it reaches its end' check dead
judge 'no start: said' grep -q '^DIFFERS start: run-qemu: the log has no' "$work/dead.said"
judge 'no start: no more steps' grep -q '^CANNOT cold: the guest does not' "$work/dead.said"

judge 'a wrong option' sh -c '! tools/kvm-check.sh --wrong'
help=$(tools/kvm-check.sh --help)
judge 'help: exit code 0' tools/kvm-check.sh -h
judge 'help: a synopsis' grep -qF 'tools/kvm-check.sh [--build DIR] [--pin CPU]' <<END
$help
END
words=$(echo "$help" | grep -cE '^[[:blank:]]*(PASS|DIFFERS|NUMBER|CANNOT) ')
judge 'help: each word of a step' [ "$words" = 4 ]
judge 'help: nothing of the script' sh -c '! echo "$1" | grep -q "from="' help "$help"
said=$(HOST=$work/host tools/kvm-check.sh --build "$work/nothing" "$work/kernel" 2>&1)
judge 'no kernel: exit code 3' [ $? -eq 3 ]
judge 'no kernel: what is missing, and what makes it' [ "$said" = \
	"kvm-check: $work/nothing/64/cpl0.elf is missing: run \`make kernels\`" ]
judge 'no kernel: no file' [ ! -e "$work/kernel" ]
mkdir -p "$work/here/below"
script=$PWD/tools/kvm-check.sh made=$(realpath "$build")
judge 'the file: beside the caller, with a name or without' sh -c "cd $work/here &&
	export HOST=$work/host RUN_QEMU=$work/emulator && $script --build $made &&
	$script --build $made below/mine && [ -s cpl0-kvm.txt ] && [ -s below/mine ]"
judge 'the file: an old one is replaced' sh -c "cd $work/here && echo old >cpl0-kvm.txt &&
	HOST=$work/host RUN_QEMU=$work/emulator $script --build $made && ! grep -x old cpl0-kvm.txt"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
