#!/bin/sh
# Promised sizes: tests/checks/check-sizes.sh BUILD
#
# The floppy holds GRUB, the 32-bit kernel and 512 KB of log (boot/media/mkfloppy.sh fails if they
# do not fit). The row direct-pentium-8m of tests/machines/rows holds the promise that the 32-bit
# kernel runs in 8 MB. The ISO and the stick's image have a size that people expect of a download.
failed=0
promise() { # WHAT BYTES RELATION BYTES
	[ "$2" "$3" "$4" ] && return
	echo "$1 has $2 bytes; promised: $3 $4"
	failed=1
}
for f in cpl0.img cpl0.iso cpl0-usb.img; do
	[ -f "$1/$f" ] || { echo "$1/$f is missing"; exit 1; }
done
promise cpl0.img "$(wc -c <"$1/cpl0.img")" -eq 1474560
promise cpl0.iso "$(wc -c <"$1/cpl0.iso")" -le 8388608
promise cpl0-usb.img "$(wc -c <"$1/cpl0-usb.img")" -le 25165824
promise "CPL0.LOG on the floppy" "$(mtype -i "$1/cpl0.img" ::CPL0.LOG | wc -c)" -ge 524288
exit $failed
