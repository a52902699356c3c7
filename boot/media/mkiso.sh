#!/bin/sh
# Makes the boot ISO: BIOS (CD and USB stick), UEFI x64 and UEFI ia32 in one image.
#
#	boot/media/mkiso.sh [-b BUILD] [-a ARGS] [-m FILE]... [-d ENTRY] [-t SECONDS] [-g MODE] FILE
#
#	-b  build directory with both kernels and the GRUB images (default: build)
#	-a  kernel arguments for every menu entry
#	-m  a file to load as boot module; may be given several times
#	-d  menu entry to start: auto, all, instr, code, quiet, bits32, bits64, bits32-mb1,
#	    bits64-mb1, setup: the firmware's (default: auto)
#	-t  seconds until it starts (default: 3; 0: at once; -1: never)
#	-g  screen that GRUB gives the kernel: text, 1024x768x32 (default: the menu decides)
#
# The layout is the one of grub-mkrescue, made by hand: that program puts the time of day into the
# image, and takes only modules that exist on every platform, which leaves out UEFI's screen driver.
set -eu

here=$(dirname "$0")
command -v xorriso >/dev/null || {
	echo "xorriso is missing: run \`make deps\`" >&2
	exit 3
}
. "$here/tree.sh"

cp "$build/grub/eltorito.img" "$root/boot/grub/eltorito.img"
cp "$build/grub/efi.img" "$root/efi.img"
tree_menu "$arguments"

date=$(cat "$build/grub/date")
xorriso -as mkisofs -quiet -V CPL0 -graft-points --modification-date="$date" \
	-b boot/grub/eltorito.img -no-emul-boot -boot-load-size 4 -boot-info-table \
	--grub2-boot-info --grub2-mbr "$build/grub/boot_hybrid.img" \
	--efi-boot efi.img -efi-boot-part --efi-boot-image --protective-msdos-label \
	-r -o "$work/out.iso" --sort-weight 0 / --sort-weight 1 /boot "$root" \
	2>"$work/xorriso.log" || {
	cat "$work/xorriso.log" >&2
	exit 1
}
mv "$work/out.iso" "$out"
