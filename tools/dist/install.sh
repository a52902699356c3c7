#!/bin/sh
# Puts the host programs, the kernels that cpl0-sim boots, the documents, the manual page and
# completion below ROOT:
# tools/dist/install.sh BUILD PROGRAMS ROOT
# PROGRAMS is the folder of the programs: BUILD or BUILD/portable.
set -eu
B=$1 programs=$2 root=$3
umask 022

install -d "$root/bin" "$root/share/cpl0" "$root/share/doc/cpl0/docs"
for name in cpl0-log cpl0-native cpl0-sim; do
	# Debug information and the build's number differ by the folder of the build.
	strip --strip-all -R .note.gnu.build-id -R .comment -o "$root/bin/$name" "$programs/$name"
	chmod 755 "$root/bin/$name"
done
for bits in 32 64; do
	install -m 644 "$B/$bits/cpl0.elf" "$root/share/cpl0/cpl0-$bits.elf"
done
install -d "$root/share/man/man1" "$root/share/bash-completion/completions" \
	"$root/share/zsh/site-functions" "$root/share/fish/vendor_completions.d"
install -m 644 "$B/cpl0-log.1" "$root/share/man/man1"
install -m 644 "$B/cpl0-log.bash" "$root/share/bash-completion/completions/cpl0-log"
install -m 644 "$B/cpl0-log.zsh" "$root/share/zsh/site-functions/_cpl0-log"
install -m 644 "$B/cpl0-log.fish" "$root/share/fish/vendor_completions.d/cpl0-log.fish"
install -m 644 README.md CHANGELOG.md LICENSE "$root/share/doc/cpl0"
install -m 644 docs/*.md "$root/share/doc/cpl0/docs"
