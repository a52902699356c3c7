#!/bin/sh
# Makes the boot floppy: a FAT disk of 1.44 MB with GRUB and the 32-bit kernel, for a BIOS.
#
#	boot/media/mkfloppy.sh [-b BUILD] [-a ARGUMENTS] [-t SECONDS] OUT.img
#
#	-b  build directory with the kernel and GRUB's image (default: build)
#	-a  kernel arguments
#	-t  seconds until the kernel starts (default: 3; 0: at once)
#
# GRUB's boot sector and the first sector of its image each say in which sector the rest begins. The
# image is the first file on an empty disk, so its sectors are known and follow each other: one boot
# sector, two FATs of nine sectors, and fourteen sectors of the root directory stand before it. The
# second file is CPL0.LOG, which takes the log home; the argument logfile= says where it lies.
set -eu

usage() {
	sed -n 's/^# \{0,1\}//; 4,8p' "$0" >&2
	exit 3
}

build=build arguments='' timeout=3
while getopts b:a:t: option; do
	case $option in
	b) build=$OPTARG ;;
	a) arguments=$OPTARG ;;
	t) timeout=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
[ ! -e "$1" ] || [ -f "$1" ] || {
	echo "$0: $1 is no regular file, so it stays as it is" >&2
	exit 3
}
command -v mformat >/dev/null || {
	echo "mformat is missing: run \`make deps\`" >&2
	exit 3
}

SECTOR=512
FIRST=33            # sector of the first file
LOG=2000            # sectors of CPL0.LOG
IN_BOOT_SECTOR=92   # GRUB_BOOT_MACHINE_KERNEL_SECTOR, include/grub/i386/pc/boot.h
IN_IMAGE=500        # the first entry of the block list, grub-core/boot/i386/pc/diskboot.S

here=$(dirname "$0")
export LC_ALL=C TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
image=$work/out.img

# Writes the byte $2 at $1 of the image.
put() {
	printf "\\$(printf %o "$2")" | dd of="$image" bs=1 seek="$1" conv=notrunc status=none
}

# The text of a sed replacement that stands for itself.
literal() {
	printf '%s' "$1" | sed 's/[\\&|]/\\&/g'
}

cp "$build/grub/floppy.img" "$work/GRUB.IMG"
cp "$build/32/cpl0.xz" "$work/CPL0.XZ"
cp "$here/README.txt" "$work/README.TXT"
awk -v SECTORS=$LOG -f "$here/logfile.awk" >"$work/CPL0.LOG"
log=$((FIRST + ($(wc -c <"$work/GRUB.IMG") + SECTOR - 1) / SECTOR))
arguments="logfile=$log+$LOG${arguments:+ $arguments}"
sed -e "s|@TIMEOUT@|$timeout|; s|@ARGUMENTS@|$(literal "$arguments")|" \
	"$here/grub-floppy.cfg" >"$work/GRUB.CFG"
touch -d "@${SOURCE_DATE_EPOCH:-0}" "$work"/*

mformat -i "$image" -C -f 1440 -N 0 -B "$build/grub/boot.img" ::
for name in GRUB.IMG CPL0.LOG CPL0.XZ GRUB.CFG README.TXT; do
	mcopy -m -i "$image" "$work/$name" ::
done
mattrib -i "$image" +r +s ::GRUB.IMG
# The file $1 lies in the sectors from $2 on.
lies_at() {
	tail -c +$(($2 * SECTOR + 1)) "$image" | head -c "$(wc -c <"$work/$1")" | cmp - "$work/$1"
}
lies_at GRUB.IMG $FIRST
lies_at CPL0.LOG $log
put $IN_BOOT_SECTOR $FIRST
put $((FIRST * SECTOR + IN_IMAGE)) $((FIRST + 1))
mv "$image" "$1"
