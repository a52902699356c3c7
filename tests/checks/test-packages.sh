#!/bin/sh
# What make dist, make install and make deb leave: tests/checks/test-packages.sh BUILD RELEASE
# Names, modes, owners and checksums, and that the programs run from where they lie. Nothing is
# installed. Prints a line a test and `N passed, N failed, N skipped`.
B=$(realpath "$1") release=$2
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 skipped=0
unset MAKEFLAGS MAKELEVEL
make="${MAKE:-make} -s --no-print-directory B=$1"

verdict() { # TEST WHAT-IS-WRONG
	if [ -z "$2" ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $2"
	fi
}

same() { # TEST WANTED SEEN
	verdict "$1" "$([ "$2" = "$3" ] || printf '%s\nwanted: %s' "$3" "$2")"
}

# $1: folder. Every mode and name below it but the documents, sorted.
tree() {
	(cd "$1" && find . -path '*/doc/*' -prune -o -type f -printf '%m %P\n' | sort -k 2)
}

programs='755 bin/cpl0-log
755 bin/cpl0-native
755 bin/cpl0-sim'
kernels='644 share/bash-completion/completions/cpl0-log
644 share/bash-completion/completions/cpl0-native
644 share/bash-completion/completions/cpl0-sim
644 share/cpl0/cpl0-32.elf
644 share/cpl0/cpl0-64.elf
644 share/fish/vendor_completions.d/cpl0-log.fish
644 share/fish/vendor_completions.d/cpl0-native.fish
644 share/fish/vendor_completions.d/cpl0-sim.fish
644 share/man/man1/cpl0-log.1
644 share/man/man1/cpl0-native.1
644 share/man/man1/cpl0-sim.1
644 share/zsh/site-functions/_cpl0-log
644 share/zsh/site-functions/_cpl0-native
644 share/zsh/site-functions/_cpl0-sim'

# $1: what, $2: folder with bin and share. Boots a kernel and reads its log, in a bare environment.
runs() {
	verdict "$1: versions" "$(for name in log native sim; do
		env -i "$2/bin/cpl0-$name" --version 2>&1 | grep -vx "cpl0-$name $release.*"
	done)"
	env -i "$2/bin/cpl0-sim" --cpu p5 --log "$dir/log" "$2/share/cpl0/cpl0-32.elf" exit=debug \
		bench=p5.dep_add runs=1 >"$dir/said" 2>&1 || echo "exit code $?" >>"$dir/said"
	same "$1: cpl0-sim boots its kernel" "done status=ok" \
		"$(grep -o '^done status=[a-z]*' "$dir/log" || cat "$dir/said")"
	verdict "$1: cpl0-log reads the log" "$(env -i "$2/bin/cpl0-log" show "$dir/log" 2>&1 |
		grep -q 'p5[.]dep_add  *2[.]00' || echo "no row")"
	for page in README.md sim/README.md sim/docs/clocks.md; do
		verdict "$1: $page" "$(cmp "$2/share/doc/cpl0/$page" $page 2>&1)"
	done
}

out=$dir/dist
$make dist DIST="$out" >"$dir/said" 2>&1 || verdict 'make dist' "$(cat "$dir/said")"
deb=cpl0_${release}_amd64.deb
command -v dpkg-deb >/dev/null || deb=
same 'names of the files' "$(printf '%s\n' SHA256SUMS "cpl0-$release-floppy.img.gz" \
	"cpl0-$release-linux-x86_64.tar.gz" "cpl0-$release-pxe.tar.gz" \
	"cpl0-$release-usb.img.gz" "cpl0-$release.iso" $deb)" "$(ls "$out")"
verdict 'docs/download.md names each file' "$(for name in "$out"/*; do
	grep -qF "\`${name##*/}\`" docs/download.md || echo "not ${name##*/}"
done)"
same 'modes of the files' 644 "$(find "$out" -type f -printf '%m\n' | sort -u)"
same 'checksums of all files' "$(find "$out" ! -name SHA256SUMS -type f | wc -l)" \
	"$(cd "$out" && sha256sum -c SHA256SUMS 2>&1 | grep -c ': OK$')"
for pair in usb:cpl0-usb.img floppy:cpl0.img; do
	verdict "image ${pair%:*}" \
		"$(gzip -dc "$out/cpl0-$release-${pair%:*}.img.gz" | cmp - "$B/${pair#*:}" 2>&1)"
done
verdict 'image iso' "$(cmp "$out/cpl0-$release.iso" "$B/cpl0.iso" 2>&1)"
for archive in "$out"/*.tar.gz; do
	name=$(basename "$archive" .tar.gz)
	verdict "$name: one folder, owners 0, the commit's time" \
		"$(TZ=UTC tar --numeric-owner --full-time -tvzf "$archive" | awk -v name="$name/" \
		-v time="$(date -u -d "@$SOURCE_DATE_EPOCH" '+%Y-%m-%d %H:%M:%S')" \
		'$2 != "0/0" || $4 " " $5 != time || index($6, name) != 1')"
	tar -C "$dir" -xzf "$archive"
done
verdict 'the folder for network boot is whole' "$(cd "$dir/cpl0-$release-pxe" &&
	ls cpl0.0 cpl0-x64.efi cpl0-ia32.efi boot/cpl0-32.elf boot/cpl0-64.elf \
	boot/grub/grub.cfg cpl0.ipxe pxelinux.cfg/default 2>&1 >/dev/null)"

tools=$dir/cpl0-$release-linux-x86_64
same 'programs for any Linux: names and modes' "$programs
$(printf '644 lib/%s\n' libZydis.so.4.0 libsqlite3.so.0 libunicorn.so.2 | sort)
$kernels" "$(tree "$tools" | sed 's/libZydis[.]so.*/libZydis.so.4.0/')"
verdict 'programs for any Linux: their libraries are beside them' "$(for name in log sim; do
	ldd "$tools/bin/cpl0-$name" | grep -v 'linux-vdso\|ld-linux\|libc[.]so\|libm[.]so' |
		grep -vF "$tools/bin/../lib/"
done)"
verdict 'programs for any Linux: cpl0-native is static' \
	"$(ldd "$tools/bin/cpl0-native" 2>&1 | grep -v 'not a dynamic\|statically')"
same 'programs for any Linux: licences' "$(find "$tools/lib" -type f | wc -l)" \
	"$(find "$tools/share/doc/cpl0/licences" -type f -size +0 | wc -l)"
runs 'programs for any Linux' "$tools"

(umask 077 && $make install DESTDIR="$dir/root" PREFIX=/opt/cpl0) >"$dir/said" 2>&1 ||
	verdict 'make install' "$(cat "$dir/said")"
same 'make install: names and modes' "$programs
$kernels" "$(tree "$dir/root/opt/cpl0")"
same 'make install: nothing elsewhere' opt/cpl0 \
	"$(cd "$dir/root" && find . -mindepth 1 -maxdepth 2 -not -name opt -printf '%P\n')"
runs 'make install' "$dir/root/opt/cpl0"

# The manual pages and completions of the programs without commands, beside the options that they
# take by their sources.
share=$dir/root/opt/cpl0/share
for name in native sim; do
	source=native/main.c
	[ $name = native ] || source=sim/command_line.c
	wanted=$(grep -oE '"--[a-z-]+"' $source | tr -d '"' | sort -u)
	[ $name = sim ] || wanted=$(printf '%s\n' "$wanted" --module | sort -u)
	page=$share/man/man1/cpl0-$name.1
	same "cpl0-$name: options of bash" "$wanted" "$(bash -c '. "$1"; COMP_CWORD=1
		COMP_WORDS=("$2" --); "_${2/-/_}"; printf "%s\n" "${COMPREPLY[@]}"' \
		x "$share/bash-completion/completions/cpl0-$name" "cpl0-$name" | sort)"
	same "cpl0-$name: options of zsh" "$wanted" "$(sed -nE "s/^\t'[*](--[a-z-]+)\[.+\].*/\1/p" \
		"$share/zsh/site-functions/_cpl0-$name" | sort)"
	same "cpl0-$name: options of fish" "$wanted" "$(sed -nE 's/.* -l ([a-z-]+) .*/--\1/p' \
		"$share/fish/vendor_completions.d/cpl0-$name.fish" | sort)"
	same "cpl0-$name: the page says what --help says" "$("$B/cpl0-$name" --help | grep .)" \
		"$(sed -n '/^[.]nf/,/^[.]fi/p' "$page" |
			sed '/^[.][fnP]/d; s/\\-/-/g; s/\\e/\\/g; s/^\\&//')"
	if command -v man >/dev/null; then
		same "cpl0-$name: warnings of man" '' "$(man --warnings -l "$page" 2>&1 >/dev/null)"
	fi
	for shell in zsh fish; do
		command -v $shell >/dev/null || continue
		file=$B/cpl0-$name.$shell
		same "cpl0-$name: grammar of $shell" '' "$($shell -n "$file" 2>&1)"
	done
done

if [ "$deb" ]; then
	dpkg-deb -x "$out/$deb" "$dir/deb"
	same 'package: names and modes' "$programs
$(echo "$kernels" | sed 's/[.]1$/.1.gz/; s,site-functions,vendor-completions,')" \
	"$(tree "$dir/deb/usr")"
	same 'package: name, version, architecture' "cpl0 $release amd64" \
		"$(dpkg-deb -W --showformat='${Package} ${Version} ${Architecture}' "$out/$deb")"
	verdict 'package: owners' "$(dpkg-deb -c "$out/$deb" | awk '$2 != "root/root"')"
	verdict 'package: it depends on what the programs need' \
		"$(dpkg-deb -f "$out/$deb" Depends >"$dir/depends"
		for name in libc6 libsqlite3-0 libunicorn2 libzydis; do
			grep -q "$name" "$dir/depends" || echo "not on $name"
		done)"
	verdict 'package: licence' "$(cmp LICENSE "$dir/deb/usr/share/doc/cpl0/copyright" 2>&1)"
	runs package "$dir/deb/usr"
else
	skipped=1
	echo "skipped: package: there is no dpkg-deb here"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
