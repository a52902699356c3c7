#!/bin/sh
# Runs rows of tests/machines/rows/: boots each machine, checks its log with cpl0-log, its exit
# status, and what the row expects in the log. Prints a line for each run as it ends, and at the end
# `N passed, N failed, N skipped`.
#
#	tests/machines/run.sh [GLOB...]		runs whose names match; all without a GLOB
#	tests/machines/run.sh --more [GLOB...]	the same of tests/machines/more/
#	tests/machines/run.sh --all [GLOB...]	the same of both
#	tests/machines/run.sh [--more | --all] --list [GLOB...]	only says which runs these are
#	B=DIR JOBS=N tests/machines/run.sh	another build directory, N runs at a time
#
# Logs stay in $B/machines, and $B/tests/expect, which `make` builds, judges them. Exit statuses are
# those of run-qemu.sh: 0 done status=ok, 1 done status=fail, 2 no done.
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
folders=rows
case ${1-} in
--more) folders='more' ;;
--all) folders='rows more' ;;
esac
[ "$folders" = rows ] || shift
JOBS=${JOBS:-$(nproc 2>/dev/null || echo 1)}
DIR=$B/machines

mkdir -p "$DIR" || exit 1

# The first of the commands and files that is not there.
missing()
{
	for thing; do
		case $thing in
		*/*) [ -e "$thing" ] || { echo "$thing"; return; } ;;
		*) command -v "$thing" >/dev/null || { echo "$thing"; return; } ;;
		esac
	done
}

needs()
{
	missing "$B/cpl0-log" "$B/tests/expect"
	case $runner in
	qemu) missing qemu-system-x86_64 ;;
	bochs) missing bochs xorriso /usr/share/bochs/BIOS-bochs-latest \
		/usr/share/vgabios/vgabios-stdvga.bin ;;
	sim) missing "$B/cpl0-sim" ;;
	native) missing "$B/cpl0-native" ;;
	esac
	case $firmware in
	uefi) missing /usr/share/OVMF/OVMF_CODE_4M.fd ;;
	uefi32) missing /usr/share/OVMF/OVMF32_CODE_4M.secboot.fd ;;
	esac
	case $how in
	*floppy*) missing "$B/cpl0.img" ;;
	*direct*) missing "$B/32/cpl0.elf" "$B/64/cpl0.elf" ;;
	*linux*) missing "$B/grub/cpl0.0" xorriso /usr/lib/PXELINUX/pxelinux.0 \
		/usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/mboot.c32 ;;
	*net* | *ipxe*) missing "$B/grub/cpl0.0" ;;
	*) [ "$runner" != qemu ] || missing "$B/cpl0.iso" xorriso ;;
	esac
}

# The words of column `how` as options of run-qemu.sh.
options()
{
	for word in $how; do
		case $word in
		auto) ;;
		direct | mb1 | icount | debugcon) echo "--$word" ;;
		mb2) ;;
		usb | disk | floppy | net | ipxe | pxelinux | isolinux) echo "--media $word" ;;
		vga=*) echo "--vga ${word#vga=}" ;;
		console=*) echo "--console ${word#console=}" ;;
		esac
	done
	case $how in
	*auto* | *floppy*) ;;
	*) echo "--bits $bits" ;;
	esac
}

run_bochs()
{
	entry=bits$bits
	[ "$how" != mb1 ] || entry=$entry-mb1
	boot/media/mkiso.sh -b "$B" -d "$entry" -t 0 -a "exit=debug $arguments" "$DIR/$name.iso" \
		>"$out" 2>&1 || return 3
	cat >"$DIR/$name.rc" <<-END
		plugin_ctrl: unmapped=1, biosdev=1, speaker=0, e1000=0, parallel=0, serial=1
		config_interface: textconfig
		display_library: rfb, options="timeout=0"
		megs: $mem
		cpu: model=$cpu, count=$smp, ips=50000000, reset_on_triple_fault=0
		cpu: ignore_bad_msrs=0
		romimage: file=/usr/share/bochs/BIOS-bochs-latest
		vgaromimage: file=/usr/share/vgabios/vgabios-stdvga.bin
		ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
		ata0-master: type=cdrom, path=$DIR/$name.iso, status=inserted
		boot: cdrom
		com1: enabled=1, mode=file, dev=$log
		log: $DIR/$name.bochs
		panic: action=fatal
		error: action=report
		clock: sync=none, time0=946681200
	END
	echo c >"$DIR/$name.debug"
	timeout "$seconds" bochs -q -f "$DIR/$name.rc" -rc "$DIR/$name.debug" </dev/null \
		>"$out" 2>&1
	rm -f "$DIR/$name.iso"
	status_of_log
}

# Where the machine itself tells nothing, its last record does.
status_of_log()
{
	case $(tr -d '\r' <"$log" | grep '^done ' | tail -n 1) in
	*' status=ok '*) return 0 ;;
	*' status=fail '*) return 1 ;;
	esac
	return 2
}

# For sim the words of `how` are faults.
faults()
{
	for word in $how; do
		[ "$word" = - ] || echo "--fault $word"
	done
}

# shellcheck disable=SC2046,SC2086 # words are meant
run()
{
	[ "$more" != - ] || more=
	case $runner in
	qemu)
		./run-qemu.sh $(options) --qemu "$more" --accel tcg --cpu "$cpu" --mem "$mem" \
			--smp "$smp" --firmware "$firmware" --build "$B" --log "$log" \
			--timeout "$seconds" --quiet -- $arguments >"$out" 2>&1
		;;
	bochs) run_bochs ;;
	sim)
		timeout "$seconds" "$B/cpl0-sim" --cpu "$cpu" --mem "$mem" --smp "$smp" \
			--log "$log" $(faults) $more "$B/$bits/cpl0.elf" $arguments >"$out" 2>&1
		;;
	native)
		timeout "$seconds" "$B/cpl0-native" $arguments >"$log" 2>"$out"
		status_of_log
		;;
	*)
		echo "unknown runner $runner" >"$out"
		return 3
		;;
	esac
}

# Everything that is wrong with the run, one thing a line; nothing if it is as the row says.
verdict()
{
	[ "$1" = "$status" ] || echo "  exit status $1, expected $status"
	if [ "$status" != 2 ]; then
		"$B/cpl0-log" check "$log" | grep -v ': intact, ' | sed 's/^/  /'
	fi
	"$B/tests/expect" "$B" "$expected" "$log" 2>&1
	[ $? -le 1 ] || echo "  $B/tests/expect does not judge it"
}

# Says how it went; the first word is pass, FAIL or skip.
run_row()
{
	log=$DIR/$name.log out=$DIR/$name.out
	lack=$(needs)
	if [ "$lack" ]; then
		echo "skip $name: $lack is not here"
		return
	fi
	rm -f "$log"
	started=$(date +%s)
	run
	code=$?
	[ -e "$log" ] || : >"$log"
	wrong=$(verdict $code)
	took=$(($(date +%s) - started))
	if [ -z "$wrong" ]; then
		echo "pass $name ($took s)"
		return
	fi
	echo "FAIL $name ($took s), log: $log"
	printf '%s\n' "$wrong" | head -n 12
	tail -n 3 "$out" | sed 's/^/  /'
}

selected()
{
	[ $# -eq 0 ] && return 0
	for glob; do
		case $name in
		$glob) return 0 ;;
		esac
	done
	return 1
}

# Lines of expand.awk whose names match.
rows()
{
	while IFS='|' read -r name rest; do
		! selected "$@" || printf '%s|%s\n' "$name" "$rest"
	done <"$DIR/rows"
}

set -f
if [ "${1-}" = --row ]; then
	IFS='|' read -r name runner bits cpu mem smp firmware how more status seconds arguments \
		expected <<-END
		$2
	END
	[ "$arguments" != - ] || arguments=
	run_row >"$DIR/$name.said" 2>&1
	cat "$DIR/$name.said"
	exit 0
fi

for folder in $folders; do
	find "tests/machines/$folder" -name '*.rows' | sort
done | xargs awk -f tests/machines/expand.awk >"$DIR/rows" || exit 1
if [ "${1-}" = --list ]; then
	shift
	rows "$@"
	exit 0
fi
rows "$@" >"$DIR/selected"
B=$B xargs -d '\n' -n 1 -P "$JOBS" tests/machines/run.sh --row <"$DIR/selected" | tee "$DIR/summary"

passed=$(grep -c '^pass ' "$DIR/summary") failed=$(grep -c '^FAIL ' "$DIR/summary")
skipped=$(grep -c '^skip ' "$DIR/summary") wanted=$(wc -l <"$DIR/selected")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$wanted" -gt 0 ] || echo "no row was selected" >&2
[ "$failed" -eq 0 ] && [ "$wanted" -gt 0 ] && [ $((passed + skipped)) -eq "$wanted" ]
