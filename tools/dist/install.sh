#!/bin/sh
# Puts the host programs, the kernels that cpl0-sim boots, the documents, manual pages and
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
for name in cpl0-log cpl0-native cpl0-sim; do
	install -m 644 "$B/$name.1" "$root/share/man/man1"
	install -m 644 "$B/$name.bash" "$root/share/bash-completion/completions/$name"
	install -m 644 "$B/$name.zsh" "$root/share/zsh/site-functions/_$name"
	install -m 644 "$B/$name.fish" "$root/share/fish/vendor_completions.d/$name.fish"
done
install -m 644 README.md CHANGELOG.md LICENSE "$root/share/doc/cpl0"
install -d "$root/share/doc/cpl0/docs/design"
install -m 644 docs/*.md "$root/share/doc/cpl0/docs"
install -m 644 docs/design/*.md "$root/share/doc/cpl0/docs/design"
install -d "$root/share/doc/cpl0/sim/docs"
install -m 644 sim/README.md "$root/share/doc/cpl0/sim"
install -m 644 sim/docs/*.md "$root/share/doc/cpl0/sim/docs"
