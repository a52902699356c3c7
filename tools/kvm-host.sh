# What this Linux host is for a guest under KVM. Sourced by run-qemu.sh and tools/kvm-check.sh.
#
# All of it is read from files that need no root. HOST is put before their names, so that a test can
# show another host. Names and meanings: Documentation/admin-guide/kernel-parameters.txt and
# Documentation/ABI of Linux; enable_mediated_pmu: arch/x86/kvm. No host has confirmed them here.
HOST=${HOST-}

host_file() {
	cat "$HOST$1" 2>/dev/null
}

# Is a switch of a module on? $1 module, $2 parameter.
host_switch() {
	case $(host_file "/sys/module/$1/parameters/$2") in Y | 1) return 0 ;; esac
	return 1
}

host_is_hybrid() {
	[ -n "$(host_file /sys/devices/cpu_core/cpus)" ]
}

# Prints why there is no KVM; nothing if there is.
kvm_lacks() {
	if [ ! -w "$HOST/dev/kvm" ]; then
		if [ -e "$HOST/dev/kvm" ]; then
			echo "/dev/kvm cannot be opened: the group kvm may"
		else
			echo "there is no /dev/kvm"
		fi
	elif ! host_file /proc/cpuinfo | grep -qE '^flags.* (vmx|svm)( |$)'; then
		echo "the CPU has no hardware virtualization"
	fi
}

# Prints why a guest gets no counters; nothing if it gets them.
kvm_lacks_counters() {
	if host_is_hybrid; then
		echo "a hybrid host: KVM has no counters for guests there"
	elif [ -n "$(host_file /sys/module/kvm/parameters/enable_pmu)" ] &&
		! host_switch kvm enable_pmu; then
		echo "KVM has the virtual PMU switched off (kvm.enable_pmu)"
	elif [ ! -d "$HOST/sys/bus/event_source/devices/cpu" ]; then
		echo "the host has no performance counters itself"
	fi
}

# none, perf or mediated: who programs the counters of a guest.
kvm_vpmu() {
	if [ -n "$(kvm_lacks_counters)" ]; then
		echo none
	elif host_switch kvm_intel enable_mediated_pmu ||
		host_switch kvm_amd enable_mediated_pmu; then
		echo mediated
	else
		echo perf
	fi
}

kvm_watchdog() {
	[ "$(host_file /proc/sys/kernel/nmi_watchdog)" = 1 ]
}

# Prints why QEMU would not start; nothing if it would.
kvm_would_fail() {
	if [ "$(kvm_vpmu)" = mediated ] && kvm_watchdog; then
		echo "the NMI watchdog holds a counter that the mediated virtual PMU wants:" \
			"sysctl kernel.nmi_watchdog=0"
	fi
}

# The CPU on which a guest runs without --pin: a fast core of a hybrid host, or none.
kvm_pin() {
	host_file /sys/devices/cpu_core/cpus | sed 's/[-,].*//'
}

# The threads of the core of CPU $1 without itself, one a line.
host_siblings() {
	host_file "/sys/devices/system/cpu/cpu$1/topology/thread_siblings_list" | tr ',' '\n' |
		awk -F- -v own="$1" '{ for (i = $1; i <= $NF; i++) if (i != own) print i }'
}

# Ticks that CPU $1 was busy, and all of them.
host_ticks() {
	host_file /proc/stat | awk -v cpu="cpu$1" '$1 == cpu {
		for (i = 2; i <= 9; i++) all += $i
		print all - $5 - $6, all
	}'
}

# For how many of 100 ticks is CPU $1 busy? Looks for a second.
host_busy() {
	before=$(host_ticks "$1")
	sleep 1
	echo "$before $(host_ticks "$1")" | awk 'NF == 4 && $4 > $2 {
		printf "%d\n", 100 * ($3 - $1) / ($4 - $2)
	}'
}

# A line for each thing of the host that changes figures. $1 the CPU of the guest, or nothing.
kvm_notes() {
	vpmu=$(kvm_vpmu)
	if [ "$vpmu" = perf ] && kvm_watchdog; then
		echo "this host's NMI watchdog holds a counter, and the guest may miss it" \
			"(verdict=starved): sysctl kernel.nmi_watchdog=0 sets it free"
	fi
	! host_switch kvm ignore_msrs ||
		echo "kvm.ignore_msrs is on: registers that are not there read 0 in the guest"
	on=${1:-0}
	governor=$(host_file "/sys/devices/system/cpu/cpu$on/cpufreq/scaling_governor")
	case $governor in
	'' | performance) ;;
	*) echo "CPU $on has the governor $governor: its clock may change during the run" ;;
	esac
	if [ "$(host_file /sys/devices/system/cpu/intel_pstate/no_turbo)" = 0 ] ||
		[ "$(host_file /sys/devices/system/cpu/cpufreq/boost)" = 1 ]; then
		echo "turbo is on: the core clock is not that of the TSC"
	fi
	[ -n "$1" ] || {
		echo "the guest is on no CPU of its own: --pin CPU keeps it on one"
		return
	}
	for other in $(host_siblings "$1"); do
		busy=$(host_busy "$other")
		if [ "${busy:-0}" -ge 5 ]; then
			echo "CPU $other, the other thread of that core, is $busy % busy"
		fi
	done
}

# What to do about an error of QEMU, from its words in the file $1. Words of QEMU 7 to 10; none of
# them was met on a host here.
kvm_explain() {
	while IFS='|' read -r words advice; do
		! grep -qE -- "$words" "$1" || echo "$advice"
	done <<-END
		KVM kernel module: Permission denied|you may not open /dev/kvm: join the group kvm
		KVM kernel module: No such file|KVM is not loaded: modprobe kvm_intel or kvm_amd
		initialize kvm: Device or resource busy|end VirtualBox or VMware
		kvm_init_vcpu.*busy|the host counts system-wide: end perf and the NMI watchdog
		map backing store|too few free huge pages: nr_hugepages, or --no-huge
		Cannot allocate memory|the host has too little free memory: --mem 64
		Property '.*' not found|this QEMU is too old for a word of -cpu: take --cpu host
		unsupported machine type|this QEMU lacks the machine that --qemu names
		.host. requires KVM|--cpu host goes with --accel kvm alone
		Failed to get .write. lock|another QEMU has this image open
		No space left on device|the disk of --work, or of /tmp, is full
	END
}
