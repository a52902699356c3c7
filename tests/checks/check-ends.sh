#!/bin/sh
# What a run leaves behind it on machines with a BIOS: the floppy's motor is off, also where nothing
# ticks any more (exit=halt), and exit=poweroff switches off, by ACPI or else by APM.
#
#	tests/checks/check-ends.sh BUILD
B=${1:-build}
dir=$B/ends
passed=0 failed=0
mkdir -p "$dir" || exit 1
export SOURCE_DATE_EPOCH=0
command -v bochs >/dev/null || { echo "bochs is missing: run \`make deps-test\`"; exit 1; }
. tests/checks/qemu-keys.sh

verdict() # NAME GOOD
{
	if [ "$2" = yes ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "ends $1: FAIL (see $dir/$1.log)"
	fi
}

floppy() # NAME ARGUMENTS
{
	boot/media/mkfloppy.sh -b "$B" -t 0 -a "$2" "$dir/$1.img" || exit 1
}

# Bit 4 of port 3F2h is the motor of drive 0. GRUB's own accesses are long over.
floppy motor 'exit=halt bench=alu.*'
qemu_start "$dir/motor.log" -cpu pentium -m 16 -boot a \
	-drive if=floppy,format=raw,file="$dir/motor.img"
qemu_wait '^done '
sleep 1
qemu_do 'i /b 0x3f2'
sleep 1
port=$(sed -n 's/.*0x03f2.* = 0x0*\([0-9a-f]*\).*/\1/p' "$qemu_dir/answers" | tail -n 1)
qemu_stop
good=no
grep -q '^save to=bios ' "$dir/motor.log" && [ -n "$port" ] && [ $((0x$port & 16)) = 0 ] && good=yes
verdict motor $good

good=no
timeout 200 qemu-system-x86_64 -accel tcg -cpu pentium -m 16 -display none -monitor none -net none \
	-serial "file:$dir/acpi.log" -kernel "$B/32/cpl0.elf" \
	-append 'exit=poweroff bench=alu.*' >"$dir/acpi.err" 2>&1 && good=yes
verdict acpi $good

# A board of 1995: no PCI, no ACPI. Bochs ends when its BIOS writes to the port for that.
floppy apm 'exit=poweroff bench=alu.*'
cat >"$dir/apm.rc" <<END
plugin_ctrl: unmapped=1, biosdev=1, speaker=0, e1000=0, parallel=0, serial=1
config_interface: textconfig
display_library: rfb, options="timeout=0"
megs: 16
cpu: model=pentium, ips=50000000, reset_on_triple_fault=0
romimage: file=/usr/share/bochs/BIOS-bochs-legacy
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
pci: enabled=0
floppya: 1_44=$dir/apm.img, status=inserted
boot: floppy
com1: enabled=1, mode=file, dev=$dir/apm.log
log: $dir/apm.bochs
panic: action=fatal
clock: sync=none, time0=946681200
END
echo c >"$dir/apm.debug"
timeout 300 bochs -q -f "$dir/apm.rc" -rc "$dir/apm.debug" </dev/null >"$dir/apm.out" 2>&1
good=no
grep -q '^boot .* acpi=0 ' "$dir/apm.log" && grep -q '^done ' "$dir/apm.log" &&
	grep -q '^save to=bios ' "$dir/apm.log" && grep -q 'shutdown requested' "$dir/apm.out" &&
	good=yes
verdict apm $good

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
