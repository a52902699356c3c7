#!/bin/sh
# Makes what is published: tools/dist/mkdist.sh BUILD RELEASE OUT
# Into the folder OUT go images for media, a folder for network boot, the host programs for any
# Linux, the Debian package, and SHA256SUMS. The same sources give the same bytes: times are
# SOURCE_DATE_EPOCH, owners are 0.
set -eu
B=$1 release=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# $1: folder below $work, which becomes $1.tar.gz
archive() {
	tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --format=ustar --owner=0 \
		--group=0 --numeric-owner --mode=u=rwX,go=rX -cf - "$1" | gzip -9n >"$out/$1.tar.gz"
}

mkdir -p "$out"
[ ! "$out" -ef "$B" ] || {
	echo "mkdist.sh: $out is the build directory; DIST= names another one" >&2
	exit 1
}
rm -f "$out/cpl0-$release"[.-]* "$out/cpl0_${release}_"* "$out/SHA256SUMS"
gzip -9nc "$B/cpl0-usb.img" >"$out/cpl0-$release-usb.img.gz"
gzip -9nc "$B/cpl0.img" >"$out/cpl0-$release-floppy.img.gz"
cp "$B/cpl0.iso" "$out/cpl0-$release.iso"

boot/media/mknet.sh -b "$B" "$work/cpl0-$release-pxe"
archive "cpl0-$release-pxe"

tools=cpl0-$release-linux-x86_64
tools/dist/install.sh "$B" "$B/portable" "$work/$tools"
install -d "$work/$tools/lib" "$work/$tools/share/doc/cpl0/licences"
tools/dist/libraries.sh "$B/portable/cpl0-log" "$B/portable/cpl0-sim" >"$work/libraries"
while read -r name file package _; do
	# The C library is the user's: it goes with his kernel and his loader.
	[ "$package" != libc6 ] || continue
	install -m 644 "$file" "$work/$tools/lib/$name"
	install -m 644 "/usr/share/doc/$package/copyright" \
		"$work/$tools/share/doc/cpl0/licences/$package"
done <"$work/libraries"
archive "$tools"

if command -v dpkg-deb >/dev/null; then
	tools/dist/mkdeb.sh "$B" "$release" "$out"
fi
(cd "$out" && sha256sum cpl0[-_]* >"$work/sums" && install -m 644 "$work/sums" SHA256SUMS)
chmod 644 "$out"/cpl0[-_]*
