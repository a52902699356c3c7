#!/bin/sh
# Makes the boot ISO: BIOS (CD and USB stick), UEFI x64 and UEFI ia32 in one image.
#
#	boot/mkiso.sh [-b BUILD] [-a ARGUMENTS] [-m MODULE]... [-d ENTRY] [-t SECONDS] OUT.iso
#
#	-b  build directory with both kernels and the GRUB images (default: build)
#	-a  kernel arguments for every menu entry
#	-m  a file to load as boot module; may be given several times
#	-d  menu entry to start: auto, all, bits32, bits64, bits32-mb1, bits64-mb1
#	    (default: auto)
#	-t  seconds until it starts (default: 3; 0: at once; -1: never)
#
# The layout is the one of grub-mkrescue, made by hand: that program puts the time of day into the
# image, and takes only modules that exist on every platform, which leaves out UEFI's screen driver.
set -eu

usage() {
	sed -n 's/^# \{0,1\}//; 4,11p' "$0" >&2
	exit 3
}

build=build arguments='' modules='' default=auto timeout=3
while getopts b:a:m:d:t: option; do
	case $option in
	b) build=$OPTARG ;;
	a) arguments=$OPTARG ;;
	m) modules="$modules$OPTARG
" ;;
	d) default=$OPTARG ;;
	t) timeout=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
command -v xorriso >/dev/null || {
	echo "xorriso is missing: run \`make deps\`" >&2
	exit 3
}

here=$(dirname "$0")
epoch=${SOURCE_DATE_EPOCH:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root/boot/grub" "$root/boot/modules"

cp "$build/32/cpl0.gz" "$root/boot/cpl0-32.gz"
cp "$build/64/cpl0.gz" "$root/boot/cpl0-64.gz"
cp "$build/grub/eltorito.img" "$root/boot/grub/eltorito.img"
cp "$build/grub/efi.img" "$root/efi.img"

lines1='' lines2=''
if [ -n "$modules" ]; then
	n=0
	oldifs=$IFS
	IFS='
'
	for file in $modules; do
		name=$(basename "$file" | tr -c 'A-Za-z0-9._\n-' '_')
		cp "$file" "$root/boot/modules/$n-$name"
		lines1="$lines1	module /boot/modules/$n-$name $name\\
"
		lines2="$lines2	module2 /boot/modules/$n-$name $name\\
"
		n=$((n + 1))
	done
	IFS=$oldifs
fi

# The text of a sed replacement that stands for itself.
literal() {
	printf '%s' "$1" | sed 's/[\\&|]/\\&/g'
}

sed -e "s|@TIMEOUT@|$timeout|; s|@DEFAULT@|$default|" \
	-e "s|@ARGUMENTS@|$(literal "$arguments")|" \
	-e "s|@MODULES1@|$lines1|; s|@MODULES2@|$lines2|" \
	"$here/grub.cfg" >"$root/boot/grub/grub.cfg"

find "$root" -exec touch -h -d "@$epoch" {} +
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
mv "$work/out.iso" "$1"
