#!/bin/sh
# What run-qemu.sh says of a run before it begins: tests/checks/test-run-qemu.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`.
command -v qemu-system-x86_64 >/dev/null || { echo "skipped: no qemu-system-x86_64 here"; exit 0; }
build=$1 passed=0 failed=0 skipped=0
note='^run-qemu: --icount: tsc counts instructions; core and clock rates mean nothing$'

# $1 how often stderr has the note, $2 words of QEMU's command line or nothing, rest: options
says() {
	want=$1 words=$2 wrong=''
	shift 2
	said=$(./run-qemu.sh --build "$build" --direct --accel tcg --dry-run "$@" 2>&1) ||
		wrong="exit code $?; "
	[ "$(printf '%s\n' "$said" | grep -c "$note")" -eq "$want" ] ||
		wrong="${wrong}not $want notes; "
	printf '%s\n' "$said" | grep -q -e "$words" || wrong="${wrong}no $words"
	if [ -z "$wrong" ]; then
		passed=$((passed + 1))
		echo "pass $*"
	else
		failed=$((failed + 1))
		echo "FAIL $*: $wrong"
	fi
}

# $1 what is tested, $2 the exit code of the command before
verdict() {
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1"
		return 1
	fi
}

says 1 '-icount shift=0' --icount
says 0 '-accel tcg' --bits 32
says 0 'exit=debug' --bits 32
echo kept >"$build/kept.log"
says 0 '-append' --log "$build/kept.log"
[ "$(cat "$build/kept.log")" = kept ]
verdict 'a dry run leaves the log' $?
says 0 '-append *$' --bits 32 --stay

# --- what it says of a host ----------------------------------------------------

# A host that has everything, in files: four cores of two threads, 0 and 4 to 3 and 7, and no work.
cpus=sys/devices/system/cpu module=sys/module
put() {
	mkdir -p "$(dirname "$host/$1")"
	printf '%b\n' "$2" >"$host/$1"
}

# $1 is the share of the time that each CPU works, as "3:50 7:12": none if it is not named.
put_work() {
	for n in 0 1 2 3 4 5 6 7; do
		case " $1 " in *" $n:"*) busy=${1##*"$n:"} busy=${busy%% *} ;; *) busy=0 ;; esac
		echo "cpu$n 7 0 0 50 0 0 0 0" >&3
		echo "cpu$n $((7 + busy)) 0 0 $((150 - busy)) 0 0 0 0" >&4
	done 3>"$host/proc/early" 4>"$host/proc/later"
}

host=$build/host all_said=$build/host-said
: >"$all_said"
put_host() {
	rm -rf "$host"
	mkdir -p "$host/sys/bus/event_source/devices/cpu" "$host/bin"
	put dev/kvm ''
	put proc/cpuinfo 'flags : fpu vmx avx'
	put proc/self/status 'Name: cat\nCpus_allowed_list:\t0-7'
	put proc/sys/kernel/nmi_watchdog 0
	put proc/sys/kernel/osrelease 6.8.0-test
	put boot/config-6.8.0-test 'CONFIG_HZ_250=y\nCONFIG_HZ=250'
	put $module/kvm/parameters/enable_pmu Y
	put $cpus/online 0-7
	put sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages 128
	for n in 0 1 2 3; do
		put $cpus/cpu$n/topology/thread_siblings_list "$n,$((n + 4))"
		put $cpus/cpu$((n + 4))/topology/thread_siblings_list "$n,$((n + 4))"
		put $cpus/cpu$n/cpufreq/scaling_governor performance
	done
	put_work ''
	# The command that lets the second pass: it does so at once, however slow this machine is.
	printf '#!/bin/sh\nexec cp "$HOST/proc/later" "$HOST/proc/stat"\n' >"$host/bin/sleep"
	chmod +x "$host/bin/sleep"
}

# What run-qemu.sh says on that host, with the command line of QEMU as its last line.
on_host() {
	cp "$host/proc/early" "$host/proc/stat"
	HOST=$host PATH=$host/bin:$PATH \
		$as ./run-qemu.sh --build "$build" --direct --dry-run --bits 32 "$@" 2>&1
}

# Hosts, by stdin. A line is a word and its rest:
#	host NAME       begins a host that has everything but for:
#	file PATH TEXT  what it has in a file
#	gone PATH       what it has not
#	work N:SHARE    CPUs that work, in percent
#	run OPTIONS     runs run-qemu.sh there
#	says WORDS      what must be in its answer, as grep takes it
#	not WORDS       what must not be there
hosts() {
	while read -r word rest; do
		case $word in
		host) name=$rest; put_host ;;
		file) put "${rest%% *}" "${rest#* }" ;;
		gone) rm -r "${host:?}/$rest" ;;
		work) put_work "$rest" ;;
		run)
			options=$rest
			# shellcheck disable=SC2086 # $rest is words
			on_host $rest >"$host/said"
			cat "$host/said" >>"$all_said"
			;;
		says)
			grep -q -e "$rest" "$host/said"
			verdict "$name, $options: $rest" $?
			;;
		not)
			! grep -q -e "$rest" "$host/said"
			verdict "$name, $options: not $rest" $?
			;;
		esac
	done
}

as=
hosts <<'END'
host an idle host that has everything
run
says ^run-qemu: accel=kvm vpmu=perf: with the counters of this CPU$
says ^run-qemu: host: Linux 6.8.0-test, HZ=250, nohz_full=none, isolated=none,
says flushes=none, QEMU [0-9.]*$
says ^taskset -c 3 qemu.* -accel kvm -cpu host,migratable=off,pmu=on,host-cache-info=on,
says ,host-phys-bits=on -smp 1,sockets=1,cores=1,threads=1 -m 256
says -overcommit cpu-pm=on -machine mem-merge=off -machine memory-backend=ram .*hugetlb=on
says -append .note="accel=kvm vpmu=perf: with the counters of this CPU, host: Linux [^"]*" exit
not debug-threads\|-mem-prealloc\|huge pages
not watchdog\|ignore_msrs\|governor\|turbo\|busy\|no CPU of its own
not hybrid\|is a guest\|share\|invention
run -- note=mine
says -append .note=mine exit=debug
run --stay
not -overcommit
run --accel tcg
says ^qemu.* -accel tcg -cpu max -smp 1 -m 256
not -mem-prealloc\|mem-merge\|-overcommit\|taskset\|note=\|vpmu

host AMD's
file proc/cpuinfo flags : fpu svm avx
run
says accel=kvm vpmu=perf

host no /dev/kvm
gone dev/kvm
run
says accel=tcg (there is no /dev/kvm)
not -overcommit\|-mem-prealloc\|taskset\|mem-merge
run --accel kvm
says accel=kvm as you say, although there is no /dev/kvm

host no VMX and no SVM
file proc/cpuinfo flags : fpu avx vmxnet
run
says accel=tcg (the CPU has no hardware virtualization)

host KVM without the virtual PMU
file sys/module/kvm/parameters/enable_pmu N
run
says accel=kvm vpmu=none (KVM has the virtual PMU switched off (kvm.enable_pmu)): times are

host no counters on the host
gone sys/bus/event_source/devices/cpu
run
says accel=kvm vpmu=none (the host has no performance counters itself)

host Linux before 5.17
gone sys/module/kvm
run
says accel=kvm vpmu=perf

host Intel's mediated PMU
file sys/module/kvm_intel/parameters/enable_mediated_pmu Y
run
says accel=kvm vpmu=mediated

host AMD's mediated PMU and the watchdog
file sys/module/kvm_amd/parameters/enable_mediated_pmu Y
file proc/sys/kernel/nmi_watchdog 1
run
says run-qemu: QEMU would not start: .*sysctl kernel.nmi_watchdog=0$
not ^taskset

host the watchdog and the virtual PMU of perf
file proc/sys/kernel/nmi_watchdog 1
run
says NMI watchdog holds a counter, and the guest may miss it (verdict=starved)

host the watchdog and no virtual PMU
file proc/sys/kernel/nmi_watchdog 1
file sys/module/kvm/parameters/enable_pmu N
run
not watchdog

host KVM ignores registers that are not there
file sys/module/kvm/parameters/ignore_msrs Y
run
says kvm.ignore_msrs is on

host a guest itself
file proc/cpuinfo flags : fpu vmx hypervisor avx
run
says this host is a guest itself: exits cost several times as much

host a hybrid host of today
file sys/devices/cpu_core/cpus 0-1,4-5
file sys/module/kvm/parameters/enable_pmu N
gone sys/bus/event_source/devices/cpu
run
says accel=kvm vpmu=none (a hybrid host: KVM has no counters for guests there): times are
says ^taskset -c 1 qemu
not Linux before
run --smp 2
says ^taskset -c 1,0 qemu

host a hybrid host, Linux before 6.2
file sys/devices/cpu_core/cpus 0-1,4-5
gone sys/bus/event_source/devices/cpu
run
says accel=kvm vpmu=perf
says hybrid host that lends counters (Linux before 6.2): .* P cores alone, CPUs 0-1,4-5$
says ^taskset -c 1 qemu
not is no P core
run --pin 2
says CPU 2, which the guest gets, is no P core
run --pin none
says right on P cores alone
says on no CPU of its own
not is no P core

host the governor is another
file sys/devices/system/cpu/cpu3/cpufreq/scaling_governor powersave
run
says CPU 3 has the governor powersave: its clock may change
says -append .note="[^"]*governor powersave[^"]*" exit=debug
run --pin 2
not governor

host turbo of Intel
file sys/devices/system/cpu/intel_pstate/no_turbo 0
run
says turbo is on: the core clock is not that of the TSC

host turbo of AMD
file sys/devices/system/cpu/cpufreq/boost 1
run
says turbo is on

host work on the last core
work 3:50
run
says ^taskset -c 2 qemu
not busy
run --pin 3
says CPU 3, which the guest gets, is 50 % busy
run --smp 2
says ^taskset -c 2,1 qemu

host work on the other thread of the last core
work 7:50
run
says ^taskset -c 2 qemu
run --pin 3
says CPU 7, the other thread of that core, is 50 % busy
not CPU 3, which

host work that does not count
work 3:4 7:4
run
says ^taskset -c 3 qemu
not busy

host work on each core
work 0:90 1:30 2:80 7:60
run
says ^taskset -c 1 qemu
says CPU 1, which the guest gets, is 30 % busy

host the last core is offline
file sys/devices/system/cpu/online 0-2,4-6
run
says ^taskset -c 2 qemu
run --pin 3
says run-qemu: --pin 3: the host has no CPU 3, or it is offline
not ^taskset

host the other thread is offline
file sys/devices/system/cpu/online 0-6
file sys/devices/system/cpu/cpu3/topology/thread_siblings_list 3
gone sys/devices/system/cpu/cpu7
run
says ^taskset -c 3 qemu

host taskset allows some CPUs
file proc/self/status Name: cat\nCpus_allowed_list:\t1,5-6
run
says ^taskset -c 6 qemu
run --smp 2
says ^taskset -c 6,1 qemu
run --smp 3
says ^taskset -c 6,1,5 qemu
says the guest's CPUs 1 and 5 are threads of one core
run --smp 4
says the guest's 4 CPUs share 3 of the host: they do not run at once
not -overcommit
not debug-threads
run --pin 6,2
says run-qemu: --pin 6,2: taskset or a cpuset forbids CPU 2
not ^taskset
run --smp 4 --pin none
says the guest's 4 CPUs share 3 of the host: they do not run at once
not -overcommit\|^taskset

host more CPUs are allowed than there are
file proc/self/status Name: cat\nCpus_allowed_list:\t0-63
run --smp 9 --pin none
says the guest's 9 CPUs share 8 of the host: they do not run at once
not -overcommit

host several CPUs of the guest
run --smp 4
says ^taskset -c 3,2,1,0 qemu.* -smp 4,sockets=1,cores=4,threads=1 .* -overcommit
says -name cpl0,debug-threads=on
not share\|threads of one core
run --smp 5
says ^taskset -c 3,2,1,0,7 qemu
says the guest's CPUs 3 and 7 are threads of one core
run --smp 4 --pin 2
says the guest's 4 CPUs share 1 of the host: they do not run at once
says ^taskset -c 2 qemu
not -overcommit\|debug-threads
run --smp 2 --pin none
says on no CPU of its own: --pin
says -overcommit
not ^taskset\|debug-threads\|share

host no files on cores
gone sys/devices/system/cpu/online
run
says the guest is on no CPU of its own: --pin CPU keeps it on one
says ^qemu
run --pin 2
says ^taskset -c 2 qemu
run --pin x
says --pin needs CPUs, as 2 or 2,3, or none, not 'x'
run --pin 2,
says --pin needs CPUs, as 2 or 2,3, or none, not '2,'

host too few huge pages
file sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages 100
file sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages 110
run
says 100 huge pages are free, and the guest's memory is 128: TLBs miss more often
says (sysctl vm.nr_hugepages=138)$
says -mem-prealloc
not hugetlb
run --no-huge
says -mem-prealloc
not huge pages\|hugetlb
run --mem 200
says hugetlb=on
not huge pages\|-mem-prealloc
run --mem 202
says 100 huge pages are free, and the guest's memory is 101
run --mem 199
says --mem 199 is no multiple of 2 MB, so the guest has no huge pages
not hugetlb

host a kernel without huge pages
gone sys/kernel/mm
run
says run-qemu: 0 huge pages are free, .*(sysctl vm.nr_hugepages=128)
says -mem-prealloc

host isolated CPUs, no ticks, an old CPU
file sys/devices/system/cpu/isolated 2,6
file sys/devices/system/cpu/nohz_full 2,6
file sys/devices/system/cpu/vulnerabilities/l1tf Mitigation: VMX: conditional cache flushes
file sys/devices/system/cpu/vulnerabilities/mds Mitigation: Clear CPU buffers; SMT vulnerable
file sys/devices/system/cpu/vulnerabilities/tsx_async_abort Not affected
file sys/devices/system/cpu/vulnerabilities/mmio_stale_data Vulnerable: Clear CPU buffers
file sys/devices/system/cpu/vulnerabilities/spectre_v2 Mitigation: Retpolines; IBPB: conditional
file sys/devices/system/cpu/vulnerabilities/vmscape Mitigation: IBPB before exit to userspace
run
says nohz_full=2,6, isolated=2,6, flushes=l1tf mds vmscape, QEMU

host a process that has no isolated CPU yet
file sys/devices/system/cpu/isolated 2,6
file proc/self/status Name: cat\nCpus_allowed_list:\t0-1,3-5,7
run --pin 2
says ^taskset -c 2 qemu
run --pin 2 --smp 2
says share 1 of the host

host a kernel that says neither
gone boot
file sys/devices/system/cpu/nohz_full (null)
run
says HZ=unknown, nohz_full=none

host everything at once
file proc/cpuinfo flags : fpu vmx hypervisor avx
file proc/sys/kernel/nmi_watchdog 1
file sys/module/kvm/parameters/ignore_msrs Y
file sys/devices/system/cpu/cpufreq/boost 1
run
says note="accel=kvm vpmu=perf: [^"]*, this host is a guest itself: [^"]*, this hosts NMI

host other models
run --cpu max
says accel=kvm vpmu=perf
says -accel kvm -cpu max -smp
not invention
run --cpu max,pmu=off
says accel=kvm vpmu=none (--cpu max,pmu=off switches them off)
run --cpu Skylake-Server
says accel=tcg (--cpu Skylake-Server is another CPU than this one)
run --cpu hosting
says accel=tcg (--cpu hosting is another CPU than this one)
run --cpu host,pmu=off
says accel=kvm vpmu=none (--cpu host,pmu=off switches them off)
says -cpu host,pmu=off -smp
not invention
run --accel kvm --cpu max
says accel=kvm vpmu=perf
not invention
run --accel kvm --cpu Skylake-Server
says accel=kvm vpmu=none (--cpu Skylake-Server has no pmu=on): times are
says --cpu Skylake-Server is an invention on this CPU: its events may be those of another
run --accel kvm --cpu hosting,pmu=on
says accel=kvm vpmu=perf
says --cpu hosting,pmu=on is an invention
says -append .note="[^"]*--cpu hosting, pmu=on is an invention[^"]*" exit
not ^run-qemu: --cpu hosting,pmu=on is an invention on this CPU: events= would
run --accel kvm --cpu Skylake-Server,pmu=on -- events=cycles
says ^run-qemu: --cpu Skylake-Server,pmu=on is an invention on this CPU: events= would be those
not ^taskset
run --accel kvm --cpu Skylake-Server,pmu=on -- bench=alu.* events=cycles
says is an invention on this CPU: events= would be those of another
not ^taskset
run --accel kvm --cpu Skylake-Server,pmu=on -- "events=cycles,branches"
says is an invention on this CPU: events= would be those of another
run --accel kvm --cpu Skylake-Server,pmu=on -- sample=cycles
says is an invention on this CPU: events= would be those of another
run --accel kvm --cpu Skylake-Server -- events=cycles
says ^taskset .*-cpu Skylake-Server
run --accel kvm --cpu max -- events=cycles
says ^taskset .*-cpu max
run --icount
says accel=tcg (--icount is a matter of TCG)
END

# The words that docs/kvm-messages.md quotes, of one host or another: N is a number there, X a
# name, and ... any text. Two of them are of hosts that these files cannot be.
quotes() {
	sed -n '/^## Counters$/,$p' docs/kvm-messages.md | tr '\n' ' ' | tr -s ' ' |
		grep -o '`[^`]*`' | tr -d '`' | grep ' ' |
		grep -vE '^(modprobe|sysctl|echo|cpupower|usermod|make|--acc|--cpu max|--pin [2n])'
	echo vpmu=mediated
}
grep -h 'cannot be opened\|but not each on one' run-qemu.sh tools/kvm-host.sh >>"$all_said"
quotes >"$build/quotes"
[ "$(wc -l <"$build/quotes")" -ge 30 ]
verdict 'docs/kvm-messages.md: its quotes are found' $?
while read -r quote; do
	words=$(echo "$quote" |
		sed 's/ *\.\.\./.*/g; s/\<N\>/[0-9][0-9]*/g; s/\<X\>/[^ ]*/g')
	grep -q -e "$words" "$all_said"
	verdict "docs/kvm-messages.md quotes: $quote" $?
done <"$build/quotes"
rm "$build/quotes" "$all_said"

# /dev/kvm is there and cannot be opened. Root opens everything, unless it lacks a capability.
[ "$(id -u)" -ne 0 ] || as='setpriv --inh-caps=-dac_override --bounding-set=-dac_override'
if $as true 2>/dev/null; then
	put_host
	chmod a-w "$host/dev/kvm"
	on_host | grep -q '^run-qemu: accel=tcg (/dev/kvm cannot be opened: the group kvm may)'
	verdict 'a host whose /dev/kvm cannot be opened' $?
else
	skipped=$((skipped + 1))
	echo 'skip a host whose /dev/kvm cannot be opened: no setpriv here'
fi
as=

[ "$(. tools/kvm-host.sh && echo 'none,2-3,(null),10' | host_list | paste -sd, -)" = 2,3,10 ]
verdict 'a list of CPUs, with other words' $?

# Two CPUs of a guest, each on one of this machine, by the emulator in the place of KVM. The false
# taskset writes down where a thread is once it was moved.
mine=$(sed -n 's/^Cpus_allowed_list:[[:blank:]]*//p' /proc/self/status)
mine=$(. tools/kvm-host.sh && echo "$mine" | host_list | head -n 2 | paste -sd, -)
if [ "${mine%,*}" != "$mine" ]; then
	put_host
	rm "$host/bin/sleep"
	cat >"$host/bin/taskset" <<'END'
#!/bin/sh
[ "$1" = -pc ] || exec "$TASKSET" "$@"
"$TASKSET" "$@" || exit
echo "$(cat /proc/$3/comm) $(sed -n 's/^Cpus_allowed_list:.//p' /proc/$3/status)" >>"$HOST/moved"
END
	cat >"${host:?}/bin/qemu-system-x86_64" <<'END'
#!/bin/sh
for word; do
	shift
	case $word in kvm) word=tcg ;; host,*) word=max ;; esac
	set -- "$@" "$word"
done
exec "$QEMU" "$@"
END
	chmod +x "$host/bin/taskset" "$host/bin/qemu-system-x86_64"
	put $cpus/online 0-4095
	HOST=$host TASKSET=$(command -v taskset) QEMU=$(command -v qemu-system-x86_64) \
		PATH=$host/bin:$PATH ./run-qemu.sh --build "$build" --direct --smp 2 --pin "$mine" \
		--no-huge --log "$host/log" --quiet -- bench=alu.add_latency >/dev/null 2>&1
	verdict 'two CPUs on two of the host: the run' $?
	[ "$(grep '^CPU ' "$host/moved" | sort -u)" = "CPU 0/TCG ${mine%,*}
CPU 1/TCG ${mine#*,}" ]
	verdict 'two CPUs on two of the host: each on its own' $? ||
		sed 's/^/    moved: /' "$host/moved" "$host/log"
	grep -q '^run-qemu: host: Linux 6.8.0-test' "$host/log"
	verdict 'two CPUs on two of the host: the log says what the host is' $?
else
	skipped=$((skipped + 3))
	echo 'skip two CPUs on two of the host: this machine has one'
fi

# Each error of QEMU's, and one line of advice.
explains() {
	echo "qemu-system-x86_64: $1" >"$host/errors"
	advice=$(. tools/kvm-host.sh && kvm_explain "$host/errors")
	case $advice in
	*'
'*) false ;;
	*) printf '%s\n' "$advice" | grep -q -e "$2" ;;
	esac
	verdict "explained: $1" $?
}
put_host
rows=0
while IFS='|' read -r words advice; do
	explains "$words" "$advice"
	rows=$((rows + 1))
done <<'END'
Could not access KVM kernel module: Permission denied|the group kvm
Could not access KVM kernel module: No such file or directory|modprobe
Could not access KVM kernel module: No such device|SVM
-accel kvm: failed to initialize kvm: Device or resource busy|VirtualBox
kvm_init_vcpu: kvm_create_vcpu failed (0): Device or resource busy|watchdog
unable to map backing store for guest RAM: Cannot allocate memory|huge pages
cannot set up guest memory 'pc.ram': Cannot allocate memory|--mem 64
can't apply global host-x86_64-cpu.x=on: Property 'host-x86_64-cpu.x' not found|too old
qemu_prealloc_mem: preallocating memory failed|too little free memory: --mem 64, --no-huge
preallocating memory failed: Cannot allocate memory|too little free memory: --mem 64, --no-huge
unable to find CPU model 'Nonsense'|lacks the model of --cpu
-accel kvm: invalid accelerator kvm|built without KVM
unsupported machine type|lacks the machine that --qemu names
CPU model 'host' requires KVM or HVF|--accel kvm
-drive file=a: Failed to get "write" lock|another QEMU
write failed: No space left on device|the disk of --work
END
# Two versions of QEMU have other words for one of them.
[ $((rows - 1)) -eq "$(sed -n '/^kvm_explain/,$p' tools/kvm-host.sh | grep -c '[A-Za-z]|')" ]
verdict 'explained: each line of kvm_explain' $?
explains 'terminating on signal 15' '^$'
# QEMU's own words, where it fails here too.
./run-qemu.sh --build "$build" --direct --accel tcg --cpu Nonsense --quiet 2>&1 |
	grep -q '^run-qemu: this QEMU lacks the model'
verdict 'explained: a model that is not there' $?
if [ ! -e /dev/kvm ]; then
	./run-qemu.sh --build "$build" --direct --accel kvm --quiet --timeout 20 2>&1 |
		grep -q '^run-qemu: KVM is not loaded: modprobe'
	verdict 'explained: KVM that is not there' $?
fi
rm -rf "$host"

./run-qemu.sh --help 2>/dev/null | grep -q '^usage: run-qemu.sh .*KERNEL-ARGUMENTS'
verdict 'help: a synopsis on stdout' $?
./run-qemu.sh --help >/dev/null
verdict 'help: exit code 0' $?
[ "$(./run-qemu.sh --wrong 2>&1 >/dev/null | head -n 1)" = "run-qemu: unknown option '--wrong'" ]
verdict 'an unknown option: named on stderr' $?
kernel=$(realpath "$build")
script=$PWD/run-qemu.sh
(cd / && "$script" --build "$kernel" --direct --accel tcg --dry-run >/dev/null 2>&1)
verdict 'from another folder, --build' $?
[ ! -r build/32/cpl0.elf ] ||
	(cd / && "$script" --direct --accel tcg --dry-run --bits 32 >/dev/null 2>&1)
verdict 'from another folder, the default' $?

# A stick and a floppy whose log leaves no other way, and a card.
work=$build/tests/run-qemu
rm -rf "$work"
for media in xhci floppy; do
	./run-qemu.sh --build "$build" --accel tcg --media $media --console none --quiet \
		--work "$work/$media" --log "$work/$media.log" -- console=none list bench=alu.* \
		>/dev/null 2>&1 && "$build/cpl0-log" check "$work/$media.log" >/dev/null
	verdict "no serial port: the log of $media" $?
done
./run-qemu.sh --build "$build" --accel tcg --media cd --console none --quiet -- list console=none \
	bench=alu.* >/dev/null 2>&1
[ $? -eq 2 ]
verdict 'no serial port and no CPL0.LOG: no done' $?
for media in ehci sata nvme virtio; do
	./run-qemu.sh --build "$build" --accel tcg --media $media --work "$work/bus" --dry-run \
		2>/dev/null | grep -q 'drive=stick.*,file=.*stick.img'
	verdict "the stick on $media" $?
done
# Names of modules that QEMU's options and GRUB's menu take for something else.
mkdir -p "$work/a b"
printf '#include "bench/snippet.inc"\nSNIPPET my.nop, "a NOP"\nBODY\n\tnop\nEND\n' \
	>"$work/odd.S"
make -s snippet B="$build" FILE="$work/odd.S" >/dev/null
for name in 'm,1' 'a b/m 2' '*'; do
	cp "$build/snippets/odd.64.elf" "$work/$name"
	for how in --direct --mb1; do
		./run-qemu.sh --build "$build" --accel tcg --bits 64 $how \
			--module "$work/$name" -- bench=my.nop 2>/dev/null |
			grep -qa '^module .*snippets=1 '
		verdict "a module named '$name', $how" $?
	done
done
cp "$work/m,1" "$work/two
lines"
./run-qemu.sh --build "$build" --direct --accel tcg --dry-run --module "$work/two
lines" 2>&1 | grep -q '^run-qemu: the name of a module is one line, not '
verdict 'a module whose name has two lines: refused' $?
./run-qemu.sh --build "$build" --direct --accel tcg --dry-run --work "$work/a b" \
	--module "$work/a b/m 2" 2>&1 | grep -q 'no module in a folder with a blank: .*/a b$'
verdict 'a module with a blank, --work with a blank: refused' $?
./run-qemu.sh --build "$build" --accel tcg --media xhci --work "$work/w,k" --quiet \
	--log "$work/l,g" -- list bench=alu.* >/dev/null 2>&1
verdict 'commas in --work and --log' $?
# A slow guest goes on as long as its log grows, and a silent one is ended. A false QEMU writes.
mkdir -p "${work:?}/bin"
cat >"${work:?}/bin/qemu-system-x86_64" <<'EOF'
#!/bin/sh
case $* in *note=lines*) n=5 ;; *note=silent*) n=0 ;; *) exec "$QEMU" "$@" ;; esac
while [ $((n -= 1)) -ge 0 ]; do sleep 1; echo "a line" >>"$GROWS"; done
case $* in *note=lines*) echo "done status=ok records=1 #1:00000000" >>"$GROWS" ;; esac
exec sleep 60
EOF
chmod +x "$work/bin/qemu-system-x86_64"
for words in lines silent; do
	QEMU=$(command -v qemu-system-x86_64) GROWS=$work/grows PATH=$work/bin:$PATH \
		./run-qemu.sh --build "$build" --direct --accel tcg --timeout 3 --quiet \
		--log "$work/grows" -- "note=$words" >/dev/null 2>"$work/said"
	code=$?
	case $words in
	lines) [ $code -eq 0 ] ;;
	silent) [ $code -eq 2 ] && grep -q 'the log has not grown for 3 s' "$work/said" ;;
	esac
	verdict "a guest that writes $words, --timeout 3" $?
done
rm -rf "$work"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
