#!/bin/sh
# What is true of cpl0 under KVM on this host? A line a step, and one file to send.
#
#	tools/kvm-check.sh [--build DIR] [--pin CPU] [--times N] [FILE]
#
# Needs `make kernels`. FILE is cpl0-kvm.txt unless told otherwise; an old one is replaced. Takes
# about ten minutes, and changes nothing on the host. The steps `taken`, `kinds-of-exits` and
# `throttle` need root and perf; the others need neither. A step is
#	PASS      as docs/kvm.md says
#	DIFFERS   otherwise: please send the file
#	NUMBER    a figure that docs/kvm.md wants to know
#	CANNOT    not to be done here, and why
# The exit code is 0 if the last step was reached, whatever the steps say; 3 for wrong usage.
from=$PWD
cd "$(dirname "$0")/.." || exit 3
. tools/kvm-host.sh

build=build pin='' times=20 out=$from/cpl0-kvm.txt
run_qemu=${RUN_QEMU:-./run-qemu.sh} # a test puts another one here
while [ $# -gt 0 ]; do
	case $1 in
	--build | --pin | --times)
		[ $# -ge 2 ] || { echo "kvm-check: $1 needs a value" >&2; exit 3; }
		case $1 in
		--build) build=$2 ;;
		--pin) pin=$2 ;;
		--times) times=$2 ;;
		esac
		shift 2
		;;
	--help | -h) sed -n '2,/^[^#]/s/^#[ ]\{0,1\}//p' tools/kvm-check.sh; exit 0 ;;
	-*) echo "kvm-check: unknown option '$1'" >&2; exit 3 ;;
	/*) out=$1; shift ;;
	*) out=$from/$1; shift ;;
	esac
done
case $times in '' | *[!0-9]* | 0) echo "kvm-check: --times needs a number" >&2; exit 3 ;; esac
[ -r "$build/64/cpl0.elf" ] || {
	echo "kvm-check: $build/64/cpl0.elf is missing: run \`make kernels\`" >&2
	exit 3
}
looked=$(host_look)
: "${pin:=$(kvm_pin 1 "$looked")}"
work=$(mktemp -d) || exit 3
busy=
trap 'rest; rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP
: >"$out" || exit 3

say() {
	echo "$*" | tee -a "$out"
}

# $1 why they cannot be done, rest: steps
cannot() {
	why=$1
	shift
	for step; do say "CANNOT $step: $why"; done
}

# Work on CPU $1 of the host until `rest`: command $2 again and again.
toil() {
	taskset -c "$1" sh -c "while :; do $2; done" &
	busy=$!
}

rest() {
	[ -z "$busy" ] || {
		kill "$busy"
		wait "$busy"
	} 2>/dev/null
	busy=
}

# $1 a log's name, rest: arguments of the kernel. The log goes into the file. $options is for QEMU.
options=
boot() {
	name=$1
	shift
	# shellcheck disable=SC2086 # words are meant
	"$run_qemu" --build "$build" --direct --accel kvm ${pin:+--pin "$pin"} --quiet $options \
		--log "$work/$name" -- "$@" >"$work/$name.said" 2>&1
	code=$?
	{
		echo "--- $name: $*"
		cat "$work/$name.said" "$work/$name"
	} >>"$out"
	return $code
}

# The values of a key, $2, of records that begin with $1, in log $3. With blanks they are quoted.
values() {
	tr -d '\r' <"$work/$3" | sed -nE "s/^$1 (.* )?$2=(\"[^\"]*\"|[^ ]*).*/\\2/p"
}

ticks() {
	values result tsc "$1" | head -n 1
}

facts() {
	say "NUMBER kernel: $(uname -r), QEMU: $(qemu-system-x86_64 --version | head -n 1)"
	say "NUMBER CPU: $(host_file /proc/cpuinfo | sed -n 's/^model name.*: //p' | head -n 1)"
	say "NUMBER counts: a return to the guest adds $(host_adds | grep . || echo nothing)"
	say "NUMBER vpmu: $(kvm_vpmu) $(kvm_lacks_counters)"
	kvm_notes "$pin" "$looked" | while read -r line; do say "NUMBER host: $line"; done
	say "NUMBER $(host_is)"
	for file in /sys/devices/system/cpu/vulnerabilities/*; do
		echo "${file##*/}: $(cat "$file")" >>"$out"
	done
}

counters() {
	wrong=$(values counter verdict first | grep -cv '^proven$')
	all=$(values counter verdict first | wc -l)
	lacks=$(kvm_lacks_counters)
	if [ -n "$lacks" ] && [ "$wrong" -eq "$all" ]; then
		say "PASS counters: none counts, as the host says ($lacks)"
	elif [ -n "$lacks" ]; then
		say "DIFFERS counters: $((all - wrong)) of $all proven, but the host says: $lacks"
	elif [ "$all" -eq 0 ]; then
		say "DIFFERS counters: the guest sees none"
	elif [ "$wrong" -eq 0 ]; then
		say "PASS counters: $all of $all proven"
	else
		say "DIFFERS counters: $wrong of $all are not proven"
	fi
}

# A value of the first CPU of the host: $1 its name in /proc/cpuinfo.
host_cpu() {
	host_file /proc/cpuinfo | sed -n "s/^$1[[:blank:]]*: //p" | head -n 1
}

# The erratum that adds a count at each return to the guest, by the tables of events; nothing if
# this CPU has none.
host_adds() {
	case $(host_cpu vendor_id) in
	AuthenticAMD | HygonGenuine) maker=amd ;;
	GenuineIntel) maker=arch ;;
	*) return ;;
	esac
	awk -F, -v maker=$maker -v family="$(host_cpu 'cpu family')" \
		-v model="$(printf '0x%x' "$(host_cpu model)")" '
		FNR == NR && $1 == maker && $5 == "guest" {
			for (n = split($2 ? $2 : "any", names, " "); n > 0; n--)
				adds[names[n]] = $4
		}
		FNR != NR && $1 == maker && $4 == family &&
			index(" " $5 " ", " " model " ") { is[$2] }
		END {
			is["any"]
			for (name in is) if (name in adds) { print adds[name]; exit }
		}' pmu/events/errata.csv pmu/events/models.csv
}

# On Intel's large cores the counts of a guest are exact.
host_is_exact() {
	[ "$(host_cpu vendor_id)" = GenuineIntel ] && [ -z "$(host_adds)" ]
}

# The checks of the runs $1 that are not exact: their verdicts are in quotes, "off by +1".
checks_off() {
	checks "$1" | grep -v ' verdict=exact'
}

checks() {
	cat "$work/$1".* | tr -d '\r' | grep -a '^check '
}

# Which they are: EVENT BODY got/expected verdict known, each once.
what_is_off() {
	text='("[^"]*"|[^ ]*)' line='.* event=([^ ]*) .* body=([^ ]*) .* expected=([^ ]*)'
	line="$line got=([^ ]*) .*verdict=$text( known=$text)?( #.*)?\$"
	checks_off "$1" | sed -E "s,$line,\1 \2 \4/\3 \5 \7,; s/ \$//" | sort -u |
		paste -sd';' -
}

# The same run again and again, by the name $1. None may fail. An erratum explains a check that is
# off; any other is one too many if the counts of this CPU are exact.
repeat() {
	failed=0 lost=0
	for i in $(seq "$times"); do
		boot "$1.$i" bench=alu.add_latency
		case $? in
		0) ;;
		1) failed=$((failed + 1)) ;;
		*) lost=$((lost + 1)) ;;
		esac
	done
	again=$(checks "$1" | grep -c ' repeated=')
	word=NUMBER
	if [ $failed -gt 0 ]; then
		word=DIFFERS
	elif host_is_exact && checks "$1" | grep -q .; then
		word=PASS
		! checks_off "$1" | grep -qv ' known=' || word=DIFFERS
	fi
	which=$(what_is_off "$1")
	say "$word $1: $failed of $times runs end with status=fail, $again checks were repeated," \
		"$(checks_off "$1" | wc -l) are off${which:+: $which}"
	[ $lost -eq 0 ] || say "DIFFERS $1: $lost of $times runs do not end"
}

# The same while a timer of the host interrupts the guest's CPU some hundred times a second.
timer() {
	if [ -z "$pin" ]; then
		cannot 'the guest is on no CPU of its own: --pin' timer
		return
	fi
	before=$again
	toil "${pin%%,*}" 'sleep 0.001'
	repeat timer
	rest
	[ -n "$(host_adds)" ] || return 0
	word=DIFFERS
	[ "$again" -le "$before" ] || word=PASS
	say "$word timer-rises: $again checks were repeated, without the timer $before"
}

# $1 name, $2 bytes of an instruction that leaves the guest
exits() {
	boot "$1" bench=code code="$2" cpl=0 mode=total unroll=1 loop=1
	took=$(ticks "$1")
	if [ -n "$took" ]; then
		say "NUMBER $1: $took ticks"
	else
		say "CANNOT $1: no result in the log"
	fi
}

cold() {
	boot cold bench=latency.32k series=8
	first=$(values series tsc.1 cold) last=$(values series tsc.8 cold)
	said="the first run takes $first ticks, the last $last"
	if [ -z "$first" ] || [ -z "$last" ]; then
		say "CANNOT cold: no series in the log"
	elif [ "$(values series cold cold)" = 0 ]; then
		say "PASS cold: the log says that the runs are not cold: $said"
	elif [ "${first%.*}" -gt $((3 * ${last%.*} / 2 + 1)) ]; then
		say "PASS cold: $said"
	else
		say "DIFFERS cold: $said: it was warm"
	fi
}

# Of all events of this CPU, how many never move in the guest?
events() {
	boot events bench=p5.empty events=all
	never=$(grep -ac '^still ' "$work/events")
	say "NUMBER events: $(grep -ac '^event ' "$work/events") planned," \
		"$never records of those that never moved"
}

# How often the host has said that it takes fewer samples, as interrupts take too long.
throttled() {
	dmesg 2>/dev/null | grep -c 'perf: interrupt took'
}

samples() {
	before=$(throttled)
	for period in 1000 10000 1000000; do
		boot sample.$period bench=alu.add_latency sample=instructions,$period cpl=3
		for key in samples lost spurious lag events whole; do
			printf '%s=%s ' $key "$(values sampling $key sample.$period | head -n 1)"
		done >"$work/figures"
		say "NUMBER sample.$period: $(cat "$work/figures")"
	done
	if dmesg >/dev/null 2>&1; then
		say "NUMBER throttle: the host took fewer samples $(($(throttled) - before)) times"
	else
		cannot "dmesg | grep 'perf: interrupt took' needs root here" throttle
	fi
}

# $1 name, $2 an event that needs what KVM has not: it is refused before the run.
filter() {
	boot "filter.$1" bench=p5.empty events="$2"
	refused=$(values 'error what=events' why "filter.$1" | head -n 1)
	if [ -n "$refused" ]; then
		say "PASS filter.$1: refused: $refused"
	elif grep -aq 'could not be programmed' "$work/filter.$1"; then
		say "DIFFERS filter.$1: not refused, and it could not be programmed"
	elif grep -aq '^still ' "$work/filter.$1"; then
		say "DIFFERS filter.$1: not refused, and it never moves"
	else
		say "DIFFERS filter.$1: not refused, and it counts"
	fi
}

filters() {
	case $(host_cpu vendor_id) in
	GenuineIntel)
		filter offcore cpu/event=0xb7,umask=1,offcore_rsp=1/
		filter frontend cpu/event=0xc6,umask=1,frontend=0x12/
		filter any cpu/event=0xc0,any/
		;;
	AuthenticAMD | HygonGenuine)
		filter guest cpu/event=0xc0,guest/
		filter host cpu/event=0xc0,host/
		;;
	*) cannot "nothing is known of the events of this CPU's maker" filters ;;
	esac
}

# The caches of the guest in log $1: a line of level, type and size for each.
caches_of() {
	tr -d '\r' <"$work/$1" |
		sed -nE 's/^cache level=(.) type=([a-z]+) size=([0-9]+) .*/\1 \2 \3/p' | sort
}

# Those of the guest's CPU on the host.
host_caches() {
	for cache in "$HOST/sys/devices/system/cpu/cpu${pin%%,*}"/cache/index*; do
		[ -r "$cache/size" ] || continue
		kib=$(cat "$cache/size")
		echo "$(cat "$cache/level" "$cache/type" | paste -sd' ' -) $((${kib%K} * 1024))"
	done | sed 's/Data/data/; s/Instruction/code/; s/Unified/unified/' | sort
}

# By run-qemu.sh the guest shows the caches of the host, and without host-cache-info others.
caches() {
	if [ -z "$pin" ] || [ -z "$(host_caches)" ]; then
		cannot 'the host does not tell the caches of the CPU of the guest (--pin)' caches
		return
	fi
	shown=$(caches_of first | paste -sd, -)
	if [ "$shown" = "$(host_caches | paste -sd, -)" ]; then
		say "PASS caches: those of the host: $shown"
	else
		say "DIFFERS caches: $shown, of the host $(host_caches | paste -sd, -)"
	fi
	options='--cpu host,migratable=off,pmu=on'
	boot caches list bench=alu.add_latency
	options=
	say "NUMBER caches: without host-cache-info: $(caches_of caches | paste -sd, -)"
}

# A busy thread of the same core: does the log say so, and what does it cost?
sibling() {
	other=$(host_siblings "${pin%%,*}" | grep -vx "${pin%%,*}" | head -n 1)
	if [ -z "$pin" ] || [ -z "$other" ]; then
		say "CANNOT sibling: the guest's CPU has no other thread, or none is named: --pin"
		return
	fi
	boot idle bench=alu.add_throughput
	toil "$other" :
	boot busy bench=alu.add_throughput
	rest
	say "NUMBER sibling: CPU $other idle $(ticks idle) ticks, busy $(ticks busy) ticks," \
		"the log says busy=$(values sibling busy busy | tail -n 1)"
}

# Ticks of log $1, and core clocks beside them: the host takes ticks alone.
walks() {
	clocks='UnHalted_Core_Cycles|CYCLES_NOT_IN_HALT'
	for bench in $(values result bench "$1" | sort -u); do
		line=$(tr -d '\r' <"$work/$1" | grep -a "^result bench=$bench " | head -n 1)
		core=$(echo "$line" | sed -nE "s/.* ($clocks)=([^ ]*) .*/, \2 core clocks/p")
		ticks=$(echo "$line" | sed -nE 's/.* tsc=([^ ]*) .*/\1/p')
		say "NUMBER $1 $bench: $ticks ticks$core"
	done
}

memory() {
	clocks=
	[ -n "$(kvm_lacks_counters)" ] || clocks=events=cycles
	boot memory 'bench=latency.memory,tlb.*' $clocks
	walks memory
	if [ "$(host_huge free_hugepages)" -lt 128 ]; then
		cannot 'no 128 huge pages are free: sysctl vm.nr_hugepages=128' small-pages
		return
	fi
	options=--no-huge
	boot small-pages 'bench=latency.memory,tlb.*' $clocks
	options=
	walks small-pages
}

# What the watchdog takes as it is now. The other way is for the user to set.
watchdog() {
	now=$(host_file /proc/sys/kernel/nmi_watchdog)
	starved=$(sed -nE 's/^counter name=([^ ]*) .*verdict=starved.*/\1/p' "$work/first" |
		paste -sd' ' -)
	say "NUMBER watchdog: nmi_watchdog=${now:-unknown}, starved: ${starved:-none}"
	cannot "run this again behind sysctl kernel.nmi_watchdog=$((!${now:-0}))" watchdog
}

# Prints why `perf` cannot do something, $1; nothing if it can.
perf_lacks() {
	if ! command -v perf >/dev/null; then
		echo 'there is no perf here: run it as root'
	elif ! (cd "$work" && sh -c "$1") >"$work/said" 2>&1 || grep -q '<not' "$work/said"; then
		echo "as root: $1: $(grep . "$work/said" | head -n 1)"
	fi
}

# perf takes a counter of the guest's CPU in the middle of a run: it costs samples and nothing else.
taken() {
	why=${pin:+$(perf_lacks "perf stat -e instructions:D -C ${pin%%,*} true")}
	[ -n "$pin" ] || why='the guest is on no CPU of its own: --pin'
	if [ -n "$why" ]; then
		cannot "$why" taken
		return
	fi
	boot taken 'bench=alu.*' &
	until grep -aqs '^result' "$work/taken" || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
	perf stat -e instructions:D -C "${pin%%,*}" sleep 2 >"$work/said" 2>&1
	wait $!
	code=$?
	cat "$work/said" >>"$out"
	word=NUMBER
	[ $code -eq 0 ] || word=DIFFERS
	stood=$(values result dropped.stood taken | awk '{ n += $1 } END { print n + 0 }')
	warned=$(grep -ac '^warn what=check culprit=counters' "$work/taken")
	count=$(awk '/instructions:D/ { print $1 }' "$work/said")
	say "$word taken: exit code $code, perf counts $count instructions," \
		"dropped.stood=$stood, $warned warnings"
}

# Which exits a run makes, by the host.
kinds() {
	why=$(perf_lacks 'perf kvm stat record -a true')
	if [ -n "$why" ]; then
		cannot "$why" kinds-of-exits
		return
	fi
	boot kinds 'bench=alu.*' &
	(cd "$work" && perf kvm stat record -a sleep 5 && perf kvm stat report) >"$work/said" 2>&1
	wait $!
	cat "$work/said" >>"$out"
	most=$(awk 'NF > 4 && $2 ~ /^[0-9]+$/ && n++ < 5 { printf "%s %s, ", $1, $2 }' "$work/said")
	say "NUMBER kinds-of-exits: ${most}the rest is in the file"
}

say "NUMBER date: $(date -u +%Y-%m-%d), cpl0: $("$build/cpl0-log" --version 2>/dev/null)"
facts
later='counters repeat timer rdpmc cpuid wbinvd cold events filters samples throttle sibling caches
memory small-pages watchdog taken kinds-of-exits'

why=$(kvm_lacks)
[ -n "$why" ] || why=$(kvm_would_fail)
if [ -n "$why" ]; then
	cannot "$why" start $later
elif began=$(date +%s); boot first bench=alu.add_latency || [ $? -eq 1 ]; then
	say "PASS start: the guest runs to its end, in $(($(date +%s) - began)) seconds"
	counters
	repeat repeat
	timer
	lacks=$(kvm_lacks_counters)
	if [ -z "$lacks" ]; then
		exits rdpmc 31c90f33
		events
		filters
		samples
		watchdog
		taken
	else
		cannot "$lacks" rdpmc events filters samples throttle watchdog taken
	fi
	exits cpuid 31c00fa2
	exits wbinvd 0f09
	cold
	sibling
	caches
	memory
	kinds
else
	say "DIFFERS start: $(tail -n 1 "$work/first.said")"
	cannot 'the guest does not start' $later
fi
cannot 'run kvm-unit-tests pmu.flat on this host, and send what it prints' unit-tests
say "done: $out"
