#!/bin/sh
# Makes the Debian package of the host programs, OUT/cpl0_RELEASE_amd64.deb:
# tools/dist/mkdeb.sh BUILD RELEASE OUT
# The package depends on what the programs are linked with, in the build host's version or newer.
set -eu
B=$1 release=$2 out=$3
command -v dpkg-deb >/dev/null || {
	echo "dpkg-deb is missing: a package is made on Debian or Ubuntu" >&2
	exit 3
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
root=$work/cpl0
mkdir -p "$root/DEBIAN" "$out"

tools/dist/install.sh "$B" "$B" "$root/usr"
mv "$root/usr/share/doc/cpl0/LICENSE" "$root/usr/share/doc/cpl0/copyright"
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"

gzip -9n "$root/usr/share/man/man1/"*.1

tools/dist/libraries.sh "$B/cpl0-log" "$B/cpl0-native" "$B/cpl0-sim" >"$work/libraries"
depends=$(while read -r _ _ package version; do
	echo "$package (>= $version)"
done <"$work/libraries" | sort -u | paste -sd, | sed 's/,/, /g')
[ -n "$depends" ]
size=$(find "$root/usr" -type f -printf '%s\n' |
	awk '{ n += int(($1 + 1023) / 1024) } END { print n }')
cat >"$root/DEBIAN/control" <<END
Package: cpl0
Version: $release
Architecture: amd64
Maintainer: cpl0 <cpl0@localhost>
Section: devel
Priority: optional
Depends: $depends
Installed-Size: $size
Description: CPU profiling without an operating system: host programs
 cpl0-log reads, compares and draws the logs of the bare-metal kernel cpl0.
 cpl0-native runs its benchmarks as a Linux process, and cpl0-sim boots its
 kernels, which lie in /usr/share/cpl0, on simulated processors.
END
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --build --root-owner-group -Zxz "$root" "$out/cpl0_${release}_amd64.deb" >/dev/null
