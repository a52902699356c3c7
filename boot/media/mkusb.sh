#!/bin/sh
# Makes the image of a USB stick or disk: BIOS, UEFI x64 and UEFI ia32, and a file for the logs.
#
#	boot/media/mkusb.sh [-b BUILD] [-a ARGS] [-m FILE]... [-d ENTRY] [-t SECONDS] [-g MODE] FILE
#
#	The options are those of boot/media/mkiso.sh.
#
# One FAT partition, which every system shows, holds all but GRUB's image for a BIOS: that one lies
# in the sectors before it. CPL0.LOG is the first file in an empty file system, so its sectors are
# known and follow each other. The argument logfile= tells them to the kernel.
set -eu

here=$(dirname "$0")
export LC_ALL=C TZ=UTC
command -v mformat >/dev/null || {
	echo "mformat is missing: run \`make deps\`" >&2
	exit 3
}
. "$here/tree.sh"

SECTOR=512
START=2048   # of the partition, sectors
PART=47104   # its size: 23 MiB
LOG=16384    # of CPL0.LOG: 8 MiB
TABLE=446    # of partitions, in the first sector
FAT16=0x0e   # type of the partition
HEADS=255    # the geometry that BIOSes give a stick; some believe it only if the table agrees
TRACK=63

# Puts bytes, given as octal escapes, at $2 of the file $1.
put() {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# A number as four bytes, the lowest first.
word() {
	printf '\\%o\\%o\\%o\\%o' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) \
		$(($1 >> 24 & 255))
}

# The same place in cylinders, heads and sectors, as three bytes of the partition table.
chs() {
	cylinder=$(($1 / (HEADS * TRACK)))
	printf '\\%o\\%o\\%o' $(($1 / TRACK % HEADS)) \
		$((($1 % TRACK + 1) | (cylinder >> 2 & 192))) $((cylinder & 255))
}

# The 16-bit number at $2 of the file $1.
number() {
	od -An -tu2 -j"$2" -N2 "$1" | tr -d ' '
}

part=$work/part.img
mformat -i "$part" -C -T $PART -h $HEADS -s $TRACK -H $START -c 2 -N 0 -v CPL0 ::
# The first cluster lies behind reserved sectors, two FATs and the root directory.
first=$(($(number "$part" 14) + 2 * $(number "$part" 22) + $(number "$part" 17) * 32 / SECTOR))

cp "$here/README.txt" "$root/README.txt"
cp "$build/32/cpl0-uefi.xz" "$root/boot/cpl0-32-uefi.xz"
cp "$build/64/cpl0-uefi.xz" "$root/boot/cpl0-64-uefi.xz"
mkdir -p "$root/EFI/BOOT"
cp "$build/grub/usb/bootx64.efi" "$build/grub/usb/bootia32.efi" "$root/EFI/BOOT/"
awk -v SECTORS=$LOG -f "$here/logfile.awk" >"$work/CPL0.LOG"
touch -d "@$epoch" "$work/CPL0.LOG"
tree_menu "logfile=$((START + first))+$LOG${arguments:+ $arguments}"

mcopy -m -i "$part" "$work/CPL0.LOG" ::
for name in "$root"/*; do
	mcopy -s -m -i "$part" "$name" ::
done
tail -c +$((first * SECTOR + 1)) "$part" | head -c $((LOG * SECTOR)) | cmp - "$work/CPL0.LOG"

image=$work/out.img
cat "$build/grub/boot.img" "$build/grub/usb/core.img" >"$image"
[ "$(wc -c <"$image")" -le $((START * SECTOR)) ]
truncate -s $((START * SECTOR)) "$image"
cat "$part" >>"$image"
# GRUB's boot sector has code for floppies where a disk has its table of four partitions.
dd if=/dev/zero of="$image" bs=1 seek=$TABLE count=64 conv=notrunc status=none
# One row, active.
put "$image" $TABLE "\\200$(chs $START)\\$(printf %o $FAT16)$(chs $((START + PART - 1)))"
put "$image" $((TABLE + 8)) "$(word $START)$(word $PART)"
mv "$image" "$out"
