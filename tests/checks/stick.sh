#!/bin/sh
# The way of most users: the stick, 64-bit UEFI, several CPUs, memory above 4 GiB. Boots it in
# QEMU with OVMF. Other CPUs start while the firmware stays alive, the log lands on the stick, and
# keys work at the start (save=ask) and at the end, by PS/2 and by USB. The stick is pulled at the
# end and put back, and s saves a second time.
#
#	tests/checks/stick.sh BUILD
B=${1:-build}
dir=$B/stick
passed=0 failed=0
entry=auto     # of the menu
OFFSET=1048576 # of the stick's partition, bytes
mkdir -p "$dir" || exit 1

code=/usr/share/OVMF/OVMF_CODE_4M.fd
[ -r $code ] || { echo "$code is missing: run \`make deps-test\`"; exit 1; }
for tool in qemu-system-x86_64 mcopy; do
	command -v $tool >/dev/null || { echo "$tool is missing: run \`make deps-test\`"; exit 1; }
done

. tests/checks/qemu-keys.sh

must() # WHAT COMMAND...
{
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "stick $name: FAIL: $what (see $dir/$name.log)"
	fi
}

# The log has a line that matches.
has()
{
	tr -d '\r' <"$dir/$name.log" | grep -aq "$1"
}

lacks()
{
	! has "$1"
}

# QEMU clears the MTRRs of CPUs that get an INIT, TCG reorders little, and while the host is busy
# QEMU's clocks stand.
no_warning()
{
	! tr -d '\r' <"$dir/$name.log" | grep -a '^warn ' | grep -qvE ' what=(mtrr|litmus|clock) '
}

records()
{
	tr -d '\r' <"$1" | grep -aE ' #[0-9]+:[0-9a-f]{8}$'
}

# The stick has so many runs, intact, and the last one is what the line got.
saved() # RUNS
{
	mcopy -n -o -i "$dir/$name.img@@$OFFSET" ::CPL0.LOG "$dir/$name.saved" &&
		"$B/cpl0-log" check "$dir/$name.saved" >"$dir/$name.check" &&
		grep -q "intact, runs: $1," "$dir/$name.check" || return 1
	records "$dir/$name.log" >"$dir/$name.sent"
	[ -s "$dir/$name.sent" ] || return 1
	records "$dir/$name.saved" | tail -n "$(wc -l <"$dir/$name.sent")" |
		cmp -s - "$dir/$name.sent"
}

# Boots the stick with ARGUMENTS; keys can be pressed. Memory is taken when it is touched.
start() # NAME MB ARGUMENTS QEMU-OPTIONS...
{
	name=$1 mb=$2
	SOURCE_DATE_EPOCH=0 boot/media/mkusb.sh -b "$B" -d "$entry" -t 0 -a "$3" "$dir/$name.img" ||
		exit 1
	cp /usr/share/OVMF/OVMF_VARS_4M.fd "$dir/$name.vars" || exit 1
	shift 3
	qemu_start "$dir/$name.log" -cpu max -smp 4 -m "$mb" \
		-object "memory-backend-ram,id=ram,size=${mb}M,reserve=off" \
		-machine q35,memory-backend=ram \
		-drive if=pflash,format=raw,unit=0,readonly=on,file=$code \
		-drive if=pflash,format=raw,unit=1,file="$dir/$name.vars" \
		-device qemu-xhci -device usb-storage,id=stick,drive=medium \
		-blockdev raw,node-name=medium,file.driver=file,file.filename="$dir/$name.img" "$@"
}

# Presses a key until the log has a line that matches, with time for an answer in between.
press_until() # KEY TEXT
{
	n=0
	until has "$2" || [ $n -ge 30 ]; do
		qemu_keys "$1"
		for wait in 1 2 3 4 5 6 7 8 9 10; do
			has "$2" || sleep 0.3
		done
		n=$((n + 1))
	done
	has "$2"
}

switch_off()
{
	press_until o '^Switch off' && qemu_keys y && qemu_ends
}

# What each of these boots must show.
good_run()
{
	must 'the log goes to the stick by UEFI' has '^save to=uefi run=1 sector=0 '
	must 'all four CPUs start' has '^cpus source=madt listed=4 .* ready=4 '
	must 'workers for all' has '^threads mode=all bench=alu.add_latency cpus=4 .* run=together '
	must 'a line is shared' has '^result bench=sharing.add_line'
	must 'no warning' no_warning
	must 'no error' lacks '^error '
	must 'done' has '^done status=ok '
}

measure='threads=all bench=alu.add_latency,sharing.add_line,litmus.mp'

start usb-16g 16384 "$measure save=ask" -device usb-kbd
qemu_wait '^Save the log'
qemu_keys y
qemu_wait '^PgUp'
good_run
must 'memory above 4 GiB is free' has '^memory base=0x1........ end=0x[0-9a-f]* type=free'
must 'saved' saved 1
qemu_do 'device_del stick'
sleep 1
must 's without the stick' press_until s '^the medium is missing'
qemu_do 'device_add usb-storage,id=again,drive=medium'
sleep 1
must 's with the stick' press_until s '^Saved to CPL0.LOG'
must 'o y' switch_off
qemu_stop
must 'saved again' saved 2

start ps2-4g 4096 "$measure save=ask"
qemu_wait '^Save the log'
qemu_keys y
qemu_wait '^PgUp'
good_run
must 'saved' saved 1
must 'o y' switch_off
qemu_stop

# GRUB's fwsetup restarts into OVMF's own menu.
entry=setup
start setup 256 ''
qemu_wait '=Select Entry'
must 'the menu leads into the firmware' has '=Select Entry'
qemu_stop

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
