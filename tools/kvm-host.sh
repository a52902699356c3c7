# What this Linux host is for a guest under KVM. Sourced by run-qemu.sh and tools/kvm-check.sh.
#
# All of it is read from files that need no root; only host_look waits, for a second. HOST is put
# before their names, so that a test can show another host. Names and meanings:
# Documentation/admin-guide/kernel-parameters.txt and Documentation/ABI of Linux;
# enable_mediated_pmu: arch/x86/kvm. No host has confirmed them here.
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

# Prints why a guest gets no counters; nothing if it gets them. On a hybrid host Linux 6.2 and later
# switch enable_pmu off. Older ones lend the counters of a P core, and before 5.17 there is no such
# file.
kvm_lacks_counters() {
	if [ -n "$(host_file /sys/module/kvm/parameters/enable_pmu)" ] &&
		! host_switch kvm enable_pmu; then
		if host_is_hybrid; then
			echo "a hybrid host: KVM has no counters for guests there"
		else
			echo "KVM has the virtual PMU switched off (kvm.enable_pmu)"
		fi
	elif ! host_is_hybrid && [ ! -d "$HOST/sys/bus/event_source/devices/cpu" ]; then
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

# "0-3,8" as a line a CPU; other words, as "none", are none.
host_list() {
	tr ',' '\n' | awk -F- '/^[0-9]+(-[0-9]+)?$/ { for (i = $1; i <= $NF; i++) print i }'
}

# The CPUs that this process may use, a line each.
host_allowed() {
	host_file /proc/self/status | sed -n 's/^Cpus_allowed_list:[[:blank:]]*//p' | host_list
}

# Those of them that are online: a list of what is allowed has CPUs that the host may get one day.
host_usable() {
	online=$(host_file /sys/devices/system/cpu/online | host_list)
	if [ -n "$online" ]; then
		host_allowed | grep -xF "$online"
	else
		host_allowed
	fi
}

# Prints why CPU $1 cannot be used; nothing if it can.
kvm_lacks_cpu() {
	online=$(host_file /sys/devices/system/cpu/online | host_list)
	if [ -n "$online" ] && ! echo "$online" | grep -qx "$1"; then
		echo "the host has no CPU $1, or it is offline"
	elif [ -n "$(host_allowed)" ] && ! {
		host_allowed
		host_file /sys/devices/system/cpu/isolated | host_list # open to all that ask for it
	} | grep -qx "$1"; then
		echo "taskset or a cpuset forbids CPU $1"
	fi
}

# How many huge pages of 2 MB the host has: $1 free_hugepages or nr_hugepages.
host_huge() {
	host_file "/sys/kernel/mm/hugepages/hugepages-2048kB/$1" | grep . || echo 0
}

# A line for each CPU: its number, and for how many of 100 ticks it is busy. Looks for a second.
host_look() {
	before=$(host_file /proc/stat)
	[ -n "$before" ] || return 0
	sleep 1
	{
		printf '%s\n' "$before"
		host_file /proc/stat
	} | awk '/^cpu[0-9]/ {
		all = 0
		for (i = 2; i <= 9; i++) all += $i
		busy = all - $5 - $6
		if (!($1 in was))
			was[$1] = all
		else
			printf "%d %d\n", substr($1, 4),
				100 * (busy - did[$1]) / (all - was[$1] + (all == was[$1]))
		did[$1] = busy
	}'
}

# The CPUs for a guest with $1 CPUs, as "7,6", from what host_look has seen, $2. CPUs with a core of
# their own come first, among these the idle ones, then the last. Of a hybrid host only P cores
# count. Fewer than $1 CPUs come out if there are no more, and none if the host does not tell its
# cores.
kvm_pin() {
	{
		printf '%s\n' "$2" | sed 's/^/busy /'
		host_file /sys/devices/system/cpu/online | host_list | sed 's/^/online /'
		host_allowed | sed 's/^/allowed /'
		host_file /sys/devices/cpu_core/cpus | host_list | sed 's/^/fast /'
		cat "$HOST"/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list \
			2>/dev/null | sort -u | sed 's/^/core /'
	} | awk '
		$1 == "busy" { busy[$2] = $3 }
		$1 == "online" { online[$2] }
		$1 == "allowed" { allowed[$2]; some_allowed = 1 }
		$1 == "fast" { fast[$2]; some_fast = 1 }
		$1 == "core" {
			most = 0
			for (n = split($2, part, ","); n > 0; n--) {
				split(part[n], ends, "-")
				last = ends[2] == "" ? ends[1] : ends[2]
				for (cpu = ends[1] + 0; cpu <= last; cpu++) {
					core[cpu] = $2
					if (busy[cpu] > most) most = busy[cpu]
				}
			}
			work[$2] = most < 5 ? 0 : most
		}
		END {
			for (cpu in core)
				if ((cpu in online) && (!some_allowed || (cpu in allowed)) &&
					(!some_fast || (cpu in fast)))
					usable[cpu]
			for (cpu in usable) {
				at = core[cpu]
				if (!(at in first) || cpu + 0 < first[at]) first[at] = cpu + 0
			}
			for (cpu in usable)
				print cpu != first[core[cpu]], work[core[cpu]], cpu
		}' | sort -k1,1n -k2,2n -k3,3nr | head -n "$1" | cut -d' ' -f3 | paste -sd, -
}

# The threads of the core of CPU $1 without itself, one a line.
host_siblings() {
	host_file "/sys/devices/system/cpu/cpu$1/topology/thread_siblings_list" | host_list |
		grep -vx "$1"
}

# For how many of 100 ticks CPU $1 was busy in $2, which is from host_look.
host_busy() {
	printf '%s\n' "$2" | sed -n "s/^$1 //p" | grep . || echo 0
}

# The mitigations that empty caches or predictors on the way into a guest or out of it.
host_flushes() {
	grep -lE '^Mitigation:.*(cache flushes|Clear CPU buffers|Clear Register File|IBPB)' \
		"$HOST"/sys/devices/system/cpu/vulnerabilities/* 2>/dev/null |
		sed 's,.*/,,' | grep -v spectre_v2 | paste -sd' ' -
}

# How often the host's timer interrupts a second, from the configuration of its kernel.
host_hz() {
	{
		host_file "/boot/config-$(host_file /proc/sys/kernel/osrelease)" ||
			zcat "$HOST/proc/config.gz"
	} 2>/dev/null | sed -n 's/^CONFIG_HZ=//p'
}

# What the host is, in one line.
host_is() {
	hz=$(host_hz) tickless=$(host_file /sys/devices/system/cpu/nohz_full | grep -v null)
	isolated=$(host_file /sys/devices/system/cpu/isolated) flushes=$(host_flushes)
	echo "host: Linux $(host_file /proc/sys/kernel/osrelease), HZ=${hz:-unknown}," \
		"nohz_full=${tickless:-none}, isolated=${isolated:-none}, flushes=${flushes:-none}"
}

# A line for each thing of the host that changes figures, the gravest first. $1 the CPUs of the
# guest, as "7,6", or nothing; $2 what host_look has seen.
kvm_notes() {
	vpmu=$(kvm_vpmu) guest=$(echo "$1" | host_list) core='threads of one core'
	! host_file /proc/cpuinfo | grep -qE '^flags.* hypervisor( |$)' ||
		echo "this host is a guest itself: exits cost several times as much"
	if host_is_hybrid && [ "$vpmu" != none ]; then
		fast=$(host_file /sys/devices/cpu_core/cpus)
		echo "a hybrid host that lends counters (Linux before 6.2):" \
			"they are right on P cores alone, CPUs $fast"
		for cpu in $guest; do
			echo "$fast" | host_list | grep -qx "$cpu" ||
				echo "CPU $cpu, which the guest gets, is no P core"
		done
	fi
	if [ "$vpmu" = perf ] && kvm_watchdog; then
		echo "this host's NMI watchdog holds a counter, and the guest may miss it" \
			"(verdict=starved): sysctl kernel.nmi_watchdog=0 sets it free"
	fi
	! host_switch kvm ignore_msrs ||
		echo "kvm.ignore_msrs is on: registers that are not there read 0 in the guest"
	if [ -z "$1" ]; then
		echo "the guest is on no CPU of its own: --pin CPU keeps it on one"
	fi
	for cpu in $guest; do
		busy=$(host_busy "$cpu" "$2")
		[ "$busy" -lt 5 ] || echo "CPU $cpu, which the guest gets, is $busy % busy"
		for other in $(host_siblings "$cpu"); do
			busy=$(host_busy "$other" "$2")
			if echo "$1" | host_list | grep -qx "$other"; then
				[ "$other" -lt "$cpu" ] ||
					echo "the guest's CPUs $cpu and $other are $core"
			elif [ "$busy" -ge 5 ]; then
				echo "CPU $other, the other thread of that core, is $busy % busy"
			fi
		done
	done
	on=${1%%,*}
	: "${on:=0}"
	governor=$(host_file "/sys/devices/system/cpu/cpu$on/cpufreq/scaling_governor")
	case $governor in
	'' | performance) ;;
	*) echo "CPU $on has the governor $governor: its clock may change during the run" ;;
	esac
	if [ "$(host_file /sys/devices/system/cpu/intel_pstate/no_turbo)" = 0 ] ||
		[ "$(host_file /sys/devices/system/cpu/cpufreq/boost)" = 1 ]; then
		echo "turbo is on: the core clock is not that of the TSC"
	fi
}

# What to do about an error of QEMU, from its words in the file $1: the first line that fits. Words
# of QEMU 7 to 10; those of KVM were met on no host here.
kvm_explain() {
	while IFS='|' read -r words advice; do
		if grep -qE -- "$words" "$1"; then
			echo "$advice"
			break
		fi
	done <<-END
		KVM kernel module: Permission denied|you may not open /dev/kvm: join the group kvm
		KVM kernel module: No such device|switch VT-x or SVM on in the firmware's setup
		KVM kernel module: No such file|KVM is not loaded: modprobe kvm_intel or kvm_amd
		initialize kvm: Device or resource busy|end VirtualBox or VMware
		kvm_init_vcpu.*busy|the host counts system-wide: end perf and the NMI watchdog
		map backing store|too few free huge pages: nr_hugepages, or --no-huge
		preallocating memory failed|too little free memory: --mem 64, --no-huge
		Cannot allocate memory|the host has too little free memory: --mem 64
		Property '.*' not found|this QEMU is too old for a word of -cpu: take --cpu host
		unable to find CPU model|this QEMU lacks the model of --cpu (-cpu help)
		invalid accelerator|this QEMU was built without KVM: take the distribution's
		unsupported machine type|this QEMU lacks the machine that --qemu names
		.host. requires KVM|--cpu host goes with --accel kvm alone
		Failed to get .write. lock|another QEMU has this image open
		No space left on device|the disk of --work, or of /tmp, is full
	END
}
