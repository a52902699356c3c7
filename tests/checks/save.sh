#!/bin/sh
# The log goes home on the medium: boots the stick and the floppy in QEMU, takes CPL0.LOG out with
# mtools, and lays it beside what came over the serial line. No byte of the medium outside of that
# file may change. A medium that is write-protected, pulled or full costs one `warn`, and the run
# ends with `done` all the same. Then somebody with a USB keyboard can save it again.
#
#	tests/checks/save.sh BUILD
B=${1:-build}
dir=$B/save
passed=0 failed=0
rm -rf "$dir"
mkdir -p "$dir" || exit 1

code=/usr/share/OVMF/OVMF_CODE_4M.fd code32=/usr/share/OVMF/OVMF32_CODE_4M.secboot.fd
for file in $code $code32; do
	[ -r $file ] || { echo "$file is missing: run \`make deps-test\`"; exit 1; }
done
for tool in qemu-system-x86_64 mcopy xorriso; do
	command -v $tool >/dev/null || { echo "$tool is missing: run \`make deps-test\`"; exit 1; }
done

verdict() # NAME GOOD
{
	if [ "$2" = yes ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "save $1: FAIL (see $dir/$1.log)"
	fi
}

# Boots a machine; its serial line goes to NAME.log.
boot() # NAME QEMU-OPTIONS...
{
	name=$1
	shift
	timeout 200 qemu-system-x86_64 -accel tcg -m 64 -display none -monitor none -net none \
		-no-reboot -serial "file:$dir/$name.log" \
		-device isa-debug-exit,iobase=0xf4,iosize=4 "$@" >"$dir/$name.err" 2>&1
	tail -n 1 "$dir/$name.log" | grep -q '^done status=ok ' || good=no
}

. tests/checks/qemu-keys.sh
. tests/checks/media.sh

# Presses s and waits for the answer, which is the last line then.
press_s()
{
	lines=$(wc -l <"$qemu_log") waited=0
	qemu_keys s
	until [ "$(wc -l <"$qemu_log")" -gt "$lines" ] || [ $waited -ge 100 ]; do
		sleep 0.2
		waited=$((waited + 1))
	done
}

# The same, with a USB keyboard at which somebody sits: s until the log is saved, then o y.
boot_with_keys() # NAME QEMU-OPTIONS...
{
	name=$1
	shift
	qemu_start "$dir/$name.log" "$@" -device usb-kbd
	qemu_wait '^PgUp'
	[ ! "$replug" ] || replug
	for tries in 1 2 3 4 5 6 7 8 9; do
		grep -q '^Saved to CPL0.LOG' "$dir/$name.log" || press_s
	done
	qemu_keys o
	qemu_wait '^Switch off'
	qemu_keys y
	qemu_ends || good=no
	qemu_stop
	grep -q '^done status=ok ' "$dir/$name.log" || good=no
}

# Warnings about saving in the log of NAME: as many as expected, of this text.
warns() # NAME COUNT [TEXT]
{
	[ "$(grep -c '^warn what=save ' "$dir/$1.log")" = "$2" ] || good=no
	[ $# -lt 3 ] || grep -q "^warn what=save .*$3" "$dir/$1.log" || good=no
}

# The medium's log has as many runs as it should, is intact, and ends with what the line got.
same_log() # NAME MTOOLS-IMAGE RUNS
{
	mcopy -n -o -i "$2" ::CPL0.LOG "$dir/$1.saved" || good=no
	"$B/cpl0-log" check "$dir/$1.saved" >"$dir/$1.check" || good=no
	grep -q "intact, runs: $3," "$dir/$1.check" || good=no
	records "$dir/$1.log" >"$dir/$1.sent"
	records "$dir/$1.saved" | tail -n "$(wc -l <"$dir/$1.sent")" | cmp -s - "$dir/$1.sent" ||
		good=no
}

export SOURCE_DATE_EPOCH=0
stick=$dir/stick.img floppy=$dir/floppy.img
boot/media/mkusb.sh -b "$B" -t 0 -a 'exit=debug' "$stick" || exit 1
boot/media/mkfloppy.sh -b "$B" -t 0 -a 'exit=debug' "$floppy" || exit 1
boot/media/mkiso.sh -b "$B" -t 0 -a 'exit=debug list bench=alu.*' "$dir/cpl0.iso" || exit 1
stick_extent=$(extent "$stick@@$OFFSET" ::boot/grub/grub.cfg)
floppy_extent=$(extent "$floppy" ::GRUB.CFG)

# A sector of the disk by its three bytes in the table of partitions, on 255 heads of 63 sectors.
by_chs() # HEAD SECTOR CYLINDER
{
	echo $(((($3 | ($2 & 192) << 2) * 255 + $1) * 63 + ($2 & 63) - 1))
}

# BIOSes that make a stick's geometry out of its table must come to the one that GRUB reads by.
good=yes
# shellcheck disable=SC2046 # words are meant
set -- $(od -An -v -tu1 -j446 -N16 "$stick")
start=$(($9 | ${10} << 8 | ${11} << 16 | ${12} << 24))
size=$((${13} | ${14} << 8 | ${15} << 16 | ${16} << 24))
[ "$1" = 128 ] && [ "$(by_chs "$2" "$3" "$4")" = $start ] || good=no
[ "$(by_chs "$6" "$7" "$8")" = $((start + size - 1)) ] || good=no
[ "$(od -An -tu2 -j$((OFFSET + 24)) -N4 "$stick" | tr -s ' ')" = ' 63 255' ] || good=no
verdict geometry $good

usb_stick()
{
	echo "-device qemu-xhci -device usb-storage,drive=stick -drive if=none,id=stick,format=raw"
}

good=yes
# shellcheck disable=SC2086 # words are meant
stick_rest=$(rest "$stick" $stick_extent)
boot usb-bios-64 -cpu max $(usb_stick),file="$stick"
same_log usb-bios-64 "$stick@@$OFFSET" 1
grep -q '^save to=bios run=1 sector=0 ' "$dir/usb-bios-64.log" || good=no
verdict usb-bios-64 $good

good=yes
boot disk-bios-32 -cpu pentium -drive if=ide,format=raw,file="$stick"
same_log disk-bios-32 "$stick@@$OFFSET" 2
warns disk-bios-32 0
# shellcheck disable=SC2086
[ "$(rest "$stick" $stick_extent)" = "$stick_rest" ] || good=no
verdict disk-bios-32 $good

# The first write succeeds, and from then on there is no medium.
printf '[set-state]\nevent = "write_aio"\nstate = "1"\nnew_state = "2"\n' >"$dir/pulled.conf"
for event in read_aio write_aio; do
	printf '[inject-error]\nevent = "%s"\nstate = "2"\nerrno = "123"\n' $event
done >>"$dir/pulled.conf"

# UEFI writes the time into the directory as well: 8 bytes of the entry of CPL0.LOG.
without_time() # IMAGE COPY
{
	cp "$1" "$2"
	at=$(grep -abo -m1 'CPL0    LOG' "$2" | head -n 1 | cut -d: -f1)
	[ "$at" -gt $OFFSET ] &&
		dd if=/dev/zero of="$2" bs=1 seek=$((at + 18)) count=8 conv=notrunc status=none
}

# Options of a machine with the firmware of the file CODE.
ovmf() # CODE
{
	cp "/usr/share/OVMF/$(basename "$1" | sed 's/_CODE/_VARS/; s/\.secboot//')" \
		"$dir/vars.fd" || exit 1
	echo "-m 256 -cpu max -drive if=pflash,format=raw,unit=0,readonly=on,file=$1
		-drive if=pflash,format=raw,unit=1,file=$dir/vars.fd"
}

uefi() # NAME CODE QEMU-OPTIONS...
{
	name=$1 firmware=$2
	shift 2
	boot "$name" $(ovmf "$firmware") $(usb_stick),"$@"
}

good=yes
without_time "$stick" "$dir/timeless"
# shellcheck disable=SC2086
stick_rest=$(rest "$dir/timeless" $stick_extent)
uefi uefi-64 $code file="$stick"
same_log uefi-64 "$stick@@$OFFSET" 3
grep -q '^save to=uefi run=3 ' "$dir/uefi-64.log" || good=no
grep -q '^conditions when=start .*firmware="usb boot_services"' "$dir/uefi-64.log" || good=no
without_time "$stick" "$dir/timeless"
# shellcheck disable=SC2086
[ "$(rest "$dir/timeless" $stick_extent)" = "$stick_rest" ] || good=no
verdict uefi-64 $good

# save=off: the firmware is gone, and nothing is written.
good=yes
short=$dir/short.img
boot/media/mkusb.sh -b "$B" -t 0 -a 'exit=debug bench=alu.* save=off' "$short" || exit 1
before=$(sha256sum <"$short")
uefi uefi-off $code file="$short"
grep -q '^save to=none why="save=off"' "$dir/uefi-off.log" || good=no
grep -q '^usb kind=xhci ' "$dir/uefi-off.log" || good=no
[ "$(sha256sum <"$short")" = "$before" ] || good=no
verdict uefi-off $good

good=yes
boot/media/mkusb.sh -b "$B" -t 0 -a 'exit=debug bench=alu.*' "$short" || exit 1
before=$(sha256sum <"$short")
uefi uefi-protected $code readonly=on,file="$short"
warns uefi-protected 1 'write-protected'
[ "$(sha256sum <"$short")" = "$before" ] || good=no
verdict uefi-protected $good

# Pulled when all is saved, and plugged in again: s says so, then no, and then saves a second time.
replug()
{
	qemu_do 'device_del stick'
	sleep 1
	for tries in 1 2 3; do
		grep -q '^the medium is missing' "$qemu_log" || press_s
	done
	tail -n 1 "$qemu_log" | grep -q '^the medium is missing' || good=no
	[ "$(grep -c '^All is saved' "$qemu_log")" -eq 1 ] || good=no
	qemu_do 'device_add usb-storage,id=again,drive=medium'
	sleep 1
}

good=yes
replugged=$dir/replugged.img
boot/media/mkusb.sh -b "$B" -t 0 -a 'bench=alu.*' "$replugged" || exit 1
replug=yes
boot_with_keys uefi-replugged $(ovmf $code) -device qemu-xhci \
	-blockdev raw,node-name=medium,file.driver=file,file.filename="$replugged" \
	-device usb-storage,id=stick,drive=medium
warns uefi-replugged 0
same_log uefi-replugged "$replugged@@$OFFSET" 2
verdict uefi-replugged $good

# The first writes fail: of each all the tries.
for state in 1 2 3 4 5 6; do
	printf '[inject-error]\nevent = "write_aio"\nstate = "%s"\nonce = "on"\n' $state
	printf '[set-state]\nevent = "write_aio"\nstate = "%s"\nnew_state = "%s"\n' \
		$state $((state + 1))
done >"$dir/flaky.conf"

good=yes replug=
boot_with_keys bios-flaky -cpu max $(usb_stick),file="blkdebug:$dir/flaky.conf:$replugged"
warns bios-flaky 1
same_log bios-flaky "$replugged@@$OFFSET" 3
verdict bios-flaky $good

# 32-bit UEFI: the menu takes the 32-bit kernel, although the CPU has 64 bits.
smm='-machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on'
good=yes
boot/media/mkusb.sh -b "$B" -t 0 -a 'exit=debug bench=alu.* threads=all' "$short" || exit 1
short_extent=$(extent "$short@@$OFFSET" ::boot/grub/grub.cfg)
without_time "$short" "$dir/timeless"
# shellcheck disable=SC2086
short_rest=$(rest "$dir/timeless" $short_extent)
# shellcheck disable=SC2086
uefi uefi-32 $code32 file="$short" $smm -smp 2
same_log uefi-32 "$short@@$OFFSET" 1
warns uefi-32 0
grep -q '^cpl0 .* bits=32 ' "$dir/uefi-32.log" || good=no
grep -q '^save to=uefi run=1 ' "$dir/uefi-32.log" || good=no
grep -q '^cpus .* ready=2 ' "$dir/uefi-32.log" || good=no
without_time "$short" "$dir/timeless"
# shellcheck disable=SC2086
[ "$(rest "$dir/timeless" $short_extent)" = "$short_rest" ] || good=no
verdict uefi-32 $good

# The other kernel cannot call it.
good=yes
boot/media/mkusb.sh -b "$B" -t 0 -d bits64 -a 'exit=debug bench=alu.*' "$short" || exit 1
# shellcheck disable=SC2086
uefi uefi-32-64 $code32 file="$short" $smm
warns uefi-32-64 1 'UEFI is gone'
verdict uefi-32-64 $good

# The stick is pulled from 32-bit UEFI, and plugged in again.
good=yes
boot/media/mkusb.sh -b "$B" -t 0 -a 'bench=alu.*' "$replugged" || exit 1
replug=yes
# shellcheck disable=SC2086
boot_with_keys uefi-32-replugged $(ovmf $code32) $smm -device qemu-xhci \
	-blockdev raw,node-name=medium,file.driver=file,file.filename="$replugged" \
	-device usb-storage,id=stick,drive=medium
warns uefi-32-replugged 0
same_log uefi-32-replugged "$replugged@@$OFFSET" 2
verdict uefi-32-replugged $good

good=yes
# shellcheck disable=SC2086
floppy_rest=$(rest "$floppy" $floppy_extent)
boot floppy-pentium -cpu pentium -m 8 -drive if=floppy,format=raw,file="$floppy" -boot a
same_log floppy-pentium "$floppy" 1
warns floppy-pentium 0
# shellcheck disable=SC2086
[ "$(rest "$floppy" $floppy_extent)" = "$floppy_rest" ] || good=no
verdict floppy-pentium $good

good=yes
before=$(sha256sum <"$floppy")
boot protected -cpu pentium -boot a -drive if=floppy,format=raw,readonly=on,file="$floppy"
warns protected 1 'write-protected'
[ "$(sha256sum <"$floppy")" = "$before" ] || good=no
verdict protected $good

good=yes
boot pulled -cpu max $(usb_stick),file="blkdebug:$dir/pulled.conf:$stick"
warns pulled 1
verdict pulled $good


good=yes
mcopy -n -o -i "$stick@@$OFFSET" ::CPL0.LOG "$dir/full.part" || good=no
# shellcheck disable=SC2086
set -- $stick_extent
sed 's/^~cpl0-000/~cpl0 009/' "$dir/full.part" |
	dd of="$stick" bs=512 seek="$1" conv=notrunc status=none
before=$(sha256sum <"$stick")
boot full -cpu pentium -drive if=ide,format=raw,file="$stick"
warns full 1 'CPL0.LOG is full'
[ "$(sha256sum <"$stick")" = "$before" ] || good=no
verdict full $good

# A code that resets the machine (push 0; push 0; lidt (%rsp); int3): the machine is described.
good=yes
crash=$dir/crash.img
boot/media/mkusb.sh -b "$B" -t 0 -a 'bench=code cpl=0 code=6a006a000f011c24cc' "$crash" || exit 1
boot crash -cpu max -drive if=ide,format=raw,file="$crash"
good=yes
mcopy -n -o -i "$crash@@$OFFSET" ::CPL0.LOG "$dir/crash.saved" || good=no
records "$dir/crash.saved" >"$dir/crash.sent"
records "$dir/crash.log" | head -n "$(wc -l <"$dir/crash.sent")" | cmp -s - "$dir/crash.sent" ||
	good=no
grep -q '^watchdog ' "$dir/crash.sent" || good=no
! grep -q '^done ' "$dir/crash.log" || good=no
verdict crash $good

good=yes
boot cd -cpu max -cdrom "$dir/cpl0.iso"
grep -q '^save to=none why="this medium has no CPL0.LOG"' "$dir/cd.log" || good=no
warns cd 0
verdict cd $good

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
