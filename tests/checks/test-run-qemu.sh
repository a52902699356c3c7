#!/bin/sh
# What run-qemu.sh says of a run before it begins: tests/checks/test-run-qemu.sh BUILD
# Prints a line a test and `N passed, N failed, N skipped`.
command -v qemu-system-x86_64 >/dev/null || { echo "skipped: no qemu-system-x86_64 here"; exit 0; }
build=$1 passed=0 failed=0
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
	fi
}

says 1 '-icount shift=0' --icount
says 0 '-accel tcg' --bits 32
says 0 'exit=debug' --bits 32
says 0 '-append *$' --bits 32 --stay

# A host that has everything, in files. Each word is a file that differs, "FILE TEXT", or one that
# is not there, "-FILE".
host() {
	rm -rf "$build/host"
	mkdir -p "$build/host/sys/bus/event_source/devices/cpu"
	for file in 'dev/kvm' 'proc/cpuinfo flags : fpu vmx avx' \
		'proc/sys/kernel/nmi_watchdog 0' \
		"$cpu2/cpufreq/scaling_governor performance" \
		"$cpu2/topology/thread_siblings_list 2,6" \
		"$@"; do
		path=$build/host/${file%% *}
		case $file in
		-*) rm -rf "$build/host/${file#-}" ;;
		*)
			mkdir -p "${path%/*}"
			echo "${file#* }" >"$path"
			;;
		esac
	done
}

# What run-qemu.sh says on the host of host(), with the command line of QEMU as its last line.
on_host() {
	HOST=$build/host ./run-qemu.sh --build "$build" --direct --dry-run --bits 32 "$@" 2>&1
}

# $1 options, $2 what must be said, rest: how the host differs
host_says() {
	options=$1 words=$2
	shift 2
	host "$@"
	# shellcheck disable=SC2086 # $options is words
	on_host $options | grep -q -e "$words"
	verdict "a host with: $*: $words" $?
}

# $1 what must not be said, rest: how the host differs
host_keeps_quiet() {
	words=$1
	shift
	host "$@"
	! on_host --pin 2 | grep -q -e "$words"
	verdict "a host with: $*: not $words" $?
}

cpu2=sys/devices/system/cpu/cpu2 module=sys/module
huge=sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages
host_says '' 'accel=kvm vpmu=perf: with the counters'
host_says '' ' -append .note="accel=kvm vpmu=perf: with the counters of this CPU, [^"]*" exit=debug'
host_says '-- note=mine' ' -append .note=mine exit=debug'
host_says '--pin 2' ' -append .note="[^"]*governor powersave[^"]*" exit=debug' \
	"$cpu2/cpufreq/scaling_governor powersave"
host_says '' '^qemu.* -accel kvm -cpu host,migratable=off,pmu=on,host-cache-info=on'
host_says '' 'accel=kvm vpmu=perf' "$module/kvm/parameters/enable_pmu Y"
host_says '' 'accel=kvm vpmu=none (KVM has' "$module/kvm/parameters/enable_pmu N"
host_says '' 'accel=kvm vpmu=none (a hybrid host' 'sys/devices/cpu_core/cpus 0-15'
host_says '' '^taskset -c 4 qemu' 'sys/devices/cpu_core/cpus 4-15'
host_says '' 'accel=kvm vpmu=none (the host' '-sys/bus/event_source/devices/cpu'
host_says '' 'accel=kvm vpmu=mediated' "$module/kvm_intel/parameters/enable_mediated_pmu Y"
host_says '' 'would not start: .*nmi_watchdog=0' 'proc/sys/kernel/nmi_watchdog 1' \
	"$module/kvm_amd/parameters/enable_mediated_pmu Y"
host_says '' 'NMI watchdog holds a counter' 'proc/sys/kernel/nmi_watchdog 1'
host_says '' 'ignore_msrs is on' "$module/kvm/parameters/ignore_msrs Y"
host_says '' 'accel=tcg (there is no /dev/kvm)' '-dev/kvm'
host_says '' 'accel=tcg (the CPU has no' 'proc/cpuinfo flags : fpu avx'
host_says '--cpu max' 'accel=tcg (--cpu max is another'
host_says '--icount' 'accel=tcg (--icount'
host_says '' 'on no CPU of its own: --pin'
host_says '--pin 2' '^taskset -c 2 qemu'
host_says '--pin 2' 'governor powersave' "$cpu2/cpufreq/scaling_governor powersave"
host_says '' 'turbo is on' 'sys/devices/system/cpu/intel_pstate/no_turbo 0'
host_says '' 'turbo is on' 'sys/devices/system/cpu/cpufreq/boost 1'
host_says '' ' -mem-prealloc '
host_says '' ' hugetlb=on,\|,hugetlb=on,' "$huge 128"
host_says '--no-huge' ' -mem-prealloc ' "$huge 128"
host_says '--mem 512' ' -mem-prealloc ' "$huge 128"
host_says '' ' -overcommit cpu-pm=on '
host_says '--smp 4' '^qemu.* -smp 4 .*-overcommit' 'sys/devices/cpu_core/cpus 4-15'
host_says '--smp 4 --pin 2' "4 CPUs share the host's 2:"
host_says '--mem 257' ' -mem-prealloc ' "$huge 128"
host_says '--accel kvm' 'as you say, although there is no /dev/kvm' '-dev/kvm'
host_says '--pin x' "--pin needs CPUs, as 2 or 2,3, not 'x'"
host_keeps_quiet 'watchdog\|ignore_msrs\|governor\|turbo\|busy\|no CPU of its own'
host_keeps_quiet ' -overcommit\|-mem-prealloc\|taskset' '-dev/kvm'

# The other thread of the core works while run-qemu.sh looks, however slow this machine is: the
# command that lets the second pass is one of the test's own.
host 'proc/stat cpu6 100 0 0 900 0 0 0 0'
mkdir -p "$build/host/bin"
printf '#!/bin/sh\necho cpu6 150 0 0 950 0 0 0 0 >"$HOST/proc/stat"\n' >"$build/host/bin/sleep"
chmod +x "$build/host/bin/sleep"
(
	PATH=$build/host/bin:$PATH
	on_host --pin 2 | grep -q 'CPU 6, the other thread of that core, is 50 % busy'
)
verdict 'a host whose other thread is busy' $?
rm -r "$build/host/bin"

# Each error of QEMU's, and advice.
explains() {
	echo "qemu-system-x86_64: $1" >"$build/host/errors"
	(. tools/kvm-host.sh && kvm_explain "$build/host/errors") | grep -q -e "$2"
	verdict "explained: $1" $?
}
explains 'Could not access KVM kernel module: Permission denied' 'the group kvm'
explains 'Could not access KVM kernel module: No such file or directory' 'modprobe'
explains 'failed to initialize kvm: Device or resource busy' 'VirtualBox'
explains 'kvm_init_vcpu: kvm_create_vcpu failed (0): Device or resource busy' 'watchdog'
explains 'unable to map backing store for guest RAM: Cannot allocate memory' 'huge pages'
explains "Property 'host-x86_64-cpu.nonsense' not found" 'too old'
explains 'CPU model '"'host'"' requires KVM or HVF' '--accel kvm'
explains 'Failed to get "write" lock' 'another QEMU'
rm -rf "$build/host"

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
mkdir -p "$work/bin"
cat >"$work/bin/qemu-system-x86_64" <<'EOF'
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
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
