#!/bin/sh
# save=ask hears a key: of a PS/2 and of a USB keyboard, held down or tapped, by a BIOS and by UEFI.
# Without a key the answer is no, and not before 20 seconds.
#
#	tests/checks/save-ask.sh BUILD [N [KIND...]]
#
# N boots of each kind (1); KIND is ps2-held, ps2-tapped, usb-held, usb-tapped, uefi-held,
# uefi-tapped or none.
B=${1:-build} count=${2:-1}
[ $# -lt 2 ] || shift
shift
[ $# -gt 0 ] || set -- ps2-held ps2-tapped usb-held usb-tapped uefi-held uefi-tapped none
dir=$B/save-ask
mkdir -p "$dir" || exit 1
. tests/checks/qemu-keys.sh

code=/usr/share/OVMF/OVMF_CODE_4M.fd
stick=$dir/stick.img
SOURCE_DATE_EPOCH=0 boot/media/mkusb.sh -b "$B" -t 0 -a 'save=ask exit=halt list' "$stick" || exit 1

# Options of the I-th machine of KIND: old and new CPUs, two kinds of USB controllers.
options() # KIND I
{
	case $1 in
	uefi-*)
		cp /usr/share/OVMF/OVMF_VARS_4M.fd "$dir/vars.fd" || exit 1
		echo "-m 256 -cpu max -drive if=pflash,format=raw,unit=0,readonly=on,file=$code
			-drive if=pflash,format=raw,unit=1,file=$dir/vars.fd
			-device qemu-xhci -device usb-kbd"
		return
		;;
	usb-*) echo "-m 64 -usb" ;;
	*) echo "-m 64" ;;
	esac
	[ $(($2 % 2)) = 0 ] && echo "-cpu max" || echo "-cpu pentium"
	case $1-$(($2 / 2 % 2)) in
	usb-*-0) echo "-device usb-kbd" ;;
	usb-*-1) echo "-device qemu-xhci,id=x -device usb-kbd,bus=x.0" ;;
	esac
}

# Presses y at another moment between two polls each time. Prints `ok` if it was heard.
press() # KIND I
{
	qemu_wait '^Save the log'
	sleep "$(awk "BEGIN { print $2 * 0.037 % 1 }")"
	case $1 in
	*-held) qemu_do 'sendkey y 60000' ;;
	*) qemu_do 'sendkey y 100' ;;
	esac
	qemu_wait '^save to='
	grep -qE '^save to=(bios|uefi) run=1 ' "$qemu_log" && echo ok
}

# No key is pressed: 20 seconds, and the question is not asked for ever.
wait_in_vain()
{
	qemu_wait '^Save the log'
	start=$(date +%s)
	qemu_wait '^save to='
	[ $(($(date +%s) - start)) -ge 19 ] &&
		grep -q '^save to=none why="save=ask: no"' "$qemu_log" && echo ok
}

passed=0 failed=0
for kind; do
	for i in $(seq 1 "$count"); do
		# shellcheck disable=SC2046 # words are meant
		qemu_start "$dir/$kind-$i.log" $(options "$kind" "$i") -snapshot \
			-drive if=ide,format=raw,file="$stick"
		if [ "$kind" = none ]; then
			heard=$(wait_in_vain)
		else
			heard=$(press "$kind" "$i")
		fi
		qemu_stop
		if [ "$heard" = ok ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "save-ask $kind $i: FAIL (see $dir/$kind-$i.log)"
		fi
	done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
