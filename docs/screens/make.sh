#!/bin/sh
# Pictures of the screen at the end of a run, for docs/screen.md: text mode on a BIOS, and
# framebuffers of UEFI, all in QEMU.
#
#	docs/screens/make.sh BUILD FOLDER [SIZE...]
#
# A SIZE is 80x25 or the pixels of a framebuffer. The picture is FOLDER/SIZE.png.
B=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- 80x25 640x480 800x600 1280x800 1920x1080 3840x2160
. tests/checks/qemu-keys.sh
work=$(mktemp -d) || exit 1
arguments='runs=4'
code=/usr/share/OVMF/OVMF_CODE_4M.fd

for size; do
	mode=${size}x32
	[ "$size" != 80x25 ] || mode=text
	mkdir -p "$work/boot"
	cp boot/*.sh boot/*.cfg boot/*.ipxe "$work/boot"
	sed "s/set gfxpayload=.*/set gfxpayload=$mode/" boot/grub.cfg >"$work/boot/grub.cfg"
	"$work/boot/mkiso.sh" -b "$B" -t 0 -a "$arguments" "$work/iso" || exit 1
	set -- -cdrom "$work/iso" -cpu max -m 256
	if [ "$mode" != text ]; then
		cp "${code%_CODE_4M.fd}_VARS_4M.fd" "$work/variables"
		set -- "$@" -drive "if=pflash,format=raw,readonly=on,file=$code" \
			-drive "if=pflash,format=raw,file=$work/variables" -vga none \
			-device "VGA,vgamem_mb=64,xres=${size%x*},yres=${size#*x}"
	fi
	qemu_start "$work/log" "$@"
	qemu_wait '^PgUp'
	picture=$(realpath "$folder")/$size.png
	rm -f "$picture"
	qemu_do "screendump \"$picture\" -f png"
	n=0
	until tail -c 12 "$picture" 2>/dev/null | grep -q IEND || [ $n -ge 100 ]; do
		sleep 0.3
		n=$((n + 1))
	done
	qemu_stop
	grep -a -o 'screen=.*rows=[0-9]*' "$work/log" | sed "s/^/$size: /"
	[ $n -lt 100 ] || echo "$size: no picture" >&2
done
rm -rf "$work"
