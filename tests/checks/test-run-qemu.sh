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

# $1 ACCEL, $2 what /proc/sys/kernel/nmi_watchdog would say: is the note there?
watchdog() {
	echo "$2" >"$build/nmi_watchdog"
	NMI_WATCHDOG=$build/nmi_watchdog ./run-qemu.sh --build "$build" --direct --accel "$1" \
		--dry-run --bits 32 2>&1 >/dev/null | grep -q 'NMI watchdog holds a counter'
}

watchdog kvm 1
verdict 'KVM, and the NMI watchdog runs: it is named' $?
! watchdog kvm 0
verdict 'KVM, and it does not run: nothing is said' $?
! watchdog tcg 1
verdict 'TCG: nothing is said' $?

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
rm -rf "$work"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
