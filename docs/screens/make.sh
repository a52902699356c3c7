#!/bin/sh
# Pictures of the screen at the end of a run, for docs/screen.md: text mode on a BIOS and
# framebuffers of UEFI in QEMU, which boots a stick, and framebuffers of simulated CPUs.
#
#	docs/screens/make.sh BUILD FOLDER [PICTURE...]
#
# A PICTURE is 80x25 or the pixels of a framebuffer, for QEMU, or MODEL-SIZE, for the simulator. It
# is FOLDER/PICTURE.png.
B=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- 80x25 1920x1080 3840x2160 \
	p5-640x480 k7-800x600 p4n-1280x800 zen4-1280x800 skylake-1920x1080
. tests/checks/qemu-keys.sh
work=$(mktemp -d) || exit 1
code=/usr/share/OVMF/OVMF_CODE_4M.fd

in_qemu() # SIZE
{
	size=$1 mode=${1}x32
	[ "$size" != 80x25 ] || mode=text
	mkdir -p "$work/boot"
	cp boot/media/* "$work/boot"
	sed "s/set gfxpayload=.*/set gfxpayload=$mode/" boot/media/grub.cfg >"$work/boot/grub.cfg"
	"$work/boot/mkusb.sh" -b "$B" -t 0 "$work/stick" || exit 1
	set -- -cpu max -m 256 -device qemu-xhci -device usb-storage,drive=stick \
		-drive "if=none,id=stick,format=raw,file=$work/stick"
	if [ "$mode" != text ]; then
		cp "${code%_CODE_4M.fd}_VARS_4M.fd" "$work/variables"
		set -- "$@" -drive "if=pflash,format=raw,readonly=on,file=$code" \
			-drive "if=pflash,format=raw,file=$work/variables" -vga none \
			-device "VGA,vgamem_mb=64,xres=${size%x*},yres=${size#*x}"
	fi
	qemu_start "$work/log" "$@"
	qemu_wait '^PgUp'
	file=$(realpath "$folder")/$size.png
	rm -f "$file"
	qemu_do "screendump \"$file\" -f png"
	n=0
	until tail -c 12 "$file" 2>/dev/null | grep -q IEND || [ $n -ge 100 ]; do
		sleep 0.3
		n=$((n + 1))
	done
	qemu_stop
	[ $n -lt 100 ] || echo "$size: no picture" >&2
}

# Arrays as large as the third cache take the simulator minutes. Skylake shows events as well.
in_simulator() # MODEL SIZE
{
	model=$1 size=$2 bits=64
	set -- 'skip=bandwidth.*.l3' runs=4
	case $model in
	p5 | k7 | p4n) bits=32 ;;
	skylake) set -- "$@" events=instructions ;;
	esac
	"$B/cpl0-sim" --cpu "$model" --mem 256 --screen "$size" \
		--screenshot "$work/ppm" --log "$work/log" \
		"$B/$bits/cpl0.elf" "$@" >/dev/null
	docs/screens/png.py <"$work/ppm" >"$folder/$model-$size.png"
}

for picture; do
	case $picture in
	*-*) in_simulator "${picture%-*}" "${picture##*-}" ;;
	*) in_qemu "$picture" ;;
	esac
	grep -a -o 'screen=.*rows=[0-9]*' "$work/log" | sed "s/^/$picture: /"
done
rm -rf "$work"
